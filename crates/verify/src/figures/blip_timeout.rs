//! How the blip's aftermath depends on the timeout, which the document leaves open.

use retrylab_analytic::fluid_blip::Aftermath;
use retrylab_model::Scenario;

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::retry_storms::setting::{
    ATTEMPTS, BEGIN_READ, DURATION, POLICIES, blip, budgeted, dead_time, drained_after, fluid_blip,
};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Panel, Point, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

const TIMEOUTS: (f64, f64) = (0.25, 2.0);
/// Long enough for the budget to drain with the shortest timeout.
const AFTER: f64 = 32.0;
/// Tokens saved before the blip.
const BANK: f64 = 100.0;

pub(super) const SKETCH: Sketch = Sketch {
    id: "blip-timeout",
    document: Document::RetryStorms,
    claims: &["R04", "R01"],
    title: "When the service is back, against the timeout",
    draw,
};

fn no_retries(timeout: f64) -> Scenario {
    let (_, policy) = POLICIES[0];
    policy(&blip(timeout, AFTER))
}

fn budget(timeout: f64) -> Scenario {
    budgeted(&blip(timeout, AFTER), BANK)
}

/// A name, what is read off the fluid and off the runs, and of which policy.
type Curve = (
    &'static str,
    fn(&Aftermath) -> Option<f64>,
    fn(f64) -> Experiment,
    bool,
);

const CURVES: [Curve; 4] = [
    (
        "no retries, useful again",
        |aftermath| aftermath.dead_time.ok(),
        |timeout| dead_time(no_retries(timeout)),
        false,
    ),
    (
        "no retries, queue empty",
        |aftermath| aftermath.drained_after.ok(),
        |timeout| drained_after(&no_retries(timeout)),
        false,
    ),
    (
        "10 % budget, useful again",
        |aftermath| aftermath.dead_time.ok(),
        |timeout| dead_time(budget(timeout)),
        true,
    ),
    (
        "10 % budget, queue empty",
        |aftermath| aftermath.drained_after.ok(),
        |timeout| drained_after(&budget(timeout)),
        true,
    ),
];

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let runs = replications(16, level);
    let (shortest, longest) = TIMEOUTS;
    let end = BEGIN_READ + DURATION;
    let mut series = Vec::new();
    for (color, (name, of_fluid, of_runs, is_budgeted)) in CURVES.into_iter().enumerate() {
        let line = positions(shortest, longest, 70)
            .into_iter()
            .filter_map(|timeout| {
                let attempts = if is_budgeted { ATTEMPTS } else { 1 };
                let alone = fluid_blip(timeout, attempts);
                let fluid = if is_budgeted {
                    alone.with_budget(0.1, BANK).ok()?
                } else {
                    alone
                };
                of_fluid(&fluid.aftermath()).map(|time| (timeout, end + time))
            })
            .collect();
        series.push(Series {
            name: format!("{name}, fluid"),
            color,
            kind: SeriesKind::Line(line),
        });
        let measured = points(name, seed, |_| runs, &positions(shortest, longest, 7), of_runs)?;
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Points(
                measured
                    .into_iter()
                    .map(|point| Point {
                        y: end + point.y,
                        low: end + point.low,
                        high: end + point.high,
                        ..point
                    })
                    .collect(),
            ),
        });
    }
    Ok(SKETCH.figure(
        format!(
            "The document gives neither the timeout nor the start of the blip. With a blip that starts at 30 s, useful throughput is \
             back after nine seconds without retries for timeouts around 0.9 s, and the queue of the budget, here with \
             {BANK} tokens saved before the blip, is empty at 55 s to 57 s for timeouts of 0.75 s to 1.25 s. Lines are the fluid, points {runs} \
             runs; {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: Axis {
                label: "timeout, in seconds".to_owned(),
                low: 0.0,
                high: longest,
                logarithmic: false,
            },
            y: Axis {
                label: "second at which it is reached".to_owned(),
                low: end,
                high: 62.0,
                logarithmic: false,
            },
            series,
            marks: Vec::new(),
        }],
    ))
}

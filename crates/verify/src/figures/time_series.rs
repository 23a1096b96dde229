//! One run through a short stall: successes per new request in windows of time, for each policy.

use retrylab_model::{Backoff, Budget, Discipline, Scenario};
use retrylab_sim::{Measure, Options, simulate_one};

use super::sketch::Sketch;
use crate::claims::three_attempts::protocol::{changed, stalled};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

/// End of the part of the run that is drawn.
const UNTIL: f64 = 6_000.0;

type Policy = (&'static str, fn(&Scenario) -> Scenario);

const POLICIES: [Policy; 5] = [
    ("no retries", |base| {
        changed(base, |spec| spec.client.attempts = 1)
    }),
    ("3 attempts", Scenario::clone),
    ("3 attempts, backoff", |base| {
        changed(base, |spec| {
            spec.client.backoff = Backoff::FullJitter {
                base: 10.0.into(),
                cap: None,
            };
        })
    }),
    ("3 attempts, ratio budget", |base| {
        changed(base, |spec| {
            spec.client.budget = Budget::Ratio {
                ratio: 0.1,
                bank: 100.0,
                shared: false,
            }
        })
    }),
    ("3 attempts, newest first", |base| {
        changed(base, |spec| spec.server.discipline = Discipline::Lifo)
    }),
];

pub(super) const SKETCH: Sketch = Sketch {
    id: "short-stall",
    document: Document::ThreeAttempts,
    claims: &["T08", "T21", "T28"],
    title: "A short stall at load 0.6",
    draw,
};

fn draw(seed: u64, _level: Level) -> Result<Illustration, MeasurementError> {
    let base = changed(&stalled(0.6, 50.0, 3, 200.0), |spec| {
        spec.run.until = Some(UNTIL.into());
        spec.run.measure_from = None;
    });
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let mut series = Vec::new();
    for (color, (name, policy)) in POLICIES.into_iter().enumerate() {
        // One seed for all policies: they see the same traffic.
        let run = simulate_one(&policy(&base), seed, 0, &options)?;
        let line = run
            .windows
            .iter()
            .filter_map(|window| {
                let (successes, requests) = window.counts.measure(Measure::Success);
                (requests > 0.0).then(|| (f64::midpoint(window.from, window.to), successes / requests))
            })
            .collect();
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Line(line),
        });
    }
    Ok(SKETCH.figure(
"Successes per new request in windows of 150, one run for each policy under the same traffic, timeout \
                  50, the server stopped from 2,000 to 2,200. Plain retries and retries with backoff overlap at zero and \
                  stay there. A success counts in the window in which it happens, so the backlog that clears after the \
                  stall shows as a spike above 1.",
vec![Panel {
            title: String::new(),
            x: Axis { label: "time, in service times".to_owned(), low: 0.0, high: UNTIL, logarithmic: false },
            y: Axis { label: "successes per new request".to_owned(), low: 0.0, high: 1.75, logarithmic: false },
            series,
            marks: vec![
                Mark { x: 2_000.0, label: "stall begins".to_owned() },
                Mark { x: 2_200.0, label: "ends".to_owned() },
            ],
        }],
    ))
}

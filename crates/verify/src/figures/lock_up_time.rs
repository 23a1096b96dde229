//! Mean time to lock up against the timeout, for several loads.

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, replications};
use crate::claims::three_attempts::lock_up::{cycles, endless};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "lock-up-time",
    document: Document::ThreeAttempts,
    claims: &["T10", "T28", "T09"],
    title: "How long until it locks up by itself",
    draw,
};

/// Loads, and the timeouts at which the mean time to lock up of each lies in the range that is drawn.
const CURVES: [(f64, &[f64]); 6] = [
    (0.4, &[5.0, 10.0, 15.0]),
    (0.5, &[5.0, 10.0, 15.0, 20.0, 25.0]),
    (0.6, &[5.0, 10.0, 20.0, 30.0]),
    (0.7, &[10.0, 20.0, 30.0, 45.0]),
    (0.8, &[10.0, 20.0, 40.0, 60.0]),
    (0.9, &[10.0, 20.0, 50.0, 80.0, 100.0]),
];

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(16, level);
    let mut series = Vec::new();
    for (color, (load, timeouts)) in CURVES.into_iter().enumerate() {
        let name = format!("load {load}");
        // At high loads cycles are cheap, and few of them climb.
        let runs = if load < 0.75 {
            replications
        } else {
            4 * replications
        };
        let measured = points(
            &name,
            seed,
            |_| runs,
            timeouts,
            |timeout| {
                let scenario = endless(load, timeout);
                let cycles = cycles(&scenario, load, timeout);
                Experiment::lock_up_time(&scenario, cycles)
            },
        )?;
        series.push(Series {
            name,
            color,
            kind: SeriesKind::Points(measured),
        });
    }
    Ok(SKETCH.figure(
        format!(
            "Mean time until the last success before there is none any more, three attempts and no stall. A longer timeout \
             helps enormously at low loads and little at high ones. Means beyond a million are out of reach of plain runs: \
             the points come from cycles that are split on their way to a lock-up; {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: Axis {
                label: "timeout, in service times".to_owned(),
                low: 0.0,
                high: 105.0,
                logarithmic: false,
            },
            y: Axis {
                label: "mean time to lock up, in service times".to_owned(),
                low: 10.0,
                high: 1e9,
                logarithmic: true,
            },
            series,
            marks: Vec::new(),
        }],
    ))
}

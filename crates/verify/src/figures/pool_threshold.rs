//! The failure rate at which a pool of tokens begins to refuse retries.

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::stop_retrying::normal::{pool_of, refused};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

/// Requests a second of all instances, and the failure rates of the measured points.
const CURVES: [(f64, &[f64]); 2] = [
    (40.0, &[0.05, 0.08, 0.09, 0.1, 0.11, 0.125, 0.145]),
    (100.0, &[0.02, 0.036, 0.04, 0.05]),
];
/// Highest failure rate shown.
const FAILURE_MAX: f64 = 0.15;
/// Length of the runs behind a point, in seconds.
const LENGTH: f64 = 6_000.0;

pub(super) const SKETCH: Sketch = Sketch {
    id: "pool-threshold",
    document: Document::StopRetrying,
    claims: &["A04"],
    title: "Where the pool begins to block",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for (color, (rate, measured_at)) in CURVES.into_iter().enumerate() {
        let curve = positions(0.0, FAILURE_MAX, 150)
            .into_iter()
            .map(|failure| (failure, pool_of(rate, failure).refusal_probability_steady()));
        series.push(Series {
            name: format!("{rate} requests a second, theory"),
            color,
            kind: SeriesKind::Line(curve.collect()),
        });
        let name = format!("pool threshold at {rate}");
        // A run costs in proportion to its rate of requests.
        let runs = replications((400.0 / rate) as u64, level);
        series.push(Series {
            name: format!("{rate} requests a second, simulated"),
            color,
            kind: SeriesKind::Points(points(
                &name,
                seed,
                |_| runs,
                measured_at,
                |failure| refused(rate, failure, 1, LENGTH),
            )?),
        });
        let threshold = pool_of(rate, 0.5).failure_probability_max();
        marks.push(Mark {
            x: threshold,
            label: format!("{:.0} %", 100.0 * threshold),
        });
    }
    Ok(SKETCH.figure(
        format!(
            "Share of the retries that find no token, for one instance of four, one retry per request, 25 tokens and one back a \
             second. At the marks as many retries are wanted as come back. Lines are the blocking of M/D/1/25; \
             {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: Axis {
                label: "share of attempts that fail".to_owned(),
                low: 0.0,
                high: FAILURE_MAX,
                logarithmic: false,
            },
            y: Axis {
                label: "share of retries refused".to_owned(),
                low: 0.0,
                high: 0.4,
                logarithmic: false,
            },
            series,
            marks,
        }],
    ))
}

//! Skipping work that cannot finish in time against skipping only what has expired.

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::three_attempts::deadline_check::skipping_doomed;
use crate::claims::three_attempts::protocol::{long_stall, success};
use crate::claims::three_attempts::skipping::{skipping, without_retries};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "deadline-check",
    document: Document::ThreeAttempts,
    claims: &["T26", "T24", "T25"],
    title: "Skipping what cannot finish in time",
    draw,
};

const TIMEOUT: f64 = 10.0;
const LOADS: [f64; 7] = [0.5, 0.6, 0.7, 0.8, 0.88, 0.93, 0.97];
/// Load of the panel against the expected service time.
const LOAD: f64 = 0.95;

fn axis(label: &str, low: f64, high: f64) -> Axis {
    Axis {
        label: label.to_owned(),
        low,
        high,
        logarithmic: false,
    }
}

fn against_load(seed: u64, replications: u64) -> Result<Panel, MeasurementError> {
    let curve = positions(0.5, 0.97, 47)
        .into_iter()
        .map(|load| (load, without_retries(load, TIMEOUT, TIMEOUT).value))
        .collect();
    let mut series = vec![Series {
        name: "expired, no retries, theory".to_owned(),
        color: 0,
        kind: SeriesKind::Line(curve),
    }];
    let checks = [
        ("expired", 0.0),
        ("expired within 1", 1.0),
        ("expired within 3", 3.0),
    ];
    for (color, (name, service)) in checks.into_iter().enumerate() {
        let measured = points(
            name,
            seed,
            |_| replications,
            &LOADS,
            |load| {
                let base = long_stall(load, TIMEOUT, 3);
                success(if service > 0.0 {
                    skipping_doomed(&base, service)
                } else {
                    skipping(&base)
                })
            },
        )?;
        series.push(Series {
            name: format!("{name}, 3 attempts"),
            color: color + 1,
            kind: SeriesKind::Points(measured),
        });
    }
    Ok(Panel {
        title: "Timeout 10".to_owned(),
        x: axis("load", 0.5, 1.0),
        y: axis("success in the last 2,500", 0.4, 1.02),
        series,
        marks: Vec::new(),
    })
}

fn against_expected_service(seed: u64, replications: u64) -> Result<Panel, MeasurementError> {
    let services = [0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0];
    let measured = points(
        "expected service",
        seed,
        |_| replications,
        &services,
        |service| success(skipping_doomed(&long_stall(LOAD, TIMEOUT, 3), service)),
    )?;
    let curve = positions(0.0, 6.0, 60)
        .into_iter()
        .map(|service| (service, without_retries(LOAD, TIMEOUT - service, TIMEOUT).value))
        .collect();
    Ok(Panel {
        title: format!("Load {LOAD}"),
        x: axis("skipped when the client gives up within", 0.0, 6.2),
        y: axis("success in the last 2,500", 0.4, 1.02),
        series: vec![
            Series {
                name: "no retries, theory".to_owned(),
                color: 0,
                kind: SeriesKind::Line(curve),
            },
            Series {
                name: "3 attempts".to_owned(),
                color: 2,
                kind: SeriesKind::Points(measured),
            },
        ],
        marks: Vec::new(),
    })
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(12, level);
    Ok(SKETCH.figure(
        format!(
            "Success after the long stall when the server skips attempts whose client has given up, or will give up within 1 or \
             3 mean service times. Skipping only what has expired hands the server attempts that are almost over, and three \
             attempts do worse than one; a margin of a few services turns that round. The line without retries is the \
             closed form of a queue with patience. {replications} runs a point; {INTERVAL_WORDS}."
        ),
        vec![
            against_load(seed, replications)?,
            against_expected_service(seed, replications)?,
        ],
    ))
}

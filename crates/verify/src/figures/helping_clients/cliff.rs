//! How many runs are lost, against retries per failure, for services of different size.

use super::{axis, measured};
use crate::claims::helping_clients::reading::{dead, ending, enlarged, fold, retrying};
use crate::document::Document;
use crate::figure::{Illustration, Mark, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "cliff",
    document: Document::HelpingClients,
    claims: &["H04"],
    title: "The cliff, for services of different size at the same utilisation",
    draw,
};

/// A size, how long its runs are and how many there are at the standard level, and where.
struct Size {
    factor: u32,
    name: &'static str,
    until: f64,
    runs: u64,
    at: &'static [f64],
    from: Level,
}

const SIZES: [Size; 3] = [
    Size {
        factor: 1,
        name: "480 slots, 20 s",
        until: 20.0,
        runs: 16,
        at: &[1.4, 1.6, 1.7, 1.8, 1.9, 2.0],
        from: Level::Quick,
    },
    Size {
        factor: 10,
        name: "4,800 slots, 20 s",
        until: 20.0,
        runs: 8,
        at: &[2.1, 2.2, 2.3, 2.4],
        from: Level::Quick,
    },
    Size {
        factor: 100,
        name: "48,000 slots, 20 s",
        until: 20.0,
        runs: 1,
        at: &[2.4, 2.42, 2.44, 2.46],
        from: Level::Thorough,
    },
];

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for (color, size) in SIZES.iter().enumerate() {
        marks.push(Mark {
            x: fold(size.factor, "retries_per_failure_max").value,
            label: format!("fold of {}", 480 * size.factor),
        });
        if level < size.from {
            continue;
        }
        let found = points(
            size.name,
            seed,
            |_| replications(size.runs, level),
            size.at,
            |retries| dead(ending(&enlarged(&retrying(retries), size.factor), size.until)),
        )?;
        series.push(measured(size.name, color, found));
    }
    Ok(SKETCH.figure(
        format!(
            "Share of runs that are dead at their end, started well. The marks are the edges that theory predicts: beyond \
             them arrivals and retries have no balance. Chance carries a service over the brink before that, a small one \
             earlier than a large one. 48,000 slots are measured at the thorough level only; {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("retries per failure", 1.3, 2.6),
            y: axis("share of runs that are dead", 0.0, 1.0),
            series,
            marks,
        }],
    ))
}

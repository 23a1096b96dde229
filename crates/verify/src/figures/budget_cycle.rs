//! The cycle of a retry budget at a tight timeout: the number in system of one run, and its spectrum.

use std::ops::RangeInclusive;

use retrylab_model::Scenario;
use retrylab_sim::{Options, simulate_one};

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, replications};
use crate::claims::three_attempts::budget_cycle::{
    SERIES, numbers_in_system, plain, relative_power, with_ratio, with_refund,
};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Panel, Point, Series, SeriesKind};
use crate::level::Level;
use crate::run::experiment_seed;
use crate::sampling::{MeasurementError, estimate};

pub(super) const SKETCH: Sketch = Sketch {
    id: "budget-cycle",
    document: Document::ThreeAttempts,
    claims: &["T17"],
    title: "A full bank of retries waits for a bad moment",
    draw,
};

const LOAD: f64 = 0.7;
/// Part of the run that is drawn.
const DRAWN: RangeInclusive<f64> = 4_000.0..=14_000.0;

type Policy = (&'static str, fn(f64) -> Scenario);
const POLICIES: [Policy; 3] = [
    ("ratio budget", with_ratio),
    ("refund budget", with_refund),
    ("no retries", plain),
];

/// Cycles per series, in bands.
const BANDS: [RangeInclusive<usize>; 9] = [
    1..=4,
    5..=8,
    9..=13,
    14..=19,
    20..=27,
    28..=39,
    40..=59,
    60..=99,
    100..=199,
];

/// The period in the middle of a band.
fn period(band: &RangeInclusive<usize>) -> f64 {
    SERIES / (*band.start() as f64 * *band.end() as f64).sqrt()
}

fn time_series(seed: u64) -> Result<Panel, MeasurementError> {
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let mut series = Vec::new();
    for (color, (name, scenario)) in POLICIES.into_iter().enumerate() {
        // One seed for all policies: they see the same traffic.
        let run = simulate_one(&scenario(LOAD), seed, 0, &options)?;
        let line = run
            .windows
            .iter()
            .zip(numbers_in_system(&run.windows))
            .filter(|(window, _)| DRAWN.contains(&window.from))
            .map(|(window, number)| (f64::midpoint(window.from, window.to), number))
            .collect();
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Line(line),
        });
    }
    Ok(Panel {
        title: "One run".to_owned(),
        x: Axis {
            label: "time, in service times".to_owned(),
            low: *DRAWN.start(),
            high: *DRAWN.end(),
            logarithmic: false,
        },
        y: Axis {
            label: "attempts waiting and in service".to_owned(),
            low: 0.0,
            high: 100.0,
            logarithmic: false,
        },
        series,
        marks: Vec::new(),
    })
}

fn spectrum(seed: u64, replications: u64) -> Result<Panel, MeasurementError> {
    let mut series = Vec::new();
    for (color, (name, scenario)) in POLICIES.into_iter().enumerate() {
        let mut measured = Vec::new();
        // The first band is what the others are divided by.
        for (index, band) in BANDS.iter().enumerate().skip(1) {
            let power = estimate(
                &relative_power(scenario(LOAD), band.clone()),
                experiment_seed(seed, name, index),
                replications,
                super::support::POINT_ALPHA,
            )?;
            measured.push(Point {
                x: period(band),
                y: power.value,
                low: power.interval.low(),
                high: power.interval.high(),
            });
        }
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Points(measured),
        });
    }
    Ok(Panel {
        title: "Spectrum of the number in system".to_owned(),
        x: Axis {
            label: "period, in service times".to_owned(),
            low: 150.0,
            high: 8_000.0,
            logarithmic: true,
        },
        y: Axis {
            label: "power over that at periods above 8,000".to_owned(),
            low: 0.0,
            high: 5.0,
            logarithmic: false,
        },
        series,
        marks: Vec::new(),
    })
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(40, level);
    Ok(SKETCH.figure(
        format!(
            "Timeout 10, load {LOAD}, no stall, the same traffic for all. A fluctuation that a server without retries forgets \
             at once releases the bank in a burst, and the next one has to wait until the bank has filled again: the \
             spectrum has a hump at that time, where without retries it is level. {replications} series of 32,000 a \
             point; {INTERVAL_WORDS}."
        ),
        vec![time_series(seed)?, spectrum(seed, replications)?],
    ))
}

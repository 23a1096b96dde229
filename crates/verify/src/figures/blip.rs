//! The blip under four policies at three servers: useful throughput over time.

use retrylab_analytic::fluid_blip::{FluidBlip, Stretch};
use retrylab_model::Scenario;
use retrylab_sim::{Measure, Options, replicate};

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, POINT_ALPHA, replications};
use crate::claims::retry_storms::setting::{
    ARRIVAL_RATE, ATTEMPTS, BEGIN_READ, CAPACITY, DURATION, POLICIES, TIMEOUT, blip_at, changed, fluid_blip,
    skipping_doomed, skipping_expired,
};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Mark, Panel, Point, Series, SeriesKind};
use crate::level::Level;
use crate::run::experiment_seed;
use crate::sampling::MeasurementError;
use crate::statistics::{ErrorRate, Moments, StatisticsError, mean_interval};

/// The part of the time axis that is drawn, in seconds.
const FROM: f64 = 25.0;
const UNTIL: f64 = 65.0;
/// Width of the windows, in seconds: the blip begins and ends with one.
const WINDOW: f64 = 2.5;

/// A title, the server in the simulator and the server in the fluid.
type Server = (
    &'static str,
    fn(&Scenario) -> Scenario,
    fn(FluidBlip) -> FluidBlip,
);

const SERVERS: [Server; 3] = [
    ("Serving everything", Scenario::clone, |blip| blip),
    ("Skipping what has expired", skipping_expired, |blip| {
        blip.skipping_expired(0.0).unwrap_or(blip)
    }),
    (
        "Skipping what cannot be answered in time",
        skipping_doomed,
        FluidBlip::skipping_doomed,
    ),
];

/// The fluid of a policy; none of backoff, whose delays it does not know.
fn theory(policy: usize) -> Option<FluidBlip> {
    match policy {
        0 => Some(fluid_blip(TIMEOUT, 1)),
        1 => Some(fluid_blip(TIMEOUT, ATTEMPTS)),
        3 => fluid_blip(TIMEOUT, ATTEMPTS).with_budget(0.1, 100.0).ok(),
        _ => None,
    }
}

/// The corners of a step function, in seconds of the document's clock.
fn steps(stretches: &[Stretch]) -> Vec<(f64, f64)> {
    let before = [(FROM, ARRIVAL_RATE), (BEGIN_READ, ARRIVAL_RATE)];
    let corners = stretches.iter().flat_map(|stretch| {
        [stretch.from, stretch.to].map(|moment| (BEGIN_READ + moment, stretch.useful_rate))
    });
    before.into_iter().chain(corners).collect()
}

/// Mean answers in time per second in each window, over runs.
fn measured(scenario: &Scenario, seed: u64, runs: u64) -> Result<Vec<Point>, MeasurementError> {
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let records = replicate(scenario, seed, 0..runs, &options)?;
    let alpha = ErrorRate::new(POINT_ALPHA)?;
    let windows = records.first().map_or(0, |record| record.windows.len());
    let mut points = Vec::new();
    for index in 0..windows {
        let mut sample = Moments::default();
        let mut middle = 0.0;
        for record in &records {
            let window = &record.windows[index];
            let (successes, duration) = window.counts.measure(Measure::Goodput);
            sample.push(successes / duration);
            middle = f64::midpoint(window.from, window.to);
        }
        if middle < FROM {
            continue;
        }
        let (low, high) = match mean_interval(&sample, alpha) {
            Ok(interval) => (interval.low(), interval.high()),
            // Runs that all agree, at zero or at the capacity, have no spread.
            Err(StatisticsError::NoVariation { value }) => (value, value),
            Err(error) => return Err(error.into()),
        };
        points.push(Point {
            x: middle,
            y: sample.mean(),
            low,
            high,
        });
    }
    Ok(points)
}

fn panel(server: &Server, index: usize, seed: u64, runs: u64) -> Result<Panel, MeasurementError> {
    let (title, apply, in_theory) = server;
    let base = changed(
        &blip_at(BEGIN_READ, TIMEOUT, UNTIL - BEGIN_READ - DURATION),
        |spec| {
            spec.run.window = Some(WINDOW.into());
        },
    );
    let mut series = Vec::new();
    for (color, (name, policy)) in POLICIES.into_iter().enumerate() {
        if let Some(fluid) = theory(color) {
            series.push(Series {
                name: format!("{name}, fluid"),
                color,
                kind: SeriesKind::Line(steps(&in_theory(fluid).stretches(UNTIL - BEGIN_READ))),
            });
        }
        let seed = experiment_seed(seed, SKETCH.id, index * POLICIES.len() + color);
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Points(measured(&policy(&apply(&base)), seed, runs)?),
        });
    }
    Ok(Panel {
        title: (*title).to_owned(),
        x: Axis {
            label: "time, in seconds".to_owned(),
            low: FROM,
            high: UNTIL,
            logarithmic: false,
        },
        y: Axis {
            label: "answers in time per second".to_owned(),
            low: 0.0,
            high: 1.1 * CAPACITY,
            logarithmic: false,
        },
        series,
        marks: vec![
            Mark {
                x: BEGIN_READ,
                label: "300 a second".to_owned(),
            },
            Mark {
                x: BEGIN_READ + DURATION,
                label: "1000 again".to_owned(),
            },
        ],
    })
}

pub(super) const SKETCH: Sketch = Sketch {
    id: "blip",
    document: Document::RetryStorms,
    claims: &["R05", "R01", "R02", "R03", "R04"],
    title: "Five seconds of reduced capacity, four policies, three servers",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let runs = replications(8, level);
    let panels = SERVERS
        .iter()
        .enumerate()
        .map(|(index, server)| panel(server, index, seed, runs))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(SKETCH.figure(
        format!(
            "800 requests a second, a timeout of 1 s, a service time of 1 ms, up to four attempts. If everything is served, only no \
             retries and the budget come back. Skipping what has expired leaves immediate retries and backoff near zero: what is \
             served ends just too late. Skipping what cannot be answered in time brings all four back at once; in the blip it does not know that services take longer, and answers less than the \
             fluid, which knows. Lines are the \
             fluid, which knows no backoff; points are {runs} runs in windows of {WINDOW} s, so that the runs' own different \
             moments of recovery round off the corners; {INTERVAL_WORDS}."
        ),
        panels,
    ))
}

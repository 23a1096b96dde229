//! The quarter of an hour in which pools of tokens kept retries from being made.

use retrylab_model::Budget;
use retrylab_sim::{Measure, Options, simulate_one};

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::stop_retrying::api::{RETRIES, standard_pool};
use crate::claims::stop_retrying::incident::{
    AVOIDED, BEGIN, CHOSEN, LENGTH, SHARE, avoided_after, avoided_by, chosen_failure_rate, failure_rate_of,
    incident, rate_of,
};
use crate::document::Document;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

/// Width of the windows of the time series, in seconds.
const WINDOW: f64 = 15.0;
/// End of what is drawn.
const UNTIL: f64 = BEGIN + LENGTH + 60.0;

pub(super) const SKETCH: Sketch = Sketch {
    id: "pool-incident",
    document: Document::StopRetrying,
    claims: &["A03", "A01", "A02"],
    title: "A quarter of an hour of failures, and the retries that were not made",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let failure = chosen_failure_rate(RETRIES);
    Ok(SKETCH.figure(
        format!(
            "{:.1} requests a second, {RETRIES} retries, and {:.1} % of attempts failing for 900 s, by chance and whatever the \
             load. Left: one run of each policy under the same traffic, in windows of {WINDOW} s. Middle: retries that the \
             pools avoid, as a fluid and in runs with and without pools; {INTERVAL_WORDS}. Right: the failure rates at which \
             pools avoid 23,000 retries. Between the marks these are 60 and 55 % of the requests.",
            rate_of(CHOSEN),
            100.0 * failure
        ),
        vec![
            attempts(seed, failure)?,
            avoided(seed, level, failure)?,
            where_both_hold(),
        ],
    ))
}

fn attempts(seed: u64, failure: f64) -> Result<Panel, MeasurementError> {
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let policies = [
        ("no retries", 0, Budget::None),
        ("2 retries", RETRIES, Budget::None),
        ("2 retries, pools", RETRIES, standard_pool()),
    ];
    let mut series = Vec::new();
    for (color, (name, retries, budget)) in policies.into_iter().enumerate() {
        let scenario = incident(failure, retries, budget, UNTIL - BEGIN)
            .modified(|spec| spec.run.window = Some(WINDOW.into()))
            .expect("the window is valid");
        let run = simulate_one(&scenario, seed, 0, &options)?;
        let line = run.windows.iter().map(|window| {
            let (attempts, time) = window.counts.measure(Measure::AttemptRate);
            (f64::midpoint(window.from, window.to) - BEGIN, attempts / time)
        });
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Line(line.collect()),
        });
    }
    Ok(Panel {
        title: "Attempts".to_owned(),
        x: seconds(-BEGIN, UNTIL - BEGIN),
        y: axis("attempts a second", 0.0, 100.0),
        series,
        marks: vec![
            Mark {
                x: 0.0,
                label: "failures begin".to_owned(),
            },
            Mark {
                x: LENGTH,
                label: "end".to_owned(),
            },
        ],
    })
}

fn avoided(seed: u64, level: Level, failure: f64) -> Result<Panel, MeasurementError> {
    let line = positions(0.0, LENGTH, 60)
        .into_iter()
        .map(|seconds| (seconds, avoided_after(failure, RETRIES, seconds)));
    let measured = points(
        "avoided retries",
        seed,
        |_| replications(6, level),
        &[60.0, 300.0, 600.0, LENGTH],
        |seconds| avoided_by(failure, RETRIES, seconds),
    )?;
    let series = |name: &str, kind| Series {
        name: name.to_owned(),
        color: 2,
        kind,
    };
    Ok(Panel {
        title: "Retries avoided".to_owned(),
        x: seconds(0.0, LENGTH + 50.0),
        y: axis("retries avoided so far", 0.0, 25_000.0),
        series: vec![
            series("theory", SeriesKind::Line(line.collect())),
            series("simulated", SeriesKind::Points(measured)),
        ],
        marks: Vec::new(),
    })
}

fn where_both_hold() -> Panel {
    let fewest = AVOIDED[0];
    let series = [1, 2, 3, 10].into_iter().enumerate().map(|(color, retries)| {
        let curve = positions(30.0, 100.0, 70).into_iter().filter_map(|rate| {
            let figures = (fewest, fewest / (rate * LENGTH));
            Some((rate, failure_rate_of(figures, retries)?))
        });
        Series {
            name: format!("r = {retries}"),
            color: color + 3,
            kind: SeriesKind::Line(curve.collect()),
        }
    });
    Panel {
        title: "23,000 retries avoided".to_owned(),
        x: axis("requests a second", 30.0, 100.0),
        y: axis("share of attempts that fail", 0.0, 1.0),
        series: series.collect(),
        marks: SHARE
            .into_iter()
            .rev()
            .map(|share| Mark {
                x: rate_of((fewest, share)),
                label: format!("{:.0} %", 100.0 * share),
            })
            .collect(),
    }
}

fn seconds(low: f64, high: f64) -> Axis {
    axis("seconds into the incident", low, high)
}

fn axis(label: &str, low: f64, high: f64) -> Axis {
    Axis {
        label: label.to_owned(),
        low,
        high,
        logarithmic: false,
    }
}

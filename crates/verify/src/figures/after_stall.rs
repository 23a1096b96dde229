//! Success long after a long stall, against the load, for each policy.

use retrylab_model::{Backoff, Budget, DeadlineCheck, Discipline, Scenario};

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, replications};
use crate::claims::three_attempts::protocol::{changed, long_stall, success_of};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

const TIMEOUT: f64 = 50.0;

/// Mean success of the runs. It is all or nothing where some runs recover and others do not, and all runs may agree, so
/// the interval is that of a mean within a range.
fn mean_success(scenario: Scenario) -> Experiment {
    Experiment::side_by_side(vec![scenario], "mean success of the runs", |runs| {
        success_of(&runs[0])
    })
    .within(0.0, SUCCESS_MAX)
}

/// A request lives for at most three timeouts and its backoffs, 180, so in 2,500 at most 7 % more succeed than are new; the
/// rest is room for chance.
const SUCCESS_MAX: f64 = 1.2;

type Policy = (&'static str, fn(f64) -> Scenario);

/// Policies on the client's side.
const CLIENT_POLICIES: [Policy; 5] = [
    ("no retries", |load| long_stall(load, TIMEOUT, 1)),
    ("3 attempts", |load| long_stall(load, TIMEOUT, 3)),
    ("3 attempts, backoff", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.client.backoff = Backoff::FullJitter {
                base: 10.0.into(),
                cap: None,
            };
        })
    }),
    ("3 attempts, ratio budget", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.client.budget = Budget::Ratio {
                ratio: 0.1,
                bank: 100.0,
                shared: false,
            };
        })
    }),
    ("3 attempts, refund budget", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.client.budget = Budget::Refund {
                capacity: 500.0,
                cost: 5.0,
                timeout_cost: 10.0,
                refund: 1.0,
                shared: false,
            };
        })
    }),
];

/// Policies on the server's side, all with three attempts.
const SERVER_POLICIES: [Policy; 3] = [
    ("newest first", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.server.discipline = Discipline::Lifo;
        })
    }),
    ("bounded queue", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.server.places = Some(10);
        })
    }),
    ("skip expired work", |load| {
        changed(&long_stall(load, TIMEOUT, 3), |spec| {
            spec.server.deadline_check = DeadlineCheck::SkipExpired;
        })
    }),
];

const LOADS: [f64; 13] = [
    0.1, 0.2, 0.3, 0.32, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.92, 0.97,
];

fn panel(
    title: &str,
    policies: &[Policy],
    seed: u64,
    replications: u64,
    marks: Vec<Mark>,
) -> Result<Panel, MeasurementError> {
    let mut series = Vec::new();
    for (color, (name, scenario)) in policies.iter().enumerate() {
        // A run costs in proportion to its load; where runs are cheap there are more of them.
        let runs = |load: f64| (replications as f64 / load).ceil() as u64;
        let measured = points(name, seed, runs, &LOADS, |load| mean_success(scenario(load)))?;
        series.push(Series {
            name: (*name).to_owned(),
            color,
            kind: SeriesKind::Points(measured),
        });
    }
    Ok(Panel {
        title: title.to_owned(),
        x: Axis {
            label: "load".to_owned(),
            low: 0.0,
            high: 1.0,
            logarithmic: false,
        },
        y: Axis {
            label: "success in the last 2,500".to_owned(),
            low: 0.0,
            high: 1.05,
            logarithmic: false,
        },
        series,
        marks,
    })
}

pub(super) const SKETCH: Sketch = Sketch {
    id: "after-stall",
    document: Document::ThreeAttempts,
    claims: &["T05", "T12", "T14", "T15", "T16", "T27", "T28"],
    title: "Success long after a long stall",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(24, level);
    let lines = vec![
        Mark {
            x: 1.0 / 3.0,
            label: "1/3".to_owned(),
        },
        Mark {
            x: 1.0 / 1.1,
            label: "1/1.1".to_owned(),
        },
    ];
    Ok(SKETCH.figure(
format!(
            "A stall of 2,000 service times at time 2,000, a timeout of 50, and success over the last 2,500 of 62,000. \
             The marks are the loads at which the attempts of stuck clients just fill the server: 1/k with plain \
             retries, 1/1.1 with a 10 % ratio budget. Near the second mark, and for the policies without a line of \
             their own, the backlog of the stall drains more slowly than the run lasts. {replications} runs a point \
             divided by the load; {INTERVAL_WORDS}, and where all runs agree they show what so few runs could have missed."
        ),
vec![
            panel("Clients' policies", &CLIENT_POLICIES, seed, replications, lines)?,
            panel(
                "Servers' policies, 3 attempts",
                &SERVER_POLICIES,
                seed,
                replications,
                Vec::new(),
            )?,
        ],
    ))
}

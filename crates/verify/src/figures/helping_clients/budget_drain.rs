//! The queue of a dead service after retries were left alone, budgeted or turned off.

use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::{axis, line, measured};
use crate::claims::helping_clients::reading::{
    ARRIVAL_RATE, CAPACITY, RELEASE, WAITING_MAX, brought_back, budgeted, changed, seconds,
};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Illustration, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "budget-drain",
    document: Document::HelpingClients,
    claims: &["H06", "H08"],
    title: "How a collapsed queue drains",
    draw,
};

/// Width of the windows in which the queue is measured, in seconds.
const WINDOW: f64 = 0.1;
/// Seconds that are drawn.
const UNTIL: f64 = 4.5;

/// The queue on average in a window that begins so long after the release.
fn waiting(scenario: &Scenario, after: f64) -> Experiment {
    let scenario = changed(scenario, |spec| {
        spec.run.measure_from = Some(seconds(RELEASE + after - WINDOW / 2.0));
        spec.run.until = Some(seconds(RELEASE + after + WINDOW / 2.0));
    });
    Experiment::measure(scenario, Measure::NumberInQueue)
}

/// A full queue that drains at what the capacity leaves.
fn fluid(ratio: f64) -> Vec<(f64, f64)> {
    let drained = WAITING_MAX / (CAPACITY - (1.0 + ratio) * ARRIVAL_RATE);
    vec![(0.0, WAITING_MAX), (drained, 0.0), (UNTIL, 0.0)]
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(5, level);
    let (budgeted, none, back) = (budgeted(), brought_back(0.0), brought_back(1.0));
    let found = |name: &str, scenario: &Scenario, at: &[f64]| {
        points(name, seed, |_| replications, at, |after| waiting(scenario, after))
    };
    let slow = found(
        "drain-budget",
        &budgeted,
        &[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0],
    )?;
    let fast = found("drain-none", &none, &[0.25, 0.5, 0.75, 1.0, 1.5, 3.0])?;
    let stuck = found("drain-back", &back, &[0.5, 1.5, 3.0, 4.0])?;
    Ok(SKETCH.figure(
        format!(
            "Attempts that wait, from the moment at which a service killed by 2.5 or four retries per failure is left to one retry per \
             failure, to a budget of one retry in ten requests, or to none. Lines are what the capacity leaves over: nothing, 450 \
             a second, 1,500 a second. {replications} runs a point, {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("seconds", 0.0, UNTIL),
            y: axis("attempts that wait", 0.0, 1_700.0),
            series: vec![
                line("1 retry per failure, theory", 0, vec![(0.0, WAITING_MAX), (UNTIL, WAITING_MAX)]),
                measured("1 retry per failure", 0, stuck),
                line("budget of a tenth, theory", 1, fluid(0.1)),
                measured("budget of a tenth", 1, slow),
                line("no retries, theory", 2, fluid(0.0)),
                measured("no retries", 2, fast),
            ],
            marks: Vec::new(),
        }],
    ))
}

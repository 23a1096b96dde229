//! Both branches of the loop: started healthy and started dead.

use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::{Balance, axis, balances, branches, line, measured};
use crate::claims::helping_clients::reading::{ARRIVAL_RATE, brought_back, ending, fold, retrying};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Illustration, Mark, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "hysteresis",
    document: Document::HelpingClients,
    claims: &["H05"],
    title: "Two branches: what the service does depends on where it comes from",
    draw,
};

/// Upper end of the axis.
const ANSWERS_MAX: f64 = 14_000.0;

fn useful_answers(scenario: Scenario) -> Experiment {
    Experiment::measure(scenario, Measure::UsefulAnswers)
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(4, level);
    let up = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5];
    let upper = points(
        "started-healthy",
        seed,
        |_| replications,
        &up,
        |retries| useful_answers(ending(&retrying(retries), 12.0)),
    )?;
    let down = [2.25, 2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5, 0.25, 0.0];
    let lower = points(
        "started-dead",
        seed,
        |_| replications,
        &down,
        |retries| useful_answers(ending(&brought_back(retries), 12.0)),
    )?;
    let balances = balances(480, 400);
    let (healthy, brink) = branches(&balances);
    let answers = |branch: &[Balance]| {
        let answered = |balance: &Balance| (balance.retries, balance.attempt_rate * (1.0 - balance.late));
        branch.iter().map(answered).collect()
    };
    let edge = fold(1, "retries_per_failure_max").value;
    let line_of_the_dead = fold(1, "retries_per_failure_dead").value;
    Ok(SKETCH.figure(
        format!(
            "Useful answers a second, duplicates included, at the end of 12 s: started well, or driven to four retries per failure \
             first and brought back. Healthy and brink are the two balances of arrivals and retries, which meet at the fold: the \
             service returns to the one and runs away from the other; the line at 0 is a dead service, which stays dead above 0.125 retries per failure. Of {ARRIVAL_RATE} requests a \
             second; {replications} runs a point, {INTERVAL_WORDS}, wide where some runs are lost and \
             others not, and none where all are dead."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("retries per failure", 0.0, 2.6),
            y: axis("useful answers a second", 0.0, ANSWERS_MAX),
            series: vec![
                line("healthy", 0, answers(healthy)),
                line("brink", 2, answers(brink)),
                line("dead", 1, vec![(line_of_the_dead, 0.0), (2.6, 0.0)]),
                measured("started healthy", 0, upper),
                measured("started dead", 1, lower),
            ],
            marks: vec![
                Mark {
                    x: edge,
                    label: "fold".to_owned(),
                },
                Mark {
                    x: line_of_the_dead,
                    label: "1 − load".to_owned(),
                },
            ],
        }],
    ))
}

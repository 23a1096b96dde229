//! The share of the traffic that retries make.

use retrylab_sim::Measure;

use super::{Balance, axis, balances, branches, line, measured};
use crate::claims::helping_clients::reading::retrying;
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Illustration, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "self-inflicted",
    document: Document::HelpingClients,
    claims: &["H03"],
    title: "The share of the traffic that is self-inflicted",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(6, level);
    let found = points(
        "self-inflicted",
        seed,
        |_| replications,
        &[0.25, 0.5, 0.75, 1.0, 1.25, 1.5],
        |retries| Experiment::measure(retrying(retries), Measure::RetryShare),
    )?;
    let share = |balance: &Balance| (balance.retries, balance.retries * balance.late);
    let balances = balances(480, 400);
    let (healthy, brink) = branches(&balances);
    let curve = |branch: &[Balance]| branch.iter().map(share).collect();
    Ok(SKETCH.figure(
        format!(
            "Retries among all attempts against retries per failure, while the service is healthy. Lines are the \
             balances x = λ + R·x·P(x): below the healthy service, above the brink beyond which the queue runs away; to the \
             right of where they meet there is no balance any more. {replications} runs a point, {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("retries per failure", 0.0, 2.5),
            y: axis("retries in all attempts", 0.0, 0.14),
            series: vec![
                line("healthy", 0, curve(healthy)),
                line("brink", 2, curve(brink)),
                measured("simulated", 1, found),
            ],
            marks: Vec::new(),
        }],
    ))
}

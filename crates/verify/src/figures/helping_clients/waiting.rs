//! The wait against utilisation, for few slots and for many.

use retrylab_analytic::mmc::Mmc;
use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::{axis, line, measured};
use crate::claims::helping_clients::queue::few;
use crate::claims::helping_clients::reading::{CAPACITY, changed, queue, seconds};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Illustration, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, positions, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "waiting-against-utilisation",
    document: Document::HelpingClients,
    claims: &["H01"],
    title: "The wait as a service fills",
    draw,
};

fn theory(slots: u64) -> Vec<(f64, f64)> {
    positions(0.5, 0.98, 96)
        .into_iter()
        .filter_map(|utilization| {
            let station = Mmc::new(CAPACITY * utilization, CAPACITY / slots as f64, slots).ok()?;
            Some((utilization, 1e3 * station.waiting_time_mean().ok()?))
        })
        .collect()
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(6, level);
    let at = [0.6, 0.75, 0.85, 0.9, 0.95];
    let milliseconds = |scenario: Scenario| {
        let scenario = changed(&scenario, |spec| {
            spec.run.until = Some(seconds(6.0));
            spec.run.measure_from = Some(seconds(1.0));
        });
        Experiment::measure(scenario, Measure::WaitingTimeMean).scaled(1e3, "mean wait in milliseconds")
    };
    let eight = points(
        "waiting-8",
        seed,
        |_| replications,
        &at,
        |utilization| milliseconds(few(CAPACITY * utilization)),
    )?;
    let many = points(
        "waiting-480",
        seed,
        |_| replications,
        &at[2..],
        |utilization| milliseconds(queue(CAPACITY * utilization)),
    )?;
    Ok(SKETCH.figure(
        format!(
            "Mean wait at a capacity of 12,000 requests a second, made by eight slots of 0.667 ms or by 480 slots of 40 ms, \
             without timeouts and retries. Many slots hide the queue until the service is nearly full. Lines are Erlang's \
             C; {replications} runs a point, {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("utilisation", 0.5, 1.0),
            y: axis("mean wait in milliseconds", 0.0, 3.0),
            series: vec![
                line("8 slots, theory", 0, theory(8)),
                measured("8 slots", 0, eight),
                line("480 slots, theory", 1, theory(480)),
                measured("480 slots", 1, many),
            ],
            marks: Vec::new(),
        }],
    ))
}

//! What is answered in time past capacity, for a long queue and for a short one.

use retrylab_analytic::mmck::Mmck;
use retrylab_sim::Measure;

use super::{axis, line, measured};
use crate::claims::helping_clients::reading::{CAPACITY, SERVICE_RATE, TIMEOUT, changed, deadline, offering};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Illustration, Mark, Panel};
use crate::figures::sketch::Sketch;
use crate::figures::support::{INTERVAL_WORDS, points, positions, replications};
use crate::level::Level;
use crate::sampling::MeasurementError;

pub(super) const SKETCH: Sketch = Sketch {
    id: "past-capacity",
    document: Document::HelpingClients,
    claims: &["H02"],
    title: "Answers in time past capacity, without retries",
    draw,
};

/// Places, waiting and in service.
const PLACES: [(u32, &str); 2] = [(2_000, "2,000 places"), (960, "960 places")];

fn theory(places: u32) -> Vec<(f64, f64)> {
    positions(9_000.0, 15_000.0, 60)
        .into_iter()
        .filter_map(|rate| {
            let station = Mmck::new(rate, SERVICE_RATE, 480, u64::from(places)).ok()?;
            let accepted = rate * (1.0 - station.blocking());
            Some((rate, accepted * (1.0 - station.sojourn_time_tail(TIMEOUT))))
        })
        .collect()
}

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(6, level);
    let at = [9_500.0, 11_000.0, 12_500.0, 13_500.0, 14_500.0];
    let mut series = Vec::new();
    for (color, (places, name)) in PLACES.into_iter().enumerate() {
        let found = points(
            name,
            seed,
            |_| replications,
            &at,
            |rate| {
                let scenario = changed(&offering(&deadline(), rate), |spec| {
                    spec.server.places = Some(places);
                });
                Experiment::measure(scenario, Measure::Goodput)
            },
        )?;
        series.push(line(&format!("{name}, theory"), color, theory(places)));
        series.push(measured(name, color, found));
    }
    Ok(SKETCH.figure(
        format!(
            "Requests answered within 120 ms against those offered, 480 slots of 40 ms. With 2,000 places the full queue is \
             longer than clients wait, and past capacity everything is answered too late; with 960 it is not. Lines are \
             the limited queue in the long run; {replications} runs a point, {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: axis("new requests a second", 9_000.0, 15_000.0),
            y: axis("answers in time a second", 0.0, 13_000.0),
            series,
            marks: vec![Mark {
                x: CAPACITY,
                label: "capacity".to_owned(),
            }],
        }],
    ))
}

//! Latency of the healthy server and its tail, against the load.

use retrylab_analytic::mm1::Mm1;
use retrylab_model::{Scenario, ScenarioSpec, Traffic};
use retrylab_sim::Measure;

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

const TIMEOUT: f64 = 10.0;

fn server(load: f64) -> Mm1 {
    Mm1::new(load, 1.0).expect("loads of the figure are above 0")
}

fn scenario(load: f64) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(load));
    spec.client.timeout = Some(TIMEOUT.into());
    spec.run.until = Some(60_000.0.into());
    spec.run.measure_from = Some(10_000.0.into());
    spec.validate().expect("scenarios of the figure are valid")
}

/// The measures of the figure as functions of the load.
fn panel(title: &str, y: Axis, theory: impl Fn(f64) -> f64, measured: Vec<crate::figure::Point>) -> Panel {
    let curve = positions(0.02, 0.95, 186)
        .into_iter()
        .map(|load| (load, theory(load)))
        .collect();
    Panel {
        title: title.to_owned(),
        x: Axis {
            label: "load".to_owned(),
            low: 0.0,
            high: 1.0,
            logarithmic: false,
        },
        y,
        series: vec![
            Series {
                name: "theory (M/M/1)".to_owned(),
                color: 0,
                kind: SeriesKind::Line(curve),
            },
            Series {
                name: "simulated".to_owned(),
                color: 1,
                kind: SeriesKind::Points(measured),
            },
        ],
        marks: Vec::new(),
    }
}

pub(super) const SKETCH: Sketch = Sketch {
    id: "healthy-latency",
    document: Document::ThreeAttempts,
    claims: &["T01", "T02", "T03"],
    title: "The healthy server: latency and its tail",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(20, level);
    let loads = positions(0.1, 0.9, 8);
    let mean = points(
        "healthy-mean",
        seed,
        |_| replications,
        &loads,
        |load| Experiment::measure(scenario(load), Measure::SojournTimeMean),
    )?;
    let late_loads = positions(0.3, 0.9, 6);
    let late = points(
        "healthy-late",
        seed,
        |_| replications,
        &late_loads,
        |load| {
            Experiment::measure(scenario(load), Measure::Success)
                .complement("share of requests answered late")
        },
    )?;
    let mut tail = panel(
        "Answers later than 10 service times",
        Axis {
            label: "share of requests".to_owned(),
            low: 1e-4,
            high: 1.0,
            logarithmic: true,
        },
        |load| server(load).sojourn_time_tail(TIMEOUT),
        late,
    );
    tail.marks.push(Mark {
        x: 0.6,
        label: "load 0.6".to_owned(),
    });
    Ok(SKETCH.figure(
format!(
            "One server without retries. At load 0.6 a timeout of 10 cuts off 1.8 % of the answers, so it is the 98.2nd \
             percentile rather than the 99th. Lines are the closed form; {INTERVAL_WORDS}."
        ),
vec![
            panel(
                "Mean latency",
                Axis {
                    label: "service times".to_owned(),
                    low: 0.0,
                    high: 20.0,
                    logarithmic: false,
                },
                |load| {
                    server(load)
                        .sojourn_time_mean()
                        .expect("loads of the figure are below 1")
                },
                mean,
            ),
            tail,
        ],
    ))
}

//! A pool of tokens and a circuit breaker in the same incidents.

use retrylab_sim::{Measure, Options, simulate_one};

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::stop_retrying::api::RETRIES;
use crate::claims::stop_retrying::breaker::{BREAKER, Protection, brownout, failing, success_with_pools};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

const PROTECTIONS: [(&str, Protection); 4] = [
    ("unlimited", Protection::None),
    ("pool", Protection::Pool),
    ("breaker", BREAKER),
    ("pool and breaker", Protection::Both),
];

/// Width of the windows of the time series, in seconds.
const WINDOW: f64 = 5.0;

pub(super) const SKETCH: Sketch = Sketch {
    id: "pool-and-breaker",
    document: Document::StopRetrying,
    claims: &["A06"],
    title: "A pool of tokens and a circuit breaker",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    Ok(SKETCH.figure(
        format!(
            "Left: successes per request when attempts fail by chance and the service has room for all, two retries. Lines are \
             closed forms for unlimited retries and pools; {INTERVAL_WORDS}. From failure rates near its threshold of one half \
             on, the breaker keeps nearly everything back. Right: one run of each through a brownout from 30 to 90 s, under the \
             same traffic, in windows of {WINDOW} s. The breaker opens again and again, for 10 s at a time."
        ),
        vec![by_chance(seed, level)?, through_a_brownout(seed)?],
    ))
}

fn by_chance(seed: u64, level: Level) -> Result<Panel, MeasurementError> {
    let unlimited = |failure: f64| 1.0 - failure.powi(RETRIES as i32 + 1);
    let theories: [(usize, &dyn Fn(f64) -> f64); 2] = [(0, &unlimited), (1, &success_with_pools)];
    let mut series: Vec<Series> = theories
        .into_iter()
        .map(|(color, theory)| Series {
            name: format!("{}, theory", PROTECTIONS[color].0),
            color,
            kind: SeriesKind::Line(
                positions(0.0, 1.0, 100)
                    .into_iter()
                    .map(|failure| (failure, theory(failure)))
                    .collect(),
            ),
        })
        .collect();
    for (color, (name, protection)) in PROTECTIONS.into_iter().enumerate().take(3) {
        let measured = points(
            &format!("{name} by chance"),
            seed,
            |_| replications(6, level),
            &[0.1, 0.3, 0.4, 0.45, 0.5, 0.7, 0.9],
            |failure| Experiment::measure(failing(failure, protection), Measure::Success),
        )?;
        series.push(Series {
            name: format!("{name}, simulated"),
            color,
            kind: SeriesKind::Points(measured),
        });
    }
    Ok(Panel {
        title: "Failures by chance".to_owned(),
        x: axis("share of attempts that fail", 1.0),
        y: axis("successes per request", 1.05),
        series,
        marks: Vec::new(),
    })
}

fn through_a_brownout(seed: u64) -> Result<Panel, MeasurementError> {
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let mut series = Vec::new();
    let mut until = 0.0;
    for (color, (name, protection)) in PROTECTIONS.into_iter().enumerate() {
        let scenario = brownout(protection)
            .modified(|spec| spec.run.window = Some(WINDOW.into()))
            .expect("the window is valid");
        until = scenario.until();
        let run = simulate_one(&scenario, seed, 0, &options)?;
        let line = run.windows.iter().map(|window| {
            let (successes, time) = window.counts.measure(Measure::Goodput);
            (f64::midpoint(window.from, window.to), successes / time)
        });
        series.push(Series {
            name: name.to_owned(),
            color,
            kind: SeriesKind::Line(line.collect()),
        });
    }
    Ok(Panel {
        title: "Brownout".to_owned(),
        x: axis("time, in seconds", until),
        y: axis("successes a second", 120.0),
        series,
        marks: Vec::new(),
    })
}

fn axis(label: &str, high: f64) -> Axis {
    Axis {
        label: label.to_owned(),
        low: 0.0,
        high,
        logarithmic: false,
    }
}

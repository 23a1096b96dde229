//! Success and extra load over the size and the refill rate of a pool of tokens.

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications};
use crate::claims::stop_retrying::tuning::{
    Scene, burst_load, extra_load, load_max, refill_rate_max, refill_rate_min, size_max, success,
};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Mark, Panel, Series, SeriesKind};
use crate::level::Level;
use crate::sampling::MeasurementError;

const SIZES: [f64; 6] = [1.0, 5.0, 25.0, 50.0, 100.0, 400.0];
const REFILL_RATES: [f64; 4] = [0.1, 1.0, 3.0, 6.0];

pub(super) const SUCCESS: Sketch = Sketch {
    id: "pool-tuning",
    document: Document::StopRetrying,
    claims: &["A08"],
    title: "What a pool's size and refill rate do to success",
    draw: draw_success,
};

pub(super) const LOAD: Sketch = Sketch {
    id: "pool-load",
    document: Document::StopRetrying,
    claims: &["A08"],
    title: "What a pool's size and refill rate do to the load",
    draw: draw_load,
};

fn draw_success(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let panel = |title: &str, scene, low, marks| {
        Ok::<_, MeasurementError>(Panel {
            title: title.to_owned(),
            x: sizes(),
            y: Axis {
                label: "successes per request".to_owned(),
                low,
                high: 1.002,
                logarithmic: false,
            },
            series: measured(title, seed, level, scene, success)?,
            marks,
        })
    };
    let longest_queue = Mark {
        x: size_max(1.0),
        label: "queue = timeout".to_owned(),
    };
    Ok(SUCCESS.figure(
        format!(
            "A normal day needs {:.2} tokens a second for each instance, and a small pool is enough for it. Only large pools ride \
             out a burst of errors at full capacity. In a brownout those do harm, from about the mark on, where the first \
             retries make the queue as long as clients wait, and so does a refill rate above the {:.0} a second for each \
             instance that the weak service has to spare; {INTERVAL_WORDS}.",
            refill_rate_min(),
            refill_rate_max()
        ),
        vec![
            panel("Normal day", Scene::Day, 0.985, Vec::new())?,
            panel("Burst of errors", Scene::Burst, 0.5, Vec::new())?,
            panel("Brownout", Scene::Brownout, 0.2, vec![longest_queue])?,
        ],
    ))
}

fn draw_load(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let panel = |title: &str, scene, high, line: &str, height: fn(f64, f64) -> f64| {
        let mut series = measured(title, seed, level, scene, extra_load)?;
        let sizes_drawn = positions(0.0, SIZE_MAX.log10(), 80)
            .into_iter()
            .map(|log| 10_f64.powf(log));
        let sizes_drawn: Vec<f64> = sizes_drawn.collect();
        for (color, rate) in REFILL_RATES.into_iter().enumerate() {
            let curve = sizes_drawn.iter().map(|&size| (size, height(size, rate)));
            series.push(Series {
                name: format!("{rate} a second, {line}"),
                color,
                kind: SeriesKind::Line(curve.collect()),
            });
        }
        Ok::<_, MeasurementError>(Panel {
            title: title.to_owned(),
            x: sizes(),
            y: Axis {
                label: "retries per request".to_owned(),
                low: 0.0,
                high,
                logarithmic: false,
            },
            series,
            marks: Vec::new(),
        })
    };
    Ok(LOAD.figure(
        format!(
            "Retries per request. Lines: in a burst of errors, the retries that full pools and the refill rate pay for, as far as \
             they are wanted; in a brownout the most that pools can pay for, which is reached only as long as failures ask for \
             it; {INTERVAL_WORDS}."
        ),
        vec![
            panel("Burst of errors", Scene::Burst, 0.6, "theory", burst_load)?,
            panel("Brownout", Scene::Brownout, 0.5, "at most", |size, rate| load_max(Scene::Brownout, size, rate))?,
        ],
    ))
}

/// Largest size shown.
const SIZE_MAX: f64 = 500.0;

fn sizes() -> Axis {
    Axis {
        label: "tokens of a full pool".to_owned(),
        low: 1.0,
        high: SIZE_MAX,
        logarithmic: true,
    }
}

/// A number of a scene at each size, one series for each refill rate.
fn measured(
    title: &str,
    seed: u64,
    level: Level,
    scene: Scene,
    experiment: fn(Scene, f64, f64) -> Experiment,
) -> Result<Vec<Series>, MeasurementError> {
    let runs = replications(standard_replications(scene), level);
    let series = REFILL_RATES.into_iter().enumerate().map(|(color, rate)| {
        let name = format!("{title} at {rate}");
        let measured = points(
            &name,
            seed,
            |_| runs,
            &SIZES,
            |size| experiment(scene, size, rate),
        )?;
        Ok(Series {
            name: format!("{rate} a second"),
            color,
            kind: SeriesKind::Points(measured),
        })
    });
    series.collect()
}

/// Runs behind a point: scenes are of different lengths.
fn standard_replications(scene: Scene) -> u64 {
    match scene {
        Scene::Day => 4,
        Scene::Burst => 20,
        Scene::Brownout => 10,
    }
}

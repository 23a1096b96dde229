//! What a retry policy costs and gives, against the failure probability.

use retrylab_analytic::amplification::Amplification;
use retrylab_sim::calls::Calls;

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications, theory_and_simulation};
use crate::claims::lesson::experiments::{attempts, success};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::figure::{Axis, Illustration, Panel};
use crate::level::Level;
use crate::sampling::MeasurementError;

const RETRIES: [u32; 4] = [0, 1, 2, 4];

pub(super) const SKETCH: Sketch = Sketch {
    id: "retry-policy",
    document: Document::Lesson,
    claims: &["L01", "L02", "L04", "L05", "L06"],
    title: "What a retry policy costs and what it gives",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(4, level);
    let measured_at = positions(0.1, 0.9, 4);
    let curve_at = positions(0.0, 1.0, 100);
    let panel = |title: &str,
                 label: &str,
                 high: f64,
                 theory: fn(&Amplification) -> f64,
                 measure: fn(Calls) -> Experiment| {
        let mut series = Vec::new();
        for (color, retries) in RETRIES.into_iter().enumerate() {
            let policy =
                |p: f64| Amplification::new(p, u64::from(retries)).expect("the curve lies in the domain");
            let curve = curve_at.iter().map(|&p| (p, theory(&policy(p)))).collect();
            let simulated = points(
                title,
                seed,
                |_| replications,
                &measured_at,
                |p| measure(Calls::new(p, retries).expect("the points lie in the domain")),
            )?;
            series.extend(theory_and_simulation(
                &format!("r = {retries}"),
                color,
                curve,
                simulated,
            ));
        }
        Ok::<_, MeasurementError>(Panel {
            title: title.to_owned(),
            x: Axis {
                label: "failure probability of an attempt, p".to_owned(),
                low: 0.0,
                high: 1.0,
                logarithmic: false,
            },
            y: Axis {
                label: label.to_owned(),
                low: 0.0,
                high,
                logarithmic: false,
            },
            series,
            marks: Vec::new(),
        })
    };
    Ok(SKETCH.figure(
        format!(
            "Attempts per request rise towards r + 1 just where success falls to zero: the policy is dearest when it \
             helps least. Lines are the geometric series, points simulated requests; {INTERVAL_WORDS}."
        ),
        vec![
            panel(
                "Cost",
                "attempts per request",
                5.0,
                Amplification::attempts,
                attempts,
            )?,
            panel(
                "Benefit",
                "share of requests that succeed",
                1.0,
                Amplification::success,
                success,
            )?,
        ],
    ))
}

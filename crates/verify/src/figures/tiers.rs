//! How the attempts of a chain of tiers multiply, against the failure probability.

use retrylab_analytic::tiers::Tiers;

use super::sketch::Sketch;
use super::support::{INTERVAL_WORDS, points, positions, replications, theory_and_simulation};
use crate::claims::lesson::experiments::innermost;
use crate::document::Document;
use crate::figure::{Axis, Illustration, Mark, Panel};
use crate::level::Level;
use crate::sampling::MeasurementError;

const TIERS: [u32; 3] = [1, 2, 3];
const RETRIES: u32 = 2;

pub(super) const SKETCH: Sketch = Sketch {
    id: "tiers",
    document: Document::Lesson,
    claims: &["L08", "L15"],
    title: "What arrives behind a chain of tiers that all retry",
    draw,
};

fn draw(seed: u64, level: Level) -> Result<Illustration, MeasurementError> {
    let replications = replications(4, level);
    let measured_at = positions(0.1, 0.9, 4);
    let curve_at = positions(0.0, 1.0, 100);
    let mut series = Vec::new();
    for (color, tiers) in TIERS.into_iter().enumerate() {
        let attempts = |p: f64| {
            Tiers::new(p, RETRIES.into(), tiers.into())
                .expect("the curve lies in the domain")
                .attempts()
        };
        let chain = format!("{tiers} {}", if tiers == 1 { "tier" } else { "tiers" });
        let theory = curve_at.iter().map(|&p| (p, attempts(p))).collect();
        let simulated = points(
            &chain,
            seed,
            |_| replications,
            &measured_at,
            |p| innermost(p, RETRIES, tiers),
        )?;
        series.extend(theory_and_simulation(&chain, color, theory, simulated));
    }
    Ok(SKETCH.figure(
        format!(
            "Attempts at the innermost tier per request that enters the chain, two retries at every tier: each tier multiplies \
             by the same factor, 1.11 on a day on which a tenth of the attempts fails and 3 when all do. Lines are powers of \
             the geometric series, points simulated requests; {INTERVAL_WORDS}."
        ),
        vec![Panel {
            title: String::new(),
            x: Axis {
                label: "failure probability of an attempt, p".to_owned(),
                low: 0.0,
                high: 1.0,
                logarithmic: false,
            },
            y: Axis {
                label: "attempts at the innermost tier per request".to_owned(),
                low: 1.0,
                high: 30.0,
                logarithmic: true,
            },
            series,
            marks: vec![Mark {
                x: 0.1,
                label: "a healthy day".to_owned(),
            }],
        }],
    ))
}

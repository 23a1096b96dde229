//! What figures share: points from experiments, and evenly spaced positions.

use rayon::prelude::*;

use crate::estimator::Estimate;
use crate::experiment::Experiment;
use crate::figure::{Point, Series, SeriesKind};
use crate::level::Level;
use crate::run::experiment_seed;
use crate::sampling::MeasurementError;
use crate::sampling::estimate;
use crate::statistics::StatisticsError;

/// Error probability of the interval drawn at a point: 95 % intervals, one point at a time.
pub(super) const POINT_ALPHA: f64 = 0.05;

/// How many times as many replications as were asked for a point may take, where fewer say nothing.
const MORE_RUNS_MAX: u64 = 64;

/// The interval of the captions, in words.
pub(super) const INTERVAL_WORDS: &str = "bars are 95 % intervals, each for its own point";

/// Factor on the replications behind a point.
pub(super) fn replications(standard: u64, level: Level) -> u64 {
    match level {
        Level::Quick => standard.div_ceil(4).max(4),
        Level::Standard => standard,
        Level::Thorough => 4 * standard,
    }
}

/// `steps + 1` positions from `low` to `high`, both included.
pub(super) fn positions(low: f64, high: f64, steps: u32) -> Vec<f64> {
    (0..=steps)
        .map(|step| low + (high - low) * f64::from(step) / f64::from(steps))
        .collect()
}

/// What theory says as a line, and what was simulated as points of the same colour.
pub(super) fn theory_and_simulation(
    name: &str,
    color: usize,
    theory: Vec<(f64, f64)>,
    simulated: Vec<Point>,
) -> [Series; 2] {
    let series = |suffix, kind| Series {
        name: format!("{name}, {suffix}"),
        color,
        kind,
    };
    [
        series("theory", SeriesKind::Line(theory)),
        series("simulated", SeriesKind::Points(simulated)),
    ]
}

/// One measured point per position, each from replications of its own: so many at each position.
pub(super) fn points(
    figure: &str,
    seed: u64,
    replications: impl Fn(f64) -> u64 + Sync,
    at: &[f64],
    experiment: impl Fn(f64) -> Experiment + Sync,
) -> Result<Vec<Point>, MeasurementError> {
    at.par_iter()
        .enumerate()
        .map(|(index, &x)| {
            let seed = experiment_seed(seed, figure, index);
            let estimate = bounded_estimate(&experiment(x), seed, replications(x))?;
            Ok(Point {
                x,
                y: estimate.value,
                low: estimate.interval.low(),
                high: estimate.interval.high(),
            })
        })
        .collect()
}

/// The estimate from so many replications, or from as many more as it takes to give a ratio a bounded interval: of rare
/// events a few replications may say so little that their ratio has none.
fn bounded_estimate(
    experiment: &Experiment,
    seed: u64,
    replications: u64,
) -> Result<Estimate, MeasurementError> {
    let mut runs = replications;
    loop {
        match estimate(experiment, seed, runs, POINT_ALPHA) {
            Err(MeasurementError::Statistics(StatisticsError::DenominatorNotSeparated { .. }))
                if runs < MORE_RUNS_MAX * replications =>
            {
                runs *= 2;
            }
            other => return other,
        }
    }
}

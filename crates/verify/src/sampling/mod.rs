//! Sampling a number until it is decided.
//!
//! Replications are added in batches that grow geometrically. After each batch the interval is looked at; look j may
//! err with probability α/(j(j + 1)), which sums to α however many looks there are, so stopping when the number is
//! decided costs nothing. A number is inconclusive when it is still undecided once the sample would have shown its
//! detectable error, or at the level's limit of attempts.

mod evidence;
mod judged;
mod sensitivity;
mod step_down;
mod words;

use retrylab_sim::{Fault, SimulationError};

pub(crate) use evidence::{Sampled, Standing};
pub(crate) use sensitivity::part_detectable_error;
pub(crate) use step_down::step_down;

use crate::claim::Part;
use crate::estimator::{Estimate, Sample};
use crate::experiment::Experiment;
use crate::run::Plan;
use crate::statistics::{Batches, ErrorRate, Interval, StatisticsError};

use evidence::Evidence;

/// Replications before the first look.
///
/// Of fewer, skewness cannot be told from chance: the bound on it alone would exceed what is trusted.
pub(crate) const FIRST_BATCH: u32 = 24;
/// Growth of the sample from look to look.
pub(crate) const GROWTH: f64 = 1.5;
/// Replications whose records are held at once.
const CHUNK: u64 = 64;
/// Why an experiment gives no estimate.
#[derive(Debug, thiserror::Error)]
pub enum MeasurementError {
    /// The scenario cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The observations allow no estimate.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

/// The estimate from a fixed number of replications.
///
/// # Errors
/// [`MeasurementError`] when the scenario cannot be simulated or the observations allow no estimate.
pub(crate) fn estimate(
    experiment: &Experiment,
    seed: u64,
    replications: u64,
    alpha: f64,
) -> Result<Estimate, MeasurementError> {
    let mut sample = Sample::new(experiment.estimator)?;
    extend(&mut sample, experiment, seed, 0, replications, None)?;
    match sample.estimate(ErrorRate::new(alpha)?) {
        // Replications that all agree have no spread: a point without an interval.
        Err(StatisticsError::NoVariation { value }) => Ok(Estimate {
            value,
            interval: Interval::exact(value)?,
        }),
        other => Ok(other?),
    }
}

/// Adds the replications from `from` up to `to` and returns the attempts that they simulated.
fn extend(
    sample: &mut Sample,
    experiment: &Experiment,
    seed: u64,
    from: u64,
    to: u64,
    fault: Option<Fault>,
) -> Result<u64, MeasurementError> {
    let mut attempts = 0;
    let mut start = from;
    while start < to {
        let end = to.min(start + CHUNK);
        for observed in experiment.observe_with(seed, start..end, fault)? {
            sample.push(&observed)?;
            attempts += observed.attempts;
        }
        start = end;
    }
    Ok(attempts)
}

/// What came of the versions of one number, in their order.
#[derive(Debug)]
pub(crate) struct Versions(pub(crate) Vec<Sampled>);

impl Versions {
    /// Simulated attempts: the versions share them.
    pub(crate) fn attempts(&self) -> u64 {
        self.0.iter().map(|sampled| sampled.attempts).max().unwrap_or(0)
    }
}

/// Measures once and judges several versions of one number on the same replications, each at the look that decides it.
///
/// Versions differ in what they are held against, not in their experiment; those without one are judged as they are.
/// `None` where `should_stop`, asked before each look, ended it.
///
/// # Errors
/// [`MeasurementError`] when the scenario cannot be simulated or a criterion makes no sense.
pub(crate) fn sample_versions(
    versions: &[Part],
    seed: u64,
    alpha: ErrorRate,
    plan: &Plan,
    should_stop: &dyn Fn() -> bool,
) -> Result<Option<Versions>, MeasurementError> {
    let level = plan.level;
    let mut sampled: Vec<Option<Sampled>> = versions
        .iter()
        .map(|part| match &part.experiment {
            None => Sampled::without_measurement(part, level).map(Some),
            Some(_) => Ok(None),
        })
        .collect::<Result<_, _>>()?;
    if let Some(experiment) = versions.iter().find_map(|part| part.experiment.as_ref()) {
        let batches = Batches::new(FIRST_BATCH, GROWTH)?;
        let mut evidence = Evidence::new(experiment, seed)?;
        while sampled.iter().any(Option::is_none) {
            if should_stop() {
                return Ok(None);
            }
            let total = batches.total_after(evidence.looks + 1);
            evidence.look_again(total, plan.fault)?;
            // The next batch would cost what this sample cost, in proportion.
            let next = batches.total_after(evidence.looks + 1);
            let cost = evidence.attempts as f64 * next as f64 / total as f64;
            let affordable = cost <= level.attempts_max() as f64;
            for (part, sampled) in versions.iter().zip(&mut sampled) {
                if sampled.is_none() {
                    *sampled = evidence.decide(part, alpha, level, affordable)?;
                }
            }
        }
    }
    Ok(sampled.into_iter().collect::<Option<Vec<_>>>().map(Versions))
}

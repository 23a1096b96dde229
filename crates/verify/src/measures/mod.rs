//! Every measure of a scenario from independent replications, with intervals.
//!
//! A measure is a ratio of two sums over a run's measured time, and is estimated by the ratio of their means over
//! replications. A quantile of the sojourn time is estimated by the mean over replications of the run's own quantile.
//! Each interval has the stated confidence on its own.
//!
//! ```
//! use retrylab_model::{ScenarioSpec, Traffic};
//! use retrylab_verify::measures::{Effort, Plan, survey};
//!
//! let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
//! spec.run.until = Some(4_000.0.into());
//! let plan = Plan { effort: Effort::Replications(20), ..Plan::default() };
//! let survey = survey(&spec.validate()?, &plan, &|_| {}, &mut |_| Ok::<(), std::io::Error>(()))?;
//! // One server at load 1/2: the mean sojourn time is 1/(1 - 1/2) = 2.
//! let sojourn_time = survey.find("sojourn_time_mean").and_then(|measure| measure.estimate).expect("attempts were served");
//! assert!((sojourn_time.value - 2.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collected;
mod known;
mod quantiles;
#[cfg(test)]
mod tests;

use retrylab_model::Scenario;
use retrylab_sim::{Engine, Measure, Options, RunRecord, SimulationError, replicate_unless_stopped};
use serde::Serialize;

use crate::statistics::{Batches, ErrorRate, Spending, StatisticsError};

use self::collected::Collected;
use self::quantiles::QUANTILES;

/// Growth of the sample from look to look when sampling to a precision.
const GROWTH: f64 = 1.5;
/// Replications before the first look when sampling to a precision.
const FIRST_BATCH: u32 = 16;
/// Simulated attempts after which sampling to a precision stops.
pub const ATTEMPTS_MAX: u64 = 1_000_000_000;
/// Replications after which sampling to a precision stops: runs in which nothing happens cost no attempts.
pub const REPLICATIONS_MAX: u64 = 50_000;
/// Records held at once.
const RECORDS_MAX: u64 = 64;
/// Windows of records held at once.
const WINDOWS_MAX: f64 = 200_000.0;

/// How much is simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effort {
    /// This many replications.
    Replications(u64),
    /// Until `success` is known to within plus or minus this number, and `attempts_per_request` and `sojourn_time_mean` to
    /// within plus or minus this fraction of their value; within about [`ATTEMPTS_MAX`] simulated attempts and [`REPLICATIONS_MAX`] replications.
    Precision(f64),
}

/// How measures are estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How much is simulated.
    pub effort: Effort,
    /// Seed of the random streams.
    pub seed: u64,
    /// Probability with which each interval may miss, over all looks together.
    pub alpha: f64,
    /// Whether records come with their time series.
    pub windows: bool,
    /// Which algorithm simulates; the records are the same where both apply.
    pub engine: Engine,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            effort: Effort::Replications(20),
            seed: 1,
            alpha: 0.05,
            engine: Engine::Auto,
            windows: false,
        }
    }
}

impl Plan {
    /// The fewest replications that are simulated.
    #[must_use]
    pub fn replications_min(&self) -> u64 {
        match self.effort {
            Effort::Replications(replications) => replications,
            Effort::Precision(_) => u64::from(FIRST_BATCH),
        }
    }
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    /// The estimate.
    #[serde(rename = "estimate")]
    pub value: f64,
    /// Lower end of the interval; none where there is no interval.
    pub low: Option<f64>,
    /// Upper end of the interval; none where there is no interval.
    pub high: Option<f64>,
    /// Probability with which the interval covers, all looks together.
    pub confidence: f64,
    /// Independent replications used.
    pub replications: u64,
}

/// What a measure is a number of, which says how it depends on the unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A share or a count.
    Number,
    /// A time.
    Time,
    /// The square of a time.
    TimeSquared,
    /// A number per time.
    Rate,
}

/// One measure.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureEstimate {
    /// Its name, such as `success`.
    pub name: String,
    /// What it is a number of.
    pub dimension: Dimension,
    /// The estimate; none where nothing happened that the measure is about.
    pub estimate: Option<Number>,
    /// Why there is no estimate, or none with an interval.
    pub note: Option<String>,
    /// Whether the scenario alone fixes the value, such as retries with one attempt per request.
    pub is_trivial: bool,
}

/// Every measure of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The measures.
    pub measures: Vec<MeasureEstimate>,
    /// Independent replications.
    pub replications: u64,
    /// Looks at the growing sample.
    pub looks: u32,
    /// Simulated attempts, those before the measured time included.
    pub attempts: u64,
    /// Whether the asked precision was reached; true where none was asked.
    pub is_precise: bool,
    /// Whether it was stopped before its plan was done.
    pub is_stopped: bool,
}

impl Survey {
    /// The measure called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&MeasureEstimate> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}

/// Why measures could not be estimated.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError<E> {
    /// The scenario cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The plan makes no sense.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// The receiver of the records failed.
    #[error("{0}")]
    Receiver(E),
}

/// Simulates a scenario and estimates every measure.
///
/// `progress` hears from any thread how many replications of the present batch are done; `receive` is given every record
/// in the order of the replications.
///
/// # Errors
/// [`SurveyError`] when the scenario cannot be simulated, the plan has an error rate that is none, or `receive` fails.
pub fn survey<E>(
    scenario: &Scenario,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
    receive: &mut dyn FnMut(&RunRecord) -> Result<(), E>,
) -> Result<Survey, SurveyError<E>> {
    survey_unless_stopped(scenario, plan, progress, &|| false, receive)
}

/// As [`survey`], and begins no further replication once `should_stop`, asked from any thread, says so. The estimates are then from
/// the replications that had begun; when to stop must not depend on what they show.
///
/// # Errors
/// As [`survey`].
pub fn survey_unless_stopped<E>(
    scenario: &Scenario,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
    should_stop: &(dyn Fn() -> bool + Sync),
    receive: &mut dyn FnMut(&RunRecord) -> Result<(), E>,
) -> Result<Survey, SurveyError<E>> {
    let alpha = ErrorRate::new(plan.alpha)?;
    let mut collected = Collected::new(scenario);
    // Returns whether it was done to the end.
    let mut extend = |collected: &mut Collected, to: u64| -> Result<bool, SurveyError<E>> {
        while collected.replications() < to {
            let from = collected.replications();
            let batch = from..to.min(from + records_held(scenario, plan));
            let options = Options {
                engine: plan.engine,
                windows: plan.windows,
                histogram: true,
                fault: None,
            };
            let within = |done: u64| progress(from + done);
            let records =
                replicate_unless_stopped(scenario, plan.seed, batch.clone(), &options, &within, should_stop)?;
            let is_complete = records.len() as u64 == batch.end - batch.start;
            for record in records {
                receive(&record).map_err(SurveyError::Receiver)?;
                collected.push(&record);
            }
            if !is_complete {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match plan.effort {
        Effort::Replications(replications) => {
            let is_stopped = !extend(&mut collected, replications)?;
            let survey = collected.survey(scenario, alpha, alpha, 1, true);
            Ok(Survey { is_stopped, ..survey })
        }
        Effort::Precision(precision) => {
            let spending = Spending::new(alpha);
            let batches = Batches::new(FIRST_BATCH, GROWTH)?;
            let mut look = 0;
            loop {
                look += 1;
                let is_stopped = !extend(&mut collected, batches.total_after(look))?;
                let survey = collected.survey(scenario, spending.at_look(look), alpha, look, false);
                let is_precise = is_precise(&survey, precision);
                // The next sample costs in proportion to this one.
                let next = batches.total_after(look + 1);
                let attempts = survey.attempts as f64 * next as f64 / collected.replications() as f64;
                let is_affordable = attempts <= ATTEMPTS_MAX as f64 && next <= REPLICATIONS_MAX;
                if is_precise || is_stopped || !is_affordable {
                    return Ok(Survey {
                        is_precise,
                        is_stopped,
                        ..survey
                    });
                }
            }
        }
    }
}

/// The names of all measures of a scenario, in the order of a [`Survey`].
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_verify::measures::names;
///
/// let names = names(&ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?);
/// assert!(names.iter().any(|name| name == "success") && names.iter().any(|name| name == "sojourn_time_p99"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn names(scenario: &Scenario) -> Vec<String> {
    let ratios = Measure::of(scenario)
        .into_iter()
        .map(|measure| measure.name(scenario));
    let quantiles = QUANTILES.iter().map(|(_, name)| (*name).to_owned());
    ratios.chain(quantiles).collect()
}

/// About how many attempts a plan simulates at least: one for every new request, in the fewest replications.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_verify::measures::{Effort, Plan, attempts_min};
///
/// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
/// spec.run.until = Some(4_000.0.into());
/// let plan = Plan { effort: Effort::Replications(20), ..Plan::default() };
/// assert_eq!(attempts_min(&spec.validate()?, &plan), 40_000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn attempts_min(scenario: &Scenario, plan: &Plan) -> f64 {
    scenario.traffic.rate.value() * scenario.until() * plan.replications_min() as f64
}

/// How many records are held at once: few where each has a long time series.
fn records_held(scenario: &Scenario, plan: &Plan) -> u64 {
    if plan.windows {
        let windows = scenario.until() / scenario.window();
        ((WINDOWS_MAX / windows) as u64).clamp(1, RECORDS_MAX)
    } else {
        RECORDS_MAX
    }
}

/// Whether the three main measures are as precise as asked.
fn is_precise(survey: &Survey, precision: f64) -> bool {
    let is_known = |name: &str, tolerance: &dyn Fn(f64) -> f64| {
        survey
            .find(name)
            .and_then(|measure| measure.estimate)
            .is_some_and(|number| match (number.low, number.high) {
                (Some(low), Some(high)) => {
                    let farthest = (high - number.value).max(number.value - low);
                    farthest <= tolerance(number.value)
                }
                _ => false,
            })
    };
    is_known("success", &|_| precision)
        && is_known("attempts_per_request", &|value| precision * value)
        && is_known("sojourn_time_mean", &|value| precision * value)
}

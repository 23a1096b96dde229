//! How long a service takes to lock up by itself, with an interval, however rare that is.
//!
//! The time comes from cycles between moments at which nobody waits, split on their way ([`LockUpCycles`]). A pilot run with
//! random numbers of its own chooses where. One observation is the sum over some hundred cycles; observations are independent,
//! and the mean time is a ratio of two sums over them, with the interval of every other ratio. The sample grows until the
//! interval is as narrow as was asked; each look spends a part of the error rate, so that stopping by the data is valid.
//!
//! ```
//! use retrylab_model::{ScenarioSpec, Traffic};
//! use retrylab_verify::lock_up::{Outcome, Plan, time_to_lock_up};
//!
//! let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
//! spec.client.timeout = Some(10.0.into());
//! spec.client.attempts = 3;
//! let plan = Plan { precision: 0.3, ..Plan::default() };
//! match time_to_lock_up(&spec.validate()?, &plan, &|_| {})? {
//!     Outcome::Measured(measured) => assert!((4_000.0..9_000.0).contains(&measured.time.value)),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rayon::prelude::*;
use retrylab_model::Scenario;
use retrylab_sim::{
    Allowance, Cycles, CyclesError, Goal, LockUpCycles, NotRegenerative, Options, Pilot, Prospect,
    SimulationError, Thresholds,
};

use crate::measures::Number;
use crate::report::numbers;
use crate::statistics::{Batches, ErrorRate, RatioMoments, Spending, StatisticsError};

/// Cycles that make one observation, so that sums of rare and heavy weights are not too skewed.
pub const CYCLES: u64 = 200;
/// Observations before the first look.
const FIRST_BATCH: u32 = 24;
/// Growth of the sample from look to look.
const GROWTH: f64 = 1.5;
/// Events after which sampling is given up where nobody says: arrivals, ends of services, timeouts and retries.
pub const EVENTS_MAX: u64 = 1_000_000_000;
/// Share of them that the pilot run may use.
const PILOT_SHARE: u64 = 10;
/// Nearer goals that are tried for a lower bound where the goal itself gets no interval.
const NEARER_GOALS: usize = 4;
/// Share of so many events that each of them may use.
const NEARER_SHARE: u64 = 20;

/// What time is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// Until the service locks up.
    #[default]
    LockUp,
    /// Until all places are taken.
    Full,
    /// Until so many attempts are in the system.
    InSystem(u64),
}

/// How the time is estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// What time is asked for.
    pub until: Until,
    /// How far the ends of the interval may be from the estimate, as a share of it.
    pub precision: f64,
    /// Seed of the random streams.
    pub seed: u64,
    /// Probability with which the interval may miss, over all looks together.
    pub alpha: f64,
    /// Events after which sampling is given up.
    pub events_max: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            until: Until::LockUp,
            precision: 0.1,
            seed: 1,
            alpha: 0.05,
            events_max: EVENTS_MAX,
        }
    }
}

/// A time, and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Mean time in the scenario's unit; `replications` counts observations.
    pub time: Number,
    /// What was waited for.
    pub goal: Goal,
    /// Where cycles were split.
    pub thresholds: Thresholds,
    /// Cycles of all observations.
    pub cycles: u64,
    /// Looks at the growing sample.
    pub looks: u32,
    /// Simulated attempts, without those of the pilot run.
    pub attempts: u64,
    /// Whether the asked precision was reached.
    pub is_precise: bool,
}

/// What is known about the time.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// An estimate with its interval.
    Measured(Measured),
    /// The time is out of reach; that to a backlog on the way to it is a lower bound.
    AtLeast(Measured),
    /// It does not happen by itself; why.
    Never(String),
    /// It happens at once; why.
    AtOnce(String),
    /// Nothing; why.
    Unknown(String),
}

/// Why a time cannot be asked for.
#[derive(Debug, thiserror::Error)]
pub enum LockUpError {
    /// The scenario has no lock-up that could be told.
    #[error(
        "this service has no time to lock up, the last success before there is none any more: {0}; --until N gives the time until N attempts are in the system"
    )]
    Undefined(String),
    /// The question does not fit the scenario.
    #[error("{0}")]
    NoSuchGoal(String),
    /// The scenario does not start anew.
    #[error(
        "the time to lock up is measured over cycles between idle moments, and this scenario has none: {0}"
    )]
    Cycles(CyclesError),
    /// The scenario cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The plan makes no sense.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

/// The mean time, from an idle moment on, until a service locks up.
///
/// `progress` hears how many cycles are done, from any thread.
///
/// # Errors
/// [`LockUpError`] when the scenario does not start anew at idle moments, has no lock-up that could be told, or cannot be
/// simulated.
pub fn time_to_lock_up(
    scenario: &Scenario,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, LockUpError> {
    // What is known without a run is known of a service that is always the same; its budget may be any.
    match LockUpCycles::obstacle(scenario) {
        None | Some(NotRegenerative::Budget) => {}
        Some(reason) => return Err(LockUpError::Cycles(reason.into())),
    }
    let goal = match goal(scenario, plan.until)? {
        Ok(goal) => goal,
        Err(outcome) => return Ok(outcome),
    };
    let cycles = match LockUpCycles::new(scenario, goal, Thresholds::none()) {
        Ok(cycles) => cycles,
        Err(CyclesError::Simulation(error)) => return Err(error.into()),
        Err(error) => return Err(LockUpError::Cycles(error)),
    };
    let alpha = ErrorRate::new(plan.alpha)?;
    match cycles.pilot(plan.seed, &Allowance::new(plan.events_max / PILOT_SHARE))? {
        Pilot::Complete(thresholds) => {
            let cycles = cycles.split_at(thresholds);
            match measure(&cycles, plan, alpha, &Allowance::new(plan.events_max), progress)? {
                Some(measured) => Ok(Outcome::Measured(measured)),
                None => lower_bound(scenario, &cycles, plan, progress),
            }
        }
        Pilot::Partial {
            thresholds,
            in_system,
        } => {
            let nearer = nearer(scenario, in_system, thresholds);
            match measure(&nearer, plan, alpha, &Allowance::new(plan.events_max), progress)? {
                Some(measured) => Ok(Outcome::AtLeast(measured)),
                None => lower_bound(scenario, &nearer, plan, progress),
            }
        }
        Pilot::Nothing => Ok(Outcome::Unknown(format!(
            "within the {} events that a pilot run may simulate too few cycles come to an end: the service is hardly ever idle \
             at load {}",
            numbers::count(plan.events_max / PILOT_SHARE),
            numbers::number(scenario.offered_load())
        ))),
    }
}

/// Cycles to a number of attempts in the system that comes before the goal.
fn nearer(scenario: &Scenario, in_system: u64, thresholds: Thresholds) -> LockUpCycles {
    LockUpCycles::new(scenario, Goal::InSystem(in_system), thresholds)
        .expect("the same scenario has cycles to a nearer goal")
}

/// What is known where cycles to a goal give no interval: the mean time to the farthest of some thresholds on the way that gives
/// one. It is one of several intervals, chosen by what the sample shows, so each gets its part of the error rate.
fn lower_bound(
    scenario: &Scenario,
    cycles: &LockUpCycles,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, LockUpError> {
    let alpha = ErrorRate::new(plan.alpha / NEARER_GOALS as f64)?;
    let thresholds = cycles.thresholds();
    for part in (0..NEARER_GOALS).rev() {
        let index = part * thresholds.as_slice().len() / NEARER_GOALS;
        let Some(threshold) = thresholds.as_slice().get(index) else {
            break;
        };
        let nearer = nearer(scenario, threshold.in_system, thresholds.clone());
        let allowance = Allowance::new(plan.events_max / NEARER_SHARE);
        if let Some(measured) = measure(&nearer, plan, alpha, &allowance, progress)? {
            return Ok(Outcome::AtLeast(measured));
        }
    }
    Ok(Outcome::Unknown(format!(
        "within the {} events that may be simulated too few cycles get far, and a few of them bring nearly all of what is seen, so \
         that no interval would hold",
        numbers::count(plan.events_max)
    )))
}

/// What a run is followed to, or what is known without a run.
fn goal(scenario: &Scenario, until: Until) -> Result<Result<Goal, Outcome>, LockUpError> {
    let places = scenario.server.places;
    let in_system = match until {
        Until::LockUp => {
            return match Prospect::of(scenario) {
                Prospect::Sometime(goal) => Ok(Ok(goal)),
                Prospect::Never(reason) => Ok(Err(Outcome::Never(reason))),
                Prospect::AtOnce(reason) => Ok(Err(Outcome::AtOnce(reason))),
                Prospect::Undefined(reason) => Err(LockUpError::Undefined(reason)),
            };
        }
        Until::Full => u64::from(places.ok_or_else(|| {
            LockUpError::NoSuchGoal(
                "--until full needs a scenario with server.places, or else nothing fills up".to_owned(),
            )
        })?),
        Until::InSystem(count) => count,
    };
    match places {
        Some(places) if in_system > u64::from(places) => Err(LockUpError::NoSuchGoal(format!(
            "--until {in_system} is never reached, because the scenario has server.places = {places}"
        ))),
        _ => Ok(Ok(Goal::InSystem(in_system))),
    }
}

/// Observations until the interval is narrow, or the allowance does not suffice for more; none without any interval.
fn measure(
    cycles: &LockUpCycles,
    plan: &Plan,
    alpha: ErrorRate,
    allowance: &Allowance,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Measured>, LockUpError> {
    let spending = Spending::new(alpha);
    let batches = Batches::new(FIRST_BATCH, GROWTH)?;
    let mut moments = RatioMoments::default();
    let mut attempts = 0;
    let mut best = None;
    for look in 1.. {
        let (from, to) = (moments.count(), batches.total_after(look));
        let Some(batch) = observe(cycles, plan.seed, from..to, allowance, progress)? else {
            return Ok(best);
        };
        for sums in batch {
            moments.push(sums.time, sums.lock_ups);
            attempts += sums.attempts_simulated;
        }
        // Too few lock-ups yet, or too skewed a sample, say nothing; the sample grows. What a smaller sample said is void as soon as
        // a larger one shows that it is too skewed: the smaller one lacked its heavy cycles.
        let (Some(value), Ok(interval)) = (moments.ratio(), moments.interval(spending.at_look(look))) else {
            best = None;
            continue;
        };
        let farthest = (interval.high() - value).max(value - interval.low());
        let is_precise = farthest <= plan.precision * value;
        let measured = Measured {
            time: Number {
                value,
                low: Some(interval.low()),
                high: interval.high().is_finite().then_some(interval.high()),
                confidence: alpha.confidence(),
                replications: to,
            },
            goal: cycles.goal(),
            thresholds: cycles.thresholds().clone(),
            cycles: to * CYCLES,
            looks: look,
            attempts,
            is_precise,
        };
        if is_precise {
            return Ok(Some(measured));
        }
        best = Some(measured);
    }
    unreachable!("looks go on until one of them returns")
}

/// The sums of observations, in their order; none where the allowance does not suffice.
fn observe(
    cycles: &LockUpCycles,
    seed: u64,
    observations: std::ops::Range<u64>,
    allowance: &Allowance,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Vec<Cycles>>, SimulationError> {
    let done = std::sync::atomic::AtomicU64::new(observations.start * CYCLES);
    observations
        .into_par_iter()
        .map(|observation| {
            let numbers = observation * CYCLES..(observation + 1) * CYCLES;
            let sums = cycles.run_within(seed, numbers, &Options::default(), allowance)?;
            progress(done.fetch_add(CYCLES, std::sync::atomic::Ordering::Relaxed) + CYCLES);
            Ok(sums)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use retrylab_model::{ScenarioSpec, Traffic};

    use super::*;

    /// From empty to n in the system M/M/1 at load 1/2 takes Σ_{i<n} Σ_{j≤i} 2^(j+1) = 2^(n+2) − 2n − 4 mean service times.
    #[test]
    fn a_lower_bound_is_the_time_to_a_threshold_on_the_way() {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
        spec.client.timeout = Some(1e6.into());
        let scenario = spec.validate().unwrap();
        let thresholds = Thresholds::spaced(2, 4, 12);
        let cycles = LockUpCycles::new(&scenario, Goal::InSystem(12), thresholds).unwrap();
        let outcome = lower_bound(&scenario, &cycles, &Plan::default(), &|_| {}).unwrap();
        let Outcome::AtLeast(measured) = outcome else {
            panic!("{outcome:?}");
        };
        // Of 2, 4, 6, 8 and 10, the one at three quarters of the way.
        assert_eq!(measured.goal, Goal::InSystem(8));
        let (low, high) = (measured.time.low.unwrap(), measured.time.high.unwrap());
        assert!(low < 1004.0 && 1004.0 < high, "{low} to {high}");
        assert!((measured.time.confidence - (1.0 - 0.05 / 4.0)).abs() < 1e-12);
    }
}

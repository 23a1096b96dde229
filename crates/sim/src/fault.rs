//! Faults to plant in the simulator on purpose: the negative control of whatever claims to notice that it is wrong.

use retrylab_model::{ATTEMPTS_MAX, Backoff, Budget, Scenario, ScenarioSpec, Time, Timeout};

/// A fault that a wrong simulator could have.
///
/// A simulation with a fault runs an altered scenario, or takes its attempts in a wrong order; all that is measured is
/// measured as ever. A fault of something that a scenario does not use changes nothing.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_sim::{Fault, Options, simulate_one};
/// let scenario = ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?;
/// let busy_time = |fault| {
///     let options = Options { fault, ..Options::default() };
///     simulate_one(&scenario, 1, 0, &options).map(|record| record.counts.busy_time as f64)
/// };
/// let ratio = busy_time(Some(Fault::ServiceMeanOff))? / busy_time(None)?;
/// assert!((ratio - 1.01).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Service takes 1 % longer on average.
    ServiceMeanOff,
    /// An answer is an error a tenth more often.
    ErrorProbabilityOff,
    /// Clients give up 1 % later.
    TimeoutLate,
    /// Requests make one attempt more than they may.
    AttemptTooMany,
    /// One retry in a hundred is forgotten.
    RetrySometimesLost,
    /// The bound of full jitter doubles once too often.
    JitterBoundDoubled,
    /// A stall is 1 % too short.
    StallTooShort,
    /// There is room for one attempt more.
    PlaceTooMany,
    /// The deadline check is behind by a hundredth of the (mean) timeout.
    DeadlineCheckLate,
    /// Last in, first out, but one service in a hundred takes the oldest.
    LifoSometimesFifo,
    /// First in, first out, but one service in a hundred takes the newest.
    FifoSometimesLifo,
    /// A budget saves without limit.
    BudgetForgetsItsCap,
    /// A refund budget charges a retry after a timeout as one after an error.
    TimeoutsChargedAsErrors,
    /// A breaker needs one outcome more before it opens.
    BreakerWaitsForOneMore,
    /// The attempts of a request fail independently.
    CorrelationForgotten,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::ServiceMeanOff,
        Self::ErrorProbabilityOff,
        Self::TimeoutLate,
        Self::AttemptTooMany,
        Self::RetrySometimesLost,
        Self::JitterBoundDoubled,
        Self::StallTooShort,
        Self::PlaceTooMany,
        Self::DeadlineCheckLate,
        Self::LifoSometimesFifo,
        Self::FifoSometimesLifo,
        Self::BudgetForgetsItsCap,
        Self::TimeoutsChargedAsErrors,
        Self::BreakerWaitsForOneMore,
        Self::CorrelationForgotten,
    ];

    /// What a simulator with the fault takes the scenario for. One at the end of what is valid stays as it is.
    pub(crate) fn distort(self, scenario: &Scenario) -> Scenario {
        scenario
            .modified(|spec| self.alter(spec))
            .unwrap_or_else(|_| scenario.clone())
    }

    fn alter(self, spec: &mut ScenarioSpec) {
        let client = &mut spec.client;
        match self {
            Self::ServiceMeanOff => spec.service.time = spec.service.time.scaled(1.01),
            Self::ErrorProbabilityOff => {
                spec.service.error_probability = (spec.service.error_probability * 1.1).min(1.0);
            }
            Self::TimeoutLate => client.timeout = client.timeout.map(longer_timeout),
            Self::AttemptTooMany => client.attempts = (client.attempts + 1).min(ATTEMPTS_MAX),
            Self::RetrySometimesLost => match &mut client.retries_per_failure {
                Some(retries) => *retries *= 0.99,
                None => client.retry_probability *= 0.99,
            },
            Self::JitterBoundDoubled => {
                if let Backoff::FullJitter { base, .. } = &mut client.backoff {
                    *base = times(*base, 2.0);
                }
            }
            Self::StallTooShort => {
                for change in &mut spec.schedule {
                    change.stall = change.stall.map(|stall| times(stall, 0.99));
                }
            }
            Self::PlaceTooMany => {
                spec.server.places = spec.server.places.map(|places| places.saturating_add(1));
            }
            Self::TimeoutsChargedAsErrors => {
                if let Budget::Refund {
                    cost, timeout_cost, ..
                } = &mut client.budget
                {
                    *timeout_cost = *cost;
                }
            }
            Self::BreakerWaitsForOneMore => {
                if let Some(breaker) = &mut client.breaker {
                    breaker.minimum += 1;
                }
            }
            Self::CorrelationForgotten => spec.service.error_correlation = 0.0,
            // No scenario has words for these: they are planted in the engine.
            Self::DeadlineCheckLate
            | Self::LifoSometimesFifo
            | Self::FifoSometimesLifo
            | Self::BudgetForgetsItsCap => {}
        }
    }
}

fn times(time: Time, factor: f64) -> Time {
    time.with_value(time.value() * factor)
}

fn longer(time: Time) -> Time {
    times(time, 1.01)
}

fn longer_timeout(timeout: Timeout) -> Timeout {
    match timeout {
        Timeout::Constant(time) => Timeout::Constant(longer(time)),
        Timeout::Exponential { mean } => Timeout::Exponential { mean: longer(mean) },
    }
}

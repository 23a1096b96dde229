//! What is waited for, and whether a scenario gets there by itself.

use retrylab_model::{Budget, DeadlineCheck, Discipline, Queues, Scenario, Timeout};

use super::stuck::{CERTAINTY, Stuck};

/// What a run is followed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The last success before there is none any more.
    LockUp {
        /// Number of attempts waiting and in service from which the service does not come back by chance.
        backlog: u64,
    },
    /// The first moment at which so many attempts are waiting and in service.
    InSystem(u64),
}

impl Goal {
    /// The number of attempts in the system at which a run has got there.
    #[must_use]
    pub fn in_system(self) -> u64 {
        match self {
            Self::LockUp { backlog } => backlog,
            Self::InSystem(count) => count,
        }
    }
}

/// Whether a service locks up by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Prospect {
    /// Sooner or later, when this is reached.
    Sometime(Goal),
    /// It does not, or not to stay; why.
    Never(String),
    /// From the start on, because it is overloaded without any chance event; why.
    AtOnce(String),
    /// There is no success rate that falls to zero and stays there; why.
    Undefined(String),
}

impl Prospect {
    /// What is known beforehand about a scenario of one tier without a schedule and a breaker.
    ///
    /// A service locks up when attempts are answered after their timeout, the retries of those that failed keep the line so
    /// long, and the line does not come back by chance: it counts as locked up from the backlog of [`Goal::LockUp`] on. Where
    /// there are fewer places than that, chance may bring back even a full line, and the goal is that all places are taken.
    ///
    /// ```
    /// use retrylab_model::{ScenarioSpec, Traffic};
    /// use retrylab_sim::{Goal, Prospect};
    ///
    /// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.3));
    /// spec.client.timeout = Some(10.0.into());
    /// spec.client.attempts = 3;
    /// // Three attempts of each request are a load of 0.9, which one server works off.
    /// assert!(matches!(Prospect::of(&spec.clone().validate()?), Prospect::Never(_)));
    /// spec.client.attempts = 4;
    /// assert!(matches!(Prospect::of(&spec.validate()?), Prospect::Sometime(Goal::LockUp { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let load = scenario.offered_load();
        let Some(timeout) = scenario.client.timeout else {
            return Self::Never(
                "its clients wait for ever, so that every attempt that is served is in time".to_owned(),
            );
        };
        if let Some(reason) = obstacle(scenario) {
            return Self::Undefined(reason);
        }
        let healthy = load * healthy_attempts(scenario);
        if healthy >= 1.0 {
            return Self::AtOnce(format!(
                "its load is {} even while every attempt is answered in time: the backlog grows from the start",
                short(healthy)
            ));
        }
        let stuck = Stuck::new(scenario);
        let stuck_load = load * stuck.attempts_mean();
        if stuck_load <= 1.0 {
            return Self::Never(format!(
                "when every attempt fails the load is {}, which the service works off: every backlog comes to an end",
                short(stuck_load)
            ));
        }
        let backlog = stuck.backlog();
        let Some(places) = scenario
            .server
            .places
            .filter(|&places| u64::from(places) < backlog)
        else {
            return Self::Sometime(Goal::LockUp { backlog });
        };
        let served = f64::from(places) * scenario.service.time.mean() / f64::from(scenario.service.slots());
        if served <= timeout.mean() {
            return Self::Never(format!(
                "a line of all {places} places is served within {}, less than the timeout, so that attempts in it are \
                 answered in time on average",
                short(served)
            ));
        }
        Self::Sometime(Goal::InSystem(u64::from(places)))
    }
}

/// Why success does not fall to zero for good, or not at a backlog that can be told.
fn obstacle(scenario: &Scenario) -> Option<String> {
    let server = &scenario.server;
    let reason = match server.discipline {
        Discipline::Fifo => None,
        Discipline::Lifo | Discipline::AdaptiveLifo { .. } => {
            Some("last in, first out answers the newest attempts in time, however many others wait")
        }
        Discipline::Random => {
            Some("in random order some attempts are served in time, however many others wait")
        }
    };
    let reason = reason.or(match server.deadline_check {
        DeadlineCheck::None => None,
        DeadlineCheck::SkipExpired | DeadlineCheck::SkipDoomed { .. } => {
            Some("with a deadline check the server starts on attempts that can still be answered, however many wait")
        }
    });
    let reason = reason.or(match (server.queues, server.places) {
        (Queues::Common, _) => None,
        _ => Some("where every server has a queue of its own, one may be stuck while others are not"),
    });
    reason.map(str::to_owned)
}

/// Attempts of a request while each fails by an error alone.
fn healthy_attempts(scenario: &Scenario) -> f64 {
    let service = &scenario.service;
    let (error, together) = (service.error_probability, service.error_correlation);
    let stuck = Stuck::new(scenario);
    // With correlated answers a share of the requests fails in all its attempts, or in none.
    let alone = stuck.attempts_mean_where(error);
    let shared = 1.0 + error * (stuck.attempts_mean() - 1.0);
    (1.0 - together) * alone + together * shared
}

/// Time within which practically every attempt times out, in the scenario's unit.
pub(super) fn last_timeout(timeout: Timeout) -> f64 {
    match timeout {
        Timeout::Constant(time) => time.value(),
        Timeout::Exponential { mean } => mean.value() * CERTAINTY,
    }
}

/// Tokens per new request of a budget that keeps giving when nothing succeeds.
pub(super) fn ratio(budget: &Budget) -> Option<f64> {
    match *budget {
        Budget::Ratio { ratio, .. } => Some(ratio),
        // What only successes refill runs dry while nothing succeeds, unless timeouts cost nothing.
        Budget::Refund {
            timeout_cost: 0.0, ..
        } => None,
        Budget::Refund { .. } | Budget::Pool { .. } => Some(0.0),
        Budget::None => None,
    }
}

/// A number in four digits.
fn short(value: f64) -> String {
    retrylab_model::wording::number(format!("{value:.3e}").parse().unwrap_or(value))
}

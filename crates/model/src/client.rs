//! What a client does: how long it waits, how often and when it tries again, and what holds it back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::breaker::Breaker;
use crate::budget::Budget;
use crate::timeout::Timeout;
use crate::unit::Time;
use crate::unit_text::Shortest;
use crate::validation::{Invalid, Validator};

/// Most attempts that a request may make. With a retry probability of 0.999 or less it is as good as no limit: fewer than
/// one in 10^28 of the requests that always fail get there.
pub const ATTEMPTS_MAX: u32 = 65_535;

/// Most further attempts that a failed attempt may bring on average.
pub const RETRIES_PER_FAILURE_MAX: f64 = 100.0;

/// Timeout, retries, backoff, budget and breaker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Client {
    /// How long a client waits for the answer to an attempt; for ever when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// Most attempts per request, the first included.
    pub attempts: u32,
    /// Probability that a failed attempt is followed by another, as far as `attempts` and the budget allow; the client makes
    /// up its mind before it asks the budget.
    pub retry_probability: f64,
    /// How many further attempts a failed attempt brings on average, each of which may fail in turn: ⌊R⌋ of them, and one more
    /// with probability R − ⌊R⌋, whatever has become of the request's other attempts. Takes the place of `attempts` and
    /// `retry_probability`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries_per_failure: Option<f64>,
    /// Whether an attempt that a full queue has rejected is retried like any other that has failed.
    pub retry_rejected: bool,
    /// How long a client waits between a failure and the next attempt.
    pub backoff: Backoff,
    /// What limits the retries of one client instance, or of all.
    pub budget: Budget,
    /// What keeps clients from sending while too many attempts fail; nothing when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaker: Option<Breaker>,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            timeout: None,
            attempts: 1,
            retry_probability: 1.0,
            retries_per_failure: None,
            retry_rejected: true,
            backoff: Backoff::None,
            budget: Budget::None,
            breaker: None,
        }
    }
}

/// How long a client waits between a failure and the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Backoff {
    /// Not at all.
    #[default]
    None,
    /// Always the same delay.
    Constant {
        /// The delay.
        delay: Time,
    },
    /// Exponential backoff with full jitter: before attempt n + 1, uniform on (0, min(cap, base · 2^(n−1))).
    FullJitter {
        /// Upper end before the second attempt.
        base: Time,
        /// Upper end that is never passed; none when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cap: Option<Time>,
    },
}

impl Backoff {
    /// Whether a retry never waits.
    pub(crate) fn is_immediate(&self) -> bool {
        match *self {
            Self::None => true,
            Self::Constant { delay } => delay.value() == 0.0,
            Self::FullJitter { base, cap } => {
                base.value() == 0.0 || cap.is_some_and(|cap| cap.value() == 0.0)
            }
        }
    }
}

/// Checks a number of retries per failure by itself.
pub(crate) fn check_retries_per_failure(path: &str, retries: f64) -> Result<(), Invalid> {
    Validator::number(
        path,
        retries,
        |retries| (0.0..=RETRIES_PER_FAILURE_MAX).contains(&retries),
        "a number from 0 to 100",
    )
}

impl Client {
    /// `retries_per_failure` says everything that `attempts` and `retry_probability` say.
    fn check_that_nothing_else_counts_retries(&self) -> Result<(), Invalid> {
        let accepted = "left out beside retries_per_failure, which says how many attempts follow a failure";
        if self.attempts != 1 {
            return Err(Invalid::new("client.attempts", self.attempts, accepted));
        }
        if self.retry_probability < 1.0 {
            let probability = Shortest(self.retry_probability);
            return Err(Invalid::new("client.retry_probability", probability, accepted));
        }
        Ok(())
    }

    /// Whether it matters which client instance sends a request: where each has a budget or a breaker of its own.
    ///
    /// ```
    /// use retrylab_model::{Breaker, Client};
    /// let client = |shared| Client { breaker: Some(Breaker { shared, ..Breaker::new(20.0, 30.0) }), ..Client::default() };
    /// assert!(client(false).has_own_state() && !client(true).has_own_state() && !Client::default().has_own_state());
    /// ```
    #[must_use]
    pub fn has_own_state(&self) -> bool {
        self.budget.is_per_client() || self.breaker.is_some_and(|breaker| !breaker.shared)
    }

    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        if let Some(timeout) = self.timeout {
            timeout.check(validator)?;
        }
        Validator::count("client.attempts", self.attempts, 1..=ATTEMPTS_MAX)?;
        Validator::probability("client.retry_probability", self.retry_probability)?;
        if let Some(retries) = self.retries_per_failure {
            check_retries_per_failure("client.retries_per_failure", retries)?;
            self.check_that_nothing_else_counts_retries()?;
        }
        if let Some(breaker) = self.breaker {
            breaker.check(validator)?;
        }
        match self.backoff {
            Backoff::None => {}
            Backoff::Constant { delay } => {
                validator.non_negative_time("client.backoff.constant.delay", delay)?;
            }
            Backoff::FullJitter { base, cap } => {
                validator.non_negative_time("client.backoff.full_jitter.base", base)?;
                if let Some(cap) = cap {
                    validator.non_negative_time("client.backoff.full_jitter.cap", cap)?;
                }
            }
        }
        self.budget.check("client.budget", validator)
    }
}

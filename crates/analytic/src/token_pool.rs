//! A pool of retry tokens that only successes refill: when it begins to refuse retries, and what it saves.

use crate::Value;
use crate::amplification::Amplification;
use crate::md1k;
use crate::mm1k::Mm1k;
use crate::parameters::{ARRIVAL_RATE, FAILURE_PROBABILITY, RETRIES};
use crate::quadrature::last_where;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Tokens of a full pool.
const SIZE: Parameter = Parameter {
    name: "size",
    meaning: "retry tokens of a full pool",
    domain: Domain::Count {
        min: 1,
        max: 100_000,
        accepted: "a whole number from 1 to 100000",
    },
    requirement: Requirement::Required,
};

/// Tokens that come back per unit of time.
const REFILL_RATE: Parameter = Parameter {
    name: "refill_rate",
    meaning: "tokens that come back per unit of time as long as there are successes",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Length of an incident.
const DURATION: Parameter = Parameter {
    name: "duration",
    meaning: "length of an incident that begins with a full pool",
    domain: Domain::NonNegative,
    requirement: Requirement::Optional,
};

/// The pool is never asked for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no retries are made, so the pool stays full")]
pub struct NoRetries;

impl From<Result<f64, NoRetries>> for Value {
    fn from(result: Result<f64, NoRetries>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// A pool of N tokens, one taken per retry, refilled at up to g tokens per unit of time but only by successes.
///
/// Requests come at rate λ, an attempt fails with probability p whatever the load, and up to r retries follow, so that
/// D = λ(p + … + pʳ) retries per unit of time are wanted. As long as anything succeeds (p < 1) a success brings what the
/// rate has earned since the last, so that tokens flow in at rate g; nothing comes back at p = 1.
///
/// In the fluid the pool begins to refuse at the failure probability at which D = g. Chance makes it refuse earlier: if
/// retries are wanted at the moments of a Poisson process, and tokens come back after exponential times of mean 1/g
/// each, the missing tokens are the customers of an M/M/1/N queue with arrival rate D and service rate g, and a retry
/// is refused with the blocking probability of [`Mm1k`]. Tokens that are earned steadily, by the fraction, refuse less: an
/// M/D/1/N queue, since a token is there if and only if fewer than N of the constant times 1/g are left to work off.
/// A refused retry is counted as one, also where it would have been followed by others, and does not change D.
///
/// With n pools of equal traffic put λ/n for λ, and n times the rates and the avoided retries for all together. One
/// pool shared by all with the same N and g is this pool at the whole λ. Rates are per unit of time, times in it.
///
/// # Domain
/// 0 ≤ λ, 0 < g, finite; 0 ≤ p ≤ 1; 0 ≤ r ≤ 10⁹; 1 ≤ N ≤ 100,000; 0 ≤ duration, finite.
///
/// # Source
/// Conservation of tokens; Kleinrock, *Queueing Systems*, volume 1, 1975, section 3.6 for M/M/1/K; Gross, Shortle,
/// Thompson and Harris, *Fundamentals of Queueing Theory*, 2008, chapter 5 for M/G/1/K.
///
/// # Example
/// ```
/// use retrylab_analytic::token_pool::TokenPool;
///
/// // 10 requests a second, one retry each, a pool of 25 refilled by one token a second.
/// let pool = TokenPool::new(10.0, 0.5, 1, 25, 1.0)?;
/// assert_eq!(pool.emptying_time(), Ok(2.5));
/// assert_eq!(pool.failure_probability_max(), 0.1);
/// assert!((pool.retry_rate() - 1.0).abs() < 1e-12);
/// assert_eq!(pool.retries_avoided(100.0)?, 375.0);
/// // At the threshold steady refills refuse half as many retries as random ones: 2.01 % and 3.85 %.
/// let threshold = TokenPool::new(10.0, 0.1, 1, 25, 1.0)?;
/// assert!((threshold.refusal_probability() - 1.0 / 26.0).abs() < 1e-12);
/// assert!((threshold.refusal_probability_steady() - 0.0201).abs() < 0.0001);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenPool {
    arrival_rate: f64,
    retries: u64,
    size: u64,
    refill_rate: f64,
    /// D.
    wanted: f64,
    /// The missing tokens as customers; none where nothing succeeds and all are missing for good.
    missing: Option<Mm1k>,
}

impl TokenPool {
    /// A pool of `size` tokens refilled at `refill_rate`, for requests of a rate and a retry policy.
    ///
    /// # Errors
    /// [`DomainError`] outside the domain of the type.
    pub fn new(
        arrival_rate: f64,
        failure_probability: f64,
        retries: u64,
        size: u64,
        refill_rate: f64,
    ) -> Result<Self, DomainError> {
        ARRIVAL_RATE.check(arrival_rate)?;
        SIZE.check_count(size)?;
        REFILL_RATE.check(refill_rate)?;
        let duplicates = Amplification::new(failure_probability, retries)?.duplicates();
        let wanted = (arrival_rate * duplicates).min(f64::MAX);
        let missing = if failure_probability < 1.0 {
            Some(Mm1k::new(wanted, refill_rate, size)?)
        } else {
            None
        };
        Ok(Self {
            arrival_rate,
            retries,
            size,
            refill_rate,
            wanted,
            missing,
        })
    }

    /// Retries that failures ask for per unit of time: λ(p + … + pʳ).
    #[must_use]
    pub fn retries_wanted(&self) -> f64 {
        self.wanted
    }

    /// Long-run probability that a retry finds no token: the blocking of M/M/1/N at D and g; 1 where nothing succeeds.
    #[must_use]
    pub fn refusal_probability(&self) -> f64 {
        self.missing.map_or(1.0, |missing| missing.blocking())
    }

    /// The same where tokens are earned steadily: the blocking of M/D/1/N at D and service time 1/g.
    #[must_use]
    pub fn refusal_probability_steady(&self) -> f64 {
        self.missing.map_or(1.0, |_| {
            md1k::blocking((self.wanted / self.refill_rate).min(f64::MAX), self.size)
        })
    }

    /// Long-run retries per unit of time: D times the probability of a token, which tends to g where D is above it.
    #[must_use]
    pub fn retry_rate(&self) -> f64 {
        self.missing
            .map_or(0.0, |missing| self.wanted * missing.acceptance())
    }

    /// Time in which a full pool is empty once all attempts fail: N/(λr).
    ///
    /// # Errors
    /// [`NoRetries`] if λr = 0.
    pub fn emptying_time(&self) -> Result<f64, NoRetries> {
        let worst = self.arrival_rate * self.retries as f64;
        if worst > 0.0 {
            Ok(self.size as f64 / worst)
        } else {
            Err(NoRetries)
        }
    }

    /// The failure probability above which a fluid of retries empties the pool: λ(p + … + pʳ) = g, or 1 if none does.
    #[must_use]
    pub fn failure_probability_max(&self) -> f64 {
        last_where(|probability| {
            Amplification::new(probability, self.retries)
                .is_ok_and(|attempts| self.arrival_rate * attempts.duplicates() <= self.refill_rate)
        })
    }

    /// Retries that the pool keeps from being made in an incident of a length, as a fluid: what is wanted less what comes
    /// back less what was there.
    ///
    /// # Errors
    /// [`DomainError`] unless `duration` ≥ 0 is finite.
    pub fn retries_avoided(&self, duration: f64) -> Result<f64, DomainError> {
        let duration = DURATION.check(duration)?;
        let refilled = self.missing.map_or(0.0, |_| self.refill_rate);
        Ok(((self.wanted - refilled) * duration - self.size as f64).max(0.0))
    }
}

/// [`TokenPool`] by name.
pub static TOKEN_POOL: Quantity = Quantity {
    name: "token-pool",
    summary: "a pool of retry tokens that successes refill: when it refuses retries, and how many it saves",
    parameters: &[
        ARRIVAL_RATE,
        FAILURE_PROBABILITY,
        RETRIES,
        SIZE,
        REFILL_RATE,
        DURATION,
    ],
    results: &[
        ("retries_wanted", "retries that failures ask for per unit of time"),
        (
            "refusal_probability",
            "probability that a retry finds no token, refilled at random",
        ),
        (
            "refusal_probability_steady",
            "probability that a retry finds no token, refilled steadily",
        ),
        ("retry_rate", "retries made per unit of time in the long run"),
        (
            "emptying_time",
            "time in which a full pool is empty once all attempts fail",
        ),
        (
            "failure_probability_max",
            "failure probability above which more tokens are taken than come back",
        ),
        (
            "retries_avoided",
            "retries not made in an incident of the duration, as a fluid",
        ),
    ],
    formula: "retries_wanted D = λ(p + … + p^r); refusal_probability = blocking of mm1k at D, refill_rate and size places, \
              1 at p = 1; refusal_probability_steady = the same with constant service times 1/refill_rate; retry_rate = D(1 − refusal_probability); emptying_time = size/(λr); failure_probability_max: \
              D = refill_rate; retries_avoided = max(0, (D − refill_rate)·duration − size), without the refill at p = 1",
    source: "conservation of tokens; Kleinrock, Queueing Systems, vol. 1, 1975, section 3.6; Gross, Shortle, \
             Thompson and Harris, Fundamentals of Queueing Theory, 2008, chapter 5",
    evaluate: |arguments| {
        let pool = TokenPool::new(
            arguments.number("arrival_rate"),
            arguments.number("failure_probability"),
            arguments.count("retries"),
            arguments.count("size"),
            arguments.number("refill_rate"),
        )?;
        let mut values = vec![
            ("retries_wanted", pool.retries_wanted().into()),
            ("refusal_probability", pool.refusal_probability().into()),
            (
                "refusal_probability_steady",
                pool.refusal_probability_steady().into(),
            ),
            ("retry_rate", pool.retry_rate().into()),
            ("emptying_time", pool.emptying_time().into()),
            ("failure_probability_max", pool.failure_probability_max().into()),
        ];
        if let Some(duration) = arguments.optional("duration") {
            values.push(("retries_avoided", pool.retries_avoided(duration)?.into()));
        }
        Ok(values)
    },
};

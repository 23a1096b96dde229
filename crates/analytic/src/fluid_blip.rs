//! A queue through a short loss of capacity, as a deterministic fluid: how long nothing useful is served, and whether
//! the retries ever let the backlog go.

mod course;
mod history;

use crate::Value;
use crate::capped::RATIO;
use crate::ceiling::CAPACITY;
use crate::parameters::ARRIVAL_RATE;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::stuck_line::ATTEMPTS;
use course::Course;

/// Capacity during the blip.
const REDUCED_CAPACITY: Parameter = Parameter {
    name: "reduced_capacity",
    meaning: "attempts that the service can serve per unit of time during the blip",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Length of the blip.
const DURATION: Parameter = Parameter {
    name: "duration",
    meaning: "how long the capacity is reduced",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Clients' timeout.
pub(crate) const TIMEOUT: Parameter = Parameter {
    name: "timeout",
    meaning: "how long a client waits for the answer to an attempt",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Budget, if there is one.
const RATIO_IF_ANY: Parameter = Parameter {
    requirement: Requirement::Optional,
    meaning: "retry tokens earned per first attempt; absent: no budget",
    ..RATIO
};

/// Most tokens that the budget can save.
const BANK: Parameter = Parameter {
    name: "bank",
    meaning: "most retry tokens saved, all of them there when the blip begins; for a budget only",
    domain: Domain::NonNegative,
    requirement: Requirement::Default(0.0),
};

/// Why nothing recovers from a blip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoRecovery {
    /// The attempts that are sent when all time out keep the server busy for ever.
    #[error(
        "it never recovers: the attempts that are sent while every attempt times out are as many as the full \
         capacity serves, or more"
    )]
    Stuck,
    /// New requests alone are no fewer than the full capacity.
    #[error("the backlog never drains: new requests alone are as many as the full capacity serves, or more")]
    Overloaded,
    /// The rates change too often, or leave the range of double precision, before the outcome is certain.
    #[error("the rates change more often than is followed, or leave the range of double precision")]
    Undecided,
}

/// What a blip leaves behind. Times are counted from its end; each is absent where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aftermath {
    /// Attempts waiting when the blip ends.
    pub backlog_at_end: Result<f64, NoRecovery>,
    /// The most attempts waiting at any time.
    pub backlog_peak: Result<f64, NoRecovery>,
    /// Time in which nothing served is of use.
    pub dead_time: Result<f64, NoRecovery>,
    /// Time until what is served is of use for good: longer than the dead time if useful service is interrupted again.
    pub recovered_after: Result<f64, NoRecovery>,
    /// Time until the queue is empty.
    pub drained_after: Result<f64, NoRecovery>,
}

/// A first-in-first-out queue without a bound, as a fluid, through a time of reduced capacity.
///
/// New requests flow in at rate λ, the server serves μ attempts per unit of time, and μ′ for the length d of the blip.
/// Before the blip the queue is empty. Clients time out T after sending an attempt and send the next one at once, k
/// in all, as far as the budget has tokens: it earns b per new request, keeps a bank of them, full when the blip
/// begins, and a retry spends one. Nothing is dropped: an attempt whose client has given up is served all the same.
/// A service takes no time of its own (latency is the wait in the queue), and chance plays no part.
///
/// With A(t) the attempts sent and D(t) those served until t, D′ = capacity while the backlog A − D is above 0. First
/// in, first out, an attempt sent at t − T is unanswered at t exactly if D(t) < A(t − T). While that holds, all that
/// times out is sent again, as far as attempts and tokens go (where tokens are short, every failed attempt has the same
/// chance of one), and all that is served was given up: useful throughput is zero. Rates are constant between changes,
/// so that A and D are piecewise linear; the changes are followed exactly, one by one, until the backlog is gone or
/// the retries certainly keep the server busy for ever.
///
/// For k = 1 the dead time is (λ(d − T) − μ′d)/(μ − λ) where that is above 0. Under a budget of b ≤ 1 without a bank,
/// k ≥ 2, retries flow at rate bλ from the first timeout on, at s = λT/(λ − μ′), so that the dead time is
/// (λ(1 + b)(d − T) − bλs − μ′d)/(μ − λ(1 + b)) where it is longer than T, and the queue is empty λ(1 + b)T/(μ − λ)
/// after it. Rates are per unit of time, the same for all, times in that unit.
///
/// # Domain
/// 0 ≤ λ, 0 < μ, 0 ≤ μ′, 0 ≤ d, 0 < T, all finite; 1 ≤ k ≤ 10⁹; 0 ≤ b, 0 ≤ bank, finite.
///
/// # Source
/// Cumulative curves of a deterministic queue: Newell, *Applications of Queueing Theory*, 1982, chapter 2; stuck states
/// held by retries: Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed systems", 2021.
///
/// # Example
/// ```
/// use retrylab_analytic::fluid_blip::{FluidBlip, NoRecovery};
///
/// // 800 requests a second; five seconds at 300 of 1000 a second; a timeout of one second.
/// let alone = FluidBlip::new(800.0, 1000.0, 300.0, 5.0, 1.0, 1)?;
/// assert_eq!(alone.aftermath().backlog_peak, Ok(2500.0));
/// assert!((alone.aftermath().dead_time.unwrap() - 8.5).abs() < 1e-12);
/// let retried = FluidBlip::new(800.0, 1000.0, 300.0, 5.0, 1.0, 4)?;
/// assert_eq!(retried.aftermath().dead_time, Err(NoRecovery::Stuck));
/// let budgeted = retried.with_budget(0.1, 0.0)?;
/// assert!((budgeted.aftermath().drained_after.unwrap() - (20.0 + 1.0 / 6.0)).abs() < 1e-12);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FluidBlip {
    arrival_rate: f64,
    capacity: f64,
    reduced_capacity: f64,
    duration: f64,
    timeout: f64,
    attempts: u64,
    /// Tokens per new request; infinite without a budget.
    ratio: f64,
    bank: f64,
}

impl FluidBlip {
    /// A blip of `duration` with `attempts` attempts per request and no budget.
    ///
    /// # Errors
    /// [`DomainError`] outside the domain of the type.
    pub fn new(
        arrival_rate: f64,
        capacity: f64,
        reduced_capacity: f64,
        duration: f64,
        timeout: f64,
        attempts: u64,
    ) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            capacity: CAPACITY.check(capacity)?,
            reduced_capacity: REDUCED_CAPACITY.check(reduced_capacity)?,
            duration: DURATION.check(duration)?,
            timeout: TIMEOUT.check(timeout)?,
            attempts: ATTEMPTS.check_count(attempts)?,
            ratio: f64::INFINITY,
            bank: 0.0,
        })
    }

    /// The same with retries held to `ratio` tokens per new request and a `bank` of them.
    ///
    /// # Errors
    /// [`DomainError`] unless `ratio` ≥ 0 and `bank` ≥ 0 are finite.
    pub fn with_budget(self, ratio: f64, bank: f64) -> Result<Self, DomainError> {
        Ok(Self {
            ratio: RATIO.check(ratio)?,
            bank: BANK.check(bank)?,
            ..self
        })
    }

    /// Attempts sent per unit of time while every attempt times out and the bank is empty: λ·min(k, 1 + b).
    #[must_use]
    pub fn worst_arrival_rate(&self) -> f64 {
        self.arrival_rate * (1.0 + self.ratio.min(self.retries()))
    }

    /// What the blip leaves behind.
    #[must_use]
    pub fn aftermath(&self) -> Aftermath {
        Course::new(self).aftermath()
    }

    fn retries(&self) -> f64 {
        (self.attempts - 1) as f64
    }

    /// Tokens earned per unit of time, if they are ever short.
    fn tokens_earned(&self) -> Option<f64> {
        (self.ratio < self.retries()).then_some(self.ratio * self.arrival_rate)
    }
}

impl From<Result<f64, NoRecovery>> for Value {
    fn from(result: Result<f64, NoRecovery>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// [`FluidBlip`] by name.
pub static FLUID_BLIP: Quantity = Quantity {
    name: "fluid-blip",
    summary: "a queue through a short loss of capacity, as a fluid: how long nothing useful is served, and whether it recovers",
    parameters: &[
        ARRIVAL_RATE,
        CAPACITY,
        REDUCED_CAPACITY,
        DURATION,
        TIMEOUT,
        ATTEMPTS,
        RATIO_IF_ANY,
        BANK,
    ],
    results: &[
        ("backlog_at_end", "attempts waiting when the blip ends"),
        ("backlog_peak", "the most attempts waiting at any time"),
        (
            "dead_time",
            "time after the blip in which nothing served is of use",
        ),
        (
            "recovered_after",
            "time from the end of the blip until what is served is of use for good",
        ),
        (
            "drained_after",
            "time from the end of the blip until the queue is empty",
        ),
        (
            "worst_arrival_rate",
            "attempts sent per unit of time while every attempt times out",
        ),
    ],
    formula: "A attempts sent, D served, D' = capacity while A > D; attempts time out at t while D(t) < A(t − timeout), \
              and are then sent again as far as attempts and tokens go; followed exactly from one change of the \
              piecewise constant rates to the next. attempts = 1: backlog_at_end = (λ − reduced_capacity)·duration, \
              dead_time = (λ(duration − timeout) − reduced_capacity·duration)/(capacity − λ), drained_after = \
              backlog_at_end/(capacity − λ); worst_arrival_rate = λ min(attempts, 1 + ratio), which recovers from a \
              long blip only below the capacity",
    source: "cumulative curves: Newell, Applications of Queueing Theory, 1982, chapter 2; stuck states: Bronson, \
             Aghayev, Charapko and Zhu, Metastable failures in distributed systems, 2021",
    evaluate: |arguments| {
        let mut blip = FluidBlip::new(
            arguments.number("arrival_rate"),
            arguments.number("capacity"),
            arguments.number("reduced_capacity"),
            arguments.number("duration"),
            arguments.number("timeout"),
            arguments.count("attempts"),
        )?;
        if let Some(ratio) = arguments.optional("ratio") {
            blip = blip.with_budget(ratio, arguments.number("bank"))?;
        }
        let aftermath = blip.aftermath();
        Ok(vec![
            ("backlog_at_end", aftermath.backlog_at_end.into()),
            ("backlog_peak", aftermath.backlog_peak.into()),
            ("dead_time", aftermath.dead_time.into()),
            ("recovered_after", aftermath.recovered_after.into()),
            ("drained_after", aftermath.drained_after.into()),
            ("worst_arrival_rate", blip.worst_arrival_rate().into()),
        ])
    },
};

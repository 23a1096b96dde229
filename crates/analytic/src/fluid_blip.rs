//! A queue through a short loss of capacity, as a deterministic fluid: how long nothing useful is served, and whether
//! the retries ever let the backlog go.

mod by_name;
mod course;
mod history;
mod motion;
mod outcome;
mod sending;
mod skipping;

use crate::capped::RATIO;
use crate::ceiling::CAPACITY;
use crate::parameters::ARRIVAL_RATE;
use crate::quantity::DomainError;
use crate::stuck_line::ATTEMPTS;
pub use by_name::FLUID_BLIP;
pub(crate) use by_name::TIMEOUT;
use by_name::{BANK, DURATION, PLACES, REDUCED_CAPACITY, SERVICE_SCV};
use course::Course;
use skipping::Skipping;

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
    /// Time in which attempts fail and less is served in time than requests arrive: nothing, unless the server skips.
    pub dead_time: Result<f64, NoRecovery>,
    /// Time until the last attempt fails: longer than the dead time if useful service is interrupted again or enough of it
    /// goes on beside the failures.
    pub recovered_after: Result<f64, NoRecovery>,
    /// Time until the queue is empty.
    pub drained_after: Result<f64, NoRecovery>,
    /// Requests answered in time per unit of time, once nothing changes any more.
    pub goodput_settled: Result<f64, NoRecovery>,
}

/// A time during which nothing changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// When it begins, counted from the start of the blip.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// Attempts sent per unit of time, rejected ones included.
    pub attempt_rate: f64,
    /// Attempts answered in time per unit of time.
    pub useful_rate: f64,
    /// Attempts waiting when it begins.
    pub backlog: f64,
}

/// A first-in-first-out queue without a bound, as a fluid, through a time of reduced capacity.
///
/// New requests flow in at rate λ, the server serves μ attempts per unit of time, and μ′ for the length d of the blip.
/// Before the blip the queue is empty. Clients time out T after sending an attempt and send the next one at once, k
/// in all, as far as the budget has tokens: it earns b per new request, keeps a bank of them, full when the blip
/// begins, and a retry spends one. Unless the server skips, an attempt whose client has given up is served all the same.
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
/// A server that skips what has expired when its turn comes lets nobody wait longer than T: at overload it serves what has
/// just not expired, and drops the rest. What is of use of that is decided by services that do take time, so that a share σ
/// of it has to be known: with attempts coming at random at x times the capacity, σ = E e^(−x(1 − σ)S), S a service
/// time of mean 1 (gamma distributed); σ = 1/x if it is exponential. If the server skips what cannot be answered in time, σ = 1.
/// A queue of limited places rejects at once what finds it full; a rejected client that tries again at once is rejected
/// again, as long as its attempts and tokens last.
///
/// # Domain
/// 0 ≤ λ, 0 < μ, 0 ≤ μ′, 0 ≤ d, 0 < T, all finite; 1 ≤ k ≤ 10⁹; 0 ≤ b, 0 ≤ bank, finite; 0 < places, 0 ≤ the
/// squared coefficient of variation of the service time, finite.
///
/// # Source
/// Cumulative curves of a deterministic queue: Newell, *Applications of Queueing Theory*, 1982, chapter 2; stuck states
/// held by retries: Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed systems", 2021;
/// σ is the root of the G/M/1 queue: Kleinrock, *Queueing Systems*, volume 1, 1975, section 6.4.
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
    /// Infinite without a limit.
    places: f64,
    skipping: Skipping,
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
            places: f64::INFINITY,
            skipping: Skipping::Nothing,
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

    /// The same with at most `places` attempts waiting.
    ///
    /// # Errors
    /// [`DomainError`] unless `places` > 0 is finite.
    pub fn with_places(self, places: f64) -> Result<Self, DomainError> {
        let places = PLACES.check(places)?;
        Ok(Self { places, ..self })
    }

    /// The same with a server that skips attempts whose client has given up, with service times of this squared
    /// coefficient of variation.
    ///
    /// ```
    /// use retrylab_analytic::fluid_blip::{FluidBlip, NoRecovery};
    ///
    /// // Exponential service times, four attempts: it stays at σ = 0.397, where 1000σ = 800(1 − (1 − σ²)⁴).
    /// let blip = FluidBlip::new(800.0, 1000.0, 300.0, 5.0, 1.0, 4)?.skipping_expired(1.0)?;
    /// assert!((blip.aftermath().goodput_settled.unwrap() - 396.8).abs() < 0.1);
    /// assert_eq!(blip.aftermath().dead_time, Err(NoRecovery::Stuck));
    /// # Ok::<(), retrylab_analytic::DomainError>(())
    /// ```
    ///
    /// # Errors
    /// [`DomainError`] unless `service_scv` ≥ 0 is finite.
    pub fn skipping_expired(self, service_scv: f64) -> Result<Self, DomainError> {
        let service_scv = SERVICE_SCV.check(service_scv)?;
        Ok(Self {
            skipping: Skipping::Expired { service_scv },
            ..self
        })
    }

    /// The same with a server that skips attempts that cannot be answered in time.
    #[must_use]
    pub fn skipping_doomed(self) -> Self {
        Self {
            skipping: Skipping::Doomed,
            ..self
        }
    }

    /// The rates from the start of the blip until a time after it; less far where the rates change too often.
    #[must_use]
    pub fn stretches(&self, until: f64) -> Vec<Stretch> {
        Course::new(self).stretches(until)
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
    ///
    /// Where places are limited, retries of requests that were taken in come beside those of requests that are rejected, so
    /// that tokens for every retry can be short for a while.
    fn tokens_earned(&self) -> Option<f64> {
        let are_ever_short = self.ratio < self.retries() || self.ratio.is_finite() && self.places.is_finite();
        are_ever_short.then_some(self.ratio * self.arrival_rate)
    }
}

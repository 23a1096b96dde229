//! How long a collapsed backlog takes to drain once retries are held to a budget, or stopped.

use crate::Value;
use crate::capped::RATIO;
use crate::ceiling::CAPACITY;
use crate::fluid_blip::TIMEOUT;
use crate::parameters::ARRIVAL_RATE;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Attempts waiting.
const BACKLOG: Parameter = Parameter {
    name: "backlog",
    meaning: "attempts waiting when the budget comes into force, the last of them too late already",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Why a backlog has no time to drain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoDrain {
    /// Requests and budgeted retries are no fewer than the capacity.
    #[error(
        "new requests and the retries of the budget are as many as the capacity serves, or more, so nothing drains"
    )]
    Stuck,
    /// The end of the queue is still served in time.
    #[error("the backlog is served within the timeout, so the service has not collapsed")]
    NotCollapsed,
}

impl From<Result<f64, NoDrain>> for Value {
    fn from(result: Result<f64, NoDrain>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// A collapsed first-in-first-out queue as a fluid: from now on a request brings b retries while attempts time out.
///
/// A backlog Q is waiting, longer than the capacity μ serves within the timeout T, and every attempt in it will be
/// answered too late. New requests flow in at rate λ, so that x = λ(1 + b) attempts are sent. With D = μt served, what
/// is sent at t − T is answered in time from the moment on at which μt = Q + x(t − T), that is at
/// (Q − xT)/(μ − x). Then retries end, and the queue, x·T long, drains at rate μ − λ. With b = 0 retries are turned off
/// altogether, and it drains all the same, if λ < μ. Rates are per unit of time, times in it.
///
/// # Domain
/// 0 ≤ λ, 0 < μ, 0 ≤ Q, 0 < T, 0 ≤ b, all finite.
///
/// # Source
/// Cumulative curves of a deterministic queue: Newell, *Applications of Queueing Theory*, 1982, chapter 2.
///
/// # Example
/// ```
/// use retrylab_analytic::stuck_drain::StuckDrain;
///
/// // A capacity of 12000 a second, a timeout of 120 ms, and a budget of a tenth.
/// let drain = StuckDrain::new(10500.0, 12000.0, 1870.2, 0.12, 0.1)?;
/// assert!((drain.drained_after().unwrap() - 2.0).abs() < 1e-12);
/// // Without any retries.
/// let drain = StuckDrain::new(10500.0, 12000.0, 3000.0, 0.12, 0.0)?;
/// assert!((drain.drained_after().unwrap() - 2.0).abs() < 1e-12);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuckDrain {
    arrival_rate: f64,
    capacity: f64,
    backlog: f64,
    timeout: f64,
    /// x.
    attempt_rate: f64,
}

impl StuckDrain {
    /// A backlog, and the rates that act on it.
    ///
    /// # Errors
    /// [`DomainError`] outside the domain of the type.
    pub fn new(
        arrival_rate: f64,
        capacity: f64,
        backlog: f64,
        timeout: f64,
        ratio: f64,
    ) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            capacity: CAPACITY.check(capacity)?,
            backlog: BACKLOG.check(backlog)?,
            timeout: TIMEOUT.check(timeout)?,
            attempt_rate: arrival_rate * (1.0 + RATIO.check(ratio)?),
        })
    }

    /// Time in which nothing served is of use: (Q − xT)/(μ − x).
    ///
    /// # Errors
    /// [`NoDrain`] unless x < μ and Q ≥ μT.
    pub fn dead_time(&self) -> Result<f64, NoDrain> {
        if self.attempt_rate >= self.capacity {
            Err(NoDrain::Stuck)
        } else if self.backlog < self.capacity * self.timeout {
            Err(NoDrain::NotCollapsed)
        } else {
            let excess = self.backlog - self.attempt_rate * self.timeout;
            Ok(excess / (self.capacity - self.attempt_rate))
        }
    }

    /// Time until the queue is empty: xT/(μ − λ) after the dead time.
    ///
    /// # Errors
    /// [`NoDrain`] as for [`StuckDrain::dead_time`].
    pub fn drained_after(&self) -> Result<f64, NoDrain> {
        let left = self.attempt_rate * self.timeout;
        Ok(self.dead_time()? + left / (self.capacity - self.arrival_rate))
    }
}

/// [`StuckDrain`] by name.
pub static STUCK_DRAIN: Quantity = Quantity {
    name: "stuck-drain",
    summary: "how long a collapsed backlog takes to drain once retries are held to a budget, or stopped",
    parameters: &[ARRIVAL_RATE, CAPACITY, BACKLOG, TIMEOUT, RATIO],
    results: &[
        ("dead_time", "time in which nothing served is of use"),
        ("drained_after", "time until the queue is empty"),
    ],
    formula: "x = λ(1 + ratio): dead_time = (backlog − x·timeout)/(capacity − x); drained_after = dead_time + \
              x·timeout/(capacity − λ); for x < capacity and backlog ≥ capacity·timeout",
    source: "cumulative curves: Newell, Applications of Queueing Theory, 1982, chapter 2",
    evaluate: |arguments| {
        let drain = StuckDrain::new(
            arguments.number("arrival_rate"),
            arguments.number("capacity"),
            arguments.number("backlog"),
            arguments.number("timeout"),
            arguments.number("ratio"),
        )?;
        Ok(vec![
            ("dead_time", drain.dead_time().into()),
            ("drained_after", drain.drained_after().into()),
        ])
    },
};

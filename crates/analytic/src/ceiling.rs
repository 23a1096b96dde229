//! The load that a retry policy can reach at worst, and the largest policy whose worst load a service can carry.

use crate::Value;
use crate::parameters::{ARRIVAL_RATE, RETRIES};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Attempts that a service can serve per unit of time.
pub(crate) const CAPACITY: Parameter = Parameter {
    name: "capacity",
    meaning: "attempts that the service can serve per unit of time",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Why there is no largest number of retries that fits.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoLimit {
    /// The first attempts alone exceed the capacity.
    #[error("even without retries the arrival rate {arrival_rate} exceeds the capacity {capacity}")]
    Overloaded {
        /// New requests per unit of time.
        arrival_rate: f64,
        /// Attempts that can be served per unit of time.
        capacity: f64,
    },
    /// There are no requests to retry.
    #[error("nothing arrives, so that any number of retries fits")]
    NoTraffic,
}

/// The worst case of a retry policy: every attempt fails, so that each request is sent r + 1 times.
///
/// With λ the arrival rate, the service then receives λ(r + 1) attempts per unit of time, in the unit of the arrival
/// rate, which must be that of the capacity. The policy fits if that is at most the capacity. Rates written as
/// decimals are rounded when they are read, so a ceiling that exceeds the capacity by no more than those roundings
/// counts as equal to it: three attempts at rate 0.1 fit a capacity of 0.3.
///
/// # Domain
/// 0 ≤ λ, 0 < capacity, both finite; 0 ≤ r ≤ 10⁹.
///
/// # Source
/// The limit of the geometric series of [`Amplification`](crate::amplification::Amplification) as p → 1.
///
/// # Example
/// ```
/// use retrylab_analytic::ceiling::Ceiling;
///
/// let policy = Ceiling::new(2000.0, 3, 5000.0)?;
/// assert_eq!(policy.worst_arrival_rate(), 8000.0);
/// assert!(!policy.fits());
/// assert_eq!(policy.retries_max(), Ok(1.0));
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    arrival_rate: f64,
    retries: u64,
    capacity: f64,
}

impl Ceiling {
    /// The ceiling of `retries` retries at an arrival rate, against a capacity.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `capacity` > 0 are finite and `retries` ≤ 10⁹.
    pub fn new(arrival_rate: f64, retries: u64, capacity: f64) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            retries: RETRIES.check_count(retries)?,
            capacity: CAPACITY.check(capacity)?,
        })
    }

    /// Attempts per unit of time when every attempt fails: λ(r + 1).
    #[must_use]
    pub fn worst_arrival_rate(&self) -> f64 {
        self.arrival_rate * (self.retries + 1) as f64
    }

    /// Whether λ(r + 1) is at most the capacity.
    #[must_use]
    pub fn fits(&self) -> bool {
        (self.retries + 1) as f64 <= attempts_max(self.arrival_rate, self.capacity)
    }

    /// The largest r whose ceiling fits: ⌊capacity/λ⌋ − 1.
    ///
    /// # Errors
    /// [`NoLimit`] when not even r = 0 fits, or when nothing arrives.
    pub fn retries_max(&self) -> Result<f64, NoLimit> {
        let attempts_max = attempts_max(self.arrival_rate, self.capacity);
        if attempts_max < 1.0 {
            Err(NoLimit::Overloaded {
                arrival_rate: self.arrival_rate,
                capacity: self.capacity,
            })
        } else if self.arrival_rate > 0.0 {
            Ok(attempts_max - 1.0)
        } else {
            Err(NoLimit::NoTraffic)
        }
    }
}

/// Most attempts per request that a capacity can carry, ⌊capacity/λ⌋; infinite when nothing arrives.
pub(crate) fn attempts_max(arrival_rate: f64, capacity: f64) -> f64 {
    // Half a unit in the last place each for the arrival rate, the capacity and the quotient.
    const ROUNDING: f64 = 1.5 * f64::EPSILON;
    let quotient = capacity / arrival_rate;
    libm::floor(quotient + quotient * ROUNDING)
}

impl From<Result<f64, NoLimit>> for Value {
    fn from(result: Result<f64, NoLimit>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// [`Ceiling`] by name.
pub static CEILING: Quantity = Quantity {
    name: "ceiling",
    summary: "the load when every attempt fails, and the most retries whose worst load fits a capacity",
    parameters: &[ARRIVAL_RATE, RETRIES, CAPACITY],
    results: &[
        (
            "worst_arrival_rate",
            "attempts per unit of time when every attempt fails",
        ),
        ("fits", "1 if that is at most the capacity, else 0"),
        (
            "retries_max",
            "the largest number of retries whose worst arrival rate fits",
        ),
    ],
    formula: "worst_arrival_rate = λ(r + 1); fits = [λ(r + 1) ≤ capacity]; retries_max = ⌊capacity/λ⌋ − 1",
    source: "the limit of 1 + p + … + p^r as p → 1 (see amplification)",
    evaluate: |arguments| {
        let ceiling = Ceiling::new(
            arguments.number("arrival_rate"),
            arguments.count("retries"),
            arguments.number("capacity"),
        )?;
        Ok(vec![
            ("worst_arrival_rate", ceiling.worst_arrival_rate().into()),
            ("fits", f64::from(u8::from(ceiling.fits())).into()),
            ("retries_max", ceiling.retries_max().into()),
        ])
    },
};

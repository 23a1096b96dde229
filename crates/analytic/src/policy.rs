//! Everything that a retry policy costs and buys, in one call.

use crate::ceiling::{self, CAPACITY};
use crate::parameters::{ARRIVAL_RATE, FAILURE_PROBABILITY, RETRIES};
use crate::quantity::{DomainError, Parameter, Quantity, Requirement};
use crate::tiers::{TIERS, Tiers};

/// A retry policy at each of several tiers, offered a load, in front of an innermost service of some capacity.
///
/// With p the failure probability of an attempt, r the retries, n the tiers and λ the arrival rate of users'
/// requests, A = ((1 − pʳ⁺¹)/(1 − p))ⁿ attempts per request reach the innermost service, which receives λA per unit
/// of time, and λ(r + 1)ⁿ when everything fails. Rates are in the unit of the arrival rate, which must be that of the
/// capacity; the rest has no unit.
///
/// # Domain
/// That of [`Tiers`]; 0 ≤ λ, 0 < capacity, both finite.
///
/// # Source
/// [`Tiers`] and [`Ceiling`](crate::ceiling::Ceiling), whose rule for equality within rounding it shares.
///
/// # Example
/// ```
/// use retrylab_analytic::policy::Policy;
///
/// let policy = Policy::new(0.1, 2, 500.0, 1500.0, 1)?;
/// assert!((policy.load() - 555.0).abs() < 1e-12);
/// assert!(policy.fits());
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    chain: Tiers,
    arrival_rate: f64,
    capacity: f64,
}

impl Policy {
    /// A policy of `retries` retries at each of `tiers` tiers.
    ///
    /// # Errors
    /// [`DomainError`] as [`Tiers::new`], or unless `arrival_rate` ≥ 0 and `capacity` > 0 are finite.
    pub fn new(
        failure_probability: f64,
        retries: u64,
        arrival_rate: f64,
        capacity: f64,
        tiers: u64,
    ) -> Result<Self, DomainError> {
        Ok(Self {
            chain: Tiers::new(failure_probability, retries, tiers)?,
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            capacity: CAPACITY.check(capacity)?,
        })
    }

    /// Expected attempts at the innermost service per user's request.
    #[must_use]
    pub fn attempts(&self) -> f64 {
        self.chain.attempts()
    }

    /// Probability that one of the attempts that a tier makes at a request succeeds, 1 − pʳ⁺¹: what the user sees,
    /// p being the failure probability of a call as the outermost tier sees it.
    #[must_use]
    pub fn success(&self) -> f64 {
        self.chain.tier().success()
    }

    /// Attempts per unit of time at the innermost service: λA.
    #[must_use]
    pub fn load(&self) -> f64 {
        self.times_arrival_rate(self.attempts())
    }

    /// Share of the attempts at the innermost service that would not be there without retries: 1 − 1/A.
    #[must_use]
    pub fn retry_share(&self) -> f64 {
        self.chain.retry_share()
    }

    /// Attempts per unit of time at the innermost service when everything fails: λ(r + 1)ⁿ.
    #[must_use]
    pub fn worst_load(&self) -> f64 {
        self.times_arrival_rate(self.chain.attempts_worst())
    }

    /// Whether the worst load is at most the capacity.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.chain.attempts_worst() <= ceiling::attempts_max(self.arrival_rate, self.capacity)
    }

    /// No load without arrivals, even when the attempts per request are too many for a double.
    fn times_arrival_rate(&self, attempts: f64) -> f64 {
        if self.arrival_rate > 0.0 {
            self.arrival_rate * attempts
        } else {
            0.0
        }
    }
}

/// [`Policy`] by name.
pub static POLICY: Quantity = Quantity {
    name: "policy",
    summary: "attempts, success, load, retry share and worst load of a retry policy in one call",
    parameters: &[
        FAILURE_PROBABILITY,
        RETRIES,
        ARRIVAL_RATE,
        CAPACITY,
        Parameter {
            requirement: Requirement::Default(1.0),
            ..TIERS
        },
    ],
    results: &[
        (
            "attempts",
            "expected attempts at the innermost service per user's request",
        ),
        (
            "success",
            "probability that some attempt of the outermost tier succeeds",
        ),
        ("load", "attempts per unit of time at the innermost service"),
        ("retry_share", "share of that load which retries add"),
        ("worst_load", "that load when everything fails"),
        ("fits", "1 if the worst load is at most the capacity, else 0"),
    ],
    formula: "attempts = (1 + p + … + p^r)^tiers; success = 1 − p^(r+1); load = λ·attempts; \
              retry_share = 1 − 1/attempts; worst_load = λ(r + 1)^tiers; fits = [worst_load ≤ capacity]",
    source: "amplification, tiers and ceiling, combined",
    evaluate: |arguments| {
        let policy = Policy::new(
            arguments.number("failure_probability"),
            arguments.count("retries"),
            arguments.number("arrival_rate"),
            arguments.number("capacity"),
            arguments.count("tiers"),
        )?;
        Ok(vec![
            ("attempts", policy.attempts().into()),
            ("success", policy.success().into()),
            ("load", policy.load().into()),
            ("retry_share", policy.retry_share().into()),
            ("worst_load", policy.worst_load().into()),
            ("fits", f64::from(u8::from(policy.fits())).into()),
        ])
    },
};

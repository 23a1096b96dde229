//! Parameters that several quantities share, each described once.

use crate::quantity::{Domain, DomainError, Parameter, Requirement};

impl Parameter {
    /// Accepts a value of this parameter's domain.
    ///
    /// # Errors
    /// [`DomainError`] when `value` is outside the domain.
    pub fn check(&self, value: f64) -> Result<f64, DomainError> {
        self.domain.check(self.name, value)
    }

    /// Accepts a whole number of this parameter's domain.
    ///
    /// # Errors
    /// [`DomainError`] when `value` is outside the domain.
    pub fn check_count(&self, value: u64) -> Result<u64, DomainError> {
        self.check(value as f64).map(|_| value)
    }
}

/// Probability that one attempt fails.
pub(crate) const FAILURE_PROBABILITY: Parameter = Parameter {
    name: "failure_probability",
    meaning: "probability that one attempt fails, independently of the others",
    domain: Domain::Probability,
    requirement: Requirement::Required,
};

/// Retries after the first attempt.
pub(crate) const RETRIES: Parameter = Parameter {
    name: "retries",
    meaning: "retries after the first attempt, one less than the attempts",
    domain: Domain::Count {
        min: 0,
        max: 1_000_000_000,
        accepted: "a whole number from 0 to 1000000000",
    },
    requirement: Requirement::Required,
};

/// Arrivals per unit of time.
pub(crate) const ARRIVAL_RATE: Parameter = Parameter {
    name: "arrival_rate",
    meaning: "arrivals per unit of time",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Service completions of one busy server per unit of time.
pub(crate) const SERVICE_RATE: Parameter = Parameter {
    name: "service_rate",
    meaning: "service completions of one busy server per unit of time",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// The time at which tails are wanted.
pub(crate) const TIME: Parameter = Parameter {
    name: "time",
    meaning: "time at which tail probabilities are wanted, in the unit of 1/rate",
    domain: Domain::NonNegative,
    requirement: Requirement::Optional,
};

/// The probability at which quantiles are wanted.
pub(crate) const PROBABILITY: Parameter = Parameter {
    name: "probability",
    meaning: "probability at which a quantile is wanted, such as 0.99",
    domain: Domain::OpenProbability,
    requirement: Requirement::Optional,
};

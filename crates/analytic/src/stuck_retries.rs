//! Attempts of a request at a service that answers nothing, where failures are retried by a number that need not be
//! whole, and the load above which that keeps the service as it is.

use libm::{expm1, log1p};

use crate::Value;
use crate::capped::RATIO;
use crate::numeric::power_sum;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::stuck_line::ATTEMPTS;

/// Further attempts that a failed one brings.
const RETRIES_PER_FAILURE: Parameter = Parameter {
    name: "retries_per_failure",
    meaning: "further attempts that a failed attempt brings on average, each of which may fail in turn",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Most attempts of a request, if limited.
const ATTEMPTS_IF_LIMITED: Parameter = Parameter {
    requirement: Requirement::Optional,
    meaning: "most generations of attempts, the first included; absent: no limit",
    ..ATTEMPTS
};

/// Budget, if there is one.
const RATIO_IF_ANY: Parameter = Parameter {
    requirement: Requirement::Optional,
    meaning: "retry tokens earned per first attempt; absent: no budget",
    ..RATIO
};

/// Retries breed retries without end.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "every failure brings {retries_per_failure} others and nothing limits them, so the attempts grow without bound"
)]
pub struct Unbounded {
    /// Retries per failure, at least 1.
    pub retries_per_failure: f64,
}

impl From<Result<f64, Unbounded>> for Value {
    fn from(result: Result<f64, Unbounded>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// A service all of whose attempts fail, and clients that answer a failure with R further attempts on average.
///
/// Each generation is R times the one before: 1 + R + R² + …, over k generations at most, or without end 1/(1 − R) for
/// R < 1. A budget of b tokens per request holds it to 1 + b. The stuck line is the load at which this just fills the
/// server, the reciprocal; without a bound it is 0. For R = 1 and k generations these are
/// [`stuck_line::load`](crate::stuck_line::load)'s k and 1/k. No result has a unit.
///
/// # Domain
/// 0 ≤ R, 0 ≤ b, finite; 1 ≤ k ≤ 10⁹.
///
/// # Source
/// Mean total progeny of a branching process: Harris, *The Theory of Branching Processes*, 1963, chapter I; flow
/// balance of a saturated server.
///
/// # Example
/// ```
/// use retrylab_analytic::stuck_retries::StuckRetries;
///
/// let retries = StuckRetries::new(0.75)?;
/// assert_eq!(retries.attempts(), Ok(4.0));
/// assert_eq!(retries.load(), 0.25);
/// let budgeted = StuckRetries::new(2.5)?.with_budget(0.25)?;
/// assert_eq!(budgeted.load(), 0.8);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuckRetries {
    retries_per_failure: f64,
    generations: Option<u64>,
    ratio: Option<f64>,
}

impl StuckRetries {
    /// `retries_per_failure` further attempts for each that fails, without a limit.
    ///
    /// # Errors
    /// [`DomainError`] unless it is at least 0 and finite.
    pub fn new(retries_per_failure: f64) -> Result<Self, DomainError> {
        Ok(Self {
            retries_per_failure: RETRIES_PER_FAILURE.check(retries_per_failure)?,
            generations: None,
            ratio: None,
        })
    }

    /// The same with at most `attempts` generations, the first attempt included.
    ///
    /// # Errors
    /// [`DomainError`] unless `attempts` is in 1 … 10⁹.
    pub fn with_attempts_max(self, attempts: u64) -> Result<Self, DomainError> {
        let generations = Some(ATTEMPTS.check_count(attempts)?);
        Ok(Self { generations, ..self })
    }

    /// The same under a budget of `ratio` tokens per request.
    ///
    /// # Errors
    /// [`DomainError`] unless `ratio` ≥ 0 is finite.
    pub fn with_budget(self, ratio: f64) -> Result<Self, DomainError> {
        let ratio = Some(RATIO.check(ratio)?);
        Ok(Self { ratio, ..self })
    }

    /// Attempts per request while all fail: 1 + R + … + R^(k−1), or 1 + b if that is less.
    ///
    /// # Errors
    /// [`Unbounded`] for R ≥ 1 without a limit and without a budget.
    pub fn attempts(&self) -> Result<f64, Unbounded> {
        let attempts = self.unbudgeted();
        match self.ratio {
            Some(ratio) => Ok(attempts.min(1.0 + ratio)),
            None if attempts.is_infinite() && self.generations.is_none() => Err(Unbounded {
                retries_per_failure: self.retries_per_failure,
            }),
            None => Ok(attempts),
        }
    }

    /// The load above which the service stays as it is: 1 over the attempts per request, 0 if those have no bound.
    #[must_use]
    pub fn load(&self) -> f64 {
        let budgeted = self.ratio.map_or(0.0, |ratio| 1.0 / (1.0 + ratio));
        let unbudgeted = match self.generations {
            None => (1.0 - self.retries_per_failure).max(0.0),
            Some(_) => 1.0 / self.unbudgeted(),
        };
        unbudgeted.max(budgeted)
    }

    fn unbudgeted(&self) -> f64 {
        let ratio = self.retries_per_failure;
        match self.generations {
            None if ratio < 1.0 => 1.0 / (1.0 - ratio),
            None => f64::INFINITY,
            Some(generations) if ratio > 1.0 => {
                expm1(generations as f64 * log1p(ratio - 1.0)) / (ratio - 1.0)
            }
            Some(generations) => power_sum(ratio, generations),
        }
    }
}

/// [`StuckRetries`] by name.
pub static STUCK_RETRIES: Quantity = Quantity {
    name: "stuck-retries",
    summary: "attempts per request at a dead service, and its stuck line, for a fractional number of retries per failure",
    parameters: &[RETRIES_PER_FAILURE, ATTEMPTS_IF_LIMITED, RATIO_IF_ANY],
    results: &[
        ("attempts", "attempts per request while every attempt fails"),
        (
            "load",
            "new requests per unit of time over the service capacity, above which the service stays dead",
        ),
    ],
    formula: "R retries per failure: attempts = 1 + R + … + R^(attempts − 1), without a limit 1/(1 − R) for R < 1, at most \
              1 + ratio; load = 1/attempts",
    source: "mean total progeny of a branching process: Harris, The Theory of Branching Processes, 1963, chapter I; flow \
             balance of a saturated server: load × attempts = 1",
    evaluate: |arguments| {
        let mut retries = StuckRetries::new(arguments.number("retries_per_failure"))?;
        if let Some(attempts) = arguments.optional("attempts") {
            retries = retries.with_attempts_max(attempts as u64)?;
        }
        if let Some(ratio) = arguments.optional("ratio") {
            retries = retries.with_budget(ratio)?;
        }
        Ok(vec![
            ("attempts", retries.attempts().into()),
            ("load", retries.load().into()),
        ])
    },
};

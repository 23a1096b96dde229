//! What retries cost and what they buy when attempts fail independently.

use libm::{log, pow};

use crate::numeric::{one_minus_exp, power_sum};
use crate::parameters::{FAILURE_PROBABILITY, RETRIES};
use crate::quantity::{DomainError, Quantity};

/// A request that is tried again after each failed attempt, up to `retries` times, every attempt failing with the
/// same probability independently of the others.
///
/// With p the failure probability of an attempt and r the retries, attempt i + 1 is made with probability pⁱ, so
/// that all results are pieces of one geometric series. All of them are probabilities or counts per request and
/// have no unit.
///
/// # Domain
/// 0 ≤ p ≤ 1, both ends included; 0 ≤ r ≤ 10⁹. A loss below the smallest positive double is 0.
///
/// # Source
/// Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 1968, chapter VI (Bernoulli
/// trials).
///
/// # Example
/// ```
/// use retrylab_analytic::amplification::Amplification;
///
/// let two_retries = Amplification::new(0.1, 2)?;
/// assert!((two_retries.attempts() - 1.11).abs() < 1e-15);
/// assert!((two_retries.loss() - 0.001).abs() < 1e-18);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amplification {
    failure_probability: f64,
    retries: u64,
}

impl Amplification {
    /// A policy of `retries` retries under a failure probability.
    ///
    /// # Errors
    /// [`DomainError`] unless 0 ≤ `failure_probability` ≤ 1 and `retries` ≤ 10⁹.
    pub fn new(failure_probability: f64, retries: u64) -> Result<Self, DomainError> {
        Ok(Self {
            failure_probability: FAILURE_PROBABILITY.check(failure_probability)?,
            retries: RETRIES.check_count(retries)?,
        })
    }

    /// Expected attempts per request: 1 + p + … + pʳ = (1 − pʳ⁺¹)/(1 − p), and r + 1 at p = 1.
    #[must_use]
    pub fn attempts(&self) -> f64 {
        power_sum(self.failure_probability, self.retries + 1)
    }

    /// Probability that some attempt succeeds: 1 − pʳ⁺¹.
    #[must_use]
    pub fn success(&self) -> f64 {
        one_minus_exp(self.attempts_max() * log(self.failure_probability))
    }

    /// Probability that every attempt fails: pʳ⁺¹.
    #[must_use]
    pub fn loss(&self) -> f64 {
        pow(self.failure_probability, self.attempts_max())
    }

    /// Expected attempts beyond the first: p + p² + … + pʳ. They are duplicate work when a failed attempt has been
    /// served all the same.
    #[must_use]
    pub fn duplicates(&self) -> f64 {
        self.failure_probability * power_sum(self.failure_probability, self.retries)
    }

    /// Share of all attempts that are retries: (p + … + pʳ)/(1 + p + … + pʳ).
    #[must_use]
    pub fn retry_share(&self) -> f64 {
        self.duplicates() / self.attempts()
    }

    /// Attempts per request when every attempt fails: r + 1, the limit of [`Amplification::attempts`] as p → 1.
    #[must_use]
    pub fn attempts_max(&self) -> f64 {
        (self.retries + 1) as f64
    }
}

/// [`Amplification`] by name.
pub static AMPLIFICATION: Quantity = Quantity {
    name: "amplification",
    summary: "attempts per request, success and retry share when attempts fail independently",
    parameters: &[FAILURE_PROBABILITY, RETRIES],
    results: &[
        ("attempts", "expected attempts per request"),
        ("success", "probability that some attempt succeeds"),
        ("loss", "probability that every attempt fails"),
        ("duplicates", "expected attempts per request beyond the first"),
        ("retry_share", "share of all attempts that are retries"),
        ("attempts_max", "attempts per request when every attempt fails"),
    ],
    formula: "attempts = 1 + p + … + p^r = (1 − p^(r+1))/(1 − p); success = 1 − p^(r+1); loss = p^(r+1); \
              duplicates = p + … + p^r; retry_share = duplicates/attempts; attempts_max = r + 1",
    source: "Feller, An Introduction to Probability Theory and Its Applications, vol. 1, 1968, chapter VI \
             (Bernoulli trials): a geometric series cut off after r + 1 attempts",
    evaluate: |arguments| {
        let policy = Amplification::new(
            arguments.number("failure_probability"),
            arguments.count("retries"),
        )?;
        Ok(vec![
            ("attempts", policy.attempts().into()),
            ("success", policy.success().into()),
            ("loss", policy.loss().into()),
            ("duplicates", policy.duplicates().into()),
            ("retry_share", policy.retry_share().into()),
            ("attempts_max", policy.attempts_max().into()),
        ])
    },
};

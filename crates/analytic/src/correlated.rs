//! What retries cost and buy when the attempts of one request tend to fail together.

use crate::amplification::Amplification;
use crate::parameters::{FAILURE_PROBABILITY, RETRIES};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Correlation between the outcomes of two attempts of one request.
const CORRELATION: Parameter = Parameter {
    name: "correlation",
    meaning: "correlation between the outcomes of any two attempts of a request: 0 independent, 1 identical",
    domain: Domain::Probability,
    requirement: Requirement::Required,
};

/// A request whose attempts share one outcome with probability c and are independent otherwise.
///
/// Every attempt fails with probability p, and the outcomes of any two attempts have correlation c: c = 0 is
/// [`Amplification`], c = 1 a failure that no retry can cure. The results are the mixture of the two extremes, have no
/// unit and count per request.
///
/// # Domain
/// 0 ≤ p ≤ 1, 0 ≤ c ≤ 1, 0 ≤ r ≤ 10⁹.
///
/// # Source
/// Law of total probability over whether the attempts share an outcome; at the ends, Feller, *An Introduction to
/// Probability Theory and Its Applications*, volume 1, 1968, chapter VI.
///
/// # Example
/// ```
/// use retrylab_analytic::correlated::Correlated;
///
/// // A malformed request: every attempt fails like the first, so two retries cost two attempts and buy nothing.
/// let persistent = Correlated::new(0.3, 2, 1.0)?;
/// assert!((persistent.success() - 0.7).abs() < 1e-15);
/// assert!((persistent.attempts() - 1.6).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlated {
    failure_probability: f64,
    retries: u64,
    correlation: f64,
    independent: Amplification,
}

impl Correlated {
    /// A policy of `retries` retries under a failure probability and a correlation between attempts.
    ///
    /// # Errors
    /// [`DomainError`] unless both probabilities lie between 0 and 1 and `retries` ≤ 10⁹.
    pub fn new(failure_probability: f64, retries: u64, correlation: f64) -> Result<Self, DomainError> {
        Ok(Self {
            failure_probability,
            retries,
            correlation: CORRELATION.check(correlation)?,
            independent: Amplification::new(failure_probability, retries)?,
        })
    }

    /// Expected attempts per request: c (1 + r p) + (1 − c) (1 + p + … + pʳ).
    #[must_use]
    pub fn attempts(&self) -> f64 {
        self.mix(
            1.0 + self.retries as f64 * self.failure_probability,
            self.independent.attempts(),
        )
    }

    /// Probability that some attempt succeeds: c (1 − p) + (1 − c) (1 − pʳ⁺¹).
    #[must_use]
    pub fn success(&self) -> f64 {
        self.mix(1.0 - self.failure_probability, self.independent.success())
    }

    /// Probability that every attempt fails: c p + (1 − c) pʳ⁺¹.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.mix(self.failure_probability, self.independent.loss())
    }

    /// The mean over requests whose attempts share an outcome and those whose attempts do not.
    fn mix(&self, identical: f64, independent: f64) -> f64 {
        self.correlation * identical + (1.0 - self.correlation) * independent
    }
}

/// [`Correlated`] by name.
pub static CORRELATED: Quantity = Quantity {
    name: "correlated",
    summary: "attempts per request and success when the attempts of one request tend to fail together",
    parameters: &[FAILURE_PROBABILITY, RETRIES, CORRELATION],
    results: &[
        ("attempts", "expected attempts per request"),
        ("success", "probability that some attempt succeeds"),
        ("loss", "probability that every attempt fails"),
    ],
    formula: "attempts = c (1 + r p) + (1 − c)(1 + p + … + p^r); success = c (1 − p) + (1 − c)(1 − p^(r+1)); \
              loss = c p + (1 − c) p^(r+1)",
    source: "law of total probability over whether the attempts share one outcome; Feller, An Introduction to \
             Probability Theory and Its Applications, vol. 1, 1968, chapter VI, at the ends",
    evaluate: |arguments| {
        let policy = Correlated::new(
            arguments.number("failure_probability"),
            arguments.count("retries"),
            arguments.number("correlation"),
        )?;
        Ok(vec![
            ("attempts", policy.attempts().into()),
            ("success", policy.success().into()),
            ("loss", policy.loss().into()),
        ])
    },
};

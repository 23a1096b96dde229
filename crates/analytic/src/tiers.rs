//! How retries multiply along a chain of services that each retry their calls.

use libm::{log1p, pow};

use crate::amplification::Amplification;
use crate::numeric::one_minus_exp;
use crate::parameters::{FAILURE_PROBABILITY, RETRIES};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Number of retrying services in a chain.
pub(crate) const TIERS: Parameter = Parameter {
    name: "tiers",
    meaning: "services in a chain, each of which retries its calls to the next",
    domain: Domain::Count {
        min: 1,
        max: 1000,
        accepted: "a whole number from 1 to 1000",
    },
    requirement: Requirement::Required,
};

/// A chain of tiers, each retrying its calls to the next with one and the same policy.
///
/// Every attempt that reaches a tier is a request to the tier's own calls. With A the attempts per request of one
/// tier, the innermost service receives A^tiers attempts per user's request; when every call fails it receives
/// (r + 1)^tiers. Both are counts per request and have no unit; one too large for a double is infinite.
///
/// # Domain
/// That of [`Amplification`]; 1 ≤ tiers ≤ 1000.
///
/// # Source
/// Beyer, Jones, Petoff and Murphy (editors), *Site Reliability Engineering*, 2016, chapter 22, which multiplies
/// four attempts at each of three layers to 64.
///
/// # Example
/// ```
/// use retrylab_analytic::tiers::Tiers;
///
/// let chain = Tiers::new(0.1, 2, 3)?;
/// assert!((chain.attempts() - 1.367_631).abs() < 1e-14);
/// assert_eq!(chain.attempts_worst(), 27.0);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tiers {
    tier: Amplification,
    tiers: u64,
}

impl Tiers {
    /// A chain of `tiers` tiers that each retry `retries` times.
    ///
    /// # Errors
    /// [`DomainError`] as [`Amplification::new`], or unless 1 ≤ `tiers` ≤ 1000.
    pub fn new(failure_probability: f64, retries: u64, tiers: u64) -> Result<Self, DomainError> {
        Ok(Self {
            tier: Amplification::new(failure_probability, retries)?,
            tiers: TIERS.check_count(tiers)?,
        })
    }

    /// The policy of each tier.
    #[must_use]
    pub fn tier(&self) -> Amplification {
        self.tier
    }

    /// Expected attempts that reach the innermost service per user's request.
    #[must_use]
    pub fn attempts(&self) -> f64 {
        pow(self.tier.attempts(), self.tiers as f64)
    }

    /// Attempts that reach the innermost service per user's request when every call fails.
    #[must_use]
    pub fn attempts_worst(&self) -> f64 {
        pow(self.tier.attempts_max(), self.tiers as f64)
    }

    /// Share of the attempts at the innermost service that would not be there without retries: 1 − A^(−tiers).
    #[must_use]
    pub fn retry_share(&self) -> f64 {
        // A = 1 + duplicates, so the share stays accurate when it is small.
        one_minus_exp(-(self.tiers as f64) * log1p(self.tier.duplicates()))
    }
}

/// [`Tiers`] by name.
pub static TIERS_IN_A_CHAIN: Quantity = Quantity {
    name: "tiers",
    summary: "attempts at the innermost of several tiers that each retry",
    parameters: &[FAILURE_PROBABILITY, RETRIES, TIERS],
    results: &[
        (
            "attempts",
            "expected attempts at the innermost service per user's request",
        ),
        ("attempts_worst", "the same when every call of every tier fails"),
    ],
    formula: "attempts = (1 + p + … + p^r)^tiers; attempts_worst = (r + 1)^tiers",
    source: "Beyer, Jones, Petoff and Murphy (eds.), Site Reliability Engineering, 2016, chapter 22 \
             (four attempts at each of three layers make 64)",
    evaluate: |arguments| {
        let chain = Tiers::new(
            arguments.number("failure_probability"),
            arguments.count("retries"),
            arguments.count("tiers"),
        )?;
        Ok(vec![
            ("attempts", chain.attempts().into()),
            ("attempts_worst", chain.attempts_worst().into()),
        ])
    },
};

//! What a cap on retries makes of the amplification, for the two ways in which caps are defined.

use crate::amplification::Amplification;
use crate::parameters::{FAILURE_PROBABILITY, RETRIES};
use crate::quantity::{Arguments, Domain, DomainError, Parameter, Quantity, Requirement, Values};

/// Retry tokens earned per first attempt.
pub(crate) const RATIO: Parameter = Parameter {
    name: "ratio",
    meaning: "retry tokens earned per first attempt",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Largest share of all attempts that may be retries.
const SHARE: Parameter = Parameter {
    name: "share",
    meaning: "largest share of all attempts that may be retries",
    domain: Domain::Probability,
    requirement: Requirement::Required,
};

/// A retry policy under a cap on the retries of all requests together, in the long run.
///
/// A cap by *ratio* b earns b retry tokens per first attempt, keeps up to a bank of them, and spends one per retry; a
/// retry without a token is not made. A cap by *share* s keeps retries to a share s of all attempts. With x retries
/// per first attempt their share is x/(1 + x), so a cap by share s is one by ratio b = s/(1 − s), and one by ratio b
/// is one by share s = b/(1 + b).
///
/// With D = p + … + pʳ the retries per request that failures ask for, the long-run attempts per request are
/// 1 + min(D, b). The number is exact for a large bank: tokens are spent one for one on retries, so the retries per
/// request are the tokens earned, less those lost to a full bank, less the change of the stock, which is bounded by
/// the bank and vanishes in the long run. When D > b the stock drifts down between refusals, stays near empty, and
/// the part lost to a full bank vanishes as the bank grows: every token is spent. When D < b the stock drifts up to
/// the full bank, the part of refused retries vanishes as the bank grows, and retries are those of the policy without
/// a cap. At D = b the two agree. A bank of finite size refuses and loses a little of both, and so lies below.
///
/// Whatever p, the attempts stay within min(r + 1, 1 + b) = min(r + 1, 1/(1 − s)). All results are counts or shares
/// and have no unit.
///
/// # Domain
/// That of [`Amplification`]; 0 ≤ b < ∞; 0 ≤ s ≤ 1, where s = 1 caps nothing.
///
/// # Source
/// Conservation of tokens, as above. Budgets of retries of both kinds: Beyer, Jones, Petoff and Murphy (editors),
/// *Site Reliability Engineering*, 2016, chapter 21.
///
/// # Example
/// ```
/// use retrylab_analytic::capped::Capped;
///
/// let by_ratio = Capped::by_ratio(0.9, 2, 0.1)?;
/// assert!((by_ratio.attempts() - 1.1).abs() < 1e-15);
/// let by_share = Capped::by_share(0.9, 2, 0.1)?;
/// assert!((by_share.attempts_bound() - 1.0 / 0.9).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capped {
    uncapped: Amplification,
    retries: u64,
    /// Infinite for a cap by the share 1.
    ratio: f64,
}

impl Capped {
    /// A policy capped to `ratio` retries per first attempt.
    ///
    /// # Errors
    /// [`DomainError`] as [`Amplification::new`], or unless `ratio` ≥ 0 is finite.
    pub fn by_ratio(failure_probability: f64, retries: u64, ratio: f64) -> Result<Self, DomainError> {
        let uncapped = Amplification::new(failure_probability, retries)?;
        Ok(Self {
            uncapped,
            retries,
            ratio: RATIO.check(ratio)?,
        })
    }

    /// A policy whose retries are capped to a `share` of all attempts.
    ///
    /// # Errors
    /// [`DomainError`] as [`Amplification::new`], or unless 0 ≤ `share` ≤ 1.
    pub fn by_share(failure_probability: f64, retries: u64, share: f64) -> Result<Self, DomainError> {
        let uncapped = Amplification::new(failure_probability, retries)?;
        let share = SHARE.check(share)?;
        Ok(Self {
            uncapped,
            retries,
            ratio: share / (1.0 - share),
        })
    }

    /// Long-run attempts per request: 1 + min(p + … + pʳ, b).
    #[must_use]
    pub fn attempts(&self) -> f64 {
        1.0 + self.uncapped.duplicates().min(self.ratio)
    }

    /// The most attempts per request that any failure probability causes: 1 + min(r, b).
    #[must_use]
    pub fn attempts_bound(&self) -> f64 {
        1.0 + self.retries_bound()
    }

    /// The largest share of all attempts that are retries under any failure probability.
    #[must_use]
    pub fn retry_share_bound(&self) -> f64 {
        self.retries_bound() / self.attempts_bound()
    }

    fn retries_bound(&self) -> f64 {
        self.ratio.min(self.retries as f64)
    }

    fn values(&self) -> Values {
        vec![
            ("attempts", self.attempts().into()),
            ("attempts_bound", self.attempts_bound().into()),
            ("retry_share_bound", self.retry_share_bound().into()),
        ]
    }
}

const RESULTS: &[(&str, &str)] = &[
    ("attempts", "long-run attempts per request, with a large bank"),
    (
        "attempts_bound",
        "the most attempts per request that any failure probability causes",
    ),
    (
        "retry_share_bound",
        "the largest share of all attempts that are retries under any failure probability",
    ),
];

const SOURCE: &str = "conservation of retry tokens; budgets as in Beyer, Jones, Petoff and Murphy (eds.), Site \
                      Reliability Engineering, 2016, chapter 21";

fn policy(arguments: &Arguments) -> (f64, u64) {
    (
        arguments.number("failure_probability"),
        arguments.count("retries"),
    )
}

/// [`Capped::by_ratio`] by name.
pub static CAPPED: Quantity = Quantity {
    name: "capped",
    summary: "attempts per request when retries are capped to a ratio of first attempts",
    parameters: &[FAILURE_PROBABILITY, RETRIES, RATIO],
    results: RESULTS,
    formula: "attempts = min(1 + p + … + p^r, 1 + ratio); attempts_bound = min(r + 1, 1 + ratio); \
              retry_share_bound = min(r/(r + 1), ratio/(1 + ratio))",
    source: SOURCE,
    evaluate: |arguments| {
        let (failure_probability, retries) = policy(arguments);
        Ok(Capped::by_ratio(failure_probability, retries, arguments.number("ratio"))?.values())
    },
};

/// [`Capped::by_share`] by name.
pub static CAPPED_SHARE: Quantity = Quantity {
    name: "capped-share",
    summary: "attempts per request when retries are capped to a share of all attempts",
    parameters: &[FAILURE_PROBABILITY, RETRIES, SHARE],
    results: RESULTS,
    formula: "attempts = min(1 + p + … + p^r, 1/(1 − share)); attempts_bound = min(r + 1, 1/(1 − share)); \
              retry_share_bound = min(r/(r + 1), share)",
    source: SOURCE,
    evaluate: |arguments| {
        let (failure_probability, retries) = policy(arguments);
        Ok(Capped::by_share(failure_probability, retries, arguments.number("share"))?.values())
    },
};

//! What a statistical procedure may meet in its input and cannot answer.

use thiserror::Error;

/// Why a statistical procedure has no answer for its input.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// A parameter lies outside the range in which the procedure is defined.
    #[error("{name} is {value}, but must be {accepted}")]
    OutOfRange {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The accepted range in words.
        accepted: &'static str,
    },
    /// The procedure needs more observations than there are.
    #[error("a sample of {have} is too small: at least {needed} observations are needed")]
    TooFewObservations {
        /// Number of observations given.
        have: u64,
        /// Smallest number for which the procedure has an answer.
        needed: u64,
    },
    /// All observations are equal, so their spread says nothing about the error of their mean.
    #[error("every observation is {value}: an interval from their spread would have width zero")]
    NoVariation {
        /// The value that every observation has.
        value: f64,
    },
    /// The mean of a ratio's denominator cannot be told apart from zero, so the ratio is unbounded.
    #[error("the denominator's mean {mean} is not separated from zero at the requested confidence")]
    DenominatorNotSeparated {
        /// Mean of the denominator.
        mean: f64,
    },
    /// A printed number is not a plain decimal number.
    #[error("{text:?} is not a plain decimal number such as 0.95 or 6000")]
    NotDecimal {
        /// The text given.
        text: String,
    },
}

/// Accepts a finite value for which `holds` is true, or names what is wrong with it.
pub(crate) fn require(
    name: &'static str,
    value: f64,
    accepted: &'static str,
    holds: bool,
) -> Result<f64, StatisticsError> {
    if holds && value.is_finite() {
        Ok(value)
    } else {
        Err(StatisticsError::OutOfRange {
            name,
            value,
            accepted,
        })
    }
}

/// Fails unless there are at least `needed` observations.
pub(crate) fn require_count(have: u64, needed: u64) -> Result<(), StatisticsError> {
    if have >= needed {
        Ok(())
    } else {
        Err(StatisticsError::TooFewObservations { have, needed })
    }
}

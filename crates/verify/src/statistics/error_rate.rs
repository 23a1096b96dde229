//! The probability of being wrong that a procedure is allowed.

use super::error::{StatisticsError, require};

/// A permitted probability of error α, strictly between 0 and 1.
///
/// Confidence is 1 − α. The error probability is what is stored, because a confidence such as 1 − 10⁻¹⁷
/// is not a floating-point number while 10⁻¹⁷ is.
///
/// ```
/// use retrylab_verify::statistics::ErrorRate;
/// let rate = ErrorRate::new(0.05)?;
/// assert_eq!(rate.confidence(), 0.95);
/// assert_eq!(rate.halved().value(), 0.025);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ErrorRate(f64);

impl ErrorRate {
    /// An error rate α with 0 < α < 1.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for any other value, NaN included.
    pub fn new(alpha: f64) -> Result<Self, StatisticsError> {
        require(
            "error rate",
            alpha,
            "strictly between 0 and 1",
            alpha > 0.0 && alpha < 1.0,
        )
        .map(Self)
    }

    /// The error probability α.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// The confidence 1 − α, rounded to the nearest floating-point number.
    #[must_use]
    pub fn confidence(self) -> f64 {
        1.0 - self.0
    }

    /// α/2: one side's share of a two-sided procedure.
    #[must_use]
    pub fn halved(self) -> Self {
        self.divided(2.0)
    }

    /// α/d for a divisor d ≥ 1: a share in a union bound.
    ///
    /// # Panics
    /// When the divisor is not a finite number of at least 1, or the share underflows to 0: a bug of the
    /// caller.
    #[must_use]
    pub(crate) fn divided(self, divisor: f64) -> Self {
        assert!(
            divisor >= 1.0 && divisor.is_finite(),
            "a share divides by at least 1, not by {divisor}"
        );
        let share = self.0 / divisor;
        assert!(
            share > 0.0,
            "error rate {} divided by {divisor} underflows",
            self.0
        );
        Self(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_nan_are_refused_by_name() {
        for bad in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            let message = ErrorRate::new(bad).unwrap_err().to_string();
            assert!(message.starts_with("error rate is "), "{message}");
        }
        assert!(ErrorRate::new(1e-300).is_ok());
    }

    #[test]
    #[should_panic(expected = "a share divides by at least 1")]
    fn a_share_cannot_exceed_the_whole() {
        let _ = ErrorRate(0.5).divided(0.5);
    }
}

//! How an assessment is made.

use retrylab_verify::statistics::{ErrorRate, StatisticsError};

/// Probability with which each interval of an assessment covers.
pub const CONFIDENCE: f64 = 0.95;

/// The error rate of each interval.
pub(crate) fn alpha() -> Result<ErrorRate, StatisticsError> {
    ErrorRate::new(0.05)
}

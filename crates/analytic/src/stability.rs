//! Whether a queue without a bound on its length has a steady state.

use crate::Value;

/// Why a mean or a quantile of an unbounded queue does not exist: arrivals are not slower than service.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "the arrival rate {arrival_rate} is not below the service capacity {capacity}, so the queue grows without bound"
)]
pub struct Unstable {
    /// Arrivals per unit of time.
    pub arrival_rate: f64,
    /// The most that all servers together can serve per unit of time.
    pub capacity: f64,
}

impl Unstable {
    /// Accepts an arrival rate below the capacity.
    ///
    /// # Errors
    /// [`Unstable`] when the arrival rate is at or above the capacity.
    pub fn check(arrival_rate: f64, capacity: f64) -> Result<(), Self> {
        if arrival_rate < capacity {
            Ok(())
        } else {
            Err(Self {
                arrival_rate,
                capacity,
            })
        }
    }
}

impl From<Result<f64, Unstable>> for Value {
    fn from(result: Result<f64, Unstable>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

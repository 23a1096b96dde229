//! The load above which a collapsed service stays collapsed although retries are held to a budget.

use crate::capped::RATIO;
use crate::quantity::{DomainError, Quantity};

/// The load 1/(1 + b) at which first attempts and the retries of a budget just fill the server.
///
/// When every attempt times out, each request is sent 1 + b times in the long run, b being the retry tokens that a
/// first attempt earns (see [`Capped`](crate::capped::Capped)), provided that the policy would retry at least b times.
/// Load is new requests per unit of time over the service capacity, without unit.
///
/// # Domain
/// 0 ≤ `ratio` < ∞.
///
/// # Errors
/// [`DomainError`] outside the domain.
///
/// # Source
/// Flow balance of a saturated server: arrivals load × (1 + b) against departures 1.
///
/// # Example
/// ```
/// assert_eq!(retrylab_analytic::budget_line::load(0.25), Ok(0.8));
/// ```
pub fn load(ratio: f64) -> Result<f64, DomainError> {
    Ok(1.0 / (1.0 + RATIO.check(ratio)?))
}

/// [`load`] by name.
pub static BUDGET_LINE: Quantity = Quantity {
    name: "budget-line",
    summary: "the load above which a collapsed service stays collapsed under a budget of retries per first attempt",
    parameters: &[RATIO],
    results: &[("load", "new requests per unit of time over the service capacity")],
    formula: "load = 1/(1 + ratio)",
    source: "flow balance of a saturated server: load × (1 + ratio) = 1",
    evaluate: |arguments| Ok(vec![("load", load(arguments.number("ratio"))?.into())]),
};

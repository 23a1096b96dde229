//! How fast the backlog of a stuck service grows or drains.

use crate::ceiling::CAPACITY;
use crate::parameters::ARRIVAL_RATE;
use crate::quantity::{DomainError, Quantity};
use crate::stuck_line::ATTEMPTS;

/// Growth of the backlog of attempts per unit of time while every attempt times out: λk − μ.
///
/// New requests arrive at rate λ and are sent k times each, while the server completes μ attempts per unit of time for
/// nobody. Below 0 the backlog drains at that rate; [`stuck_line::load`](crate::stuck_line::load) is where it is 0.
/// Units: attempts per unit of time, the unit of both rates.
///
/// # Domain
/// λ ≥ 0, 1 ≤ k ≤ 10⁹, μ > 0.
///
/// # Errors
/// [`DomainError`] outside the domain.
///
/// # Source
/// Flow balance of a saturated server: arrivals λk against departures μ.
///
/// # Example
/// ```
/// // 600 requests a second, three attempts each, for a capacity of 1000.
/// assert_eq!(retrylab_analytic::stuck_growth::growth_rate(600.0, 3, 1000.0), Ok(800.0));
/// ```
pub fn growth_rate(arrival_rate: f64, attempts: u64, capacity: f64) -> Result<f64, DomainError> {
    let attempt_rate = ARRIVAL_RATE.check(arrival_rate)? * ATTEMPTS.check_count(attempts)? as f64;
    Ok(attempt_rate - CAPACITY.check(capacity)?)
}

/// [`growth_rate`] by name.
pub static STUCK_GROWTH: Quantity = Quantity {
    name: "stuck-growth",
    summary: "how fast the backlog of a stuck service grows, or drains where negative",
    parameters: &[ARRIVAL_RATE, ATTEMPTS, CAPACITY],
    results: &[(
        "growth_rate",
        "attempts by which the backlog grows per unit of time",
    )],
    formula: "growth_rate = arrival_rate · attempts − capacity",
    source: "flow balance of a saturated server: arrivals arrival_rate · attempts against departures capacity",
    evaluate: |arguments| {
        let growth_rate = growth_rate(
            arguments.number("arrival_rate"),
            arguments.count("attempts"),
            arguments.number("capacity"),
        )?;
        Ok(vec![("growth_rate", growth_rate.into())])
    },
};

//! The load above which a service that has collapsed under retries stays collapsed.

use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};

/// Attempts that a client makes in total.
pub(crate) const ATTEMPTS: Parameter = Parameter {
    name: "attempts",
    meaning: "attempts that a client makes in total, the first included",
    domain: Domain::Count {
        min: 1,
        max: 1_000_000_000,
        accepted: "a whole number from 1 to 1000000000",
    },
    requirement: Requirement::Required,
};

/// The load 1/k at which k attempts per request just fill the server.
///
/// When every attempt times out, each request is sent `attempts` times and all of them are served for nobody. The
/// backlog then grows if load × attempts > 1 and drains if it is below, load being new requests per unit of time over
/// the service capacity, without unit.
///
/// # Domain
/// 1 ≤ `attempts` ≤ 10⁹.
///
/// # Errors
/// [`DomainError`] outside the domain.
///
/// # Source
/// Flow balance of a saturated server: arrivals load × attempts against departures 1.
///
/// # Example
/// ```
/// assert_eq!(retrylab_analytic::stuck_line::load(4), Ok(0.25));
/// ```
pub fn load(attempts: u64) -> Result<f64, DomainError> {
    Ok(1.0 / ATTEMPTS.check_count(attempts)? as f64)
}

/// [`load`] by name.
pub static STUCK_LINE: Quantity = Quantity {
    name: "stuck-line",
    summary: "the load above which a collapsed service stays collapsed when clients make a number of attempts",
    parameters: &[ATTEMPTS],
    results: &[("load", "new requests per unit of time over the service capacity")],
    formula: "load = 1/attempts",
    source: "flow balance of a saturated server: load × attempts = 1",
    evaluate: |arguments| Ok(vec![("load", load(arguments.count("attempts"))?.into())]),
};

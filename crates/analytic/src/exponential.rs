//! Integrals of exponentials over an interval and over a triangle, free of cancellation and of 0/0.

use std::iter::successors;

use libm::exp;

use crate::numeric::one_minus_exp;
use crate::series::total;

/// ∫₀ᴸ e^(−rate·u) du with L = `length`, for rate ≥ 0: (1 − e^(−rate·L))/rate, or L at rate 0.
pub(crate) fn span(length: f64, rate: f64) -> f64 {
    let exponent = rate * length;
    if exponent > 0.0 {
        one_minus_exp(-exponent) / rate
    } else {
        length
    }
}

/// The integral of e^(−slow·u − fast·v) over the triangle u, v ≥ 0, u + v ≤ `length`, for rates ≥ 0 in either order.
///
/// With positive rates, slow·fast times it is the probability that two exponential stages of these rates in
/// sequence end within `length`.
pub(crate) fn triangle(length: f64, slow: f64, fast: f64) -> f64 {
    let (slow, fast) = if slow <= fast { (slow, fast) } else { (fast, slow) };
    let longest = fast * length;
    if longest > 1.0 {
        // Both terms keep their distance from one another here: at worst the difference is a quarter of the first.
        return (span(length, slow) - exp(-slow * length) * span(length, fast - slow)) / fast;
    }
    // In a Poisson process at the faster rate, each event ends the slow stage with probability slow/fast and the
    // next one ends the fast stage. All terms are positive.
    let keep = (fast - slow) / fast.max(f64::MIN_POSITIVE);
    let terms = successors(
        Some((2.0, 0.5 * exp(-longest), 1.0)),
        |&(events, weight, ended)| {
            let events = events + 1.0;
            Some((events, weight * longest / events, 1.0 + keep * ended))
        },
    );
    length * length * total(terms.map(|(_, weight, ended)| weight * ended))
}

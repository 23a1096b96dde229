//! Elementary expressions written so that nothing cancels.

use libm::{exp, expm1, log, log1p};

/// 1 − eˣ for x ≤ 0.
pub(crate) fn one_minus_exp(exponent: f64) -> f64 {
    // Subtracting from 0 rather than negating keeps the sign of a zero positive.
    0.0 - expm1(exponent)
}

/// ln(numerator / denominator) for a numerator ≥ 0 and a denominator ≥ 0 that are not both 0.
///
/// Near a ratio of 1 the logarithm is taken of the difference, because the quotient's rounding error alone would be
/// as large as the result.
pub(crate) fn ln_ratio(numerator: f64, denominator: f64) -> f64 {
    let quotient = numerator / denominator;
    if (0.5..=2.0).contains(&quotient) {
        log1p((numerator - denominator) / denominator)
    } else if quotient.is_normal() {
        log(quotient)
    } else {
        log(numerator) - log(denominator)
    }
}

/// 1 + x + x² + … with `terms` terms, for 0 ≤ x ≤ 1.
pub(crate) fn power_sum(ratio: f64, terms: u64) -> f64 {
    if terms == 0 {
        0.0
    } else if ratio < 1.0 {
        one_minus_exp(terms as f64 * log(ratio)) / (1.0 - ratio)
    } else {
        terms as f64
    }
}

/// coth x − 1/x, the Langevin function, for |x| ≤ 1.
pub(crate) fn langevin(x: f64) -> f64 {
    // Lambert's continued fraction x/(3 + x²/(5 + x²/(7 + …))) has only positive terms; cut off after 25 it is
    // exact to rounding for |x| ≤ 1.
    let square = x * x;
    let denominator = (1..12)
        .rev()
        .fold(25.0, |tail, n| f64::from(2 * n + 1) + square / tail);
    x / denominator
}

/// e^(−(faster − slower)·time), where the difference of two rates is formed before the product.
pub(crate) fn decay(faster: f64, slower: f64, time: f64) -> f64 {
    exp(-(faster - slower) * time)
}

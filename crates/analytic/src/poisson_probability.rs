//! Poisson probabilities to full relative precision, far tails included.

use std::f64::consts::PI;

use libm::{exp, log, log1p, sqrt};

use crate::series::by_ratio;

/// Below this count factorials are multiplied out; from it on Stirling's series has reached rounding.
const STIRLING_FROM: f64 = 16.0;

/// x − ln(1 + x), which is about x²/2 near 0, for x ≥ −1.
pub(crate) fn log1p_gap(x: f64) -> f64 {
    if !(-0.7..=2.0).contains(&x) {
        return x - log1p(x);
    }
    // ln(1 + x) = 2 artanh s with s = x/(2 + x), and x − 2s = x·s.
    let s = x / (2.0 + x);
    let square = s * s;
    let tail = by_ratio(1.0 / 3.0, |index| {
        square * (2.0 * index + 1.0) / (2.0 * index + 3.0)
    });
    x * s - 2.0 * s * square * tail
}

/// ln n! − (n ln n − n + ½ ln 2πn) for n ≥ 16, by Stirling's series.
fn stirling_error(n: f64) -> f64 {
    let square = n * n;
    (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square) / square)
            / square)
        / n
}

/// e^(−mean)·meanⁿ/n! with n = `count`, where `excess` is n − mean, given apart because the caller may know it more
/// precisely than a subtraction would.
///
/// The saddle-point form of C. Loader, "Fast and accurate computation of binomial probabilities" (2000): the large
/// logarithms of its factors cancel on paper and not in the machine.
pub(crate) fn poisson(count: f64, mean: f64, excess: f64) -> f64 {
    if count < STIRLING_FROM {
        if count == 0.0 {
            return exp(-mean);
        }
        let share = exp(-mean / count);
        return (1..=count as u32).map(|i| mean / f64::from(i) * share).product();
    }
    // Far below the count, 1 + x is the ratio of mean and count itself: adding 1 to x would lose it.
    let deviance = if count > 3.0 * mean {
        count * log(count / mean) - excess
    } else {
        count * log1p_gap(-excess / count)
    };
    exp(-deviance - stirling_error(count)) / sqrt(2.0 * PI * count)
}

/// n!/baseⁿ with n = `count`, for base ≥ n.
pub(crate) fn factorial_over_power(count: f64, base: f64) -> f64 {
    if count < STIRLING_FROM {
        return (1..=count as u32).map(|i| f64::from(i) / base).product();
    }
    let exponent = count * (1.0 + log(base / count));
    exp(stirling_error(count) - exponent) * sqrt(2.0 * PI * count)
}

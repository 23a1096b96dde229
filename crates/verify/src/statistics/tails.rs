//! Logarithms of the tails of the beta distribution, hence of the binomial's and Student's.
//!
//! Extreme confidences need tail probabilities of 10⁻⁸ and less over sample sizes from 2 to millions.
//! Inverting a tail that was computed as one minus its complement, or with a continued fraction cut off after
//! a fixed number of terms, fails there. Here the smaller tail is computed directly, in logarithms, and the
//! fraction runs until it has converged.

use std::f64::consts::PI;

/// Terms after which the continued fraction must have converged: it needs some √(a + b) of them.
const FRACTION_TERMS_MAX: u32 = 10_000_000;

/// ln [xᵃ yᵇ / B(a, b)] with y = 1 − x: the density of ln(x/y) when x has the beta distribution.
///
/// Written with Stirling's error and the deviance (Loader, "Fast and accurate computation of binomial
/// probabilities", 2000), so that large a and b do not cancel.
pub(crate) fn ln_logit_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let total = a + b;
    0.5 * (a * (b / total) / (2.0 * PI)).ln() + stirling_error(total)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, total * x)
        - deviance(b, total * y)
}

/// `(ln I_x(a, b), ln I_y(b, a))`: both tails of the beta distribution at x = 1 − y, for a, b > 0 and x, y >
/// 0.
pub(crate) fn ln_beta_tails(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    let ln_density = ln_logit_density(a, b, x, y);
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = (ln_density - continued_fraction(a, b, x, y).ln()).min(0.0);
        (lower, ln_complement(lower))
    } else {
        let upper = (ln_density - continued_fraction(b, a, y, x).ln()).min(0.0);
        (ln_complement(upper), upper)
    }
}

/// ln P(X ≤ successes) for X binomial with `trials` and 0 < probability < 1, successes < trials.
pub(crate) fn ln_binomial_at_most(successes: u64, trials: u64, probability: f64) -> f64 {
    let above = successes as f64 + 1.0;
    ln_beta_tails(above, (trials - successes) as f64, probability, 1.0 - probability).1
}

/// ln P(X ≥ successes) for X binomial with `trials` and 0 < probability < 1, 0 < successes ≤ trials.
pub(crate) fn ln_binomial_at_least(successes: u64, trials: u64, probability: f64) -> f64 {
    let below = (trials - successes) as f64 + 1.0;
    ln_beta_tails(successes as f64, below, probability, 1.0 - probability).0
}

/// ln P(T > t) for Student's distribution, t > 0.
pub(crate) fn ln_student_tail(degrees_of_freedom: f64, t: f64) -> f64 {
    let square = t * t;
    let x = degrees_of_freedom / (degrees_of_freedom + square);
    let y = square / (degrees_of_freedom + square);
    ln_beta_tails(0.5 * degrees_of_freedom, 0.5, x, y).0 - std::f64::consts::LN_2
}

/// ln(1 − eˣ) for x ≤ 0.
fn ln_complement(x: f64) -> f64 {
    if x > -std::f64::consts::LN_2 {
        (-x.exp_m1()).ln()
    } else {
        (-x.exp()).ln_1p()
    }
}

/// The continued fraction f with `I_x(a, b) = xᵃ yᵇ/(B(a, b) f)`, for x below the mean or little above.
///
/// Didonato & Morris (ACM TOMS 18, 1992, equation 9), evaluated by Lentz's method. It takes x only through a
/// y − b x, and so keeps its accuracy where x is so near 1 that the classical fraction (DLMF 8.17.22)
/// cancels.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let numerator = |m: f64| {
        let scale = a + 2.0 * m - 1.0;
        ((a + m - 1.0) / scale) * ((a + b + m - 1.0) / scale) * m * (b - m) * x * x
    };
    let denominator = |m: f64| {
        m + m * (b - m) * x / (a + 2.0 * m - 1.0)
            + (a + m) * (a * y - b * x + 1.0 + m * (1.0 + y)) / (a + 2.0 * m + 1.0)
    };
    let away_from_zero = |value: f64| {
        if value.abs() < f64::MIN_POSITIVE {
            f64::MIN_POSITIVE
        } else {
            value
        }
    };
    // The term of m = 0 alone, where the general expression would be 0/0 at a = 1.
    let mut value = away_from_zero(a * (a * y - b * x + 1.0) / (a + 1.0));
    let (mut c, mut d) = (value, 0.0);
    for term in 1..=FRACTION_TERMS_MAX {
        let m = f64::from(term);
        let (above, below) = (numerator(m), denominator(m));
        d = 1.0 / away_from_zero(below + above * d);
        c = away_from_zero(below + above / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            return value;
        }
    }
    unreachable!("the continued fraction of I_{x}({a}, {b}) did not converge")
}

/// ln Γ(z) − [(z − ½) ln z − z + ½ ln 2π]: the error of Stirling's formula, z > 0.
///
/// Its asymptotic series from 15 on; below, the recursion δ(z) = δ(z + 1) + (z + ½) ln(1 + 1/z) − 1 leads there. The
/// difference in its definition would cancel.
fn stirling_error(z: f64) -> f64 {
    let (mut z, mut steps) = (z, 0.0);
    while z < 15.0 {
        steps += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    let square = z * z;
    let tail = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square;
    steps + (1.0 / 12.0 - (1.0 / 360.0 - tail / square) / square) / z
}

/// k ln(k/m) + m − k for k, m > 0, without cancellation where k ≈ m.
fn deviance(k: f64, m: f64) -> f64 {
    let v = (k - m) / (k + m);
    if v.abs() >= 0.1 {
        return k * (k / m).ln() + m - k;
    }
    // k ln(k/m) = 2k artanh v, expanded in odd powers of v.
    let mut sum = (k - m) * v;
    let mut power = 2.0 * k * v;
    for odd in (3_u8..).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// `I_x(a`, b) from mpmath 1.4.1 with 40 digits: `betainc(a, b, 0, x, regularized=True)`, or for large
    /// parameters the binomial tail P(Bin(a + b − 1, x) ≥ a) summed term by term.
    #[test]
    fn agrees_with_high_precision_from_small_to_large_parameters() {
        for (a, b, x, expected) in REFERENCE {
            let (lower, upper) = ln_beta_tails(a, b, x, 1.0 - x);
            assert_relative_eq!(lower.exp(), expected, epsilon = 0.0, max_relative = 2e-11);
            assert!((lower.exp() + upper.exp() - 1.0).abs() < 1e-14, "{a} {b} {x}");
        }
    }

    const REFERENCE: [(f64, f64, f64, f64); 10] = [
        (1.0, 1.0, 0.3, 0.3),
        (0.5, 0.5, 0.01, 0.063_768_560_858_519_85),
        (7.5, 0.5, 0.25, 7.006_558_301_664_905e-6),
        (5.0, 36.0, 0.5, 0.999_999_907_148_776_4),
        (5.0, 36.0, 0.01, 4.915_438_703_394_79e-5),
        (1000.0, 2000.0, 0.3, 4.073_827_916_050_771_5e-5),
        (100_000.0, 100_000.0, 0.499, 0.185_546_744_557_556_75),
        (5.0, 1e6, 1e-6, 0.003_659_885_148_265_091_6),
        (20.0, 20.0, 1e-6, 6.892_201_723_783_451e-110),
        (300_000.0, 700_000.0, 0.297, 2.711_652_781_891_364e-11),
    ];

    /// mpmath 1.4.1, 40 digits, on both sides of the change of formula at 15.
    #[test]
    fn stirlings_error_agrees_with_high_precision() {
        for (z, expected) in [
            (0.5, 0.153_426_409_720_027_35),
            (3.0, 0.027_677_925_684_998_34),
            (14.5, 0.005_746_216_513_010_115_7),
            (15.0, 0.005_554_733_551_962_801),
            (40.0, 0.002_083_289_938_302_421_7),
        ] {
            assert!(
                (stirling_error(z) - expected).abs() < 4e-15,
                "{z}: {}",
                stirling_error(z)
            );
        }
        let expected = 0.005_554_733_551_962_801;
        assert_relative_eq!(
            stirling_error(15.0),
            expected,
            epsilon = 0.0,
            max_relative = 1e-13
        );
    }

    #[test]
    fn binomial_tails_are_sums_of_probabilities() {
        // n = 5, p = 1/4: (243, 405, 270, 90, 15, 1) / 1024.
        assert_relative_eq!(
            ln_binomial_at_most(1, 5, 0.25).exp(),
            648.0 / 1024.0,
            max_relative = 1e-14
        );
        assert_relative_eq!(
            ln_binomial_at_least(4, 5, 0.25).exp(),
            16.0 / 1024.0,
            max_relative = 1e-14
        );
        assert_relative_eq!(
            ln_binomial_at_least(5, 5, 0.25).exp(),
            1.0 / 1024.0,
            max_relative = 1e-14
        );
        assert_relative_eq!(
            ln_binomial_at_most(0, 5, 0.25).exp(),
            243.0 / 1024.0,
            max_relative = 1e-14
        );
    }

    #[test]
    fn student_with_one_degree_of_freedom_is_the_cauchy_distribution() {
        for t in [0.01, 0.5, 1.0, 3.0, 1e6_f64] {
            let exact = (1.0_f64).atan2(t) / PI;
            assert_relative_eq!(
                ln_student_tail(1.0, t).exp(),
                exact,
                epsilon = 0.0,
                max_relative = 1e-13
            );
        }
    }
}

//! Critical values: upper quantiles of the normal and Student's distributions, lower quantiles of the beta.

use statrs::function::erf::erfc_inv;

use super::{
    error::{StatisticsError, require},
    error_rate::ErrorRate,
    tails::{ln_beta_tails, ln_logit_density, ln_student_tail},
};

/// Steps after which the safeguarded Newton iteration must have ended; plain bisection of its bracket needs
/// fewer.
const STEPS_MAX: u32 = 200;

/// z with P(Z > z) = α for a standard normal Z: negative for α > ½.
///
/// Computed from the upper tail itself, so it is accurate for α down to 10⁻³⁰⁰.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, normal_critical_value};
/// let z = normal_critical_value(ErrorRate::new(0.025)?);
/// assert!((z - 1.9599639845400542).abs() < 1e-14);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[must_use]
pub fn normal_critical_value(upper_tail: ErrorRate) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(2.0 * upper_tail.value())
}

/// t with P(T > t) = α for Student's distribution with ν degrees of freedom, ν ≥ 1 and α < ½.
///
/// The solution of ln P(T > t) = ln α, where the left side is nearly linear in ln t: relative error below
/// 10⁻¹² for α down to 10⁻¹⁵⁰, where t² still is a floating-point number.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] for ν < 1 or α ≥ ½.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, student_critical_value};
/// let t = student_critical_value(39.0, ErrorRate::new(5e-9)?)?;
/// assert!((t - 7.2418394882500374).abs() < 1e-11);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn student_critical_value(
    degrees_of_freedom: f64,
    upper_tail: ErrorRate,
) -> Result<f64, StatisticsError> {
    let alpha = upper_tail.value();
    require(
        "degrees of freedom",
        degrees_of_freedom,
        "at least 1",
        degrees_of_freedom >= 1.0,
    )?;
    require("tail probability", alpha, "below 1/2", alpha < 0.5)?;
    let tail = |ln_t: f64| {
        let t = ln_t.exp();
        let ln_tail = ln_student_tail(degrees_of_freedom, t);
        // The density of T, times t: half the density of the logit, by the change of variables.
        let square = t * t;
        let (x, y) = (
            degrees_of_freedom / (degrees_of_freedom + square),
            square / (degrees_of_freedom + square),
        );
        let slope = ln_logit_density(0.5 * degrees_of_freedom, 0.5, x, y) - ln_tail;
        (alpha.ln() - ln_tail, slope.exp())
    };
    // Student's tail is heavier than the normal's and lighter than the Cauchy's, 1/(π t) at most.
    let low = normal_critical_value(upper_tail).ln();
    let high = -(std::f64::consts::PI * alpha).ln();
    Ok(increasing_root(low.min(high) - 1e-9, high.max(low) + 1e-9, tail).exp())
}

/// The x with `I_x(a, b)` = α, as the pair (x, 1 − x), both accurate: the lower quantile of the beta
/// distribution.
pub(crate) fn beta_lower_quantile(a: f64, b: f64, lower_tail: ErrorRate) -> (f64, f64) {
    let parts = |logit: f64| (1.0 / (1.0 + (-logit).exp()), 1.0 / (1.0 + logit.exp()));
    let tail = |logit: f64| {
        let (x, y) = parts(logit);
        let ln_tail = ln_beta_tails(a, b, x, y).0;
        (
            ln_tail - lower_tail.value().ln(),
            (ln_logit_density(a, b, x, y) - ln_tail).exp(),
        )
    };
    // Beyond ±700 the logit's exponential leaves the floating-point range.
    parts(increasing_root(-700.0, 700.0, tail))
}

/// The root of an increasing function given with its slope: Newton's steps, halving the bracket where one
/// leaves it.
fn increasing_root(mut low: f64, mut high: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut at = f64::midpoint(low, high);
    for _ in 0..STEPS_MAX {
        let (value, slope) = function(at);
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let newton = at - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - at).abs() <= 2.0 * f64::EPSILON * at.abs().max(1.0) {
            return next;
        }
        at = next;
    }
    at
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    /// mpmath 1.4.1, 40 digits: the root of ln(erfc(z/√2)/2) = ln α.
    #[test]
    fn normal_values_agree_with_high_precision() {
        for (alpha, z) in [
            (0.4, 0.253_347_103_135_799_8),
            (0.025, 1.959_963_984_540_054_2),
            (0.0005, 3.290_526_731_491_895),
            (1e-6, 4.753_424_308_822_899),
            (5e-9, 5.730_728_868_236_29),
            (1e-12, 7.034_483_825_301_132),
            (1e-20, 9.262_340_089_798_407),
            (1e-300, 37.047_096_299_361_2),
        ] {
            assert_relative_eq!(
                normal_critical_value(rate(alpha)),
                z,
                epsilon = 0.0,
                max_relative = 2e-14
            );
        }
        assert_relative_eq!(
            normal_critical_value(rate(0.975)),
            -1.959_963_984_540_054_2,
            max_relative = 1e-13
        );
    }

    /// mpmath 1.4.1, 40 digits: the root of ln(I_{ν/(ν+t²)}(ν/2, 1/2)/2) = ln α, found by bisection in ln t.
    const STUDENT: [(f64, [f64; 5]); 7] = [
        (
            1.0,
            [
                12.706204736174705,
                636.619_248_768_719_7,
                318_309.886_182_743_5,
                63_661_977.236_758_13,
                318309886183.79067,
            ],
        ),
        (
            2.0,
            [
                4.302_652_729_749_464,
                31.599_054_576_443_62,
                707.1057205259338,
                9_999.999_925,
                707_106.781_185_486_8,
            ],
        ),
        (
            4.0,
            [
                2.7764451051977944,
                8.610_301_581_379_275,
                41.577854150450975,
                156.49780870197868,
                1316.0727465592565,
            ],
        ),
        (
            9.0,
            [
                2.2621571627982055,
                4.780_912_585_931_139,
                10.7201604099095,
                19.782_179_065_364_79,
                51.41491602328223,
            ],
        ),
        (
            39.0,
            [
                2.0226909200367611,
                3.5581200813327323,
                5.577_384_158_087_601,
                7.241_839_488_250_037,
                10.087196511192301,
            ],
        ),
        (
            199.0,
            [
                1.9719565442517538,
                3.340086556161431,
                4.898_044_059_397_848,
                5.983_537_498_050_804,
                7.505_733_833_748_475,
            ],
        ),
        (
            9999.0,
            [
                1.9602012636213577,
                3.2915000633009319,
                4.7562299657670432,
                5.735_581_266_585_504,
                7.043_372_491_879_411,
            ],
        ),
    ];

    #[test]
    fn student_values_agree_with_high_precision() {
        for (degrees_of_freedom, expected) in STUDENT {
            for (alpha, expected) in [0.025, 0.0005, 1e-6, 5e-9, 1e-12].into_iter().zip(expected) {
                let t = student_critical_value(degrees_of_freedom, rate(alpha)).unwrap();
                assert_relative_eq!(t, expected, epsilon = 0.0, max_relative = 1e-12);
            }
        }
    }

    #[test]
    fn student_tends_to_the_normal() {
        for alpha in [0.3, 0.025, 1e-9] {
            let z = normal_critical_value(rate(alpha));
            let t = student_critical_value(1e9, rate(alpha)).unwrap();
            // The first term of the Cornish-Fisher expansion in 1/ν.
            assert_relative_eq!(t, z + (z.powi(3) + z) / 4e9, epsilon = 0.0, max_relative = 1e-11);
        }
        assert!(student_critical_value(0.5, rate(0.05)).is_err());
        assert!(student_critical_value(5.0, rate(0.5)).is_err());
    }

    #[test]
    fn student_values_near_the_middle_and_beta_quantiles_have_closed_forms() {
        // One degree of freedom: t = cot(πα). I_x(1, b) = 1 − (1 − x)^b.
        for alpha in [0.499, 0.4, 0.1, 1e-150] {
            let t = student_critical_value(1.0, rate(alpha)).unwrap();
            let cotangent = 1.0 / (std::f64::consts::PI * alpha).tan();
            assert_relative_eq!(t, cotangent, epsilon = 0.0, max_relative = 1e-10);
        }
        for alpha in [0.9, 0.5, 1e-3, 1e-200] {
            let (x, _) = beta_lower_quantile(1.0, 50.0, rate(alpha));
            let exact = -((-alpha).ln_1p() / 50.0).exp_m1();
            assert_relative_eq!(x, exact, epsilon = 0.0, max_relative = 1e-12);
        }
    }
}

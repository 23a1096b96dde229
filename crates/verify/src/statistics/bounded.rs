//! Intervals for the mean of observations known to lie in a range: valid for every sample size and
//! distribution.
//!
//! A success share that is 0.000 in 40 of 40 replications has no spread, yet 40 replications do not show that
//! it is always 0: one replication in ten could recover and still all 40 fail with probability 0.015. A
//! t-interval would have width zero there. Three statements that assume nothing but the range and
//! independence hold instead.

use super::{
    error::{StatisticsError, require, require_count},
    error_rate::ErrorRate,
    interval::Interval,
    mean::{SKEWNESS_MAX, mean_interval, skewness_of_mean_bound},
    moments::Moments,
};

/// The interval for the mean of independent observations in a known `range` [a, b], valid for every n and
/// distribution.
///
/// The intersection, within the range, of three intervals that each have error α/3 (union bound):
/// - Hoeffding (1963): mean ± (b − a) √(ln(2/α')/(2n));
/// - empirical Bernstein (Maurer & Pontil 2009, theorem 4, for both sides):
///   mean ± [√(2 V ln(4/α')/n) + 7 (b − a) ln(4/α')/(3(n − 1))] with V the sample variance;
/// - when all observations equal v: the first names v, the n − 1 others are independent trials of "differs
///   from v" without success, so P(differs) ≤ q = 1 − α'^(1/(n−1)) (the one-sided Clopper–Pearson bound) and
///   the mean lies in [v − q(v − a), v + q(b − v)].
///
/// # Errors
/// [`StatisticsError::TooFewObservations`] below two observations; [`StatisticsError::OutOfRange`] when the
/// observed mean lies outside the range, so that the range is wrong.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Interval, Moments, bounded_mean_interval};
/// let all_failed: Moments = std::iter::repeat_n(0.0, 400).collect();
/// let unit = Interval::certain(0.0, 1.0)?;
/// let interval = bounded_mean_interval(&all_failed, &unit, ErrorRate::new(0.03)?)?;
/// assert_eq!(interval.low(), 0.0);
/// assert!((interval.high() - (1.0 - 0.01_f64.powf(1.0 / 399.0))).abs() < 1e-15); // 0.0115
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn bounded_mean_interval(
    sample: &Moments,
    range: &Interval,
    alpha: ErrorRate,
) -> Result<Interval, StatisticsError> {
    let share = alpha.divided(3.0);
    let half_width =
        hoeffding_half_width(sample, range, share)?.min(bernstein_half_width(sample, range, share)?);
    let mut low = sample.mean() - half_width;
    let mut high = sample.mean() + half_width;
    if sample.is_constant() {
        let constant = constant_interval(sample, range, share)?;
        low = low.max(constant.low());
        high = high.min(constant.high());
    }
    Ok(Interval::new(low, high, alpha)?.within(range))
}

/// [`mean_interval`] within a known range, or [`bounded_mean_interval`] when all observations are equal or too
/// skewed for the former.
///
/// Each of the two has error α/2, so choosing between them by the data costs nothing. The narrower choice for
/// replication means that vary; asymptotic as [`mean_interval`] is.
///
/// # Errors
/// As [`bounded_mean_interval`].
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Interval, Moments, ranged_mean_interval};
/// let unit = Interval::certain(0.0, 1.0)?;
/// let shares: Moments = [0.99, 1.0, 0.98, 0.99].repeat(50).into_iter().collect();
/// let interval = ranged_mean_interval(&shares, &unit, ErrorRate::new(0.05)?)?;
/// assert!(interval.low() > 0.985 && interval.high() < 0.995);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn ranged_mean_interval(
    sample: &Moments,
    range: &Interval,
    alpha: ErrorRate,
) -> Result<Interval, StatisticsError> {
    check(sample, range)?;
    let share = alpha.halved();
    let interval = if sample.is_constant() || skewness_of_mean_bound(sample) > SKEWNESS_MAX {
        bounded_mean_interval(sample, range, share)?
    } else {
        mean_interval(sample, share)?
    };
    Ok(Interval::new(interval.low(), interval.high(), alpha)?.within(range))
}

fn check(sample: &Moments, range: &Interval) -> Result<f64, StatisticsError> {
    require_count(sample.count(), 2)?;
    require(
        "observed mean",
        sample.mean(),
        "in the stated range",
        range.contains(sample.mean()),
    )?;
    Ok(sample.count() as f64)
}

fn hoeffding_half_width(
    sample: &Moments,
    range: &Interval,
    alpha: ErrorRate,
) -> Result<f64, StatisticsError> {
    let n = check(sample, range)?;
    Ok(range.width() * ((2.0 / alpha.value()).ln() / (2.0 * n)).sqrt())
}

fn bernstein_half_width(
    sample: &Moments,
    range: &Interval,
    alpha: ErrorRate,
) -> Result<f64, StatisticsError> {
    let n = check(sample, range)?;
    let log = (4.0 / alpha.value()).ln();
    let variance = sample.variance().unwrap_or(0.0);
    Ok((2.0 * variance * log / n).sqrt() + 7.0 * range.width() * log / (3.0 * (n - 1.0)))
}

fn constant_interval(
    sample: &Moments,
    range: &Interval,
    alpha: ErrorRate,
) -> Result<Interval, StatisticsError> {
    let n = check(sample, range)?;
    let value = sample.mean();
    let unseen = -(alpha.value().ln() / (n - 1.0)).exp_m1();
    Interval::new(
        value - unseen * (value - range.low()),
        value + unseen * (range.high() - value),
        alpha,
    )
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the values compared are exact")]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    fn unit() -> Interval {
        Interval::certain(0.0, 1.0).unwrap()
    }

    #[test]
    fn the_half_widths_are_the_published_formulas() {
        let sample: Moments = [0.0, 1.0, 0.0, 1.0, 0.5].into_iter().collect();
        let hoeffding = hoeffding_half_width(&sample, &unit(), rate(0.05)).unwrap();
        assert_relative_eq!(hoeffding, (40.0_f64.ln() / 10.0).sqrt(), max_relative = 1e-14);
        let bernstein = bernstein_half_width(&sample, &unit(), rate(0.05)).unwrap();
        // The sample variance is 1/4.
        let expected = (0.5 * 80.0_f64.ln() / 5.0).sqrt() + 7.0 * 80.0_f64.ln() / 12.0;
        assert_relative_eq!(bernstein, expected, max_relative = 1e-14);
    }

    /// In another unit and with another zero the interval is the same one.
    #[test]
    fn a_range_may_begin_and_end_anywhere() {
        let interval = |value: f64, low, high| {
            let all_equal: Moments = std::iter::repeat_n(value, 1001).collect();
            let range = Interval::certain(low, high).unwrap();
            bounded_mean_interval(&all_equal, &range, rate(0.03)).unwrap()
        };
        let (here, there) = (interval(0.25, 0.0, 1.0), interval(2.5, 2.0, 4.0));
        assert_relative_eq!(there.low(), 2.0 + 2.0 * here.low(), max_relative = 1e-12);
        assert_relative_eq!(there.high(), 2.0 + 2.0 * here.high(), max_relative = 1e-12);
    }

    /// A mean that varies has the corrected interval where its skewness can be trusted, and on either side of that the one that
    /// assumes nothing; both at half the error.
    #[test]
    fn a_sample_that_may_be_too_skewed_gets_the_interval_that_assumes_nothing() {
        let alpha = rate(0.01);
        let straight: Moments = [0.4, 0.6].repeat(50).into_iter().collect();
        let skewed: Moments = (0..100).map(|i| if i == 0 { 1.0 } else { 0.5 }).collect();
        let ranged = |sample| ranged_mean_interval(sample, &unit(), alpha).unwrap();
        let (corrected, bounded) = (
            mean_interval(&straight, alpha.halved()).unwrap(),
            bounded_mean_interval(&skewed, &unit(), alpha.halved()).unwrap(),
        );
        assert_relative_eq!(ranged(&straight).low(), corrected.low(), max_relative = 1e-14);
        assert_relative_eq!(ranged(&skewed).high(), bounded.high(), max_relative = 1e-14);
        assert!(bounded.width() > 2.0 * mean_interval(&skewed, alpha.halved()).unwrap().width());
    }

    #[test]
    fn the_narrower_statement_rules_at_a_third_of_the_error() {
        // Wide spread: Hoeffding. Ten thousand observations of little spread: empirical Bernstein.
        let wide: Moments = (0..50).map(|i| f64::from(i % 2)).collect();
        let narrow: Moments = (0..10_000).map(|i| 0.5 + 0.01 * f64::from(i % 2)).collect();
        let share = rate(0.01);
        for (sample, half_width) in [
            (wide, (200.0_f64.ln() / 100.0).sqrt()),
            (narrow, bernstein_half_width(&narrow, &unit(), share).unwrap()),
        ] {
            let interval = bounded_mean_interval(&sample, &unit(), rate(0.03)).unwrap();
            assert_relative_eq!(interval.low(), sample.mean() - half_width, max_relative = 1e-12);
            assert_relative_eq!(interval.high(), sample.mean() + half_width, max_relative = 1e-12);
        }
    }

    #[test]
    fn intervals_scale_with_their_range() {
        let sample: Moments = (0..50).map(|i| f64::from(i % 5) / 4.0).collect();
        let stretched: Moments = (0..50).map(|i| 10.0 + 2.0 * f64::from(i % 5)).collect();
        let range = Interval::certain(10.0, 18.0).unwrap();
        for interval in [bounded_mean_interval, ranged_mean_interval] {
            let plain = interval(&sample, &unit(), rate(0.01)).unwrap();
            let scaled = interval(&stretched, &range, rate(0.01)).unwrap();
            assert_relative_eq!(scaled.low(), 10.0 + 8.0 * plain.low(), max_relative = 1e-12);
            assert_relative_eq!(scaled.high(), 10.0 + 8.0 * plain.high(), max_relative = 1e-12);
        }
    }

    #[test]
    fn a_constant_away_from_the_ends_can_be_wrong_on_either_side() {
        let sample: Moments = std::iter::repeat_n(0.25, 1001).collect();
        let interval = ranged_mean_interval(&sample, &unit(), rate(0.02)).unwrap();
        let unseen = 1.0 - (0.02_f64 / 6.0).powf(1.0 / 1000.0);
        assert_relative_eq!(interval.low(), 0.25 - 0.25 * unseen, max_relative = 1e-12);
        assert_relative_eq!(interval.high(), 0.25 + 0.75 * unseen, max_relative = 1e-12);
        assert_eq!(interval.alpha(), 0.02);
    }

    #[test]
    fn a_wrong_range_and_a_single_observation_are_refused() {
        let outside: Moments = [2.0, 3.0].into_iter().collect();
        let one: Moments = [0.5].into_iter().collect();
        for interval in [bounded_mean_interval, ranged_mean_interval] {
            assert!(interval(&outside, &unit(), rate(0.05)).is_err());
            assert!(interval(&one, &unit(), rate(0.05)).is_err());
        }
    }
}

//! Intervals for the mean of independent observations: one value from each replication, or each batch.

use super::{
    critical::student_critical_value,
    error::{StatisticsError, require_count},
    error_rate::ErrorRate,
    interval::Interval,
    moments::Moments,
};

/// Largest skewness of a mean, see [`skewness_of_mean_bound`], at which a corrected interval is trusted.
///
/// The corrected intervals leave out terms of the order of its square. Mean waiting times at load 0.9 over windows of
/// 5,000 have γ = 2: with 24 replications (0.4) intervals of error 0.001 miss three times as often as they say, with 160
/// (0.16) no difference can be seen.
pub const SKEWNESS_MAX: f64 = 0.2;

/// How skewed the mean of independent observations may well be: (|γ| + √(6/n))/√n with γ the sample skewness.
///
/// √(6/n) is the standard error of γ for normal observations. It is there because a small sample of skewed
/// observations often shows no skewness, and then too often misses on the side of its long tail: of 12 exponential
/// observations (γ = 2) one sample in four looks straight enough for [`SKEWNESS_MAX`] by its γ alone, and those
/// samples miss three times as often as an error of 0.001 allows; with the standard error none does, and of 24
/// one in thirty, which miss 0.7 times as often as allowed.
///
/// ```
/// use retrylab_verify::statistics::{Moments, skewness_of_mean_bound};
/// let one_in_four: Moments = [0.0, 0.0, 0.0, 1.0].into_iter().collect();
/// let bound = skewness_of_mean_bound(&one_in_four); // γ = 2, adjusted for the sample size
/// assert!((bound - (2.0 + 1.5_f64.sqrt()) / 2.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn skewness_of_mean_bound(sample: &Moments) -> f64 {
    let n = sample.count().max(1) as f64;
    (sample.skewness().unwrap_or(0.0).abs() + (6.0 / n).sqrt()) / n.sqrt()
}

/// Student's interval, mean ± t s/√n with t the upper α/2 quantile for n − 1 degrees of freedom.
///
/// Exact for independent normal observations. For skewed ones its two sides miss unequally, and at extreme
/// confidence badly so: see [`mean_interval`].
///
/// # Errors
/// [`StatisticsError::TooFewObservations`] below two observations; [`StatisticsError::NoVariation`] when all
/// are equal, since a width of zero would claim certainty
/// ([`bounded_mean_interval`](super::bounded_mean_interval) has the answer where the observations are
/// bounded).
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Moments, student_interval};
/// let sample: Moments = [1.0, 2.0, 3.0, 10.0, 4.0].into_iter().collect();
/// let interval = student_interval(&sample, ErrorRate::new(0.05)?)?;
/// assert!((interval.high() - 8.389945165425413).abs() < 1e-9);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn student_interval(sample: &Moments, alpha: ErrorRate) -> Result<Interval, StatisticsError> {
    let bounds = MeanBounds::new(sample.count(), alpha)?;
    let error = standard_error(sample)?;
    Interval::new(
        sample.mean() - bounds.critical * error,
        sample.mean() + bounds.critical * error,
        alpha,
    )
}

/// The interval for a mean that verdicts use: on each side the outer of Student's end and its
/// skewness-adjusted end.
///
/// The adjusted ends invert Hall's monotone cubic transformation of the studentised mean T, g(T) = T +
/// γT²/(3√n) + γ²T³/(27n) + γ/(6√n), with γ the sample skewness, at ± Student's critical value (Hall, "On the
/// removal of skewness by transformation", 1992). It removes the leading term, of order n^(−1/2), from each
/// side's error, the term that grows like exp(γz³/(3√n)) far out in the tail. Where γ is small this is
/// Student's interval; it is never narrower than that.
///
/// Domain: independent, identically distributed observations with a third moment. With heavier tails, or a
/// rare value that the sample has not met, no interval from the sample alone is valid; where the observations
/// are bounded, [`bounded_mean_interval`](super::bounded_mean_interval) is.
///
/// # Errors
/// As [`student_interval`].
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Moments, mean_interval, student_interval};
/// let skewed: Moments = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 9.0].into_iter().collect();
/// let alpha = ErrorRate::new(0.05)?;
/// let (student, adjusted) = (student_interval(&skewed, alpha)?, mean_interval(&skewed, alpha)?);
/// assert_eq!(adjusted.low(), student.low());
/// assert!(adjusted.high() > student.high());
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn mean_interval(sample: &Moments, alpha: ErrorRate) -> Result<Interval, StatisticsError> {
    MeanBounds::new(sample.count(), alpha)?.interval(sample)
}

/// The critical value of [`mean_interval`], found once for a sample size and an error rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeanBounds {
    alpha: ErrorRate,
    critical: f64,
}

impl MeanBounds {
    pub(crate) fn new(count: u64, alpha: ErrorRate) -> Result<Self, StatisticsError> {
        require_count(count, 2)?;
        Ok(Self {
            alpha,
            critical: student_critical_value(count as f64 - 1.0, alpha.halved())?,
        })
    }

    pub(crate) fn interval(&self, sample: &Moments) -> Result<Interval, StatisticsError> {
        let error = standard_error(sample)?;
        let asymmetry = sample.skewness().unwrap_or(0.0) / (sample.count() as f64).sqrt();
        let above = self.critical.max(without_skewness(self.critical, asymmetry));
        let below = (-self.critical).min(without_skewness(-self.critical, asymmetry));
        Interval::new(
            sample.mean() - above * error,
            sample.mean() - below * error,
            self.alpha,
        )
    }
}

/// The T whose transform g(T) is `transformed`, with k = γ/√n: (3/k)·(∛(1 + k(x − k/6)) − 1).
fn without_skewness(transformed: f64, k: f64) -> f64 {
    let shifted = transformed - k / 6.0;
    let root = (1.0 + k * shifted).cbrt();
    // ∛(1 + u) − 1 = u/(r² + r + 1) with r = ∛(1 + u): no cancellation, and the limit at k = 0.
    3.0 * shifted / (root * root + root + 1.0)
}

fn standard_error(sample: &Moments) -> Result<f64, StatisticsError> {
    match sample.standard_error() {
        Some(error) if error > 0.0 => Ok(error),
        Some(_) => Err(StatisticsError::NoVariation { value: sample.mean() }),
        None => Err(StatisticsError::TooFewObservations {
            have: sample.count(),
            needed: 2,
        }),
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    #[test]
    fn the_inverse_undoes_halls_transformation() {
        for k in [-0.3, -1e-9, 0.0, 1e-6, 0.05, 0.4_f64] {
            for t in [-6.0, -1.0, 0.0, 0.5, 4.0_f64] {
                let transformed = t + k * t * t / 3.0 + k * k * t * t * t / 27.0 + k / 6.0;
                assert_relative_eq!(
                    without_skewness(transformed, k),
                    t,
                    epsilon = 1e-12,
                    max_relative = 1e-12
                );
            }
        }
    }

    /// scipy 1.17.1: `scipy.stats.t.interval(0.95, 4, mean, sem)` of 1, 2, 3, 10, 4.
    #[test]
    fn student_agrees_with_scipy() {
        let sample: Moments = [1.0, 2.0, 3.0, 10.0, 4.0].into_iter().collect();
        let interval = student_interval(&sample, rate(0.05)).unwrap();
        assert_relative_eq!(interval.low(), -0.389_945_165_425_413_8, max_relative = 1e-11);
        assert_relative_eq!(interval.high(), 8.389_945_165_425_413, max_relative = 1e-12);
    }

    /// Both the skewness, on either side, and its standard error count, over the root of the sample size.
    #[test]
    fn the_bound_on_skewness_is_that_of_the_sample_and_its_standard_error() {
        let right: Moments = [0.0, 0.0, 0.0, 1.0].into_iter().collect();
        let left: Moments = [0.0, 1.0, 1.0, 1.0].into_iter().collect();
        let straight: Moments = [-1.0, 1.0].repeat(12).into_iter().collect();
        for (sample, bound) in [
            (right, (2.0 + 1.5_f64.sqrt()) / 2.0),
            (left, (2.0 + 1.5_f64.sqrt()) / 2.0),
            (straight, 0.5 / 24.0_f64.sqrt()),
        ] {
            assert_relative_eq!(skewness_of_mean_bound(&sample), bound, max_relative = 1e-12);
        }
    }

    #[test]
    fn a_mirrored_sample_has_the_mirrored_interval() {
        let sample: Moments = [1.0, 2.0, 2.0, 3.0, 17.0].into_iter().collect();
        let mirrored: Moments = [-1.0, -2.0, -2.0, -3.0, -17.0].into_iter().collect();
        let (right, left) = (
            mean_interval(&sample, rate(0.01)).unwrap(),
            mean_interval(&mirrored, rate(0.01)).unwrap(),
        );
        assert_relative_eq!(right.low(), -left.high(), max_relative = 1e-14);
        assert_relative_eq!(right.high(), -left.low(), max_relative = 1e-14);
    }

    #[test]
    fn too_little_is_an_error_and_never_a_width_of_zero() {
        let one: Moments = [1.0].into_iter().collect();
        let equal: Moments = std::iter::repeat_n(0.25, 40).collect();
        assert_eq!(
            mean_interval(&one, rate(0.05)),
            Err(StatisticsError::TooFewObservations { have: 1, needed: 2 })
        );
        assert_eq!(
            mean_interval(&equal, rate(0.05)),
            Err(StatisticsError::NoVariation { value: 0.25 })
        );
        assert_eq!(
            student_interval(&equal, rate(0.05)),
            Err(StatisticsError::NoVariation { value: 0.25 })
        );
        let two: Moments = [1.0, 2.0].into_iter().collect();
        assert_eq!(
            mean_interval(&two, rate(0.05)),
            student_interval(&two, rate(0.05))
        );
    }
}

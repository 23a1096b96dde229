//! Intervals for a ratio of means from independent pairs: attempts per request, sojourn time per customer.

use super::{
    error::{StatisticsError, require_count},
    error_rate::ErrorRate,
    interval::Interval,
    mean::MeanBounds,
    moments::Moments,
};

/// Doublings of the search distance after which an end of the interval counts as infinite.
const DOUBLINGS_MAX: u32 = 60;
/// Halvings that locate an end to the last bit of its distance from the estimate.
const HALVINGS: u32 = 60;

/// Running bivariate moments of (numerator, denominator) pairs, up to the third order, mergeable.
///
/// Each pair comes from one replication (its attempts and its requests) or one regenerative cycle (the sum of
/// its customers' sojourn times and their number); the pairs are independent, the two members of a pair need
/// not be. The ratio of the sums estimates E\[numerator\]/E\[denominator\], for cycles the steady-state mean
/// (renewal reward theorem).
///
/// ```
/// use retrylab_verify::statistics::RatioMoments;
/// let mut cycles = RatioMoments::default();
/// cycles.push(6.0, 3.0);
/// cycles.push(1.0, 1.0);
/// assert_eq!(cycles.ratio(), Some(1.75));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RatioMoments {
    count: u64,
    numerator_mean: f64,
    denominator_mean: f64,
    sums: CentralSums,
}

/// Σ u^i v^j over the pairs, with u, v the deviations of numerator and denominator from their means.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct CentralSums {
    uu: f64,
    uv: f64,
    vv: f64,
    uuu: f64,
    uuv: f64,
    uvv: f64,
    vvv: f64,
}

impl CentralSums {
    /// The sums about a point that lies (u, v) below the means.
    fn shifted(&self, count: f64, u: f64, v: f64) -> Self {
        Self {
            uu: self.uu + count * u * u,
            uv: self.uv + count * u * v,
            vv: self.vv + count * v * v,
            uuu: self.uuu + 3.0 * u * self.uu + count * u * u * u,
            uuv: self.uuv + 2.0 * u * self.uv + v * self.uu + count * u * u * v,
            uvv: self.uvv + 2.0 * v * self.uv + u * self.vv + count * u * v * v,
            vvv: self.vvv + 3.0 * v * self.vv + count * v * v * v,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            uu: self.uu + other.uu,
            uv: self.uv + other.uv,
            vv: self.vv + other.vv,
            uuu: self.uuu + other.uuu,
            uuv: self.uuv + other.uuv,
            uvv: self.uvv + other.uvv,
            vvv: self.vvv + other.vvv,
        }
    }
}

impl RatioMoments {
    /// Adds one pair.
    ///
    /// # Panics
    /// When a member is not finite: a bug of whoever measured it.
    pub fn push(&mut self, numerator: f64, denominator: f64) {
        assert!(
            numerator.is_finite() && denominator.is_finite(),
            "({numerator}, {denominator}) is not finite"
        );
        self.merge(&Self {
            count: 1,
            numerator_mean: numerator,
            denominator_mean: denominator,
            sums: CentralSums::default(),
        });
    }

    /// Adds the pairs of another sample. The same parts in the same order give the same bits.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let count = (self.count + other.count) as f64;
        let (own, others) = (self.count as f64, other.count as f64);
        let u = other.numerator_mean - self.numerator_mean;
        let v = other.denominator_mean - self.denominator_mean;
        let (own_share, other_share) = (own / count, others / count);
        self.sums = self
            .sums
            .shifted(own, -u * other_share, -v * other_share)
            .plus(&other.sums.shifted(others, u * own_share, v * own_share));
        self.count += other.count;
        self.numerator_mean += u * other_share;
        self.denominator_mean += v * other_share;
    }

    /// Number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Σ numerator / Σ denominator; none when the denominators sum to 0.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let ratio = self.numerator_mean / self.denominator_mean;
        ratio.is_finite().then_some(ratio)
    }

    /// Mean of the denominators; 0 of none.
    #[must_use]
    pub fn denominator_mean(&self) -> f64 {
        self.denominator_mean
    }

    /// Moments of the residuals numerator − ratio · denominator, whose expectation is zero at the true ratio.
    #[must_use]
    pub fn residuals(&self, ratio: f64) -> Moments {
        let sums = &self.sums;
        let squares = sums.uu - ratio * (2.0 * sums.uv - ratio * sums.vv);
        let cubes = sums.uuu - ratio * (3.0 * sums.uuv - ratio * (3.0 * sums.uvv - ratio * sums.vvv));
        // What is left of terms that cancelled is rounding, not spread.
        let rounding = f64::EPSILON * self.count as f64 * (sums.uu + ratio * ratio * sums.vv);
        let mean = self.numerator_mean - ratio * self.denominator_mean;
        if squares <= rounding {
            return Moments::from_sums(self.count, mean, 0.0, 0.0);
        }
        Moments::from_sums(self.count, mean, squares, cubes)
    }

    /// The interval for E\[numerator\]/E\[denominator\]: every ratio whose residuals have a
    /// [`mean_interval`](super::mean_interval) that contains zero.
    ///
    /// This is Fieller's construction (1954): at the true ratio the residuals are independent with mean zero,
    /// so the ratio's interval inherits the error rate of the mean's, including its treatment of skewness,
    /// which regenerative cycles near saturation need. For many pairs it tends to the delta method's r ± t
    /// s/(x̄ √n), with s the standard deviation of the residuals at r and x̄ the mean denominator.
    ///
    /// # Errors
    /// [`StatisticsError::TooFewObservations`] below two pairs; [`StatisticsError::NoVariation`] when
    /// numerator and denominator are proportional; [`StatisticsError::DenominatorNotSeparated`] when the
    /// interval would be unbounded.
    ///
    /// ```
    /// use retrylab_verify::statistics::{ErrorRate, RatioMoments};
    /// let mut runs = RatioMoments::default();
    /// for (attempts, requests) in [(1102.0, 1001.0), (1095.0, 988.0), (1140.0, 1020.0), (1099.0, 993.0)] {
    ///     runs.push(attempts, requests);
    /// }
    /// let interval = runs.interval(ErrorRate::new(0.05)?)?;
    /// assert!(interval.contains(1.11) && interval.width() < 0.1);
    /// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
    /// ```
    pub fn interval(&self, alpha: ErrorRate) -> Result<Interval, StatisticsError> {
        require_count(self.count, 2)?;
        let not_separated = StatisticsError::DenominatorNotSeparated {
            mean: self.denominator_mean,
        };
        let ratio = self.ratio().ok_or(not_separated.clone())?;
        let bounds = MeanBounds::new(self.count, alpha)?;
        let at_estimate = self.residuals(ratio);
        let Some(error) = at_estimate.standard_error().filter(|&error| error > 0.0) else {
            return Err(StatisticsError::NoVariation { value: ratio });
        };
        let step = error / self.denominator_mean.abs();
        let accepted = |candidate: f64| {
            bounds
                .interval(&self.residuals(candidate))
                .is_ok_and(|residual| residual.contains(0.0))
        };
        let reach = |direction: f64| reach(|distance| accepted(ratio + direction * step * distance));
        let (Some(below), Some(above)) = (reach(-1.0), reach(1.0)) else {
            return Err(not_separated);
        };
        Interval::new(ratio - step * below, ratio + step * above, alpha)
    }
}

/// The distance at which acceptance ends, rounded outwards; none if it does not end.
fn reach(accepted: impl Fn(f64) -> bool) -> Option<f64> {
    let mut outside = 1.0;
    let mut doublings = 0;
    while accepted(outside) {
        outside *= 2.0;
        doublings += 1;
        if doublings > DOUBLINGS_MAX {
            return None;
        }
    }
    let mut inside = 0.0;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if accepted(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    Some(outside)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::statistics::{mean_interval, student_critical_value};

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    fn of(pairs: &[(f64, f64)]) -> RatioMoments {
        let mut moments = RatioMoments::default();
        pairs
            .iter()
            .for_each(|&(numerator, denominator)| moments.push(numerator, denominator));
        moments
    }

    proptest! {
        #[test]
        fn merged_parts_are_the_whole_and_residuals_are_those_of_the_pairs(
            pairs in prop::collection::vec((-50.0..50.0_f64, 1.0..20.0_f64), 3..60),
            cut in 0.0..1.0_f64,
            ratio in -5.0..5.0_f64,
        ) {
            let (left, right) = pairs.split_at((cut * pairs.len() as f64) as usize);
            let mut merged = of(left);
            merged.merge(&of(right));
            let direct: Moments = pairs.iter().map(|(y, x)| y - ratio * x).collect();
            let residuals = merged.residuals(ratio);
            prop_assert_eq!(residuals.count(), direct.count());
            prop_assert!((residuals.mean() - direct.mean()).abs() < 1e-10);
            let (found, expected) = (residuals.variance().unwrap(), direct.variance().unwrap());
            prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected));
            let (found, expected) = (residuals.skewness().unwrap_or(0.0), direct.skewness().unwrap_or(0.0));
            prop_assert!((found - expected).abs() <= 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn a_constant_denominator_gives_the_mean_interval() {
        let values = [3.0, 5.0, 4.0, 4.5, 12.0];
        let pairs: Vec<_> = values.iter().map(|&value| (value, 2.0)).collect();
        let ratio = of(&pairs).interval(rate(0.01)).unwrap();
        let mean = mean_interval(&values.iter().map(|value| value / 2.0).collect(), rate(0.01)).unwrap();
        assert_relative_eq!(ratio.low(), mean.low(), max_relative = 1e-12);
        assert_relative_eq!(ratio.high(), mean.high(), max_relative = 1e-12);
    }

    #[test]
    fn with_little_relative_spread_it_is_the_delta_method() {
        let pairs: Vec<_> = (0..200_u32)
            .map(|i| {
                (
                    222.0 + f64::from(i * 37 % 11) * 0.01,
                    200.0 + f64::from(i * 53 % 7) * 0.01,
                )
            })
            .collect();
        let runs = of(&pairs);
        let ratio = runs.ratio().unwrap();
        let error = runs.residuals(ratio).standard_error().unwrap() / runs.denominator_mean;
        let critical = student_critical_value(199.0, rate(0.005)).unwrap();
        let interval = runs.interval(rate(0.01)).unwrap();
        assert_relative_eq!(
            interval.width() / (2.0 * critical * error),
            1.0,
            max_relative = 2e-3
        );
    }

    #[test]
    fn what_has_no_bounded_interval_is_an_error() {
        assert!(matches!(
            of(&[(1.0, 0.0), (2.0, 0.0)]).interval(rate(0.05)),
            Err(StatisticsError::DenominatorNotSeparated { .. })
        ));
        assert!(matches!(
            of(&[(1.0, 3.0), (2.0, -2.0), (1.5, 0.5), (0.5, -1.0)]).interval(rate(0.05)),
            Err(StatisticsError::DenominatorNotSeparated { .. })
        ));
        assert!(matches!(
            of(&[(0.1, 0.3), (0.2, 0.6), (0.7, 2.1)]).interval(rate(0.05)),
            Err(StatisticsError::NoVariation { .. })
        ));
        assert!(matches!(
            of(&[(1.0, 3.0)]).interval(rate(0.05)),
            Err(StatisticsError::TooFewObservations { .. })
        ));
    }
}

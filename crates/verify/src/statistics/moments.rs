//! Running moments of one variable, mergeable.

/// Count, mean and second and third central sums of a sample.
///
/// Observations are added one at a time (Welford, "Note on a method for calculating corrected sums of squares
/// and products", 1962) and samples are merged (Chan, Golub & LeVeque 1979; third order: Pébay,
/// SAND2008-6212). Merging the same parts in the same order gives the same bits, and equal observations leave
/// the sums exactly zero.
///
/// ```
/// use retrylab_verify::statistics::Moments;
/// let moments: Moments = [1.0, 2.0, 3.0, 6.0].into_iter().collect();
/// assert_eq!(moments.mean(), 3.0);
/// assert_eq!(moments.variance(), Some(14.0 / 3.0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
    cubes: f64,
}

impl Moments {
    /// From a count, a mean and the sums of squared and cubed deviations from it.
    pub(crate) fn from_sums(count: u64, mean: f64, squares: f64, cubes: f64) -> Self {
        Self {
            count,
            mean,
            squares,
            cubes,
        }
    }

    /// Adds one observation.
    ///
    /// # Panics
    /// When the observation is not finite: a bug of whoever measured it.
    pub fn push(&mut self, observation: f64) {
        assert!(observation.is_finite(), "observation {observation} is not finite");
        self.merge(&Self {
            count: 1,
            mean: observation,
            squares: 0.0,
            cubes: 0.0,
        });
    }

    /// Adds the observations of another sample.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let count = self.count + other.count;
        let difference = other.mean - self.mean;
        let other_share = other.count as f64 / count as f64;
        let own = self.shifted(-difference * other_share);
        let others = other.shifted(difference * (self.count as f64 / count as f64));
        *self = Self {
            count,
            mean: self.mean + difference * other_share,
            squares: own.squares + others.squares,
            cubes: own.cubes + others.cubes,
        };
    }

    /// The sums about a point that lies `distance` below the mean.
    fn shifted(&self, distance: f64) -> Self {
        let count = self.count as f64;
        Self {
            squares: self.squares + count * distance * distance,
            cubes: self.cubes + distance * (3.0 * self.squares + count * distance * distance),
            ..*self
        }
    }

    /// Number of observations n.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean of the observations; 0 when there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Σ(x − mean)²/(n − 1), the unbiased estimate of the variance; none below two observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count >= 2).then(|| self.squares / (self.count as f64 - 1.0))
    }

    /// Square root of the variance; none below two observations.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Standard error of the mean, s/√n; none below two observations.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance()
            .map(|variance| (variance / self.count as f64).sqrt())
    }

    /// The adjusted Fisher–Pearson skewness √(n(n−1))/(n−2) · √n Σ(x − mean)³ / (Σ(x − mean)²)^(3/2); none
    /// below three observations or when all are equal.
    #[must_use]
    pub fn skewness(&self) -> Option<f64> {
        if self.count < 3 || self.squares <= 0.0 {
            return None;
        }
        let n = self.count as f64;
        let spread = (self.squares / n).sqrt();
        let raw = self.cubes / n / (spread * spread * spread);
        raw.is_finite().then(|| raw * (n * (n - 1.0)).sqrt() / (n - 2.0))
    }

    /// Whether all observations are the same number.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.squares <= 0.0
    }
}

impl Extend<f64> for Moments {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, observations: I) {
        for observation in observations {
            self.push(observation);
        }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(observations: I) -> Self {
        let mut moments = Self::default();
        moments.extend(observations);
        moments
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn merged_parts_are_the_whole(
            sample in prop::collection::vec(-1e3..1e3_f64, 3..80),
            cut in 0.0..1.0_f64,
            offset in prop::sample::select(vec![0.0, 1e6]),
        ) {
            let sample: Vec<f64> = sample.iter().map(|x| x + offset).collect();
            let (left, right) = sample.split_at((cut * sample.len() as f64) as usize);
            let mut merged: Moments = left.iter().copied().collect();
            merged.merge(&right.iter().copied().collect());
            let n = sample.len() as f64;
            let mean = sample.iter().sum::<f64>() / n;
            let central = |power| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>();
            let scale = central(2).sqrt();
            prop_assert_eq!(merged.count(), sample.len() as u64);
            prop_assert!((merged.mean() - mean).abs() <= 1e-13 * (offset + 1e3));
            prop_assert!((merged.squares - central(2)).abs() <= 1e-9 * (1.0 + central(2)));
            prop_assert!((merged.cubes - central(3)).abs() <= 1e-8 * (1.0 + scale.powi(3)));
        }

        #[test]
        fn equal_observations_have_exactly_no_variation(
            value in -1e9..1e9_f64,
            left in 1..50_usize,
            right in 1..50_usize,
        ) {
            let mut merged: Moments = std::iter::repeat_n(value, left).collect();
            merged.merge(&std::iter::repeat_n(value, right).collect());
            prop_assert!(merged.is_constant());
            prop_assert_eq!(merged.mean().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn small_samples_have_no_spread_rather_than_a_made_up_one() {
        let mut moments = Moments::default();
        assert_eq!(
            (moments.mean(), moments.variance(), moments.skewness()),
            (0.0, None, None)
        );
        moments.push(4.0);
        assert_eq!((moments.mean(), moments.standard_error()), (4.0, None));
        moments.push(6.0);
        assert_eq!(moments.standard_error(), Some(1.0));
        assert_eq!(moments.standard_deviation(), Some(2.0_f64.sqrt()));
        assert_eq!(moments.skewness(), None);
        assert!(!moments.is_constant());
        let before = moments;
        moments.merge(&Moments::default());
        assert_eq!(moments, before);
    }

    #[test]
    fn skewness_is_the_adjusted_one() {
        // scipy 1.17.1: scipy.stats.skew([1, 2, 3, 10, 4], bias=False).
        let moments: Moments = [1.0, 2.0, 3.0, 10.0, 4.0].into_iter().collect();
        assert_relative_eq!(
            moments.skewness().unwrap(),
            1.697_056_274_847_714_3,
            max_relative = 1e-13
        );
    }
}

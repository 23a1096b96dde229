//! Intervals for a probability from independent trials.

use super::{
    critical::{beta_lower_quantile, normal_critical_value},
    error::{StatisticsError, require},
    error_rate::ErrorRate,
    interval::Interval,
};

/// Successes among independent trials.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Successes};
/// let mut outcome = Successes::new(38, 40)?;
/// let interval = outcome.clopper_pearson(ErrorRate::new(0.05)?)?;
/// assert!((interval.low() - 0.8308031360405824).abs() < 1e-12);
/// outcome.merge(&Successes::new(2, 10)?);
/// assert_eq!(outcome.proportion(), Some(0.8));
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Successes {
    successes: u64,
    trials: u64,
}

impl Successes {
    /// `successes` among `trials`.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] when there are more successes than trials.
    pub fn new(successes: u64, trials: u64) -> Result<Self, StatisticsError> {
        require(
            "successes",
            successes as f64,
            "at most the number of trials",
            successes <= trials,
        )?;
        Ok(Self { successes, trials })
    }

    /// Adds one trial.
    pub fn push(&mut self, success: bool) {
        self.trials += 1;
        self.successes += u64::from(success);
    }

    /// Adds the trials of another sample.
    pub fn merge(&mut self, other: &Self) {
        self.successes += other.successes;
        self.trials += other.trials;
    }

    /// Number of successes k.
    #[must_use]
    pub fn successes(&self) -> u64 {
        self.successes
    }

    /// Number of trials n.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// k/n, the estimate of the probability; none without trials.
    #[must_use]
    pub fn proportion(&self) -> Option<f64> {
        (self.trials > 0).then(|| self.successes as f64 / self.trials as f64)
    }

    /// The exact interval of Clopper & Pearson (1934): all probabilities p for which neither P(X ≥ k) nor P(X
    /// ≤ k) is below α/2.
    ///
    /// Misses with probability at most α for every n and p, usually less. Ends: the α/2 quantile of
    /// Beta(k, n−k+1) and the 1 − α/2 quantile of Beta(k+1, n−k); 0 for k = 0 and 1 for k = n.
    ///
    /// # Errors
    /// [`StatisticsError::TooFewObservations`] without trials.
    pub fn clopper_pearson(&self, alpha: ErrorRate) -> Result<Interval, StatisticsError> {
        self.counts()?;
        let (successes, failures) = (self.successes as f64, (self.trials - self.successes) as f64);
        let low = match self.successes {
            0 => 0.0,
            _ => beta_lower_quantile(successes, failures + 1.0, alpha.halved()).0,
        };
        let high = match self.trials - self.successes {
            0 => 1.0,
            _ => beta_lower_quantile(failures, successes + 1.0, alpha.halved()).1,
        };
        Interval::new(low, high, alpha)
    }

    /// Wilson's score interval (1927): the p with |k/n − p| ≤ z √(p(1 − p)/n), z the upper α/2 quantile of
    /// the normal.
    ///
    /// (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n). Its coverage averages the nominal one over p,
    /// but dips below it for single p, far below for np of order 1 at extreme confidence: verdicts use
    /// [`Successes::clopper_pearson`]; this one is for display and for n p (1 − p) well above z².
    ///
    /// # Errors
    /// [`StatisticsError::TooFewObservations`] without trials.
    ///
    /// ```
    /// use retrylab_verify::statistics::{ErrorRate, Successes};
    /// let interval = Successes::new(865, 1000)?.wilson(ErrorRate::new(0.05)?)?;
    /// assert!((interval.low() - 0.8424178447972049).abs() < 1e-14);
    /// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
    /// ```
    pub fn wilson(&self, alpha: ErrorRate) -> Result<Interval, StatisticsError> {
        let (proportion, n) = self.counts()?;
        let square = normal_critical_value(alpha.halved()).powi(2);
        let scale = 1.0 + square / n;
        let centre = (proportion + square / (2.0 * n)) / scale;
        let spread = (square * (proportion * (1.0 - proportion) / n + square / (4.0 * n * n))).sqrt() / scale;
        let low = if self.successes == 0 { 0.0 } else { centre - spread };
        let high = if self.successes == self.trials {
            1.0
        } else {
            centre + spread
        };
        Interval::new(low, high, alpha)
    }

    fn counts(&self) -> Result<(f64, f64), StatisticsError> {
        match self.proportion() {
            Some(proportion) => Ok((proportion, self.trials as f64)),
            None => Err(StatisticsError::TooFewObservations { have: 0, needed: 1 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    /// (k, n, α, low, high), by mpmath 1.4.1 with 40 digits: binomial tails summed term by term, inverted by
    /// bisection. (38, 40, 0.05) is also `scipy.stats.binomtest(38, 40).proportion_ci(0.95, "exact")` of
    /// scipy 1.17.1.
    const EXACT: [(u64, u64, f64, f64, f64); 15] = [
        (0, 40, 0.05, 0.0, 0.088_097_302_878_802_4),
        (0, 40, 1e-8, 0.0, 0.379_882_125_041_454_3),
        (1, 10, 0.05, 0.002_528_578_544_461_784_5, 0.445_016_117_028_195_42),
        (1, 10, 0.001, 5.001_125_356_379_191e-5, 0.653_130_333_094_731),
        (1, 10, 1e-8, 5.000_000_011_25e-10, 0.906_503_838_849_898_9),
        (5, 10, 0.05, 0.187_086_028_447_398_53, 0.812_913_971_552_601_5),
        (5, 10, 1e-8, 0.007_280_410_388_116_774, 0.992_719_589_611_883_2),
        (10, 10, 0.001, 0.467_624_223_911_310_66, 1.0),
        (38, 40, 0.05, 0.830_803_136_040_582_3, 0.993_886_353_400_649_1),
        (38, 40, 1e-8, 0.527_120_552_575_458_6, 0.999_997_468_070_382),
        (
            1,
            1_000_000,
            0.05,
            2.531_780_766_379_417_8e-8,
            5.571_630_655_172_244e-6,
        ),
        (
            1,
            1_000_000,
            1e-8,
            5.000_000_012_499_988e-15,
            2.226_035_173_150_546_3e-5,
        ),
        (
            99_000,
            100_000,
            1e-8,
            0.988_081_019_981_76,
            0.991_700_362_568_010_1,
        ),
        (
            500_000,
            1_000_000,
            0.05,
            0.499_019_519_195_311_82,
            0.500_980_480_804_688_2,
        ),
        (
            500_000,
            1_000_000,
            1e-8,
            0.497_134_159_818_701_1,
            0.502_865_840_181_298_9,
        ),
    ];

    #[test]
    fn clopper_pearson_agrees_with_high_precision() {
        for (successes, trials, alpha, low, high) in EXACT {
            let interval = Successes::new(successes, trials)
                .unwrap()
                .clopper_pearson(rate(alpha))
                .unwrap();
            assert_relative_eq!(interval.low(), low, epsilon = 0.0, max_relative = 1e-11);
            assert_relative_eq!(interval.high(), high, epsilon = 0.0, max_relative = 1e-11);
        }
    }

    /// Wilson's formula in mpmath 1.4.1, 40 digits. (38, 40) is scipy 1.17.1's `proportion_ci(0.95,
    /// "wilson")`.
    #[test]
    fn wilson_agrees_with_high_precision() {
        for (successes, trials, alpha, low, high) in [
            (0, 40, 0.05, 0.0, 0.087_621_601_197_286_65),
            (0, 40, 1e-8, 0.0, 0.450_860_629_736_412_43),
            (1, 10, 0.001, 0.007_896_965_701_467_229, 0.607_996_704_521_574_5),
            (5, 10, 1e-8, 0.062_227_192_169_486_516, 0.937_772_807_830_513_5),
            (10, 10, 0.001, 0.480_132_912_221_197_87, 1.0),
            (38, 40, 0.05, 0.834_961_226_308_590_3, 0.986_179_332_613_851_6),
            (865, 1000, 1e-8, 0.791_363_524_226_307_2, 0.915_424_665_753_825_3),
        ] {
            let interval = Successes::new(successes, trials)
                .unwrap()
                .wilson(rate(alpha))
                .unwrap();
            assert_relative_eq!(interval.low(), low, epsilon = 0.0, max_relative = 1e-12);
            assert_relative_eq!(interval.high(), high, epsilon = 0.0, max_relative = 1e-13);
        }
    }

    #[test]
    fn nothing_observed_is_an_error_and_more_successes_than_trials_too() {
        assert!(Successes::default().clopper_pearson(rate(0.05)).is_err());
        assert!(Successes::default().wilson(rate(0.05)).is_err());
        assert!(Successes::new(3, 2).is_err());
    }

    proptest! {
        #[test]
        fn merged_counts_add_and_swapping_outcomes_mirrors_the_interval(
            outcomes in prop::collection::vec(any::<bool>(), 1..60),
            cut in 0.0..1.0_f64,
            alpha in 1e-9..0.5_f64,
        ) {
            let count = |part: &[bool]| {
                let mut successes = Successes::default();
                part.iter().for_each(|&success| successes.push(success));
                successes
            };
            let (left, right) = outcomes.split_at((cut * outcomes.len() as f64) as usize);
            let mut whole = count(left);
            whole.merge(&count(right));
            prop_assert_eq!(whole, count(&outcomes));
            let swapped = Successes::new(whole.trials() - whole.successes(), whole.trials()).unwrap();
            for (plain, mirrored) in [
                (whole.clopper_pearson(rate(alpha)), swapped.clopper_pearson(rate(alpha))),
                (whole.wilson(rate(alpha)), swapped.wilson(rate(alpha))),
            ] {
                let (plain, mirrored) = (plain.unwrap(), mirrored.unwrap());
                prop_assert!((plain.low() + mirrored.high() - 1.0).abs() < 1e-12);
                prop_assert!(plain.contains(whole.proportion().unwrap()));
            }
        }
    }
}

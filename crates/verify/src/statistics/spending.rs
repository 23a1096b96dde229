//! Sampling until decided: how the error rate is shared among looks at growing samples.

use super::{
    error::{StatisticsError, require},
    error_rate::ErrorRate,
};

/// An alpha-spending design for any number of looks: look j may err with probability α/(j(j + 1)).
///
/// The shares sum to α j/(j + 1) after j looks and to α over all: whatever rule decides when to stop, the
/// probability that *any* look's interval misses is at most α (union bound). Spending a total error rate over
/// the looks of a group-sequential trial is due to Lan & DeMets (Biometrika 1983). Their boundaries use the
/// joint distribution of successive normal statistics and are tighter; the plain union bound needs nothing
/// but that each look's interval is valid on its own, so it serves exact binomial, Student's, bounded and
/// order-statistic intervals alike, and the price is small: at look 5 a normal interval at α = 0.001 is 1.26
/// times as wide as with a single look. Confidence sequences (Howard, Ramdas, McAuliffe & Sekhon, Annals of
/// Statistics 2021) share the guarantee, and need a bound made for them for each estimator.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Spending};
/// let spending = Spending::new(ErrorRate::new(0.06)?);
/// assert!((spending.at_look(1).value() - 0.03).abs() < 1e-15);
/// assert!((spending.at_look(2).value() - 0.01).abs() < 1e-15);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spending {
    total: ErrorRate,
}

impl Spending {
    /// A design that errs with probability at most `total`, however many looks are taken.
    #[must_use]
    pub fn new(total: ErrorRate) -> Self {
        Self { total }
    }

    /// The error rate over all looks.
    #[must_use]
    pub fn total(&self) -> ErrorRate {
        self.total
    }

    /// The error rate of the interval formed at look `look` = 1, 2, ….
    ///
    /// # Panics
    /// At look 0: looks count from 1.
    #[must_use]
    pub fn at_look(&self, look: u32) -> ErrorRate {
        assert!(look >= 1, "looks count from 1");
        let look = f64::from(look);
        self.total.divided(look * (look + 1.0))
    }
}

/// Sample sizes that grow geometrically from look to look.
///
/// After look j there are ⌈first · growth^(j−1)⌉ replications, at least one more than before, so the number
/// of looks grows with the logarithm of the sample, and the error rate of the last look stays usable.
///
/// ```
/// use retrylab_verify::statistics::Batches;
/// let batches = Batches::new(20, 1.5)?;
/// assert_eq!((1..=4).map(|look| batches.total_after(look)).collect::<Vec<_>>(), [20, 30, 45, 68]);
/// assert_eq!(batches.looks_within(67), 3);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batches {
    first: u32,
    growth: f64,
}

impl Batches {
    /// `first` ≥ 2 replications before the first look, `growth` > 1 times as many before each next one.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] otherwise.
    pub fn new(first: u32, growth: f64) -> Result<Self, StatisticsError> {
        require("first batch", f64::from(first), "at least 2", first >= 2)?;
        require("growth of batches", growth, "above 1", growth > 1.0)?;
        Ok(Self { first, growth })
    }

    /// Number of replications made by the time of look `look` = 1, 2, ….
    ///
    /// # Panics
    /// At look 0: looks count from 1.
    #[must_use]
    pub fn total_after(&self, look: u32) -> u64 {
        assert!(look >= 1, "looks count from 1");
        let mut exact = f64::from(self.first);
        let mut total = u64::from(self.first);
        for _ in 1..look {
            exact *= self.growth;
            total = (exact.ceil() as u64).max(total.saturating_add(1));
        }
        total
    }

    /// The number of looks that a budget of replications allows.
    #[must_use]
    pub fn looks_within(&self, replications_max: u64) -> u32 {
        let mut looks = 0;
        while self.total_after(looks + 1) <= replications_max {
            looks += 1;
        }
        looks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_looks_never_spend_more_than_the_total() {
        let spending = Spending::new(ErrorRate::new(1e-3).unwrap());
        let mut spent = 0.0;
        for look in 1..=100_000 {
            spent += spending.at_look(look).value();
        }
        assert!(spent < spending.total().value());
        assert!((spent / 1e-3 - 100_000.0 / 100_001.0).abs() < 1e-9);
    }

    #[test]
    fn the_price_at_the_fifth_look_is_the_documented_one() {
        let alpha = ErrorRate::new(1e-3).unwrap();
        let critical = |rate: ErrorRate| super::super::normal_critical_value(rate.halved());
        let price = critical(Spending::new(alpha).at_look(5)) / critical(alpha);
        assert!((price - 1.26).abs() < 0.005, "{price}");
    }

    #[test]
    fn batches_always_grow() {
        let batches = Batches::new(2, 1.000_001).unwrap();
        assert_eq!(
            (1..=4).map(|look| batches.total_after(look)).collect::<Vec<_>>(),
            [2, 3, 4, 5]
        );
        assert_eq!(Batches::new(40, 2.0).unwrap().looks_within(39), 0);
        assert_eq!(Batches::new(40, 2.0).unwrap().looks_within(640), 5);
        assert!(Batches::new(1, 2.0).is_err());
        assert!(Batches::new(20, 1.0).is_err());
        assert!(Batches::new(20, f64::NAN).is_err());
    }
}

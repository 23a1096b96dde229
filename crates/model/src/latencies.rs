//! Measured times as a distribution: each value with the number of times that it was measured.

use crate::unit::{Scale, Time};

/// Most distinct values that are kept.
pub const LATENCIES_MAX: usize = 5_000_000;

/// Why numbers are not measured latencies.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LatenciesError {
    /// There is none.
    #[error("it holds no values")]
    Empty,
    /// There is one.
    #[error("it holds one value, {0}, which is no distribution; at least two are needed")]
    One(Time),
    /// There are too many.
    #[error(
        "it holds more than {} million values; draw a sample of them, or record them in an HdrHistogram log",
        LATENCIES_MAX / 1_000_000
    )]
    TooMany,
    /// A value is not a finite time above 0.
    #[error(
        "{0} is not a finite time above 0; a service takes some time, so what was rounded to 0 needs a finer unit"
    )]
    NotATime(Time),
    /// The mean or variance is out of reach.
    #[error(
        "its values are so large or so far apart that they have no mean and variance in double precision"
    )]
    OutOfReach,
}

/// Measured times, sorted, with how often each was measured. Always at least two measurements, each finite and above 0.
///
/// ```
/// use retrylab_model::{Latencies, Scale};
/// let latencies = Latencies::of_values(vec![3.0, 1.0, 1.0, 1.0], Scale::Dimensionless, "")?;
/// assert_eq!((latencies.count(), latencies.mean(), latencies.quantile(0.9)), (4, 1.5, 3.0));
/// // The variance is (3 · 0.5² + 1.5²) / 4 = 0.75.
/// assert!((latencies.scv() - 0.75 / 1.5_f64.powi(2)).abs() < 1e-15);
/// # Ok::<(), retrylab_model::LatenciesError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Latencies {
    values: Vec<f64>,
    /// Measurements up to and with each value; empty where every entry of `values` is one measurement.
    cumulative: Vec<u64>,
    mean: f64,
    scv: f64,
    scale: Scale,
    sha256: String,
}

impl Latencies {
    /// One measurement for each value, in seconds or in a scenario's own unit as `scale` says; `sha256` is the checksum of the file
    /// that they come from.
    ///
    /// # Errors
    /// [`LatenciesError`] for fewer than two values, more than five million, or one that is not finite and above 0.
    pub fn of_values(mut values: Vec<f64>, scale: Scale, sha256: &str) -> Result<Self, LatenciesError> {
        values.sort_by(f64::total_cmp);
        Self::checked(values, Vec::new(), scale, sha256)
    }

    /// Values with the number of measurements of each, otherwise as [`of_values`](Self::of_values).
    ///
    /// # Errors
    /// As [`of_values`](Self::of_values).
    pub fn of_counts(
        mut counts: Vec<(f64, u64)>,
        scale: Scale,
        sha256: &str,
    ) -> Result<Self, LatenciesError> {
        counts.retain(|&(_, count)| count > 0);
        counts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut total: u64 = 0;
        let mut cumulative = Vec::with_capacity(counts.len());
        for &(_, count) in &counts {
            total = total.checked_add(count).ok_or(LatenciesError::OutOfReach)?;
            cumulative.push(total);
        }
        let values = counts.into_iter().map(|(value, _)| value).collect();
        Self::checked(values, cumulative, scale, sha256)
    }

    fn checked(
        values: Vec<f64>,
        cumulative: Vec<u64>,
        scale: Scale,
        sha256: &str,
    ) -> Result<Self, LatenciesError> {
        let time = |value: f64| Time::in_scale(value, scale);
        let unfit = |&&value: &&f64| !(value > 0.0 && value.is_finite());
        if let Some(&value) = values.iter().find(unfit) {
            return Err(LatenciesError::NotATime(time(value)));
        }
        if values.len() > LATENCIES_MAX {
            return Err(LatenciesError::TooMany);
        }
        let mut latencies = Self {
            values,
            cumulative,
            mean: f64::NAN,
            scv: f64::NAN,
            scale,
            sha256: sha256.to_owned(),
        };
        match latencies.count() {
            0 => return Err(LatenciesError::Empty),
            1 => return Err(LatenciesError::One(time(latencies.values[0]))),
            _ => {}
        }
        let mean = latencies.average(|value| value);
        latencies.mean = mean;
        latencies.scv = latencies.average(|value| (value / mean - 1.0) * (value / mean - 1.0));
        if latencies.mean.is_normal() && latencies.scv.is_finite() {
            Ok(latencies)
        } else {
            Err(LatenciesError::OutOfReach)
        }
    }

    /// Average over all measurements, in one order and with compensated summation (Neumaier 1974): the same bits everywhere.
    fn average(&self, of: impl Fn(f64) -> f64) -> f64 {
        let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
        for (value, count) in self.steps() {
            let term = of(value) * count as f64;
            let next = sum + term;
            lost += if sum >= term {
                (sum - next) + term
            } else {
                (term - next) + sum
            };
            sum = next;
        }
        (sum + lost) / self.count() as f64
    }

    /// Number of measurements.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.cumulative
            .last()
            .copied()
            .unwrap_or(self.values.len() as u64)
    }

    /// Mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Squared coefficient of variation of the measurements as a distribution: their variance, with the count as divisor, ÷ mean².
    #[must_use]
    pub fn scv(&self) -> f64 {
        self.scv
    }

    /// Longest.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.values.last().copied().unwrap_or(f64::NAN)
    }

    /// Whether they have a unit; the numbers are then in seconds.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// SHA-256 of the file that they come from, in hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The measurement of an index below [`count`](Self::count), when all are sorted.
    ///
    /// # Panics
    /// When the index is not below the count.
    #[must_use]
    #[inline]
    pub fn sorted(&self, index: u64) -> f64 {
        if self.cumulative.is_empty() {
            self.values[index as usize]
        } else {
            self.values[self.cumulative.partition_point(|&up_to| up_to <= index)]
        }
    }

    /// The smallest measured value that at least the share `probability` of all measurements does not exceed (the inverse of the
    /// empirical distribution function; type 1 of Hyndman and Fan 1996).
    ///
    /// # Panics
    /// Unless the probability is between 0 and 1.
    #[must_use]
    pub fn quantile(&self, probability: f64) -> f64 {
        assert!(
            (0.0..=1.0).contains(&probability),
            "{probability} is not a probability"
        );
        let count = self.count();
        let rank = (probability * count as f64).ceil() as u64;
        self.sorted(rank.clamp(1, count) - 1)
    }

    /// Values from the smallest to the largest, each with a number of measurements; a value may come more than once.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u64)> {
        self.values.iter().enumerate().map(|(index, &value)| {
            let Some(&up_to) = self.cumulative.get(index) else {
                return (value, 1);
            };
            let below = index.checked_sub(1).map_or(0, |before| self.cumulative[before]);
            (value, up_to - below)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Scale = Scale::Dimensionless;

    #[test]
    fn counts_and_values_say_the_same() {
        let values = Latencies::of_values(vec![2.0, 1.0, 2.0, 5.0, 2.0], UNIT, "").unwrap();
        let counts = Latencies::of_counts(vec![(5.0, 1), (3.0, 0), (1.0, 1), (2.0, 3)], UNIT, "").unwrap();
        assert_eq!(values.count(), counts.count());
        assert_eq!(values.mean().to_bits(), counts.mean().to_bits());
        assert_eq!(values.scv().to_bits(), counts.scv().to_bits());
        assert_eq!((values.max(), counts.max()).0.to_bits(), 5.0_f64.to_bits());
        let all =
            |latencies: &Latencies| -> Vec<f64> { (0..5).map(|index| latencies.sorted(index)).collect() };
        assert_eq!(all(&values), [1.0, 2.0, 2.0, 2.0, 5.0]);
        assert_eq!(all(&counts), all(&values));
        for (probability, quantile) in [
            (0.0, 1.0),
            (0.2, 1.0),
            (0.21, 2.0),
            (0.8, 2.0),
            (0.81, 5.0),
            (1.0, 5.0),
        ] {
            assert_eq!(
                values.quantile(probability).to_bits(),
                f64::to_bits(quantile),
                "{probability}"
            );
            assert_eq!(
                counts.quantile(probability).to_bits(),
                f64::to_bits(quantile),
                "{probability}"
            );
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        let of = |values: &[f64]| Latencies::of_values(values.to_vec(), UNIT, "").unwrap_err();
        assert_eq!(of(&[]), LatenciesError::Empty);
        assert_eq!(of(&[1.0]), LatenciesError::One(1.0.into()));
        for bad in [0.0, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(
                matches!(of(&[1.0, bad, 2.0]), LatenciesError::NotATime(_)),
                "{bad}"
            );
        }
        assert_eq!(of(&[f64::MAX, f64::MAX]), LatenciesError::OutOfReach);
        assert_eq!(of(&vec![1.0; LATENCIES_MAX + 1]), LatenciesError::TooMany);
        let counts = Latencies::of_counts(vec![(1.0, u64::MAX), (2.0, 1)], UNIT, "");
        assert_eq!(counts, Err(LatenciesError::OutOfReach));
    }
}

//! A histogram whose buckets grow with the value, for quantiles of a known relative error.

/// Binary digits that a bucket keeps below the leading one.
const DIGITS: u32 = 6;
/// Buckets that the numbers below 2^63 need.
const BUCKETS: usize = bucket_of(i64::MAX as u64) + 1;

/// The bucket of a value: itself below 128, then 64 buckets for every doubling.
#[inline]
const fn bucket_of(value: u64) -> usize {
    let shift = (value | (1 << DIGITS)).ilog2() - DIGITS;
    ((shift as usize) << DIGITS) + (value >> shift) as usize
}

/// The middle of a bucket.
fn middle_of(bucket: usize) -> f64 {
    let shift = (bucket >> DIGITS).saturating_sub(1);
    let low = ((bucket - (shift << DIGITS)) as f64) * libm::scalbn(1.0, shift as i32);
    if shift == 0 {
        low
    } else {
        low + libm::scalbn(0.5, shift as i32)
    }
}

/// Counts of values in buckets of which the middle is within 1/128 of every value in the bucket. Values are times in
/// ticks; below 128 ticks they are exact.
///
/// Histograms of the same clock can be merged, in any order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    /// Bucket of the first count.
    first: usize,
    /// Counts without empty buckets at the ends.
    counts: Vec<u64>,
}

impl Histogram {
    /// Largest relative difference between a quantile as reported and the sample's quantile.
    pub const RELATIVE_ERROR: f64 = 1.0 / 128.0;

    /// Number of values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The smallest value that at least the fraction `probability` of the values do not exceed, in ticks, within
    /// [`Histogram::RELATIVE_ERROR`]. `None` without values or when `probability` is not between 0 and 1.
    #[must_use]
    pub fn quantile(&self, probability: f64) -> Option<f64> {
        if !(0.0..=1.0).contains(&probability) {
            return None;
        }
        let rank = (libm::ceil(probability * self.total() as f64) as u64).max(1);
        let mut seen = 0;
        for (offset, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(middle_of(self.first + offset));
            }
        }
        None
    }

    /// Adds the values of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.is_empty() {
            return;
        }
        if self.counts.is_empty() {
            self.clone_from(other);
            return;
        }
        let first = self.first.min(other.first);
        let end = (self.first + self.counts.len()).max(other.first + other.counts.len());
        let mut counts = vec![0; end - first];
        for histogram in [&*self, other] {
            let start = histogram.first - first;
            for (sum, count) in counts[start..].iter_mut().zip(&histogram.counts) {
                *sum += count;
            }
        }
        *self = Self { first, counts };
    }
}

/// A histogram that is being filled.
#[derive(Debug, Clone)]
pub(crate) struct HistogramRecorder {
    counts: Vec<u64>,
}

impl HistogramRecorder {
    pub(crate) fn new() -> Self {
        Self {
            counts: vec![0; BUCKETS],
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: u64) {
        self.counts[bucket_of(value)] += 1;
    }

    /// The histogram so far; starts over.
    pub(crate) fn take(&mut self) -> Histogram {
        let first = self.counts.iter().position(|&count| count > 0).unwrap_or(0);
        let end = self
            .counts
            .iter()
            .rposition(|&count| count > 0)
            .map_or(first, |last| last + 1);
        let counts = self.counts[first..end].to_vec();
        self.counts.fill(0);
        Histogram { first, counts }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram_of(values: &[u64]) -> Histogram {
        let mut recorder = HistogramRecorder::new();
        for &value in values {
            recorder.add(value);
        }
        recorder.take()
    }

    #[test]
    fn buckets_follow_each_other() {
        let mut values: Vec<u64> = (0..63)
            .flat_map(|power| [(1_u64 << power) - 1, 1 << power, (1 << power) + 1])
            .chain(0..2000)
            .collect();
        values.sort_unstable();
        assert!(values.windows(2).all(|pair| {
            let step = bucket_of(pair[1]) - bucket_of(pair[0]);
            step <= 1 || pair[1] - pair[0] > 1
        }));
        assert_eq!(bucket_of(0), 0);
        assert_eq!(bucket_of(i64::MAX as u64), BUCKETS - 1);
    }

    proptest! {
        #[test]
        fn quantiles_are_within_the_stated_error(
            mut values in prop::collection::vec(prop_oneof![0_u64..300, 0_u64..1 << 62], 1..200),
            probability in 0.0..=1.0_f64,
        ) {
            let quantile = histogram_of(&values).quantile(probability).unwrap();
            values.sort_unstable();
            let rank = ((probability * values.len() as f64).ceil() as usize).max(1);
            let exact = values[rank - 1] as f64;
            prop_assert!((quantile - exact).abs() <= exact * Histogram::RELATIVE_ERROR, "{quantile} for {exact}");
        }

        #[test]
        fn merging_is_recording_both(
            first in prop::collection::vec(0_u64..1 << 40, 0..50),
            second in prop::collection::vec(0_u64..1 << 62, 0..50),
        ) {
            let mut merged = histogram_of(&first);
            merged.merge(&histogram_of(&second));
            let both: Vec<u64> = first.iter().chain(&second).copied().collect();
            prop_assert_eq!(merged, histogram_of(&both));
        }
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(Histogram::default().quantile(0.5), None);
        assert_eq!(histogram_of(&[1]).quantile(f64::NAN), None);
        assert_eq!(histogram_of(&[1, 2, 3]).total(), 3);
    }
}

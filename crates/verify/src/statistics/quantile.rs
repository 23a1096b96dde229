//! Intervals for a quantile, from order statistics: no assumption on the distribution.

use super::{
    error::{StatisticsError, require},
    error_rate::ErrorRate,
    interval::Interval,
    tails::{ln_binomial_at_least, ln_binomial_at_most},
};

/// The interval between two order statistics that covers the quantile of a given probability p.
///
/// With B binomial(n, p), the number of observations below the quantile: the lower end is the l-th smallest
/// observation with the largest l such that P(B < l) ≤ α/2, the upper end the u-th smallest with the smallest
/// u such that P(B ≥ u) ≤ α/2 (David & Nagaraja, "Order Statistics", 2003, section 7.1). Valid for every
/// distribution; the observations must be independent, one per replication.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] unless 0 < p < 1 and all observations are finite;
/// [`StatisticsError::TooFewObservations`], with the number needed, when even the extremes do not reach the
/// confidence.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, quantile_interval};
/// let sample: Vec<f64> = (1..=100).map(f64::from).collect();
/// let interval = quantile_interval(&sample, 0.5, ErrorRate::new(0.05)?)?;
/// assert_eq!((interval.low(), interval.high()), (40.0, 61.0));
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn quantile_interval(
    sample: &[f64],
    probability: f64,
    alpha: ErrorRate,
) -> Result<Interval, StatisticsError> {
    let accepted = "strictly between 0 and 1";
    require(
        "probability of the quantile",
        probability,
        accepted,
        probability > 0.0 && probability < 1.0,
    )?;
    for &observation in sample {
        require("observation", observation, "finite", true)?;
    }
    let n = sample.len() as u64;
    let ln_side = alpha.halved().value().ln();
    // Both ends exist when neither "all above" nor "all below" the quantile is as likely as α/2.
    let rarer = probability.min(1.0 - probability);
    let needed = (ln_side / (-rarer).ln_1p()).ceil() as u64;
    if n < needed {
        return Err(StatisticsError::TooFewObservations { have: n, needed });
    }
    let below = |rank: u64| ln_binomial_at_most(rank - 1, n, probability) <= ln_side;
    let above = |rank: u64| ln_binomial_at_least(rank, n, probability) <= ln_side;
    // Ranks from 1 to n; `below` holds up to a rank, `above` from a rank on.
    let low = last_rank(n, below).unwrap_or(1);
    let high = last_rank(n, |rank| !above(rank))
        .map_or(1, |rank| rank + 1)
        .min(n);
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Interval::new(sorted[low as usize - 1], sorted[high as usize - 1], alpha)
}

/// The last rank of 1..=n for which a property that holds up to some rank holds; none if it does not hold for
/// the first.
fn last_rank(n: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut holding, mut failing) = (0, n + 1);
    while failing - holding > 1 {
        let middle = u64::midpoint(holding, failing);
        if holds(middle) {
            holding = middle;
        } else {
            failing = middle;
        }
    }
    (holding > 0).then_some(holding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(n: u32, probability: f64, alpha: f64) -> Result<(u32, u32), StatisticsError> {
        let sample: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        quantile_interval(&sample, probability, ErrorRate::new(alpha).unwrap())
            .map(|interval| (interval.low() as u32, interval.high() as u32))
    }

    #[test]
    fn ranks_are_those_of_the_binomial_table() {
        // Conover, "Practical Nonparametric Statistics": for the median at 95 %, n = 10 gives ranks 2 and 9,
        // and n = 6 the extremes (2/2^6 = 0.031).
        assert_eq!(ranks(10, 0.5, 0.05).unwrap(), (2, 9));
        assert_eq!(ranks(6, 0.5, 0.05).unwrap(), (1, 6));
    }

    #[test]
    fn the_number_needed_is_the_smallest_that_works() {
        for (probability, alpha) in [(0.5, 0.05), (0.9, 0.05), (0.01, 0.001), (0.5, 1e-8)] {
            let Err(StatisticsError::TooFewObservations { needed, .. }) = ranks(2, probability, alpha) else {
                panic!("two observations cannot be enough");
            };
            let needed = u32::try_from(needed).unwrap();
            assert!(ranks(needed, probability, alpha).is_ok());
            assert!(ranks(needed - 1, probability, alpha).is_err());
        }
    }

    #[test]
    fn bad_input_is_named() {
        assert!(ranks(10, 1.0, 0.05).is_err());
        assert!(ranks(10, f64::NAN, 0.05).is_err());
        let sample = [1.0, f64::NAN, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert!(quantile_interval(&sample, 0.5, ErrorRate::new(0.05).unwrap()).is_err());
    }
}

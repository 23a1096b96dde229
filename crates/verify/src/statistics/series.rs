//! Dependent observations of one run: autocorrelation, cycles, effective sample size, batch means.

use super::{
    error::{StatisticsError, require, require_count},
    error_rate::ErrorRate,
    interval::Interval,
    mean::mean_interval,
    moments::Moments,
};

/// The autocorrelation of a series at lags 0..=`lag_max`: r(h) = Σ(xₜ − x̄)(xₜ₊ₕ − x̄)/Σ(xₜ − x̄)².
///
/// Both sums use the overall mean, without a correction for the missing terms (Box & Jenkins 1976, section
/// 2.1.5), which keeps |r| ≤ 1. For white noise of length n the values at positive lags are nearly normal
/// with variance 1/n.
///
/// # Errors
/// [`StatisticsError::TooFewObservations`] unless the series is longer than `lag_max`;
/// [`StatisticsError::NoVariation`] for a constant one; [`StatisticsError::OutOfRange`] for a value that is
/// not finite.
///
/// ```
/// use retrylab_verify::statistics::autocorrelation;
/// let values = autocorrelation(&[1.0, -1.0, 1.0, -1.0], 2)?;
/// assert_eq!(values, [1.0, -0.75, 0.5]);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn autocorrelation(series: &[f64], lag_max: usize) -> Result<Vec<f64>, StatisticsError> {
    require_count(series.len() as u64, lag_max as u64 + 1)?;
    for &value in series {
        require("value of a series", value, "finite", true)?;
    }
    let moments: Moments = series.iter().copied().collect();
    if moments.is_constant() {
        return Err(StatisticsError::NoVariation {
            value: moments.mean(),
        });
    }
    let deviations: Vec<f64> = series.iter().map(|value| value - moments.mean()).collect();
    let product = |lag: usize| -> f64 {
        deviations
            .iter()
            .zip(&deviations[lag..])
            .map(|(early, late)| early * late)
            .sum()
    };
    let total = product(0);
    Ok((0..=lag_max).map(|lag| product(lag) / total).collect())
}

/// A cycle in a series: its period and how strongly the series repeats after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cycle {
    /// Lag of the largest autocorrelation after the first negative one, in steps of the series.
    pub period: usize,
    /// The autocorrelation there, from 0 to 1.
    pub strength: f64,
}

/// The cycle that an autocorrelation function shows: its highest positive value after it has first been
/// negative.
///
/// A series without a cycle has none, or one of a strength that noise explains: compare it with z/√n, z the
/// normal's upper quantile for an error rate split over the lags. The lags searched should span a few
/// periods.
///
/// ```
/// use retrylab_verify::statistics::{autocorrelation, cycle};
/// let wave: Vec<f64> = (0..400).map(|i| (std::f64::consts::TAU * f64::from(i) / 25.0).sin()).collect();
/// let found = cycle(&autocorrelation(&wave, 60)?).expect("a sine wave has a cycle");
/// assert_eq!(found.period, 25);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[must_use]
pub fn cycle(autocorrelation: &[f64]) -> Option<Cycle> {
    let first_negative = autocorrelation.iter().position(|&value| value < 0.0)?;
    autocorrelation
        .iter()
        .enumerate()
        .skip(first_negative)
        .filter(|&(_, &value)| value > 0.0)
        .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))
        .map(|(period, &strength)| Cycle { period, strength })
}

/// The number of independent observations whose mean is as precise as the series': n/(1 + 2 Σ r(h)).
///
/// The sum ends by Geyer's initial positive sequence (1992): before the first pair r(2k) + r(2k+1) that is
/// not positive, which a reversible chain cannot have. At most n.
///
/// # Errors
/// As [`autocorrelation`], from four observations on.
///
/// ```
/// use retrylab_verify::statistics::effective_sample_size;
/// let slow: Vec<f64> = (0..100).map(|i| f64::from(i / 10 % 2)).collect();
/// assert!(effective_sample_size(&slow)? < 30.0);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn effective_sample_size(series: &[f64]) -> Result<f64, StatisticsError> {
    require_count(series.len() as u64, 4)?;
    let n = series.len() as f64;
    // The pairs of a correlated series turn non-positive early; the lags are computed in growing blocks until
    // then.
    let mut lag_max = 64.min(series.len() - 1);
    loop {
        let values = autocorrelation(series, lag_max)?;
        let mut sum = -1.0_f64;
        for pair in values.chunks_exact(2) {
            let pair = pair[0] + pair[1];
            if pair <= 0.0 {
                return Ok((n / sum.max(1.0)).max(1.0));
            }
            sum += 2.0 * pair;
        }
        if lag_max == series.len() - 1 {
            return Ok((n / sum.max(1.0)).max(1.0));
        }
        lag_max = (8 * lag_max).min(series.len() - 1);
    }
}

/// The means of `batches` equally long consecutive parts of a series; what is left over at its start is
/// dropped, where a remaining warm-up would be.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] for no batches; [`StatisticsError::TooFewObservations`] for more batches
/// than observations.
///
/// ```
/// use retrylab_verify::statistics::batch_means;
/// assert_eq!(batch_means(&[9.0, 1.0, 3.0, 5.0, 7.0], 2)?, [2.0, 6.0]);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn batch_means(series: &[f64], batches: usize) -> Result<Vec<f64>, StatisticsError> {
    require("batches", batches as f64, "at least 1", batches >= 1)?;
    require_count(series.len() as u64, batches as u64)?;
    let length = series.len() / batches;
    let kept = &series[series.len() - length * batches..];
    Ok(kept
        .chunks_exact(length)
        .map(|batch| batch.iter().sum::<f64>() / length as f64)
        .collect())
}

/// [`mean_interval`] of the batch means of a stationary series.
///
/// Valid when the batches are long against the correlation, so that their means are nearly independent: check
/// the lag-1 [`autocorrelation`] of [`batch_means`], or keep the series' [`effective_sample_size`] at ten or
/// more per batch (Schmeiser 1982 recommends 10 to 30 batches).
///
/// # Errors
/// As [`batch_means`] and [`mean_interval`].
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, batch_means_interval};
/// let series: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % 1009) / 1009.0).collect();
/// let interval = batch_means_interval(&series, 20, ErrorRate::new(0.01)?)?;
/// assert!(interval.contains(0.5));
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn batch_means_interval(
    series: &[f64],
    batches: usize,
    alpha: ErrorRate,
) -> Result<Interval, StatisticsError> {
    mean_interval(&batch_means(series, batches)?.into_iter().collect(), alpha)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the values compared are exact")]
mod tests {
    use super::*;

    #[test]
    fn a_series_without_a_cycle_has_none() {
        assert_eq!(cycle(&[1.0, 0.5, 0.2, 0.1]), None);
        assert_eq!(cycle(&[1.0, 0.5, -0.2, -0.1]), None);
        assert_eq!(
            cycle(&[1.0, 0.9, -0.5, 0.3, 0.4, 0.2]),
            Some(Cycle {
                period: 4,
                strength: 0.4
            })
        );
        assert_eq!(
            cycle(&[1.0, -0.5, 0.4, -0.5, 0.4]),
            Some(Cycle {
                period: 2,
                strength: 0.4
            })
        );
    }

    #[test]
    fn bad_series_are_named() {
        assert!(matches!(
            autocorrelation(&[1.0, 2.0], 2),
            Err(StatisticsError::TooFewObservations { .. })
        ));
        assert!(matches!(
            autocorrelation(&[2.0; 9], 2),
            Err(StatisticsError::NoVariation { .. })
        ));
        assert!(matches!(
            autocorrelation(&[1.0, f64::NAN], 1),
            Err(StatisticsError::OutOfRange { .. })
        ));
        assert!(batch_means(&[1.0], 0).is_err() && batch_means(&[1.0], 2).is_err());
        assert!(effective_sample_size(&[1.0, 2.0, 1.0]).is_err());
    }

    #[test]
    fn an_alternating_series_is_not_worth_more_than_its_length() {
        let series: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        assert_eq!(effective_sample_size(&series).unwrap(), 100.0);
    }
}

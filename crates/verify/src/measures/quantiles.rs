//! Quantiles of the sojourn time from histograms of runs.

use retrylab_sim::{Histogram, RunRecord};

use crate::statistics::{ErrorRate, Moments, StatisticsError, mean_interval};

/// The quantiles that are estimated and their names.
pub(super) const QUANTILES: [(f64, &str); 5] = [
    (0.5, "sojourn_time_p50"),
    (0.9, "sojourn_time_p90"),
    (0.95, "sojourn_time_p95"),
    (0.99, "sojourn_time_p99"),
    (0.999, "sojourn_time_p999"),
];

/// One quantile of every run.
#[derive(Debug, Clone, Default)]
pub(super) struct RunQuantiles {
    moments: Moments,
    runs_without: u64,
}

impl RunQuantiles {
    pub(super) fn push(&mut self, record: &RunRecord, probability: f64) {
        match record.sojourn_time_quantile(probability) {
            Some(quantile) => self.moments.push(quantile),
            None => self.runs_without += 1,
        }
    }

    /// Runs in which no service was completed.
    pub(super) fn runs_without(&self) -> u64 {
        self.runs_without
    }

    /// The mean of the runs' quantiles.
    pub(super) fn value(&self) -> Option<f64> {
        (self.moments.count() > 0 && self.runs_without == 0).then(|| self.moments.mean())
    }

    /// Its interval, widened by what a histogram's bucket hides.
    pub(super) fn interval(&self, alpha: ErrorRate) -> Result<(f64, f64), StatisticsError> {
        let resolution = Histogram::RELATIVE_ERROR;
        let (low, high) = match mean_interval(&self.moments, alpha) {
            Ok(interval) => (interval.low(), interval.high()),
            // Every run's quantile is in the same bucket: what varies is hidden in it.
            Err(StatisticsError::NoVariation { value }) => (value, value),
            Err(error) => return Err(error),
        };
        Ok((low.max(0.0) * (1.0 - resolution), high * (1.0 + resolution)))
    }
}

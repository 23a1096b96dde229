//! What a run leaves behind.

use crate::counts::Counts;
use crate::histogram::Histogram;
use crate::measure::Measure;

/// The record of one replication.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Number of the replication.
    pub replication: u64,
    /// Attempts sent in the whole run at all tiers, those before measuring began included: what the replication cost.
    pub attempts_simulated: u64,
    /// What happened from `run.measure_from` to `run.until`.
    pub counts: Counts,
    /// Sojourn times of the completions counted in `counts`; empty unless asked for by
    /// [`Options::histogram`](crate::Options::histogram).
    pub sojourn_times: Histogram,
    /// When the last success of the whole run happened, in the scenario's unit of time. The time from it to the end of the
    /// run is the time that the service has been locked up so far, if it is.
    pub last_success: Option<f64>,
    /// The whole run from 0 to `run.until` in windows of width `run.window`, the last possibly shorter; empty unless asked
    /// for by [`Options::windows`](crate::Options::windows).
    pub windows: Vec<Window>,
}

impl RunRecord {
    /// Numerator and denominator of a measure; see [`Counts::measure`].
    ///
    /// # Panics
    /// When the index of a tail is beyond the scenario's tail times.
    #[must_use]
    pub fn measure(&self, measure: Measure) -> (f64, f64) {
        self.counts.measure(measure)
    }

    /// A quantile of the sojourn time in the scenario's unit of time, within [`Histogram::RELATIVE_ERROR`]. `None` without
    /// a histogram or completions.
    #[must_use]
    pub fn sojourn_time_quantile(&self, probability: f64) -> Option<f64> {
        let ticks = self.sojourn_times.quantile(probability)?;
        Some(ticks * self.counts.tick)
    }
}

/// A window of the time series of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// When the window begins, in the scenario's unit of time.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// What happened in it.
    pub counts: Counts,
}

//! Experiments about the time series of a run.

use retrylab_model::Scenario;
use retrylab_sim::{Options, Window};

use super::{Estimator, Experiment};

impl Experiment {
    /// A statistic of the windows of width `run.window` that begin in the measured part of a run, as numerator and
    /// denominator.
    #[must_use]
    pub fn windows(
        scenario: Scenario,
        statistic: &str,
        estimator: Estimator,
        value: impl Fn(&[Window]) -> (f64, f64) + Send + Sync + 'static,
    ) -> Self {
        let records = Options {
            windows: true,
            ..Options::default()
        };
        let measure_from = scenario.measure_from();
        Self::runs_with(
            records,
            vec![scenario],
            statistic.to_owned(),
            estimator,
            move |runs| {
                let windows = &runs[0].windows;
                let first = windows.partition_point(|window| window.from < measure_from);
                value(&windows[first..])
            },
        )
    }
}

//! How long, from when and how often to measure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// Length of a run in mean service times where a scenario does not say.
const DEFAULT_LENGTH: f64 = 100_000.0;
/// Share of a run before measuring begins where a scenario does not say.
const DEFAULT_WARM_UP: f64 = 0.1;
/// Windows of the time series of a run where a scenario does not say.
const DEFAULT_WINDOWS: f64 = 400.0;
/// Replications where a scenario does not say.
const DEFAULT_REPLICATIONS: u32 = 20;

/// Most windows of a time series.
const WINDOWS_MAX: f64 = 1e6;
/// Most new requests that a run may expect: above it a run would not end.
const REQUESTS_MAX: f64 = 1e15;

/// The measuring plan of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// When a run ends; 100,000 mean service times when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// When measuring begins; after a tenth of the run when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure_from: Option<Time>,
    /// Width of a window of the time series; a 400th of the run when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Time>,
    /// Number of independent runs.
    pub replications: u32,
    /// Times at which the tails of waiting and sojourn time are measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tail_times: Vec<Time>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            until: None,
            measure_from: None,
            window: None,
            replications: DEFAULT_REPLICATIONS,
            tail_times: Vec::new(),
        }
    }
}

impl Run {
    pub(crate) fn until_or_default(&self, service_mean: f64) -> f64 {
        self.until.map_or(DEFAULT_LENGTH * service_mean, Time::value)
    }

    pub(crate) fn measure_from_or_default(&self, service_mean: f64) -> f64 {
        self.measure_from
            .map_or(DEFAULT_WARM_UP * self.until_or_default(service_mean), Time::value)
    }

    pub(crate) fn window_or_default(&self, service_mean: f64) -> f64 {
        self.window
            .map_or(self.until_or_default(service_mean) / DEFAULT_WINDOWS, Time::value)
    }

    pub(crate) fn check(
        &self,
        validator: &mut Validator,
        service_mean: Time,
        rate_max: f64,
    ) -> Result<(), Invalid> {
        if let Some(until) = self.until {
            validator.positive_time("run.until", until)?;
        }
        let length = self.until_or_default(service_mean.value());
        let until = service_mean.with_value(length);
        if !(length.is_finite() && rate_max * length <= REQUESTS_MAX) {
            let accepted = "short enough for at most 1e15 new requests at the highest rate";
            return Err(Invalid::new("run.until", until, accepted));
        }
        if let Some(measure_from) = self.measure_from {
            validator.non_negative_time("run.measure_from", measure_from)?;
            if measure_from.value() >= length {
                let accepted = format!("before the end of the run, which is {until}");
                return Err(Invalid::new("run.measure_from", measure_from, accepted));
            }
        }
        if let Some(window) = self.window {
            validator.positive_time("run.window", window)?;
            if length / window.value() > WINDOWS_MAX {
                let accepted = format!("at least a millionth of the run, which is {until} long");
                return Err(Invalid::new("run.window", window, accepted));
            }
        }
        Validator::count("run.replications", self.replications, 1..=100_000_000)?;
        for (index, time) in self.tail_times.iter().enumerate() {
            validator.non_negative_time(&format!("run.tail_times.{index}"), *time)?;
        }
        Ok(())
    }
}

//! Service times that were measured: the file that has them, and how it is to be read.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::latencies::Latencies;
use crate::unit::{Scale, Time};
use crate::validation::{Invalid, Validator};

/// Measured service times. What a text says is where they are; whoever reads the file puts [`latencies`](Self::latencies) there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Name of the file, relative to that of the text.
    pub file: String,
    /// Which of several columns has the times, or which tag of an HdrHistogram log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Unit of the numbers in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<TimeUnit>,
    /// A service time is so many times a measured one.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub factor: f64,
    /// Whether the times include waiting for a server; as good as true when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub includes_queueing: Option<bool>,
    /// Load of the service while they were measured; the scenario's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at_load: Option<f64>,
    /// Checksum that the file must have, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What the file holds, once it has been read.
    #[serde(skip)]
    pub latencies: Option<Arc<Latencies>>,
}

fn whole() -> f64 {
    1.0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    clippy::float_cmp,
    reason = "serde hands over a reference, and what is left out is exactly the default"
)]
fn is_whole(factor: &f64) -> bool {
    *factor == whole()
}

impl Measured {
    /// The times in a file, of which nothing else is known yet.
    #[must_use]
    pub fn in_file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            column: None,
            unit: None,
            factor: whole(),
            includes_queueing: None,
            measured_at_load: None,
            sha256: None,
            latencies: None,
        }
    }

    /// Times that are at hand, with a name for where they come from.
    ///
    /// ```
    /// use retrylab_model::{Latencies, Measured, Scale, ServiceTime};
    /// let latencies = Latencies::of_values(vec![0.5, 1.5], Scale::Dimensionless, "")?;
    /// let time = ServiceTime::Measured(Measured::of("two values", latencies));
    /// assert_eq!((time.mean(), time.scv()), (1.0, 0.25));
    /// # Ok::<(), retrylab_model::LatenciesError>(())
    /// ```
    #[must_use]
    pub fn of(file: &str, latencies: Latencies) -> Self {
        Self {
            latencies: Some(Arc::new(latencies)),
            ..Self::in_file(file)
        }
    }

    /// Demands the file that was read and no other, so that a text written from this names it exactly.
    pub(crate) fn demand_checksum(&mut self) {
        if let Some(latencies) = &self.latencies
            && !latencies.sha256().is_empty()
        {
            self.sha256 = Some(latencies.sha256().to_owned());
        }
    }

    /// Whether a file that was read for `other` is the one that is meant here, read as it is meant.
    pub(crate) fn is_read_like(&self, other: &Self) -> bool {
        (&self.file, &self.column, self.unit, &self.sha256)
            == (&other.file, &other.column, other.unit, &other.sha256)
    }

    /// Mean of a service time; not a number before the file has been read.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.of_latencies(|latencies| self.factor * latencies.mean())
    }

    pub(crate) fn mean_time(&self) -> Time {
        let scale = self.latencies.as_ref().map(|latencies| latencies.scale());
        Time::in_scale(self.mean(), scale.unwrap_or(Scale::Dimensionless))
    }

    /// Squared coefficient of variation of a service time; not a number before the file has been read.
    #[must_use]
    pub fn scv(&self) -> f64 {
        self.of_latencies(Latencies::scv)
    }

    /// Longest service time; not a number before the file has been read.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.of_latencies(|latencies| self.factor * latencies.max())
    }

    fn of_latencies(&self, number: impl Fn(&Latencies) -> f64) -> f64 {
        self.latencies.as_deref().map_or(f64::NAN, number)
    }

    /// Checks the values, which are at a path of a text, and that the file has been read.
    ///
    /// # Errors
    /// The first [`Invalid`] value.
    pub fn check(&self, path: &str, validator: &mut Validator) -> Result<(), Invalid> {
        let key = |name: &str| format!("{path}.{name}");
        if let Some(load) = self.measured_at_load {
            Validator::non_negative(&key("measured_at_load"), load)?;
        }
        let Some(latencies) = &self.latencies else {
            let accepted = "a file that has been read, which checking values does not do";
            return Err(Invalid::new(&key("file"), format!("\"{}\"", self.file), accepted));
        };
        // The longest time is out of reach before the mean is, at the upper end; the mean is first at the lower.
        Validator::number(
            &key("factor"),
            self.factor,
            |_| self.mean() > 0.0 && self.max().is_finite(),
            "a number above 0 with which the times stay finite and above 0",
        )?;
        let unit = self.unit.map_or("stated in the file", TimeUnit::name);
        validator.unit(&key("unit"), latencies.scale(), unit)
    }
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeUnit {
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Microseconds.
    #[serde(rename = "us", alias = "µs")]
    Microseconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Minutes.
    #[serde(rename = "min")]
    Minutes,
    /// Hours.
    #[serde(rename = "h")]
    Hours,
    /// Days.
    #[serde(rename = "d")]
    Days,
}

impl TimeUnit {
    /// Its name in a text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "min",
            Self::Hours => "h",
            Self::Days => "d",
        }
    }

    /// So many of the unit in seconds, rounded once.
    ///
    /// ```
    /// use retrylab_model::TimeUnit;
    /// assert_eq!((TimeUnit::Milliseconds.seconds(120.0), TimeUnit::Minutes.seconds(2.0)), (0.12, 120.0));
    /// ```
    #[must_use]
    pub fn seconds(self, number: f64) -> f64 {
        match self {
            Self::Nanoseconds => number / 1e9,
            Self::Microseconds => number / 1e6,
            Self::Milliseconds => number / 1e3,
            Self::Seconds => number,
            Self::Minutes => number * 60.0,
            Self::Hours => number * 3600.0,
            Self::Days => number * 86_400.0,
        }
    }
}

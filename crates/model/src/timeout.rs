//! How long a client waits for the answer to an attempt.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// How long a client waits for the answer to an attempt, from the moment it sends it.
///
/// ```
/// use retrylab_model::{Scenario, Timeout};
/// let scenario = Scenario::from_toml("[traffic]\nrate = 0.6\n[client]\ntimeout = { exponential = { mean = 50 } }\n")?;
/// assert_eq!(scenario.client.timeout, Some(Timeout::Exponential { mean: 50.0.into() }));
/// assert_eq!(Timeout::from(50.0).mean(), 50.0);
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Timeout {
    /// Always the same.
    Constant(Time),
    /// Exponential, drawn anew for each attempt.
    Exponential {
        /// Mean.
        mean: Time,
    },
}

/// The kinds that are written as a table.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum Distribution {
    Exponential { mean: Time },
}

impl Timeout {
    /// Mean of the time.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(time) | Self::Exponential { mean: time } => time.value(),
        }
    }

    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        match *self {
            Self::Constant(time) => validator.positive_time("client.timeout", time),
            Self::Exponential { mean } => validator.positive_time("client.timeout.exponential.mean", mean),
        }
    }
}

impl From<Time> for Timeout {
    fn from(time: Time) -> Self {
        Self::Constant(time)
    }
}

impl From<f64> for Timeout {
    fn from(time: f64) -> Self {
        Self::Constant(time.into())
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(time) => time.fmt(f),
            Self::Exponential { mean } => write!(f, "exponential with mean {mean}"),
        }
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Constant(time) => time.serialize(serializer),
            Self::Exponential { mean } => Distribution::Exponential { mean }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimeOrDistribution;
        impl<'de> Visitor<'de> for TimeOrDistribution {
            type Value = Timeout;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a time, such as 50 or \"120ms\" (ns, us, ms, s, min, h, d), or { exponential = { mean = … } }",
                )
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Timeout, E> {
                Ok(value.into())
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Timeout, E> {
                Ok((value as f64).into())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timeout, E> {
                text.parse::<Time>()
                    .map(Timeout::from)
                    .map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }

            // A table, which the decoder hands over undecoded.
            fn visit_newtype_struct<D: Deserializer<'de>>(self, table: D) -> Result<Timeout, D::Error> {
                let Distribution::Exponential { mean } = Distribution::deserialize(table)?;
                Ok(Timeout::Exponential { mean })
            }
        }
        deserializer.deserialize_any(TimeOrDistribution)
    }
}

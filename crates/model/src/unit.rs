//! Times and rates as people write them: a plain number in the scenario's own time unit, or a string with a unit.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::unit_text::{Shortest, parse_number, split_unit, write_rate, write_time};

/// Whether a number was given with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// In the scenario's own time unit.
    Dimensionless,
    /// In seconds, or per second.
    Seconds,
}

/// A length of time or a moment.
///
/// ```
/// use retrylab_model::{Scale, Time};
/// let timeout: Time = "120ms".parse()?;
/// assert_eq!((timeout.value(), timeout.scale()), (0.12, Scale::Seconds));
/// assert_eq!(Time::from(50.0).scale(), Scale::Dimensionless);
/// # Ok::<(), retrylab_model::UnitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    value: f64,
    scale: Scale,
}

/// A number of events per unit of time.
///
/// ```
/// use retrylab_model::Rate;
/// let rate: Rate = "48000/min".parse()?;
/// assert_eq!(rate.value(), 800.0);
/// # Ok::<(), retrylab_model::UnitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    value: f64,
    scale: Scale,
}

/// A string that is neither a time nor a rate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not {expected}")]
pub struct UnitError {
    text: String,
    expected: &'static str,
}

const TIME_EXPECTED: &str = "a time; write a number or a string such as \"120ms\" (ns, us, ms, s, min, h, d)";
const RATE_EXPECTED: &str =
    "a rate; write a number or a string such as \"800/s\" (per ns, us, ms, s, min, h, d)";

macro_rules! quantity {
    ($name:ident, $expected:ident, $write:path) => {
        impl $name {
            /// The number: in the scenario's own unit of time, or in seconds where a unit was given.
            #[must_use]
            pub fn value(self) -> f64 {
                self.value
            }

            /// Whether it was given with a unit.
            #[must_use]
            pub fn scale(self) -> Scale {
                self.scale
            }

            /// So many seconds, or so many per second.
            #[must_use]
            pub fn in_seconds(value: f64) -> Self {
                Self {
                    value,
                    scale: Scale::Seconds,
                }
            }

            /// The same kind of quantity with another value.
            #[must_use]
            pub fn with_value(self, value: f64) -> Self {
                Self { value, ..self }
            }
        }

        impl From<f64> for $name {
            fn from(value: f64) -> Self {
                Self {
                    value,
                    scale: Scale::Dimensionless,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.scale {
                    Scale::Dimensionless => Shortest(self.value).fmt(f),
                    Scale::Seconds => $write(self.value, f),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.scale {
                    Scale::Dimensionless => serializer.serialize_f64(self.value),
                    Scale::Seconds => serializer.collect_str(self),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Quantity;
                impl Visitor<'_> for Quantity {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_f64<E: de::Error>(self, value: f64) -> Result<$name, E> {
                        Ok($name::from(value))
                    }

                    fn visit_i64<E: de::Error>(self, value: i64) -> Result<$name, E> {
                        Ok($name::from(value as f64))
                    }

                    fn visit_u64<E: de::Error>(self, value: u64) -> Result<$name, E> {
                        Ok($name::from(value as f64))
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse()
                            .map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
                    }
                }
                deserializer.deserialize_any(Quantity)
            }
        }
    };
}

quantity!(Time, TIME_EXPECTED, write_time);
quantity!(Rate, RATE_EXPECTED, write_rate);

impl Time {
    /// A number in a scenario's own unit, or of seconds.
    #[must_use]
    pub fn in_scale(value: f64, scale: Scale) -> Self {
        Self { value, scale }
    }
}

impl std::str::FromStr for Time {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError {
            text: text.to_owned(),
            expected: TIME_EXPECTED,
        };
        let (number, numerator, denominator) = split_unit(text.trim()).ok_or_else(error)?;
        let amount = parse_number(number).ok_or_else(error)?;
        Ok(Self {
            value: amount * numerator / denominator,
            scale: Scale::Seconds,
        })
    }
}

impl std::str::FromStr for Rate {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError {
            text: text.to_owned(),
            expected: RATE_EXPECTED,
        };
        let (number, unit) = text.split_once('/').ok_or_else(error)?;
        let (_, numerator, denominator) = split_unit(unit.trim())
            .filter(|(number, ..)| number.is_empty())
            .ok_or_else(error)?;
        let amount = parse_number(number).ok_or_else(error)?;
        Ok(Self {
            value: amount * denominator / numerator,
            scale: Scale::Seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_of_time_has_its_length() {
        let cases = [
            ("5ns", 5e-9),
            ("5us", 5e-6),
            ("5µs", 5e-6),
            ("120ms", 0.12),
            ("1.5 s", 1.5),
            ("2min", 120.0),
            ("3h", 10800.0),
            ("1d", 86400.0),
            ("1e-3s", 0.001),
        ];
        for (text, seconds) in cases {
            let time: Time = text.parse().unwrap();
            assert_eq!(time.value().to_bits(), f64::to_bits(seconds), "{text}");
            assert_eq!(time.scale(), Scale::Seconds, "{text}");
        }
    }

    #[test]
    fn every_unit_of_rate_has_its_length() {
        for (text, per_second) in [
            ("800/s", 800.0),
            ("6/min", 0.1),
            ("1/ms", 1000.0),
            ("36 / h", 0.01),
        ] {
            assert_eq!(
                text.parse::<Rate>().unwrap().value().to_bits(),
                f64::to_bits(per_second),
                "{text}"
            );
        }
    }

    #[test]
    fn times_are_written_in_the_unit_that_reads_best() {
        for text in [
            "0s", "-0s", "120ms", "1.5ms", "250us", "3ns", "1.5s", "59s", "90s", "2min", "3h", "1d", "-5ms",
            "1e-300s", "1e300s",
        ] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        assert_eq!("0.12s".parse::<Time>().unwrap().to_string(), "120ms");
        assert_eq!("7200s".parse::<Time>().unwrap().to_string(), "2h");
        assert_eq!("6/min".parse::<Rate>().unwrap().to_string(), "0.1/s");
        assert_eq!(Time::from(1e-7).to_string(), "1e-7");
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in [
            "",
            "ms",
            "5",
            "5 parsecs",
            "infs",
            "nans",
            "5mss",
            "--5s",
            "800/s",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        for text in ["", "/s", "5", "5ms", "800/5s", "800/", "inf/s", "800/s/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}

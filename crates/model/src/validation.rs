//! Checking values once, at construction, with errors that name the field, the value and what is accepted.

use std::fmt::Display;

use crate::unit::{Rate, Scale, Time};
use crate::unit_text::Shortest;

/// A value that is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is {value}, but must be {accepted}")]
pub struct Invalid {
    /// The value's path in the TOML form, such as `client.timeout` or `schedule.0.at`.
    pub path: String,
    /// The value as given.
    pub value: String,
    /// What is accepted, as a phrase that follows "must be".
    pub accepted: String,
}

impl Invalid {
    /// An error for `path`.
    #[must_use]
    pub fn new(path: &str, value: impl Display, accepted: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            value: value.to_string(),
            accepted: accepted.into(),
        }
    }
}

/// Checks values one after another and remembers whether times are given with units.
#[derive(Debug, Default)]
pub struct Validator {
    scale: Option<(Scale, String)>,
}

impl Validator {
    /// A time in the range that `accept` describes; infinite and NaN are never accepted.
    fn time(
        &mut self,
        path: &str,
        time: Time,
        accept: impl Fn(f64) -> bool,
        accepted: &str,
    ) -> Result<(), Invalid> {
        if !(time.value().is_finite() && accept(time.value())) {
            return Err(Invalid::new(path, time, accepted));
        }
        self.same_scale(path, time.scale(), time.to_string())
    }

    /// A time above 0.
    pub fn positive_time(&mut self, path: &str, time: Time) -> Result<(), Invalid> {
        self.time(path, time, |value| value > 0.0, "a finite time above 0")
    }

    /// A time of at least 0.
    pub fn non_negative_time(&mut self, path: &str, time: Time) -> Result<(), Invalid> {
        self.time(path, time, |value| value >= 0.0, "a finite time of at least 0")
    }

    /// A rate above 0.
    pub fn positive_rate(&mut self, path: &str, rate: Rate) -> Result<(), Invalid> {
        if !(rate.value() > 0.0 && rate.value().is_finite()) {
            return Err(Invalid::new(path, rate, "a finite rate above 0"));
        }
        self.same_scale(path, rate.scale(), rate.to_string())
    }

    /// What says the unit of times elsewhere, `value`, or that they have none, as `scale` tells.
    pub fn unit(&mut self, path: &str, scale: Scale, value: &str) -> Result<(), Invalid> {
        let Some((first, witness)) = self.scale.as_ref().filter(|(first, _)| *first != scale) else {
            return self.same_scale(path, scale, value.to_owned());
        };
        Err(match first {
            Scale::Seconds => Invalid::new(path, "absent", format!("given, because {witness} has a unit")),
            Scale::Dimensionless => {
                Invalid::new(path, value, format!("absent, because {witness} has no unit"))
            }
        })
    }

    /// A plain number for which `accept` holds.
    pub fn number(
        path: &str,
        value: f64,
        accept: impl Fn(f64) -> bool,
        accepted: &str,
    ) -> Result<(), Invalid> {
        if value.is_finite() && accept(value) {
            Ok(())
        } else {
            Err(Invalid::new(path, Shortest(value), accepted))
        }
    }

    /// A finite number of at least 0.
    pub fn non_negative(path: &str, value: f64) -> Result<(), Invalid> {
        Self::number(path, value, |value| value >= 0.0, "a finite number of at least 0")
    }

    /// A finite number above 0.
    pub fn positive(path: &str, value: f64) -> Result<(), Invalid> {
        Self::number(path, value, |value| value > 0.0, "a finite number above 0")
    }

    /// A number from 0 to 1.
    pub fn probability(path: &str, value: f64) -> Result<(), Invalid> {
        Self::number(
            path,
            value,
            |value| (0.0..=1.0).contains(&value),
            "a number from 0 to 1",
        )
    }

    /// A count in a range.
    pub fn count(path: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Invalid> {
        if range.contains(&value) {
            Ok(())
        } else {
            Err(Invalid::new(
                path,
                value,
                format!("a whole number from {} to {}", range.start(), range.end()),
            ))
        }
    }

    /// Dimensionless numbers and units do not mix: 50 and "50ms" in one file is a mistake more often than a wish.
    fn same_scale(&mut self, path: &str, scale: Scale, value: String) -> Result<(), Invalid> {
        match &self.scale {
            None => {
                self.scale = Some((scale, path.to_owned()));
                Ok(())
            }
            Some((first, _)) if *first == scale => Ok(()),
            Some((Scale::Seconds, witness)) => Err(Invalid::new(
                path,
                value,
                format!("given with a unit, because {witness} is"),
            )),
            Some((Scale::Dimensionless, witness)) => Err(Invalid::new(
                path,
                value,
                format!("a number without a unit, because {witness} is one"),
            )),
        }
    }
}

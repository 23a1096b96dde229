//! What goes wrong for a while: servers that stand still, less capacity, more requests.

use std::fmt::Display;

use retrylab_model::{Change, Invalid, Time, Validator};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::written_rate::WrittenRate;

/// How long an incident lasts where nobody says.
pub(crate) const MINUTE: f64 = 60.0;

/// An incident as a service's file describes it: exactly one of `stall`, `capacity` and `rate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncidentSpec {
    /// All servers stand still for so long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stall: Option<Time>,
    /// This share of the capacity is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
    /// So many new requests come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<WrittenRate>,
    /// For how long; a minute when absent. Not beside `stall`, which says it itself.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub duration: Option<Time>,
}

impl IncidentSpec {
    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        let given = [self.stall.is_some(), self.capacity.is_some(), self.rate.is_some()];
        let count = given.into_iter().filter(|given| *given).count();
        if count != 1 {
            let accepted = "exactly one of stall, capacity and rate, such as { stall = \"30s\" } or { capacity = 0.5, for = \"1min\" }";
            return Err(Invalid::new(
                "incident",
                format!("a table with {count} of them"),
                accepted,
            ));
        }
        if let Some(stall) = self.stall {
            validator.positive_time("incident.stall", stall)?;
        }
        if let Some(capacity) = self.capacity {
            let accepted = "a share of the capacity, at least 0 and below 1";
            Validator::number(
                "incident.capacity",
                capacity,
                |share| (0.0..1.0).contains(&share),
                accepted,
            )?;
        }
        if let Some(rate) = &self.rate {
            validator.positive_rate("incident.rate", rate.rate())?;
        }
        match self.duration {
            Some(duration) if self.stall.is_some() => {
                let accepted = "left out beside stall, which says how long it lasts";
                Err(Invalid::new("incident.for", duration, accepted))
            }
            Some(duration) => validator.positive_time("incident.for", duration),
            None => Ok(()),
        }
    }

    /// The error where the clock of a simulation cannot hold the incident and the time around it.
    pub(crate) fn cannot_be_simulated(&self) -> Invalid {
        let accepted = |what: &str| format!("{what} to be simulated with the time before and after it");
        match (self.stall, self.capacity, &self.rate, self.duration) {
            (Some(stall), ..) => Invalid::new("incident.stall", stall, accepted("short enough")),
            (None, Some(share), _, duration) => Invalid::new(
                "incident.capacity",
                said(share, duration),
                accepted("large enough, or for a time short enough,"),
            ),
            (None, None, Some(rate), duration) => Invalid::new(
                "incident.rate",
                said(rate, duration),
                accepted("near enough to the rate of a normal day, or for a time short enough,"),
            ),
            (None, None, None, _) => unreachable!("an incident is one of the three, as was checked"),
        }
    }

    pub(crate) fn incident(&self, rate: f64) -> Incident {
        let length = self.duration.map_or(MINUTE, Time::value);
        match (self.stall, self.capacity, &self.rate) {
            (Some(stall), ..) => Incident::Stall {
                length: stall.value(),
            },
            (None, Some(share), _) => Incident::Capacity { share, length },
            (None, None, Some(higher)) => Incident::Load {
                factor: higher.rate().value() / rate,
                length,
            },
            (None, None, None) => unreachable!("an incident is one of the three, as was checked"),
        }
    }
}

/// A value and for how long, where that was given.
fn said(value: impl Display, duration: Option<Time>) -> String {
    duration.map_or_else(|| value.to_string(), |duration| format!("{value} for {duration}"))
}

/// What goes wrong, times in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Incident {
    /// All servers stand still.
    Stall {
        /// For so long.
        length: f64,
    },
    /// Servers are slower, or some are gone.
    Capacity {
        /// Share of the capacity that is left.
        share: f64,
        /// For so long.
        length: f64,
    },
    /// More new requests come.
    Load {
        /// Times as many as on a normal day.
        factor: f64,
        /// For so long.
        length: f64,
    },
}

impl Incident {
    /// How long it lasts.
    #[must_use]
    pub fn length(&self) -> f64 {
        match *self {
            Self::Stall { length } | Self::Capacity { length, .. } | Self::Load { length, .. } => length,
        }
    }

    /// The change that it is in a scenario, at a time, for a service at a tier that new requests reach at a rate.
    pub(crate) fn change(&self, at: f64, tier: u32, rate: f64) -> Change {
        let at = Time::in_seconds(at);
        let length = Some(Time::in_seconds(self.length()));
        match *self {
            Self::Stall { length } => Change {
                tier,
                ..Change::stall(at, Time::in_seconds(length))
            },
            // No capacity at all is a stall.
            Self::Capacity { share, length } if share <= 0.0 => Change {
                tier,
                ..Change::stall(at, Time::in_seconds(length))
            },
            Self::Capacity { share, .. } => Change {
                tier,
                capacity: Some(share),
                duration: length,
                ..Change::at(at)
            },
            Self::Load { factor, .. } => Change {
                rate: Some(retrylab_model::Rate::in_seconds(factor * rate)),
                duration: length,
                ..Change::at(at)
            },
        }
    }

    /// Work that piles up by the end while nobody retries, in seconds of the whole service, at a utilization.
    pub(crate) fn backlog(&self, utilization: f64) -> f64 {
        match *self {
            Self::Stall { length } => length * utilization,
            Self::Capacity { share, length } => length * (utilization - share).max(0.0),
            Self::Load { factor, length } => length * (utilization * factor - 1.0).max(0.0),
        }
    }
}

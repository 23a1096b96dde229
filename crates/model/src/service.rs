//! The work that an attempt needs and who does it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measured::Measured;
use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// Service: the distribution of its time, the number of servers and how often a served attempt is answered with an
/// error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Service {
    /// Distribution of the time that a server needs for one attempt.
    pub time: ServiceTime,
    /// Number of servers.
    pub servers: u32,
    /// Attempts that each server serves at once, each of them as fast as if it were alone.
    pub concurrency: u32,
    /// Probability that a served attempt is answered with an error.
    pub error_probability: f64,
    /// Correlation between the answers to any two attempts of one request: with this probability all of them share one
    /// outcome, otherwise they are independent.
    pub error_correlation: f64,
}

impl Default for Service {
    fn default() -> Self {
        Self {
            time: ServiceTime::Exponential { mean: 1.0.into() },
            servers: 1,
            concurrency: 1,
            error_probability: 0.0,
            error_correlation: 0.0,
        }
    }
}

/// Most attempts that all servers together may serve at once.
const SLOTS_MAX: u32 = 10_000_000;

impl Service {
    /// Attempts that all servers together serve at once.
    ///
    /// ```
    /// use retrylab_model::Service;
    /// let service = Service { servers: 8, concurrency: 60, ..Service::default() };
    /// assert_eq!(service.slots(), 480);
    /// ```
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.servers.saturating_mul(self.concurrency)
    }

    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        self.time.check(validator)?;
        Validator::count("service.servers", self.servers, 1..=SLOTS_MAX)?;
        Validator::count("service.concurrency", self.concurrency, 1..=SLOTS_MAX)?;
        if u64::from(self.servers) * u64::from(self.concurrency) > u64::from(SLOTS_MAX) {
            let accepted = format!(
                "at most {}, which with service.servers = {} makes {SLOTS_MAX} attempts served at once",
                SLOTS_MAX / self.servers,
                self.servers
            );
            return Err(Invalid::new("service.concurrency", self.concurrency, accepted));
        }
        Validator::probability("service.error_probability", self.error_probability)?;
        Validator::probability("service.error_correlation", self.error_correlation)
    }
}

/// Distribution of a service time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum ServiceTime {
    /// Exponential.
    Exponential {
        /// Mean.
        mean: Time,
    },
    /// Always the same.
    Deterministic {
        /// The value.
        value: Time,
    },
    /// Sum of `stages` independent exponentials of equal mean; its squared coefficient of variation is 1/stages.
    Erlang {
        /// Number of stages.
        stages: u32,
        /// Mean of the sum.
        mean: Time,
    },
    /// Mixture of two exponentials with balanced means (each branch contributes half of the mean).
    Hyperexponential {
        /// Mean.
        mean: Time,
        /// Squared coefficient of variation, above 1.
        scv: f64,
    },
    /// Uniform between `low` and `high`.
    Uniform {
        /// Lower end.
        low: Time,
        /// Upper end.
        high: Time,
    },
    /// Lognormal.
    Lognormal {
        /// Mean.
        mean: Time,
        /// Squared coefficient of variation.
        scv: f64,
    },
    /// Any of the times in a file, each with the same probability.
    Measured(Measured),
}

impl ServiceTime {
    /// Mean of the distribution.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean_time().value()
    }

    /// Mean of the distribution, in the unit in which it was given.
    pub(crate) fn mean_time(&self) -> Time {
        match *self {
            Self::Measured(ref measured) => measured.mean_time(),
            Self::Exponential { mean }
            | Self::Erlang { mean, .. }
            | Self::Hyperexponential { mean, .. }
            | Self::Lognormal { mean, .. } => mean,
            Self::Deterministic { value } => value,
            Self::Uniform { low, high } => high.with_value(low.value().midpoint(high.value())),
        }
    }

    /// The distribution of `factor` times the time.
    ///
    /// ```
    /// use retrylab_model::ServiceTime;
    /// let time = ServiceTime::Uniform { low: 1.0.into(), high: 3.0.into() };
    /// assert_eq!((time.scaled(0.5).mean(), time.scaled(0.5).scv()), (1.0, time.scv()));
    /// ```
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let times = |time: Time| time.with_value(time.value() * factor);
        match *self {
            Self::Measured(ref measured) => Self::Measured(Measured {
                factor: measured.factor * factor,
                ..measured.clone()
            }),
            Self::Exponential { mean } => Self::Exponential { mean: times(mean) },
            Self::Deterministic { value } => Self::Deterministic { value: times(value) },
            Self::Erlang { stages, mean } => Self::Erlang {
                stages,
                mean: times(mean),
            },
            Self::Hyperexponential { mean, scv } => Self::Hyperexponential {
                mean: times(mean),
                scv,
            },
            Self::Uniform { low, high } => Self::Uniform {
                low: times(low),
                high: times(high),
            },
            Self::Lognormal { mean, scv } => Self::Lognormal {
                mean: times(mean),
                scv,
            },
        }
    }

    /// Squared coefficient of variation: variance ÷ mean².
    #[must_use]
    pub fn scv(&self) -> f64 {
        match *self {
            Self::Measured(ref measured) => measured.scv(),
            Self::Exponential { .. } => 1.0,
            Self::Deterministic { .. } => 0.0,
            Self::Erlang { stages, .. } => 1.0 / f64::from(stages),
            Self::Hyperexponential { scv, .. } | Self::Lognormal { scv, .. } => scv,
            Self::Uniform { low, high } => {
                let ratio = (high.value() - low.value()) / (high.value() + low.value());
                ratio * ratio / 3.0
            }
        }
    }

    fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        match *self {
            Self::Measured(ref measured) => measured.check("service.time.measured", validator),
            Self::Exponential { mean } => validator.positive_time("service.time.exponential.mean", mean),
            Self::Deterministic { value } => {
                validator.positive_time("service.time.deterministic.value", value)
            }
            Self::Erlang { stages, mean } => {
                Validator::count("service.time.erlang.stages", stages, 1..=1_000_000)?;
                validator.positive_time("service.time.erlang.mean", mean)
            }
            Self::Hyperexponential { mean, scv } => {
                validator.positive_time("service.time.hyperexponential.mean", mean)?;
                Validator::number(
                    "service.time.hyperexponential.scv",
                    scv,
                    |value| value > 1.0,
                    "a finite number above 1",
                )
            }
            Self::Uniform { low, high } => {
                validator.non_negative_time("service.time.uniform.low", low)?;
                validator.positive_time("service.time.uniform.high", high)?;
                if low.value() < high.value() {
                    Ok(())
                } else {
                    Err(Invalid::new(
                        "service.time.uniform.high",
                        high,
                        format!("above low, which is {low}"),
                    ))
                }
            }
            Self::Lognormal { mean, scv } => {
                validator.positive_time("service.time.lognormal.mean", mean)?;
                Validator::positive("service.time.lognormal.scv", scv)
            }
        }
    }
}

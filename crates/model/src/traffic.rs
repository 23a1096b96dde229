//! New requests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Rate;
use crate::validation::{Invalid, Validator};

/// New requests, arriving as a Poisson process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// New requests per unit of time, all clients together.
    pub rate: Rate,
    /// Number of client instances, each with a budget and a breaker of its own; a request belongs to each with equal probability.
    #[serde(default = "one")]
    pub clients: u32,
}

pub(crate) fn one() -> u32 {
    1
}

impl Traffic {
    /// Requests of one client instance at a dimensionless rate.
    #[must_use]
    pub fn with_rate(rate: f64) -> Self {
        Self {
            rate: rate.into(),
            clients: 1,
        }
    }

    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        validator.positive_rate("traffic.rate", self.rate)?;
        Self::check_clients("traffic.clients", self.clients)
    }

    pub(crate) fn check_clients(path: &str, clients: u32) -> Result<(), Invalid> {
        Validator::count(path, clients, 1..=1_000_000)
    }
}

//! Tiers behind the outermost: services that serve a service.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::scenario::ScenarioSpec;
use crate::server::Server;
use crate::service::Service;
use crate::traffic::{Traffic, one};
use crate::validation::{Invalid, Validator};

/// Most tiers behind the outermost.
const TIERS_MAX: usize = 9;

/// A tier behind the outermost, whose clients are the servers of the tier in front of it.
///
/// An attempt that has been served at a tier issues a request to the tier behind; what becomes of that request is the answer to the
/// attempt. See [`ScenarioSpec::tiers`](crate::ScenarioSpec::tiers).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tier {
    /// Number of client instances that call the tier; a request belongs to each with equal probability.
    pub clients: u32,
    /// The work that an attempt needs at this tier and who does it.
    pub service: Service,
    /// What the tier's server does with attempts that wait.
    pub server: Server,
    /// What those that call the tier do when an attempt fails.
    pub client: Client,
}

impl Default for Tier {
    fn default() -> Self {
        Self {
            clients: one(),
            service: Service::default(),
            server: Server::default(),
            client: Client::default(),
        }
    }
}

impl Tier {
    pub(crate) fn check_all(tiers: &[Self], validator: &mut Validator) -> Result<(), Invalid> {
        if tiers.len() > TIERS_MAX {
            let accepted = format!("at most {TIERS_MAX} tables");
            return Err(Invalid::new("tiers", format!("{} tables", tiers.len()), accepted));
        }
        for (index, tier) in tiers.iter().enumerate() {
            tier.check(validator).map_err(|invalid| Invalid {
                path: format!("tiers.{index}.{}", invalid.path),
                ..invalid
            })?;
        }
        Ok(())
    }

    fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        Traffic::check_clients("clients", self.clients)?;
        self.service.check(validator)?;
        self.server.check(validator, &self.service)?;
        self.client.check(validator)
    }

    /// Makes a scenario one of this tier.
    pub(crate) fn put_into(&self, spec: &mut ScenarioSpec) {
        spec.traffic.clients = self.clients;
        spec.service = self.service.clone();
        spec.server = self.server.clone();
        spec.client = self.client.clone();
    }
}

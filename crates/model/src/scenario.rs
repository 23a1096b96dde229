//! A scenario: everything that a simulation or a formula needs to know about one service and its clients.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::measured::Measured;
use crate::run::Run;
use crate::schedule::Change;
use crate::server::Server;
use crate::service::{Service, ServiceTime};
use crate::tier::Tier;
use crate::traffic::Traffic;
use crate::unit::Rate;
use crate::validation::{Invalid, Validator};

/// A description of a scenario that has not been checked yet.
///
/// All fields are plain data; [`ScenarioSpec::validate`] turns it into a [`Scenario`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSpec {
    /// What the scenario is called.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where the setting comes from, in free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// New requests.
    pub traffic: Traffic,
    /// The work that an attempt needs and who does it.
    #[serde(default)]
    pub service: Service,
    /// What the server does with attempts that wait.
    #[serde(default)]
    pub server: Server,
    /// What a client does when an attempt fails.
    #[serde(default)]
    pub client: Client,
    /// Tiers behind the one that `service`, `server` and `client` describe, from the outside in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<Tier>,
    /// Changes in the course of a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<Change>,
    /// How long, from when and how often to measure.
    #[serde(default)]
    pub run: Run,
}

impl ScenarioSpec {
    /// A scenario with the given traffic and defaults everywhere else.
    #[must_use]
    pub fn new(traffic: Traffic) -> Self {
        Self {
            name: String::new(),
            source: String::new(),
            traffic,
            service: Service::default(),
            server: Server::default(),
            client: Client::default(),
            tiers: Vec::new(),
            schedule: Vec::new(),
            run: Run::default(),
        }
    }

    /// The files of measured service times of all tiers, from the outermost in, with their paths.
    pub fn measured(&self) -> impl Iterator<Item = (String, &Measured)> {
        let services = self.tiers.iter().map(|tier| &tier.service);
        let services = std::iter::once(&self.service).chain(services);
        services
            .enumerate()
            .filter_map(|(tier, service)| match &service.time {
                ServiceTime::Measured(measured) => Some((measured_path(tier), measured)),
                _ => None,
            })
    }

    /// The same to be changed.
    pub fn measured_mut(&mut self) -> impl Iterator<Item = (String, &mut Measured)> {
        let services = self.tiers.iter_mut().map(|tier| &mut tier.service);
        let services = std::iter::once(&mut self.service).chain(services);
        services
            .enumerate()
            .filter_map(|(tier, service)| match &mut service.time {
                ServiceTime::Measured(measured) => Some((measured_path(tier), measured)),
                _ => None,
            })
    }

    /// The highest rate of new requests at any time.
    fn rate_max(&self) -> f64 {
        let changes = self.schedule.iter().filter_map(|change| change.rate);
        changes.map(Rate::value).fold(self.traffic.rate.value(), f64::max)
    }

    /// Checks every value and how they fit together.
    ///
    /// # Errors
    /// The first [`Invalid`] value, named by its path in the scenario's TOML form.
    pub fn validate(self) -> Result<Scenario, Invalid> {
        let mut validator = Validator::default();
        self.traffic.check(&mut validator)?;
        self.service.check(&mut validator)?;
        self.server.check(&mut validator, &self.service)?;
        self.client.check(&mut validator)?;
        Tier::check_all(&self.tiers, &mut validator)?;
        Change::check_all(&self.schedule, self.tiers.len(), &mut validator)?;
        self.check_multiplication()?;
        // Whatever unit the mean is in, the times of the run are in too: the validator has seen to it.
        let service_mean = self.service.time.mean_time();
        self.run.check(&mut validator, service_mean, self.rate_max())?;
        Ok(Scenario { spec: self })
    }
}

/// The path of a tier's measured service times, counted from the outermost tier, 0.
fn measured_path(tier: usize) -> String {
    match tier.checked_sub(1) {
        None => "service.time.measured".to_owned(),
        Some(inner) => format!("tiers.{inner}.service.time.measured"),
    }
}

/// A scenario whose values are all valid.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.6));
/// spec.client.attempts = 3;
/// spec.client.timeout = Some(50.0.into());
/// let scenario = spec.validate()?;
/// assert_eq!(scenario.offered_load(), 0.6);
/// assert!(scenario.modified(|spec| spec.client.attempts = 0).is_err());
/// # Ok::<(), retrylab_model::Invalid>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    spec: ScenarioSpec,
}

impl Scenario {
    /// A copy with changes, checked again.
    ///
    /// # Errors
    /// As [`ScenarioSpec::validate`].
    pub fn modified(&self, change: impl FnOnce(&mut ScenarioSpec)) -> Result<Self, Invalid> {
        let mut spec = self.spec.clone();
        change(&mut spec);
        spec.validate()
    }

    /// The plain description.
    #[must_use]
    pub fn spec(&self) -> &ScenarioSpec {
        &self.spec
    }

    /// New requests per unit of time × mean service time ÷ attempts served at once: the load before any retry and any change.
    #[must_use]
    pub fn offered_load(&self) -> f64 {
        self.traffic.rate.value() * self.service.time.mean() / f64::from(self.service.slots())
    }

    /// Number of tiers, the outermost included.
    #[must_use]
    pub fn tier_count(&self) -> u32 {
        // Validation bounds it.
        self.spec.tiers.len() as u32 + 1
    }

    /// One tier as a scenario of its own, without those in front of it and behind it, counted from the outermost, 0. Its new requests
    /// arrive at the rate of the outermost's; those of one in a chain are made by the tier in front.
    ///
    /// ```
    /// use retrylab_model::{ScenarioSpec, Tier, Traffic};
    /// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.1));
    /// spec.tiers = vec![Tier::default()];
    /// spec.tiers[0].client.attempts = 3;
    /// let scenario = spec.validate()?;
    /// assert_eq!((scenario.tier_count(), scenario.tier(1).client.attempts, scenario.tier(1).tier_count()), (2, 3, 1));
    /// # Ok::<(), retrylab_model::Invalid>(())
    /// ```
    ///
    /// # Panics
    /// When there is no such tier.
    #[must_use]
    pub fn tier(&self, index: u32) -> Self {
        let mut spec = self.spec.clone();
        if let Some(inner) = index.checked_sub(1) {
            self.spec.tiers[inner as usize].put_into(&mut spec);
        }
        spec.tiers = Vec::new();
        spec.schedule.retain(|change| change.tier == index + 1);
        for change in &mut spec.schedule {
            change.tier = 1;
        }
        Self { spec }
    }

    /// When a run ends.
    #[must_use]
    pub fn until(&self) -> f64 {
        self.run.until_or_default(self.service.time.mean())
    }

    /// When measuring begins.
    #[must_use]
    pub fn measure_from(&self) -> f64 {
        self.run.measure_from_or_default(self.service.time.mean())
    }

    /// Width of a window of the time series.
    #[must_use]
    pub fn window(&self) -> f64 {
        self.run.window_or_default(self.service.time.mean())
    }
}

impl Deref for Scenario {
    type Target = ScenarioSpec;

    fn deref(&self) -> &ScenarioSpec {
        &self.spec
    }
}

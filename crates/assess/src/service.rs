//! A service as its engineers know it.

use retrylab_model::{
    Backoff, Budget, DeadlineCheck, Discipline, Document, Invalid, Measured, Rate, ReadLatencies,
    ServiceTime, Setting, Subject, TextError, Time, Unreadable, Validator,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::incident::IncidentSpec;
use crate::latency::Latency;
use crate::reach;
use crate::written_rate::WrittenRate;

/// What a text that describes a service is called in messages.
const SUBJECT: Subject = Subject {
    name: "a service",
    is_in_tables: false,
};

/// Share of requests that are to succeed where a service does not say.
const OBJECTIVE: f64 = 0.999;
/// How far a capacity may be from the one that servers and latency make before the two contradict each other.
const CAPACITY_TOLERANCE: f64 = 0.05;
/// Most retry loops further out.
const CALLERS_MAX: usize = 8;

/// A description of a service that has not been checked yet: what is in its TOML file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServiceSpec {
    /// What it is called.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// New requests, all clients together, retries not counted.
    pub rate: WrittenRate,
    /// Requests that it can serve. Left out where servers and latency say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<WrittenRate>,
    /// Number of servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<u32>,
    /// Requests that each of them serves at once; 1 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// Service times: how long a request takes while nobody waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// Service times that were measured, in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latencies: Option<Measured>,
    /// Probability that a served request is answered with an error that clients retry.
    #[serde(default)]
    pub error_probability: f64,
    /// Places for requests that wait; unlimited when absent. One that finds all taken is rejected at once.
    #[serde(
        default,
        deserialize_with = "retrylab_model::optional_count_from_zero",
        skip_serializing_if = "Option::is_none"
    )]
    pub queue: Option<u32>,
    /// Which waiting request is served next.
    #[serde(default)]
    pub discipline: Discipline,
    /// What the server checks when it takes a request from the queue.
    #[serde(default)]
    pub deadline_check: DeadlineCheck,
    /// How long a client waits for the answer to an attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Time>,
    /// Most attempts per request, the first included.
    #[serde(default = "one")]
    pub attempts: u32,
    /// How long a client waits before it tries again.
    #[serde(default)]
    pub backoff: Backoff,
    /// What limits the retries of one client instance, or of all.
    #[serde(default)]
    pub budget: Budget,
    /// Number of client instances.
    #[serde(default = "one")]
    pub clients: u32,
    /// Retry loops further out, from the outside in: those that call the clients, and retry on their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Caller>,
    /// Share of requests that are to succeed.
    #[serde(default = "objective")]
    pub objective: f64,
    /// The incident to look at closely: a stall of a minute when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident: Option<IncidentSpec>,
}

/// A retry loop further out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    /// Most attempts, the first included.
    pub attempts: u32,
    /// How long it waits for the answer to an attempt, with all retries further in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Time>,
    /// How long it waits before it tries again.
    #[serde(default)]
    pub backoff: Backoff,
    /// What limits its retries.
    #[serde(default)]
    pub budget: Budget,
}

fn one() -> u32 {
    1
}

fn objective() -> f64 {
    OBJECTIVE
}

/// A service whose values are all valid.
#[derive(Debug, Clone, PartialEq)]
pub struct Service {
    spec: ServiceSpec,
    time: ServiceTime,
    servers: u32,
    concurrency: u32,
}

impl Service {
    /// Reads a service from its TOML form, with settings put on top.
    ///
    /// ```
    /// use retrylab_assess::Service;
    /// let service = Service::from_toml(r#"
    ///     rate = "800/s"
    ///     capacity = "1000/s"
    ///     timeout = "1s"
    ///     attempts = 4
    /// "#, &[])?;
    /// assert!((service.utilization() - 0.8).abs() < 1e-12);
    /// # Ok::<(), retrylab_model::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] for the first thing that is not TOML, unknown or not accepted.
    pub fn from_toml(text: &str, settings: &[Setting]) -> Result<Self, TextError> {
        Self::from_toml_reading(text, settings, &|measured: &Measured, _| {
            Err(Unreadable {
                key: "file",
                sentence: format!(
                    "the measured latencies in {} are in a file, and nothing here reads files",
                    measured.file
                ),
            })
        })
    }

    /// As [`Service::from_toml`], with somebody who reads the file of measured latencies that it names.
    ///
    /// # Errors
    /// As [`Service::from_toml`]; the error about a file points at the key that names it.
    pub fn from_toml_reading(
        text: &str,
        settings: &[Setting],
        read: ReadLatencies<'_>,
    ) -> Result<Self, TextError> {
        let document = Document::parse(text, SUBJECT)?.with_settings(settings)?;
        let mut spec: ServiceSpec = document.decode()?;
        if let Some(measured) = &mut spec.latencies {
            let source = document.source_of("latencies.file");
            let latencies = read(measured, source).map_err(|Unreadable { key, sentence }| {
                document.refuse_at(&format!("latencies.{key}"), sentence)
            })?;
            measured.latencies = Some(latencies);
        }
        Self::new(spec).map_err(|invalid| document.refuse(&invalid))
    }

    /// Checks every value and how they fit together.
    ///
    /// # Errors
    /// The first [`Invalid`] value.
    pub fn new(spec: ServiceSpec) -> Result<Self, Invalid> {
        let mut validator = Validator::default();
        validator.positive_rate("rate", spec.rate.rate())?;
        let (time, servers, concurrency) = served_by(&spec, &mut validator)?;
        let service = Self {
            spec,
            time,
            servers,
            concurrency,
        };
        service.check(&mut validator)?;
        Ok(service)
    }

    fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        let spec = &self.spec;
        if spec.callers.len() > CALLERS_MAX {
            let accepted = format!("at most {CALLERS_MAX} tables");
            return Err(Invalid::new(
                "callers",
                format!("{} tables", spec.callers.len()),
                accepted,
            ));
        }
        Validator::number(
            "objective",
            spec.objective,
            |objective| objective > 0.0 && objective < 1.0,
            "a number above 0 and below 1, such as 0.999",
        )?;
        if let Some(incident) = &spec.incident {
            incident.check(validator)?;
        }
        // What is left is the scenario language's business; its paths are translated into those of a service.
        self.scenario()
            .map(|_| ())
            .map_err(|invalid| crate::scenario::in_words_of_service(self, invalid))?;
        reach::check(self)
    }

    /// The description.
    #[must_use]
    pub fn spec(&self) -> &ServiceSpec {
        &self.spec
    }

    /// The same service with changes.
    ///
    /// # Errors
    /// The first [`Invalid`] value.
    pub fn modified(&self, change: impl FnOnce(&mut ServiceSpec)) -> Result<Self, Invalid> {
        let mut spec = self.spec.clone();
        change(&mut spec);
        Self::new(spec)
    }

    /// The same service with some times as much capacity: so many servers where the next whole number is a few percent more at most, and
    /// otherwise servers that are so much faster.
    pub(crate) fn with_capacity(&self, factor: f64) -> Self {
        let exact = f64::from(self.servers) * factor;
        let servers = exact.ceil();
        let mut larger = self.clone();
        if servers <= (1.0 + CAPACITY_TOLERANCE) * exact {
            larger.servers = servers as u32;
        } else {
            larger.time = self.time.scaled(1.0 / factor);
        }
        larger
    }

    /// Distribution of the service time.
    #[must_use]
    pub fn time(&self) -> &ServiceTime {
        &self.time
    }

    /// Number of servers.
    #[must_use]
    pub fn servers(&self) -> u32 {
        self.servers
    }

    /// Requests that each of them serves at once.
    #[must_use]
    pub fn concurrency(&self) -> u32 {
        self.concurrency
    }

    /// Requests that are served at once.
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.servers.saturating_mul(self.concurrency)
    }

    /// New requests per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.spec.rate.rate().value()
    }

    /// Requests that can be served per second.
    #[must_use]
    pub fn capacity(&self) -> f64 {
        f64::from(self.slots()) / self.time.mean()
    }

    /// New requests over capacity: the load before any retry.
    #[must_use]
    pub fn utilization(&self) -> f64 {
        self.rate() / self.capacity()
    }

    /// Attempts of one request if all fail, those of the loops further out multiplied.
    #[must_use]
    pub fn attempts_worst(&self) -> u64 {
        let callers = self.spec.callers.iter().map(|caller| caller.attempts);
        callers
            .chain([self.spec.attempts])
            .fold(1, |product, attempts| product.saturating_mul(u64::from(attempts)))
    }

    /// The service in its TOML form.
    ///
    /// # Panics
    /// Never: every service has one.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match serde_json::to_value(&self.spec) {
            Ok(value) => value,
            Err(error) => panic!("a service has a JSON form, but: {error}"),
        }
    }
}

/// The schema of a service's file.
#[must_use]
pub fn service_schema() -> String {
    retrylab_model::schema_of::<ServiceSpec>("A service for retrylab assess")
}

/// Who serves, and for how long, from whichever of capacity, servers and latency is given.
fn served_by(spec: &ServiceSpec, validator: &mut Validator) -> Result<(ServiceTime, u32, u32), Invalid> {
    const SLOTS_MAX: u32 = 1_000_000;
    let capacity = spec.capacity.as_ref().map(WrittenRate::rate);
    if let Some(capacity) = capacity {
        validator.positive_rate("capacity", capacity)?;
    }
    if let Some(servers) = spec.servers {
        Validator::count("servers", servers, 1..=SLOTS_MAX)?;
    }
    let concurrency = spec.concurrency.unwrap_or(1);
    Validator::count("concurrency", concurrency, 1..=SLOTS_MAX)?;
    let latency = match (&spec.latency, &spec.latencies) {
        (Some(_), Some(measured)) => {
            let accepted = "left out beside latency, which says how long a request takes in another way";
            return Err(Invalid::new(
                "latencies",
                format!("a table about {}", measured.file),
                accepted,
            ));
        }
        (Some(latency), None) => Some(latency.service_time(validator)?),
        (None, Some(measured)) => {
            measured.check("latencies", validator)?;
            Some(ServiceTime::Measured(measured.clone()))
        }
        (None, None) => None,
    };
    match (latency, spec.servers, capacity) {
        (Some(time), Some(servers), None) => Ok((time, servers, concurrency)),
        (Some(time), Some(servers), Some(capacity)) => {
            let made = f64::from(servers) * f64::from(concurrency) / time.mean();
            if (capacity.value() / made - 1.0).abs() > CAPACITY_TOLERANCE {
                let accepted = format!(
                    "left out, or the {} that {servers} servers of {concurrency} requests each make at a mean latency of {}",
                    Rate::in_seconds(made),
                    Time::in_seconds(time.mean()),
                );
                return Err(Invalid::new("capacity", capacity, accepted));
            }
            Ok((time.scaled(made / capacity.value()), servers, concurrency))
        }
        (Some(time), None, Some(capacity)) => {
            // As many as the capacity needs at this latency, which is stretched to make whole servers of them.
            let slots = capacity.value() * time.mean();
            let whole = (slots / f64::from(concurrency)).round().max(1.0);
            if whole > f64::from(SLOTS_MAX) {
                let accepted = format!(
                    "at most what {SLOTS_MAX} servers make at a mean latency of {}",
                    Time::in_seconds(time.mean())
                );
                return Err(Invalid::new("capacity", capacity, accepted));
            }
            let factor = whole * f64::from(concurrency) / slots;
            if factor > 2.0 {
                let accepted = format!(
                    "at least the {} that a single server makes at a mean latency of {}; give servers where requests wait for something else",
                    capacity.with_value(f64::from(concurrency) / time.mean()),
                    Time::in_seconds(time.mean()),
                );
                return Err(Invalid::new("capacity", capacity, accepted));
            }
            // Within the range of a count, as checked above.
            Ok((time.scaled(factor), whole as u32, concurrency))
        }
        (None, servers, Some(capacity)) => {
            let servers = servers.unwrap_or(1);
            let slots = f64::from(servers) * f64::from(concurrency);
            let mean = Time::in_seconds(slots / capacity.value());
            Ok((ServiceTime::Exponential { mean }, servers, concurrency))
        }
        (Some(_), None, None) => Err(Invalid::new(
            "servers",
            "missing",
            "given beside latency, or else capacity, such as capacity = \"1000/s\"",
        )),
        (None, _, None) => Err(Invalid::new(
            "capacity",
            "missing",
            "given, such as \"1000/s\", or else servers and latency",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(text: &str) -> Service {
        Service::from_toml(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn capacity_servers_and_latency_say_the_same() {
        let by_servers = service("rate = \"100/s\"\nservers = 4\nlatency = { mean = \"20ms\" }");
        assert!((by_servers.capacity() - 200.0).abs() < 1e-9);
        let by_capacity = service("rate = \"100/s\"\ncapacity = \"200/s\"\nlatency = { mean = \"20ms\" }");
        assert_eq!((by_capacity.servers(), by_capacity.slots()), (4, 4));
        // Nine requests a second more than four whole servers make: those are a little faster.
        let stretched = service("rate = \"100/s\"\ncapacity = \"209/s\"\nlatency = { mean = \"20ms\" }");
        assert_eq!(stretched.servers(), 4);
        assert!((stretched.capacity() - 209.0).abs() < 1e-9);
        let given_twice =
            service("rate = \"100/s\"\ncapacity = \"206/s\"\nservers = 4\nlatency = { mean = \"20ms\" }");
        assert!((given_twice.capacity() - 206.0).abs() < 1e-9);
    }

    #[test]
    fn more_capacity_is_more_servers_where_they_are_whole() {
        let service = service("rate = \"100/s\"\nservers = 8\nlatency = { mean = \"20ms\" }");
        assert_eq!(service.with_capacity(1.5).servers(), 12);
        let faster = service.with_capacity(1.1);
        assert_eq!(faster.servers(), 9, "nine are a few percent more than 8.8");
        let faster = service.with_capacity(1.05);
        assert_eq!(faster.servers(), 8, "nine would be 7 % more than 8.4");
        assert!((faster.capacity() - 420.0).abs() < 1e-9);
    }

    #[test]
    fn attempts_of_all_loops_multiply() {
        let chain = service(
            "rate = \"10/s\"\ncapacity = \"20/s\"\nattempts = 3\n[[callers]]\nattempts = 2\n[[callers]]\nattempts = 4",
        );
        assert_eq!((chain.attempts_worst(), chain.tier()), (24, 3));
    }
}

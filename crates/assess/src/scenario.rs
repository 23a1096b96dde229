//! From a service to the scenario that the simulator runs.

use retrylab_model::{
    Client, Invalid, Scenario, ScenarioSpec, Server, Service as Serving, ServiceTime, Tier, Time, Traffic,
};

use crate::service::Service;

/// Share of a service time that a retry loop further out adds to a request: as good as nothing.
const CALLER_SHARE: f64 = 1e-3;
/// Requests that a retry loop further out handles at once: as good as no limit.
const CALLER_SLOTS: u32 = 100_000;

impl Service {
    /// The scenario of a normal day. The service is the innermost tier; each retry loop further out is a tier in front of it that
    /// costs next to nothing.
    pub(crate) fn scenario(&self) -> Result<Scenario, Invalid> {
        let spec = self.spec();
        let own = Tier {
            clients: spec.clients,
            service: Serving {
                time: self.time().clone(),
                servers: self.servers(),
                concurrency: self.concurrency(),
                error_probability: spec.error_probability,
                ..Serving::default()
            },
            server: Server {
                discipline: spec.discipline,
                places: spec.queue.map(|queue| self.slots().saturating_add(queue)),
                deadline_check: spec.deadline_check,
                ..Server::default()
            },
            client: Client {
                timeout: spec.timeout.map(Into::into),
                attempts: spec.attempts,
                backoff: spec.backoff,
                budget: spec.budget,
                ..Client::default()
            },
        };
        let mut tiers: Vec<Tier> = spec
            .callers
            .iter()
            .map(|caller| Tier {
                clients: 1,
                service: Serving {
                    time: ServiceTime::Deterministic {
                        value: Time::in_seconds(CALLER_SHARE * self.time().mean()),
                    },
                    concurrency: CALLER_SLOTS,
                    ..Serving::default()
                },
                server: Server::default(),
                client: Client {
                    timeout: caller.timeout.map(Into::into),
                    attempts: caller.attempts,
                    backoff: caller.backoff,
                    budget: caller.budget,
                    ..Client::default()
                },
            })
            .collect();
        tiers.push(own);
        let outermost = tiers.remove(0);
        let mut scenario = ScenarioSpec::new(Traffic {
            rate: spec.rate.rate(),
            clients: outermost.clients,
        });
        scenario.name.clone_from(&spec.name);
        scenario.service = outermost.service;
        scenario.server = outermost.server;
        scenario.client = outermost.client;
        scenario.tiers = tiers;
        // Long runs of the default length would take a clock that reaches far beyond the slowest client.
        scenario.run.until = Some(Time::in_seconds(1000.0 * self.time().mean()));
        scenario.validate()
    }

    /// The number of the service's tier, counted from the outermost, 1.
    pub(crate) fn tier(&self) -> u32 {
        // At most as many as are accepted.
        self.spec().callers.len() as u32 + 1
    }
}

/// An error of the scenario language in the keys of a service.
pub(crate) fn in_words_of_service(service: &Service, invalid: Invalid) -> Invalid {
    let callers = service.spec().callers.len();
    let (tier, key) = match invalid
        .path
        .strip_prefix("tiers.")
        .and_then(|rest| rest.split_once('.'))
    {
        Some((index, key)) => (index.parse().map_or(callers, |index: usize| index + 1), key),
        None => (0, invalid.path.as_str()),
    };
    let key = match key {
        "server.places" => "queue",
        other => ["traffic.", "client.", "server.", "service."]
            .iter()
            .find_map(|table| other.strip_prefix(table))
            .unwrap_or(other),
    };
    let path = if tier < callers && !matches!(key, "rate" | "clients") {
        format!("callers.{tier}.{key}")
    } else {
        key.to_owned()
    };
    Invalid {
        path,
        accepted: invalid.accepted.replace("traffic.rate", "rate"),
        ..invalid
    }
}

//! Random scenarios of the whole language, made of independent small numbers, so that they shrink to a few plain lines.

use std::fmt;

use proptest::option;
use proptest::prelude::*;
use retrylab_model::{
    Backoff, Budget, Change, Client, DeadlineCheck, Scenario, ScenarioSpec, Server, Service, Timeout, Traffic,
};
use retrylab_sim::Simulation;

use crate::draw::{discipline, hundredths, printed, readable, seed, service_time};

/// A scenario and the seed of its random numbers.
#[derive(Clone)]
pub(crate) struct Drawn {
    pub(crate) scenario: Scenario,
    pub(crate) seed: u64,
}

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(&self.scenario, self.seed))
    }
}

impl Drawn {
    /// The start of the scenario's first run.
    pub(crate) fn start(&self) -> Simulation {
        Simulation::new(&self.scenario, self.seed, 0).unwrap()
    }

    /// With changes to the scenario.
    pub(crate) fn with(&self, change: impl FnOnce(&mut ScenarioSpec)) -> Self {
        Self {
            scenario: self.scenario.modified(change).unwrap(),
            seed: self.seed,
        }
    }

    /// The start of the run of a changed scenario with the same random numbers.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut ScenarioSpec)) -> Simulation {
        self.with(change).start()
    }
}

/// Halves, so that events fall on the same moment now and then, and hundredths.
fn time(most: u32) -> impl Strategy<Value = f64> {
    prop_oneof![
        (1..=2 * most).prop_map(|halves| f64::from(halves) / 2.0),
        hundredths(1..=100 * most),
    ]
}

/// Any service of mean time 1.
fn service() -> impl Strategy<Value = Service> {
    (
        service_time(),
        1..=4_u32,
        prop_oneof![Just(0.0), hundredths(0..=100)],
    )
        .prop_map(|(time, servers, error_probability)| Service {
            time,
            servers,
            error_probability,
            ..Service::default()
        })
}

fn deadline_check() -> impl Strategy<Value = DeadlineCheck> {
    prop_oneof![
        Just(DeadlineCheck::None),
        Just(DeadlineCheck::SkipExpired),
        time(3).prop_map(|service| DeadlineCheck::SkipDoomed {
            service: service.into()
        }),
    ]
}

fn timeout() -> impl Strategy<Value = Option<Timeout>> {
    prop_oneof![
        1 => Just(None),
        2 => time(12).prop_map(|time| Some(time.into())),
        1 => time(12).prop_map(|mean| Some(Timeout::Exponential { mean: mean.into() })),
    ]
}

fn backoff() -> impl Strategy<Value = Backoff> {
    prop_oneof![
        Just(Backoff::None),
        time(5).prop_map(|delay| Backoff::Constant { delay: delay.into() }),
        (time(3), option::of(time(10))).prop_map(|(base, cap)| Backoff::FullJitter {
            base: base.into(),
            cap: cap.map(Into::into),
        }),
    ]
}

fn budget() -> impl Strategy<Value = Budget> {
    let refund = (
        0..=20_u32,
        hundredths(0..=300),
        hundredths(0..=300),
        hundredths(0..=200),
    );
    prop_oneof![
        2 => Just(Budget::None),
        1 => (hundredths(0..=150), 0..=20_u32)
            .prop_map(|(ratio, bank)| Budget::Ratio { ratio, bank: bank.into(), shared: false }),
        1 => refund.prop_map(|(capacity, cost, timeout_cost, refund)| Budget::Refund {
            capacity: capacity.into(),
            cost,
            timeout_cost,
            refund,
            shared: false,
        }),
    ]
}

fn client() -> impl Strategy<Value = Client> {
    let retry_probability = prop_oneof![2 => Just(1.0), 1 => hundredths(0..=100)];
    (timeout(), 1..=6_u32, retry_probability, backoff(), budget()).prop_map(
        |(timeout, attempts, retry_probability, backoff, budget)| Client {
            timeout,
            attempts,
            retry_probability,
            backoff,
            budget,
            ..Client::default()
        },
    )
}

/// Stalls one after another, some back to back. In halves, which add up exactly.
fn schedule() -> impl Strategy<Value = Vec<Change>> {
    let gap = prop_oneof![Just(0), 1..=120_u32];
    prop::collection::vec((gap, 1..=40_u32), 0..3).prop_map(|stalls| {
        let mut free = 0;
        let change = |(gap, stall): (u32, u32)| {
            let at = free + gap;
            free = at + stall;
            Change::stall(f64::from(at) / 2.0, f64::from(stall) / 2.0)
        };
        stalls.into_iter().map(change).collect()
    })
}

/// Any scenario: below and above saturation, with everything that the language has.
pub(crate) fn anything() -> impl Strategy<Value = Drawn> {
    let load = prop_oneof![2 => hundredths(10..=100), 1 => hundredths(100..=400)];
    // Waiting places on top of one for each server.
    let server = (discipline(), option::of(0..=12_u32), deadline_check());
    let traffic = (load, 1..=3_u32);
    (traffic, service(), server, client(), schedule(), seed()).prop_map(
        |((load, clients), service, (discipline, room, deadline_check), client, schedule, seed)| {
            let rate = readable(load * f64::from(service.servers));
            let mut spec = ScenarioSpec::new(Traffic {
                clients,
                ..Traffic::with_rate(rate)
            });
            spec.server = Server {
                discipline,
                places: room.map(|room| service.servers + room),
                deadline_check,
                ..Server::default()
            };
            spec.service = service;
            spec.client = client;
            spec.schedule = schedule;
            spec.run.until = Some(400.0.into());
            spec.run.window = Some(50.0.into());
            let scenario = spec.validate().unwrap();
            Drawn { scenario, seed }
        },
    )
}

/// Any scenario, with failures that spawn retries in place of attempts one after another.
pub(crate) fn with_spawned_retries() -> impl Strategy<Value = Drawn> {
    (anything(), hundredths(0..=90), any::<bool>()).prop_map(|(drawn, retries, retry_rejected)| {
        drawn.with(|spec| {
            spec.client.attempts = 1;
            spec.client.retry_probability = 1.0;
            spec.client.retries_per_failure = Some(retries);
            spec.client.retry_rejected = retry_rejected;
        })
    })
}

/// Any scenario in which nobody retries and every attempt that is let in is served.
pub(crate) fn without_retries() -> impl Strategy<Value = Drawn> {
    anything().prop_map(|drawn| {
        drawn.with(|spec| {
            spec.client.attempts = 1;
            spec.server.deadline_check = DeadlineCheck::None;
        })
    })
}

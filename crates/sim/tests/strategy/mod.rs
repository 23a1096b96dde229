//! Random scenarios.

use proptest::option;
use proptest::prelude::*;
use retrylab_model::{
    Backoff, Breaker, Budget, Change, Client, DeadlineCheck, Discipline, Latencies, LatenciesError, Measured,
    Queues, Run, Scale, Scenario, ScenarioSpec, Server, Service, ServiceTime, Tier, Time, Timeout, Traffic,
};

/// Whole and half numbers make events fall on the same tick; others do not.
fn time(most: u32) -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => (1..=2 * most).prop_map(|halves| f64::from(halves) / 2.0),
        1 => 0.01..f64::from(most),
    ]
}

fn service_time() -> impl Strategy<Value = ServiceTime> {
    prop_oneof![
        Just(ServiceTime::Deterministic { value: 1.0.into() }),
        Just(ServiceTime::Exponential { mean: 1.0.into() }),
        (1_u32..5).prop_map(|stages| ServiceTime::Erlang {
            stages,
            mean: 1.0.into()
        }),
        (1.1..10.0).prop_map(|scv| ServiceTime::Hyperexponential {
            mean: 1.0.into(),
            scv
        }),
        Just(ServiceTime::Uniform {
            low: 0.0.into(),
            high: 2.0.into()
        }),
        (0.1..5.0).prop_map(|scv| ServiceTime::Lognormal {
            mean: 1.0.into(),
            scv
        }),
        prop::collection::vec(time(2), 2..9).prop_map(|values| measured(Latencies::of_values(
            values,
            Scale::Dimensionless,
            ""
        ))),
        prop::collection::vec((time(2), 1_u64..9), 2..9).prop_map(|counts| measured(Latencies::of_counts(
            counts,
            Scale::Dimensionless,
            ""
        ))),
    ]
}

fn measured(latencies: Result<Latencies, LatenciesError>) -> ServiceTime {
    ServiceTime::Measured(Measured::of("measured.csv", latencies.unwrap()))
}

fn service() -> impl Strategy<Value = Service> {
    let errors = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    let correlation = prop_oneof![3 => Just(0.0), 1 => Just(1.0), 2 => 0.0..1.0];
    (
        service_time(),
        prop_oneof![2 => Just(1_u32), 1 => 2_u32..6],
        prop_oneof![4 => Just(1_u32), 1 => 2_u32..4],
        errors,
        correlation,
    )
        .prop_map(
            |(time, servers, concurrency, error_probability, error_correlation)| Service {
                time,
                servers,
                concurrency,
                error_probability,
                error_correlation,
            },
        )
}

fn queues() -> impl Strategy<Value = Queues> {
    prop_oneof![
        3 => Just(Queues::Common),
        1 => Just(Queues::Random),
        1 => Just(Queues::RoundRobin),
        1 => Just(Queues::Shortest),
    ]
}

/// A server of a service in which all servers together serve so many attempts at once, and each of them so many.
fn server(slots: u32, concurrency: u32) -> impl Strategy<Value = Server> {
    let check = prop_oneof![
        Just(DeadlineCheck::None),
        Just(DeadlineCheck::SkipExpired),
        time(3).prop_map(|service| DeadlineCheck::SkipDoomed {
            service: service.into()
        }),
    ];
    // Free, a fraction of a tick, or comparable with a service.
    let cost = || option::of(prop_oneof![Just(0.0), Just(1e-10), time(1)].prop_map(Time::from));
    (
        discipline(),
        queues(),
        option::of(0..12_u32),
        check,
        option::weighted(0.3, (cost(), cost())),
    )
        .prop_map(move |(discipline, queues, room, deadline_check, costs)| {
            let (rejection_cost, skip_cost) = costs.unwrap_or_default();
            Server {
                discipline,
                queues,
                places: room.map(|room| match queues {
                    Queues::Common => slots + room,
                    Queues::Random | Queues::RoundRobin | Queues::Shortest => concurrency + room / 2,
                }),
                deadline_check,
                rejection_cost,
                skip_cost,
            }
        })
}

fn discipline() -> impl Strategy<Value = Discipline> {
    prop_oneof![
        Just(Discipline::Fifo),
        Just(Discipline::Lifo),
        Just(Discipline::Random),
        (0_u32..12).prop_map(|threshold| Discipline::AdaptiveLifo { threshold }),
    ]
}

fn backoff() -> impl Strategy<Value = Backoff> {
    prop_oneof![
        Just(Backoff::None),
        Just(Backoff::Constant { delay: 0.0.into() }),
        time(5).prop_map(|delay| Backoff::Constant { delay: delay.into() }),
        (prop_oneof![Just(0.0), time(3)], option::of(time(10))).prop_map(|(base, cap)| Backoff::FullJitter {
            base: base.into(),
            cap: cap.map(Into::into),
        }),
    ]
}

fn budget() -> impl Strategy<Value = Budget> {
    prop_oneof![
        2 => Just(Budget::None),
        1 => (0.0..1.5, 0.0..20.0, any::<bool>()).prop_map(|(ratio, bank, shared)| {
            Budget::Ratio { ratio, bank, shared }
        }),
        1 => Just(Budget::Ratio { ratio: 0.1, bank: 100.0, shared: false }),
        1 => (0.0..20.0, 0.0..3.0, 0.0..3.0, 0.0..2.0, any::<bool>()).prop_map(
            |(capacity, cost, timeout_cost, refund, shared)| {
                Budget::Refund { capacity, cost, timeout_cost, refund, shared }
            }
        ),
        1 => (0.0..10.0, 0.01..2.0_f64, any::<bool>()).prop_map(|(size, rate, shared)| {
            Budget::Pool { size, rate: rate.into(), shared }
        }),
    ]
}

fn breaker() -> impl Strategy<Value = Breaker> {
    let failure_rate = prop_oneof![Just(0.5), Just(1.0), 0.05..1.0];
    (
        time(20),
        time(15),
        failure_rate,
        1_u32..8,
        1_u32..4,
        any::<bool>(),
    )
        .prop_map(|(window, open, failure_rate, minimum, probes, shared)| Breaker {
            failure_rate,
            minimum,
            probes,
            shared,
            ..Breaker::new(window, open)
        })
}

fn timeout() -> impl Strategy<Value = Timeout> {
    prop_oneof![
        time(12).prop_map(Timeout::from),
        time(12).prop_map(|mean| Timeout::Exponential { mean: mean.into() }),
    ]
}

/// Attempts and retry probability, or retries per failure. The latter are fewer where many could multiply.
fn retries() -> impl Strategy<Value = Client> {
    let retry_probability = prop_oneof![2 => Just(1.0), 1 => 0.0..1.0];
    let retries_per_failure = prop_oneof![Just(1.0), Just(2.0), 0.0..1.0, 0.0..3.0_f64];
    prop_oneof![
        3 => (1_u32..7, retry_probability).prop_map(|(attempts, retry_probability)| Client {
            attempts,
            retry_probability,
            ..Client::default()
        }),
        2 => retries_per_failure.prop_map(|retries| Client {
            retries_per_failure: Some(retries),
            ..Client::default()
        }),
    ]
}

fn client() -> impl Strategy<Value = Client> {
    (
        retries(),
        option::weighted(0.8, timeout()),
        prop::bool::weighted(0.4),
        backoff(),
        budget(),
        option::weighted(0.3, breaker()),
    )
        .prop_map(
            |(retries, timeout, retry_rejected, backoff, budget, breaker)| Client {
                timeout,
                retry_rejected,
                backoff,
                budget,
                breaker,
                ..retries
            },
        )
}

/// New values of some settings, for some time or for good.
fn settings() -> impl Strategy<Value = Change> {
    let capacity = prop_oneof![
        (1..12_u32).prop_map(|quarters| f64::from(quarters) / 4.0),
        0.05..5.0
    ];
    (
        option::weighted(0.5, capacity),
        option::weighted(0.3, 0.1..4.0_f64),
        option::weighted(0.3, 0.0..=1.0_f64),
        option::weighted(0.3, 1..7_u32),
        option::weighted(0.3, 0.0..=1.0_f64),
        option::weighted(0.2, discipline()),
        option::weighted(0.2, budget()),
        option::weighted(0.6, time(20)),
    )
        .prop_map(
            |(
                capacity,
                rate,
                error_probability,
                attempts,
                retry_probability,
                discipline,
                budget,
                duration,
            )| Change {
                capacity,
                rate: rate.map(Into::into),
                error_probability,
                attempts,
                retry_probability,
                discipline,
                budget,
                duration: duration.map(Into::into),
                ..Change::at(0.0)
            },
        )
}

/// Where failures spawn retries, their number changes in place of the retry probability.
fn say_in_the_words_of_the_clients(spec: &mut ScenarioSpec) {
    let clients = std::iter::once(&spec.client).chain(spec.tiers.iter().map(|tier| &tier.client));
    let spawns: Vec<bool> = clients
        .map(|client| client.retries_per_failure.is_some())
        .collect();
    for change in &mut spec.schedule {
        if spawns[change.tier as usize - 1] {
            change.attempts = None;
            let probability = change.retry_probability.take();
            change.retries_per_failure = probability.map(|probability| 2.0 * probability);
        }
        let only_a_stall = Change {
            tier: change.tier,
            stall: change.stall,
            duration: change.duration,
            ..Change::at(change.at)
        };
        if *change == only_a_stall {
            change.duration = None;
        }
    }
    spec.schedule.retain(|change| {
        let nothing = Change {
            tier: change.tier,
            ..Change::at(change.at)
        };
        *change != nothing
    });
}

/// Stalls and new settings. A gap of 0 puts a change at the end of the one before it, or at its beginning; others interrupt it
/// where that is allowed.
fn schedule() -> impl Strategy<Value = Vec<Change>> {
    let gap = prop_oneof![Just(0.0), time(60)];
    let change = prop_oneof![
        2 => time(20).prop_map(|stall| Change::stall(0.0, stall)),
        3 => settings(),
        1 => (settings(), time(20)).prop_map(|(settings, stall)| Change {
            stall: Some(stall.into()),
            ..settings
        }),
    ];
    prop::collection::vec((gap, any::<bool>(), change), 0..5).prop_map(|changes| {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(1.0));
        let (mut last, mut free) = (0.0, 0.0_f64);
        for (gap, interrupts, change) in changes {
            let at = if interrupts { last + gap } else { free + gap };
            let change = Change {
                at: at.into(),
                ..change
            };
            spec.schedule.push(change);
            if spec.clone().validate().is_err() {
                spec.schedule.pop();
                continue;
            }
            last = at;
            let stall = change.stall.map_or(0.0, Time::value);
            free = free.max(at + stall).max(change.settings_end().unwrap_or(at));
        }
        spec.schedule
    })
}

fn run() -> impl Strategy<Value = Run> {
    (
        0.0..100.0_f64,
        20.0..200.0_f64,
        5.0..80.0_f64,
        prop::collection::vec(time(8), 0..3),
    )
        .prop_map(|(measure_from, length, window, tail_times)| Run {
            until: Some((measure_from + length).into()),
            measure_from: Some(measure_from.into()),
            window: Some(window.into()),
            tail_times: tail_times.into_iter().map(Into::into).collect(),
            ..Run::default()
        })
}

/// A service and its server.
fn station() -> impl Strategy<Value = (Service, Server)> {
    service().prop_flat_map(|service| {
        let server = server(service.slots(), service.concurrency);
        (Just(service), server)
    })
}

/// Tiers behind the outermost, if any.
fn tiers() -> impl Strategy<Value = Vec<Tier>> {
    let tier = (1_u32..4, station(), client()).prop_map(|(clients, (service, server), client)| Tier {
        clients,
        service,
        server,
        client,
    });
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(tier.boxed(), 1..3)]
}

/// Fewer retries where nothing limits those that multiply.
fn tame(retries: &mut f64) {
    *retries = (*retries / 4.0).min(0.8);
}

/// Any scenario that the engine can meet, short enough for the naive simulator.
pub(crate) fn scenario() -> impl Strategy<Value = Scenario> {
    let load = prop_oneof![0.1..1.0, 1.0..4.0];
    let places = prop::collection::vec(0_u32..3, 5);
    let schedule = (schedule(), places).boxed();
    let tiers = tiers().boxed();
    (
        load,
        1_u32..4,
        station(),
        client().boxed(),
        tiers,
        schedule,
        run(),
    )
        .prop_map(
            |(load, clients, (service, server), client, tiers, (schedule, places), run)| {
                let rate = load * f64::from(service.slots()) / if tiers.is_empty() { 1.0 } else { 3.0 };
                let mut spec = ScenarioSpec::new(Traffic {
                    clients,
                    ..Traffic::with_rate(rate)
                });
                spec.service = service;
                spec.server = server;
                spec.client = client;
                spec.tiers = tiers;
                spec.schedule = schedule;
                for (change, place) in spec.schedule.iter_mut().zip(places) {
                    if change.rate.is_none() {
                        change.tier = 1 + place % (spec.tiers.len() as u32 + 1);
                    }
                }
                say_in_the_words_of_the_clients(&mut spec);
                spec.run = run;
                if spec.clone().validate().is_err() {
                    let clients = std::iter::once(&mut spec.client);
                    let clients = clients.chain(spec.tiers.iter_mut().map(|tier| &mut tier.client));
                    let retries = clients.map(|client| &mut client.retries_per_failure);
                    let changes = spec.schedule.iter_mut();
                    retries
                        .chain(changes.map(|change| &mut change.retries_per_failure))
                        .flatten()
                        .for_each(tame);
                }
                spec.validate().unwrap()
            },
        )
}

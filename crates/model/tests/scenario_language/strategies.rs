//! Random scenarios, valid but otherwise as odd as the language allows.

use std::sync::Arc;

use proptest::option;
use proptest::prelude::*;
use retrylab_model::{
    ATTEMPTS_MAX, Backoff, Breaker, Budget, Change, Client, DeadlineCheck, Discipline, Latencies, Measured,
    Queues, RETRIES_PER_FAILURE_MAX, Rate, Run, Scale, Scenario, ScenarioSpec, Server, Service, ServiceTime,
    Tier, Time, TimeUnit, Timeout, Traffic,
};

/// Everyday numbers, numbers of every magnitude, and the ends of double precision.
fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.001..1000.0,
        2 => (1_u32..10_000).prop_map(f64::from),
        2 => proptest::num::f64::POSITIVE,
        1 => proptest::num::f64::POSITIVE | proptest::num::f64::SUBNORMAL,
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(0.1 + 0.2),
    ]
    .prop_filter("finite and above 0", |value: &f64| {
        *value > 0.0 && value.is_finite()
    })
}

fn non_negative() -> impl Strategy<Value = f64> {
    prop_oneof![6 => positive(), 1 => Just(0.0), 1 => Just(-0.0)]
}

fn time(value: f64, units: bool) -> Time {
    if units { seconds(value) } else { value.into() }
}

fn seconds(value: f64) -> Time {
    format!("{value:e}s").parse().unwrap()
}

fn rate(value: f64, units: bool) -> Rate {
    if units {
        format!("{value:e}/s").parse().unwrap()
    } else {
        value.into()
    }
}

fn service_time(units: bool) -> impl Strategy<Value = ServiceTime> {
    let time = move |value| time(value, units);
    prop_oneof![
        positive().prop_map(move |mean| ServiceTime::Exponential { mean: time(mean) }),
        positive().prop_map(move |value| ServiceTime::Deterministic { value: time(value) }),
        (1_u32..1000, positive()).prop_map(move |(stages, mean)| ServiceTime::Erlang {
            stages,
            mean: time(mean)
        }),
        (positive(), positive()).prop_map(move |(mean, excess)| ServiceTime::Hyperexponential {
            mean: time(mean),
            scv: 1.0 + excess,
        }),
        (non_negative(), positive()).prop_map(move |(low, width)| ServiceTime::Uniform {
            low: time(low),
            high: time(low + width),
        }),
        (positive(), positive()).prop_map(move |(mean, scv)| ServiceTime::Lognormal {
            mean: time(mean),
            scv
        }),
        measured(units).prop_map(ServiceTime::Measured).boxed(),
    ]
}

/// Checksum of the file of [`measured`].
pub(crate) const CHECKSUM: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What is in the file of [`measured`], read with a unit or without.
pub(crate) fn latencies(unit: Option<TimeUnit>) -> Arc<Latencies> {
    let values = [1.0, 2.5, 2.5].map(|value| unit.map_or(value, |unit| unit.seconds(value)));
    let scale = unit.map_or(Scale::Dimensionless, |_| Scale::Seconds);
    Arc::new(Latencies::of_values(values.to_vec(), scale, CHECKSUM).unwrap())
}

fn measured(units: bool) -> impl Strategy<Value = Measured> {
    let unit = prop::sample::select(vec![
        TimeUnit::Nanoseconds,
        TimeUnit::Microseconds,
        TimeUnit::Milliseconds,
        TimeUnit::Seconds,
        TimeUnit::Minutes,
        TimeUnit::Hours,
        TimeUnit::Days,
    ]);
    (
        "[a-z/ .\"\\\\é]{1,9}",
        option::of("[a-z ]{0,5}"),
        unit,
        0.001..1000.0,
        any::<bool>(),
        option::of(any::<bool>()),
        option::of(non_negative()),
    )
        .prop_map(
            move |(file, column, unit, factor, whole, includes_queueing, measured_at_load)| {
                let unit = units.then_some(unit);
                Measured {
                    column,
                    unit,
                    factor: if whole { 1.0 } else { factor },
                    includes_queueing,
                    measured_at_load,
                    sha256: Some(CHECKSUM.to_owned()),
                    latencies: Some(latencies(unit)),
                    ..Measured::in_file(&file)
                }
            },
        )
}

fn probability() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(-0.0), 0.0..=1.0]
}

fn service(units: bool) -> impl Strategy<Value = Service> {
    (
        service_time(units),
        1_u32..100,
        1_u32..10,
        probability(),
        probability(),
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

fn discipline() -> impl Strategy<Value = Discipline> {
    prop_oneof![
        Just(Discipline::Fifo),
        Just(Discipline::Lifo),
        Just(Discipline::Random),
        any::<u32>().prop_map(|threshold| Discipline::AdaptiveLifo { threshold }),
    ]
}

fn server(units: bool) -> impl Strategy<Value = Server> {
    let cost = move || option::of(non_negative().prop_map(move |value| time(value, units)));
    let deadline_check = prop_oneof![
        Just(DeadlineCheck::None),
        Just(DeadlineCheck::SkipExpired),
        positive().prop_map(move |service| DeadlineCheck::SkipDoomed {
            service: time(service, units)
        }),
    ];
    let queues = prop_oneof![
        Just(Queues::Common),
        Just(Queues::Random),
        Just(Queues::RoundRobin),
        Just(Queues::Shortest),
    ];
    (
        discipline(),
        queues,
        option::of(1000..u32::MAX),
        deadline_check,
        cost(),
        cost(),
    )
        .prop_map(
            |(discipline, queues, places, deadline_check, rejection_cost, skip_cost)| Server {
                discipline,
                queues,
                places,
                deadline_check,
                rejection_cost,
                skip_cost,
            },
        )
}

fn backoff(units: bool) -> impl Strategy<Value = Backoff> {
    prop_oneof![
        Just(Backoff::None),
        non_negative().prop_map(move |delay| Backoff::Constant {
            delay: time(delay, units)
        }),
        (non_negative(), option::of(non_negative())).prop_map(move |(base, cap)| Backoff::FullJitter {
            base: time(base, units),
            cap: cap.map(|cap| time(cap, units)),
        }),
    ]
}

fn budget(units: bool) -> impl Strategy<Value = Budget> {
    prop_oneof![
        Just(Budget::None),
        (non_negative(), non_negative(), any::<bool>()).prop_map(|(ratio, bank, shared)| Budget::Ratio {
            ratio,
            bank,
            shared,
        }),
        (
            non_negative(),
            non_negative(),
            non_negative(),
            non_negative(),
            any::<bool>()
        )
            .prop_map(|(capacity, cost, timeout_cost, refund, shared)| Budget::Refund {
                capacity,
                cost,
                timeout_cost,
                refund,
                shared,
            }),
        (non_negative(), positive(), any::<bool>()).prop_map(move |(size, value, shared)| Budget::Pool {
            size,
            rate: rate(value, units),
            shared,
        }),
    ]
}

fn timeout(units: bool) -> impl Strategy<Value = Timeout> {
    (positive(), any::<bool>()).prop_map(move |(value, constant)| {
        let time = time(value, units);
        if constant {
            time.into()
        } else {
            Timeout::Exponential { mean: time }
        }
    })
}

/// Attempts and retry probability, or retries per failure, more or less few.
fn retries(spawns: bool) -> impl Strategy<Value = Client> {
    let retries_per_failure =
        prop_oneof![3 => 0.0..0.999, 1 => 0.0..RETRIES_PER_FAILURE_MAX, 1 => Just(-0.0)];
    (1_u32..=65_535, probability(), retries_per_failure).prop_map(
        move |(attempts, retry_probability, retries)| {
            if spawns {
                Client {
                    retries_per_failure: Some(retries),
                    ..Client::default()
                }
            } else {
                Client {
                    attempts,
                    retry_probability,
                    ..Client::default()
                }
            }
        },
    )
}

fn breaker(units: bool) -> impl Strategy<Value = Breaker> {
    let counts = (1_u32..=1_000_000, 1_u32..=1_000_000);
    (positive(), positive(), 1e-9..=1.0, counts, any::<bool>()).prop_map(
        move |(window, open, failure_rate, (minimum, probes), shared)| Breaker {
            window: time(window, units),
            failure_rate,
            minimum,
            open: time(open, units),
            probes,
            shared,
        },
    )
}

fn client(units: bool, spawns: bool) -> impl Strategy<Value = Client> {
    (
        retries(spawns),
        option::of(timeout(units)),
        any::<bool>(),
        backoff(units),
        budget(units),
        option::of(breaker(units)),
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

fn tiers(units: bool) -> impl Strategy<Value = Vec<Tier>> {
    let tier = (1_u32..1000, service(units), server(units), client(units, false)).prop_map(
        |(clients, service, server, client)| Tier {
            clients,
            service,
            server,
            client,
        },
    );
    prop_oneof![2 => Just(Vec::new()), 1 => proptest::collection::vec(tier.boxed(), 1..3)]
}

/// New values of some settings: of attempts and retry probability, or of retries per failure.
fn settings(units: bool, spawns: bool) -> impl Strategy<Value = Change> {
    (
        option::of(positive()),
        option::of(positive()),
        option::of(0.0..=1.0),
        option::of(1..=ATTEMPTS_MAX),
        option::of(0.0..=1.0),
        option::of(discipline()),
        option::of(budget(units)),
        option::of(positive()),
    )
        .prop_map(
            move |(capacity, value, error_probability, attempts, retries, discipline, budget, duration)| {
                Change {
                    capacity,
                    rate: value.map(|value| rate(value, units)),
                    error_probability,
                    attempts: attempts.filter(|_| !spawns),
                    retry_probability: retries.filter(|_| !spawns),
                    retries_per_failure: retries.filter(|_| spawns),
                    discipline,
                    budget,
                    duration: duration.map(|value| time(value, units)),
                    ..Change::at(time(0.0, units))
                }
            },
        )
}

/// Stalls and new settings one after another.
fn schedule(units: bool, spawns: bool) -> impl Strategy<Value = Vec<Change>> {
    let changes = (
        non_negative(),
        option::of(positive()),
        settings(units, spawns).boxed(),
    );
    proptest::collection::vec(changes, 0..4).prop_map(move |changes| {
        let mut clock = 0.0;
        changes
            .into_iter()
            .map(|(gap, stall, settings)| {
                let at = clock + gap;
                // Something changes, and what does not may not last.
                let sets = settings
                    != Change {
                        duration: settings.duration,
                        ..Change::at(settings.at)
                    };
                let stall = if sets { stall } else { Some(gap + 1.0) };
                let duration = settings.duration.filter(|_| sets);
                clock = at + stall.unwrap_or(0.0).max(duration.map_or(0.0, Time::value));
                Change {
                    at: time(at, units),
                    stall: stall.map(|value| time(value, units)),
                    duration,
                    ..settings
                }
            })
            .collect()
    })
}

fn run(units: bool) -> impl Strategy<Value = Run> {
    (
        option::of((positive(), option::of(0.0..0.999), option::of(1e-6..2.0))),
        1_u32..10_000,
        proptest::collection::vec(non_negative(), 0..4),
    )
        .prop_map(move |(plan, replications, tail_times)| {
            let length = plan.map(|(until, ..)| until);
            Run {
                until: length.map(|value| time(value, units)),
                measure_from: plan
                    .and_then(|(until, share, _)| share.map(|share| time(until * share, units))),
                window: plan.and_then(|(until, _, share)| share.map(|share| time(until * share, units))),
                replications,
                tail_times: tail_times.into_iter().map(|value| time(value, units)).collect(),
            }
        })
}

/// A valid scenario, with units or without.
pub(crate) fn scenario() -> impl Strategy<Value = Scenario> {
    (any::<bool>(), any::<bool>()).prop_flat_map(|(units, spawns)| {
        let traffic = (positive(), 1_u32..1000).prop_map(move |(value, clients)| Traffic {
            rate: rate(value, units),
            clients,
        });
        (
            (any::<String>(), "[a-z .,\"'\\\\#\n\t]{0,20}"),
            traffic,
            service(units),
            server(units),
            // Boxed, because the parts together are too large for the stack of a test.
            client(units, spawns).boxed(),
            tiers(units).boxed(),
            schedule(units, spawns).boxed(),
            run(units),
        )
            .prop_filter_map(
                "the parts fit together",
                |((name, source), traffic, service, server, client, tiers, schedule, run)| {
                    let spec = ScenarioSpec {
                        name,
                        source,
                        traffic,
                        service,
                        server,
                        client,
                        tiers,
                        schedule,
                        run,
                    };
                    spec.validate().ok()
                },
            )
    })
}

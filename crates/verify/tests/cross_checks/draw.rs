//! Parts of random scenarios, in numbers that a reader can take in.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use proptest::strategy::Union;
use retrylab_model::{
    Backoff, Discipline, Latencies, Measured, Scale, Scenario, ScenarioSpec, ServiceTime, Time, Traffic,
};

/// A number with two decimals.
pub(crate) fn hundredths(range: RangeInclusive<u32>) -> impl Strategy<Value = f64> {
    range.prop_map(|count| f64::from(count) / 100.0)
}

/// A seed of the simulator. A smaller one is no simpler.
pub(crate) fn seed() -> impl Strategy<Value = u64> {
    (0_u64..1_000_000).no_shrink()
}

/// A mean service time, mostly not 1: what forgets a unit of time is found out.
pub(crate) fn service_mean() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 0.5, 0.02, 4.0, 250.0])
}

/// Any order of service.
pub(crate) fn discipline() -> impl Strategy<Value = Discipline> {
    prop::sample::select(vec![Discipline::Fifo, Discipline::Lifo, Discipline::Random])
}

/// The kinds of service time, each with mean 1, simplest first. Their moments are such that means settle.
pub(crate) fn kinds_of_service_time() -> Vec<BoxedStrategy<ServiceTime>> {
    let mean = Time::from(1.0);
    vec![
        Just(ServiceTime::Exponential { mean }).boxed(),
        Just(ServiceTime::Deterministic { value: mean }).boxed(),
        (2_u32..=5)
            .prop_map(move |stages| ServiceTime::Erlang { stages, mean })
            .boxed(),
        hundredths(10..=100)
            .prop_map(|half_width| ServiceTime::Uniform {
                low: readable(1.0 - half_width).into(),
                high: readable(1.0 + half_width).into(),
            })
            .boxed(),
        hundredths(120..=300)
            .prop_map(move |scv| ServiceTime::Hyperexponential { mean, scv })
            .boxed(),
        hundredths(20..=150)
            .prop_map(move |scv| ServiceTime::Lognormal { mean, scv })
            .boxed(),
        prop::collection::vec((hundredths(10..=400), 1_u64..20), 3..9)
            .prop_map(measured)
            .boxed(),
    ]
}

/// Times that were measured so often, in a unit in which their mean is 1.
fn measured(counts: Vec<(f64, u64)>) -> ServiceTime {
    let latencies = Latencies::of_counts(counts, Scale::Dimensionless, "").unwrap();
    let factor = 1.0 / latencies.mean();
    ServiceTime::Measured(Measured::of("drawn", latencies)).scaled(factor)
}

/// A service time of any kind with mean 1.
pub(crate) fn service_time() -> impl Strategy<Value = ServiceTime> {
    Union::new(kinds_of_service_time())
}

/// An exponential service time.
pub(crate) fn exponential(mean: f64) -> ServiceTime {
    ServiceTime::Exponential { mean: mean.into() }
}

/// A backoff of up to one unit of time, which keeps cycles short: they end only when nobody is about to retry.
pub(crate) fn backoff() -> impl Strategy<Value = Backoff> {
    prop_oneof![
        Just(Backoff::None),
        hundredths(10..=100).prop_map(|delay| Backoff::Constant { delay: delay.into() }),
        (hundredths(10..=100), hundredths(50..=100)).prop_map(|(base, cap)| Backoff::FullJitter {
            base: base.into(),
            cap: Some(cap.into())
        }),
    ]
}

/// What a reader needs to run a scenario again: a scenario file, with the seed in a comment.
pub(crate) fn printed(scenario: &Scenario, seed: u64) -> String {
    let measured: String = scenario
        .measured()
        .filter_map(|(path, measured)| measured.latencies.as_ref().map(|latencies| (path, latencies)))
        .map(|(path, latencies)| format!("# {path}: {:?}\n", latencies.steps().collect::<Vec<_>>()))
        .collect();
    format!(
        "# random numbers of seed {seed}\n{measured}{}",
        scenario.to_toml()
    )
}

/// Four significant digits.
pub(crate) fn readable(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

/// A scenario with Poisson traffic that offers a load to each of some servers, changed as asked.
pub(crate) fn scenario(
    load: f64,
    time: ServiceTime,
    servers: u32,
    change: impl FnOnce(&mut ScenarioSpec),
) -> Scenario {
    let rate = readable(load * f64::from(servers) / time.mean());
    let mut spec = ScenarioSpec::new(Traffic::with_rate(rate));
    spec.service.time = time;
    spec.service.servers = servers;
    change(&mut spec);
    spec.validate().unwrap()
}

//! What random numbers cost: a raw draw, a coin, variates, and times of every distribution of service, each per draw.
//!
//! `cargo bench --bench sampling` measures and prints each ratio to a raw draw; `-- --test` runs each once.

mod support;

use std::cell::RefCell;
use std::hint::black_box;

use retrylab_model::ServiceTime;
use retrylab_sim::random::{Bernoulli, Exponential, Normal, Purpose, ServiceSampler, Stream};

/// Draws of one iteration.
const DRAWS: u64 = 10_000;

fn main() {
    let mut stopwatch = support::Stopwatch::new();
    let stream = RefCell::new(Stream::new(support::SEED, 0, Purpose::Service));
    let mut time = |name: &str, draw: &dyn Fn(&mut Stream) -> f64, range: std::ops::RangeInclusive<f64>| {
        let sum = || {
            let stream = &mut *stream.borrow_mut();
            (0..DRAWS).map(|_| draw(stream)).sum::<f64>()
        };
        let mean = sum() / DRAWS as f64;
        assert!(range.contains(&mean), "{name}: the mean is {mean}");
        stopwatch.time("sampling", name, DRAWS, || {
            black_box(sum());
        });
    };
    // Means of 10,000 draws, to five standard errors or more.
    time("uniform", &|stream| stream.uniform(), 0.48..=0.52);
    let coin = Bernoulli::new(0.01);
    time(
        "coin",
        &|stream| f64::from(u8::from(coin.sample(stream))),
        0.005..=0.016,
    );
    let exponential = Exponential::default();
    time("exponential", &|stream| exponential.sample(stream), 0.95..=1.05);
    let normal = Normal::default();
    time("normal", &|stream| normal.sample(stream), -0.05..=0.05);
    let clock = support::clock();
    let unit = 1.0.into();
    for (name, service_time) in [
        ("time: deterministic", ServiceTime::Deterministic { value: unit }),
        ("time: exponential", ServiceTime::Exponential { mean: unit }),
        (
            "time: uniform",
            ServiceTime::Uniform {
                low: 0.5.into(),
                high: 1.5.into(),
            },
        ),
        (
            "time: Erlang of 4 stages",
            ServiceTime::Erlang {
                stages: 4,
                mean: unit,
            },
        ),
        (
            "time: hyperexponential",
            ServiceTime::Hyperexponential { mean: unit, scv: 4.0 },
        ),
        ("time: lognormal", ServiceTime::Lognormal { mean: unit, scv: 1.0 }),
    ] {
        let sampler = ServiceSampler::new(&service_time, &clock);
        time(
            name,
            &|stream| clock.time(sampler.sample(stream).into()),
            0.9..=1.1,
        );
    }
    stopwatch.finish("draw");
}

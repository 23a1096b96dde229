//! The API of the post as a scenario, times in seconds, and its pool of tokens.

use retrylab_model::{Budget, Scenario, ScenarioSpec, ServiceTime, Traffic};

use crate::outcome::ComputedNumber;
use crate::theory::theory;

/// Instances of the API.
pub(crate) const INSTANCES: u32 = 4;
/// The lowest and the highest usual rate of requests, all instances together.
pub(super) const RATES: [f64; 2] = [40.0, 100.0];
/// Tokens of an instance's pool.
pub(crate) const SIZE: f64 = 25.0;
/// Tokens that come back a second, as long as anything succeeds.
pub(crate) const REFILL_RATE: f64 = 1.0;
/// Most retries of a request, by default of the library that the API uses.
pub(crate) const RETRIES: u32 = 2;
/// Mean time of an answer where the service is not what limits.
pub(super) const ANSWER_TIME: f64 = 0.05;
/// Answers under way at once: four times those that 100 requests a second and two retries each keep busy.
const SERVERS: u32 = 60;

/// An instance's pool of a size and refill rate.
pub(crate) fn pool(size: f64, rate: f64) -> Budget {
    Budget::Pool {
        size,
        rate: rate.into(),
        shared: false,
    }
}

/// The pool of the post.
pub(crate) fn standard_pool() -> Budget {
    pool(SIZE, REFILL_RATE)
}

/// Requests at a rate through so many instances to a service with room for all, whose answers are errors with a probability.
pub(crate) fn api(
    rate: f64,
    instances: u32,
    error_probability: f64,
    retries: u32,
    budget: Budget,
) -> ScenarioSpec {
    let mut spec = ScenarioSpec::new(Traffic {
        clients: instances,
        ..Traffic::with_rate(rate)
    });
    spec.source = "stop-retrying".to_owned();
    spec.service.time = ServiceTime::Exponential {
        mean: ANSWER_TIME.into(),
    };
    spec.service.servers = SERVERS;
    spec.service.error_probability = error_probability;
    spec.client.attempts = retries + 1;
    spec.client.budget = budget;
    spec
}

/// The scenario under a name, measured from a moment on for some time.
pub(crate) fn measured(mut spec: ScenarioSpec, name: &str, from: f64, length: f64) -> Scenario {
    spec.name = name.to_owned();
    spec.run.measure_from = Some(from.into());
    spec.run.until = Some((from + length).into());
    spec.validate().expect("the post's scenarios are valid")
}

/// A result of the pool of one instance that sees `rate` requests a second.
pub(super) fn one_pool(
    rate: f64,
    failure_probability: f64,
    retries: u32,
    (size, refill_rate): (f64, f64),
    result: &str,
) -> ComputedNumber {
    theory(
        "token-pool",
        &[
            ("arrival_rate", rate),
            ("failure_probability", failure_probability),
            ("retries", f64::from(retries)),
            ("size", size),
            ("refill_rate", refill_rate),
        ],
        result,
    )
}

//! A circuit breaker and a pool of tokens in the same incidents: A06.

use retrylab_model::{Breaker, Budget, Scenario, ScenarioSpec};
use retrylab_sim::Measure;

use super::api::{INSTANCES, REFILL_RATE, RETRIES, SIZE, api, measured, one_pool, standard_pool};
use super::tuning::{Scene, scene};
use crate::claim::{Claim, Part};
use crate::claims::three_attempts::protocol::{changed, success_of};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![blocking_first_attempts()]
}

/// Requests a second of all instances.
pub(crate) const RATE: f64 = 45.0;
/// Share of attempts that fail while the service has room for all.
const FAILURE: f64 = 0.7;
/// How long an open breaker stays open.
const OPEN: f64 = 10.0;

/// What an instance does about failing attempts, with two retries each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Protection {
    /// Nothing.
    None,
    /// A pool of tokens.
    Pool,
    /// A circuit breaker that stays open for so many seconds.
    Breaker(f64),
    /// Both, the breaker with its usual time.
    Both,
}

impl Protection {
    fn apply(self, spec: &mut ScenarioSpec) {
        spec.client.budget = match self {
            Self::Pool | Self::Both => standard_pool(),
            Self::None | Self::Breaker(_) => Budget::None,
        };
        spec.client.breaker = match self {
            Self::Breaker(open) => Some(breaker(open)),
            Self::Both => Some(breaker(OPEN)),
            Self::None | Self::Pool => None,
        };
    }
}

pub(crate) const BREAKER: Protection = Protection::Breaker(OPEN);

/// Opens when half of the outcomes of ten seconds, 20 at least, are failures, and closes after three good probes.
fn breaker(open: f64) -> Breaker {
    Breaker {
        window: 10.0.into(),
        failure_rate: 0.5,
        minimum: 20,
        open: open.into(),
        probes: 3,
        shared: false,
    }
}

/// Two minutes into an incident in which attempts fail with a probability and the service has room for all.
pub(crate) fn failing(failure_probability: f64, protection: Protection) -> Scenario {
    let mut spec = api(RATE, INSTANCES, failure_probability, RETRIES, Budget::None);
    protection.apply(&mut spec);
    measured(spec, "attempts that fail by chance", 120.0, 300.0)
}

/// The brownout of the tuning, with another protection than a pool.
pub(crate) fn brownout(protection: Protection) -> Scenario {
    let base = scene(Scene::Brownout, RETRIES, Budget::None);
    changed(&base, |spec| protection.apply(spec))
}

/// Attempts per request with pools, of which a share succeeds.
fn attempts(failure_probability: f64) -> ComputedNumber {
    let instances = f64::from(INSTANCES);
    one_pool(
        RATE / instances,
        failure_probability,
        RETRIES,
        (SIZE, REFILL_RATE),
        "retry_rate",
    )
    .then(|x| 1.0 + instances * x / RATE, "1 + 4x/λ")
}

/// Success with pools: each attempt succeeds with the same probability.
pub(crate) fn success_with_pools(failure_probability: f64) -> f64 {
    (1.0 - failure_probability) * attempts(failure_probability).value
}

/// Success with one protection less that with another, in the brownout under the same requests.
fn gain(protection: Protection, other: Protection) -> Experiment {
    Experiment::side_by_side(
        vec![brownout(protection), brownout(other)],
        "success with the one less that with the other",
        |runs| success_of(&runs[0]) - success_of(&runs[1]),
    )
}

fn blocking_first_attempts() -> Claim {
    Claim::new(
        "A06",
        Document::StopRetrying,
        "A circuit breaker stops the load too, but keeps first attempts from being made that might succeed; a pool of tokens \
         does not.",
    )
    .remark(
        "Two incidents: attempts fail by chance, 70 % of them, while the service has room for all; and the brownout of the \
         tuning (A08), in which unlimited retries overload the service. In both the pool gives the higher goodput. When \
         nothing at all succeeds, the breaker is the one that spares the service: it keeps nearly all attempts back, and the \
         pool the retries only.",
    )
    .open_parameter(
        "The breaker, one for each instance: it opens when half of the outcomes of ten seconds, 20 at least, are failures, stays \
         open for 10 s and closes after three good probes. At a failure rate well below its threshold it does nothing \
         and the retries are unlimited; from near the threshold on little gets through, and the more the shorter it stays open: \
         with 1 s it still is less than a third of what the pool gives.",
    )
    .parts(by_chance())
    .parts(in_the_brownout())
    .beyond(
        "They do not exclude each other. In the brownout a pool keeps failures below the breaker's threshold, so that a breaker \
         beside the pool hardly ever opens, and it would still open when nothing succeeds.",
    )
}

fn by_chance() -> Vec<Part> {
    let measure = |protection, measure| Experiment::measure(failing(FAILURE, protection), measure);
    vec![
        Part::new("success, 70 % of attempts fail, pool")
            .computed(attempts(FAILURE).then(|x| (1.0 - FAILURE) * x, "(1 − p) · x"))
            .equivalent(
                measure(Protection::Pool, Measure::Success),
                Margin::Relative(0.03),
                "a third of what the retries add",
            ),
        Part::new("attempts per request, 70 % of attempts fail, pool")
            .computed(attempts(FAILURE))
            .equivalent(
                measure(Protection::Pool, Measure::AttemptsPerRequest),
                Margin::Relative(0.01),
                "a ninth of the retries",
            ),
        Part::new("success, 70 % of attempts fail, breaker").at_most(
            measure(BREAKER, Measure::Success),
            0.05,
            "less than a sixth of what succeeds without any retry",
        ),
        Part::new("success, 70 % of attempts fail, breaker that stays open for 1 s").at_most(
            measure(Protection::Breaker(1.0), Measure::Success),
            0.1,
            "less than a third of what succeeds without any retry",
        ),
        Part::new("attempts per request, 70 % of attempts fail, breaker").at_most(
            measure(BREAKER, Measure::AttemptsPerRequest),
            0.1,
            "the load is stopped",
        ),
        Part::new("share of requests whose first attempt the breaker keeps back, 70 % of attempts fail")
            .at_least(
                measure(BREAKER, Measure::UnsentRequests),
                0.9,
                "nearly all first attempts are kept back",
            ),
        Part::new("attempts per request, all attempts fail, breaker").at_most(
            Experiment::measure(failing(1.0, BREAKER), Measure::AttemptsPerRequest),
            0.05,
            "one in twenty of what a pool lets through",
        ),
    ]
}

fn in_the_brownout() -> Vec<Part> {
    vec![
        Part::new("success in the brownout, breaker less unlimited retries").at_least(
            gain(BREAKER, Protection::None),
            0.4,
            "the breaker brings the service back, where retries keep it down",
        ),
        Part::new("success in the brownout, pool less breaker").at_least(
            gain(Protection::Pool, BREAKER),
            0.1,
            "at least one request in ten that a breaker loses",
        ),
        Part::new("success in the brownout, pool less a breaker that stays open for 1 s").at_least(
            gain(Protection::Pool, Protection::Breaker(1.0)),
            0.05,
            "still one in twenty",
        ),
        Part::new("success in the brownout, pool and breaker less breaker").at_least(
            gain(Protection::Both, BREAKER),
            0.1,
            "the pool makes up for the breaker",
        ),
        Part::new("share of requests whose first attempt a breaker beside a pool keeps back in the brownout")
            .at_most(
                Experiment::measure(brownout(Protection::Both), Measure::UnsentRequests),
                0.1,
                "the exception; without the pool it is more than a quarter",
            ),
    ]
}

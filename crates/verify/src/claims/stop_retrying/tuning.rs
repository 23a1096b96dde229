//! Pool size and refill rate, tuned: A08.

use retrylab_model::{Budget, Change, Scenario, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::Measure;

use super::api::{INSTANCES, REFILL_RATE, RETRIES, SIZE, measured, pool, standard_pool};
use crate::claim::{Claim, Part};
use crate::claims::three_attempts::protocol::success_of;
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![tuning()]
}

/// Requests a second, all instances together.
const RATE: f64 = 80.0;
/// Attempts served a second.
const CAPACITY: f64 = 160.0;
/// Mean time of an answer.
const ANSWER_TIME: f64 = 0.1;
/// How long a client waits for one.
const TIMEOUT: f64 = 1.0;
/// Share of attempts that fail on a normal day.
const USUAL_FAILURE: f64 = 0.01;
/// When trouble begins.
const BEGIN: f64 = 30.0;

/// What the API goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    /// Nothing out of the ordinary, for ten minutes.
    Day,
    /// Half of the attempts fail for ten seconds, at full capacity.
    Burst,
    /// Capacity falls to 60 % and three attempts in ten fail, for a minute.
    Brownout,
}

impl Scene {
    /// What happens, and for how long the scene is measured from when it begins.
    fn course(self) -> (Vec<Change>, f64) {
        match self {
            Self::Day => (Vec::new(), 600.0),
            Self::Burst => {
                let burst = Change {
                    error_probability: Some(BURST_FAILURE),
                    duration: Some(BURST_LENGTH.into()),
                    ..Change::at(BEGIN)
                };
                (vec![burst], BURST_MEASURED)
            }
            Self::Brownout => {
                let brownout = Change {
                    capacity: Some(REMAINING_CAPACITY),
                    error_probability: Some(BROWNOUT_FAILURE),
                    duration: Some(BROWNOUT_LENGTH.into()),
                    ..Change::at(BEGIN)
                };
                (vec![brownout], 2.0 * BROWNOUT_LENGTH)
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Day => "a normal day",
            Self::Burst => "a burst of errors",
            Self::Brownout => "a brownout",
        }
    }
}

const BURST_FAILURE: f64 = 0.5;
const BURST_LENGTH: f64 = 10.0;
const BURST_MEASURED: f64 = 15.0;
const REMAINING_CAPACITY: f64 = 0.6;
const BROWNOUT_FAILURE: f64 = 0.3;
const BROWNOUT_LENGTH: f64 = 60.0;

/// The API in a scene, for clients with so many retries and a budget.
pub(crate) fn scene(scene: Scene, retries: u32, budget: Budget) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic {
        clients: INSTANCES,
        ..Traffic::with_rate(RATE)
    });
    spec.source = "stop-retrying".to_owned();
    spec.service.time = ServiceTime::Exponential {
        mean: ANSWER_TIME.into(),
    };
    spec.service.servers = (CAPACITY * ANSWER_TIME) as u32;
    spec.service.error_probability = USUAL_FAILURE;
    spec.client.timeout = Some(TIMEOUT.into());
    spec.client.attempts = retries + 1;
    spec.client.budget = budget;
    let (schedule, length) = scene.course();
    spec.schedule = schedule;
    measured(spec, scene.name(), BEGIN, length)
}

/// Success in a scene with a pool of a size and refill rate.
pub(crate) fn success(at: Scene, size: f64, rate: f64) -> Experiment {
    Experiment::measure(scene(at, RETRIES, pool(size, rate)), Measure::Success)
}

/// Attempts beyond the first per request in a scene with a pool.
pub(crate) fn extra_load(at: Scene, size: f64, rate: f64) -> Experiment {
    Experiment::measure(scene(at, RETRIES, pool(size, rate)), Measure::AttemptsPerRequest)
        .shifted(-1.0, "attempts beyond the first per request")
}

/// Retries of a burst that pools pay for, per request of the time that is measured: what they hold and what comes back while
/// it lasts, and the usual retries after it.
pub(crate) fn burst_load(size: f64, rate: f64) -> f64 {
    let instances = f64::from(INSTANCES);
    let wanted = RATE * (BURST_FAILURE + BURST_FAILURE * BURST_FAILURE) * BURST_LENGTH;
    let paid = instances * (size + rate * BURST_LENGTH);
    let after = RATE * USUAL_FAILURE * (BURST_MEASURED - BURST_LENGTH);
    (paid.min(wanted) + after) / (RATE * BURST_MEASURED)
}

/// The most retries per request that pools can pay for while a scene is measured: all they hold and all that comes back.
pub(crate) fn load_max(at: Scene, size: f64, rate: f64) -> f64 {
    let (_, length) = at.course();
    f64::from(INSTANCES) * (size + rate * length) / (RATE * length)
}

/// Retries a second of an instance on a normal day, which the refill rate must exceed.
pub(crate) fn refill_rate_min() -> f64 {
    RATE / f64::from(INSTANCES) * (USUAL_FAILURE + USUAL_FAILURE * USUAL_FAILURE)
}

/// The refill rate of an instance at which requests and retries fill what is left of the capacity.
pub(crate) fn refill_rate_max() -> f64 {
    (CAPACITY * REMAINING_CAPACITY - RATE) / f64::from(INSTANCES)
}

/// The pool size of an instance whose first burst of retries, as a fluid, makes the queue as long as clients wait.
///
/// Retries are wanted at rate w = λ(p + p²) and full pools last n·N/(w − n·g); meanwhile the queue grows at rate
/// λ + w − c, and at c·timeout clients begin to give up.
pub(crate) fn size_max(refill_rate: f64) -> f64 {
    let instances = f64::from(INSTANCES);
    let capacity = CAPACITY * REMAINING_CAPACITY;
    let wanted = RATE * (BROWNOUT_FAILURE + BROWNOUT_FAILURE * BROWNOUT_FAILURE);
    let growth = RATE + wanted - capacity;
    (wanted - instances * refill_rate) / instances * capacity * TIMEOUT / growth
}

/// Success with one pool less that with another, or without, in a scene under the same requests.
fn gain(at: Scene, budget: Budget, other: (u32, Budget)) -> Experiment {
    Experiment::side_by_side(
        vec![scene(at, RETRIES, budget), scene(at, other.0, other.1)],
        "success with the pool less that of the alternative",
        |runs| success_of(&runs[0]) - success_of(&runs[1]),
    )
}

/// The share of runs in which one pool does better than another, or than none, under the same requests.
fn better(at: Scene, budget: Budget, other: (u32, Budget)) -> Experiment {
    Experiment::side_by_side(
        vec![scene(at, RETRIES, budget), scene(at, other.0, other.1)],
        "whether success with the pool exceeds that of the alternative",
        |runs| f64::from(u8::from(success_of(&runs[0]) > success_of(&runs[1]))),
    )
    .within(0.0, 1.0)
}

const NO_RETRIES: (u32, Budget) = (0, Budget::None);
const NO_POOL: (u32, Budget) = (RETRIES, Budget::None);

fn tuning() -> Claim {
    Claim::new(
        "A08",
        Document::StopRetrying,
        "A pool of 25 tokens and a refill rate of one a second were a guess, and remain to be tuned.",
    )
    .remark(format!(
        "The guess is a good one, in the API below: of a grid of sizes and rates it is among the best in the brownout, loses \
         nothing on a normal day, and gives away what a larger pool would save in a burst. Choose the refill rate between \
         what a normal day needs, {:.2} a second for each instance, and what the service has to spare when it is weakest, \
         {:.0} for each; half of that is a good choice. Choose the size as large as the weakest service bears: so that \
         the retries of full pools do not make the queue as long as the timeout, here {:.0} tokens. Larger pools pay off in \
         short bursts at full capacity only, and the same tokens keep a weak service down.",
        refill_rate_min(),
        refill_rate_max(),
        size_max(REFILL_RATE),
    ))
    .open_parameter(
        "The API: 80 requests a second from four instances, two immediate retries, a timeout of 1 s, 16 requests served at a \
         time in 100 ms each, 1 % of attempts failing. What carries over to other services are three ratios: usual retries to \
         refill rate, refill rate to spare capacity, and the tokens of full pools to the requests that the service answers within \
         a timeout.",
    )
    .open_parameter(
        "The incidents: ten seconds in which half of the attempts fail at full capacity, and a minute in which the service has \
         60 % of its capacity and three attempts in ten fail, measured with the minute after it. Without retries the \
         weak service stays at 83 % load; with unlimited ones it is overloaded and has not returned a minute \
         later.",
    )
    .parts(normal_day())
    .parts(burst())
    .parts(brownout())
    .beyond(
        "Success falls steeply at the edge of the refill rate and slowly with the size of the pool, because a pool is \
         spent once and a refill rate is spent as long as the incident lasts.",
    )
}

fn normal_day() -> Vec<Part> {
    vec![
        Part::new("success on a normal day, 25 tokens, 1 a second").at_least(
            success(Scene::Day, SIZE, REFILL_RATE),
            0.9995,
            "without a pool nearly all succeed; a pool may cost one request in 2,000",
        ),
        Part::new("success on a normal day, 25 tokens, 0.1 a second, below what the day needs").at_most(
            success(Scene::Day, SIZE, 0.1),
            0.998,
            "half of the retries are refused once the pool is empty",
        ),
        Part::new("success on a normal day, 1 token, 0.25 a second").at_most(
            success(Scene::Day, 1.0, 0.25),
            0.998,
            "enough comes back, but two failures in a row find nothing",
        ),
    ]
}

fn burst() -> Vec<Part> {
    let load = |size: f64| {
        Part::new(format!(
            "attempts beyond the first per request in a burst, {size} tokens, 1 a second"
        ))
        .computed(ComputedNumber::arithmetic(
            burst_load(size, REFILL_RATE),
            "(n(N + g · 10 s) + λ · 0.01 · 5 s)/(λ · 15 s)",
        ))
        .equivalent(
            extra_load(Scene::Burst, size, REFILL_RATE),
            Margin::Relative(0.1),
            "four retries of a second, more or less, while the burst lasts",
        )
    };
    vec![
        load(25.0),
        load(100.0),
        Part::new("success in a burst, 25 tokens less no retries").at_least(
            gain(Scene::Burst, standard_pool(), NO_RETRIES),
            0.04,
            "a pool of 25 saves at least one request in 25",
        ),
        Part::new("success in a burst, 100 tokens less 25").at_least(
            gain(Scene::Burst, pool(100.0, REFILL_RATE), (RETRIES, standard_pool())),
            0.08,
            "a pool of 100 saves at least twice as many more",
        ),
    ]
}

fn brownout() -> Vec<Part> {
    let standard = (RETRIES, standard_pool());
    let harm = |size: f64, rate: f64, bound: f64, reason| {
        Part::new(format!(
            "success in a brownout, {size} tokens, {rate} a second, less 25 and 1"
        ))
        .at_most(gain(Scene::Brownout, pool(size, rate), standard), bound, reason)
    };
    vec![
        Part::new("success in a brownout without a pool").at_most(
            Experiment::measure(scene(Scene::Brownout, NO_POOL.0, NO_POOL.1), Measure::Success),
            0.1,
            "retries keep the service down after it has recovered",
        ),
        Part::new("share of brownouts in which 25 tokens, 1 a second, do better than no retries").at_least(
            better(Scene::Brownout, standard_pool(), NO_RETRIES),
            0.75,
            "the rule, with exceptions",
        ),
        Part::new("share of brownouts in which 25 tokens, 2 a second, do better than 25 and 1").at_least(
            better(Scene::Brownout, pool(SIZE, 2.0), standard),
            0.5,
            "half of the spare capacity is better spent than a quarter of it",
        ),
        harm(
            SIZE,
            6.0,
            -0.1,
            "beyond the spare capacity at least one request in ten is lost",
        ),
        harm(
            100.0,
            REFILL_RATE,
            -0.02,
            "pools beyond the timeout's queue lose at least one request in 50",
        ),
        harm(400.0, REFILL_RATE, -0.2, "and larger ones one in five"),
    ]
}

//! The failure rate at which the pool begins to refuse retries: A04.

use retrylab_analytic::token_pool::TokenPool;
use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::api::{INSTANCES, RATES, REFILL_RATE, RETRIES, SIZE, api, measured, one_pool, standard_pool};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![normal_operation()]
}

/// Length of the long run of the claims, in seconds.
const LONG: f64 = 20_000.0;
/// Share of retries refused from which on the pool is said to block.
const BLOCKING: f64 = 0.01;

/// An instance in its long run: measured after 1,000 s, some two times what a pool of 25 takes to forget how it began where
/// it forgets most slowly.
fn long_run(rate: f64, failure_probability: f64, retries: u32, seconds: f64) -> Scenario {
    let share = rate / f64::from(INSTANCES);
    let spec = api(share, 1, failure_probability, retries, standard_pool());
    measured(spec, "one instance in normal operation", 1_000.0, seconds)
}

/// An instance's pool at a rate of requests of all of them, each retried once at most.
pub(crate) fn pool_of(rate: f64, failure_probability: f64) -> TokenPool {
    TokenPool::new(
        rate / f64::from(INSTANCES),
        failure_probability,
        1,
        SIZE as u64,
        REFILL_RATE,
    )
    .expect("the post's parameters lie in the domain")
}

/// Halfway between the shares of retries that pools refuse whose tokens come back steadily and at random.
fn halfway(rate: f64, failure_probability: f64) -> f64 {
    let pool = pool_of(rate, failure_probability);
    f64::midpoint(pool.refusal_probability(), pool.refusal_probability_steady())
}

/// The failure probability at which a share of the retries is refused.
fn refusing(rate: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if pool_of(rate, middle).refusal_probability_steady() < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The failure probability at which single retries are wanted at a multiple of the refill rate.
fn wanting(rate: f64, multiple: f64) -> f64 {
    multiple * REFILL_RATE * f64::from(INSTANCES) / rate
}

/// A quarter of an hour in the life of an instance on a normal day.
fn normal_quarter(rate: f64) -> Scenario {
    let spec = api(rate / f64::from(INSTANCES), 1, 0.01, RETRIES, standard_pool());
    measured(spec, "one instance on a normal day", 0.0, 900.0)
}

/// The share of retries that an instance refuses in its long run.
pub(crate) fn refused(rate: f64, failure_probability: f64, retries: u32, seconds: f64) -> Experiment {
    Experiment::measure(
        long_run(rate, failure_probability, retries, seconds),
        Measure::DeniedShare,
    )
}

fn normal_operation() -> Claim {
    let [low, high] = RATES.map(|rate| refusing(rate, BLOCKING));
    let [low_threshold, high_threshold] = RATES.map(|rate| wanting(rate, 1.0));
    Claim::new(
        "A04",
        Document::StopRetrying,
        "In normal operation retries are so few that the pool never blocks one.",
    )
    .remark(
        "The long run of one instance. Missing tokens are the customers of a queue: wanted retries arrive, and the refill \
         rate serves them at a constant pace, so a retry is refused with the blocking probability of M/D/1/25. The closed form \
         takes retries to be wanted at the moments of a Poisson process and tokens to be there as soon as they are earned, \
         where the simulator pays them out with the next success, a tenth of a second later at most.",
    )
    .open_parameter(
        "Retries per request: 1 where a closed form is compared, 2 on the normal day. At the failure rates at which the pool \
         begins to block second retries are few. Far beyond the threshold a refusal takes the second retry along, so that \
         fewer are asked for and refused, as the last part shows.",
    )
    .open_parameter(
        "The failure rate of normal operation: the post does not give it. One attempt in a hundred is taken here; what \
         matters is how far it lies below the threshold.",
    )
    .beyond(format!(
        "The pool begins to block where more retries are wanted than come back: at a failure rate of {:.1} % at 40 requests a \
         second and of {:.1} % at 100. One retry in a hundred is refused from {:.1} % and {:.1} % on. The busier the API, the \
         lower the threshold, because the refill rate is a number and not a share of the traffic.",
        100.0 * low_threshold,
        100.0 * high_threshold,
        100.0 * low,
        100.0 * high,
    ))
    .parts(RATES.map(|rate| {
        Part::new(format!(
            "share of quarters of an hour in which an instance refuses a retry, {rate} requests a second, 1 % of attempts fail"
        ))
        .at_most(
            Experiment::share_of_runs(
                normal_quarter(rate),
                "share of quarters of an hour in which an instance refuses a retry",
                |run| run.counts.budget_denied > 0,
            ),
            0.1,
            "never, to one quarter of an hour in ten",
        )
    }))
    .part(
        Part::new(format!(
            "share of retries refused, 40 requests a second, {:.2} % of attempts fail: 0.9 times the threshold",
            100.0 * wanting(40.0, 0.9)
        ))
        .at_most(
            refused(40.0, wanting(40.0, 0.9), 1, LONG),
            halfway(40.0, wanting(40.0, 0.9)),
            "nearer to the closed form, 0.07 %, than to that for tokens that come back at random times, 0.77 %",
        ),
    )
    .parts([1.0, 1.25].map(|multiple| {
        let failure_probability = wanting(40.0, multiple);
        let steady = one_pool(
            40.0 / f64::from(INSTANCES),
            failure_probability,
            1,
            (SIZE, REFILL_RATE),
            "refusal_probability_steady",
        );
        // Far above the threshold both are what does not come back.
        let margin = (halfway(40.0, failure_probability) - steady.value).max(0.05 * steady.value);
        Part::new(format!(
            "share of retries refused, 40 requests a second, {:.2} % of attempts fail: {multiple} times the threshold",
            100.0 * failure_probability
        ))
        .computed(steady)
        .equivalent(
            refused(40.0, failure_probability, 1, LONG),
            Margin::Absolute(margin),
            "half of the distance to the pool whose tokens come back at random times, or 5 % where that is less",
        )
    }))
    .part(
        Part::new(format!(
            "share of retries refused with r = 2, 40 requests a second, {:.2} % of attempts fail",
            100.0 * wanting(40.0, 1.25)
        ))
        .at_most(
            refused(40.0, wanting(40.0, 1.25), RETRIES, LONG),
            one_pool(40.0 / f64::from(INSTANCES), wanting(40.0, 1.25), RETRIES, (SIZE, REFILL_RATE), "refusal_probability_steady").value,
            "the closed form for two retries, which a refusal does not prevent",
        ),
    )
}

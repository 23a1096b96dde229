//! A pool for each instance and one for all: A05.

use retrylab_model::{Budget, Scenario};
use retrylab_sim::{Measure, RunRecord};

use super::api::{REFILL_RATE, RETRIES, SIZE, api, measured, one_pool, pool};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![scaling()]
}

/// Requests a second of all instances.
pub(crate) const RATE: f64 = 100.0;
/// Share of attempts that fail in the incident.
const FAILURE: f64 = 0.9;
const NUMBERS: [u32; 4] = [1, 2, 4, 16];

fn shared(size: f64, rate: f64) -> Budget {
    Budget::Pool {
        size,
        rate: rate.into(),
        shared: true,
    }
}

/// The fleet in an incident that has lasted for two minutes.
fn incident(instances: u32, budget: Budget) -> Scenario {
    let spec = api(RATE, instances, FAILURE, RETRIES, budget);
    measured(spec, &format!("{instances} instances"), 120.0, 300.0)
}

/// Retries per request with so many pools that share the traffic evenly.
fn extra_load(pools: u32) -> ComputedNumber {
    let one = one_pool(
        RATE / f64::from(pools),
        FAILURE,
        RETRIES,
        (SIZE, REFILL_RATE),
        "retry_rate",
    );
    one.then(|x| f64::from(pools) * x / RATE, "pools · x/λ")
}

fn load_of(instances: u32, budget: Budget) -> Experiment {
    Experiment::measure(incident(instances, budget), Measure::AttemptsPerRequest)
        .shifted(-1.0, "attempts beyond the first per request")
}

/// Requests a second on a day on which as many retries are wanted as come back.
const BUSY_RATE: f64 = 40.0;
/// Share of attempts that fail on it.
const BUSY_FAILURE: f64 = 0.0916;

fn busy_day(budget: Budget) -> Scenario {
    let spec = api(BUSY_RATE, 4, BUSY_FAILURE, RETRIES, budget);
    measured(spec, "a busy day", 500.0, 2_000.0)
}

fn denied_share(run: &RunRecord) -> f64 {
    let (denied, asked) = run.measure(Measure::DeniedShare);
    if asked > 0.0 { denied / asked } else { 0.0 }
}

fn scaling() -> Claim {
    let margin = Margin::Relative(0.03);
    let reason = "small beside the factor of two or four from one number of instances to the next";
    // As much as four pools hold and earn, in one.
    let large = (4.0 * SIZE, 4.0 * REFILL_RATE);
    let refused =
        |rate, size| one_pool(rate, BUSY_FAILURE, RETRIES, size, "refusal_probability_steady").value;
    Claim::new(
        "A05",
        Document::StopRetrying,
        "With a pool for each instance, the retries that can be made grow with the number of instances; with a shared pool \
         they would not.",
    )
    .remark(
        "100 requests a second in all, and 90 % of attempts fail: an incident in which the service still answers some, two \
         minutes after its beginning.",
    )
    .parts(NUMBERS.map(|instances| {
        Part::new(format!("retries per request, a pool for each of the instances: {instances}"))
            .computed(extra_load(instances))
            .equivalent(load_of(instances, pool(SIZE, REFILL_RATE)), margin, reason)
    }))
    .parts([4, 16].map(|instances| {
        Part::new(format!("retries per request, one pool for all instances: {instances}"))
            .computed(extra_load(1))
            .equivalent(load_of(instances, shared(SIZE, REFILL_RATE)), margin, reason)
    }))
    .beyond(
        "16 instances may retry 16 times a second, a sixth of the traffic, so a pool of each instance protects a small fleet \
         better than a large one. A ratio of the traffic would not depend on the number of instances.",
    )
    .beyond(format!(
        "A shared pool of the same total size is better on a normal day too, because a run of failures at one instance may use \
         what the others do not need. At 40 requests a second and a failure rate of {:.1} %, where as many retries are wanted as \
         come back, four pools of 25 tokens refuse {:.1} % of the retries in the long run and one pool of 100 tokens, refilled by \
         4 a second, {:.1} %.",
        100.0 * BUSY_FAILURE,
        100.0 * refused(BUSY_RATE / 4.0, (SIZE, REFILL_RATE)),
        100.0 * refused(BUSY_RATE, large),
    ))
    .part(
        Part::new("share of retries refused by four pools of 25 tokens less that by one of 100, where both come back equally fast")
            .at_least(
                Experiment::side_by_side(
                    vec![busy_day(pool(SIZE, REFILL_RATE)), busy_day(shared(large.0, large.1))],
                    "share refused by four pools less that by one",
                    |runs| denied_share(&runs[0]) - denied_share(&runs[1]),
                ),
                0.005,
                "a third of what the closed form says of the long run, since full pools at the start spare the one longer",
            ),
    )
}

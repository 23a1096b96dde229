//! The code of the document, a budget and an early rejection: R06.

use retrylab_model::{Budget, Change, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::Measure;

use super::setting::{
    ARRIVAL_RATE, CAPACITY, POLICIES, TIMEOUT, blip, budgeted, changed, every_run, skipping_expired,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![budget_and_rejection()]
}

const RATIO: f64 = 0.1;
const CAP: f64 = 100.0;
/// Seconds in which every attempt fails.
const OUTAGE: f64 = 2.0;

/// Two attempts per request and the budget shown, a healthy time, and an outage in which every attempt is answered with an
/// error.
fn outage(healthy: f64) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(ARRIVAL_RATE));
    spec.source = "retry-storms".to_owned();
    // Room for all retries, so that nothing waits long.
    spec.service.time = retrylab_model::ServiceTime::Deterministic {
        value: (1.0 / (4.0 * CAPACITY)).into(),
    };
    spec.client.attempts = 2;
    spec.client.budget = Budget::Ratio {
        ratio: RATIO,
        bank: CAP,
        shared: false,
    };
    spec.schedule.push(Change {
        error_probability: Some(1.0),
        ..Change::at(healthy)
    });
    spec.run.measure_from = Some(healthy.into());
    spec.run.until = Some((healthy + OUTAGE).into());
    spec.validate().expect("the outage is a valid scenario")
}

fn budget_and_rejection() -> Claim {
    let requests = ARRIVAL_RATE * OUTAGE;
    let saved = |tokens: f64| {
        theory(
            "capped",
            &[("failure_probability", 1.0), ("retries", 1.0), ("ratio", RATIO)],
            "attempts",
        )
        .then(|x| x + tokens / requests, "x + saved tokens / 1600")
    };
    let attempts = |healthy: f64| Experiment::measure(outage(healthy), Measure::AttemptsPerRequest);
    let margin = Margin::Absolute(0.004);
    let reason = "seven retries in 1,600 requests; a bank that is full at the start, or without a cap, would make a hundred and \
                  more";
    let late_start = |scenario: Scenario| {
        let scenario = changed(&scenario, |spec| spec.run.tail_times = vec![TIMEOUT.into()]);
        Experiment::share_of_runs(
            scenario,
            "share of runs in which no service begins after its client has given up",
            |run| {
                let (late, _) = run.measure(Measure::WaitingTimeTail(0));
                late == 0.0
            },
        )
    };
    let (_, no_retries) = POLICIES[0];
    Claim::new(
        "R06",
        Document::RetryStorms,
        "The budget in the code starts empty, earns a tenth of a token per request up to a hundred and spends one per retry; \
         the server rejects requests past their deadline before it does real work.",
    )
    .remark(
        "These are the rules of the ratio budget and of skip-expired here. They are shown where they differ from their neighbours: an \
         outage from the start (nothing saved), one after 0.5 s (40 saved) and one after 5 s (400 earned, 100 kept).",
    )
    .part(
        Part::new("attempts per request in an outage from the start")
            .computed(saved(0.0))
            .equivalent(attempts(0.0), margin, reason),
    )
    .part(
        Part::new("attempts per request in an outage after half a second of health")
            .computed(saved(RATIO * ARRIVAL_RATE * 0.5))
            .equivalent(attempts(0.5), margin, reason),
    )
    .part(
        Part::new("attempts per request in an outage after five seconds of health")
            .computed(saved(CAP))
            .equivalent(attempts(5.0), margin, reason),
    )
    .part(
        Part::new("requests per new one that the budget lets fail at once, outage from the start")
            .computed(ComputedNumber::arithmetic(1.0 - RATIO, "1 − ratio: each retry spends one token"))
            .equivalent(
                Experiment::measure(outage(0.0), Measure::BudgetDenied),
                margin,
                reason,
            ),
    )
    .part(
        Part::new("share of runs in which no service begins after its client has given up, skipping expired work")
            .quoted(every_run("before real work"))
            .measured(late_start(skipping_expired(&budgeted(&blip(TIMEOUT, 2.0), CAP)))),
    )
    .part(
        Part::new("the same share, serving everything").at_most(
            late_start(budgeted(&blip(TIMEOUT, 2.0), CAP)),
            0.1,
            "without the check the dead work is served",
        ),
    )
    .part(
        Part::new("attempts skipped per attempt sent in the two seconds after the blip, skipping expired work, no retries")
            .at_most(
                Experiment::measure(skipping_expired(&no_retries(&blip(TIMEOUT, 2.0))), Measure::SkippedShare),
                0.01,
                "once capacity is back, nothing expires any more",
            ),
    )
}

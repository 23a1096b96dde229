//! From attempts to load: L10, L17 and L18.

use retrylab_model::Budget;
use retrylab_sim::Measure;
use retrylab_sim::calls::Cap;

use super::experiments::{
    CERTAIN_MARGIN, CERTAIN_MARGIN_REASON, MARGIN, coins, failing_service, innermost, series,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::{Estimator, Experiment};
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![load_at_500(), cap(), calculator()]
}

fn load_at_500() -> Claim {
    let scenario = failing_service(500.0, 1000.0, 0.1, 2);
    Claim::new(
        "L10",
        Document::Lesson,
        "500 requests a second at 1.11 attempts each are 555 attempts a second, 9.91 % of them retries.",
    )
    .remark("The service behind the measurement can serve 1000 attempts a second; the numbers do not depend on it.")
    .part(
        Part::new("attempts per second")
            .quoted(Quote::printed("555"))
            .computed(series(0.1, 2, "attempts").then(|x| 500.0 * x, "500 · x"))
            .equivalent(
                Experiment::measure(scenario.clone(), Measure::AttemptRate),
                MARGIN,
                "0.2 % of 555 is one attempt a second",
            ),
    )
    .part(
        Part::new("share of retries")
            .quoted(Quote::percent("9.91"))
            .computed(series(0.1, 2, "retry_share"))
            .equivalent(
                Experiment::measure(scenario, Measure::RetryShare),
                Margin::Relative(0.01),
                "the quoted digits are checked against the closed form",
            ),
    )
}

/// What a ratio budget leaves of a policy of two retries.
fn budgeted(failure_probability: f64, ratio: f64) -> Experiment {
    let scenario = failing_service(1.0, 10.0, failure_probability, 2)
        .modified(|spec| {
            spec.client.budget = Budget::Ratio {
                ratio,
                bank: 100.0,
                shared: false,
            }
        })
        .expect("the lesson's scenarios are valid");
    Experiment::measure(scenario, Measure::AttemptsPerRequest)
}

fn cap() -> Claim {
    let capped = |p: f64, ratio: f64, result: &str| {
        theory(
            "capped",
            &[("failure_probability", p), ("retries", 2.0), ("ratio", ratio)],
            result,
        )
    };
    let by_share = |p: f64, share: f64, result: &str| {
        theory(
            "capped-share",
            &[("failure_probability", p), ("retries", 2.0), ("share", share)],
            result,
        )
    };
    Claim::new(
        "L17",
        Document::Lesson,
        "Where retries may make up only some share of what a client sends, the amplification has a bound below r + 1.",
    )
    .remark(
        "The text does not say what the share is a share of. A cap of b retries per first attempt bounds the \
         amplification by 1 + b; a cap of s of all traffic bounds it by 1/(1 − s), the same with b = s/(1 − s). Both \
         are checked. A cap that the healthy day already exceeds binds there too.",
    )
    .parts([(0.1, 0.2), (0.5, 0.1), (0.9, 0.1), (1.0, 0.5)].map(|(p, ratio)| {
        Part::new(format!("attempts per request, at most {ratio} retries per first attempt, p = {p}"))
            .computed(capped(p, ratio, "attempts"))
            .equivalent(
                budgeted(p, ratio),
                MARGIN,
                "0.2 % is less than a fortieth of the retries that the cap allows",
            )
    }))
    .parts([(0.1, 0.05), (0.9, 0.1), (0.99, 0.05)].map(|(p, share)| {
        let calls = coins(p, 2).with_cap(Cap::Share(share)).expect("the lesson's parameters are valid");
        let attempts = Experiment::calls(
            calls,
            "attempts per request",
            // A cap that always binds lets every replication make the same number of attempts.
            Estimator::RangedMean { low: 1.0, high: 3.0 },
            |record| (record.attempts() as f64, record.requests() as f64),
        );
        Part::new(format!("attempts per request, at most {share} of all traffic retries, p = {p}"))
            .computed(by_share(p, share, "attempts"))
            .equivalent(attempts, CERTAIN_MARGIN, CERTAIN_MARGIN_REASON)
    }))
}

/// One policy of the calculation, at p = 0.5 with two retries and 300 requests a second.
fn policy(tiers: u32, result: &str) -> ComputedNumber {
    let parameters = [
        ("failure_probability", 0.5),
        ("retries", 2.0),
        ("arrival_rate", 300.0),
        ("capacity", 1000.0),
        ("tiers", f64::from(tiers)),
    ];
    theory("policy", &parameters, result)
}

/// Share of runs in which a service of 1000 a second has idle time when every attempt fails and a request becomes so many
/// attempts.
fn fits(attempts: u32) -> Experiment {
    Experiment::share_of_runs(
        failing_service(300.0, 1000.0, 1.0, attempts - 1),
        "share of runs with a utilisation below 99 % when every attempt fails",
        |run| {
            let (busy, available) = run.measure(Measure::Utilization);
            busy < 0.99 * available
        },
    )
}

fn calculator() -> Claim {
    let scenario = failing_service(300.0, 1000.0, 0.5, 2);
    let part = |label: &str, result, measure| {
        Part::new(label).computed(policy(1, result)).equivalent(
            Experiment::measure(scenario.clone(), measure),
            Margin::Relative(0.01),
            "1 % tells apart policies that differ by one retry",
        )
    };
    let whole = "1 if the worst load fits, else 0: a quarter leaves no doubt which";
    Claim::new(
        "L18",
        Document::Lesson,
        "One calculation takes failure probability, retries, load, capacity and tiers to attempts, success, load on \
         the service, retry share, ceiling and whether it fits.",
    )
    .remark(
        "Checked at p = 0.5, two retries, 300 requests a second and a capacity of 1000, for one tier, whose ceiling of 900 \
         fits, and for three, where 8100 do not.",
    )
    .part(part("attempts per request", "attempts", Measure::AttemptsPerRequest))
    .part(part("success", "success", Measure::Success))
    .part(part("load on the service per second", "load", Measure::AttemptRate))
    .part(part("retry share", "retry_share", Measure::RetryShare))
    .part(
        Part::new("ceiling per second: load when every attempt fails").computed(policy(1, "worst_load")).equivalent(
            Experiment::measure(failing_service(300.0, 1000.0, 1.0, 2), Measure::AttemptRate),
            Margin::Relative(0.01),
            "1 % tells apart ceilings that differ by one retry",
        ),
    )
    .part(Part::new("whether the ceiling fits, one tier").computed(policy(1, "fits")).equivalent(
        fits(3),
        Margin::Absolute(0.25),
        whole,
    ))
    .part(Part::new("attempts at the innermost of three tiers").computed(policy(3, "attempts")).equivalent(
        innermost(0.5, 2, 3),
        Margin::Relative(0.01),
        "1 % tells apart chains that differ by one tier or retry",
    ))
    .part(Part::new("whether the ceiling fits, three tiers").computed(policy(3, "fits")).equivalent(
        fits(27),
        Margin::Absolute(0.25),
        whole,
    ))
}

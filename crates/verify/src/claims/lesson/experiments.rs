//! Experiments and margins that the lesson's claims share.

use retrylab_model::{Scenario, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::calls::Calls;

use crate::claim::Part;
use crate::experiment::{Estimator, Experiment};
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;
use crate::theory::theory;

/// Most that measured and computed numbers may differ, relatively, by result: less for those that take fewer requests.
fn most_relative(result: &str) -> f64 {
    match result {
        "attempts" => 0.002,
        "loss" => 0.1,
        _ => 0.02,
    }
}

/// Margin of equivalence for a number of a policy: narrow enough to tell it from the same policy with one retry more or
/// less.
pub(super) fn policy_margin(failure_probability: f64, retries: u32, result: &str) -> Margin {
    let value = |retries| series(failure_probability, retries, result).value;
    let here = value(retries);
    let more = (value(retries + 1) - here).abs();
    let fewer = (value(retries - 1) - here).abs();
    Margin::Absolute((more.min(fewer) / 4.0).min(most_relative(result) * here))
}
/// Why it is that wide.
pub(super) const POLICY_MARGIN_REASON: &str = "a quarter of the distance to the same policy with one retry more or less, and at most 0.2 % of a number of attempts, \
     2 % of a share, 10 % of a loss";

/// Margin of equivalence for means of a few attempts where the alternatives are not policies with other retries.
pub(super) const MARGIN: Margin = Margin::Relative(0.002);

/// Coin tosses: `retries` retries after failures of probability `failure_probability`.
pub(super) fn coins(failure_probability: f64, retries: u32) -> Calls {
    Calls::new(failure_probability, retries).expect("the lesson's parameters are valid")
}

/// Margin of equivalence where every replication must give the same value.
pub(super) const CERTAIN_MARGIN: Margin = Margin::Relative(0.01);
/// Why it is that wide.
pub(super) const CERTAIN_MARGIN_REASON: &str = "replications may all give the same value, and the interval then says how often another could have gone unseen; \
     1 % tells policies apart that differ by one retry";

/// Attempts at the innermost tier per request when every attempt fails, by coin tosses that are certain.
pub(super) fn attempts_when_all_fail(retries: u32, tiers: u32) -> Experiment {
    let calls = coins(1.0, retries)
        .with_tiers(tiers)
        .and_then(|calls| calls.with_requests(100));
    let calls = calls.expect("the lesson's parameters are valid");
    let most = f64::from(retries + 1).powi(tiers as i32);
    Experiment::calls(
        calls,
        "attempts at the innermost tier per request",
        Estimator::RangedMean { low: 1.0, high: most },
        |record| (record.attempts_innermost() as f64, record.requests() as f64),
    )
}

/// Attempts at the innermost of `tiers` tiers per request that enters the chain, by coin tosses.
pub(crate) fn innermost(failure_probability: f64, retries: u32, tiers: u32) -> Experiment {
    let calls = coins(failure_probability, retries)
        .with_tiers(tiers)
        .expect("the lesson's parameters are valid");
    Experiment::calls(
        calls,
        "attempts at the innermost tier per request",
        Estimator::Ratio,
        |record| (record.attempts_innermost() as f64, record.requests() as f64),
    )
}

/// Attempts per request, by coin tosses.
pub(crate) fn attempts(calls: Calls) -> Experiment {
    Experiment::calls(calls, "attempts per request", Estimator::Ratio, |record| {
        (record.attempts() as f64, record.requests() as f64)
    })
}

/// Share of requests that succeed, by coin tosses.
pub(crate) fn success(calls: Calls) -> Experiment {
    Experiment::calls(
        calls,
        "share of requests that succeed",
        Estimator::Proportion,
        |record| (record.successes() as f64, record.requests() as f64),
    )
}

/// Share of requests that are lost, by coin tosses.
pub(super) fn loss(calls: Calls) -> Experiment {
    Experiment::calls(
        calls,
        "share of requests that are lost",
        Estimator::Proportion,
        |record| {
            (
                (record.requests() - record.successes()) as f64,
                record.requests() as f64,
            )
        },
    )
}

/// A number of attempts per request, measured by coin tosses.
pub(super) fn attempts_part(part: Part, failure_probability: f64, retries: u32) -> Part {
    if failure_probability < 1.0 {
        part.equivalent(
            attempts(coins(failure_probability, retries)),
            policy_margin(failure_probability, retries, "attempts"),
            POLICY_MARGIN_REASON,
        )
    } else {
        part.equivalent(
            attempts_when_all_fail(retries, 1),
            CERTAIN_MARGIN,
            CERTAIN_MARGIN_REASON,
        )
    }
}

/// A share of requests that succeed, measured by coin tosses.
pub(super) fn success_part(part: Part, failure_probability: f64, retries: u32) -> Part {
    part.equivalent(
        success(coins(failure_probability, retries)),
        policy_margin(failure_probability, retries, "success"),
        POLICY_MARGIN_REASON,
    )
}

/// A share of requests that are lost, measured by coin tosses.
pub(super) fn loss_part(part: Part, failure_probability: f64, retries: u32) -> Part {
    let experiment = loss(coins(failure_probability, retries));
    if failure_probability < 1.0 {
        let margin = policy_margin(failure_probability, retries, "loss");
        part.equivalent(experiment, margin, POLICY_MARGIN_REASON)
    } else {
        part.equivalent(
            experiment,
            Margin::Absolute(0.001),
            "every policy loses everything at p = 1; a thousandth leaves no doubt",
        )
    }
}

/// A share of attempts that are retries, measured by coin tosses.
pub(super) fn retry_share_part(part: Part, failure_probability: f64, retries: u32) -> Part {
    let experiment = Experiment::calls(
        coins(failure_probability, retries),
        "share of attempts that are retries",
        Estimator::Ratio,
        |record| {
            (
                (record.attempts() - record.requests()) as f64,
                record.attempts() as f64,
            )
        },
    );
    part.equivalent(
        experiment,
        policy_margin(failure_probability, retries, "retry_share"),
        POLICY_MARGIN_REASON,
    )
}

/// A result of the geometric series for one policy.
pub(super) fn series(failure_probability: f64, retries: u32, result: &str) -> ComputedNumber {
    theory(
        "amplification",
        &[
            ("failure_probability", failure_probability),
            ("retries", f64::from(retries)),
        ],
        result,
    )
}

/// A service that answers each served attempt with an error of probability `failure_probability`, given so much
/// capacity that it is not saturated unless the claim is about that.
pub(super) fn failing_service(
    arrival_rate: f64,
    capacity: f64,
    failure_probability: f64,
    retries: u32,
) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(arrival_rate));
    spec.name = "failing service".to_owned();
    spec.source = "lesson".to_owned();
    spec.service.time = ServiceTime::Exponential {
        mean: (1.0 / capacity).into(),
    };
    spec.service.error_probability = failure_probability;
    spec.client.attempts = retries + 1;
    spec.run.until = Some((11_000.0 / capacity).into());
    spec.run.measure_from = Some((1_000.0 / capacity).into());
    spec.validate().expect("the lesson's scenarios are valid")
}

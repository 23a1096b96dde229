//! Experiments and margins that the lesson's claims share.

use retrylab_model::{Scenario, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::calls::Calls;

use crate::claim::Part;
use crate::experiment::{Estimator, Experiment};
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;
use crate::theory::theory;

/// Margin of equivalence for means of a few attempts.
pub(super) const MARGIN: Margin = Margin::Relative(0.002);
/// Why it is that wide.
pub(super) const MARGIN_REASON: &str =
    "0.2 % is less than half a unit in the last digit of any number that the lesson prints to three digits";
/// Margin of equivalence for the probability of success.
pub(super) const SUCCESS_MARGIN: Margin = Margin::Relative(0.005);
/// Why it is that wide.
pub(super) const SUCCESS_MARGIN_REASON: &str = "0.5 % tells policies apart that differ by one retry";
/// Margin of equivalence for small probabilities.
pub(super) const RARE_MARGIN: Margin = Margin::Relative(0.1);
/// Why it is that wide.
pub(super) const RARE_MARGIN_REASON: &str = "the events are rare; 10 % tells every formula apart that differs by one attempt, since that changes them by a \
     factor of p";

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

/// Attempts per request, by coin tosses.
pub(super) fn attempts(calls: Calls) -> Experiment {
    Experiment::calls(calls, "attempts per request", Estimator::Ratio, |record| {
        (record.attempts() as f64, record.requests() as f64)
    })
}

/// Share of requests that succeed, by coin tosses.
pub(super) fn success(calls: Calls) -> Experiment {
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
            MARGIN,
            MARGIN_REASON,
        )
    } else {
        part.equivalent(
            attempts_when_all_fail(retries, 1),
            CERTAIN_MARGIN,
            CERTAIN_MARGIN_REASON,
        )
    }
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

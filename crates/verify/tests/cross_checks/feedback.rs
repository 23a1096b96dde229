//! Retries that feed back on the load: the Markov chain of exponential patience, random order and limited places.

use proptest::prelude::*;
use retrylab_model::{ATTEMPTS_MAX, Discipline, Timeout};
use retrylab_sim::{Counts, Measure};

use crate::comparison::{Comparison, check_comparisons};
use crate::computed::compute;
use crate::draw::{exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};

/// Smallest success that is looked at. With less it would be too rare for an error in a rate to show within its margin.
const SUCCESS_MIN: f64 = 0.12;

/// The long run. A client that never stops by itself is as good as one that stops after [`ATTEMPTS_MAX`] attempts.
fn retry_chain(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(30..=120);
    let places = 2..=effort.up_to(6_u32, 10);
    let client = (hundredths(50..=500), hundredths(10..=80));
    let setting = (load, places, client).prop_filter("some succeed", |&(load, places, client)| {
        let (services, retry_probability) = client;
        let arguments = [
            ("arrival_rate", load),
            ("service_rate", 1.0),
            ("patience_mean", services),
            ("retry_probability", retry_probability),
            ("places", f64::from(places)),
        ];
        compute("retry-chain", &arguments).value("success") >= SUCCESS_MIN
    });
    (setting, service_mean(), seed()).prop_map(
        |((load, places, (services, retry_probability)), mean, seed)| {
            let patience_mean = readable(services * mean);
            let scenario = scenario(load, exponential(mean), 1, |spec| {
                spec.server.discipline = Discipline::Random;
                spec.server.places = Some(places);
                spec.client.timeout = Some(Timeout::Exponential {
                    mean: patience_mean.into(),
                });
                spec.client.attempts = ATTEMPTS_MAX;
                spec.client.retry_probability = retry_probability;
            });
            let parameters = [
                ("arrival_rate", scenario.traffic.rate.value()),
                ("service_rate", 1.0 / mean),
            ];
            let rest = [
                ("patience_mean", patience_mean),
                ("retry_probability", retry_probability),
                ("places", f64::from(places)),
            ];
            Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
                let chain = compute("retry-chain", &[parameters, &rest].concat());
                vec![
                    chain.share("success", Measure::Success),
                    chain.mean("attempts_per_request", Measure::AttemptsPerRequest),
                    chain.share("abandoned_work", Measure::AbandonedWork),
                    chain.mean("number_in_system", Measure::NumberInSystem),
                ]
            })
        },
    )
}

#[test]
fn retry_chain_agrees() {
    let kinds = [retry_chain(Effort::Quick)];
    check_comparisons(StatisticalTest::RetryChain, Effort::Quick, 4, kinds);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn retry_chain_agrees_thoroughly() {
    let kinds = [retry_chain(Effort::Thorough)];
    check_comparisons(StatisticalTest::RetryChain, Effort::Thorough, 4, kinds);
}

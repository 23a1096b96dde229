//! Clients who leave unless their service has begun.

use proptest::prelude::*;
use retrylab_model::{DeadlineCheck, Timeout};
use retrylab_sim::{Counts, Measure};

use crate::comparison::{Comparison, check_comparisons};
use crate::computed::compute;
use crate::draw::{discipline, exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::{Number, of};

/// Constant patience, which is what a deadline check amounts to when nobody retries and attempts are served in order of arrival.
///
/// `skip-expired` drops an attempt that has waited for its timeout T when its turn comes: patience T, success within T.
/// `skip-doomed` with an expected service d drops one with less than d left: patience T − d, success within T still.
fn patience(_: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let server = (1..=3_u32, service_mean());
    let reserve = prop_oneof![Just(None), hundredths(10..=100).prop_map(Some)];
    let client = (hundredths(20..=300), reserve);
    (hundredths(40..=180), server, client, seed()).prop_map(
        |(load, (servers, mean), (services, reserve), seed)| {
            let patience = readable(services * mean);
            let reserve = reserve.map(|share| readable(share * mean));
            let timeout = patience + reserve.unwrap_or(0.0);
            let scenario = scenario(load, exponential(mean), servers, |spec| {
                spec.client.timeout = Some(timeout.into());
                spec.server.deadline_check = match reserve {
                    None => DeadlineCheck::SkipExpired,
                    Some(reserve) => DeadlineCheck::SkipDoomed {
                        service: reserve.into(),
                    },
                };
            });
            let parameters = [
                ("arrival_rate", scenario.traffic.rate.value()),
                ("service_rate", 1.0 / mean),
            ];
            let count = f64::from(servers);
            let rest = [("servers", count), ("patience", patience), ("timeout", timeout)];
            Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
                let queue = compute("patience", &[parameters, &rest].concat());
                let served = parameters[0].1 * (1.0 - queue.value("abandonment"));
                let utilization = served / parameters[1].1 / count;
                vec![
                    queue.share("abandonment", Measure::SkippedShare),
                    queue.share("success", Measure::Success),
                    Number::share("utilization", utilization, of(Measure::Utilization)),
                ]
            })
        },
    )
}

/// Exponential patience. The order of service does not matter: what is left of a client's patience is exponential again.
///
/// The client goes on waiting in service, where the answer comes before its patience ends with probability μ/(μ + γ).
fn erlang_a(_: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let server = (1..=3_u32, service_mean(), discipline());
    (hundredths(40..=180), server, hundredths(20..=300), seed()).prop_map(
        |(load, (servers, mean, discipline), services, seed)| {
            let patience_mean = readable(services * mean);
            let scenario = scenario(load, exponential(mean), servers, |spec| {
                spec.client.timeout = Some(Timeout::Exponential {
                    mean: patience_mean.into(),
                });
                spec.server.discipline = discipline;
                spec.server.deadline_check = DeadlineCheck::SkipExpired;
            });
            let parameters = [
                ("arrival_rate", scenario.traffic.rate.value()),
                ("service_rate", 1.0 / mean),
            ];
            let count = f64::from(servers);
            let rest = [("servers", count), ("patience_mean", patience_mean)];
            Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
                let queue = compute("erlang-a", &[parameters, &rest].concat());
                let (arrival_rate, service_rate) = (parameters[0].1, parameters[1].1);
                let served = 1.0 - queue.value("abandonment");
                let success = served * service_rate / (service_rate + 1.0 / patience_mean);
                let utilization = arrival_rate * served / service_rate / count;
                vec![
                    queue.share("abandonment", Measure::SkippedShare),
                    queue.share_read("wait_probability", Box::new(not_served_at_once)),
                    Number::share("success", success, of(Measure::Success)),
                    Number::share("utilization", utilization, of(Measure::Utilization)),
                ]
            })
        },
    )
}

/// Attempts that were not served at once, those that left included, and all.
fn not_served_at_once(counts: &Counts) -> (f64, f64) {
    let at_once = counts.services_started - counts.waited;
    ((counts.attempts - at_once) as f64, counts.attempts as f64)
}

#[test]
fn patience_agrees() {
    check_comparisons(
        StatisticalTest::Patience,
        Effort::Quick,
        5,
        [patience(Effort::Quick)],
    );
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn patience_agrees_thoroughly() {
    let kinds = [patience(Effort::Thorough)];
    check_comparisons(StatisticalTest::Patience, Effort::Thorough, 5, kinds);
}

#[test]
fn erlang_a_agrees_in_every_order() {
    check_comparisons(
        StatisticalTest::ErlangA,
        Effort::Quick,
        5,
        [erlang_a(Effort::Quick)],
    );
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn erlang_a_agrees_in_every_order_thoroughly() {
    let kinds = [erlang_a(Effort::Thorough)];
    check_comparisons(StatisticalTest::ErlangA, Effort::Thorough, 5, kinds);
}

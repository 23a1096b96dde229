//! Several servers: M/M/c and, without a place to wait, M/G/c/c.

use proptest::prelude::*;
use retrylab_sim::{Counts, Measure};

use crate::comparison::{Comparison, check_comparisons};
use crate::computed::compute;
use crate::draw::{exponential, hundredths, scenario, seed, service_mean, service_time};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::{Number, of};
use crate::one_server::{beyond_quantile, waiting_time_variance};

/// Every number of M/M/c, at a quantile of the sojourn time. Loads below 1/2 would leave waits too rare to be measured.
fn mmc(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(50..=effort.up_to(65, 80));
    let servers = 2..=effort.up_to(4_u32, 7);
    let probability = hundredths(40..=80);
    (load, servers, service_mean(), probability, seed()).prop_map(
        |(load, servers, mean, probability, seed)| {
            let queueing = scenario(load, exponential(mean), servers, |_| {});
            let parameters = [
                ("arrival_rate", queueing.traffic.rate.value()),
                ("service_rate", 1.0 / mean),
            ];
            let servers = ("servers", f64::from(servers));
            let rates = [
                parameters[0],
                parameters[1],
                servers,
                ("probability", probability),
            ];
            let quantile = compute("mmc", &rates).value("sojourn_time_quantile");
            let scenario = queueing
                .modified(|spec| {
                    spec.client.timeout = Some(quantile.into());
                    spec.run.tail_times = vec![quantile.into()];
                })
                .unwrap();
            Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
                let queue = compute("mmc", &[parameters, &[servers, ("time", quantile)]].concat());
                let offered_load = ("offered_load", parameters[0].1 / parameters[1].1);
                let erlang_c = compute("erlang-c", &[offered_load, servers]);
                vec![
                    queue.share("utilization", Measure::Utilization),
                    queue.share("wait_probability", Measure::WaitingProbability),
                    erlang_c.share("wait_probability", Measure::WaitingProbability),
                    queue.mean("number_in_system", Measure::NumberInSystem),
                    queue.mean("number_in_queue", Measure::NumberInQueue),
                    queue.mean("sojourn_time_mean", Measure::SojournTimeMean),
                    queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
                    waiting_time_variance(&queue),
                    beyond_quantile(probability),
                    queue.tail("sojourn_time_tail", Measure::SojournTimeTail(0)),
                    queue.tail("waiting_time_tail", Measure::WaitingTimeTail(0)),
                    queue.tail("success", Measure::Success),
                ]
            })
        },
    )
}

/// Erlang's loss formula, which knows of the service time no more than its mean.
fn loss(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(30..=effort.up_to(120, 150));
    let servers = 1..=effort.up_to(4_u32, 6);
    (load, servers, service_time(), service_mean(), seed()).prop_map(|(load, servers, kind, mean, seed)| {
        let time = kind.scaled(mean);
        let scenario = scenario(load, time.clone(), servers, |spec| {
            spec.server.places = Some(servers);
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_mean", time.mean()),
        ];
        let count = f64::from(servers);
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let offered_load = parameters[0].1 * parameters[1].1;
            let loss = compute("erlang-b", &[("offered_load", offered_load), ("servers", count)]);
            let carried_load = offered_load * (1.0 - loss.value("blocking"));
            vec![
                loss.share("blocking", Measure::Blocking),
                Number::share("utilization", carried_load / count, of(Measure::Utilization)),
                Number::mean("number_in_system", carried_load, of(Measure::NumberInSystem)),
            ]
        })
    })
}

#[test]
fn mmc_agrees() {
    check_comparisons(StatisticalTest::Mmc, Effort::Quick, 3, [mmc(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn mmc_agrees_thoroughly() {
    check_comparisons(StatisticalTest::Mmc, Effort::Thorough, 3, [mmc(Effort::Thorough)]);
}

#[test]
fn erlang_b_agrees_for_every_service_time() {
    check_comparisons(StatisticalTest::ErlangB, Effort::Quick, 6, [loss(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn erlang_b_agrees_for_every_service_time_thoroughly() {
    check_comparisons(
        StatisticalTest::ErlangB,
        Effort::Thorough,
        6,
        [loss(Effort::Thorough)],
    );
}

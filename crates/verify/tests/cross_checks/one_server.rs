//! One server in order of arrival: M/M/1, M/D/1 and, for means, every distribution of service times.

use proptest::prelude::*;
use retrylab_model::ServiceTime;
use retrylab_sim::{Counts, Measure};

use crate::comparison::{Comparison, check_comparisons};
use crate::computed::{Computed, compute};
use crate::draw::{
    discipline, exponential, hundredths, kinds_of_service_time, readable, scenario, seed, service_mean,
};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::{Number, of};

/// Every number of M/M/1. The timeout is a quantile of the sojourn time; it changes nothing but what counts as success.
fn mm1(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(10..=effort.up_to(60, 85));
    (load, service_mean(), hundredths(40..=80), seed()).prop_map(|(load, mean, probability, seed)| {
        let queueing = scenario(load, exponential(mean), 1, |_| {});
        let parameters = [
            ("arrival_rate", queueing.traffic.rate.value()),
            ("service_rate", 1.0 / mean),
        ];
        let rates = [parameters[0], parameters[1], ("probability", probability)];
        let quantile = compute("mm1", &rates).value("sojourn_time_quantile");
        let scenario = queueing
            .modified(|spec| {
                spec.client.timeout = Some(quantile.into());
                spec.run.tail_times = vec![quantile.into()];
            })
            .unwrap();
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("mm1", &[parameters, &[("time", quantile)]].concat());
            vec![
                queue.share("utilization", Measure::Utilization),
                queue.share("wait_probability", Measure::WaitingProbability),
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
    })
}

/// The variance by way of the second moment, which is a mean.
pub(crate) fn waiting_time_variance(queue: &Computed) -> Number<Counts> {
    let second_moment = queue.value("waiting_time_variance") + queue.value("waiting_time_mean").powi(2);
    let read = of(Measure::WaitingTimeSecondMoment);
    Number::moment(2, "waiting_time_variance", second_moment, read)
}

/// The share of sojourns that are longer than the quantile, which is the first tail time.
pub(crate) fn beyond_quantile(probability: f64) -> Number<Counts> {
    let read = of(Measure::SojournTimeTail(0));
    Number::tail("sojourn_time_quantile", 1.0 - probability, read)
}

/// Every number of M/D/1, at a time of some service times.
fn md1(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(10..=effort.up_to(65, 85));
    let services = hundredths(0..=250);
    (load, service_mean(), services, seed()).prop_map(|(load, service_time, services, seed)| {
        let time = readable((1.0 + services) * service_time);
        let value = service_time.into();
        let scenario = scenario(load, ServiceTime::Deterministic { value }, 1, |spec| {
            spec.run.tail_times = vec![time.into()];
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_time", service_time),
        ];
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("md1", &[parameters, &[("time", time)]].concat());
            vec![
                queue.share("utilization", Measure::Utilization),
                queue.share("wait_probability", Measure::WaitingProbability),
                queue.mean("number_in_system", Measure::NumberInSystem),
                queue.mean("number_in_queue", Measure::NumberInQueue),
                queue.mean("sojourn_time_mean", Measure::SojournTimeMean),
                queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
                waiting_time_variance(&queue),
                queue.tail("waiting_time_tail", Measure::WaitingTimeTail(0)),
                queue.tail("sojourn_time_tail", Measure::SojournTimeTail(0)),
            ]
        })
    })
}

/// The means of M/G/1 in every order of service and, since Poisson arrivals see time averages, the probability of waiting.
fn mg1(effort: Effort, kind: BoxedStrategy<ServiceTime>) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(10..=effort.up_to(65, 85));
    (load, kind, service_mean(), discipline(), seed()).prop_map(|(load, kind, mean, discipline, seed)| {
        let time = kind.scaled(mean);
        let scenario = scenario(load, time.clone(), 1, |spec| spec.server.discipline = discipline);
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_mean", time.mean()),
        ];
        let scv = time.scv();
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("mg1", &[parameters, &[("service_scv", scv)]].concat());
            let load = parameters[0].1 * parameters[1].1;
            vec![
                Number::share("utilization", load, of(Measure::Utilization)),
                Number::share("wait_probability", load, of(Measure::WaitingProbability)),
                queue.mean("number_in_queue", Measure::NumberInQueue),
                queue.mean("sojourn_time_mean", Measure::SojournTimeMean),
                queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
            ]
        })
    })
}

/// Every kind of service time.
fn all_mg1(effort: Effort) -> Vec<BoxedStrategy<Comparison<Counts>>> {
    let kinds = kinds_of_service_time().into_iter();
    kinds.map(|kind| mg1(effort, kind).boxed()).collect()
}

#[test]
fn mm1_agrees() {
    check_comparisons(StatisticalTest::Mm1, Effort::Quick, 4, [mm1(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn mm1_agrees_thoroughly() {
    check_comparisons(StatisticalTest::Mm1, Effort::Thorough, 4, [mm1(Effort::Thorough)]);
}

#[test]
fn md1_agrees() {
    check_comparisons(StatisticalTest::Md1, Effort::Quick, 4, [md1(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn md1_agrees_thoroughly() {
    check_comparisons(StatisticalTest::Md1, Effort::Thorough, 4, [md1(Effort::Thorough)]);
}

#[test]
fn mg1_agrees_for_every_service_time_and_order() {
    check_comparisons(StatisticalTest::Mg1, Effort::Quick, 1, all_mg1(Effort::Quick));
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn mg1_agrees_for_every_service_time_and_order_thoroughly() {
    check_comparisons(
        StatisticalTest::Mg1,
        Effort::Thorough,
        1,
        all_mg1(Effort::Thorough),
    );
}

//! Last in, first out: below saturation every number, above it the share that is still answered in time.

use proptest::prelude::*;
use retrylab_model::Discipline;
use retrylab_sim::{Counts, Measure, Simulation};

use crate::comparison::{Comparison, Parameter, check_comparisons};
use crate::computed::compute;
use crate::draw::{exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::of;

/// Every number, at a time of some services, which is the timeout too.
fn lifo(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(10..=effort.up_to(50, 65));
    (load, service_mean(), hundredths(50..=300), seed()).prop_map(|(load, mean, services, seed)| {
        let time = readable(services * mean);
        let scenario = scenario(load, exponential(mean), 1, |spec| {
            spec.server.discipline = Discipline::Lifo;
            spec.client.timeout = Some(time.into());
            spec.run.tail_times = vec![time.into()];
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", 1.0 / mean),
        ];
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("lifo", &[parameters, &[("time", time)]].concat());
            let second_moment = of(Measure::WaitingTimeSecondMoment);
            vec![
                queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
                queue.moment(2, "waiting_time_second_moment", second_moment),
                queue.tail("waiting_time_tail", Measure::WaitingTimeTail(0)),
                queue.tail("sojourn_time_tail", Measure::SojournTimeTail(0)),
                queue.share("success", Measure::Success),
            ]
        })
    })
}

/// Probability with which the server may be idle once in the measured time of a replication.
const IDLE_AGAIN: f64 = 1e-12;
/// Measured time in mean service times.
const MEASURED_SERVICES: f64 = 2000.0;

/// Success at overload, and how fast the backlog grows.
///
/// There is no steady state, but while the server stays busy the successes of a moment depend on the arrivals and services
/// of a timeout before it only, so that they are as frequent as in the long run. The empty start matters until the system
/// has been empty for the last time. The number in system is a reversible chain, so it is 0 at time t with probability at
/// most e^(−gt), with g = (√λ − √μ)² the spectral gap; the expected number of arrivals at an empty system after t is at
/// most (λ/g)e^(−gt). Measuring begins a timeout after the time at which this and the probability of being empty then are
/// together negligible.
fn overloaded(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let load = hundredths(effort.up_to(140, 120)..=250);
    (load, service_mean(), hundredths(50..=300), seed()).prop_map(|(load, mean, services, seed)| {
        let time = readable(services * mean);
        let scenario = scenario(load, exponential(mean), 1, |spec| {
            spec.server.discipline = Discipline::Lifo;
            spec.client.timeout = Some(time.into());
        });
        let (arrival_rate, service_rate) = (scenario.traffic.rate.value(), 1.0 / mean);
        let gap = (arrival_rate.sqrt() - service_rate.sqrt()).powi(2);
        let warm_up = ((1.0 + arrival_rate / gap) / IDLE_AGAIN).ln() / gap + time;
        let end = warm_up + MEASURED_SERVICES * mean;
        let parameters = [("arrival_rate", arrival_rate), ("service_rate", service_rate)];
        let theory = move |parameters: &[Parameter]| {
            let queue = compute("lifo", &[parameters, &[("time", time)]].concat());
            let once = [parameters[0], ("attempts", 1.0), ("capacity", parameters[1].1)];
            vec![
                queue.share("success", Measure::Success),
                compute("stuck-growth", &once).mean("growth_rate", Measure::GrowthRate),
            ]
        };
        Comparison::new(
            scenario,
            seed,
            &parameters,
            theory,
            move |scenario, seed, replication| {
                let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
                simulation.run_to(warm_up);
                simulation.take_counts();
                simulation.run_to(end);
                simulation.take_counts()
            },
        )
    })
}

#[test]
fn lifo_agrees() {
    check_comparisons(StatisticalTest::Lifo, Effort::Quick, 4, [lifo(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn lifo_agrees_thoroughly() {
    check_comparisons(
        StatisticalTest::Lifo,
        Effort::Thorough,
        4,
        [lifo(Effort::Thorough)],
    );
}

#[test]
fn lifo_agrees_at_overload() {
    let kinds = [overloaded(Effort::Quick)];
    check_comparisons(StatisticalTest::LifoOverload, Effort::Quick, 3, kinds);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn lifo_agrees_at_overload_thoroughly() {
    let kinds = [overloaded(Effort::Thorough)];
    check_comparisons(StatisticalTest::LifoOverload, Effort::Thorough, 3, kinds);
}

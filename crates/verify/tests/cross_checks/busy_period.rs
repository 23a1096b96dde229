//! Busy periods, one by one: from the arrival at an empty server until it is idle again.

use proptest::prelude::*;
use retrylab_analytic::busy_period::BusyPeriod;
use retrylab_model::Scenario;
use retrylab_sim::Simulation;

use crate::comparison::{Comparison, Parameter, check_comparisons};
use crate::computed::compute;
use crate::draw::{discipline, exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::{Number, Read};

/// Busy periods per replication.
const PERIODS: u32 = 2000;

/// Lengths of busy periods.
type Lengths = Vec<f64>;

/// Moments and a tail, in every order of service.
///
/// Loads from 0.35 on: below, the arrival rate hardly matters to a busy period, and an error in it would not show.
fn busy_period(effort: Effort) -> impl Strategy<Value = Comparison<Lengths>> {
    let load = hundredths(35..=effort.up_to(40, 50));
    let server = (service_mean(), discipline());
    (load, server, hundredths(30..=300), seed()).prop_map(|(load, (mean, discipline), services, seed)| {
        let time = readable(services * mean);
        let scenario = scenario(load, exponential(mean), 1, |spec| {
            spec.server.discipline = discipline;
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", 1.0 / mean),
        ];
        let theory = move |parameters: &[Parameter]| {
            let period = compute("busy-period", parameters);
            let tail = BusyPeriod::new(parameters[0].1, parameters[1].1)
                .unwrap()
                .tail(time);
            vec![
                period.moment(1, "mean", power_mean(1)),
                period.moment(2, "second_moment", power_mean(2)),
                period.moment(3, "third_moment", power_mean(3)),
                Number::tail("tail", tail, longer_than(time)),
            ]
        };
        Comparison::new(scenario, seed, &parameters, theory, lengths)
    })
}

fn power_mean(power: i32) -> Read<Lengths> {
    Box::new(move |lengths| {
        let sum = lengths.iter().map(|length| length.powi(power)).sum();
        (sum, lengths.len() as f64)
    })
}

fn longer_than(time: f64) -> Read<Lengths> {
    Box::new(move |lengths| {
        let count = lengths.iter().filter(|&&length| length > time).count();
        (count as f64, lengths.len() as f64)
    })
}

/// The busy periods at the start of a replication.
fn lengths(scenario: &Scenario, seed: u64, replication: u64) -> Lengths {
    let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
    (0..PERIODS)
        .map(|_| {
            simulation.run_while(f64::MAX, |state| state.in_system() == 0);
            let start = simulation.now();
            simulation.run_while(f64::MAX, |state| state.in_system() > 0);
            simulation.now() - start
        })
        .collect()
}

#[test]
fn busy_periods_agree() {
    let kinds = [busy_period(Effort::Quick)];
    check_comparisons(StatisticalTest::BusyPeriod, Effort::Quick, 3, kinds);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn busy_periods_agree_thoroughly() {
    let kinds = [busy_period(Effort::Thorough)];
    check_comparisons(StatisticalTest::BusyPeriod, Effort::Thorough, 3, kinds);
}

//! A service in which every attempt times out: how fast its backlog grows or drains on either side of the line.

use proptest::prelude::*;
use retrylab_model::{Budget, Change, Scenario};
use retrylab_sim::{Counts, Measure, Simulation};

use crate::comparison::{Comparison, Parameter, check_comparisons};
use crate::computed::compute;
use crate::draw::{exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::{Number, of};

/// Length of the stall that a run begins with, in mean service times.
const STALL_SERVICES: f64 = 4000.0;
/// Measured time after it. It takes about half of the backlog where that drains fastest.
const MEASURED_SERVICES: f64 = 3000.0;

/// The attempt rate in capacities: off the line on either side, so that there is a growth to be measured.
fn pressure() -> impl Strategy<Value = f64> {
    prop_oneof![hundredths(130..=180), hundredths(60..=75)]
}

/// What happens after a stall of some thousand services, during which there are only timeouts and retries.
///
/// When the service goes on, attempts have been sent at their long-run rate for thousands of services, and the attempt at
/// the front is too old by far. At most 0.4 capacities are drained from a backlog of at least 2,400 services, so that after
/// [`MEASURED_SERVICES`] some 1,200 are left on average, with a standard deviation of about a hundred; an answer in time
/// needs a backlog of at most the timeout, 30 services. So the measured time is stationary from its start.
fn after_stall(scenario: &Scenario, seed: u64, replication: u64) -> Counts {
    let mean = scenario.service.time.mean();
    let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
    simulation.run_to(STALL_SERVICES * mean);
    simulation.take_counts();
    simulation.run_to((STALL_SERVICES + MEASURED_SERVICES) * mean);
    simulation.take_counts()
}

fn stall(mean: f64) -> Change {
    Change::stall(0.0, STALL_SERVICES * mean)
}

/// What the line says about growth: of the load over the line, whatever exceeds the capacity.
fn growth_by_line(line: f64, parameters: &[Parameter]) -> Number<Counts> {
    let (arrival_rate, service_rate) = (parameters[0].1, parameters[1].1);
    let growth = service_rate * (arrival_rate / service_rate / line - 1.0);
    Number::mean("load", growth, of(Measure::GrowthRate))
}

/// Nobody is answered in time: exactly none.
fn success() -> Number<Counts> {
    Number::mean("success", 0.0, of(Measure::Success))
}

/// Every request is sent as often as its client may.
fn stuck_by_attempts() -> impl Strategy<Value = Comparison<Counts>> {
    let client = (1..=4_u32, hundredths(500..=3000));
    (pressure(), service_mean(), client, seed()).prop_map(|(pressure, mean, (attempts, services), seed)| {
        let limit = ("attempts", f64::from(attempts));
        let line = compute("stuck-line", &[limit]).value("load");
        let scenario = scenario(pressure * line, exponential(mean), 1, |spec| {
            spec.client.timeout = Some(readable(services * mean).into());
            spec.client.attempts = attempts;
            spec.schedule = vec![stall(mean)];
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("capacity", 1.0 / mean),
        ];
        let theory = move |parameters: &[Parameter]| {
            let stuck = compute("stuck-growth", &[parameters, &[limit]].concat());
            vec![
                growth_by_line(line, parameters),
                stuck.mean("growth_rate", Measure::GrowthRate),
                success(),
            ]
        };
        Comparison::new(scenario, seed, &parameters, theory, after_stall)
    })
}

/// Retries are held to a budget that is far less than the failures ask for, so that every token is spent.
fn stuck_by_budget() -> impl Strategy<Value = Comparison<Counts>> {
    let client = (3..=5_u32, hundredths(10..=100), hundredths(500..=3000));
    (pressure(), service_mean(), client, seed()).prop_map(
        |(pressure, mean, (attempts, ratio, services), seed)| {
            let line = compute("budget-line", &[("ratio", ratio)]).value("load");
            let scenario = scenario(pressure * line, exponential(mean), 1, |spec| {
                spec.client.timeout = Some(readable(services * mean).into());
                spec.client.attempts = attempts;
                spec.client.budget = Budget::Ratio {
                    ratio,
                    bank: 100.0,
                    shared: false,
                };
                spec.schedule = vec![stall(mean)];
            });
            let parameters = [
                ("arrival_rate", scenario.traffic.rate.value()),
                ("capacity", 1.0 / mean),
            ];
            let theory = move |parameters: &[Parameter]| vec![growth_by_line(line, parameters), success()];
            Comparison::new(scenario, seed, &parameters, theory, after_stall)
        },
    )
}

/// Both lines.
fn kinds() -> [BoxedStrategy<Comparison<Counts>>; 2] {
    [stuck_by_attempts().boxed(), stuck_by_budget().boxed()]
}

#[test]
fn backlogs_grow_and_drain_as_computed() {
    check_comparisons(StatisticalTest::StuckLine, Effort::Quick, 2, kinds());
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn backlogs_grow_and_drain_as_computed_thoroughly() {
    check_comparisons(StatisticalTest::StuckLine, Effort::Thorough, 2, kinds());
}

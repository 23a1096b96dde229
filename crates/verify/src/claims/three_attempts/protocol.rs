//! The study's protocol as scenarios, and what counts as recovered or stuck.

use retrylab_model::{Change, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::{Measure, RunRecord};

use crate::experiment::Experiment;

/// The two timeouts of the study.
pub(super) const TIMEOUTS: [f64; 2] = [10.0, 50.0];
/// Independent runs behind a number of the study, where it does not say otherwise.
pub(super) const RUNS: u32 = 40;
/// Independent runs behind a number of the study's tables of budgets.
pub(super) const BUDGET_RUNS: u32 = 20;
/// A single server at a load, with everything else left at its default and the study's name.
fn server(load: f64) -> ScenarioSpec {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(load));
    spec.name = format!("load {load}");
    spec.source = "three-attempts".to_owned();
    spec
}

/// The protocol without its stall: a run of 62,000 whose last 2,500 are measured.
pub(super) fn quiet(load: f64, timeout: f64, attempts: u32) -> Scenario {
    let mut spec = server(load);
    spec.service.error_probability = 0.01;
    spec.client.timeout = Some(timeout.into());
    spec.client.attempts = attempts;
    spec.run.until = Some(62_000.0.into());
    spec.run.measure_from = Some(59_500.0.into());
    spec.run.window = Some(150.0.into());
    valid(spec)
}

/// The protocol with a stall at time 2,000.
pub(crate) fn stalled(load: f64, timeout: f64, attempts: u32, stall: f64) -> Scenario {
    changed(&quiet(load, timeout, attempts), |spec| {
        spec.schedule.push(Change::stall(2_000.0, stall));
    })
}

/// The protocol: a stall of 2,000 at time 2,000.
pub(crate) fn long_stall(load: f64, timeout: f64, attempts: u32) -> Scenario {
    stalled(load, timeout, attempts, 2_000.0)
}

/// Length of the measured window of [`steady`] in the study's measured windows of 2,500.
pub(super) const SPAN_RATIO: f64 = 20.0;

/// A server without stall, retries or timeouts, run long enough to forget that it started empty.
///
/// The warm-up of 10,000 is long enough for the first-come-first-served queue at load 0.9 to be within 10⁻⁶ of its mean,
/// and at load 0.95, at which only servers that keep shorter queues are measured, within 1 % when measuring begins, and
/// below 4·10⁻⁴ on average over the window. A test holds it against
/// [`mm1_warm_up`](crate::statistics::mm1_warm_up).
pub(super) fn steady(load: f64) -> Scenario {
    let mut spec = server(load);
    spec.run.until = Some(60_000.0.into());
    spec.run.measure_from = Some(10_000.0.into());
    valid(spec)
}

/// The steady server with the study's clients, who do not retry.
pub(super) fn steady_without_retries(load: f64, timeout: f64) -> Scenario {
    changed(&steady(load), |spec| {
        spec.service.error_probability = 0.01;
        spec.client.timeout = Some(timeout.into());
    })
}

/// A changed scenario.
pub(crate) fn changed(scenario: &Scenario, change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    scenario
        .modified(change)
        .expect("the study's scenarios are valid")
}

fn valid(spec: ScenarioSpec) -> Scenario {
    spec.validate().expect("the study's scenarios are valid")
}

/// Success over the measured window, by the scenario's protocol.
pub(crate) fn success(scenario: Scenario) -> Experiment {
    Experiment::measure(scenario, Measure::Success)
}

/// Success of one run over its measured window; 0 if it had no new requests.
pub(crate) fn success_of(run: &RunRecord) -> f64 {
    let (successes, requests) = run.measure(Measure::Success);
    if requests > 0.0 { successes / requests } else { 0.0 }
}

/// The share of runs that have recovered: more than half of the requests succeed in the measured window.
///
/// Success is close to 0 in the stuck state and close to the healthy value outside it, so any level between would do.
pub(super) fn recovered(scenario: Scenario) -> Experiment {
    Experiment::share_of_runs(
        scenario,
        "share of runs with success above 1/2 in the measured window",
        |run| success_of(run) > 0.5,
    )
}

/// The share of runs that are stuck at zero: less than 1 % of the requests succeed in the measured window.
pub(super) fn stuck(scenario: Scenario) -> Experiment {
    Experiment::share_of_runs(
        scenario,
        "share of runs with success below 1 % in the measured window",
        |run| success_of(run) < 0.01,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{mm1_warm_up, relaxation_time};

    #[test]
    fn the_steady_server_has_forgotten_that_it_started_empty() {
        for load in [0.5, 0.6, 0.8, 0.9] {
            assert!(mm1_warm_up(load, 1.0, 1e-6).unwrap() < steady(load).measure_from());
        }
        let steady = steady(0.95);
        assert!(mm1_warm_up(0.95, 1.0, 0.01).unwrap() < steady.measure_from());
        // What is left decays with the relaxation time, so its average over the window is smaller by their ratio.
        let window = steady.until() - steady.measure_from();
        assert!(0.01 * relaxation_time(0.95, 1.0).unwrap() / window < 4e-4);
    }
}

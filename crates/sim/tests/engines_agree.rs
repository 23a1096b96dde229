//! The one-pass recursion against the general engine: identical records, to the last bit.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod strategy;

use proptest::prelude::*;
use retrylab_model::{Change, Client, Scenario, Server, Timeout};
use retrylab_sim::{Engine, Options, SimulationError, simulate_one};

/// Whether a change makes any setting that the recursion can follow.
fn has_settings(change: &Change) -> bool {
    change.capacity.is_some()
        || change.rate.is_some()
        || change.error_probability.is_some()
        || change.attempts.is_some()
        || change.retry_probability.is_some()
}

/// A random scenario with everything taken out that the recursion cannot simulate: changes of the servers, unless there is
/// but one.
fn scenario() -> impl Strategy<Value = Scenario> {
    (strategy::scenario(), any::<bool>()).prop_map(|(scenario, one_server)| {
        scenario
            .modified(|spec| {
                if one_server {
                    let slots = f64::from(spec.service.slots());
                    spec.traffic.rate = (spec.traffic.rate.value() / slots).into();
                    spec.service.servers = 1;
                    spec.service.concurrency = 1;
                }
                spec.tiers.clear();
                for change in &mut spec.schedule {
                    change.tier = 1;
                    change.retries_per_failure = None;
                    change.discipline = None;
                    change.budget = None;
                    if spec.service.slots() > 1 {
                        change.stall = None;
                        change.capacity = None;
                        change.error_probability = None;
                    }
                    if !has_settings(change) {
                        change.duration = None;
                    }
                }
                spec.schedule
                    .retain(|change| change.stall.is_some() || has_settings(change));
                spec.server = Server::default();
                let Client {
                    timeout,
                    attempts,
                    retry_probability,
                    ..
                } = spec.client;
                spec.client = Client {
                    timeout: timeout.map(|timeout| Timeout::from(timeout.mean())),
                    attempts: attempts.max(1),
                    retry_probability,
                    retries_per_failure: None,
                    breaker: None,
                    ..spec.client.clone()
                };
            })
            .unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn records_are_identical(
        scenario in scenario(),
        seed in 0_u64..1000,
        windows in any::<bool>(),
        histogram in any::<bool>(),
    ) {
        let by = |engine| {
            let options = Options { engine, windows, histogram, ..Options::default() };
            simulate_one(&scenario, seed, 0, &options).unwrap()
        };
        let (general, recursion) = (by(Engine::General), by(Engine::Recursion));
        prop_assert_eq!(&general, &recursion);
        prop_assert_eq!(by(Engine::Auto), recursion);
    }

    /// Whatever the recursion refuses, the choice that is left open simulates.
    #[test]
    fn what_the_recursion_cannot_simulate_is_refused_with_a_reason(scenario in strategy::scenario()) {
        let by = |engine| simulate_one(&scenario, 1, 0, &Options { engine, ..Options::default() });
        let general = by(Engine::General).unwrap();
        prop_assert_eq!(by(Engine::Auto).unwrap(), general.clone());
        match by(Engine::Recursion) {
            Ok(record) => prop_assert_eq!(record, general),
            Err(SimulationError::RecursionDoesNotApply { reason }) => prop_assert!(!reason.is_empty()),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

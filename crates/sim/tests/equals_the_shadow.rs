//! The engine against a naive simulator: identical records, to the last tick.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod shadow;
mod strategy;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use retrylab_sim::{Fault, Histogram, Options, simulate_one};

use shadow::Shadow;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn records_are_identical(scenario in strategy::scenario(), seed in 0_u64..1000, replication in 0_u64..3) {
        let options = Options { windows: true, histogram: true, ..Options::default() };
        let record = simulate_one(&scenario, seed, replication, &options).unwrap();
        let (from, until) = (scenario.measure_from(), scenario.until());
        let shadow = Shadow::run(&scenario, seed, replication, until);

        prop_assert_eq!(&record.counts, &shadow.counts(from, until));
        prop_assert_eq!(record.last_success, shadow.last_success());
        let mut edge = 0.0;
        for window in &record.windows {
            prop_assert_eq!(window.from.to_bits(), f64::to_bits(edge));
            prop_assert_eq!(&window.counts, &shadow.counts(window.from, window.to));
            edge = window.to;
        }
        prop_assert_eq!(edge.to_bits(), until.to_bits());

        let sojourn_times = shadow.sojourn_times(from, until);
        prop_assert_eq!(record.sojourn_times.total(), sojourn_times.len() as u64);
        if let Some(median) = record.sojourn_times.quantile(0.5) {
            let exact = sojourn_times[sojourn_times.len().div_ceil(2) - 1] as f64;
            prop_assert!((median - exact).abs() <= exact * Histogram::RELATIVE_ERROR);
        }
    }
}

/// The negative control of the comparison above: it notices each fault that can be planted in the engine.
#[test]
fn every_fault_makes_a_record_differ() {
    let mut runner = TestRunner::deterministic();
    let scenarios: Vec<_> = (0..400)
        .map(|_| strategy::scenario().new_tree(&mut runner).unwrap().current())
        .collect();
    for fault in Fault::ALL {
        let options = Options {
            fault: Some(fault),
            ..Options::default()
        };
        let differ = scenarios.iter().filter(|scenario| {
            let record = simulate_one(scenario, 1, 0, &options).unwrap();
            let (from, until) = (scenario.measure_from(), scenario.until());
            record.counts != Shadow::run(scenario, 1, 0, until).counts(from, until)
        });
        let differ = differ.count();
        println!("{fault:?}: noticed in {differ} of {} scenarios", scenarios.len());
        assert!(differ > 0, "{fault:?} went unnoticed");
    }
}

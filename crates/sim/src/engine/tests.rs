//! Tests that need to see inside a simulation.

use proptest::prelude::*;

use super::*;

#[path = "../../tests/strategy/mod.rs"]
mod strategy;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Setting the clock back often, at any time, or never gives the same results.
    #[test]
    fn the_clock_can_be_set_back_at_any_time(
        scenario in strategy::scenario(),
        seed in 0_u64..1000,
        interval in 0.01..100.0_f64,
    ) {
        let run = |interval: Option<f64>| {
            let mut simulation = Simulation::new(&scenario, seed, 0).unwrap();
            simulation.rebase_at = interval.map_or(REBASE_AT, |time| simulation.clock().duration(time));
            simulation.run_to(150.0);
            let first = simulation.take_counts();
            simulation.run_to(300.0);
            (first, simulation.take_counts(), simulation.last_success())
        };
        prop_assert_eq!(run(Some(interval)), run(None));
    }
}

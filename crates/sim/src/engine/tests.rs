//! Tests that need to see inside a simulation.

use retrylab_model::{ScenarioSpec, Traffic};

use super::*;

/// Setting the clock back often or never gives the same results.
#[test]
fn the_clock_can_be_set_back_at_any_time() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.8));
    spec.client.timeout = Some(10.0.into());
    spec.client.attempts = 3;
    let scenario = spec.validate().unwrap();
    let run = |rebase_at: i64| {
        let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
        simulation.rebase_at = rebase_at;
        simulation.run_to(5000.0);
        simulation.take_counts()
    };
    let never = run(REBASE_AT);
    for rebase_at in [1 << 25, 1 << 33, (1 << 40) + 12345] {
        assert_eq!(run(rebase_at), never, "set back every {rebase_at} ticks");
    }
}

//! Regenerative cycles: from one moment at which nobody is left in the system to the next.
//!
//! Requests arrive as a Poisson process, which has no memory. When the last attempt has left and no client is about to try
//! again, the future is that of an empty system at time 0, whatever came before, unless a budget or a schedule remembers. A
//! replication of a fixed number of such cycles therefore gives independent pairs (sum of a quantity, sum of what it is
//! taken over) whose means have exactly the ratio of the long run (renewal reward theorem; Crane & Iglehart, "Simulating
//! stable stochastic systems", 1974). The empty start is where every cycle starts, and needs no warm-up.

use retrylab_model::Scenario;
use retrylab_sim::{Counts, Simulation};

/// Attempts per replication, about: enough for sums to be nearly normal, and for the work to be simulation.
const ATTEMPTS_PER_REPLICATION: f64 = 4000.0;
/// Cycles of the replication from which the length of a cycle is guessed.
const PILOT_CYCLES: u64 = 50;
/// Its number, which no other replication has.
const PILOT: u64 = u64::MAX;

/// Whether the system is as at its start.
pub(crate) fn is_empty(simulation: &Simulation) -> bool {
    simulation.in_system() == 0 && simulation.open_requests() == 0
}

/// The number of cycles that make a replication long enough, from a run that is used for nothing else.
pub(crate) fn cycles_per_replication(scenario: &Scenario, seed: u64) -> u64 {
    let pilot = run(scenario, seed, PILOT, PILOT_CYCLES);
    let attempts_per_cycle = pilot.attempts as f64 / PILOT_CYCLES as f64;
    (ATTEMPTS_PER_REPLICATION / attempts_per_cycle).ceil() as u64
}

/// What happens in the first `cycles` cycles of a replication.
pub(crate) fn run(scenario: &Scenario, seed: u64, replication: u64, cycles: u64) -> Counts {
    let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
    let mut left = cycles;
    simulation.run_while(f64::MAX, |state| {
        left -= u64::from(is_empty(state));
        left > 0
    });
    simulation.take_counts()
}

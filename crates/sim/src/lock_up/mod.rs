//! Runs until the service locks up: its success rate falls to zero and stays there.
//!
//! Whether success stays at zero is a statement about an endless future. A [`LockUpWatch`] counts a service as locked up
//! when its backlog has reached a size from which it does not come back by chance, and only then looks back for the last
//! success. [`run_until_lock_up`] follows one run to that point. Where lock-ups are so rare that a run would take too
//! long, [`LockUpCycles`] measures the same mean by splitting.

mod allowance;
mod cycles;
mod goal;
mod pilot;
mod regeneration;
mod stuck;
mod thresholds;

use retrylab_model::Scenario;

use crate::engine::Simulation;
use crate::error::SimulationError;
use crate::replication::{Options, begin};

pub use allowance::Allowance;
pub use cycles::{Cycles, CyclesError, LockUpCycles};
pub use goal::{Goal, Prospect};
pub use pilot::Pilot;
pub use regeneration::NotRegenerative;
pub use thresholds::{Threshold, Thresholds};

/// From when on a service counts as locked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockUpWatch {
    /// Number of attempts waiting and in service from which the service does not come back by chance.
    pub backlog: u64,
    /// Number of attempts waiting and in service above which a new one cannot expect an answer in time; only reported.
    pub crowd: u64,
}

/// When a run locked up, by several definitions, in the scenario's unit of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LockUp {
    /// The last success before there is none any more; 0 without any.
    pub last_success: f64,
    /// When the number of attempts in the system first exceeded [`LockUpWatch::crowd`].
    pub crowded: f64,
    /// Start of the first window of width `run.window` without a success.
    pub silent_window: f64,
    /// End of the last window with a success.
    pub last_window: f64,
    /// When the number of attempts in the system reached [`LockUpWatch::backlog`].
    pub beyond_return: f64,
}

/// How a run that was followed until it locked up came out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Followed {
    /// When it locked up; none if it had not by `run.until`.
    pub lock_up: Option<LockUp>,
    /// Attempts sent: what the run cost.
    pub attempts_simulated: u64,
}

/// Follows one replication until it locks up, or until `run.until` without a lock-up.
///
/// The windows of the definitions are those of `run.window`.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_sim::{LockUpWatch, Options, run_until_lock_up};
///
/// // Three attempts of each request and a timeout of five services at load 0.6: a matter of some 130 services.
/// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.6));
/// spec.client.timeout = Some(5.0.into());
/// spec.client.attempts = 3;
/// spec.run.until = Some(1e6.into());
/// let watch = LockUpWatch { backlog: 100, crowd: 5 };
/// let followed = run_until_lock_up(&spec.validate()?, 1, 0, watch, &Options::default())?;
/// let lock_up = followed.lock_up.expect("it has locked up long before");
/// assert!(lock_up.crowded < lock_up.beyond_return && lock_up.last_success < 10_000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`simulate_one`](crate::simulate_one).
pub fn run_until_lock_up(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    watch: LockUpWatch,
    options: &Options,
) -> Result<Followed, SimulationError> {
    let mut simulation = begin(scenario, seed, replication, options.fault)?;
    let (until, width) = (scenario.until(), scenario.window());
    let mut attempts = 0;
    let mut crowded = None;
    let mut silent_window = None;
    let mut windows = 0.0;
    let beyond_return = loop {
        let edge = (windows + 1.0) * width;
        let end = edge.min(until);
        if crowded.is_none() && !simulation.run_while(end, |state| state.in_system() <= watch.crowd) {
            crowded = Some(simulation.now());
        }
        let reached = !simulation.run_while(end, |state| state.in_system() < watch.backlog);
        if reached {
            break Some(simulation.now());
        }
        let counts = simulation.take_counts();
        attempts += counts.attempts;
        if end < edge {
            break None;
        }
        if counts.successes == 0 && silent_window.is_none() {
            silent_window = Some(windows * width);
        }
        windows += 1.0;
    };
    let lock_up = match beyond_return {
        None => None,
        Some(beyond_return) => {
            attempts += serve_backlog(&mut simulation, scenario);
            let last_success = simulation.last_success().unwrap_or(0.0);
            let last_window = ((last_success / width).floor() + 1.0) * width;
            Some(LockUp {
                last_success,
                crowded: crowded.unwrap_or(beyond_return),
                silent_window: silent_window.unwrap_or(last_window),
                last_window,
                beyond_return,
            })
        }
    };
    Ok(Followed {
        lock_up,
        attempts_simulated: attempts,
    })
}

/// Goes on until everything that waits now has been served, so that the last success of those who came before the backlog
/// is known. Returns the attempts sent meanwhile and since the counts were last taken.
fn serve_backlog(simulation: &mut Simulation, scenario: &Scenario) -> u64 {
    let before = simulation.take_counts();
    let mut attempts = before.attempts;
    let mut left = before.in_system_at_end;
    while left > 0 {
        let ahead = left as f64 * scenario.service.time.mean();
        simulation.run_to(simulation.now() + ahead);
        let counts = simulation.take_counts();
        attempts += counts.attempts;
        left = left.saturating_sub(counts.completions + counts.skipped);
    }
    attempts
}

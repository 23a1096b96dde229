//! The mean time to lock up from cycles that are split on their way to a backlog.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;
use retrylab_model::{Budget, Scenario};

use super::{LockUpWatch, serve_backlog};
use crate::engine::Simulation;
use crate::error::SimulationError;
use crate::replication::{Options, begin};

/// No cycle takes as long, in mean service times.
const NEVER: f64 = 1e15;
/// Replications that one cycle and its branches may use.
const BRANCHES: u64 = 1 << 24;

/// Where cycles are split: at every so many attempts in the system, into so many branches each, up to a top.
///
/// The choice makes sampling quick or slow; the results are right with any. Sampling is quick where a cycle reaches one
/// threshold from the one before about once in `branches` times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Distance of the thresholds.
    pub spacing: u64,
    /// Branches at each.
    pub branches: u32,
    /// No threshold lies above.
    pub top: u64,
}

/// The scenario does not start anew whenever it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "cycles need a scenario without schedule, budget, breaker, further tiers and costs of rejecting and skipping: only such a \
     one starts anew whenever it is empty"
)]
pub struct NotRegenerative;

/// Cycles of a service from one moment at which it is empty to the next, or to its lock-up.
///
/// When nobody waits, not even for a backoff, a service with Poisson traffic starts anew, so that cycles are independent
/// and alike. With p the probability that a cycle ends in a lock-up, the mean time until the last success is
///
/// (E[length of a cycle that returns; it returns] + E[time until its last success; it locks up])/p,
///
/// a ratio of two expectations over a cycle (Wald's identity). A cycle that reaches a threshold is continued in several
/// branches with different random numbers, each with a share of its weight: the weighted sums over all branches have the
/// same expectations, however rare a lock-up is (Kahn and Harris, "Estimation of particle transmission by random sampling",
/// 1951).
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_sim::{LockUpCycles, LockUpWatch, Options, Split};
///
/// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
/// spec.client.timeout = Some(10.0.into());
/// spec.client.attempts = 3;
/// let watch = LockUpWatch { backlog: 100, crowd: 10 };
/// let split = Split { spacing: 2, branches: 4, top: 10 };
/// let cycles = LockUpCycles::new(&spec.validate()?, watch, split)?;
/// let sums = cycles.run(1, 0..2_000, &Options::default())?;
/// // Without error replies some 6,300 services; 2,000 cycles give it to within some 10 %.
/// assert!((sums.time / sums.lock_ups / 6_300.0 - 1.0).abs() < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LockUpCycles {
    scenario: Scenario,
    watch: LockUpWatch,
    split: Split,
}

/// Weighted sums over cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cycles {
    /// Time at risk, in the scenario's unit: the lengths of cycles that returned, and the times until the last success of
    /// those that locked up.
    pub time: f64,
    /// Lock-ups.
    pub lock_ups: f64,
    /// Attempts sent, without weights: what the cycles cost.
    pub attempts_simulated: u64,
}

impl AddAssign for Cycles {
    fn add_assign(&mut self, other: Self) {
        self.time += other.time;
        self.lock_ups += other.lock_ups;
        self.attempts_simulated += other.attempts_simulated;
    }
}

impl LockUpCycles {
    /// Cycles of a scenario.
    ///
    /// # Errors
    /// [`NotRegenerative`] for a scenario with a schedule, a budget, a breaker, further tiers, or a cost of
    /// rejecting or skipping.
    pub fn new(scenario: &Scenario, watch: LockUpWatch, split: Split) -> Result<Self, NotRegenerative> {
        let (client, server) = (&scenario.client, &scenario.server);
        let client_remembers = !matches!(client.budget, Budget::None) || client.breaker.is_some();
        // A server may be busy with what is in the system no more.
        let server_remembers = server.rejection_cost.is_some() || server.skip_cost.is_some();
        let changes = !scenario.schedule.is_empty() || !scenario.tiers.is_empty();
        if client_remembers || server_remembers || changes {
            return Err(NotRegenerative);
        }
        Ok(Self {
            scenario: scenario.clone(),
            watch,
            split: Split {
                spacing: split.spacing.max(1),
                branches: split.branches.max(1),
                top: split.top.min(watch.backlog),
            },
        })
    }

    /// The sums over the cycles of these numbers, in parallel on rayon's current thread pool; they do not depend on the
    /// number of threads.
    ///
    /// # Errors
    /// As [`simulate_one`](crate::simulate_one).
    pub fn run(&self, seed: u64, numbers: Range<u64>, options: &Options) -> Result<Cycles, SimulationError> {
        let each: Result<Vec<Cycles>, SimulationError> = numbers
            .into_par_iter()
            .map(|number| self.cycle(seed, number, options))
            .collect();
        let mut sums = Cycles::default();
        each?.into_iter().for_each(|cycle| sums += cycle);
        Ok(sums)
    }

    fn cycle(&self, seed: u64, number: u64, options: &Options) -> Result<Cycles, SimulationError> {
        // Replications far enough from the next cycle's for any number of branches.
        let first = number.wrapping_mul(BRANCHES);
        let mut growing = Growing {
            cycles: self,
            seed,
            next_branch: first,
            sums: Cycles::default(),
        };
        let simulation = begin(&self.scenario, seed, first, options.fault)?;
        growing.follow(simulation, self.split.spacing, 1.0);
        Ok(growing.sums)
    }
}

/// A cycle that is being followed.
struct Growing<'a> {
    cycles: &'a LockUpCycles,
    seed: u64,
    next_branch: u64,
    sums: Cycles,
}

impl Growing<'_> {
    /// Follows a branch from one threshold to the next, and beyond it if it gets there.
    fn follow(&mut self, mut simulation: Simulation, threshold: u64, weight: f64) {
        let LockUpCycles {
            scenario,
            watch,
            split,
        } = self.cycles;
        let last = threshold > split.top;
        let goal = if last { watch.backlog } else { threshold };
        let never = NEVER * scenario.service.time.mean();
        // A cycle begins empty, so the first event must not be mistaken for its end: it is an arrival.
        simulation.run_while(never, |state| {
            state.in_system() < goal && (state.in_system() > 0 || state.open_requests() > 0)
        });
        self.sums.attempts_simulated += simulation.take_counts().attempts;
        if simulation.in_system() < goal {
            self.sums.time += weight * simulation.now();
        } else if last {
            self.sums.attempts_simulated += serve_backlog(&mut simulation, scenario);
            self.sums.time += weight * simulation.last_success().unwrap_or(0.0);
            self.sums.lock_ups += weight;
        } else {
            let share = weight / f64::from(split.branches);
            for _ in 1..split.branches {
                self.next_branch += 1;
                let mut branch = simulation.clone();
                branch.reseed(self.seed, self.next_branch);
                branch.redraw();
                self.follow(branch, threshold + split.spacing, share);
            }
            self.follow(simulation, threshold + split.spacing, share);
        }
    }
}

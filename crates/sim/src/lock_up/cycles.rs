//! The mean time to lock up from cycles that are split on their way to a backlog.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;
use retrylab_model::Scenario;

use super::allowance::Allowance;
use super::goal::Goal;
use super::regeneration::{End, NotRegenerative, Regeneration};
use super::serve_backlog;
use super::thresholds::Thresholds;
use crate::engine::Simulation;
use crate::error::SimulationError;
use crate::replication::Options;

/// Replications that one cycle and its branches may use.
const BRANCHES: u64 = 1 << 24;
/// Seed of the run to the state in which cycles begin, where that is not the state at time 0; any state in which the budget
/// is full will do.
const ORIGIN_SEED: u64 = 0x00d1_5ea5_ed0f_f1ce;

/// Cycles of a service from one moment at which it is idle to the next, or to its lock-up.
///
/// When nobody waits, not even for a backoff, and a retry budget is full, a service with Poisson traffic starts anew, so
/// that cycles are independent and alike. With p the probability that a cycle ends in a lock-up, the mean time until the last
/// success is
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
/// use retrylab_sim::{Goal, LockUpCycles, Options, Thresholds};
///
/// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
/// spec.client.timeout = Some(10.0.into());
/// spec.client.attempts = 3;
/// let thresholds = Thresholds::spaced(2, 4, 10);
/// let cycles = LockUpCycles::new(&spec.validate()?, Goal::LockUp { backlog: 100 }, thresholds)?;
/// let sums = cycles.run(1, 0..2_000, &Options::default())?;
/// // Without error replies some 6,200 services; 2,000 cycles give it to within some 10 %.
/// assert!((sums.time / sums.lock_ups / 6_200.0 - 1.0).abs() < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LockUpCycles {
    pub(super) scenario: Scenario,
    pub(super) goal: Goal,
    pub(super) regeneration: Regeneration,
    thresholds: Thresholds,
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

/// Why there are no cycles of a scenario.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CyclesError {
    /// The scenario does not start anew.
    #[error(transparent)]
    NotRegenerative(#[from] NotRegenerative),
    /// The scenario cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The state from which it starts anew was not reached.
    #[error(
        "the retry budget was not full at any idle moment of a long run: cycles between such moments are too long"
    )]
    NeverFull,
}

/// Events within which a service with a budget must have come to an idle moment with a full budget.
const ORIGIN_EVENTS: u64 = 100_000_000;

impl LockUpCycles {
    /// Cycles of a scenario.
    ///
    /// # Errors
    /// [`CyclesError`] for a scenario with a schedule, a breaker, further tiers, costs of rejecting or skipping, or a budget
    /// that a quiet time does not fill up; for one that is never idle with a full budget; and as
    /// [`simulate_one`](crate::simulate_one).
    pub fn new(scenario: &Scenario, goal: Goal, thresholds: Thresholds) -> Result<Self, CyclesError> {
        Regeneration::check(scenario)?;
        let mut regeneration = Regeneration::new(scenario);
        if !regeneration.seek(scenario, ORIGIN_SEED, &Allowance::new(ORIGIN_EVENTS))? {
            return Err(CyclesError::NeverFull);
        }
        Ok(Self {
            scenario: scenario.clone(),
            goal,
            regeneration,
            thresholds: thresholds.below(goal.in_system()),
        })
    }

    /// Why a scenario has no cycles, whatever they are followed to; none when it has some, unless its budget is never full.
    #[must_use]
    pub fn obstacle(scenario: &Scenario) -> Option<NotRegenerative> {
        Regeneration::check(scenario).err()
    }

    /// Where cycles are split.
    #[must_use]
    pub fn thresholds(&self) -> &Thresholds {
        &self.thresholds
    }

    /// The same cycles, split elsewhere.
    #[must_use]
    pub fn split_at(self, thresholds: Thresholds) -> Self {
        let thresholds = thresholds.below(self.goal.in_system());
        Self { thresholds, ..self }
    }

    /// What the cycles are followed to.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The sums over the cycles of these numbers, in parallel on rayon's current thread pool; they do not depend on the
    /// number of threads.
    ///
    /// # Errors
    /// As [`simulate_one`](crate::simulate_one).
    pub fn run(&self, seed: u64, numbers: Range<u64>, options: &Options) -> Result<Cycles, SimulationError> {
        let sums = self.run_within(seed, numbers, options, &Allowance::unlimited())?;
        Ok(sums.expect("a cycle ends within 10^15 service times and 2^24 branches"))
    }

    /// The same within an allowance; none where it does not suffice.
    ///
    /// # Errors
    /// As [`simulate_one`](crate::simulate_one).
    pub fn run_within(
        &self,
        seed: u64,
        numbers: Range<u64>,
        options: &Options,
        allowance: &Allowance,
    ) -> Result<Option<Cycles>, SimulationError> {
        let each: Result<Vec<Option<Cycles>>, SimulationError> = numbers
            .into_par_iter()
            .map(|number| self.cycle(seed, number, options, allowance))
            .collect();
        Ok(each?.into_iter().try_fold(Cycles::default(), |mut sums, cycle| {
            sums += cycle?;
            Some(sums)
        }))
    }

    fn cycle(
        &self,
        seed: u64,
        number: u64,
        options: &Options,
        allowance: &Allowance,
    ) -> Result<Option<Cycles>, SimulationError> {
        // Replications far enough from the next cycle's for any number of branches.
        let first = number.wrapping_mul(BRANCHES);
        let mut growing = Growing {
            cycles: self,
            seed,
            next_branch: first,
            last_branch: first.wrapping_add(BRANCHES - 1),
            sums: Cycles::default(),
            allowance,
        };
        let simulation = self.regeneration.start(&self.scenario, seed, first, options)?;
        let finished = growing.follow(simulation);
        Ok(finished.then_some(growing.sums))
    }
}

/// A cycle that is being followed.
struct Growing<'a> {
    cycles: &'a LockUpCycles,
    seed: u64,
    next_branch: u64,
    last_branch: u64,
    sums: Cycles,
    allowance: &'a Allowance,
}

/// A branch to follow: where it is, which threshold is next, and its weight.
struct Branch {
    simulation: Simulation,
    threshold: usize,
    weight: f64,
}

/// A branch at a threshold, and how many copies of it are still to be followed before itself.
struct Fork {
    branch: Branch,
    copies: u32,
}

impl Growing<'_> {
    /// Follows a cycle with all of its branches, each to its end before the next; whether the allowance sufficed.
    fn follow(&mut self, simulation: Simulation) -> bool {
        let mut forks: Vec<Fork> = Vec::new();
        let mut next = Some(Branch {
            simulation,
            threshold: 0,
            weight: 1.0,
        });
        while let Some(branch) = next {
            match self.advance(branch) {
                Err(GivenUp) => return false,
                Ok(fork) => forks.extend(fork),
            }
            next = match forks.last_mut() {
                None => None,
                Some(fork) if fork.copies > 0 => {
                    if self.next_branch == self.last_branch {
                        return false;
                    }
                    fork.copies -= 1;
                    self.next_branch += 1;
                    let mut simulation = fork.branch.simulation.clone();
                    simulation.reseed(self.seed, self.next_branch);
                    simulation.redraw();
                    Some(Branch {
                        simulation,
                        ..fork.branch
                    })
                }
                Some(_) => forks.pop().map(|fork| fork.branch),
            };
        }
        true
    }

    /// Follows a branch to its next threshold, where it forks, or to its end.
    fn advance(&mut self, branch: Branch) -> Result<Option<Fork>, GivenUp> {
        let LockUpCycles {
            scenario,
            goal,
            regeneration,
            thresholds,
        } = self.cycles;
        let Branch {
            mut simulation,
            threshold: index,
            weight,
        } = branch;
        let threshold = thresholds.as_slice().get(index);
        let in_system = threshold.map_or(goal.in_system(), |threshold| threshold.in_system);
        let end = regeneration.run(&mut simulation, in_system, self.allowance);
        self.sums.attempts_simulated += simulation.take_counts().attempts;
        let since_start = |time: f64| (time - regeneration.start_time()).max(0.0);
        match (end, threshold) {
            (End::GivenUp, _) => Err(GivenUp),
            (End::Idle, _) => {
                self.sums.time += weight * since_start(simulation.now());
                Ok(None)
            }
            (End::Reached, None) => {
                let time = match goal {
                    Goal::InSystem(_) => simulation.now(),
                    Goal::LockUp { .. } => {
                        self.sums.attempts_simulated += serve_backlog(&mut simulation, scenario);
                        simulation.last_success().unwrap_or(0.0)
                    }
                };
                self.sums.time += weight * since_start(time);
                self.sums.lock_ups += weight;
                Ok(None)
            }
            (End::Reached, Some(threshold)) => Ok(Some(Fork {
                branch: Branch {
                    simulation,
                    threshold: index + 1,
                    weight: weight / f64::from(threshold.branches),
                },
                copies: threshold.branches - 1,
            })),
        }
    }
}

/// The allowance is used up, or a cycle has more branches than it has random streams for.
struct GivenUp;

//! Where to split, found by a pilot run.

use rayon::prelude::*;

use super::allowance::Allowance;
use super::cycles::LockUpCycles;
use super::regeneration::End;
use super::thresholds::{Threshold, Thresholds};
use crate::engine::Simulation;
use crate::error::SimulationError;
use crate::replication::Options;

/// Branches that are followed from each threshold.
const BRANCHES: usize = 1_000;
/// A threshold is reached from the one before by about one branch in so many.
const RARITY: usize = 3;
/// Far from the seeds of estimates.
const SEED: u64 = 0x3c6e_f372_fe94_f82b;
/// Weights below this lose digits.
const WEIGHT_MIN: f64 = 1e-280;
/// Attempts that all states of a pilot hold together at most.
const HELD_MAX: u64 = 50_000_000;

/// How far a pilot run has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pilot {
    /// To the goal: cycles that are split here get there.
    Complete(Thresholds),
    /// To so many attempts in the system, which is not the goal, when its allowance was used up.
    Partial {
        /// Where to split on the way.
        thresholds: Thresholds,
        /// The number that it has reached.
        in_system: u64,
    },
    /// Nowhere: not even plain cycles came to their end.
    Nothing,
}

/// What a branch has done.
#[derive(Debug, Clone, Copy)]
struct Climb {
    /// Most attempts in the system on its way.
    peak: u64,
    end: End,
}

impl LockUpCycles {
    /// Chooses thresholds, so that each is reached from the one before by about one branch in three, and so many branches at
    /// each that about as many arrive at every threshold as cycles begin. Its random numbers are its own, so that the choice
    /// does not depend on those of an estimate under the same seed. It does not depend on the number of threads.
    ///
    /// # Errors
    /// As [`simulate_one`](crate::simulate_one).
    pub fn pilot(&self, seed: u64, allowance: &Allowance) -> Result<Pilot, SimulationError> {
        let seed = seed ^ SEED;
        let goal = self.goal.in_system();
        let mut thresholds: Vec<Threshold> = Vec::new();
        let mut states = Vec::new();
        let mut reached: u64 = 1;
        // Branches per cycle that arrive at the last threshold, and the weight of each.
        let (mut population, mut weight) = (1.0, 1.0);
        let partial = |thresholds, in_system| match in_system {
            1 => Pilot::Nothing,
            _ => Pilot::Partial {
                thresholds: Thresholds::new(thresholds),
                in_system,
            },
        };
        for stage in 0.. {
            let branches = self.branches(seed, stage, &states)?;
            let climbs: Vec<Climb> = branches
                .par_iter()
                .map(|branch| self.climb(branch, allowance))
                .collect();
            let mut peaks: Vec<u64> = climbs.iter().map(|climb| climb.peak).collect();
            peaks.sort_unstable();
            let given_up = climbs.iter().any(|climb| climb.end == End::GivenUp);
            if given_up || weight < WEIGHT_MIN || reached.saturating_mul(BRANCHES as u64) > HELD_MAX {
                return Ok(partial(thresholds, reached));
            }
            if peaks[BRANCHES - BRANCHES / RARITY] >= goal {
                return Ok(Pilot::Complete(Thresholds::new(thresholds)));
            }
            // One beyond the last at least; the goal itself is no threshold.
            let Some(&next) = peaks.iter().find(|&&peak| peak > reached) else {
                return Ok(partial(thresholds, reached));
            };
            reached = peaks[BRANCHES - BRANCHES / RARITY].max(next).min(goal);
            let share = peaks.iter().filter(|&&peak| peak >= reached).count() as f64 / BRANCHES as f64;
            if reached == goal {
                return Ok(Pilot::Complete(Thresholds::new(thresholds)));
            }
            population *= share;
            let copies = libm::round(1.0 / population).max(1.0);
            if copies > 1.0 {
                population *= copies;
                weight /= copies;
                thresholds.push(Threshold {
                    in_system: reached,
                    branches: copies as u32,
                });
            }
            states = branches
                .into_par_iter()
                .zip(climbs)
                .filter(|(_, climb)| climb.peak >= reached)
                .filter_map(|(mut branch, _)| {
                    let end = self.regeneration.run(&mut branch, reached, allowance);
                    (end == End::Reached).then_some(branch)
                })
                .collect();
            if states.is_empty() {
                return Ok(partial(thresholds, reached));
            }
        }
        unreachable!("stages go on until one of them returns")
    }

    /// Cycles at their beginning, or branches from states at the last threshold, each about equally often.
    fn branches(
        &self,
        seed: u64,
        stage: u64,
        states: &[Simulation],
    ) -> Result<Vec<Simulation>, SimulationError> {
        let first = stage * BRANCHES as u64;
        (0..BRANCHES)
            .into_par_iter()
            .map(|index| {
                let replication = first + index as u64;
                if states.is_empty() {
                    return self
                        .regeneration
                        .start(&self.scenario, seed, replication, &Options::default());
                }
                let mut branch = states[index % states.len()].clone();
                branch.reseed(seed, replication);
                branch.redraw();
                Ok(branch)
            })
            .collect()
    }

    /// Follows a copy of a branch to its end.
    fn climb(&self, branch: &Simulation, allowance: &Allowance) -> Climb {
        let mut branch = branch.clone();
        let (peak, end) = self
            .regeneration
            .run_with_peak(&mut branch, self.goal.in_system(), allowance);
        Climb { peak, end }
    }
}

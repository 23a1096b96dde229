//! A busy period of the simulator, split on its way to a full system so that rare ways are met often enough.
//!
//! An empty system starts anew, because nobody waits then, not even for a backoff. So what happens from one moment at which
//! it is empty until the next is independent of the past, and long-run values are ratios of the expectations over such
//! cycles. A cycle that reaches a threshold of attempts in the system is continued several times with different random
//! numbers, each with a share of its weight; weighted sums over the whole tree then have the expectation of plain sums over
//! plain cycles, whatever the thresholds are. (Kahn and Harris, "Estimation of particle transmission by random sampling",
//! 1951.) Where all places are taken only some of the continuations are followed, with so much more weight, because the
//! way back can be long.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use retrylab_model::Scenario;
use retrylab_sim::Simulation;

use crate::Setting;

/// A cycle reaches one threshold from the one before about once in so many times.
const RARITY: f64 = 3.0;
/// How long the way back from full may be on average before only some are followed, in mean service times.
const WAY_BACK: f64 = 100.0;
/// No cycle is as long.
const NEVER: f64 = 1e18;

/// Weighted sums over one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cycle {
    pub(crate) requests: f64,
    pub(crate) successes: f64,
    pub(crate) attempts: f64,
    pub(crate) service_time: f64,
    pub(crate) late_service_time: f64,
    pub(crate) number_area: f64,
    pub(crate) duration: f64,
    /// Duration until full or empty.
    pub(crate) until_full_or_empty: f64,
    /// Weight that reaches full.
    pub(crate) full: f64,
    /// Duration from full until empty.
    pub(crate) until_empty: f64,
}

/// How cycles are split.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    scenario: &'a Scenario,
    seed: u64,
    /// Numbers in the system at which a cycle is split and into how many; the last is full, where nothing splits.
    thresholds: Vec<(u64, u32)>,
    /// Share of the ways back that are followed.
    followed: f64,
}

impl<'a> Tree<'a> {
    /// Thresholds where the chain with so few places is full about three times less often than with as many places as the
    /// threshold before. The choice makes sampling quick or slow; its results are right with any.
    pub(crate) fn new(setting: Setting, scenario: &'a Scenario, seed: u64) -> Self {
        let mut thresholds = Vec::new();
        let mut before = 1.0;
        for places in 2..setting.places {
            let rarity = setting.chain_with(places).time_to_full() * setting.arrival_rate;
            if rarity >= RARITY * before {
                thresholds.push((u64::from(places), (rarity / before).round() as u32));
                before = rarity;
            }
        }
        thresholds.push((u64::from(setting.places), 1));
        let way_back = setting.solved()[5] * setting.service_rate;
        Self {
            scenario,
            seed,
            thresholds,
            followed: (WAY_BACK / way_back).min(1.0),
        }
    }

    /// The sums over the cycle of this number.
    pub(crate) fn cycle(&self, number: u64) -> Cycle {
        let mut growing = Growing {
            tree: self,
            choices: Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number << 20),
            // Far enough from the next cycle's for any number of branches.
            next_branch: number << 24,
            sums: Cycle::default(),
        };
        let mut simulation = Simulation::new(self.scenario, self.seed, growing.branch()).unwrap();
        simulation.run_while(NEVER, |state| state.in_system() == 0);
        growing.follow(simulation, 0, 1.0);
        growing.sums
    }
}

/// A tree that grows.
struct Growing<'a> {
    tree: &'a Tree<'a>,
    choices: Xoshiro256PlusPlus,
    next_branch: u64,
    sums: Cycle,
}

impl Growing<'_> {
    fn branch(&mut self) -> u64 {
        self.next_branch += 1;
        self.next_branch
    }

    /// Follows a cycle to the threshold of this index, and beyond it if it gets there.
    fn follow(&mut self, mut simulation: Simulation, index: usize, weight: f64) {
        let (threshold, copies) = self.tree.thresholds[index];
        // With a single place the first arrival takes all.
        if simulation.in_system() < threshold {
            simulation.run_while(NEVER, |state| (1..threshold).contains(&state.in_system()));
        }
        self.sums.until_full_or_empty += self.count(&mut simulation, weight);
        if simulation.in_system() == 0 {
            return;
        }
        if index + 1 == self.tree.thresholds.len() {
            return self.follow_back(simulation, weight);
        }
        let share = weight / f64::from(copies);
        for _ in 1..copies {
            let mut copy = simulation.clone();
            copy.reseed(self.tree.seed, self.branch());
            copy.redraw();
            self.follow(copy, index + 1, share);
        }
        self.follow(simulation, index + 1, share);
    }

    /// From full to empty.
    fn follow_back(&mut self, mut simulation: Simulation, weight: f64) {
        self.sums.full += weight;
        let chance = (self.choices.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if chance < self.tree.followed {
            simulation.run_while(NEVER, |state| state.in_system() > 0);
            self.sums.until_empty += self.count(&mut simulation, weight / self.tree.followed);
        }
    }

    /// Adds what has happened since the last call; returns the weighted duration.
    fn count(&mut self, simulation: &mut Simulation, weight: f64) -> f64 {
        let counts = simulation.take_counts();
        let time = |ticks: u128| weight * ticks as f64 * counts.tick;
        let duration = time(counts.duration);
        let sums = &mut self.sums;
        sums.requests += weight * counts.requests as f64;
        sums.successes += weight * counts.successes as f64;
        sums.attempts += weight * counts.attempts as f64;
        sums.service_time += time(counts.service_time);
        sums.late_service_time += time(counts.late_service_time);
        sums.number_area += time(counts.in_system_area);
        sums.duration += duration;
        duration
    }
}

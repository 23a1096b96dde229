//! A deliberately naive simulator, written from the meaning of the words and sharing only the random streams, the samplers
//! and the clock with the engine: one object per request and attempt, one heap of all events, absolute time, a log of
//! everything that happens, and counts made from the log afterwards.

mod breaker;
mod log;
mod settings;
mod tier;

use std::collections::VecDeque;

use retrylab_model::Scenario;
use retrylab_sim::random::Streams;
use retrylab_sim::{Clock, Counts};

use tier::{Message, Tier};

pub(crate) struct Shadow {
    /// From the outside in.
    tiers: Vec<Tier>,
}

impl Shadow {
    /// Runs from 0 to `until`.
    pub(crate) fn run(scenario: &Scenario, seed: u64, replication: u64, until: f64) -> Self {
        let clock = Clock::for_scenario(scenario).unwrap();
        let number = scenario.tier_count();
        let tier = |index: u32| {
            let streams = Streams::of_tier(seed, replication, index);
            Tier::new(
                scenario.tier(index),
                clock,
                streams,
                index > 0,
                index + 1 < number,
            )
        };
        let mut shadow = Self {
            tiers: (0..number).map(tier).collect(),
        };
        shadow.run_to(clock.moment(until));
        shadow
    }

    fn run_to(&mut self, end: i128) {
        // At equal times the innermost tier comes first.
        while let Some((now, index)) = (0..self.tiers.len())
            .rev()
            .filter_map(|index| Some((self.tiers[index].next_event()?, index)))
            .min_by_key(|&(at, _)| at)
            && now < end
        {
            self.tiers[index].next_happens();
            self.deliver(now);
        }
        for tier in &mut self.tiers {
            tier.now = end;
        }
    }

    /// Hands over what the tiers have left for one another; first come, first served.
    fn deliver(&mut self, now: i128) {
        let mut post: VecDeque<(usize, Message)> = VecDeque::new();
        loop {
            for (index, tier) in self.tiers.iter_mut().enumerate() {
                post.extend(tier.messages.drain(..).map(|message| (index, message)));
            }
            match post.pop_front() {
                Some((from, Message::Call { attempt })) => self.tiers[from + 1].called_by(attempt, now),
                Some((from, Message::Reply { attempt, good })) => {
                    self.tiers[from - 1].answered(attempt, good, now);
                }
                None => return,
            }
        }
    }

    /// The last success, in the scenario's unit of time.
    pub(crate) fn last_success(&self) -> Option<f64> {
        self.tiers[0].last_success()
    }

    /// Counts everything from `from` to `to`.
    pub(crate) fn counts(&self, from: f64, to: f64) -> Counts {
        Counts {
            inner: self.tiers[1..].iter().map(|tier| tier.counts(from, to)).collect(),
            ..self.tiers[0].counts(from, to)
        }
    }

    /// Sojourn times in ticks of the completions from `from` to `to` at the outermost tier, sorted.
    pub(crate) fn sojourn_times(&self, from: f64, to: f64) -> Vec<i128> {
        self.tiers[0].sojourn_times(from, to)
    }
}

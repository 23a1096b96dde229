//! Several tiers under one clock.
//!
//! An event at a tier may leave messages for its neighbours, which are delivered before anything else happens, in the order
//! in which they were left.

use std::collections::VecDeque;

use super::Simulation;
use super::links::Message;
use super::tier::Tier;

impl Simulation {
    /// Processes the events of all tiers in the order of time; of those at the same tick the innermost tier's first. Returns
    /// whether the limit was reached.
    pub(super) fn run_chain(&mut self, limit: i64, keep_going: &mut impl FnMut(&Self) -> bool) -> bool {
        loop {
            let mut first = (self.outer.next_event(), 0);
            for (tier, index) in self.inner.iter().zip(1..) {
                let next = tier.next_event();
                if next <= first.0 {
                    first = (next, index);
                }
            }
            let (next, index) = first;
            self.tiers_mut().for_each(|tier| tier.now = next.min(limit));
            if next >= limit {
                return true;
            }
            self.tier_mut(index).step::<false>(limit);
            self.deliver_from(index);
            if !keep_going(self) {
                return false;
            }
        }
    }

    /// Delivers what a tier has left for its neighbours, what these leave then, and so on.
    fn deliver_from(&mut self, index: usize) {
        let mut pending: VecDeque<(usize, Message)> = VecDeque::new();
        let collect = |pending: &mut VecDeque<(usize, Message)>, index: usize, tier: &mut Tier| {
            pending.extend(tier.take_messages().map(|message| (index, message)));
        };
        collect(&mut pending, index, self.tier_mut(index));
        while let Some((from, message)) = pending.pop_front() {
            let to = match message {
                Message::Call(_) => from + 1,
                Message::Reply { .. } => from - 1,
            };
            let tier = self.tier_mut(to);
            match message {
                Message::Call(call) => tier.accept(call),
                Message::Reply { call, good } => tier.hear(call, good),
            }
            collect(&mut pending, to, tier);
        }
    }

    fn tier_mut(&mut self, index: usize) -> &mut Tier {
        match index {
            0 => &mut self.outer,
            _ => &mut self.inner[index - 1],
        }
    }
}

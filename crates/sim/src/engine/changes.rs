//! What the schedule changes, and what that means for what is under way.

use super::budget::Budgets;
use super::plan::{Order, ordinal, retry};
use super::schedule::Change;
use super::tier::Tier;
use crate::clock::round_duration;
use crate::random::Bernoulli;

impl Tier {
    /// The next change of the schedule happens.
    pub(super) fn change(&mut self) {
        match self.schedule.pop() {
            Some(Change::StallBegins) => self.begin_stall(),
            Some(Change::StallEnds) => self.end_stall(),
            Some(Change::Capacity(capacity)) => self.set_capacity(capacity),
            Some(Change::Rate(rate)) => self.set_rate(rate),
            Some(Change::ErrorProbability(probability)) => self.plan.error = Bernoulli::new(probability),
            Some(Change::Attempts(attempts)) => self.plan.attempts = ordinal(attempts),
            Some(Change::RetryProbability(probability)) => self.plan.retry = retry(probability),
            Some(Change::RetriesPerFailure(retries)) => {
                if let Some(offspring) = &mut self.offspring {
                    offspring.set_retries_per_failure(retries);
                }
            }
            Some(Change::Discipline(discipline)) => self.plan.order = Order::of(discipline),
            Some(Change::Budget(budget)) => {
                let moment = self.moment();
                self.budgets = Budgets::new(&budget, self.plan.clients, &self.plan.clock, moment);
            }
            None => {}
        }
        self.refresh_next_change();
    }

    fn begin_stall(&mut self) {
        self.count_areas();
        self.stalled_since = Some(self.now);
        self.servers.pause();
    }

    fn end_stall(&mut self) {
        self.count_areas();
        if let Some(since) = self.stalled_since.take() {
            self.servers.resume(self.now - since);
        }
        self.serve_all();
    }

    /// The servers work faster or slower from now on, on what they have begun too.
    fn set_capacity(&mut self, capacity: f64) {
        let factor = self.plan.set_capacity(capacity);
        // In a stall, work stands where it stood when the stall began.
        let since = self.stalled_since.unwrap_or(self.now);
        self.servers
            .reschedule(|_, finish| since + scaled(finish - since, factor));
    }

    /// New requests come faster or slower from now on, the next one too.
    fn set_rate(&mut self, rate: f64) {
        let factor = self.plan.set_rate(rate);
        self.next_arrival = self.now + scaled(self.next_arrival - self.now, factor);
    }
}

/// A length of time in ticks after a change of speed, to the nearest tick.
pub(super) fn scaled(ticks: i64, factor: f64) -> i64 {
    round_duration(ticks as f64 * factor)
}

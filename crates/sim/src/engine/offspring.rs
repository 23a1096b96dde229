//! Failures that spawn retries: each failed attempt brings a number of further ones, whatever has become of its siblings, so
//! that a request has several attempts at a time.

use std::collections::VecDeque;

use super::attempt::Attempt;
use super::budget::Failure;
use super::tier::Tier;
use crate::random::{Bernoulli, Stream};

/// How many retries a failure brings, and those that are about to be sent.
#[derive(Debug, Clone)]
pub(super) struct Offspring {
    retries: RetriesPerFailure,
    /// Attempts that are sent before anything else happens.
    to_send: VecDeque<Attempt>,
}

/// A whole number of retries per failure, and one more with some probability.
#[derive(Debug, Clone, Copy)]
struct RetriesPerFailure {
    whole: u32,
    /// Absent when there is nothing to draw.
    another: Option<Bernoulli>,
}

impl RetriesPerFailure {
    fn new(retries: f64) -> Self {
        let whole = libm::floor(retries);
        let fraction = retries - whole;
        Self {
            whole: whole as u32,
            another: (fraction > 0.0).then(|| Bernoulli::new(fraction)),
        }
    }

    fn sample(self, stream: &mut Stream) -> u32 {
        self.whole + u32::from(self.another.is_some_and(|another| another.sample(stream)))
    }
}

impl Offspring {
    pub(super) fn new(retries_per_failure: f64) -> Self {
        Self {
            retries: RetriesPerFailure::new(retries_per_failure),
            to_send: VecDeque::new(),
        }
    }

    pub(super) fn set_retries_per_failure(&mut self, retries: f64) {
        self.retries = RetriesPerFailure::new(retries);
    }
}

// Out of line, so that what all other scenarios run stays short.
impl Tier {
    /// An attempt has failed, and what it spawns is sent; those of its retries that are rejected at once fail and spawn in
    /// turn, in the order in which they were sent. All join the line before idle servers take from it.
    #[inline(never)]
    pub(super) fn spawn(&mut self, attempt: Attempt, failure: Failure) {
        self.beget(attempt, failure);
        while let Some(retry) = self
            .offspring
            .as_mut()
            .and_then(|offspring| offspring.to_send.pop_front())
        {
            if !self.breaker_lets_pass(retry) {
                continue;
            }
            self.counts.attempts += 1;
            self.counts.retries += 1;
            if !self.line_up(retry) {
                self.count_rejection();
                self.show_breaker(retry, true);
                self.beget(retry, Failure::Rejected);
            }
        }
        self.serve_all();
    }

    /// An attempt has failed: as many retries as it spawns ask the budget and back off, each by itself.
    fn beget(&mut self, attempt: Attempt, failure: Failure) {
        let client = self.client(attempt);
        let retries = match &self.offspring {
            Some(offspring) if failure != Failure::Rejected || self.plan.retry_rejected => {
                offspring.retries.sample(&mut self.streams.retries)
            }
            _ => 0,
        };
        for _ in 0..retries {
            if !self.budgets.spend(client, failure) {
                self.counts.budget_denied += 1;
                continue;
            }
            let retry = self.back_off(attempt);
            if let Some(requests) = &mut self.requests {
                requests.add_attempt(attempt.owner());
            }
            if let Some(offspring) = &mut self.offspring {
                offspring.to_send.extend(retry);
            }
        }
        self.lose::<false>(attempt);
    }
}

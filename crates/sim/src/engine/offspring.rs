//! Failures that spawn retries: each failed attempt brings a number of further ones, whatever has become of its siblings, so
//! that a request has several attempts at a time.

use std::collections::VecDeque;

use super::Simulation;
use super::attempt::Attempt;
use super::budget::Failure;
use crate::random::{Bernoulli, Stream};

/// A request of which an attempt is still to fail or to be answered in time.
#[derive(Debug, Clone, Copy)]
struct Request {
    client: u32,
    /// Attempts whose client waits for the answer or for the backoff to pass.
    attempts: u32,
    has_succeeded: bool,
}

/// The requests with attempts that are still to fail or to be answered, and how many retries a failure brings.
#[derive(Debug, Clone)]
pub(super) struct Offspring {
    retries: RetriesPerFailure,
    /// Requests by number, those of the free numbers included.
    requests: Vec<Request>,
    free: Vec<u32>,
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
            requests: Vec::new(),
            free: Vec::new(),
            to_send: VecDeque::new(),
        }
    }

    /// A new request with one attempt; returns its number.
    pub(super) fn open(&mut self, client: u32) -> u32 {
        let request = Request {
            client,
            attempts: 1,
            has_succeeded: false,
        };
        if let Some(number) = self.free.pop() {
            self.requests[number as usize] = request;
            number
        } else {
            self.requests.push(request);
            (self.requests.len() - 1) as u32
        }
    }

    pub(super) fn client(&self, number: u32) -> u32 {
        self.requests[number as usize].client
    }

    /// An attempt of a request has failed, been answered or been kept from being sent; returns whether it was the last of one that never succeeded.
    pub(super) fn close_attempt(&mut self, number: u32) -> bool {
        let request = &mut self.requests[number as usize];
        request.attempts -= 1;
        if request.attempts > 0 {
            return false;
        }
        self.free.push(number);
        !request.has_succeeded
    }
}

// Out of line, so that what all other scenarios run stays short.
impl Simulation {
    /// A client hears a good answer in time to an attempt that may not be the only one of its request.
    #[inline(never)]
    pub(super) fn answer_one_of_several(&mut self, number: u32) {
        let Some(offspring) = &mut self.offspring else {
            return;
        };
        let request = &mut offspring.requests[number as usize];
        let client = request.client;
        let is_first = !std::mem::replace(&mut request.has_succeeded, true);
        offspring.close_attempt(number);
        if is_first {
            self.succeed(client);
        } else {
            self.counts.duplicate_answers += 1;
        }
    }

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
                self.counts.rejected += 1;
                self.show_breaker(retry, true);
                self.beget(retry, Failure::Rejected);
            }
        }
        self.serve_all();
    }

    /// An attempt has failed: as many retries as it spawns ask the budget and back off, each by itself.
    fn beget(&mut self, attempt: Attempt, failure: Failure) {
        let Some(offspring) = &mut self.offspring else {
            return;
        };
        let client = offspring.client(attempt.owner());
        let retries = if failure == Failure::Rejected && !self.plan.retry_rejected {
            0
        } else {
            offspring.retries.sample(&mut self.streams.retries)
        };
        for _ in 0..retries {
            if !self.budgets.spend(client, failure) {
                self.counts.budget_denied += 1;
                continue;
            }
            let retry = self.back_off(attempt);
            if let Some(offspring) = &mut self.offspring {
                offspring.requests[attempt.owner() as usize].attempts += 1;
                offspring.to_send.extend(retry);
            }
        }
        if let Some(offspring) = &mut self.offspring
            && offspring.close_attempt(attempt.owner())
        {
            self.lose();
        }
    }
}

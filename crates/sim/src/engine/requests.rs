//! Requests that go by numbers: where a request may have several attempts at a time, or somebody waits for what becomes of it.

use super::links::Call;
use super::tier::Tier;

/// A request of which an attempt is still to fail or to be answered in time.
#[derive(Debug, Clone, Copy)]
struct Request {
    client: u32,
    /// Attempts whose client waits for the answer or for the backoff to pass.
    attempts: u32,
    has_succeeded: bool,
    /// The call that it comes from, where another tier calls.
    call: Call,
}

/// What a good answer to an attempt means for its request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Good {
    pub(super) client: u32,
    pub(super) call: Call,
    /// Whether the request had not succeeded before.
    pub(super) is_first: bool,
}

/// The requests with attempts that are still to fail or to be answered.
#[derive(Debug, Clone, Default)]
pub(super) struct Requests {
    /// Requests by number, those of the free numbers included.
    requests: Vec<Request>,
    free: Vec<u32>,
}

impl Requests {
    /// A new request with one attempt; returns its number.
    pub(super) fn open(&mut self, client: u32, call: Call) -> u32 {
        let request = Request {
            client,
            attempts: 1,
            has_succeeded: false,
            call,
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

    /// A request gets one attempt more.
    pub(super) fn add_attempt(&mut self, number: u32) {
        self.requests[number as usize].attempts += 1;
    }

    /// An attempt of a request is answered well.
    pub(super) fn answer(&mut self, number: u32) -> Good {
        let request = &mut self.requests[number as usize];
        let good = Good {
            client: request.client,
            call: request.call,
            is_first: !std::mem::replace(&mut request.has_succeeded, true),
        };
        self.close_attempt(number);
        good
    }

    /// An attempt of a request is given up; where it was the last of one that never succeeded, returns where that came from.
    pub(super) fn give_up(&mut self, number: u32) -> Option<Call> {
        let request = self.requests[number as usize];
        (self.close_attempt(number) && !request.has_succeeded).then_some(request.call)
    }

    /// Returns whether the attempt was the last.
    fn close_attempt(&mut self, number: u32) -> bool {
        let request = &mut self.requests[number as usize];
        request.attempts -= 1;
        let is_last = request.attempts == 0;
        if is_last {
            self.free.push(number);
        }
        is_last
    }

    pub(super) fn shift(&mut self, by: i64) {
        for request in &mut self.requests {
            request.call.shift(by);
        }
    }
}

// Out of line, so that what all other scenarios run stays short.
impl Tier {
    /// A client hears a good answer in time to an attempt of a request that goes by a number.
    #[inline(never)]
    pub(super) fn answer_by_number(&mut self, number: u32) {
        let Some(requests) = &mut self.requests else {
            return;
        };
        let good = requests.answer(number);
        if good.is_first {
            self.succeed(good.client);
            self.reply(good.call, true);
        } else {
            self.counts.duplicate_answers += 1;
        }
    }

    /// An attempt of a request that goes by a number is given up.
    #[inline(never)]
    pub(super) fn lose_by_number(&mut self, number: u32) {
        let lost = self
            .requests
            .as_mut()
            .and_then(|requests| requests.give_up(number));
        if let Some(call) = lost {
            self.count_loss();
            self.reply(call, false);
        }
    }
}

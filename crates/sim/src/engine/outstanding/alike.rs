//! Clients that all wait equally long.

use std::collections::VecDeque;

use crate::engine::attempt::Attempt;
use crate::engine::plan::NEVER;

/// A client that waits. Packed, because an attempt that waits in the line while its client waits too should not need more
/// than 32 bytes in all.
#[derive(Debug, Clone, Copy, Default)]
#[repr(Rust, packed(2))]
struct Waiting {
    sent: i64,
    /// Owner and fate.
    origin: u32,
    /// 0 once the client has its answer.
    ordinal: u16,
}

/// All clients that wait with the same timeout, so those that sent first give up first: a queue of attempts by serial
/// number, from the oldest that still waits. An attempt with a serial number before that is given up or answered.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Alike {
    waiting: VecDeque<Waiting>,
    timeout: i64,
    /// An attempt of at least this age is dropped when its service would start.
    skip_age: i64,
    /// Serial number of the first entry.
    base: u64,
    next_timeout: i64,
}

impl Alike {
    /// Clients who wait for `timeout`, and a deadline check that drops what has at most `margin` of it left.
    pub(super) fn new(timeout: i64, margin: Option<i64>) -> Self {
        Self {
            waiting: VecDeque::new(),
            timeout,
            skip_age: margin.map_or(NEVER, |margin| timeout - margin),
            base: 0,
            next_timeout: NEVER,
        }
    }

    /// When the next client gives up.
    #[inline]
    pub(super) fn next_timeout(&self) -> i64 {
        self.next_timeout
    }

    /// A client begins to wait; returns the attempt's serial number.
    #[inline]
    pub(super) fn push(&mut self, sent: i64, attempt: Attempt) -> u64 {
        let serial = self.base + self.waiting.len() as u64;
        if self.waiting.is_empty() {
            self.next_timeout = sent + self.timeout;
        }
        self.waiting.push_back(Waiting {
            sent,
            origin: attempt.origin,
            ordinal: attempt.ordinal,
        });
        serial
    }

    /// Whether an attempt that has waited for so long is dropped.
    #[inline]
    pub(super) fn skips(&self, waiting_time: i64) -> bool {
        waiting_time >= self.skip_age
    }

    /// Whether the client of an attempt of this age waits.
    pub(super) fn waits(&self, sojourn_time: i64) -> bool {
        sojourn_time <= self.timeout
    }

    /// The client of the attempt `serial` gets its answer, if it still waits.
    #[inline(always)]
    pub(super) fn answer(&mut self, serial: u64, sojourn_time: i64) -> Option<Attempt> {
        if sojourn_time > self.timeout {
            return None;
        }
        if serial == self.base {
            // First in, first out: the client that has waited longest.
            return self.take_first();
        }
        assert!(
            serial > self.base,
            "attempt {serial} was given up before its answer came in time"
        );
        let waiting = &mut self.waiting[(serial - self.base) as usize];
        let attempt = Attempt {
            origin: waiting.origin,
            ordinal: waiting.ordinal,
        };
        waiting.ordinal = 0;
        Some(attempt)
    }

    /// The client that has waited longest waits no more.
    #[inline(always)]
    pub(super) fn take_first(&mut self) -> Option<Attempt> {
        let waiting = self.waiting.pop_front()?;
        self.base += 1;
        self.drop_answered();
        Some(Attempt {
            origin: waiting.origin,
            ordinal: waiting.ordinal,
        })
    }

    /// Drops answered clients at the front.
    #[inline(always)]
    fn drop_answered(&mut self) {
        while let Some(waiting) = self.waiting.front() {
            if waiting.ordinal != 0 {
                self.next_timeout = waiting.sent + self.timeout;
                return;
            }
            self.waiting.pop_front();
            self.base += 1;
        }
        self.next_timeout = NEVER;
    }

    pub(super) fn delay_the_check(&mut self, lag: i64) {
        self.skip_age = self.skip_age.saturating_add(lag);
    }

    pub(super) fn shift(&mut self, by: i64) {
        for waiting in &mut self.waiting {
            waiting.sent += by;
        }
        if self.next_timeout != NEVER {
            self.next_timeout += by;
        }
    }
}

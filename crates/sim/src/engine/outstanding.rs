//! Clients that wait for an answer.

use super::plan::NEVER;
use crate::chunked::Chunked;

/// Whose attempt it is and which: client instance and ordinal of the attempt, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) client: u32,
    pub(super) ordinal: u16,
}

impl Attempt {
    /// In one number.
    #[inline]
    pub(super) fn to_tag(self) -> u64 {
        u64::from(self.client) << 16 | u64::from(self.ordinal)
    }

    #[inline]
    pub(super) fn from_tag(tag: u64) -> Self {
        Self {
            client: (tag >> 16) as u32,
            ordinal: (tag & 0xFFFF) as u16,
        }
    }
}

/// A client that waits. Packed, because an attempt that waits in the line while its client waits too should not need more
/// than 32 bytes in all.
#[derive(Debug, Clone, Copy, Default)]
#[repr(Rust, packed(2))]
struct Waiting {
    sent: i64,
    client: u32,
    /// 0 once the client has its answer.
    ordinal: u16,
}

/// All clients that wait with the same timeout, so those that sent first give up first: a queue of attempts by serial
/// number, from the oldest that still waits. An attempt with a serial number before that is given up or answered.
#[derive(Debug, Clone)]
pub(super) struct Outstanding {
    waiting: Chunked<Waiting>,
    timeout: i64,
    /// Serial number of the first entry.
    base: u64,
    next_timeout: i64,
}

impl Outstanding {
    pub(super) fn new(timeout: i64) -> Self {
        Self {
            waiting: Chunked::new(),
            timeout,
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
        if self.waiting.len() == 0 {
            self.next_timeout = sent + self.timeout;
        }
        self.waiting.push_back(Waiting {
            sent,
            client: attempt.client,
            ordinal: attempt.ordinal,
        });
        serial
    }

    /// The client that waits for the attempt `serial` gets its answer.
    #[inline]
    pub(super) fn answer(&mut self, serial: u64) -> Option<Attempt> {
        if serial == self.base {
            // First in, first out: the client that has waited longest.
            return self.take_first();
        }
        assert!(
            serial > self.base,
            "attempt {serial} was given up before its answer came in time"
        );
        let waiting = self.waiting.get_mut((serial - self.base) as usize);
        let attempt = Attempt {
            client: waiting.client,
            ordinal: waiting.ordinal,
        };
        waiting.ordinal = 0;
        Some(attempt)
    }

    /// The client that has waited longest waits no more.
    #[inline]
    pub(super) fn take_first(&mut self) -> Option<Attempt> {
        let waiting = self.waiting.pop_front()?;
        self.base += 1;
        self.drop_answered();
        Some(Attempt {
            client: waiting.client,
            ordinal: waiting.ordinal,
        })
    }

    /// Drops answered clients at the front.
    #[inline]
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

    pub(super) fn shift(&mut self, by: i64) {
        self.waiting.for_each_mut(|waiting| waiting.sent += by);
        if self.next_timeout != NEVER {
            self.next_timeout += by;
        }
    }
}

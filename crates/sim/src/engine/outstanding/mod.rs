//! Clients that wait for an answer, and how much time their attempts have left.

mod alike;
mod varied;

use retrylab_model::{DeadlineCheck, Scenario, Timeout};

use self::alike::Alike;
use self::varied::Varied;
use super::attempt::Attempt;
use super::plan::NEVER;
use crate::clock::Clock;
use crate::random::{ExponentialTicks, Stream};

/// All clients that wait. A ticket names an attempt while it is in the system, whether its client still waits or not.
// A tag of its own takes one comparison to read, where one that is hidden in a field takes several.
#[repr(u8)]
#[derive(Debug, Clone)]
pub(super) enum Outstanding {
    /// Clients wait for ever: the ticket says whose attempt it is.
    Patient,
    Alike(Alike),
    Varied(Varied),
}

impl Outstanding {
    pub(super) fn new(scenario: &Scenario, clock: &Clock) -> Self {
        let margin = margin(scenario.server.deadline_check, clock);
        match scenario.client.timeout {
            None => Self::Patient,
            // A timeout shorter than a tick would let an answer without service time be in time or not by rounding.
            Some(Timeout::Constant(time)) => {
                Self::Alike(Alike::new(clock.duration(time.value()).max(1), margin))
            }
            Some(Timeout::Exponential { mean }) => {
                Self::Varied(Varied::new(ExponentialTicks::new(mean.value(), clock), margin))
            }
        }
    }

    /// When the next client gives up.
    #[inline]
    pub(super) fn next_timeout(&self) -> i64 {
        match self {
            Self::Patient => NEVER,
            Self::Alike(clients) => clients.next_timeout(),
            Self::Varied(clients) => clients.next_timeout(),
        }
    }

    /// A client begins to wait; returns the attempt's ticket.
    #[inline]
    pub(super) fn push(&mut self, now: i64, attempt: Attempt, patience: &mut Stream) -> u64 {
        match self {
            Self::Patient => attempt.to_tag(),
            Self::Alike(clients) => clients.push(now, attempt),
            Self::Varied(clients) => clients.push(now, attempt, patience),
        }
    }

    /// Whether the deadline check drops an attempt whose service would start now; then it has left the system.
    #[inline]
    pub(super) fn skip(&mut self, ticket: u64, waiting_time: i64, now: i64) -> bool {
        match self {
            Self::Patient => false,
            Self::Alike(clients) => clients.skips(waiting_time),
            Self::Varied(clients) => clients.skip(ticket, now),
        }
    }

    /// Whether the client of an attempt that has been served still waits.
    pub(super) fn waits(&self, ticket: u64, sojourn_time: i64) -> bool {
        match self {
            Self::Patient => true,
            Self::Alike(clients) => clients.waits(sojourn_time),
            Self::Varied(clients) => clients.waits(ticket),
        }
    }

    /// An attempt is answered and leaves the system: returns it if its client still waits.
    #[inline(always)]
    pub(super) fn answer(&mut self, ticket: u64, sojourn_time: i64) -> Option<Attempt> {
        match self {
            Self::Patient => Some(Attempt::from_tag(ticket)),
            Self::Alike(clients) => clients.answer(ticket, sojourn_time),
            Self::Varied(clients) => clients.answer(ticket),
        }
    }

    /// The client whose time ends first gives up.
    #[inline]
    pub(super) fn take_first(&mut self) -> Option<Attempt> {
        match self {
            Self::Patient => None,
            Self::Alike(clients) => clients.take_first(),
            Self::Varied(clients) => clients.take_first(),
        }
    }

    /// Clients of exponential patience begin to wait anew.
    pub(super) fn redraw(&mut self, now: i64, patience: &mut Stream) {
        if let Self::Varied(clients) = self {
            clients.redraw(now, patience);
        }
    }

    /// A fault: the deadline check drops only what it should have dropped so long ago.
    pub(super) fn delay_the_check(&mut self, lag: i64) {
        match self {
            Self::Patient => {}
            Self::Alike(clients) => clients.delay_the_check(lag),
            Self::Varied(clients) => clients.delay_the_check(lag),
        }
    }

    pub(super) fn shift(&mut self, by: i64) {
        match self {
            Self::Patient => {}
            Self::Alike(clients) => clients.shift(by),
            Self::Varied(clients) => clients.shift(by),
        }
    }
}

/// An attempt with at most this much time left is dropped when its service would start; none without a check.
///
/// `skip-expired` drops what has a deadline not after now; `skip-doomed` drops what has less than the expected service
/// time left.
fn margin(check: DeadlineCheck, clock: &Clock) -> Option<i64> {
    match check {
        DeadlineCheck::None => None,
        DeadlineCheck::SkipExpired => Some(0),
        DeadlineCheck::SkipDoomed { service } => Some(clock.duration(service.value()).max(1) - 1),
    }
}

//! Clients of whom each waits for a time of its own.

use crate::engine::attempt::Attempt;
use crate::engine::heap::EventHeap;
use crate::engine::plan::shift_sent;
use crate::random::{ExponentialTicks, Stream};

/// So many answered clients may stand among those who wait before they are looked for and dropped.
const ANSWERED_MAX: usize = 64;

/// How a client and its attempt stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Waits,
    /// The client waits, but the attempt was dropped.
    WaitsInVain,
    /// The attempt is in the system, but its client has given up.
    GaveUp,
    /// Neither; the deadline has not been dropped yet.
    Answered,
}

/// An attempt in the system or a client that waits, or both.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    deadline: i64,
    /// Owner and fate.
    origin: u32,
    ordinal: u16,
    state: State,
}

/// Clients with exponential patience. A ticket is the number of a slot, which is free again when the attempt has left the
/// system and the deadline has passed or been dropped.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Varied {
    patience: ExponentialTicks,
    /// An attempt with at most this much time left is dropped when its service would start.
    margin: Option<i64>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Slots by deadline: every client that waits and, behind the first of these, some that are answered.
    deadlines: EventHeap,
    /// Answered clients among the deadlines.
    answered: usize,
}

// Out of line, so that what all other scenarios run stays short.
impl Varied {
    pub(super) fn new(patience: ExponentialTicks, margin: Option<i64>) -> Self {
        Self {
            patience,
            margin,
            slots: Vec::new(),
            free: Vec::new(),
            deadlines: EventHeap::default(),
            answered: 0,
        }
    }

    /// When the next client gives up.
    #[inline]
    pub(super) fn next_timeout(&self) -> i64 {
        self.deadlines.next_at()
    }

    /// A client begins to wait; returns the attempt's ticket.
    #[inline(never)]
    pub(super) fn push(&mut self, now: i64, attempt: Attempt, stream: &mut Stream) -> u64 {
        // As long as a constant timeout is at least.
        let deadline = now + self.patience.sample(stream).max(1);
        let slot = Slot {
            deadline,
            origin: attempt.origin,
            ordinal: attempt.ordinal,
            state: State::Waits,
        };
        let ticket = if let Some(index) = self.free.pop() {
            self.slots[index as usize] = slot;
            u64::from(index)
        } else {
            self.slots.push(slot);
            (self.slots.len() - 1) as u64
        };
        self.deadlines.push(deadline, ticket);
        ticket
    }

    /// Whether the deadline check drops an attempt whose service would start now.
    #[inline(never)]
    pub(super) fn skip(&mut self, ticket: u64, now: i64) -> bool {
        let Some(margin) = self.margin else {
            return false;
        };
        let slot = &mut self.slots[ticket as usize];
        if slot.deadline - now > margin {
            return false;
        }
        match slot.state {
            State::Waits => slot.state = State::WaitsInVain,
            State::GaveUp => self.free.push(ticket as u32),
            State::WaitsInVain | State::Answered => unreachable!("attempt {ticket} has left the system"),
        }
        true
    }

    /// Whether the client of an attempt waits.
    pub(super) fn waits(&self, ticket: u64) -> bool {
        self.slots[ticket as usize].state == State::Waits
    }

    /// An attempt is answered: returns it if its client still waits.
    #[inline(never)]
    pub(super) fn answer(&mut self, ticket: u64) -> Option<Attempt> {
        let slot = &mut self.slots[ticket as usize];
        match slot.state {
            State::Waits => {
                slot.state = State::Answered;
                let attempt = slot.attempt();
                self.answered += 1;
                self.drop_answered();
                Some(attempt)
            }
            State::GaveUp => {
                self.free.push(ticket as u32);
                None
            }
            State::WaitsInVain | State::Answered => unreachable!("attempt {ticket} has left the system"),
        }
    }

    /// The client whose time ends first gives up.
    #[inline(never)]
    pub(super) fn take_first(&mut self) -> Option<Attempt> {
        let ticket = self.deadlines.pop()?;
        let slot = &mut self.slots[ticket as usize];
        let attempt = slot.attempt();
        if slot.state == State::Waits {
            slot.state = State::GaveUp;
        } else {
            self.free.push(ticket as u32);
        }
        self.drop_answered();
        Some(attempt)
    }

    /// Drops answered clients at the front, and all of them when they are many.
    fn drop_answered(&mut self) {
        let Self {
            slots,
            free,
            deadlines,
            answered,
            ..
        } = self;
        let is_answered = |ticket: u64| slots[ticket as usize].state == State::Answered;
        while let Some(ticket) = deadlines.first().filter(|&ticket| is_answered(ticket)) {
            deadlines.pop();
            free.push(ticket as u32);
            *answered -= 1;
        }
        if *answered > ANSWERED_MAX.max(deadlines.len() / 2) {
            deadlines.retain(|ticket| {
                let stays = !is_answered(ticket);
                if !stays {
                    free.push(ticket as u32);
                }
                stays
            });
            *answered = 0;
        }
    }

    /// Every client begins to wait anew.
    pub(super) fn redraw(&mut self, now: i64, stream: &mut Stream) {
        let Self {
            patience,
            slots,
            deadlines,
            ..
        } = self;
        deadlines.reschedule(|ticket, deadline| {
            let slot = &mut slots[ticket as usize];
            if slot.state == State::Answered {
                return deadline;
            }
            slot.deadline = now + patience.sample(stream).max(1);
            slot.deadline
        });
        self.drop_answered();
    }

    pub(super) fn delay_the_check(&mut self, lag: i64) {
        self.margin = self.margin.map(|margin| margin - lag);
    }

    pub(super) fn shift(&mut self, by: i64) {
        for slot in &mut self.slots {
            shift_sent(&mut slot.deadline, by);
        }
        self.deadlines.shift(by);
    }
}

impl Slot {
    fn attempt(&self) -> Attempt {
        Attempt {
            origin: self.origin,
            ordinal: self.ordinal,
        }
    }
}

#[cfg(test)]
mod tests {
    use retrylab_model::{ScenarioSpec, Traffic};

    use super::*;
    use crate::clock::Clock;
    use crate::random::Purpose;

    /// Clients with endless patience who are answered leave nothing behind, however many there were.
    #[test]
    fn answered_clients_do_not_pile_up() {
        let clock =
            Clock::for_scenario(&ScenarioSpec::new(Traffic::with_rate(0.5)).validate().unwrap()).unwrap();
        let mut clients = Varied::new(ExponentialTicks::new(1e6, &clock), None);
        let mut stream = Stream::new(1, 0, Purpose::Patience);
        let attempt = |ordinal| Attempt { origin: 7, ordinal };
        let patient: Vec<u64> = (1..=100)
            .map(|ordinal| clients.push(0, attempt(ordinal), &mut stream))
            .collect();
        for _ in 0..10_000 {
            let ticket = clients.push(0, attempt(1), &mut stream);
            assert_eq!(clients.answer(ticket), Some(attempt(1)));
            assert!(clients.slots.len() < 300 && clients.deadlines.len() < 300);
        }
        for (ticket, ordinal) in patient.into_iter().zip(1..) {
            assert_eq!(clients.answer(ticket), Some(attempt(ordinal)));
        }
        assert_eq!(clients.next_timeout(), i64::MAX);
    }
}

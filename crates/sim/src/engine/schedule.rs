//! Changes in the course of a run.

use retrylab_model::Scenario;

use crate::clock::Clock;

/// A change of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    StallBegins,
    StallEnds { length: i64 },
}

/// What is still to change, soonest last; moments in ticks since time 0.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    changes: Vec<(i128, Change)>,
}

impl Schedule {
    /// The changes that happen at `start` or later. Of a stall that began before, the rest happens.
    pub(super) fn new(scenario: &Scenario, clock: &Clock, start: i128) -> Self {
        let mut changes = Vec::new();
        let mut free_from = start;
        for stall in &scenario.schedule {
            let at = clock.moment(stall.at.value());
            let end = at + i128::from(clock.duration(stall.stall.value()));
            // Rounding may let a stall begin a tick before the end of the one before it.
            let begin = at.max(free_from);
            if end > begin {
                changes.push((begin, Change::StallBegins));
                let length = (end - begin) as i64;
                changes.push((end, Change::StallEnds { length }));
                free_from = end;
            }
        }
        changes.reverse();
        Self { changes }
    }

    /// When the next change happens.
    pub(super) fn next_at(&self) -> Option<i128> {
        self.changes.last().map(|&(at, _)| at)
    }

    /// Takes the next change.
    pub(super) fn pop(&mut self) -> Option<Change> {
        self.changes.pop().map(|(_, change)| change)
    }
}

//! What is said of a course that has come to its end.

use super::course::Course;
use super::motion::Motion;
use super::skipping::Skipping;
use super::{Aftermath, NoRecovery};

impl Course<'_> {
    /// The backlog is gone.
    pub(super) fn drained(&self, motion: &Motion) -> Aftermath {
        Aftermath {
            backlog_at_end: self.backlog_at_end.ok_or(NoRecovery::Undecided),
            backlog_peak: Ok(self.backlog_peak),
            dead_time: Ok(self.dead_time),
            recovered_after: Ok(self.recovered_after),
            drained_after: Ok(self.moment),
            goodput_settled: Ok(motion.useful),
        }
    }

    /// Nothing changes any more, and the backlog is still there.
    pub(super) fn lost(&self, motion: &Motion) -> Aftermath {
        let reason = if self.blip.arrival_rate < self.blip.capacity {
            NoRecovery::Stuck
        } else {
            NoRecovery::Overloaded
        };
        let left = Aftermath {
            drained_after: Err(reason),
            ..self.drained(motion)
        };
        if !self.is_failing && !motion.is_rejecting {
            // As much arrives as is served, and the queue keeps a length that no timeout notices.
            return left;
        }
        let stays_finite = self.blip.worst_arrival_rate() <= self.blip.capacity
            || self.blip.skipping != Skipping::Nothing
            || self.blip.places.is_finite();
        Aftermath {
            backlog_peak: if stays_finite {
                Ok(self.backlog_peak)
            } else {
                Err(reason)
            },
            dead_time: if motion.useful < self.blip.arrival_rate {
                Err(reason)
            } else {
                left.dead_time
            },
            recovered_after: Err(reason),
            ..left
        }
    }

    pub(super) fn undecided(&self) -> Aftermath {
        let open = Err(NoRecovery::Undecided);
        Aftermath {
            backlog_at_end: self
                .backlog_at_end
                .filter(|backlog| backlog.is_finite())
                .ok_or(NoRecovery::Undecided),
            backlog_peak: open,
            dead_time: open,
            recovered_after: open,
            drained_after: open,
            goodput_settled: open,
        }
    }
}

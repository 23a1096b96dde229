//! What rejecting and skipping attempts costs the servers.

use super::service::Service;
use super::tier::Tier;
use crate::clock::round_duration;

impl Tier {
    /// An attempt is rejected. The next server that is free deals with it or, where each has a queue of its own, the one that
    /// it was sent to.
    #[inline]
    pub(super) fn count_rejection(&mut self) {
        self.counts.rejected += 1;
        if self.plan.rejection_cost > 0.0 {
            match &mut self.stations {
                None => self.rejections_due += 1,
                Some(stations) => stations.owe_rejection(),
            }
        }
    }

    /// A server that is free works on all rejections so far, if that takes any time; returns whether it does.
    #[cold]
    pub(super) fn work_on_rejections(&mut self) -> bool {
        let rejections = std::mem::take(&mut self.rejections_due);
        self.work_without_attempt(0, rejections as f64 * self.plan.rejection_cost)
    }

    /// A server that is free and has a queue of its own works on all that it has rejected so far, if that takes any time;
    /// returns whether it does.
    pub(super) fn work_on_own_rejections(&mut self, server: u32) -> bool {
        let stations = self.stations.as_mut();
        let rejections = stations.map_or(0, |stations| stations.take_rejections(server));
        rejections > 0 && self.work_without_attempt(server, rejections as f64 * self.plan.rejection_cost)
    }

    /// A server that is free has skipped an attempt and is busy with that, if that takes any time.
    #[inline]
    pub(super) fn work_on_skip(&mut self, server: u32) {
        if self.plan.skip_cost > 0.0 {
            self.work_without_attempt(server, self.plan.skip_cost);
        }
    }

    /// A server that is free is busy for what takes so many ticks at full capacity; returns whether that is any time at all.
    fn work_without_attempt(&mut self, server: u32, ticks: f64) -> bool {
        let length = round_duration(ticks / self.plan.capacity);
        if length == 0 {
            return false;
        }
        self.servers.start(Service::overhead(server), self.now + length);
        self.busy.rise(self.now);
        self.overhead.rise(self.now);
        if let Some(stations) = &mut self.stations {
            stations.begin_overhead(server);
        }
        true
    }

    /// A server has done what it was busy with, and that was no attempt.
    #[cold]
    pub(super) fn finish_overhead(&mut self, server: u32) {
        self.overhead.fall(self.now);
        if let Some(stations) = &mut self.stations {
            stations.end_overhead(server);
        }
    }
}

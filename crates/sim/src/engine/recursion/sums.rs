//! Sums over a stretch of a run in which every start, every end and the present stay each in one window.

use super::line::Served;
use crate::wide::WideSum;

/// What happens while no cursor goes to another window; the rest follows from it. `SPANS` where services end in another
/// window than the present one.
#[derive(Debug, Default)]
pub(super) struct Sums<const SPANS: bool> {
    pub(super) requests: u64,
    pub(super) retries: u64,
    pub(super) timeouts: u64,
    pub(super) failed_requests: u64,
    pub(super) budget_denied: u64,
    /// Attempts that are not served within the run, and the sum of the times at which they were sent.
    pub(super) unserved: u64,
    pub(super) unserved_sent: i128,
    pub(super) waited: u64,
    pub(super) waiting_time: u128,
    pub(super) waiting_time_square: WideSum,
    pub(super) late: u64,
    /// Service times, of one server within a run.
    pub(super) work: u64,
    pub(super) late_work: u64,
    pub(super) sojourn_time_square: WideSum,
    /// Sum of the times at which what is served was sent, where services end in another window.
    pub(super) sent: i128,
    pub(super) last_success: i64,
}

/// How much of the last attempt sent is among the sums.
#[derive(Debug, Clone, Copy)]
pub(super) enum Last {
    /// Everything.
    Whole,
    /// That it was sent.
    Sent,
    /// That it was sent, and that its service began after this time.
    Begun { waiting_time: i64 },
}

impl<const SPANS: bool> Sums<SPANS> {
    /// An attempt sent now is not served within the run.
    #[inline(always)]
    pub(super) fn count_unserved(&mut self, now: i64) {
        self.unserved += 1;
        self.unserved_sent += i128::from(now);
    }

    /// A service begins after a wait.
    #[inline(always)]
    pub(super) fn count_start(&mut self, waiting_time: i64) {
        // Whether there is a wait is hard to foresee, so zeros are added rather than looked for.
        let waiting_time = waiting_time as u64;
        self.waited += u64::from(waiting_time > 0);
        self.waiting_time += u128::from(waiting_time);
        self.waiting_time_square.add_square(waiting_time);
    }

    /// It ends, as success or too late.
    #[inline(always)]
    pub(super) fn count_finish(&mut self, sent: i64, served: &Served, late: bool) {
        let work = served.work as u64;
        self.work += work;
        self.sojourn_time_square.add_square((served.finish - sent) as u64);
        if SPANS {
            self.sent += i128::from(sent);
        }
        if late {
            self.late += 1;
            self.late_work += work;
        } else {
            self.last_success = served.finish;
        }
    }
}

//! What is counted between the edges of windows, of events that are known before they happen.

use super::line::Served;
use crate::counts::Counts;
use crate::engine::plan::{NEVER, Plan};
use crate::histogram::{Histogram, HistogramRecorder};

/// The window of a time that never falls.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    index: usize,
    from: i64,
    to: i64,
}

/// What has to be added to the integrals over time of one window.
#[derive(Debug, Clone, Copy, Default)]
struct Areas {
    /// To the sum of sojourn times of what ends in the window, of what does not both begin and end in it.
    in_system: i128,
    in_service: i128,
    /// Time in service during stalls.
    stalled: i128,
    /// How many more are in the system, or in service, throughout this window than throughout the one before.
    passing_system: i64,
    passing_service: i64,
}

/// The windows of a run, from time 0 to the last edge.
#[derive(Debug)]
pub(super) struct Windows {
    /// The ends of the windows.
    edges: Vec<i64>,
    counts: Vec<Counts>,
    areas: Vec<Areas>,
    tail_times: Vec<u64>,
    end: i64,
    present: Cursor,
    /// The windows in which the last service that was counted begins and ends.
    start: Cursor,
    finish: Cursor,
    collect_from: i64,
    sojourn_times: HistogramRecorder,
    last_success: Option<i64>,
}

impl Windows {
    /// Windows between 0 and the edges, in order; sojourn times are collected from a time, or never.
    pub(super) fn new(plan: &Plan, edges: &[i64], collect_from: Option<i64>) -> Self {
        let first = Cursor {
            index: 0,
            from: 0,
            to: edges.first().copied().unwrap_or(0),
        };
        Self {
            edges: edges.to_vec(),
            counts: vec![Counts::new(plan.clock.tick(), plan.slots, plan.tail_times.len()); edges.len()],
            areas: vec![Areas::default(); edges.len()],
            tail_times: plan.tail_times.clone(),
            end: edges.last().copied().unwrap_or(0),
            present: first,
            start: first,
            finish: first,
            collect_from: collect_from.unwrap_or(NEVER),
            sojourn_times: HistogramRecorder::new(),
            last_success: None,
        }
    }

    /// The end of the run.
    pub(super) fn end(&self) -> i64 {
        self.end
    }

    /// Goes to a time before the end, not before the last one.
    #[inline]
    pub(super) fn go_to(&mut self, time: i64) {
        self.present.reach(time, &self.edges);
    }

    /// What happens at present is counted here.
    #[inline]
    pub(super) fn present(&mut self) -> &mut Counts {
        &mut self.counts[self.present.index]
    }

    /// A service begins within the run, not before the last one, after a wait.
    #[inline]
    pub(super) fn count_start(&mut self, start: i64, waiting_time: i64) {
        self.start.reach(start, &self.edges);
        self.counts[self.start.index].count_start(waiting_time.unsigned_abs(), &self.tail_times);
    }

    /// The service that began last, of an attempt sent at present: its end, if that is within the run, and its share of the
    /// integrals.
    #[inline]
    pub(super) fn count_service(&mut self, sent: i64, start: i64, served: &Served) {
        if served.finish >= self.end {
            self.share_open(sent, start);
            return;
        }
        self.finish.reach(served.finish, &self.edges);
        let sojourn_time = (served.finish - sent).unsigned_abs();
        let work = served.work.unsigned_abs();
        self.counts[self.finish.index].count_completion(sojourn_time, work, &self.tail_times);
        if served.finish >= self.collect_from {
            self.sojourn_times.add(sojourn_time);
        }
        if self.finish.index != self.present.index {
            self.share_between_windows(sent, start);
        }
    }

    /// The service that was counted last ends too late for its client.
    #[inline]
    pub(super) fn count_late(&mut self, served: &Served) {
        if served.finish < self.end {
            self.counts[self.finish.index].count_late(served.work.unsigned_abs());
        }
    }

    /// A request succeeds, at present or at the end of the service that was counted last.
    #[inline]
    pub(super) fn count_success(&mut self, at: i64) {
        if at >= self.end {
            return;
        }
        let window = if at < self.present.to {
            self.present.index
        } else {
            self.finish.index
        };
        self.counts[window].successes += 1;
        self.last_success = self.last_success.max(Some(at));
    }

    /// An attempt sent at present is not served within the run.
    pub(super) fn count_unserved(&mut self, sent: i64) {
        let Cursor { index, to, .. } = self.present;
        self.areas[index].in_system += i128::from(to - sent);
        if let Some(next) = self.areas.get_mut(index + 1) {
            next.passing_system += 1;
        }
    }

    /// The servers freeze between two times in the course of the service that began last.
    pub(super) fn count_stalled(&mut self, from: i64, to: i64) {
        let mut window = self.start;
        while window.from < to.min(self.end) {
            let overlap = to.min(window.to) - from.max(window.from);
            self.areas[window.index].stalled += i128::from(overlap.max(0));
            if window.to >= self.end {
                return;
            }
            window.step(&self.edges);
        }
    }

    /// The shares in the integrals of a service that began last and ends after the run.
    #[cold]
    fn share_open(&mut self, sent: i64, start: i64) {
        self.count_unserved(sent);
        let Cursor { index, to, .. } = self.start;
        // The waiting time, which has been counted where the service begins, will be subtracted there.
        self.areas[index].in_service += i128::from(to - start) + i128::from(start - sent);
        if let Some(next) = self.areas.get_mut(index + 1) {
            next.passing_service += 1;
        }
    }

    /// The shares in the integrals of the service that was counted last, where it ends in another window than the one in which
    /// it was sent.
    #[cold]
    fn share_between_windows(&mut self, sent: i64, start: i64) {
        let finish = self.finish;
        // The sojourn time has been counted where the service ends: what lies before that window belongs elsewhere.
        let before = i128::from(sent - finish.from);
        let Cursor { index, to, .. } = self.present;
        self.areas[index].in_system += i128::from(to - sent);
        self.areas[finish.index].in_system += before;
        self.areas[index + 1].passing_system += 1;
        self.areas[finish.index].passing_system -= 1;
        let Cursor { index, to, .. } = self.start;
        if index != finish.index {
            self.areas[index].in_service += i128::from(to - start) + i128::from(start - sent);
            self.areas[finish.index].in_service += before;
            self.areas[index + 1].passing_service += 1;
            self.areas[finish.index].passing_service -= 1;
        }
    }

    /// The counts of all windows, the sojourn times collected, and when the last success happened.
    pub(super) fn finish(mut self) -> (Vec<Counts>, Histogram, Option<i64>) {
        let mut from = 0;
        let mut in_system = 0;
        let (mut passing_system, mut passing_service) = (0, 0);
        for ((counts, areas), &to) in self.counts.iter_mut().zip(&self.areas).zip(&self.edges) {
            let length = i128::from(to - from);
            passing_system += areas.passing_system;
            passing_service += areas.passing_service;
            let sojourn_times = counts.sojourn_time_sum as i128;
            let waiting_times = counts.waiting_time_sum as i128;
            let in_system_area = sojourn_times + areas.in_system + i128::from(passing_system) * length;
            let in_service_area =
                sojourn_times - waiting_times + areas.in_service + i128::from(passing_service) * length;
            counts.duration = length.unsigned_abs();
            counts.in_system_area = in_system_area.unsigned_abs();
            counts.in_service_area = in_service_area.unsigned_abs();
            counts.busy_time = (in_service_area - areas.stalled).unsigned_abs();
            counts.in_system_at_start = in_system;
            in_system = in_system + counts.attempts - counts.completions;
            counts.in_system_at_end = in_system;
            from = to;
        }
        (self.counts, self.sojourn_times.take(), self.last_success)
    }
}

impl Cursor {
    /// Goes to the window that holds a time before the last edge.
    #[inline]
    fn reach(&mut self, time: i64, edges: &[i64]) {
        while time >= self.to {
            self.step(edges);
        }
    }

    fn step(&mut self, edges: &[i64]) {
        self.index += 1;
        self.from = self.to;
        self.to = edges[self.index];
    }
}

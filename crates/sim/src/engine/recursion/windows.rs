//! What is counted between the edges of windows, of events that are known before they happen.

use super::line::Served;
use super::sums::{Last, Sums};
use crate::counts::Counts;
use crate::engine::plan::{NEVER, Plan};
use crate::histogram::{Histogram, HistogramRecorder};

/// The window of a time that hardly ever falls, and what has been counted in it since it was reached.
#[derive(Debug)]
struct Cursor {
    index: usize,
    from: i64,
    to: i64,
    counts: Counts,
}

/// How a service ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Too late for the client.
    Late,
    /// The answer is heard, and counted, when its time comes.
    Heard,
    /// The request succeeds.
    Success,
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
    /// Before the start when there is none.
    last_success: i64,
}

impl Windows {
    /// Windows between 0 and the edges, in order; sojourn times are collected from a time, or never.
    pub(super) fn new(plan: &Plan, edges: &[i64], collect_from: Option<i64>) -> Self {
        let nothing = Counts::new(plan.clock.tick(), plan.slots, plan.tail_times.len());
        let first = || Cursor {
            index: 0,
            from: 0,
            to: edges.first().copied().unwrap_or(0),
            counts: nothing.clone(),
        };
        Self {
            edges: edges.to_vec(),
            counts: vec![nothing.clone(); edges.len()],
            areas: vec![Areas::default(); edges.len()],
            tail_times: plan.tail_times.clone(),
            end: edges.last().copied().unwrap_or(0),
            present: first(),
            start: first(),
            finish: first(),
            collect_from: collect_from.unwrap_or(NEVER),
            sojourn_times: HistogramRecorder::new(),
            last_success: -1,
        }
    }

    /// The end of the run.
    pub(super) fn end(&self) -> i64 {
        self.end
    }

    /// When the window ends in which the present is.
    #[inline]
    pub(super) fn present_end(&self) -> i64 {
        self.present.to
    }

    /// The present goes to the next window; false when there is none.
    pub(super) fn next_window(&mut self) -> bool {
        let goes_on = self.present.to < self.end;
        if goes_on {
            self.present.step(&self.edges, &mut self.counts);
        }
        goes_on
    }

    /// What happens at present is counted here.
    #[inline]
    pub(super) fn present(&mut self) -> &mut Counts {
        &mut self.present.counts
    }

    /// A service begins within the run, not before the last one, after a wait.
    #[inline]
    pub(super) fn count_start(&mut self, start: i64, waiting_time: i64) {
        self.start.reach(start, &self.edges, &mut self.counts);
        self.start
            .counts
            .count_start(waiting_time.unsigned_abs(), &self.tail_times);
    }

    /// The service that began last, of an attempt sent at present: its end, if that is within the run, and its share of the
    /// integrals.
    #[inline]
    pub(super) fn count_service(&mut self, sent: i64, served: &Served, ending: Ending) {
        let at = served.finish;
        if at >= self.end {
            self.share_open(sent, served.start);
            return;
        }
        self.finish.reach(at, &self.edges, &mut self.counts);
        if at < self.finish.from {
            return self.count_earlier(sent, served, ending);
        }
        count_end(&mut self.finish.counts, sent, served, ending, &self.tail_times);
        self.note(sent, at, ending);
        if self.ends_in_another() {
            self.share_between_windows(1, sent.into(), self.finish.index, self.finish.from);
        }
    }

    /// As above, of several servers: the service ends in a window before the one in which another has ended that began before.
    #[cold]
    fn count_earlier(&mut self, sent: i64, served: &Served, ending: Ending) {
        let index = self.edges.partition_point(|&edge| edge <= served.finish);
        count_end(&mut self.counts[index], sent, served, ending, &self.tail_times);
        self.note(sent, served.finish, ending);
        if index != self.present.index {
            self.share_between_windows(1, sent.into(), index, self.edges[index - 1]);
        }
    }

    /// Keeps the sojourn time of what was sent and ends at these times, if such are to be collected.
    #[inline(always)]
    pub(super) fn collect(&mut self, sent: i64, at: i64) {
        if at >= self.collect_from {
            self.sojourn_times.add((at - sent).cast_unsigned());
        }
    }

    /// What is kept of a completion beside the counts.
    #[inline]
    fn note(&mut self, sent: i64, at: i64, ending: Ending) {
        self.collect(sent, at);
        if ending == Ending::Success {
            self.last_success = self.last_success.max(at);
        }
    }

    /// When the window ends in which the last service that was counted begins.
    pub(super) fn start_end(&self) -> i64 {
        self.start.to
    }

    /// When the window ends in which the last service that was counted ends.
    pub(super) fn finish_end(&self) -> i64 {
        self.finish.to
    }

    /// Whether the last service that was counted ends in another window than the present one.
    pub(super) fn ends_in_another(&self) -> bool {
        self.finish.index != self.present.index
    }

    /// Adds what happened while no cursor went to another window. In line, so that the sums need not have a place in memory.
    #[inline(always)]
    pub(super) fn add<const SPANS: bool>(&mut self, sums: &Sums<SPANS>, last: Last) {
        let (begun, ended, waiting_time) = match last {
            Last::Whole => (0, 0, 0),
            Last::Sent => (1, 0, 0),
            Last::Begun { waiting_time } => (0, 1, waiting_time as u128),
        };
        let attempts = sums.requests + sums.retries;
        let started = attempts - sums.unserved - begun;
        let completions = started - ended;
        let counts = &mut self.present.counts;
        counts.requests += sums.requests;
        counts.attempts += attempts;
        counts.retries += sums.retries;
        counts.timeouts += sums.timeouts;
        counts.failed_requests += sums.failed_requests;
        counts.budget_denied += sums.budget_denied;
        let counts = &mut self.start.counts;
        counts.services_started += started;
        counts.waited += sums.waited;
        counts.waiting_time_sum += sums.waiting_time;
        counts.waiting_time_square_sum.add(&sums.waiting_time_square);
        let counts = &mut self.finish.counts;
        counts.completions += completions;
        counts.late_completions += sums.late;
        counts.successes += completions - sums.late;
        counts.service_time += u128::from(sums.work);
        counts.late_service_time += u128::from(sums.late_work);
        counts.sojourn_time_sum += sums.waiting_time - waiting_time + u128::from(sums.work);
        counts.sojourn_time_square_sum.add(&sums.sojourn_time_square);
        if completions > sums.late {
            self.last_success = self.last_success.max(sums.last_success);
        }
        if SPANS && completions > 0 {
            self.share_between_windows(completions, sums.sent, self.finish.index, self.finish.from);
        }
        if sums.unserved > 0 {
            self.share_unserved(sums.unserved, sums.unserved_sent);
        }
    }

    /// A client hears at present that its request succeeds.
    #[inline]
    pub(super) fn count_success(&mut self, now: i64) {
        self.present.counts.successes += 1;
        self.last_success = now;
    }

    /// An attempt sent at present is not served within the run.
    pub(super) fn count_unserved(&mut self, sent: i64) {
        self.share_unserved(1, sent.into());
    }

    /// The shares in the integrals of attempts sent in the present window, of which these are the number and the sum of the
    /// times at which they were sent, and not served within the run.
    fn share_unserved(&mut self, attempts: u64, sent: i128) {
        let Cursor { index, to, .. } = self.present;
        self.areas[index].in_system += i128::from(attempts) * i128::from(to) - sent;
        if let Some(next) = self.areas.get_mut(index + 1) {
            next.passing_system += attempts as i64;
        }
    }

    /// The servers freeze between two times in the course of the service that began last.
    pub(super) fn count_stalled(&mut self, from: i64, to: i64) {
        let mut begin = self.start.from;
        for (areas, &end) in self.areas.iter_mut().zip(&self.edges).skip(self.start.index) {
            if begin >= to {
                return;
            }
            let overlap = to.min(end) - from.max(begin);
            areas.stalled += i128::from(overlap.max(0));
            begin = end;
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

    /// The shares in the integrals of services that all begin in the window of the last start and end in another window than
    /// the one in which their attempts were sent: how many they are, the sum of the times at which they were sent, and the
    /// index and the begin of the window in which they end.
    #[cold]
    fn share_between_windows(&mut self, services: u64, sent: i128, last: usize, from: i64) {
        let (number, signed) = (i128::from(services), services as i64);
        // The sojourn times have been counted where services end: what lies before that window belongs elsewhere.
        let before = sent - number * i128::from(from);
        let (index, to) = (self.present.index, i128::from(self.present.to));
        self.areas[index].in_system += number * to - sent;
        self.areas[last].in_system += before;
        self.areas[index + 1].passing_system += signed;
        self.areas[last].passing_system -= signed;
        let (index, to) = (self.start.index, i128::from(self.start.to));
        if index != last {
            // The waiting times, which have been counted where services begin, will be subtracted there.
            self.areas[index].in_service += number * to - sent;
            self.areas[last].in_service += before;
            self.areas[index + 1].passing_service += signed;
            self.areas[last].passing_service -= signed;
        }
    }

    /// The counts of all windows, the sojourn times collected, and when the last success happened.
    pub(super) fn finish(mut self) -> (Vec<Counts>, Histogram, Option<i64>) {
        for cursor in [&mut self.present, &mut self.start, &mut self.finish] {
            cursor.put_down(&mut self.counts);
        }
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
        let last_success = (self.last_success >= 0).then_some(self.last_success);
        (self.counts, self.sojourn_times.take(), last_success)
    }
}

impl Cursor {
    /// Goes to the window that holds a time before the last edge, unless it is in a later one.
    #[inline]
    fn reach(&mut self, time: i64, edges: &[i64], counts: &mut [Counts]) {
        while time >= self.to {
            self.step(edges, counts);
        }
    }

    /// Goes to the next window.
    #[cold]
    fn step(&mut self, edges: &[i64], counts: &mut [Counts]) {
        self.put_down(counts);
        self.index += 1;
        self.from = self.to;
        self.to = edges[self.index];
    }

    /// Adds what has been counted to the window's counts.
    fn put_down(&mut self, counts: &mut [Counts]) {
        if let Some(window) = counts.get_mut(self.index) {
            window.append(&self.counts);
            self.counts = Counts::new(window.tick, window.slots, window.waiting_time_above.len());
        }
    }
}

/// Counts the end of a service.
#[inline]
fn count_end(counts: &mut Counts, sent: i64, served: &Served, ending: Ending, tail_times: &[u64]) {
    let work = served.work.unsigned_abs();
    counts.count_completion((served.finish - sent).unsigned_abs(), work, tail_times);
    match ending {
        Ending::Late => counts.count_late(work),
        Ending::Heard => {}
        Ending::Success => counts.successes += 1,
    }
}

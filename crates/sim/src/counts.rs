//! What is counted and summed in a window of a run.

use crate::wide::WideSum;

/// Everything that happened in a window, as exact whole numbers; times in ticks.
///
/// An event counts in the window in which it happens: a request that was new in one window may succeed in the next. A
/// window from `a` to `b` includes the events at `a` and not those at `b`.
///
/// The fields satisfy, over any window of any run:
/// - `in_system_at_start + attempts = completions + skipped + rejected + in_system_at_end`,
/// - `completions = successes + duplicate_answers + errors + late_completions`; where a tier calls another, `completions` are
///   the requests of that one, and those of them that succeeded or were given up are `successes + duplicate_answers +
///   errors + late_answers`,
/// - from a run's start, `requests = successes + failed_requests +` requests still open.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    /// Length of a tick in the scenario's unit of time.
    pub tick: f64,
    /// Attempts that all servers together serve at once.
    pub slots: u32,
    /// Length of the window.
    pub duration: u128,
    /// New requests.
    pub requests: u64,
    /// Attempts sent, rejected ones included.
    pub attempts: u64,
    /// Attempts other than the first of a request.
    pub retries: u64,
    /// Attempts rejected because all places were taken.
    pub rejected: u64,
    /// Attempts dropped by the deadline check when their service would have started.
    pub skipped: u64,
    /// Services started.
    pub services_started: u64,
    /// Services started for attempts that had waited longer than 0.
    pub waited: u64,
    /// Services completed.
    pub completions: u64,
    /// Services completed after the client had given up: abandoned work.
    pub late_completions: u64,
    /// Answers of the tier behind that came after the client had given up.
    pub late_answers: u64,
    /// Error answers that came in time.
    pub errors: u64,
    /// Attempts given up because no answer came in time.
    pub timeouts: u64,
    /// Requests that succeeded: good answers that came in time, of each request the first.
    pub successes: u64,
    /// Good answers that came in time to requests that had succeeded already. Only where failures spawn retries
    /// (`client.retries_per_failure`) has a request more than one attempt at a time.
    pub duplicate_answers: u64,
    /// Requests given up for good: out of attempts, by the client's own choice, denied by the budget or the breaker, or because no attempt is
    /// left that might succeed.
    pub failed_requests: u64,
    /// Retries that the budget denied. Where a request has one attempt at a time, it is given up with that.
    pub budget_denied: u64,
    /// Attempts that the breaker kept from being sent; they are not among `attempts`. Where a request has one attempt at a time, it is
    /// given up with that.
    pub breaker_denied: u64,
    /// Requests of which the breaker kept the first attempt.
    pub unsent_requests: u64,
    /// Time that servers were busy, with attempts or with skips and rejections, summed over servers, within the window to the
    /// tick; stalls do not count.
    pub busy_time: u128,
    /// Service times of the services completed in the window, each in full; skips and rejections are not among them.
    pub service_time: u128,
    /// The part of `service_time` that belongs to late completions.
    pub late_service_time: u128,
    /// Sum of sojourn times (from sending to the end of service) of completions, late ones included.
    pub sojourn_time_sum: u128,
    /// Sum of their squares.
    pub sojourn_time_square_sum: WideSum,
    /// Sum of waiting times (from sending to the start of service) of services started.
    pub waiting_time_sum: u128,
    /// Sum of their squares.
    pub waiting_time_square_sum: WideSum,
    /// Number in system integrated over the window; the attempts waiting and in service.
    pub in_system_area: u128,
    /// Number in service, during stalls too, integrated over the window.
    pub in_service_area: u128,
    /// Number in system when the window begins.
    pub in_system_at_start: u64,
    /// Number in system when the window ends.
    pub in_system_at_end: u64,
    /// For each of the scenario's `run.tail_times`, completions with a longer sojourn time.
    pub sojourn_time_above: Vec<u64>,
    /// For each of the scenario's `run.tail_times`, services started after a longer waiting time.
    pub waiting_time_above: Vec<u64>,
    /// What happened at the tiers behind this one, from the outside in; empty where there are none.
    pub inner: Vec<Self>,
}

impl Counts {
    /// Nothing has happened yet, in a run with `tails` tail times.
    #[must_use]
    pub fn new(tick: f64, slots: u32, tails: usize) -> Self {
        Self {
            tick,
            slots,
            duration: 0,
            requests: 0,
            attempts: 0,
            retries: 0,
            rejected: 0,
            skipped: 0,
            services_started: 0,
            waited: 0,
            completions: 0,
            late_completions: 0,
            late_answers: 0,
            errors: 0,
            timeouts: 0,
            successes: 0,
            duplicate_answers: 0,
            failed_requests: 0,
            budget_denied: 0,
            breaker_denied: 0,
            unsent_requests: 0,
            busy_time: 0,
            service_time: 0,
            late_service_time: 0,
            sojourn_time_sum: 0,
            sojourn_time_square_sum: WideSum::default(),
            waiting_time_sum: 0,
            waiting_time_square_sum: WideSum::default(),
            in_system_area: 0,
            in_service_area: 0,
            in_system_at_start: 0,
            in_system_at_end: 0,
            sojourn_time_above: vec![0; tails],
            waiting_time_above: vec![0; tails],
            inner: Vec::new(),
        }
    }

    /// Attempts sent at all tiers.
    #[must_use]
    pub fn attempts_at_all_tiers(&self) -> u64 {
        self.attempts + self.inner.iter().map(|tier| tier.attempts).sum::<u64>()
    }

    /// Counts a service that starts after a wait; `tail_times` are the scenario's, in ticks.
    #[inline]
    pub(crate) fn count_start(&mut self, waiting_time: u64, tail_times: &[u64]) {
        self.services_started += 1;
        // Whether there is a wait is hard to foresee, so zeros are added rather than looked for.
        self.waited += u64::from(waiting_time > 0);
        self.waiting_time_sum += u128::from(waiting_time);
        self.waiting_time_square_sum.add_square(waiting_time);
        count_above(&mut self.waiting_time_above, tail_times, waiting_time);
    }

    /// Counts a completion by its sojourn time and its service time.
    #[inline]
    pub(crate) fn count_completion(&mut self, sojourn_time: u64, work: u64, tail_times: &[u64]) {
        self.completions += 1;
        self.service_time += u128::from(work);
        self.sojourn_time_sum += u128::from(sojourn_time);
        self.sojourn_time_square_sum.add_square(sojourn_time);
        count_above(&mut self.sojourn_time_above, tail_times, sojourn_time);
    }

    /// Counts a completion that came too late for its client, beside [`count_completion`](Self::count_completion).
    #[inline]
    pub(crate) fn count_late(&mut self, work: u64) {
        self.late_completions += 1;
        self.late_service_time += u128::from(work);
    }

    /// Adds the window that follows this one, so that the sum is the record of both as one window.
    ///
    /// # Panics
    /// When the two come from different scenarios (tick, attempts served at once, number of tail times or number of tiers differ).
    pub fn append(&mut self, next: &Self) {
        assert!(
            self.tick.to_bits() == next.tick.to_bits()
                && self.slots == next.slots
                && self.sojourn_time_above.len() == next.sojourn_time_above.len()
                && self.inner.len() == next.inner.len(),
            "windows of different scenarios cannot be joined"
        );
        self.duration += next.duration;
        self.requests += next.requests;
        self.attempts += next.attempts;
        self.retries += next.retries;
        self.rejected += next.rejected;
        self.skipped += next.skipped;
        self.services_started += next.services_started;
        self.waited += next.waited;
        self.completions += next.completions;
        self.late_completions += next.late_completions;
        self.late_answers += next.late_answers;
        self.errors += next.errors;
        self.timeouts += next.timeouts;
        self.successes += next.successes;
        self.duplicate_answers += next.duplicate_answers;
        self.failed_requests += next.failed_requests;
        self.budget_denied += next.budget_denied;
        self.breaker_denied += next.breaker_denied;
        self.unsent_requests += next.unsent_requests;
        self.busy_time += next.busy_time;
        self.service_time += next.service_time;
        self.late_service_time += next.late_service_time;
        self.sojourn_time_sum += next.sojourn_time_sum;
        self.sojourn_time_square_sum.add(&next.sojourn_time_square_sum);
        self.waiting_time_sum += next.waiting_time_sum;
        self.waiting_time_square_sum.add(&next.waiting_time_square_sum);
        self.in_system_area += next.in_system_area;
        self.in_service_area += next.in_service_area;
        self.in_system_at_end = next.in_system_at_end;
        add_each(&mut self.sojourn_time_above, &next.sojourn_time_above);
        add_each(&mut self.waiting_time_above, &next.waiting_time_above);
        for (tier, next) in self.inner.iter_mut().zip(&next.inner) {
            tier.append(next);
        }
    }
}

/// Counts the tail times that `value` exceeds.
#[inline]
fn count_above(above: &mut [u64], tail_times: &[u64], value: u64) {
    // Most scenarios have none, and the loop is long for so little.
    if tail_times.is_empty() {
        return;
    }
    for (count, &time) in above.iter_mut().zip(tail_times) {
        *count += u64::from(value > time);
    }
}

fn add_each(sums: &mut [u64], terms: &[u64]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

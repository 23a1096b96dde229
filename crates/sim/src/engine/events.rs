//! What happens at each event.

use super::attempt::Attempt;
use super::backoff::BackoffPlan;
use super::budget::Failure;
use super::links::Call;
use super::plan::Order;
use super::service::Service;
use super::tier::Tier;

/// Looks for what a plain tier has not got, except where it is known to be one.
#[inline(always)]
fn rare<const PLAIN: bool, T>(rare: &mut Option<T>) -> Option<&mut T> {
    if PLAIN { None } else { rare.as_mut() }
}

// What happens in every run is compiled twice: once for tiers that are plain, see [`Tier::is_plain`], and once for all.
impl Tier {
    /// When the next event happens.
    #[inline]
    pub(super) fn next_event(&self) -> i64 {
        self.servers
            .next_finish()
            .min(self.outstanding.next_timeout())
            .min(self.retries.next_at())
            .min(self.next_change)
            .min(self.next_arrival)
    }

    /// Processes the next event, if it is before `limit`, and otherwise goes there. Returns whether there was one.
    #[inline(always)]
    pub(super) fn step<const PLAIN: bool>(&mut self, limit: i64) -> bool {
        let completion = self.servers.next_finish();
        let timeout = self.outstanding.next_timeout();
        let retry = self.retries.next_at();
        let next = completion
            .min(timeout)
            .min(retry)
            .min(self.next_change)
            .min(self.next_arrival);
        if next >= limit {
            self.now = limit;
            return false;
        }
        self.now = next;
        // At equal times the order of these branches decides; see the crate's documentation.
        if completion == next {
            self.complete::<PLAIN>();
        } else if self.next_change == next {
            self.change();
        } else if timeout == next {
            self.give_up::<PLAIN>();
        } else if retry == next {
            self.retry::<PLAIN>();
        } else {
            self.arrive::<PLAIN>();
        }
        true
    }

    /// A new request.
    #[inline(always)]
    fn arrive<const PLAIN: bool>(&mut self) {
        self.next_arrival = self.now + self.plan.interarrival_time.sample(&mut self.streams.arrivals);
        let client = self.draw_client();
        self.begin_request::<PLAIN>(client, Call::default());
    }

    /// The client instance that a new request belongs to.
    #[inline(always)]
    pub(super) fn draw_client(&mut self) -> u32 {
        self.plan.draw_client(&mut self.streams.clients)
    }

    /// A client instance has a new request.
    #[inline(always)]
    pub(super) fn begin_request<const PLAIN: bool>(&mut self, client: u32, call: Call) {
        self.counts.requests += 1;
        self.open_requests += 1;
        self.budgets.on_request(client);
        let owner = match rare::<PLAIN, _>(&mut self.requests) {
            None => client,
            Some(requests) => requests.open(client, call),
        };
        let fate = self.plan.fate(&mut self.streams.fates);
        if let Some(retry) = self.submit::<PLAIN>(Attempt::first(owner, fate)) {
            self.send::<PLAIN>(retry);
        }
    }

    /// A client sends an attempt, and others after it while they are rejected at once.
    fn send<const PLAIN: bool>(&mut self, mut attempt: Attempt) {
        while let Some(retry) = self.submit::<PLAIN>(attempt) {
            attempt = retry;
        }
    }

    /// A client sends an attempt. Returns the next one when it is rejected and another is to be sent at once.
    #[inline(always)]
    fn submit<const PLAIN: bool>(&mut self, attempt: Attempt) -> Option<Attempt> {
        if !PLAIN && !self.breaker_lets_pass(attempt) {
            return None;
        }
        self.counts.attempts += 1;
        self.counts.retries += u64::from(attempt.ordinal > 1);
        let is_admitted = if rare::<PLAIN, _>(&mut self.stations).is_some() {
            self.admit_at_station(attempt)
        } else {
            self.admit::<PLAIN>(attempt)
        };
        if is_admitted {
            return None;
        }
        self.count_rejection();
        self.fail::<PLAIN>(attempt, Failure::Rejected)
    }

    /// Whether the client's breaker lets an attempt pass; if not, it is given up unsent.
    #[inline]
    pub(super) fn breaker_lets_pass(&mut self, attempt: Attempt) -> bool {
        self.breakers.is_none() || self.ask_breaker(attempt)
    }

    #[inline(never)]
    fn ask_breaker(&mut self, attempt: Attempt) -> bool {
        let (client, moment) = (self.client(attempt), self.moment());
        let passes = self
            .breakers
            .as_mut()
            .is_none_or(|breakers| breakers.lets_pass(client, moment));
        if !passes {
            self.counts.breaker_denied += 1;
            self.counts.unsent_requests += u64::from(attempt.ordinal == 1);
            self.lose::<false>(attempt);
        }
        passes
    }

    /// The client's breaker, if there is one, sees whether an attempt failed.
    #[inline]
    pub(super) fn show_breaker(&mut self, attempt: Attempt, failed: bool) {
        if self.breakers.is_some() {
            self.tell_breaker(attempt, failed);
        }
    }

    #[inline(never)]
    fn tell_breaker(&mut self, attempt: Attempt, failed: bool) {
        let (client, moment) = (self.client(attempt), self.moment());
        if let Some(breakers) = &mut self.breakers {
            breakers.observe(client, moment, failed);
        }
    }

    /// The client instance that an attempt belongs to.
    #[inline]
    pub(super) fn client(&self, attempt: Attempt) -> u32 {
        match &self.requests {
            None => attempt.owner(),
            Some(requests) => requests.client(attempt.owner()),
        }
    }

    /// The system takes an attempt in; returns its ticket.
    #[inline]
    pub(super) fn take_in(&mut self, attempt: Attempt) -> u64 {
        self.in_system.rise(self.now);
        self.outstanding
            .push(self.now, attempt, &mut self.streams.patience)
    }

    /// The system takes an attempt in, and an idle server begins to serve it; returns whether there was a place.
    #[inline(always)]
    fn admit<const PLAIN: bool>(&mut self, attempt: Attempt) -> bool {
        if self.in_system.count() >= self.plan.places {
            return false;
        }
        let ticket = self.take_in(attempt);
        // While others wait, or rejections, a server is free only because its client is hearing an answer: the retry that this
        // may cause joins the line like any other.
        if self.line.len() == 0
            && self.busy.count() < u64::from(self.plan.slots)
            && (PLAIN || self.rejections_due == 0)
            && !self.is_stalled()
        {
            self.serve::<PLAIN>(0, self.now, ticket);
        } else {
            self.line.push_back((self.now, ticket));
        }
        true
    }

    /// Idle servers take attempts that wait in the common line.
    #[inline(always)]
    pub(super) fn serve_waiting<const PLAIN: bool>(&mut self) {
        while self.busy.count() < u64::from(self.plan.slots) && !self.is_stalled() {
            if !PLAIN && self.rejections_due > 0 && self.work_on_rejections() {
                continue;
            }
            match self.take() {
                Some((sent, ticket)) => self.serve::<PLAIN>(0, sent, ticket),
                None => return,
            }
        }
    }

    /// Takes the next attempt from the line.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<(i64, u64)> {
        match self.plan.order {
            Order::First => self.line.pop_front(),
            Order::Last => self.line.pop_back(),
            Order::Any | Order::LastAbove { .. } | Order::WithMistakes { .. } => self.take_elsewhere(),
        }
    }

    /// Takes an attempt that does not always stand at the same end of the line. Out of line, so that the ways to the ends stay short.
    #[inline(never)]
    fn take_elsewhere(&mut self) -> Option<(i64, u64)> {
        let waiting = self.line.len();
        match self.plan.order {
            Order::LastAbove { threshold } if waiting as u64 > threshold => return self.line.pop_back(),
            Order::LastAbove { .. } => return self.line.pop_front(),
            Order::WithMistakes { usually_first } => return self.take_with_mistakes(usually_first),
            Order::First | Order::Last | Order::Any => {}
        }
        if waiting > 1 {
            let place = self.streams.order.below(waiting as u64);
            self.line.swap_remove(place as usize)
        } else {
            self.line.pop_back()
        }
    }

    /// A server that is free begins to serve an attempt, unless the deadline check drops it.
    #[inline(always)]
    pub(super) fn serve<const PLAIN: bool>(&mut self, server: u32, sent: i64, ticket: u64) {
        let waiting_time = self.now - sent;
        if self.outstanding.skip(ticket, waiting_time, self.now) {
            self.counts.skipped += 1;
            self.in_system.fall(self.now);
            if !PLAIN {
                self.work_on_skip(server);
            }
            return;
        }
        let work = self.plan.service_time.sample(&mut self.streams.service);
        let error = self.plan.error.sample(&mut self.streams.errors);
        self.servers.start(
            Service {
                sent,
                ticket,
                work,
                error,
                server,
            },
            self.now + work,
        );
        self.busy.rise(self.now);
        if let Some(stations) = rare::<PLAIN, _>(&mut self.stations) {
            stations.begin(server);
        }
        self.counts
            .count_start(waiting_time.cast_unsigned(), &self.plan.tail_times);
    }

    /// A server has done what it was busy with, and takes the next attempt.
    #[inline(always)]
    fn complete<const PLAIN: bool>(&mut self) {
        let Some(service) = self.servers.finish() else {
            return;
        };
        self.busy.fall(self.now);
        if !PLAIN && service.is_overhead() {
            self.finish_overhead(service.server);
        } else {
            let sojourn_time = self.leave(&service);
            if let Some(stations) = rare::<PLAIN, _>(&mut self.stations) {
                stations.end(service.server);
            }
            if !PLAIN && self.calls() {
                if !self.outstanding.waits(service.ticket, sojourn_time) {
                    self.counts.count_late(service.work.cast_unsigned());
                }
                self.call(&service);
            } else {
                self.answer_served::<PLAIN>(&service, sojourn_time);
            }
        }
        if rare::<PLAIN, _>(&mut self.stations).is_some() {
            self.serve_station(service.server);
        } else {
            self.serve_waiting::<PLAIN>();
        }
        self.servers.settle();
    }

    /// An attempt leaves after service; returns its sojourn time.
    #[inline(always)]
    fn leave(&mut self, service: &Service) -> i64 {
        self.in_system.fall(self.now);
        let sojourn_time = self.now - service.sent;
        self.counts.count_completion(
            sojourn_time.cast_unsigned(),
            service.work.cast_unsigned(),
            &self.plan.tail_times,
        );
        if let Some(histogram) = &mut self.sojourn_times {
            histogram.add(sojourn_time.cast_unsigned());
        }
        sojourn_time
    }

    /// The client of an attempt that has been served hears the answer, if it still waits.
    #[inline(always)]
    fn answer_served<const PLAIN: bool>(&mut self, service: &Service, sojourn_time: i64) {
        if let Some(attempt) = self.outstanding.answer(service.ticket, sojourn_time) {
            self.answer::<PLAIN>(attempt, attempt.errs(service.error));
        } else {
            self.counts.count_late(service.work.cast_unsigned());
        }
    }

    /// A client hears an answer in time.
    #[inline(always)]
    pub(super) fn answer<const PLAIN: bool>(&mut self, attempt: Attempt, error: bool) {
        if error {
            self.counts.errors += 1;
            if let Some(retry) = self.fail::<PLAIN>(attempt, Failure::Answered) {
                self.send::<PLAIN>(retry);
            }
        } else {
            if !PLAIN {
                self.show_breaker(attempt, false);
            }
            if rare::<PLAIN, _>(&mut self.requests).is_some() {
                self.answer_by_number(attempt.owner());
            } else {
                self.succeed(attempt.owner());
            }
        }
    }

    /// A request of a client instance succeeds.
    #[inline]
    pub(super) fn succeed(&mut self, client: u32) {
        self.counts.successes += 1;
        self.open_requests -= 1;
        let (base, now) = (self.base, self.now);
        self.budgets.on_success(client, || base + i128::from(now));
        self.last_success = now;
    }

    /// The client whose time ends first gives up its attempt.
    #[inline(always)]
    fn give_up<const PLAIN: bool>(&mut self) {
        let Some(attempt) = self.outstanding.take_first() else {
            return;
        };
        self.counts.timeouts += 1;
        if let Some(retry) = self.fail::<PLAIN>(attempt, Failure::TimedOut) {
            self.send::<PLAIN>(retry);
        }
    }

    /// A retry's backoff has passed.
    #[inline(always)]
    fn retry<const PLAIN: bool>(&mut self) {
        if let Some(tag) = self.retries.pop() {
            self.send::<PLAIN>(Attempt::from_tag(tag));
        }
    }

    /// An attempt has failed: returns the next one when it is to be sent at once.
    fn fail<const PLAIN: bool>(&mut self, attempt: Attempt, failure: Failure) -> Option<Attempt> {
        if !PLAIN {
            self.show_breaker(attempt, true);
        }
        if rare::<PLAIN, _>(&mut self.offspring).is_some() {
            self.spawn(attempt, failure);
            return None;
        }
        if failure == Failure::Rejected && !self.plan.retry_rejected {
            return self.lose::<PLAIN>(attempt);
        }
        if attempt.ordinal >= self.plan.attempts {
            return self.lose::<PLAIN>(attempt);
        }
        if let Some(retry) = self.plan.retry
            && !retry.sample(&mut self.streams.retries)
        {
            return self.lose::<PLAIN>(attempt);
        }
        let client = if PLAIN {
            attempt.owner()
        } else {
            self.client(attempt)
        };
        if !self.budgets.spend(client, failure) {
            self.counts.budget_denied += 1;
            return self.lose::<PLAIN>(attempt);
        }
        self.back_off(attempt)
    }

    /// An attempt is to be followed by another: returns it when it is to be sent at once.
    #[inline]
    pub(super) fn back_off(&mut self, failed: Attempt) -> Option<Attempt> {
        let retry = failed.next();
        match self.plan.backoff {
            BackoffPlan::Immediate => return Some(retry),
            BackoffPlan::Constant { delay } => self.retries.push(self.now + delay, retry.to_tag()),
            BackoffPlan::FullJitter(ref jitter) => {
                if let Some(delay) = jitter.delay(failed.ordinal, &mut self.streams.backoff) {
                    self.retries.push(self.now + delay, retry.to_tag());
                }
            }
        }
        None
    }

    /// An attempt is given up without another, and its request for good unless that has others or has succeeded.
    #[inline]
    pub(super) fn lose<const PLAIN: bool>(&mut self, attempt: Attempt) -> Option<Attempt> {
        if rare::<PLAIN, _>(&mut self.requests).is_some() {
            self.lose_by_number(attempt.owner());
        } else {
            self.count_loss();
        }
        None
    }

    /// A request is given up for good.
    #[inline]
    pub(super) fn count_loss(&mut self) {
        self.counts.failed_requests += 1;
        self.open_requests -= 1;
    }
}

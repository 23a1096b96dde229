//! One tier: a service and the clients that call it.

use retrylab_model::{Queues, Scenario};

use crate::chunked::Chunked;
use crate::clock::Clock;
use crate::counts::Counts;
use crate::histogram::{Histogram, HistogramRecorder};
use crate::random::Streams;

use super::backoff::PendingRetries;
use super::breaker::Breakers;
use super::budget::Budgets;
use super::level::Level;
use super::links::Links;
use super::offspring::Offspring;
use super::outstanding::Outstanding;
use super::plan::{NEVER, Plan, shift_sent};
use super::requests::Requests;
use super::schedule::Schedule;
use super::service::Servers;
use super::stations::Stations;

/// No success yet since the clock was set back.
const NO_SUCCESS: i64 = i64::MIN;

/// A tier in the course of a run. Its events are processed by [`step`](Self::step), one after the other.
#[derive(Debug, Clone)]
pub(super) struct Tier {
    pub(super) plan: Plan,
    pub(super) streams: Streams,
    /// Moment of local time 0, in ticks since time 0.
    pub(super) base: i128,
    /// Local time; all pending times are local too.
    pub(super) now: i64,

    pub(super) next_arrival: i64,
    pub(super) next_change: i64,
    pub(super) schedule: Schedule,
    /// When the stall began that lasts, if one does.
    pub(super) stalled_since: Option<i64>,

    pub(super) servers: Servers,
    pub(super) in_system: Level,
    /// Servers, or slots of servers, that are busy.
    pub(super) busy: Level,
    /// Of these, those that are busy with skips and rejections and serve no attempt.
    pub(super) overhead: Level,
    /// Rejections that are still to cost some server time, where there is one queue.
    pub(super) rejections_due: u64,
    /// Attempts that wait: when they were sent and their tickets.
    pub(super) line: Chunked<(i64, u64)>,
    /// The servers with their lines, where each has one of its own in place of the common one.
    pub(super) stations: Option<Box<Stations>>,
    pub(super) outstanding: Outstanding,
    pub(super) retries: PendingRetries,
    /// What a failure spawns, where it may bring more than one further attempt.
    pub(super) offspring: Option<Offspring>,
    /// The open requests, where they go by numbers.
    pub(super) requests: Option<Box<Requests>>,
    pub(super) budgets: Budgets,
    pub(super) breakers: Option<Box<Breakers>>,
    /// Requests without success or failure yet.
    pub(super) open_requests: u64,

    pub(super) counts: Counts,
    pub(super) window_start: i128,
    pub(super) sojourn_times: Option<HistogramRecorder>,
    /// Local time of the last success since the clock was last set back, and when that before it was; [`NO_SUCCESS`] and none
    /// without any.
    pub(super) last_success: i64,
    earlier_success: Option<i128>,
    /// Whether there is one line, servers are busy with attempts only, nobody calls another tier, and clients have no breakers and
    /// one attempt at a time.
    pub(super) is_plain: bool,
    /// What joins the tier to others; absent where there are none.
    pub(super) links: Option<Box<Links>>,
}

impl Tier {
    /// An empty tier at a moment, from a scenario of this tier alone. New requests arrive unless it is called by another tier.
    pub(super) fn new(
        scenario: &Scenario,
        clock: Clock,
        mut streams: Streams,
        start: i128,
        links: Option<Links>,
    ) -> Self {
        let plan = Plan::new(scenario, clock);
        let counts = Counts::new(clock.tick(), plan.slots, plan.tail_times.len());
        let is_called = links.as_ref().is_some_and(Links::is_called);
        let mut tier = Self {
            base: start,
            now: 0,
            next_arrival: if is_called {
                NEVER
            } else {
                plan.interarrival_time.sample(&mut streams.arrivals)
            },
            next_change: NEVER,
            schedule: Schedule::new(scenario, &clock, start),
            stalled_since: None,
            servers: Servers::new(plan.slots),
            in_system: Level::default(),
            busy: Level::default(),
            overhead: Level::default(),
            rejections_due: 0,
            line: Chunked::new(),
            stations: Stations::new(scenario).map(Box::new),
            outstanding: Outstanding::new(scenario, &clock),
            retries: PendingRetries::new(&plan.backoff),
            offspring: scenario.client.retries_per_failure.map(Offspring::new),
            requests: (is_called || scenario.client.retries_per_failure.is_some()).then(Box::default),
            budgets: Budgets::new(&scenario.client.budget, plan.clients, &clock, start),
            breakers: scenario
                .client
                .breaker
                .map(|breaker| Box::new(Breakers::new(&breaker, scenario, &clock))),
            open_requests: 0,
            counts,
            window_start: start,
            sojourn_times: None,
            last_success: NO_SUCCESS,
            earlier_success: None,
            is_plain: scenario.server.queues == Queues::Common
                && plan.rejection_cost <= 0.0
                && plan.skip_cost <= 0.0
                && links.is_none()
                && scenario.client.breaker.is_none()
                && scenario.client.retries_per_failure.is_none(),
            links: links.map(Box::new),
            plan,
            streams,
        };
        tier.refresh_next_change();
        tier
    }

    /// The present in ticks since time 0.
    #[inline]
    pub(super) fn moment(&self) -> i128 {
        self.base + i128::from(self.now)
    }

    /// When the last success happened, in ticks since time 0.
    pub(super) fn last_success(&self) -> Option<i128> {
        if self.last_success == NO_SUCCESS {
            self.earlier_success
        } else {
            Some(self.base + i128::from(self.last_success))
        }
    }

    /// What happened since the last call, or since the start. Begins a new window.
    pub(super) fn take_counts(&mut self) -> Counts {
        self.count_areas();
        let moment = self.moment();
        let mut next = Counts::new(self.counts.tick, self.counts.slots, self.plan.tail_times.len());
        next.in_system_at_start = self.in_system.count();
        let mut counts = std::mem::replace(&mut self.counts, next);
        counts.duration = (moment - self.window_start).unsigned_abs();
        counts.in_system_at_end = self.in_system.count();
        self.window_start = moment;
        counts
    }

    /// The sojourn times collected since the last call, or since collecting began; none when it did not.
    pub(super) fn take_sojourn_times(&mut self) -> Histogram {
        self.sojourn_times
            .as_mut()
            .map_or_else(Histogram::default, HistogramRecorder::take)
    }

    /// Brings the integrals over time up to the present: before the servers stall or go on, and at the end of a window.
    pub(super) fn count_areas(&mut self) {
        self.counts.in_system_area += self.in_system.take_area(self.now);
        let busy_area = self.busy.take_area(self.now);
        self.counts.in_service_area += busy_area - self.overhead.take_area(self.now);
        if !self.is_stalled() {
            self.counts.busy_time += busy_area;
        }
    }

    /// Whether the servers freeze.
    #[inline]
    pub(super) fn is_stalled(&self) -> bool {
        self.stalled_since.is_some()
    }

    pub(super) fn refresh_next_change(&mut self) {
        // A change beyond the next time the clock is set back is looked at again then.
        self.next_change = self
            .schedule
            .next_at()
            .and_then(|at| i64::try_from(at - self.base).ok())
            .unwrap_or(NEVER);
    }

    /// Sets the clock back to 0, so that local times never overflow.
    #[cold]
    pub(super) fn rebase(&mut self) {
        let by = -self.now;
        self.earlier_success = self.last_success();
        self.last_success = NO_SUCCESS;
        self.base += i128::from(self.now);
        self.now = 0;
        if self.next_arrival != NEVER {
            self.next_arrival += by;
        }
        self.refresh_next_change();
        self.stalled_since = self.stalled_since.map(|since| since + by);
        self.in_system.shift(by);
        self.busy.shift(by);
        self.overhead.shift(by);
        self.servers.shift(by);
        self.line.for_each_mut(|(sent, _)| shift_sent(sent, by));
        if let Some(stations) = &mut self.stations {
            stations.for_each_waiting(|(sent, _)| shift_sent(sent, by));
        }
        self.outstanding.shift(by);
        self.retries.shift(by);
        if let Some(requests) = &mut self.requests {
            requests.shift(by);
        }
    }
}

//! The event-driven engine.

mod attempt;
mod backoff;
mod breaker;
mod budget;
mod changes;
mod events;
mod fault;
mod heap;
mod level;
mod offspring;
mod outstanding;
mod plan;
mod queues;
mod redraw;
mod schedule;
mod service;
mod stations;
#[cfg(test)]
mod tests;

use retrylab_model::Scenario;

use crate::chunked::Chunked;
use crate::clock::Clock;
use crate::counts::Counts;
use crate::error::SimulationError;
use crate::histogram::{Histogram, HistogramRecorder};
use crate::random::Streams;

use self::backoff::PendingRetries;
use self::breaker::Breakers;
use self::budget::Budgets;
use self::level::Level;
use self::offspring::Offspring;
use self::outstanding::Outstanding;
use self::plan::{NEVER, Plan, shift_sent};
use self::schedule::Schedule;
use self::service::Servers;
use self::stations::Stations;

/// Local time at which the clock is set back. A duration of at most 2^59 ticks can be added to it four times over.
const REBASE_AT: i64 = 1 << 61;

/// A run in progress.
///
/// A simulation is a value: it can be cloned between any two events, and the clone continued with the same random numbers
/// or, after [`reseed`](Self::reseed), with others.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// use retrylab_sim::{Measure, Simulation};
/// let scenario = ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?;
/// let mut simulation = Simulation::new(&scenario, 1, 0)?;
/// simulation.run_to(1000.0);
/// let mut other = simulation.clone();
/// other.reseed(2, 0);
/// simulation.run_to(2000.0);
/// other.run_to(2000.0);
/// assert_ne!(simulation.take_counts(), other.take_counts());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Simulation {
    plan: Plan,
    streams: Streams,
    /// Moment of local time 0, in ticks since time 0.
    base: i128,
    /// Local time; all pending times are local too.
    now: i64,
    rebase_at: i64,

    next_arrival: i64,
    next_change: i64,
    schedule: Schedule,
    /// When the stall began that lasts, if one does.
    stalled_since: Option<i64>,

    servers: Servers,
    in_system: Level,
    in_service: Level,
    /// Attempts that wait: when they were sent and their tickets.
    line: Chunked<(i64, u64)>,
    /// The servers with their lines, where each has one of its own in place of the common one.
    stations: Option<Box<Stations>>,
    outstanding: Outstanding,
    retries: PendingRetries,
    /// The requests, where a failed attempt may bring more than one further attempt.
    offspring: Option<Offspring>,
    budgets: Budgets,
    breakers: Option<Box<Breakers>>,
    /// Requests without success or failure yet.
    open_requests: u64,

    counts: Counts,
    window_start: i128,
    sojourn_times: Option<HistogramRecorder>,
    last_success: Option<i128>,
}

impl Simulation {
    /// An empty system at time 0.
    ///
    /// # Errors
    /// When the scenario's times do not fit one clock, see [`Clock::for_scenario`].
    pub fn new(scenario: &Scenario, seed: u64, replication: u64) -> Result<Self, SimulationError> {
        Self::starting_at(scenario, seed, replication, 0.0)
    }

    /// An empty system at another time. What the schedule has set by then is set; of a stall that lasts, the rest happens.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn starting_at(
        scenario: &Scenario,
        seed: u64,
        replication: u64,
        start: f64,
    ) -> Result<Self, SimulationError> {
        let clock = Clock::for_scenario(scenario)?;
        let plan = Plan::new(scenario, clock);
        let mut streams = Streams::new(seed, replication);
        let start = clock.moment(start);
        let counts = Counts::new(clock.tick(), plan.slots, plan.tail_times.len());
        let mut simulation = Self {
            base: start,
            now: 0,
            rebase_at: REBASE_AT,
            next_arrival: plan.interarrival_time.sample(&mut streams.arrivals),
            next_change: NEVER,
            schedule: Schedule::new(scenario, &clock, start),
            stalled_since: None,
            servers: Servers::new(plan.slots),
            in_system: Level::default(),
            in_service: Level::default(),
            line: Chunked::new(),
            stations: Stations::new(scenario).map(Box::new),
            outstanding: Outstanding::new(scenario, &clock),
            retries: PendingRetries::new(),
            offspring: scenario.client.retries_per_failure.map(Offspring::new),
            budgets: Budgets::new(scenario, &clock, start),
            breakers: scenario
                .client
                .breaker
                .map(|breaker| Box::new(Breakers::new(&breaker, scenario, &clock))),
            open_requests: 0,
            counts,
            window_start: start,
            sojourn_times: None,
            last_success: None,
            plan,
            streams,
        };
        simulation.refresh_next_change();
        Ok(simulation)
    }

    /// Continues with the random numbers of another seed and replication. What is drawn already stays: the time of the
    /// next new request, the ends of services under way and the backoffs under way.
    pub fn reseed(&mut self, seed: u64, replication: u64) {
        self.streams = Streams::new(seed, replication);
    }

    /// Processes all events before a moment and stops there. Does nothing when the moment has passed.
    pub fn run_to(&mut self, time: f64) {
        self.run_while(time, |_| true);
    }

    /// As [`run_to`](Self::run_to), but stops after the first event after which `keep_going` is false; returns whether the
    /// moment was reached.
    pub fn run_while(&mut self, time: f64, mut keep_going: impl FnMut(&Self) -> bool) -> bool {
        let end = self.plan.clock.moment(time);
        while self.moment() < end {
            if self.now >= self.rebase_at {
                self.rebase();
            }
            let limit = (end - self.base).min(i128::from(self.rebase_at)) as i64;
            if !self.run_locally(limit, &mut keep_going) {
                return false;
            }
        }
        true
    }

    /// The present, in the scenario's unit of time.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.plan.clock.time(self.moment())
    }

    /// The clock in use.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.plan.clock
    }

    /// Number of attempts waiting and in service.
    #[must_use]
    pub fn in_system(&self) -> u64 {
        self.in_system.count()
    }

    /// Number of attempts waiting.
    #[must_use]
    pub fn in_queue(&self) -> u64 {
        self.in_system.count() - self.in_service.count()
    }

    /// Number of requests that have neither succeeded nor been given up.
    #[must_use]
    pub fn open_requests(&self) -> u64 {
        self.open_requests
    }

    /// When the last success happened, in the scenario's unit of time.
    #[must_use]
    pub fn last_success(&self) -> Option<f64> {
        self.last_success.map(|moment| self.plan.clock.time(moment))
    }

    /// What happened since the last call, or since the start. Begins a new window.
    pub fn take_counts(&mut self) -> Counts {
        self.count_areas();
        let moment = self.moment();
        let mut next = Counts::new(self.counts.tick, self.counts.slots, self.plan.tail_times.len());
        next.in_system_at_start = self.in_system();
        let mut counts = std::mem::replace(&mut self.counts, next);
        counts.duration = (moment - self.window_start).unsigned_abs();
        counts.in_system_at_end = self.in_system();
        self.window_start = moment;
        counts
    }

    /// Begins to collect sojourn times, from none.
    pub fn collect_sojourn_times(&mut self) {
        self.sojourn_times = Some(HistogramRecorder::new());
    }

    /// The sojourn times collected since the last call, or since collecting began; none when it did not.
    pub fn take_sojourn_times(&mut self) -> Histogram {
        self.sojourn_times
            .as_mut()
            .map_or_else(Histogram::default, HistogramRecorder::take)
    }

    /// The present in ticks since time 0.
    fn moment(&self) -> i128 {
        self.base + i128::from(self.now)
    }

    /// Brings the integrals over time up to the present: before the servers stall or go on, and at the end of a window.
    fn count_areas(&mut self) {
        self.counts.in_system_area += self.in_system.take_area(self.now);
        let in_service_area = self.in_service.take_area(self.now);
        self.counts.in_service_area += in_service_area;
        if !self.is_stalled() {
            self.counts.busy_time += in_service_area;
        }
    }

    /// Whether the servers freeze.
    #[inline]
    fn is_stalled(&self) -> bool {
        self.stalled_since.is_some()
    }

    fn refresh_next_change(&mut self) {
        // A change beyond the next time the clock is set back is looked at again then.
        self.next_change = self
            .schedule
            .next_at()
            .and_then(|at| i64::try_from(at - self.base).ok())
            .unwrap_or(NEVER);
    }

    /// Sets the clock back to 0, so that local times never overflow.
    #[cold]
    fn rebase(&mut self) {
        let by = -self.now;
        self.base += i128::from(self.now);
        self.now = 0;
        self.next_arrival += by;
        self.refresh_next_change();
        self.stalled_since = self.stalled_since.map(|since| since + by);
        self.in_system.shift(by);
        self.in_service.shift(by);
        self.servers.shift(by);
        self.line.for_each_mut(|(sent, _)| shift_sent(sent, by));
        if let Some(stations) = &mut self.stations {
            stations.for_each_waiting(|(sent, _)| shift_sent(sent, by));
        }
        self.outstanding.shift(by);
        self.retries.shift(by);
    }
}

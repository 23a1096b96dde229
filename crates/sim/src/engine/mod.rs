//! The event-driven engine: tiers, each with servers and clients of its own, under one clock.

mod attempt;
mod backoff;
mod breaker;
mod budget;
mod chain;
mod changes;
mod events;
mod fault;
mod heap;
mod level;
mod links;
mod offspring;
mod outstanding;
mod overhead;
mod plan;
mod queues;
pub(crate) mod recursion;
mod redraw;
mod requests;
mod schedule;
mod service;
mod stations;
#[cfg(test)]
mod tests;
mod tier;

use retrylab_model::Scenario;

use crate::clock::Clock;
use crate::counts::Counts;
use crate::error::SimulationError;
use crate::histogram::{Histogram, HistogramRecorder};
use crate::random::Streams;

use self::links::Links;
use self::tier::Tier;

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
    /// The outermost tier, at which new requests arrive.
    outer: Tier,
    /// The tiers behind it, from the outside in. All have the outermost's clock.
    inner: Vec<Tier>,
    rebase_at: i64,
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
        let start = clock.moment(start);
        let tier = |index: u32| {
            let streams = Streams::of_tier(seed, replication, index);
            let links = Links::of_tier(index, scenario.tier_count());
            Tier::new(&scenario.tier(index), clock, streams, start, links)
        };
        Ok(Self {
            outer: tier(0),
            inner: (1..scenario.tier_count()).map(tier).collect(),
            rebase_at: REBASE_AT,
        })
    }

    /// Continues with the random numbers of another seed and replication. What is drawn already stays: the time of the
    /// next new request, the ends of services under way and the backoffs under way.
    pub fn reseed(&mut self, seed: u64, replication: u64) {
        for (index, tier) in (0..).zip(self.tiers_mut()) {
            tier.streams = Streams::of_tier(seed, replication, index);
        }
    }

    /// Processes all events before a moment and stops there. Does nothing when the moment has passed.
    pub fn run_to(&mut self, time: f64) {
        self.run_while(time, |_| true);
    }

    /// As [`run_to`](Self::run_to), but stops after the first event after which `keep_going` is false; returns whether the
    /// moment was reached.
    pub fn run_while(&mut self, time: f64, mut keep_going: impl FnMut(&Self) -> bool) -> bool {
        let end = self.outer.plan.clock.moment(time);
        while self.outer.moment() < end {
            if self.outer.now >= self.rebase_at {
                self.tiers_mut().for_each(Tier::rebase);
            }
            let limit = (end - self.outer.base).min(i128::from(self.rebase_at)) as i64;
            let reached = if !self.inner.is_empty() {
                self.run_chain(limit, &mut keep_going)
            } else if self.outer.is_plain {
                self.run_locally::<true>(limit, &mut keep_going)
            } else {
                self.run_locally::<false>(limit, &mut keep_going)
            };
            if !reached {
                return false;
            }
        }
        true
    }

    /// Processes the events of a tier without others. Returns whether the limit was reached.
    fn run_locally<const PLAIN: bool>(
        &mut self,
        limit: i64,
        keep_going: &mut impl FnMut(&Self) -> bool,
    ) -> bool {
        while self.outer.step::<PLAIN>(limit) {
            if !keep_going(self) {
                return false;
            }
        }
        true
    }

    /// Runs to a moment and takes the counts.
    pub(crate) fn counts_to(&mut self, time: f64) -> Counts {
        self.run_to(time);
        self.take_counts()
    }

    /// The present, in the scenario's unit of time.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.outer.plan.clock.time(self.outer.moment())
    }

    /// The clock in use.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.outer.plan.clock
    }

    /// Number of attempts waiting and in service at the outermost tier.
    #[must_use]
    pub fn in_system(&self) -> u64 {
        self.outer.in_system.count()
    }

    /// Number of attempts waiting at the outermost tier.
    #[must_use]
    pub fn in_queue(&self) -> u64 {
        self.outer.in_system.count() + self.outer.overhead.count() - self.outer.busy.count()
    }

    /// Number of requests that have neither succeeded nor been given up.
    #[must_use]
    pub fn open_requests(&self) -> u64 {
        self.outer.open_requests
    }

    /// Retry tokens of all clients of the outermost tier together, as their budgets hold them; 0 without a budget.
    #[must_use]
    pub fn tokens(&self) -> f64 {
        self.outer.budgets.tokens()
    }

    /// When the last success happened, in the scenario's unit of time.
    #[must_use]
    pub fn last_success(&self) -> Option<f64> {
        self.outer
            .last_success()
            .map(|moment| self.outer.plan.clock.time(moment))
    }

    /// What happened since the last call, or since the start. Begins a new window.
    pub fn take_counts(&mut self) -> Counts {
        let mut counts = self.outer.take_counts();
        counts.inner = self.inner.iter_mut().map(Tier::take_counts).collect();
        counts
    }

    /// Begins to collect sojourn times at the outermost tier, from none.
    pub fn collect_sojourn_times(&mut self) {
        self.outer.sojourn_times = Some(HistogramRecorder::new());
    }

    /// The sojourn times collected since the last call, or since collecting began; none when it did not.
    pub fn take_sojourn_times(&mut self) -> Histogram {
        self.outer.take_sojourn_times()
    }

    /// All tiers, from the outside in.
    fn tiers_mut(&mut self) -> impl Iterator<Item = &mut Tier> {
        std::iter::once(&mut self.outer).chain(&mut self.inner)
    }
}

//! A scenario with everything that does not change in a run worked out.

use retrylab_model::{Discipline, Scenario, ServiceTime, Time};

use super::attempt::Fate;
use super::backoff::BackoffPlan;
use crate::clock::Clock;
use crate::random::{Bernoulli, ExponentialTicks, ServiceSampler, Stream};

/// The end of time: what never happens is due then.
pub(super) const NEVER: i64 = i64::MAX;

/// A waiting time saturates here: 2^62 ticks, some 10^9 of the shortest time scale.
const AGE_MAX: i64 = 1 << 62;

/// Moves the time at which an attempt was sent when the clock is set back by `-by`.
#[inline]
pub(super) fn shift_sent(sent: &mut i64, by: i64) {
    *sent = sent.saturating_add(by).max(-AGE_MAX);
}

/// Which waiting attempt is served next.
#[repr(u8)]
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    First,
    Last,
    Any,
    /// The last while more than so many wait, the first otherwise.
    LastAbove {
        threshold: u64,
    },
    /// A fault: one end of the line, but sometimes the other.
    WithMistakes {
        usually_first: bool,
    },
}

impl Order {
    pub(super) fn of(discipline: Discipline) -> Self {
        match discipline {
            Discipline::Fifo => Self::First,
            Discipline::Lifo => Self::Last,
            Discipline::Random => Self::Any,
            Discipline::AdaptiveLifo { threshold } => Self::LastAbove {
                threshold: threshold.into(),
            },
        }
    }
}

/// Parameters of a run as they are at present, times in ticks.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) clock: Clock,
    pub(super) rate: f64,
    pub(super) interarrival_time: ExponentialTicks,
    /// Speed of the servers as a multiple of the one at which they need the `full_service_time`.
    pub(super) capacity: f64,
    pub(super) full_service_time: ServiceTime,
    pub(super) service_time: ServiceSampler,
    pub(super) error: Bernoulli,
    /// Whether the attempts of a request share one outcome; absent when they never do.
    pub(super) shared_outcome: Option<Bernoulli>,
    /// Attempts that all servers together serve at once.
    pub(super) slots: u32,
    pub(super) order: Order,
    /// Most attempts in the system.
    pub(super) places: u64,
    pub(super) attempts: u16,
    /// Whether a failed attempt is followed by another; absent when it always is.
    pub(super) retry: Option<Bernoulli>,
    /// Whether a rejected attempt may be followed by another.
    pub(super) retry_rejected: bool,
    pub(super) backoff: BackoffPlan,
    /// Number of client instances where it matters which of them sends a request, otherwise 1.
    pub(super) clients: u32,
    /// Server time that a rejection takes at full capacity, in ticks and fractions of a tick.
    pub(super) rejection_cost: f64,
    /// Server time that skipping an attempt takes, likewise.
    pub(super) skip_cost: f64,
    /// Tail times.
    pub(super) tail_times: Vec<u64>,
}

impl Plan {
    pub(super) fn new(scenario: &Scenario, clock: Clock) -> Self {
        let rate = scenario.traffic.rate.value();
        Self {
            clock,
            rate,
            interarrival_time: ExponentialTicks::new(1.0 / rate, &clock),
            capacity: 1.0,
            full_service_time: scenario.service.time.clone(),
            service_time: ServiceSampler::new(&scenario.service.time, &clock),
            error: Bernoulli::new(scenario.service.error_probability),
            shared_outcome: shared_outcome(scenario.service.error_correlation),
            slots: scenario.service.slots(),
            order: Order::of(scenario.server.discipline),
            places: scenario.server.places.map_or(u64::MAX, u64::from),
            attempts: ordinal(scenario.client.attempts),
            retry: retry(scenario.client.retry_probability),
            retry_rejected: scenario.client.retry_rejected,
            backoff: BackoffPlan::new(&scenario.client.backoff, &clock),
            clients: clients(scenario),
            rejection_cost: ticks(scenario.server.rejection_cost, &clock),
            skip_cost: ticks(scenario.server.skip_cost, &clock),
            tail_times: scenario
                .run
                .tail_times
                .iter()
                .map(|time| u64::try_from(clock.moment(time.value())).unwrap_or(u64::MAX))
                .collect(),
        }
    }
}

impl Plan {
    /// The client instance that a new request belongs to.
    #[inline(always)]
    pub(super) fn draw_client(&self, clients: &mut Stream) -> u32 {
        if self.clients > 1 {
            clients.below(u64::from(self.clients)) as u32
        } else {
            0
        }
    }

    /// The servers work faster or slower; returns the factor on the time that work in progress still needs.
    pub(super) fn set_capacity(&mut self, capacity: f64) -> f64 {
        let factor = self.capacity / capacity;
        self.capacity = capacity;
        let service_time = self.full_service_time.scaled(1.0 / capacity);
        self.service_time = ServiceSampler::new(&service_time, &self.clock);
        factor
    }

    /// New requests come faster or slower: a Poisson process whose clock changes its speed. Returns the factor on the time
    /// until the next one.
    pub(super) fn set_rate(&mut self, rate: f64) -> f64 {
        let factor = self.rate / rate;
        self.rate = rate;
        self.interarrival_time = ExponentialTicks::new(1.0 / rate, &self.clock);
        factor
    }

    /// What becomes of a new request's attempts.
    #[inline]
    pub(super) fn fate(&self, fates: &mut Stream) -> Fate {
        match self.shared_outcome {
            Some(shared) if shared.sample(fates) => {
                if self.error.sample(fates) {
                    Fate::Error
                } else {
                    Fate::Good
                }
            }
            _ => Fate::Open,
        }
    }
}

/// Number of client instances, if ever each has a budget or a breaker of its own, otherwise 1.
fn clients(scenario: &Scenario) -> u32 {
    let mut scheduled = scenario.schedule.iter().filter_map(|change| change.budget);
    let apart = scenario.client.has_own_state() || scheduled.any(|budget| budget.is_per_client());
    if apart { scenario.traffic.clients } else { 1 }
}

fn ticks(cost: Option<Time>, clock: &Clock) -> f64 {
    cost.map_or(0.0, |cost| clock.ticks(cost.value()))
}

/// A number of attempts as the ordinal of the last.
pub(super) fn ordinal(attempts: u32) -> u16 {
    attempts.try_into().unwrap_or(u16::MAX)
}

/// Whether a failed attempt is followed by another; nothing to draw when it always is.
pub(super) fn retry(probability: f64) -> Option<Bernoulli> {
    (probability < 1.0).then(|| Bernoulli::new(probability))
}

/// Whether the attempts of a request share one outcome; nothing to draw when they never do.
fn shared_outcome(correlation: f64) -> Option<Bernoulli> {
    (correlation > 0.0).then(|| Bernoulli::new(correlation))
}

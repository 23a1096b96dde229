//! A scenario with everything that does not change in a run worked out.

use retrylab_model::{Budget, DeadlineCheck, Discipline, Scenario};

use super::backoff::BackoffPlan;
use crate::clock::Clock;
use crate::random::{Bernoulli, ExponentialTicks, ServiceSampler};

/// The end of time: what never happens is due then.
pub(super) const NEVER: i64 = i64::MAX;

/// A waiting time saturates here: 2^62 ticks, some 10^9 of the shortest time scale.
const AGE_MAX: i64 = 1 << 62;

/// Moves the time at which an attempt was sent when the clock is set back by `-by`.
#[inline]
pub(super) fn shift_sent(sent: &mut i64, by: i64) {
    *sent = sent.saturating_add(by).max(-AGE_MAX);
}

/// Parameters of a run, times in ticks.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) clock: Clock,
    pub(super) interarrival_time: ExponentialTicks,
    pub(super) service_time: ServiceSampler,
    pub(super) error: Bernoulli,
    pub(super) servers: u32,
    pub(super) discipline: Discipline,
    /// Most attempts in the system.
    pub(super) places: u64,
    /// An attempt of at least this age is skipped when its service would start.
    pub(super) skip_age: i64,
    /// How long a client waits; [`NEVER`] when it waits for ever.
    pub(super) timeout: i64,
    pub(super) attempts: u16,
    pub(super) backoff: BackoffPlan,
    /// Number of client instances where it matters which of them sends a request, otherwise 1.
    pub(super) clients: u32,
    /// Tail times.
    pub(super) tail_times: Vec<u64>,
}

impl Plan {
    pub(super) fn new(scenario: &Scenario, clock: Clock) -> Self {
        // A timeout shorter than a tick would let an answer without service time be in time or not by rounding.
        let timeout = scenario
            .client
            .timeout
            .map_or(NEVER, |timeout| clock.duration(timeout.value()).max(1));
        let budgeted = scenario.client.budget != Budget::None;
        Self {
            clock,
            interarrival_time: ExponentialTicks::new(1.0 / scenario.traffic.rate.value(), &clock),
            service_time: ServiceSampler::new(&scenario.service.time, &clock),
            error: Bernoulli::new(scenario.service.error_probability),
            servers: scenario.service.servers,
            discipline: scenario.server.discipline,
            places: scenario.server.places.map_or(u64::MAX, u64::from),
            skip_age: skip_age(scenario.server.deadline_check, timeout, &clock),
            timeout,
            attempts: scenario.client.attempts.try_into().unwrap_or(u16::MAX),
            backoff: BackoffPlan::new(&scenario.client.backoff, &clock),
            clients: if budgeted { scenario.traffic.clients } else { 1 },
            tail_times: scenario
                .run
                .tail_times
                .iter()
                .map(|time| u64::try_from(clock.moment(time.value())).unwrap_or(u64::MAX))
                .collect(),
        }
    }

    /// Whether clients wait for ever.
    pub(super) fn is_patient(&self) -> bool {
        self.timeout == NEVER
    }
}

/// Age from which on the deadline check drops an attempt.
///
/// `skip-expired` drops what has a deadline (sent + timeout) not after now; `skip-doomed` drops what has less than the
/// expected service time left.
fn skip_age(check: DeadlineCheck, timeout: i64, clock: &Clock) -> i64 {
    match check {
        _ if timeout == NEVER => NEVER,
        DeadlineCheck::None => NEVER,
        DeadlineCheck::SkipExpired => timeout,
        DeadlineCheck::SkipDoomed { service } => timeout - clock.duration(service.value()).max(1) + 1,
    }
}

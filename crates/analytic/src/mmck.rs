//! The M/M/c/K queue: Poisson arrivals, exponential service, c servers, first in first out, K places.

use libm::exp;

use crate::erlang::Loss;
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE, TIME};
use crate::poisson_sum::weighted_sum;
use crate::quadrature::last_where;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::station::{SERVERS, Station};
use crate::staying::Staying;
use crate::truncated_geometric::TruncatedGeometric;

/// Places in the system.
const PLACES: Parameter = Parameter {
    name: "places",
    meaning: "customers that the system holds, waiting and in service, at least as many as servers",
    domain: Domain::Count {
        min: 1,
        max: 100_000_000,
        accepted: "a whole number from the number of servers to 100000000",
    },
    requirement: Requirement::Required,
};

/// An M/M/c/K queue in its steady state, which exists at every load.
///
/// With λ the arrival rate, μ the service rate of one server, c servers, K ≥ c places, waiting and in service,
/// a = λ/μ and ρ = a/c. A customer who finds all places taken is turned away. Sojourn and waiting times are those of
/// accepted customers. Rates are per unit of time, times are in that unit, the rest has no unit. Results at ρ = 1 are
/// the limits.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 1 ≤ c ≤ 1,000,000, c ≤ K ≤ 100,000,000.
///
/// # Source
/// Gross, Shortle, Thompson and Harris, *Fundamentals of Queueing Theory*, 2008, chapter 2 (queues with truncation);
/// the tail is a uniformised Markov chain: Tijms, *A First Course in Stochastic Models*, 2003, chapter 4.
///
/// # Example
/// ```
/// use retrylab_analytic::mmck::Mmck;
///
/// // Two servers, one waiting place, two erlangs: states in proportion 1 : 2 : 2 : 2.
/// let queue = Mmck::new(2.0, 1.0, 2, 3)?;
/// assert!((queue.blocking() - 2.0 / 7.0).abs() < 1e-15);
/// assert!((queue.number_in_system() - 12.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Mmck {
    station: Station,
    /// Waiting places, K − c.
    room: u64,
    /// Share of time with an idle server.
    idle: f64,
    /// Share of time with all servers busy and a place free; 0 without waiting places.
    busy_with_room: f64,
    /// Share of time with all places taken.
    full: f64,
    empty: f64,
}

impl Mmck {
    /// A queue with an arrival rate, a service rate of one server, a number of servers and a number of places.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite, `servers` is in 1 … 1,000,000 and
    /// `places` in `servers` … 100,000,000.
    pub fn new(arrival_rate: f64, service_rate: f64, servers: u64, places: u64) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, servers)?;
        PLACES.check_count(places)?;
        let room = places.checked_sub(servers).ok_or(DomainError {
            parameter: PLACES.name,
            value: places as f64,
            accepted: PLACES.domain.accepted(),
        })?;
        let loss = Loss::new(&station);
        // The states with all servers busy have probabilities in the proportions of a truncated geometric
        // distribution, and the least loaded of them is B/(1 − B) times as probable as the idle states together.
        // Everything is relative to the greatest of its probabilities, to keep within range.
        let ln_ratio = station.ln_intensity();
        let queue = TruncatedGeometric { ln_ratio, top: room };
        let largest = queue.bottom().max(queue.top());
        let bottom = queue.bottom() / largest;
        let full = loss.blocking * (queue.top() / largest);
        let busy_with_room = match room {
            0 => 0.0,
            _ => {
                let below = TruncatedGeometric {
                    ln_ratio,
                    top: room - 1,
                };
                let edge = if ln_ratio <= 0.0 {
                    1.0 / below.bottom()
                } else {
                    exp(-ln_ratio) / below.top()
                };
                loss.blocking * edge
            }
        };
        let idle = loss.acceptance * bottom;
        let total = idle + busy_with_room + full;
        Ok(Self {
            station,
            room,
            idle: idle / total,
            busy_with_room: busy_with_room / total,
            full: full / total,
            empty: loss.empty * bottom / total,
        })
    }

    /// Probability that all places are taken, for an arrival as for any time.
    #[must_use]
    pub fn blocking(&self) -> f64 {
        self.full
    }

    /// Probability that an arrival is accepted, the complement of [`Mmck::blocking`].
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        self.idle + self.busy_with_room
    }

    /// Probability that the system is empty.
    #[must_use]
    pub fn empty_probability(&self) -> f64 {
        self.empty
    }

    /// Mean number of customers waiting or in service: a(1 − blocking) in service and the rest waiting.
    #[must_use]
    pub fn number_in_system(&self) -> f64 {
        self.station.load * self.acceptance() + self.number_in_queue()
    }

    /// Mean sojourn time of accepted customers: one mean service longer than their wait.
    #[must_use]
    pub fn sojourn_time_mean(&self) -> f64 {
        1.0 / self.station.service_rate + self.waiting_time_mean()
    }

    /// Mean waiting time of accepted customers: who finds all servers busy and j others waiting waits for j + 1 services.
    #[must_use]
    pub fn waiting_time_mean(&self) -> f64 {
        let Some(found) = self.found_waiting() else {
            return 0.0;
        };
        let waiting = self.busy_with_room / self.acceptance();
        waiting * (1.0 + found.mean()) / self.station.servers / self.station.service_rate
    }

    /// Probability that an accepted customer's sojourn is longer than `time`.
    ///
    /// While all servers are busy, services end in a Poisson process of rate cμ; a given customer in service is the
    /// one who leaves with probability 1/c. Who finds j others waiting therefore stays on after i services with
    /// probability 1 for i ≤ j and (1 − 1/c)^(i−j−1) for i > j, and i has a Poisson distribution of mean cμ·time.
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        let time = self.station.service_times(time);
        let at_once = self.idle / self.acceptance() * exp(-time);
        let mean = self.station.servers * time;
        // Above this mean the customer has left: at least 10⁷ mean service times have passed in service, or the Poisson
        // number would have to be less than a hundred thousandth of its mean.
        if mean > 1e13 {
            return at_once;
        }
        let found = match self.found_waiting() {
            Some(found) if self.busy_with_room > 0.0 => found,
            _ => return at_once,
        };
        let staying = Staying::new(&self.station, found);
        // The terms rise to one peak and fall: both factors are logarithmically concave in the number of services.
        let peak = last_where(|count| {
            let count = count.floor();
            count < mean
                && mean * staying.probability(count + 1.0) > (count + 1.0) * staying.probability(count)
        });
        let waited = weighted_sum(mean, 0.0, f64::INFINITY, peak, |count| staying.probability(count));
        at_once + self.busy_with_room / self.acceptance() * waited
    }

    fn number_in_queue(&self) -> f64 {
        let queue = TruncatedGeometric {
            ln_ratio: self.station.ln_intensity(),
            top: self.room,
        };
        (self.busy_with_room + self.full) * queue.mean()
    }

    /// The number of others waiting that an accepted customer finds who finds all servers busy.
    fn found_waiting(&self) -> Option<TruncatedGeometric> {
        let top = self.room.checked_sub(1)?;
        Some(TruncatedGeometric {
            ln_ratio: self.station.ln_intensity(),
            top,
        })
    }
}

/// [`Mmck`] by name.
pub static MMCK: Quantity = Quantity {
    name: "mmck",
    summary: "several servers with exponential service, Poisson arrivals and a limited number of places",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, SERVERS, PLACES, TIME],
    results: &[
        results::BLOCKING,
        results::EMPTY_PROBABILITY,
        results::NUMBER_IN_SYSTEM,
        results::ACCEPTED_SOJOURN_TIME_MEAN,
        results::ACCEPTED_WAITING_TIME_MEAN,
        results::ACCEPTED_SOJOURN_TIME_TAIL,
    ],
    formula: "a = λ/μ, c servers, K places, p_n = p_0 a^n/n! for n ≤ c and p_c (a/c)^(n−c) for c ≤ n ≤ K, Σ p_n = 1: \
              blocking = p_K; empty_probability = p_0; number_in_system = Σ n p_n; waiting_time_mean = \
              Σ_(c≤n<K) (n − c + 1)/(cμ) p_n/(1 − p_K); sojourn_time_mean = waiting_time_mean + 1/μ; \
              sojourn_time_tail = Σ_(n<K) p_n/(1 − p_K) · P(Erlang(max(n − c + 1, 0), cμ) + exponential(μ) > t)",
    source: "Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 2008, chapter 2 (queues with \
             truncation); Tijms, A First Course in Stochastic Models, 2003, chapter 4 (uniformisation)",
    evaluate: |arguments| {
        let queue = Mmck::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.count("servers"),
            arguments.count("places"),
        )?;
        let mut values = vec![
            ("blocking", queue.blocking().into()),
            ("empty_probability", queue.empty_probability().into()),
            ("number_in_system", queue.number_in_system().into()),
            ("sojourn_time_mean", queue.sojourn_time_mean().into()),
            ("waiting_time_mean", queue.waiting_time_mean().into()),
        ];
        if let Some(time) = arguments.optional("time") {
            values.push(("sojourn_time_tail", queue.sojourn_time_tail(time).into()));
        }
        Ok(values)
    },
};

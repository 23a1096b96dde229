//! The M/M/1/K queue: Poisson arrivals, exponential service, one server, first in first out, K places.

use crate::numeric::{decay, ln_ratio, one_minus_exp};
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE, TIME};
use crate::poisson_sum::weighted_sum;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::truncated_geometric::TruncatedGeometric;

/// Places in the system.
const PLACES: Parameter = Parameter {
    name: "places",
    meaning: "customers that the system holds, waiting and in service",
    domain: Domain::Count {
        min: 1,
        max: 100_000,
        accepted: "a whole number from 1 to 100000",
    },
    requirement: Requirement::Required,
};

/// An M/M/1/K queue in its steady state, which exists at every load.
///
/// With λ the arrival rate, μ the service rate, ρ = λ/μ and K the places, waiting and in service. A customer who
/// finds all places taken is turned away. Sojourn and waiting times are those of accepted customers. Rates are per
/// unit of time, times are in that unit, the rest has no unit. Results at ρ = 1 are the limits.
///
/// The number in the system has probabilities proportional to ρⁿ, n ≤ K; an accepted customer finds n < K with
/// probabilities in the same proportions and stays for n + 1 service times, so that the sojourn is longer than t if
/// at most n services end within t, a Poisson number with mean μt.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 1 ≤ K ≤ 100,000.
///
/// # Source
/// Kleinrock, *Queueing Systems*, volume 1, 1975, chapter 3 (finite storage); Gross, Shortle, Thompson and Harris,
/// *Fundamentals of Queueing Theory*, 2008, chapter 2 (queues with truncation).
///
/// # Example
/// ```
/// use retrylab_analytic::mm1k::Mm1k;
///
/// let queue = Mm1k::new(1.0, 1.0, 4)?;
/// assert_eq!(queue.blocking(), 0.2);
/// assert_eq!(queue.number_in_system(), 2.0);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mm1k {
    arrival_rate: f64,
    service_rate: f64,
    places: u64,
}

impl Mm1k {
    /// A queue with an arrival rate, a service rate and a number of places.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite and 1 ≤ `places` ≤ 100,000.
    pub fn new(arrival_rate: f64, service_rate: f64, places: u64) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            service_rate: SERVICE_RATE.check(service_rate)?,
            places: PLACES.check_count(places)?,
        })
    }

    /// Probability that all places are taken, for an arrival as for any time: ρᴷ(1 − ρ)/(1 − ρᴷ⁺¹).
    #[must_use]
    pub fn blocking(&self) -> f64 {
        self.number(self.places).top()
    }

    /// Probability that an arrival is accepted, the complement of [`Mm1k::blocking`].
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        if self.arrival_rate <= self.service_rate {
            1.0 - self.blocking()
        } else {
            // What is accepted is served: λ(1 − blocking) = μ(1 − empty_probability).
            self.service_rate / self.arrival_rate * (1.0 - self.empty_probability())
        }
    }

    /// Probability that the system is empty: (1 − ρ)/(1 − ρᴷ⁺¹).
    #[must_use]
    pub fn empty_probability(&self) -> f64 {
        self.number(self.places).bottom()
    }

    /// Mean number of customers waiting or in service: ρ/(1 − ρ) − (K + 1)ρᴷ⁺¹/(1 − ρᴷ⁺¹).
    #[must_use]
    pub fn number_in_system(&self) -> f64 {
        self.number(self.places).mean()
    }

    /// Mean sojourn time of accepted customers: one service more than the number that they find.
    #[must_use]
    pub fn sojourn_time_mean(&self) -> f64 {
        (1.0 + self.number(self.places - 1).mean()) / self.service_rate
    }

    /// Mean waiting time of accepted customers.
    #[must_use]
    pub fn waiting_time_mean(&self) -> f64 {
        self.number(self.places - 1).mean() / self.service_rate
    }

    /// Probability that an accepted customer's sojourn is longer than `time`, and 0 at an infinite time:
    /// Σ P(Poisson(μ·time) = j) · (ρʲ − ρᴷ)/(1 − ρᴷ) over j < K.
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        let fast = self.arrival_rate.max(self.service_rate);
        let slow = self.arrival_rate.min(self.service_rate);
        let mean = slow * time;
        if !mean.is_finite() {
            return 0.0;
        }
        // For ρ < 1, ρʲ and the probabilities at mean μ·time make those at mean λ·time; for ρ > 1 numerator and
        // denominator are divided by ρᴷ. Either way a sum over the slower rate's Poisson numbers remains.
        let damping = decay(fast, self.arrival_rate, time);
        let last = self.places as f64 - 1.0;
        damping * weighted_sum(mean, 0.0, last, mean, |count| self.fraction_left(count))
    }

    /// Probability that a customer is accepted and leaves within `time` of arrival.
    #[must_use]
    pub fn success(&self, time: f64) -> f64 {
        self.acceptance() * self.sojourn_time_within(time)
    }

    /// The complement of [`Mm1k::sojourn_time_tail`].
    #[must_use]
    pub fn sojourn_time_within(&self, time: f64) -> f64 {
        let tail = self.sojourn_time_tail(time);
        if tail <= 0.5 {
            return 1.0 - tail;
        }
        let mean = self.service_rate * time;
        let peak = mean.max((self.arrival_rate * time).min(self.places as f64));
        weighted_sum(mean, 1.0, f64::INFINITY, peak, |count| {
            self.fraction_within(count)
        })
    }

    /// (1 − xᴷ⁻ʲ)/(1 − xᴷ) with x = min(ρ, 1/ρ), for a count j ≤ K.
    fn fraction_left(&self, count: f64) -> f64 {
        let places = self.places as f64;
        let steepness = -self.ln_load().abs();
        if steepness < 0.0 {
            one_minus_exp((places - count) * steepness) / one_minus_exp(places * steepness)
        } else {
            (places - count) / places
        }
    }

    /// Probability that fewer than `count` customers are found by an accepted one: (1 − ρʲ)/(1 − ρᴷ), 1 for j ≥ K.
    fn fraction_within(&self, count: f64) -> f64 {
        let places = self.places as f64;
        let count = count.min(places);
        let mirrored = self.fraction_left(places - count);
        if self.arrival_rate > self.service_rate {
            libm::exp(-(places - count) * self.ln_load()) * mirrored
        } else {
            mirrored
        }
    }

    fn ln_load(&self) -> f64 {
        ln_ratio(self.arrival_rate, self.service_rate)
    }

    /// The number in a system with `top` places. Accepted customers find the number of a system with one place less.
    fn number(&self, top: u64) -> TruncatedGeometric {
        TruncatedGeometric {
            ln_ratio: self.ln_load(),
            top,
        }
    }
}

/// [`Mm1k`] by name.
pub static MM1K: Quantity = Quantity {
    name: "mm1k",
    summary: "one server with exponential service, Poisson arrivals and a limited number of places",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, PLACES, TIME],
    results: &[
        results::BLOCKING,
        results::EMPTY_PROBABILITY,
        results::NUMBER_IN_SYSTEM,
        results::ACCEPTED_SOJOURN_TIME_MEAN,
        results::ACCEPTED_WAITING_TIME_MEAN,
        results::ACCEPTED_SOJOURN_TIME_TAIL,
        (
            "success",
            "probability that an arrival is accepted and leaves within time",
        ),
    ],
    formula: "ρ = λ/μ, K places: blocking = ρ^K(1 − ρ)/(1 − ρ^(K+1)); empty_probability = (1 − ρ)/(1 − ρ^(K+1)); \
              number_in_system = ρ/(1 − ρ) − (K+1)ρ^(K+1)/(1 − ρ^(K+1)); waiting_time_mean = (1/μ)·(the same with \
              K − 1 for K); sojourn_time_mean = waiting_time_mean + 1/μ; sojourn_time_tail = Σ_(j<K) e^(−μt)(μt)^j/j! · \
              (ρ^j − ρ^K)/(1 − ρ^K); success = (1 − blocking)(1 − sojourn_time_tail); limits at ρ = 1",
    source: "Kleinrock, Queueing Systems, vol. 1, 1975, chapter 3 (finite storage); Gross, Shortle, Thompson and \
             Harris, Fundamentals of Queueing Theory, 2008, chapter 2 (queues with truncation)",
    evaluate: |arguments| {
        let queue = Mm1k::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
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
            values.push(("success", queue.success(time).into()));
        }
        Ok(values)
    },
};

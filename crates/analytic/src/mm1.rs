//! The M/M/1 queue: Poisson arrivals, exponential service, one server, first in first out, no bound on the queue.

use libm::log1p;

use crate::numeric::{decay, one_minus_exp};
use crate::parameters::{ARRIVAL_RATE, PROBABILITY, SERVICE_RATE, TIME};
use crate::quantity::{DomainError, Quantity};
use crate::results;
use crate::stability::Unstable;

/// An M/M/1 queue in its long run.
///
/// With λ the arrival rate, μ the service rate and ρ = λ/μ. Waiting time ends when service starts, sojourn time when
/// it ends. Rates are per unit of time, times are in that unit, the rest has no unit.
///
/// At λ ≥ μ there is no steady state. Long-run fractions exist all the same: the server is always busy, and all but a
/// vanishing part of the customers wait longer than any given time, so that utilization, wait probability and tails
/// are 1. Means and quantiles do not exist.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞. Results at λ = 0 are those of a customer who comes alone.
///
/// # Source
/// Kleinrock, *Queueing Systems*, volume 1, 1975, chapters 3 and 5; Gross, Shortle, Thompson and Harris,
/// *Fundamentals of Queueing Theory*, 2008, chapter 2.
///
/// # Example
/// ```
/// use retrylab_analytic::mm1::Mm1;
///
/// let queue = Mm1::new(0.8, 1.0)?;
/// assert!((queue.sojourn_time_mean().unwrap() - 5.0).abs() < 1e-14);
/// assert!((queue.success(10.0) - 0.864_664_716_763_387_3).abs() < 1e-14);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mm1 {
    arrival_rate: f64,
    service_rate: f64,
}

impl Mm1 {
    /// A queue with an arrival rate and a service rate, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite.
    pub fn new(arrival_rate: f64, service_rate: f64) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            service_rate: SERVICE_RATE.check(service_rate)?,
        })
    }

    /// Long-run fraction of time that the server is busy: min(ρ, 1).
    #[must_use]
    pub fn utilization(&self) -> f64 {
        (self.arrival_rate / self.service_rate).min(1.0)
    }

    /// Long-run fraction of customers who find the server busy: min(ρ, 1), because Poisson arrivals see time averages.
    #[must_use]
    pub fn wait_probability(&self) -> f64 {
        self.utilization()
    }

    /// Mean number of customers waiting or in service: λ/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn number_in_system(&self) -> Result<f64, Unstable> {
        Ok(self.arrival_rate / self.spare_rate()?)
    }

    /// Mean number of customers waiting: ρλ/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn number_in_queue(&self) -> Result<f64, Unstable> {
        Ok(self.utilization() * self.number_in_system()?)
    }

    /// Mean sojourn time: 1/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn sojourn_time_mean(&self) -> Result<f64, Unstable> {
        Ok(1.0 / self.spare_rate()?)
    }

    /// Mean waiting time, of all customers: ρ/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn waiting_time_mean(&self) -> Result<f64, Unstable> {
        Ok(self.utilization() / self.spare_rate()?)
    }

    /// Variance of the waiting time, of all customers: ρ(2 − ρ)/(μ − λ)².
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn waiting_time_variance(&self) -> Result<f64, Unstable> {
        let spare_rate = self.spare_rate()?;
        Ok(self.utilization() * (2.0 - self.utilization()) / spare_rate / spare_rate)
    }

    /// Probability of a sojourn longer than `time`: e^(−(μ−λ)·time).
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        decay(self.fastest_rate(), self.arrival_rate, time)
    }

    /// Probability of a wait longer than `time`: ρ e^(−(μ−λ)·time).
    #[must_use]
    pub fn waiting_time_tail(&self, time: f64) -> f64 {
        self.utilization() * self.sojourn_time_tail(time)
    }

    /// Probability of an answer within `time` of arrival, the complement of [`Mm1::sojourn_time_tail`].
    #[must_use]
    pub fn success(&self, time: f64) -> f64 {
        one_minus_exp(-(self.fastest_rate() - self.arrival_rate) * time)
    }

    /// The time within which a fraction `probability` of the sojourns end: −ln(1 − probability)/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn sojourn_time_quantile(&self, probability: f64) -> Result<f64, Unstable> {
        Ok(-log1p(-probability) / self.spare_rate()?)
    }

    /// μ − λ, the rate at which sojourns end.
    fn spare_rate(&self) -> Result<f64, Unstable> {
        Unstable::check(self.arrival_rate, self.service_rate)?;
        Ok(self.service_rate - self.arrival_rate)
    }

    /// μ, or λ at overload, where sojourns never end in the long run.
    fn fastest_rate(&self) -> f64 {
        self.service_rate.max(self.arrival_rate)
    }
}

/// [`Mm1`] by name.
pub static MM1: Quantity = Quantity {
    name: "mm1",
    summary: "one server with exponential service and Poisson arrivals, first in first out",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, TIME, PROBABILITY],
    results: &[
        results::SERVER_UTILIZATION,
        results::SERVER_WAIT_PROBABILITY,
        results::NUMBER_IN_SYSTEM,
        results::NUMBER_IN_QUEUE,
        results::SOJOURN_TIME_MEAN,
        results::WAITING_TIME_MEAN,
        results::WAITING_TIME_VARIANCE,
        results::SOJOURN_TIME_TAIL,
        results::WAITING_TIME_TAIL,
        results::SUCCESS_WITHIN_TIME,
        results::SOJOURN_TIME_QUANTILE,
    ],
    formula: "ρ = λ/μ < 1: utilization = wait_probability = ρ; number_in_system = λ/(μ − λ); \
              number_in_queue = ρλ/(μ − λ); sojourn_time_mean = 1/(μ − λ); waiting_time_mean = ρ/(μ − λ); \
              waiting_time_variance = ρ(2 − ρ)/(μ − λ)^2; sojourn_time_tail = e^(−(μ − λ)t); \
              waiting_time_tail = ρ e^(−(μ − λ)t); success = 1 − e^(−(μ − λ)t); \
              sojourn_time_quantile = −ln(1 − probability)/(μ − λ). ρ ≥ 1: utilization, wait_probability and tails \
              are 1 in the long run, success is 0, and nothing else exists",
    source: "Kleinrock, Queueing Systems, vol. 1, 1975, chapters 3 and 5; Gross, Shortle, Thompson and Harris, \
             Fundamentals of Queueing Theory, 2008, chapter 2",
    evaluate: |arguments| {
        let queue = Mm1::new(arguments.number("arrival_rate"), arguments.number("service_rate"))?;
        let mut values = vec![
            ("utilization", queue.utilization().into()),
            ("wait_probability", queue.wait_probability().into()),
            ("number_in_system", queue.number_in_system().into()),
            ("number_in_queue", queue.number_in_queue().into()),
            ("sojourn_time_mean", queue.sojourn_time_mean().into()),
            ("waiting_time_mean", queue.waiting_time_mean().into()),
            ("waiting_time_variance", queue.waiting_time_variance().into()),
        ];
        if let Some(time) = arguments.optional("time") {
            values.push(("sojourn_time_tail", queue.sojourn_time_tail(time).into()));
            values.push(("waiting_time_tail", queue.waiting_time_tail(time).into()));
            values.push(("success", queue.success(time).into()));
        }
        if let Some(probability) = arguments.optional("probability") {
            values.push((
                "sojourn_time_quantile",
                queue.sojourn_time_quantile(probability).into(),
            ));
        }
        Ok(values)
    },
};

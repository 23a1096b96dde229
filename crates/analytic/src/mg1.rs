//! The M/G/1 queue: Poisson arrivals, one server, any distribution of service times, means only.

use crate::parameters::ARRIVAL_RATE;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::stability::Unstable;

/// Mean of the service time.
const SERVICE_MEAN: Parameter = Parameter {
    name: "service_mean",
    meaning: "mean service time",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Squared coefficient of variation of the service time.
const SERVICE_SCV: Parameter = Parameter {
    name: "service_scv",
    meaning: "variance of the service time divided by its squared mean: 0 if constant, 1 if exponential",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Means of an M/G/1 queue in its steady state, by the Pollaczek–Khinchine formula.
///
/// With λ the arrival rate, b the mean service time, s the squared coefficient of variation of the service time and
/// ρ = λb. The mean wait is that of every order of service that neither looks at service times nor interrupts one.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < b < ∞, 0 ≤ s < ∞; means exist for ρ < 1. Results at λ = 0 are those of a customer who comes alone.
///
/// # Source
/// Pollaczek, 1930; Khinchine, 1932; Kleinrock, *Queueing Systems*, volume 1, 1975, chapter 5.
///
/// # Example
/// ```
/// use retrylab_analytic::mg1::Mg1;
///
/// // Constant service waits half as long as exponential service.
/// let queue = Mg1::new(0.5, 1.0, 0.0)?;
/// assert_eq!(queue.waiting_time_mean().unwrap(), 0.5);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mg1 {
    arrival_rate: f64,
    service_mean: f64,
    service_scv: f64,
}

impl Mg1 {
    /// A queue with an arrival rate, a mean service time and its squared coefficient of variation, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` and `service_scv` are ≥ 0 and finite and `service_mean` > 0 is finite.
    pub fn new(arrival_rate: f64, service_mean: f64, service_scv: f64) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            service_mean: SERVICE_MEAN.check(service_mean)?,
            service_scv: SERVICE_SCV.check(service_scv)?,
        })
    }

    /// Mean number of customers waiting: ρ²(1 + s)/(2(1 − ρ)).
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn number_in_queue(&self) -> Result<f64, Unstable> {
        Ok(self.arrival_rate * self.waiting_time_mean()?)
    }

    /// Mean waiting time: ρb(1 + s)/(2(1 − ρ)).
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn waiting_time_mean(&self) -> Result<f64, Unstable> {
        let idle = idle_probability(self.arrival_rate, self.service_mean)?;
        let load = self.arrival_rate * self.service_mean;
        Ok(load * ((1.0 + self.service_scv) / 2.0) / idle * self.service_mean)
    }

    /// Mean sojourn time: b more than the wait.
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn sojourn_time_mean(&self) -> Result<f64, Unstable> {
        Ok(self.service_mean + self.waiting_time_mean()?)
    }
}

/// 1 − ρ, rounded once, of a queue that is stable.
pub(crate) fn idle_probability(arrival_rate: f64, service_mean: f64) -> Result<f64, Unstable> {
    let idle = (-arrival_rate).mul_add(service_mean, 1.0);
    if idle > 0.0 {
        Ok(idle)
    } else {
        Err(Unstable {
            arrival_rate,
            capacity: 1.0 / service_mean,
        })
    }
}

/// [`Mg1`] by name.
pub static MG1: Quantity = Quantity {
    name: "mg1",
    summary: "one server with Poisson arrivals and any distribution of service times",
    parameters: &[ARRIVAL_RATE, SERVICE_MEAN, SERVICE_SCV],
    results: &[
        results::NUMBER_IN_QUEUE,
        results::WAITING_TIME_MEAN,
        results::SOJOURN_TIME_MEAN,
    ],
    formula: "b = service_mean, ρ = λb < 1: waiting_time_mean = ρb(1 + scv)/(2(1 − ρ)); \
              number_in_queue = λ·waiting_time_mean; sojourn_time_mean = waiting_time_mean + b; none exists for ρ ≥ 1",
    source: "Pollaczek, 1930; Khinchine, 1932; Kleinrock, Queueing Systems, vol. 1, 1975, chapter 5",
    evaluate: |arguments| {
        let queue = Mg1::new(
            arguments.number("arrival_rate"),
            arguments.number("service_mean"),
            arguments.number("service_scv"),
        )?;
        Ok(vec![
            ("number_in_queue", queue.number_in_queue().into()),
            ("waiting_time_mean", queue.waiting_time_mean().into()),
            ("sojourn_time_mean", queue.sojourn_time_mean().into()),
        ])
    },
};

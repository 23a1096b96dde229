//! The M/M/c queue: Poisson arrivals, exponential service, c servers, first in first out, no bound on the queue.

use libm::exp;

use crate::erlang::waiting;
use crate::exponential::{span, triangle};
use crate::numeric::one_minus_exp;
use crate::parameters::{ARRIVAL_RATE, PROBABILITY, SERVICE_RATE, TIME};
use crate::quadrature::last_where;
use crate::quantity::{DomainError, Quantity};
use crate::results;
use crate::stability::Unstable;
use crate::station::{SERVERS, Station};

/// An M/M/c queue in its long run.
///
/// With λ the arrival rate, μ the service rate of one server, c servers, a = λ/μ the offered load and C the
/// probability of waiting ([`crate::erlang::erlang_c`]). Waiting time ends when service starts, sojourn time when it
/// ends; both are those of all customers. Rates are per unit of time, times are in that unit, the rest has no unit.
///
/// At λ ≥ cμ there is no steady state. Long-run fractions exist all the same: the servers are always busy, and all but
/// a vanishing part of the customers wait longer than any given time, so that utilization, wait probability and tails
/// are 1. Means, variances and quantiles do not exist.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 1 ≤ c ≤ 1,000,000. Results at λ = 0 are those of a customer who comes alone.
///
/// # Source
/// Kleinrock, *Queueing Systems*, volume 1, 1975, chapter 3; Gross, Shortle, Thompson and Harris, *Fundamentals of
/// Queueing Theory*, 2008, chapter 2.
///
/// # Example
/// ```
/// use retrylab_analytic::mmc::Mmc;
///
/// let queue = Mmc::new(1.0, 1.0, 2)?;
/// assert!((queue.wait_probability() - 1.0 / 3.0).abs() < 1e-15);
/// assert!((queue.sojourn_time_mean().unwrap() - 4.0 / 3.0).abs() < 1e-15);
/// // Servers minus load is 1 here: the wait of those who wait is distributed as a service.
/// assert!((queue.sojourn_time_tail(3.0) - 2.0 * (-3.0_f64).exp()).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mmc {
    station: Station,
    wait: f64,
    no_wait: f64,
}

impl Mmc {
    /// A queue with an arrival rate, a service rate of one server and a number of servers, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite and `servers` is in 1 … 1,000,000.
    pub fn new(arrival_rate: f64, service_rate: f64, servers: u64) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, servers)?;
        let (wait, no_wait) = waiting(&station);
        Ok(Self {
            station,
            wait,
            no_wait,
        })
    }

    /// Long-run busy share of each server: min(λ/(cμ), 1).
    #[must_use]
    pub fn utilization(&self) -> f64 {
        self.station.intensity().min(1.0)
    }

    /// Long-run fraction of customers who wait: C, which is also the fraction of time that all servers are busy.
    #[must_use]
    pub fn wait_probability(&self) -> f64 {
        self.wait
    }

    /// Mean number of customers waiting or in service: a + Cλ/(cμ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn number_in_system(&self) -> Result<f64, Unstable> {
        Ok(self.station.load + self.number_in_queue()?)
    }

    /// Mean number of customers waiting: Cλ/(cμ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn number_in_queue(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(self.wait * (self.station.load / self.station.spare))
    }

    /// Mean sojourn time: 1/μ + C/(cμ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn sojourn_time_mean(&self) -> Result<f64, Unstable> {
        Ok(1.0 / self.station.service_rate + self.waiting_time_mean()?)
    }

    /// Mean waiting time: C/(cμ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn waiting_time_mean(&self) -> Result<f64, Unstable> {
        Ok(self.wait / self.station.spare_rate()?)
    }

    /// Variance of the waiting time: C(2 − C)/(cμ − λ)².
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn waiting_time_variance(&self) -> Result<f64, Unstable> {
        let spare_rate = self.station.spare_rate()?;
        Ok(self.wait * (2.0 - self.wait) / spare_rate / spare_rate)
    }

    /// Probability of a wait longer than `time`: C e^(−(cμ−λ)·time).
    #[must_use]
    pub fn waiting_time_tail(&self, time: f64) -> f64 {
        self.wait * exp(-self.drain_rate() * self.station.service_times(time))
    }

    /// Probability of a sojourn longer than `time`.
    ///
    /// With θ = cμ − λ it is e^(−μt) + Cμ ∫₀ᵗ e^(−μs − θ(t−s)) ds: the service alone is longer, or it fits into t and
    /// the wait does not fit into what it leaves. The integral is (e^(−θt) − e^(−μt))/(μ − θ), and t·e^(−μt) at θ = μ.
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        let time = self.station.service_times(time);
        let rate = self.drain_rate();
        exp(-time) + self.wait * exp(-rate.min(1.0) * time) * span(time, (rate - 1.0).abs())
    }

    /// Probability of an answer within `time` of arrival, the complement of [`Mmc::sojourn_time_tail`].
    #[must_use]
    pub fn success(&self, time: f64) -> f64 {
        let time = self.station.service_times(time);
        let rate = self.drain_rate();
        self.no_wait * one_minus_exp(-time) + self.wait * rate * triangle(time, rate, 1.0)
    }

    /// The time within which a fraction `probability` of the sojourns end, a number between 0 and 1.
    ///
    /// Solved for on whichever of [`Mmc::success`] and [`Mmc::sojourn_time_tail`] is the smaller there.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn sojourn_time_quantile(&self, probability: f64) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(last_where(|time| {
            if probability <= 0.5 {
                self.success(time) <= probability
            } else {
                self.sojourn_time_tail(time) >= 1.0 - probability
            }
        }))
    }

    /// Rate at which a queue of customers drains net of arrivals, per mean service time.
    fn drain_rate(&self) -> f64 {
        self.station.spare.max(0.0)
    }
}

/// [`Mmc`] by name.
pub static MMC: Quantity = Quantity {
    name: "mmc",
    summary: "several servers with exponential service and Poisson arrivals, first in first out",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, SERVERS, TIME, PROBABILITY],
    results: &[
        ("utilization", "long-run busy share of each server"),
        (
            "wait_probability",
            "long-run fraction of customers who find all servers busy",
        ),
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
    formula: "a = λ/μ, C = wait_probability of erlang-c at (a, c), θ = cμ − λ > 0: utilization = a/c; \
              number_in_queue = Cλ/θ; number_in_system = a + Cλ/θ; waiting_time_mean = C/θ; \
              sojourn_time_mean = 1/μ + C/θ; waiting_time_variance = C(2 − C)/θ^2; waiting_time_tail = C e^(−θt); \
              sojourn_time_tail = e^(−μt) + Cμ(e^(−θt) − e^(−μt))/(μ − θ), with the limit at θ = μ; \
              success = 1 − sojourn_time_tail; sojourn_time_quantile solves sojourn_time_tail = 1 − probability. \
              θ ≤ 0: utilization, wait_probability and tails are 1 in the long run, success is 0, and nothing else \
              exists",
    source: "Kleinrock, Queueing Systems, vol. 1, 1975, chapter 3; Gross, Shortle, Thompson and Harris, Fundamentals \
             of Queueing Theory, 2008, chapter 2",
    evaluate: |arguments| {
        let queue = Mmc::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.count("servers"),
        )?;
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

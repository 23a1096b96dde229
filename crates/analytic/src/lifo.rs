//! The M/M/1 queue in last-in, first-out order: service is not interrupted, and the newest waiting customer is next.

use libm::exp;

use crate::busy_period::BusyPeriod;
use crate::exponential::{span, triangle};
use crate::numeric::one_minus_exp;
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE, TIME};
use crate::quantity::{DomainError, Quantity};
use crate::results;
use crate::stability::Unstable;
use crate::station::Station;

/// A last-in, first-out M/M/1 queue in its long run.
///
/// With λ the arrival rate, μ the service rate and ρ = λ/μ. A customer who finds the server idle does not wait. One
/// who finds it busy waits for the rest of the service under way and for everyone who comes meanwhile, and for those
/// who come in their services, …: a busy period, because the rest of an exponential service is distributed as a whole
/// one. The mean wait is that of first in, first out; the variance is larger.
///
/// At λ ≥ μ the server is always busy in the long run, and a customer's wait is a busy period that may be endless.
/// Its tails exist and tend to 1 − 1/ρ: unlike first in, first out, this order still serves a share of the customers
/// in time. Moments do not exist there.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞. Results at λ = 0 are those of a customer who comes alone.
///
/// # Source
/// Vaulot, "Délais d'attente des appels téléphoniques dans l'ordre inverse de leur arrivée", 1954; Riordan, "Delays for
/// last-come first-served service and the busy period" (Bell System Technical Journal), 1961; Cooper, *Introduction to
/// Queueing Theory*, 1981, chapter 5.
///
/// # Example
/// ```
/// use retrylab_analytic::lifo::Lifo;
///
/// let queue = Lifo::new(0.5, 1.0)?;
/// assert_eq!(queue.waiting_time_mean().unwrap(), 1.0);
/// assert_eq!(queue.waiting_time_second_moment().unwrap(), 8.0);
/// assert!((queue.waiting_time_tail(0.0) - 0.5).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lifo {
    station: Station,
    busy_period: BusyPeriod,
}

impl Lifo {
    /// A queue with an arrival rate and a service rate, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite.
    pub fn new(arrival_rate: f64, service_rate: f64) -> Result<Self, DomainError> {
        Ok(Self {
            station: Station::new(arrival_rate, service_rate, 1)?,
            busy_period: BusyPeriod::new(arrival_rate, service_rate)?,
        })
    }

    /// Mean waiting time: ρ/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn waiting_time_mean(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        let Station {
            load,
            spare,
            service_rate,
            ..
        } = self.station;
        Ok(load / spare / service_rate)
    }

    /// Mean squared waiting time: 2λ/(μ − λ)³.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn waiting_time_second_moment(&self) -> Result<f64, Unstable> {
        let Station {
            spare, service_rate, ..
        } = self.station;
        Ok(2.0 * self.waiting_time_mean()? / spare / spare / service_rate)
    }

    /// Probability of a wait longer than `time`: min(ρ, 1) times that of a busy period longer than `time`.
    #[must_use]
    pub fn waiting_time_tail(&self, time: f64) -> f64 {
        self.busy() * self.busy_period.tail(time)
    }

    /// Probability of a sojourn, a wait and a service independent of it, longer than `time`.
    ///
    /// The busy period is a mixture of exponentials of rates r, so its sum with a service is longer than t with
    /// probability P(busy period > t) plus the mean over the mixture of r(e^(−rt) − e^(−μt))/(μ − r).
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        let time = self.station.service_times(time);
        let finite = self.busy_period.mixture(time, |rate, decay| {
            let slower = if rate < 1.0 { decay } else { exp(-time) };
            decay + rate * slower * span(time, (rate - 1.0).abs())
        });
        let idle = self.station.spare.max(0.0);
        idle * exp(-time) + self.busy() * (finite + self.busy_period.endless())
    }

    /// Probability of an answer within `time` of arrival, the complement of [`Lifo::sojourn_time_tail`].
    #[must_use]
    pub fn success(&self, time: f64) -> f64 {
        let tail = self.sojourn_time_tail(time);
        if tail <= 0.5 {
            return 1.0 - tail;
        }
        let time = self.station.service_times(time);
        let both = self
            .busy_period
            .mixture(time, |rate, _| rate * triangle(time, rate, 1.0));
        self.station.spare.max(0.0) * one_minus_exp(-time) + self.busy() * both
    }

    /// Long-run fraction of time that the server is busy.
    fn busy(&self) -> f64 {
        self.station.load.min(1.0)
    }
}

/// [`Lifo`] by name.
pub static LIFO: Quantity = Quantity {
    name: "lifo",
    summary: "one server with exponential service and Poisson arrivals, last in first out, service not interrupted",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, TIME],
    results: &[
        results::WAITING_TIME_MEAN,
        (
            "waiting_time_second_moment",
            "mean square of the time from arrival to the start of service",
        ),
        results::WAITING_TIME_TAIL,
        results::SOJOURN_TIME_TAIL,
        results::SUCCESS_WITHIN_TIME,
    ],
    formula: "ρ = λ/μ < 1: waiting_time_mean = ρ/(μ − λ); waiting_time_second_moment = 2λ/(μ − λ)^3; \
              waiting_time_tail = ρ·(2μ/π) ∫_0^π e^(−rt) sin²φ/r dφ with r = λ + μ − 2√(λμ) cos φ, plus 1 − 1/ρ and with \
              factor 1 for ρ ≥ 1; sojourn_time_tail is that of the wait plus an independent service; \
              success = 1 − sojourn_time_tail; moments do not exist for ρ ≥ 1",
    source: "Vaulot, Délais d'attente des appels téléphoniques dans l'ordre inverse de leur arrivée, 1954; Riordan, \
             Delays for last-come first-served service and the busy period, Bell System Technical Journal, 1961; \
             Cooper, Introduction to Queueing Theory, 1981, chapter 5",
    evaluate: |arguments| {
        let queue = Lifo::new(arguments.number("arrival_rate"), arguments.number("service_rate"))?;
        let mut values = vec![
            ("waiting_time_mean", queue.waiting_time_mean().into()),
            (
                "waiting_time_second_moment",
                queue.waiting_time_second_moment().into(),
            ),
        ];
        if let Some(time) = arguments.optional("time") {
            values.push(("waiting_time_tail", queue.waiting_time_tail(time).into()));
            values.push(("sojourn_time_tail", queue.sojourn_time_tail(time).into()));
            values.push(("success", queue.success(time).into()));
        }
        Ok(values)
    },
};

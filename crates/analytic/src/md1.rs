//! The M/D/1 queue: Poisson arrivals, one server, constant service time, first in first out.

use libm::{exp, expm1};

use crate::exponential::triangle;
use crate::mg1::idle_probability;
use crate::numeric::one_minus_exp;
use crate::parameters::{ARRIVAL_RATE, TIME};
use crate::poisson_probability::poisson;
use crate::quadrature::last_where;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::series::by_ratio;
use crate::stability::Unstable;

/// Duration of every service.
const SERVICE_TIME: Parameter = Parameter {
    name: "service_time",
    meaning: "duration of every service",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// From this number of service times on, a wait's tail is its leading exponential to rounding.
///
/// The tail is a sum of exponentials, one for each solution z of z = e^(ρ(z−1)), that decay as |z|⁻¹ per service time.
/// The leading z is real. The others are larger by a factor that shrinks with ρ, but so does every tail: where 128
/// service times have not yet taken the tail below the smallest double, that factor is at least 1.4, and 1.4¹²⁸ > 10¹⁸.
const EXPONENTIAL_FROM: f64 = 128.0;

/// An M/D/1 queue in its long run.
///
/// With λ the arrival rate, b the service time and ρ = λb. Waiting time ends when service starts, sojourn time when it
/// ends. At ρ ≥ 1 there is no steady state; as in M/M/1 the server is then always busy and tails are 1 in the long run,
/// and means and variances do not exist.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < b < ∞. Results at λ = 0 are those of a customer who comes alone.
///
/// # Source
/// Erlang, "The theory of probabilities and telephone conversations", 1909; moments: Kleinrock, *Queueing Systems*,
/// volume 1, 1975, chapter 5 (M/G/1); tail: Franx, "A simple solution for the M/D/c waiting time distribution"
/// (Operations Research Letters), 2001.
///
/// # Example
/// ```
/// use retrylab_analytic::md1::Md1;
///
/// let queue = Md1::new(0.5, 1.0)?;
/// assert_eq!(queue.waiting_time_mean().unwrap(), 0.5);
/// // Within the first service time the tail is 1 − (1 − ρ)e^(λt).
/// assert!((queue.waiting_time_tail(0.5) - (1.0 - 0.5 * 0.25_f64.exp())).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Md1 {
    arrival_rate: f64,
    service_time: f64,
}

impl Md1 {
    /// A queue with an arrival rate and a service time, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_time` > 0 are finite.
    pub fn new(arrival_rate: f64, service_time: f64) -> Result<Self, DomainError> {
        Ok(Self {
            arrival_rate: ARRIVAL_RATE.check(arrival_rate)?,
            service_time: SERVICE_TIME.check(service_time)?,
        })
    }

    /// Long-run fraction of time that the server is busy: min(ρ, 1).
    #[must_use]
    pub fn utilization(&self) -> f64 {
        (self.arrival_rate * self.service_time).min(1.0)
    }

    /// Long-run fraction of customers who wait: min(ρ, 1).
    #[must_use]
    pub fn wait_probability(&self) -> f64 {
        self.utilization()
    }

    /// Mean number of customers waiting or in service: ρ + ρ²/(2(1 − ρ)).
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn number_in_system(&self) -> Result<f64, Unstable> {
        Ok(self.utilization() + self.number_in_queue()?)
    }

    /// Mean number of customers waiting: ρ²/(2(1 − ρ)).
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn number_in_queue(&self) -> Result<f64, Unstable> {
        Ok(self.utilization() * self.mean_wait_in_services()?)
    }

    /// Mean sojourn time: b more than the wait.
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn sojourn_time_mean(&self) -> Result<f64, Unstable> {
        Ok(self.service_time + self.waiting_time_mean()?)
    }

    /// Mean waiting time: ρb/(2(1 − ρ)).
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn waiting_time_mean(&self) -> Result<f64, Unstable> {
        Ok(self.mean_wait_in_services()? * self.service_time)
    }

    /// Variance of the waiting time: ρb²/(3(1 − ρ)) + (ρb/(2(1 − ρ)))².
    ///
    /// # Errors
    /// [`Unstable`] at ρ ≥ 1.
    pub fn waiting_time_variance(&self) -> Result<f64, Unstable> {
        let mean = self.mean_wait_in_services()?;
        Ok((mean * (2.0 / 3.0 + mean)) * self.service_time * self.service_time)
    }

    /// Probability of a sojourn longer than `time`: that of a wait longer than `time` − b.
    #[must_use]
    pub fn sojourn_time_tail(&self, time: f64) -> f64 {
        if time < self.service_time {
            1.0
        } else {
            self.waiting_time_tail(time - self.service_time)
        }
    }

    /// Probability of a wait longer than `time`.
    ///
    /// A customer waits longer than t, with k the number of service times that t reaches into, if the customers who
    /// wait before and those who arrive in the kb − t before number at least k. The former number is that of a
    /// service's start; the latter is a Poisson number.
    #[must_use]
    pub fn waiting_time_tail(&self, time: f64) -> f64 {
        let Ok(idle) = idle_probability(self.arrival_rate, self.service_time) else {
            return 1.0;
        };
        let services = (time / self.service_time).min(f64::MAX);
        if services >= EXPONENTIAL_FROM {
            let rate = decay_rate(self.utilization(), idle);
            return idle / (rate - idle) * exp(-rate * services);
        }
        let reached = services.floor() + 1.0;
        let mean = (self.arrival_rate * reached.mul_add(self.service_time, -time)).max(0.0);
        let waiting = waiting_tails(self.utilization(), reached as usize);
        let arrivals = |count: f64| poisson(count, mean, count - mean);
        let few: f64 = waiting
            .iter()
            .rev()
            .zip(0_u32..)
            .map(|(tail, count)| arrivals(f64::from(count)) * tail)
            .sum();
        few + poisson_tail(mean, reached)
    }

    /// Mean waiting time divided by b.
    fn mean_wait_in_services(&self) -> Result<f64, Unstable> {
        let idle = idle_probability(self.arrival_rate, self.service_time)?;
        Ok(self.utilization() / 2.0 / idle)
    }
}

/// P(a Poisson number of mean `mean` ≥ `from`), for a mean of at most about 1 and `from` ≥ 1.
fn poisson_tail(mean: f64, from: f64) -> f64 {
    by_ratio(poisson(from, mean, from - mean), |index| mean / (from + index))
}

/// P(more than n customers are left waiting when a service starts), n = 0 … `len` − 1.
///
/// That number is the sum of a geometric number, with parameter ρ, of independent ones with P(A > i)/ρ, i ≥ 0, where A
/// is the Poisson number of arrivals in a service time. Conditioning on the first gives a recursion of positive terms.
fn waiting_tails(load: f64, len: usize) -> Vec<f64> {
    let exceeding: Vec<f64> = (0..=len)
        .map(|count| poisson_tail(load, count as f64 + 1.0))
        .collect();
    let mut tails: Vec<f64> = Vec::with_capacity(len);
    for n in 0..len {
        let first = excess(load, n as f64 + 1.0);
        let others: f64 = (1..=n).map(|i| exceeding[i] * tails[n - i]).sum();
        tails.push((first + others) * exp(load));
    }
    tails
}

/// Σ P(A > i) over i ≥ `from` = E max(A − `from`, 0), for a Poisson number A of mean `mean` ≤ 1.
fn excess(mean: f64, from: f64) -> f64 {
    let first = from + 1.0;
    by_ratio(poisson(first, mean, first - mean), |index| {
        mean / (first + index) * (index + 1.0) / index
    })
}

/// The decay per service time, ζ, of the leading exponential of the wait's tail: the positive solution of
/// ρ(e^ζ − 1) = ζ, for ρ = `load` and 1 − ρ = `idle`.
fn decay_rate(load: f64, idle: f64) -> f64 {
    // ζ/(e^ζ − 1) falls from 1 to 0; it is compared with the smaller of ρ and 1 − ρ, which is the more precise one.
    if load <= 0.5 {
        last_where(|rate| rate >= load * expm1(rate))
    } else {
        last_where(|rate| busy_complement(rate) <= idle)
    }
}

/// 1 − x/(eˣ − 1) for x > 0, as (1 − (1 + x)e^(−x))/(1 − e^(−x)).
fn busy_complement(x: f64) -> f64 {
    triangle(x, 1.0, 1.0) / one_minus_exp(-x)
}

/// [`Md1`] by name.
pub static MD1: Quantity = Quantity {
    name: "md1",
    summary: "one server with constant service time and Poisson arrivals, first in first out",
    parameters: &[ARRIVAL_RATE, SERVICE_TIME, TIME],
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
    ],
    formula: "b = service_time, ρ = λb < 1: utilization = wait_probability = ρ; number_in_queue = ρ^2/(2(1 − ρ)); \
              number_in_system = number_in_queue + ρ; waiting_time_mean = ρb/(2(1 − ρ)); sojourn_time_mean = \
              waiting_time_mean + b; waiting_time_variance = ρb^2/(3(1 − ρ)) + waiting_time_mean^2; \
              waiting_time_tail = 1 − (1 − ρ) Σ_(j≤t/b) (−λ(t − jb))^j e^(λ(t − jb))/j!; sojourn_time_tail is that of a \
              wait longer than t − b, 1 for t < b. ρ ≥ 1: utilization, wait_probability and tails are 1 in the long \
              run, and nothing else exists",
    source: "Erlang, The theory of probabilities and telephone conversations, 1909; Kleinrock, Queueing Systems, vol. \
             1, 1975, chapter 5; evaluated after Franx, A simple solution for the M/D/c waiting time distribution, \
             Operations Research Letters, 2001",
    evaluate: |arguments| {
        let queue = Md1::new(arguments.number("arrival_rate"), arguments.number("service_time"))?;
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
        }
        Ok(values)
    },
};

//! The busy period of an M/M/1 queue: from the arrival at an empty system until the system is empty again.

use std::f64::consts::PI;

use libm::{exp, log, sqrt};

use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::quadrature::integrate;
use crate::quantity::{DomainError, Quantity};
use crate::stability::Unstable;
use crate::station::Station;

/// The busy period of an M/M/1 queue, which is that of every order of service.
///
/// With λ the arrival rate, μ the service rate and ρ = λ/μ. Rates are per unit of time, times are in that unit. At
/// λ = μ the busy period ends for sure but has no mean; at λ > μ it lasts for ever with probability 1 − 1/ρ.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞; moments exist for λ < μ. Results at λ = 0 are those of one service.
///
/// # Source
/// Takács, *Introduction to the Theory of Queues*, 1962; Kleinrock, *Queueing Systems*, volume 1, 1975, chapter 5.
/// The tail integrates Kleinrock's density with the Bessel function replaced by its integral over an angle.
///
/// # Example
/// ```
/// use retrylab_analytic::busy_period::BusyPeriod;
///
/// let period = BusyPeriod::new(0.5, 1.0)?;
/// assert_eq!(period.mean().unwrap(), 2.0);
/// assert_eq!(period.second_moment().unwrap(), 16.0);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BusyPeriod {
    station: Station,
}

impl BusyPeriod {
    /// The busy period at an arrival rate and a service rate, stable or not.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0 and `service_rate` > 0 are finite.
    pub fn new(arrival_rate: f64, service_rate: f64) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, 1)?;
        Ok(Self { station })
    }

    /// Mean: 1/(μ − λ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn mean(&self) -> Result<f64, Unstable> {
        Ok(1.0 / self.station.spare_rate()?)
    }

    /// Second moment: 2μ/(μ − λ)³.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn second_moment(&self) -> Result<f64, Unstable> {
        let mean = self.mean()?;
        Ok(2.0 * mean * mean / self.station.spare)
    }

    /// Third moment: 6μ(μ + λ)/(μ − λ)⁵.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ μ.
    pub fn third_moment(&self) -> Result<f64, Unstable> {
        let mean = self.mean()?;
        let Station { load, spare, .. } = self.station;
        Ok(6.0 * mean * mean * mean * (1.0 + load) / spare / spare)
    }

    /// Probability that it lasts longer than `time`, for ever included: the limit at λ > μ is 1 − 1/ρ.
    ///
    /// Density (2μ/π) ∫₀^π e^(−rt) sin²φ dφ with r = λ + μ − 2√(λμ) cos φ, hence with tail 1/r times as much under
    /// the integral. Nothing in it changes sign, so tails of any size have full relative precision.
    #[must_use]
    pub fn tail(&self, time: f64) -> f64 {
        let time = self.station.service_times(time);
        self.mixture(time, |_, decay| decay) + self.endless()
    }

    /// Probability that it never ends: 1 − 1/ρ at λ > μ.
    pub(crate) fn endless(&self) -> f64 {
        (-self.station.spare).max(0.0) / self.station.load.max(1.0)
    }

    /// (2/π) ∫₀^π f·(sin²φ/r) dφ, times in mean service times: what the tail of a busy period that ends becomes when its
    /// factor e^(−r·time) is replaced by f. `integrand` gets the rate r and that exponential.
    pub(crate) fn mixture(&self, time: f64, integrand: impl Fn(f64, f64) -> f64) -> f64 {
        let Station { load, spare, .. } = self.station;
        let root = sqrt(load);
        // The slowest rate, (√μ − √λ)², by its square root.
        let slowest_root = spare / (1.0 + root);
        let range = 4.0 * root;
        // φ = 2 arctan eʸ spreads both ends over the line and puts the zeros of the rate at Im y = π/2. The factor
        // e^(−r·time) bounds y from above near −½ ln(range·time).
        let scale = (1.0 + range * time).min(f64::MAX);
        let [integral] = integrate(-0.5 * log(scale) - 40.0, 14.0, |y| {
            let tangent = exp(y);
            let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
            let sine = tangent * cosine;
            let rate = slowest_root * slowest_root + range * (sine * sine);
            // sine²/rate, which is not 0/0 where both factors underflow.
            let share = 1.0 / ((slowest_root / sine) * (slowest_root / sine) + range);
            [share * sine * (cosine * cosine * cosine) * integrand(rate, exp(-rate * time))]
        });
        16.0 / PI * integral
    }
}

/// [`BusyPeriod`] by name.
pub static BUSY_PERIOD: Quantity = Quantity {
    name: "busy-period",
    summary: "how long one server with exponential service and Poisson arrivals stays busy once it is",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE],
    results: &[
        ("mean", "mean length"),
        ("second_moment", "mean squared length"),
        ("third_moment", "mean cubed length"),
    ],
    formula: "θ = μ − λ > 0: mean = 1/θ; second_moment = 2μ/θ^3; third_moment = 6μ(μ + λ)/θ^5; none exists for θ ≤ 0",
    source: "Takács, Introduction to the Theory of Queues, 1962; Kleinrock, Queueing Systems, vol. 1, 1975, chapter 5",
    evaluate: |arguments| {
        let period = BusyPeriod::new(arguments.number("arrival_rate"), arguments.number("service_rate"))?;
        Ok(vec![
            ("mean", period.mean().into()),
            ("second_moment", period.second_moment().into()),
            ("third_moment", period.third_moment().into()),
        ])
    },
};

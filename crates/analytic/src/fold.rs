//! The edge at which retries take a healthy service with several servers away: a fold of the balance of its arrivals.

use crate::fluid_blip::TIMEOUT;
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::quadrature::last_where;
use crate::quantity::{DomainError, Quantity};
use crate::slow_share::SlowShare;
use crate::stability::Unstable;
use crate::station::{SERVERS, Station};

/// A healthy service whose failed attempts spawn on average R further attempts each, which may fail in turn.
///
/// New requests arrive at rate λ at c servers of rate μ each, and an attempt fails if its latency exceeds T. As long as
/// retries come back independently of the queue's momentary length, all attempts together are a Poisson stream of a
/// rate x that has to balance:
///
/// x = λ + R·x·P(x),
///
/// with P(x) the probability of a sojourn longer than T at M/M/c ([`Mmc::sojourn_time_tail`]) under x attempts per unit
/// of time. A balance at x needs R(x) = (1 − λ/x)/P(x). From R(λ) = 0 this grows, up to where all further attempts fail
/// more than in proportion, and falls from there to R(cμ) = 1 − λ/(cμ). Below the peak two balances exist, the lower
/// one healthy and stable, the upper one the brink beyond which the queue runs away; at the peak they merge, and above
/// it there is none. The peak is where the logarithmic derivatives agree:
///
/// λ/(x(x − λ)) = P′(x)/P(x).
///
/// If R(x) still grows at x = cμ, the edge is R = 1 − λ/(cμ) there, and no fold. A service that is dead already, all of
/// whose attempts fail, receives λ/(1 − R) attempts and comes back only if that is below cμ, for R < 1 − λ/(cμ): between
/// this and the edge it stays as it is, healthy or dead.
///
/// Without arrivals the peak is at x = 0: one failure breeds more than one other where R > 1/P(0) = e^(μT). Rates are
/// per unit of time, times in that unit, R and shares have none.
///
/// # Domain
/// 0 ≤ λ, 0 < μ, 0 < T, all finite; 1 ≤ c ≤ 1,000,000.
///
/// # Source
/// Saddle-node bifurcation of the balance above; the tail as for [`Mmc`](crate::mmc::Mmc). Retrial queues with a
/// Poisson stream of retries: Cohen, "Basic problems of telephone traffic theory and the influence of repeated calls",
/// 1957. For one server x = λ/2 + √(λ²/4 + λ/T).
///
/// [`Mmc::sojourn_time_tail`]: crate::mmc::Mmc::sojourn_time_tail
///
/// # Example
/// ```
/// use retrylab_analytic::fold::Fold;
///
/// // One server at half its capacity, and a timeout of eight mean services.
/// let fold = Fold::new(0.5, 1.0, 1, 8.0)?;
/// let rate = 0.25 + (0.0625_f64 + 0.0625).sqrt();
/// assert!((fold.arrival_rate_effective().unwrap() - rate).abs() < 1e-15);
/// let edge = (1.0 - 0.5 / rate) * ((1.0 - rate) * 8.0).exp();
/// assert!((fold.retries_per_failure_max().unwrap() / edge - 1.0).abs() < 1e-14);
/// assert_eq!(fold.retries_per_failure_dead(), Ok(0.5));
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fold {
    /// The station with new requests only.
    station: Station,
    /// In mean service times.
    timeout: f64,
    /// Retries per new request at the edge: x/λ − 1.
    surplus: f64,
}

impl Fold {
    /// The edge for an arrival rate of new requests, a service rate of one server, servers and a timeout.
    ///
    /// # Errors
    /// [`DomainError`] outside the domain of the type.
    pub fn new(
        arrival_rate: f64,
        service_rate: f64,
        servers: u64,
        timeout: f64,
    ) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, servers)?;
        let timeout = station.service_times(TIMEOUT.check(timeout)?);
        // The logarithmic derivatives, times x(x − λ)/λ.
        let grows = |surplus: f64| {
            let retries = surplus * station.load;
            retries < station.spare && {
                let slow = SlowShare::new(&station.with_more(retries), timeout);
                surplus * slow.elasticity() <= 1.0
            }
        };
        let surplus = if station.load > 0.0 {
            last_where(grows)
        } else {
            0.0
        };
        Ok(Self {
            station,
            timeout,
            surplus,
        })
    }

    /// Retries per failure above which no healthy state exists.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ, where there is none at any number of retries.
    pub fn retries_per_failure_max(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        let share = if self.station.load > 0.0 {
            self.self_inflicted()
        } else {
            1.0
        };
        Ok(share * self.slow_share().reciprocal())
    }

    /// Attempts per unit of time at the edge: x.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn arrival_rate_effective(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(self.station.arrival_rate * (1.0 + self.surplus))
    }

    /// Share of the attempts that are retries at the edge: 1 − λ/x.
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn retry_share(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(self.self_inflicted())
    }

    /// Probability that an attempt fails at the edge: P(x).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ.
    pub fn failure_probability(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(self.slow_share().probability())
    }

    /// Retries per failure below which a dead service, all of whose attempts fail, comes back: 1 − λ/(cμ).
    ///
    /// # Errors
    /// [`Unstable`] at λ ≥ cμ, where it does not come back even without retries.
    pub fn retries_per_failure_dead(&self) -> Result<f64, Unstable> {
        self.station.spare_rate()?;
        Ok(self.station.spare / self.station.servers)
    }

    fn self_inflicted(&self) -> f64 {
        self.surplus / (1.0 + self.surplus)
    }

    fn slow_share(&self) -> SlowShare {
        SlowShare::new(
            &self.station.with_more(self.surplus * self.station.load),
            self.timeout,
        )
    }
}

/// [`Fold`] by name.
pub static FOLD: Quantity = Quantity {
    name: "fold",
    summary: "the retries per failure at which a healthy service with several servers is lost, and those at which a dead one returns",
    parameters: &[ARRIVAL_RATE, SERVERS, SERVICE_RATE, TIMEOUT],
    results: &[
        (
            "retries_per_failure_max",
            "retries per failed attempt above which no healthy state exists",
        ),
        (
            "arrival_rate_effective",
            "attempts per unit of time there, new requests and retries",
        ),
        ("retry_share", "share of the attempts that are retries there"),
        (
            "failure_probability",
            "probability that an attempt exceeds the timeout there",
        ),
        (
            "retries_per_failure_dead",
            "retries per failed attempt below which a dead service returns",
        ),
    ],
    formula: "P(x) = sojourn_time_tail of mmc at arrival rate x and the timeout; x = λ + R x P(x): \
              retries_per_failure_max = max over λ ≤ x ≤ cμ of (1 − λ/x)/P(x), at x = arrival_rate_effective, where \
              λ/(x(x − λ)) = P'(x)/P(x) or x = cμ; retry_share = 1 − λ/x; failure_probability = P(x); \
              retries_per_failure_dead = 1 − λ/(cμ)",
    source: "saddle-node bifurcation of the balance x = λ + R x P(x), with P as in Gross, Shortle, Thompson and \
             Harris, Fundamentals of Queueing Theory, 2008, chapter 2",
    evaluate: |arguments| {
        let fold = Fold::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.count("servers"),
            arguments.number("timeout"),
        )?;
        Ok(vec![
            ("retries_per_failure_max", fold.retries_per_failure_max().into()),
            ("arrival_rate_effective", fold.arrival_rate_effective().into()),
            ("retry_share", fold.retry_share().into()),
            ("failure_probability", fold.failure_probability().into()),
            ("retries_per_failure_dead", fold.retries_per_failure_dead().into()),
        ])
    },
};

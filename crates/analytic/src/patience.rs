//! The M/M/c queue whose customers leave after a constant time unless their service has begun (M/M/c+D).

use libm::exp;

use crate::erlang::Loss;
use crate::exponential::{span, triangle};
use crate::numeric::one_minus_exp;
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::station::{SERVERS, Station};

/// How long a customer waits for service to begin.
const PATIENCE: Parameter = Parameter {
    name: "patience",
    meaning: "time after which a customer leaves whose service has not begun",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Within which time an answer counts.
const TIMEOUT: Parameter = Parameter {
    name: "timeout",
    meaning: "time from arrival within which an answer counts as success; the patience if absent",
    domain: Domain::NonNegative,
    requirement: Requirement::Optional,
};

/// An M/M/c queue with constant patience in its steady state, which exists at every load.
///
/// With λ the arrival rate, μ the service rate of one server, c servers and τ the patience. A customer waits for at
/// most τ; service that has begun is completed. Serving in order of arrival and skipping, when their turn comes, those
/// who have waited longer than τ is this queue with τ the timeout of the clients, provided that nobody retries. Rates
/// are per unit of time, times are in that unit, the rest has no unit. Results at λ = cμ are the limits.
///
/// The time that a customer would have to wait has density proportional to e^(−(cμ−λ)x) for 0 < x ≤ τ and to
/// e^(−(cμ−λ)τ − cμ(x−τ)) beyond, because customers who will leave do not hold up anyone; it is 0 when a server is
/// idle.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 1 ≤ c ≤ 1,000,000, 0 ≤ τ < ∞. At τ = 0 this is Erlang B, for τ → ∞ it is M/M/c.
///
/// # Source
/// Barrer, "Queuing with impatient customers and ordered service" (Operations Research), 1957; Baccelli and Hébuterne,
/// "On queues with impatient customers", 1981; Boots and Tijms, "A multiserver queueing system with impatient
/// customers" (Management Science), 1999.
///
/// # Example
/// ```
/// use retrylab_analytic::patience::Patience;
///
/// // One server at λ = μ = 1 and patience 2: abandonment 1/(2 + patience).
/// let queue = Patience::new(1.0, 1.0, 1, 2.0)?;
/// assert!((queue.abandonment() - 0.25).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patience {
    station: Station,
    patience: f64,
    /// Share of arrivals that find a server idle.
    idle: f64,
    /// Density of the wait at the end of [0, τ] where it is larger, in services of the whole station.
    density: f64,
    abandonment: f64,
}

impl Patience {
    /// A queue with an arrival rate, a service rate of one server, a number of servers and a patience.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` and `patience` are ≥ 0 and finite, `service_rate` > 0 is finite and
    /// `servers` is in 1 … 1,000,000.
    pub fn new(
        arrival_rate: f64,
        service_rate: f64,
        servers: u64,
        patience: f64,
    ) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, servers)?;
        PATIENCE.check(patience)?;
        let length = station.service_times(patience);
        let Loss {
            blocking, acceptance, ..
        } = Loss::new(&station);
        let slope = station.spare.abs();
        let (first, last) = edges(&station, slope * length);
        let idle = acceptance * first;
        let within = blocking * (station.servers * span(length, slope));
        let beyond = blocking * last;
        let total = idle + within + beyond;
        Ok(Self {
            station,
            patience,
            idle: idle / total,
            density: blocking * station.servers / total,
            abandonment: beyond / total,
        })
    }

    /// Probability that a customer leaves without service: that the wait would be longer than the patience.
    #[must_use]
    pub fn abandonment(&self) -> f64 {
        self.abandonment
    }

    /// Probability that a customer is served and the service ends within `timeout` of arrival.
    ///
    /// `timeout` may be shorter or longer than the patience. With x the wait it is the integral of
    /// 1 − e^(−μ(timeout−x)) over the distribution of x up to the shorter of the two.
    #[must_use]
    pub fn success(&self, timeout: f64) -> f64 {
        let longest = self.patience.min(timeout);
        let length = self.station.service_times(longest);
        let rest = self.station.service_times(timeout - longest);
        let slope = self.station.spare.abs();
        // The wait ends `rest` before the timeout or earlier: a service fits into `rest`, or it does not and fits
        // into what is left of `longest`.
        let (waited, fitting) = if self.station.spare >= 0.0 {
            (span(length, slope), triangle(length, slope, 1.0))
        } else {
            // The density rises towards τ.
            let short = exp(-slope * self.station.service_times(self.patience - longest));
            (
                short * span(length, slope),
                short * triangle(length, slope, 1.0 + slope),
            )
        };
        self.idle * one_minus_exp(-self.station.service_times(timeout))
            + self.density * (one_minus_exp(-rest) * waited + exp(-rest) * fitting)
    }
}

/// The density of the wait at 0 and at τ relative to the larger of the two, for |cμ − λ|τ = `exponent`.
fn edges(station: &Station, exponent: f64) -> (f64, f64) {
    if station.spare >= 0.0 {
        (1.0, exp(-exponent))
    } else {
        (exp(-exponent), 1.0)
    }
}

/// [`Patience`] by name.
pub static PATIENCE_QUEUE: Quantity = Quantity {
    name: "patience",
    summary: "several servers, exponential service and Poisson arrivals, with customers who leave after a constant wait",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, SERVERS, PATIENCE, TIMEOUT],
    results: &[
        results::ABANDONMENT,
        (
            "success",
            "probability that a customer is served and answered within timeout of arrival",
        ),
    ],
    formula: "θ = cμ − λ, B = blocking of erlang-b at (λ/μ, c), Z = 1 − B + B(cμ(1 − e^(−θτ))/θ + e^(−θτ)): \
              abandonment = B e^(−θτ)/Z; success = (1 − B)(1 − e^(−μT))/Z + \
              (B cμ/Z) ∫_0^min(τ,T) e^(−θx)(1 − e^(−μ(T−x))) dx; limits at θ = 0",
    source: "Barrer, Queuing with impatient customers and ordered service, Operations Research, 1957; Baccelli and \
             Hébuterne, On queues with impatient customers, 1981; Boots and Tijms, A multiserver queueing system with \
             impatient customers, Management Science, 1999",
    evaluate: |arguments| {
        let patience = arguments.number("patience");
        let queue = Patience::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.count("servers"),
            patience,
        )?;
        let timeout = arguments.optional("timeout").unwrap_or(patience);
        Ok(vec![
            ("abandonment", queue.abandonment().into()),
            ("success", queue.success(timeout).into()),
        ])
    },
};

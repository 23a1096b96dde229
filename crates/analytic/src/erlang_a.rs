//! The M/M/c queue whose customers leave after an exponential time unless their service has begun (M/M/c+M, Erlang A).

use libm::{exp, log};

use crate::erlang::Loss;
use crate::exponential::triangle;
use crate::numeric::one_minus_exp;
use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::poisson_probability::log1p_gap;
use crate::quadrature::{integrate, last_where};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::results;
use crate::station::{SERVERS, Station};

/// Shortest and longest mean patience in mean service times that is told apart from none and from an endless one.
const PATIENCE_RANGE: (f64, f64) = (1e-290, 1e290);

/// How long customers wait for service to begin, on average.
const PATIENCE_MEAN: Parameter = Parameter {
    name: "patience_mean",
    meaning: "mean of the exponential time after which a customer leaves whose service has not begun",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// An M/M/c queue with exponential patience in its steady state, which exists at every load.
///
/// With λ the arrival rate, μ the service rate of one server, c servers and 1/γ the mean patience. A customer whose
/// patience ends before service begins leaves; service that has begun is completed. Rates are per unit of time, times
/// are in that unit, the rest has no unit.
///
/// The wait x that a customer of endless patience would have has density cμ e^(−h(x))·p on x > 0 with
/// h(x) = cμx − (λ/γ)(1 − e^(−γx)), where p is the probability that all servers are busy and nobody waits; all results
/// are integrals over it. A sum over the states would have as many terms as the patience is long.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 1 ≤ c ≤ 1,000,000, 0 < 1/γ < ∞. For 1/γ → 0 this is Erlang B, for 1/γ → ∞ it is M/M/c.
///
/// # Source
/// Palm, "Research on telephone traffic carried by full availability groups", 1957; Garnett, Mandelbaum and Reiman,
/// "Designing a call center with impatient customers" (Manufacturing & Service Operations Management), 2002; the
/// integrals: Zeltyn and Mandelbaum, "Call centers with impatient customers" (Queueing Systems), 2005.
///
/// # Example
/// ```
/// use retrylab_analytic::erlang_a::ErlangA;
///
/// // Patience like service: the number in the system is Poisson, as with unlimited servers.
/// let queue = ErlangA::new(1.0, 1.0, 1, 1.0)?;
/// assert!((queue.number_in_system() - 1.0).abs() < 1e-14);
/// assert!((queue.abandonment() - (-1.0_f64).exp()).abs() < 1e-14);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErlangA {
    load: f64,
    /// Arrivals per mean patience.
    arrivals_in_patience: f64,
    wait: f64,
    abandonment: f64,
    served: f64,
}

impl ErlangA {
    /// A queue with an arrival rate, a service rate of one server, a number of servers and a mean patience.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0, `service_rate` > 0 and `patience_mean` > 0 are finite and `servers` is
    /// in 1 … 1,000,000.
    pub fn new(
        arrival_rate: f64,
        service_rate: f64,
        servers: u64,
        patience_mean: f64,
    ) -> Result<Self, DomainError> {
        let station = Station::new(arrival_rate, service_rate, servers)?;
        PATIENCE_MEAN.check(patience_mean)?;
        let loss = Loss::new(&station);
        let patience = station.service_times(patience_mean).min(PATIENCE_RANGE.1);
        let waits = Waits::new(&station, patience.max(PATIENCE_RANGE.0));
        let idle = loss.acceptance * waits.scale;
        let busy = loss.blocking * (waits.leaving + waits.staying);
        let total = idle + busy;
        Ok(Self {
            load: station.load,
            arrivals_in_patience: station.load * patience,
            wait: busy / total,
            abandonment: loss.blocking * waits.leaving / total,
            served: (idle + loss.blocking * waits.staying) / total,
        })
    }

    /// Probability that a customer leaves without service.
    #[must_use]
    pub fn abandonment(&self) -> f64 {
        self.abandonment
    }

    /// Probability that a customer finds all servers busy.
    #[must_use]
    pub fn wait_probability(&self) -> f64 {
        self.wait
    }

    /// Mean number of customers waiting: (λ/γ)·abandonment, because each of them leaves at rate γ.
    #[must_use]
    pub fn number_in_queue(&self) -> f64 {
        self.arrivals_in_patience * self.abandonment
    }

    /// Mean number of customers waiting or in service.
    #[must_use]
    pub fn number_in_system(&self) -> f64 {
        self.load * self.served + self.number_in_queue()
    }
}

/// Integrals of cμ e^(−h) over the wait, relative to `scale`⁻¹ = the largest value of e^(−h).
struct Waits {
    scale: f64,
    /// Weighted with the probability that patience ends first.
    leaving: f64,
    /// Weighted with the probability that it does not.
    staying: f64,
}

impl Waits {
    /// With patience in mean service times. The variable of integration is z = γx.
    fn new(station: &Station, patience: f64) -> Self {
        let capacity = station.servers * patience;
        if station.spare >= 0.0 {
            let drift = station.spare * patience;
            let [leaving, staying] = beyond(0.0, drift, station.load * patience);
            return Self {
                scale: 1.0,
                leaving: capacity * leaving,
                staying: capacity * staying,
            };
        }
        // Under overload h falls to its minimum where as many leave as capacity lacks, at e^z = ρ.
        let surplus = -station.spare / station.servers;
        let [leaving_above, staying_above] = beyond(station.ln_intensity(), 0.0, capacity);
        let [leaving_below, staying_below] = before(surplus, capacity);
        Self {
            scale: exp(-capacity * log1p_gap(surplus)),
            leaving: capacity * (leaving_above + leaving_below),
            staying: capacity * (staying_above + staying_below),
        }
    }
}

/// ∫₀^∞ e^(−drift·z − bend·(z − 1 + e^(−z)))·w dz with the weights w of leaving, 1 − e^(−start−z), and of staying.
fn beyond(start: f64, drift: f64, bend: f64) -> [f64; 2] {
    let exponent = |z: f64| drift * z + bend * triangle(z, 0.0, 1.0);
    let unit = last_where(|z| exponent(z) <= 1.0);
    // The exponent is convex: it grows at least e-fold with every e-fold of z beyond `unit`.
    let centre = log(unit);
    integrate(centre - 40.0, centre + 7.0, |s| {
        let z = exp(s);
        let density = z * exp(-exponent(z));
        [density * one_minus_exp(-start - z), density * exp(-start - z)]
    })
}

/// The same before the minimum of h, in the variable q = eᶻ − 1 with z the distance from the minimum: q runs from 0 to
/// `surplus`, the exponent is −capacity·(q − ln(1 + q)) and dz = dq/(1 + q).
fn before(surplus: f64, capacity: f64) -> [f64; 2] {
    let unit = last_where(|q| capacity * log1p_gap(q) <= 1.0).min(surplus);
    let ln_surplus = log(surplus);
    // q = surplus·eˢ/(1 + eˢ) spreads both ends of the interval over the line.
    integrate(log(unit) - ln_surplus - 40.0, 40.0, |s| {
        let q = exp(ln_surplus + s) / (1.0 + exp(s));
        let rest = surplus / (1.0 + exp(s));
        let density = q / (1.0 + exp(s)) * exp(-capacity * log1p_gap(q)) / (1.0 + q);
        [
            density * rest / (1.0 + surplus),
            density * (1.0 + q) / (1.0 + surplus),
        ]
    })
}

/// [`ErlangA`] by name.
pub static ERLANG_A: Quantity = Quantity {
    name: "erlang-a",
    summary: "several servers, exponential service and Poisson arrivals, with customers of exponential patience",
    parameters: &[ARRIVAL_RATE, SERVICE_RATE, SERVERS, PATIENCE_MEAN],
    results: &[
        results::ABANDONMENT,
        (
            "wait_probability",
            "probability that a customer finds all servers busy",
        ),
        results::NUMBER_IN_QUEUE,
        results::NUMBER_IN_SYSTEM,
    ],
    formula: "γ = 1/patience_mean, p_n = p_0 (λ/μ)^n/n! for n ≤ c and p_(n−1) λ/(cμ + (n − c)γ) beyond, Σ p_n = 1: \
              wait_probability = Σ_(n≥c) p_n; number_in_queue = Σ_(n>c) (n − c)p_n; abandonment = \
              γ·number_in_queue/λ; number_in_system = Σ n p_n",
    source: "Palm, Research on telephone traffic carried by full availability groups, 1957; Garnett, Mandelbaum and \
             Reiman, Designing a call center with impatient customers, Manufacturing & Service Operations Management, \
             2002; evaluated after Zeltyn and Mandelbaum, Call centers with impatient customers, Queueing Systems, 2005",
    evaluate: |arguments| {
        let queue = ErlangA::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.count("servers"),
            arguments.number("patience_mean"),
        )?;
        Ok(vec![
            ("abandonment", queue.abandonment().into()),
            ("wait_probability", queue.wait_probability().into()),
            ("number_in_queue", queue.number_in_queue().into()),
            ("number_in_system", queue.number_in_system().into()),
        ])
    },
};

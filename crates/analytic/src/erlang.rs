//! Erlang's two formulas: blocking without a queue (B) and waiting with an unbounded one (C).

use libm::exp;

use crate::poisson_probability::{factorial_over_power, poisson};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::series::by_ratio;
use crate::station::{SERVERS, Station};

/// Offered load.
const OFFERED_LOAD: Parameter = Parameter {
    name: "offered_load",
    meaning: "arrivals per mean service time, in erlangs",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Erlang B: the probability that an arrival finds all servers busy where nobody waits (M/G/c/c).
///
/// B(a, c) = (aᶜ/c!) / Σ_{n≤c} aⁿ/n! for the offered load a in erlangs and c servers, whatever the distribution of
/// service times. Evaluated as a sum of at most some √c terms, all positive, so that a blocking of 10⁻³⁰⁰ is as
/// precise as one of 0.1.
///
/// # Domain
/// 0 ≤ a < ∞, 1 ≤ c ≤ 1,000,000.
///
/// # Source
/// Erlang, "Solution of some problems in the theory of probabilities of significance in automatic telephone
/// exchanges", 1917; Gross, Shortle, Thompson and Harris, *Fundamentals of Queueing Theory*, 2008, chapter 2.
///
/// # Errors
/// [`DomainError`] outside the domain.
///
/// # Example
/// ```
/// use retrylab_analytic::erlang::erlang_b;
///
/// // Two servers, one erlang: (1/2)/(1 + 1 + 1/2).
/// assert!((erlang_b(1.0, 2)? - 0.2).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
pub fn erlang_b(offered_load: f64, servers: u64) -> Result<f64, DomainError> {
    Ok(Loss::new(&station(offered_load, servers)?).blocking)
}

/// Erlang C: the probability that an arrival has to wait where everyone waits for one of c servers (M/M/c).
///
/// C(a, c) = c·B/(c − a(1 − B)) with B = [`erlang_b`]`(a, c)`, below a = c. From a = c on the queue grows without
/// bound, the servers are never all idle for long, and the long-run fraction of arrivals that wait is 1, which is also
/// the limit from below.
///
/// # Domain
/// 0 ≤ a < ∞, 1 ≤ c ≤ 1,000,000.
///
/// # Source
/// Erlang, 1917; Gross, Shortle, Thompson and Harris, *Fundamentals of Queueing Theory*, 2008, chapter 2.
///
/// # Errors
/// [`DomainError`] outside the domain.
///
/// # Example
/// ```
/// use retrylab_analytic::erlang::erlang_c;
///
/// assert!((erlang_c(1.0, 2)? - 1.0 / 3.0).abs() < 1e-15);
/// assert_eq!(erlang_c(2.0, 2)?, 1.0);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
pub fn erlang_c(offered_load: f64, servers: u64) -> Result<f64, DomainError> {
    Ok(waiting(&station(offered_load, servers)?).0)
}

fn station(offered_load: f64, servers: u64) -> Result<Station, DomainError> {
    OFFERED_LOAD.check(offered_load)?;
    Station::new(offered_load, 1.0, servers)
}

/// Probabilities that an arrival at M/M/c waits and that it does not, each to full relative precision.
pub(crate) fn waiting(station: &Station) -> (f64, f64) {
    if station.spare <= 0.0 {
        return (1.0, 0.0);
    }
    let loss = Loss::new(station);
    // c − a(1 − B) without a difference of large numbers.
    let denominator = station.spare + station.load * loss.blocking;
    (
        station.servers * loss.blocking / denominator,
        station.spare * loss.acceptance / denominator,
    )
}

/// The probability of waiting C together with its elasticity, d ln C/d ln a, below saturation; 1 and 0 from there on.
///
/// With B the blocking and D = c − a(1 − B) it is D + a((1 − B)/D − B), from dB/da = B·D/a.
pub(crate) fn waiting_with_elasticity(station: &Station) -> (f64, f64) {
    if station.spare <= 0.0 {
        return (1.0, 0.0);
    }
    let loss = Loss::new(station);
    let denominator = station.spare + station.load * loss.blocking;
    let elasticity = denominator + station.load * (loss.acceptance / denominator - loss.blocking);
    (station.servers * loss.blocking / denominator, elasticity)
}

/// The station without a queue: how its probability is shared between the states with all servers busy and the rest.
///
/// Every queue with these servers has the same proportions among the states without waiting, so this is what their
/// formulas start from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loss {
    /// All servers busy: B.
    pub(crate) blocking: f64,
    /// At least one server idle: 1 − B.
    pub(crate) acceptance: f64,
    /// All servers idle.
    pub(crate) empty: f64,
}

impl Loss {
    pub(crate) fn new(station: &Station) -> Self {
        if station.spare > 0.0 {
            Self::underload(station)
        } else {
            Self::overload(station)
        }
    }

    /// With a < c the Poisson probabilities above c decrease, and cut off what is missing from 1.
    fn underload(station: &Station) -> Self {
        let Station {
            load, servers, spare, ..
        } = *station;
        let full = poisson(servers, load, spare);
        let above = full * by_ratio(load / (servers + 1.0), |index| load / (servers + index + 1.0));
        Self {
            blocking: full / (1.0 - above),
            acceptance: (1.0 - above - full) / (1.0 - above),
            empty: exp(-load) / (1.0 - above),
        }
    }

    /// With a ≥ c the Poisson probabilities decrease from c down to 0.
    fn overload(station: &Station) -> Self {
        let Station { load, servers, .. } = *station;
        let below = by_ratio(servers / load, |index| (servers - index) / load);
        let blocking = 1.0 / (1.0 + below);
        Self {
            blocking,
            acceptance: below / (1.0 + below),
            empty: blocking * factorial_over_power(servers, load),
        }
    }
}

/// [`erlang_b`] by name.
pub static ERLANG_B: Quantity = Quantity {
    name: "erlang-b",
    summary: "servers without a queue: how often all are busy",
    parameters: &[OFFERED_LOAD, SERVERS],
    results: &[("blocking", "probability that an arrival finds all servers busy")],
    formula: "a erlangs, c servers: blocking = (a^c/c!)/Σ_(n≤c) a^n/n!",
    source: "Erlang, Solution of some problems in the theory of probabilities of significance in automatic telephone \
             exchanges, 1917; Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 2008, chapter 2",
    evaluate: |arguments| {
        let blocking = erlang_b(arguments.number("offered_load"), arguments.count("servers"))?;
        Ok(vec![("blocking", blocking.into())])
    },
};

/// [`erlang_c`] by name.
pub static ERLANG_C: Quantity = Quantity {
    name: "erlang-c",
    summary: "servers with an unbounded queue: how often an arrival waits",
    parameters: &[OFFERED_LOAD, SERVERS],
    results: &[("wait_probability", "long-run fraction of arrivals that wait")],
    formula: "a erlangs, c servers, B = blocking of erlang-b: wait_probability = cB/(c − a(1 − B)) for a < c; 1 from \
              a = c on, where the queue grows without bound",
    source: "Erlang, Solution of some problems in the theory of probabilities of significance in automatic telephone \
             exchanges, 1917; Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 2008, chapter 2",
    evaluate: |arguments| {
        let wait = erlang_c(arguments.number("offered_load"), arguments.count("servers"))?;
        Ok(vec![("wait_probability", wait.into())])
    },
};

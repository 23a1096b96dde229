//! One server whose clients give up after an exponential time and try again, with abandoned attempts left in a queue of
//! limited size: a Markov chain.

mod level;
mod passage;
mod turn;

use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement, Value};
use level::Rates;
use turn::{Cycle, Filling};

/// Smallest and largest ratio of the other rates to the service rate that is told apart from more extreme ones.
const RATIO_RANGE: (f64, f64) = (1e-150, 1e150);

/// How long a client waits for the answer to an attempt, on average.
const PATIENCE_MEAN: Parameter = Parameter {
    name: "patience_mean",
    meaning: "mean of the exponential time, from sending an attempt, after which its client gives it up",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Probability of another attempt.
const RETRY_PROBABILITY: Parameter = Parameter {
    name: "retry_probability",
    meaning: "probability that a failed attempt is followed by another, at once",
    domain: Domain::Probability,
    requirement: Requirement::Required,
};

/// Places in the system.
const PLACES: Parameter = Parameter {
    name: "places",
    meaning: "attempts that the system holds, waiting and in service, abandoned ones included",
    domain: Domain::Count {
        min: 1,
        max: 200,
        accepted: "a whole number from 1 to 200",
    },
    requirement: Requirement::Required,
};

/// One exponential server with Poisson requests whose clients retry, in its steady state and on its way from empty to
/// full and back.
///
/// With λ new requests per unit of time, service rate μ, patience of mean 1/θ, retry probability q and K places. The
/// client of each attempt waits an exponential time from sending it, in the queue and in service. When that time ends
/// before the answer comes, the attempt fails, but stays where it is and is served like any other. An attempt that finds
/// K others, waiting or in service, is rejected and fails at once. A failed attempt is followed by another with
/// probability q, at once. A free server takes any waiting attempt, all with the same probability, and completes it.
///
/// The states are (w, l, s): w waiting attempts whose client still waits, l waiting ones whose client gave up, and a server
/// that is idle or serves an attempt of the one kind or the other. With a = w + 1 or w clients, n attempts in the
/// system and n < K, the rates are λ to w + 1; (1 − q)θ for each client, to one client less; qθ for each client, to
/// one client less and then w + 1; μ to the next choice of w/(w + l) : l/(w + l). At n = K arrivals change nothing and
/// clients leave at rate θ each. Levels of equal n are eliminated from the top downwards without a subtraction, so
/// that small probabilities and long times are as accurate as others: to a relative error of 1e-12 or better.
///
/// # Domain
/// 0 ≤ λ < ∞, 0 < μ < ∞, 0 < 1/θ < ∞, 0 ≤ q ≤ 1, 1 ≤ K ≤ 200. Results at λ = 0 and at q = 1 are limits; where there is
/// none, the result is infinite (at λ = 0 the system never fills up; at q = 1 a request that finds it full makes attempts
/// without end). Ratios λ/μ and θ/μ beyond 1e±150 count as these. The work grows as K⁴, to some
/// milliseconds at K = 64 and a third of a second at K = 200.
///
/// # Source
/// The elimination: Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions for Markov
/// chains" (Operations Research), 1985; by levels: Latouche and Ramaswami, *Introduction to Matrix Analytic Methods in
/// Stochastic Modeling*, 1999, chapters 10 and 12. Random order with clients who leave: Palm, 1957.
///
/// # Example
/// ```
/// use retrylab_analytic::retry_chain::RetryChain;
///
/// // One place: empty, or serving a wanted attempt for 1/(μ + θ) on average, or an abandoned one.
/// let chain = RetryChain::new(1.0, 1.0, 1.0, 0.0, 1)?;
/// assert!((chain.success() - 0.25).abs() < 1e-15);
/// assert!((chain.abandoned_work() - 0.75).abs() < 1e-15);
/// assert!((chain.time_to_full() - 1.0).abs() < 1e-15);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryChain {
    success: f64,
    attempts_per_request: f64,
    abandoned_work: f64,
    number_in_system: f64,
    time_to_full: f64,
    time_to_empty: Option<f64>,
}

impl RetryChain {
    /// A server with an arrival rate of new requests, a service rate, a mean patience, a retry probability and places.
    ///
    /// # Errors
    /// [`DomainError`] unless `arrival_rate` ≥ 0, `service_rate` > 0 and `patience_mean` > 0 are finite,
    /// 0 ≤ `retry_probability` ≤ 1 and 1 ≤ `places` ≤ 200.
    pub fn new(
        arrival_rate: f64,
        service_rate: f64,
        patience_mean: f64,
        retry_probability: f64,
        places: u64,
    ) -> Result<Self, DomainError> {
        ARRIVAL_RATE.check(arrival_rate)?;
        SERVICE_RATE.check(service_rate)?;
        PATIENCE_MEAN.check(patience_mean)?;
        RETRY_PROBABILITY.check(retry_probability)?;
        PLACES.check_count(places)?;
        let within = |ratio: f64| ratio.clamp(RATIO_RANGE.0, RATIO_RANGE.1);
        let load = arrival_rate / service_rate;
        let rates = Rates {
            arrival: if arrival_rate > 0.0 { within(load) } else { 0.0 },
            timeout: 1.0 / within(patience_mean * service_rate),
            retry_probability,
        };
        let places = places as usize;
        let (cycle, until_empty) = Cycle::from_first_arrival(&rates, places);
        let filling = Filling::from_first_arrival(&rates, places, &until_empty);
        let cycle_arrivals = cycle.none + rates.arrival * (cycle.serving_wanted + cycle.serving_lost);
        let busy = cycle.serving_wanted + cycle.serving_lost;
        // Of the time that a client spends in service, this share belongs to services that end without the client.
        let late = rates.timeout / (1.0 + rates.timeout);
        // At a load beyond the range, successes per request and the time to fill the places fall as 1/λ.
        let beyond = (RATIO_RANGE.1 / arrival_rate * service_rate).min(1.0);
        Ok(Self {
            success: cycle.serving_wanted / cycle_arrivals * beyond,
            attempts_per_request: cycle.attempts(retry_probability) / cycle_arrivals,
            abandoned_work: (cycle.serving_lost + late * cycle.serving_wanted) / busy,
            number_in_system: rates.arrival * cycle.number / cycle_arrivals,
            time_to_full: (1.0 / arrival_rate + beyond * filling.time / service_rate) / filling.probability,
            time_to_empty: filling.until_empty.map(|time| time / service_rate),
        })
    }

    /// Successful requests per new request: μ·P(serving an attempt whose client waits)/λ.
    #[must_use]
    pub fn success(&self) -> f64 {
        self.success
    }

    /// Attempts sent per new request, rejected ones included; infinite at q = 1 unless the system is never full.
    #[must_use]
    pub fn attempts_per_request(&self) -> f64 {
        self.attempts_per_request
    }

    /// Share of the server's busy time spent on attempts that are answered after their client gave up, from the start of
    /// their service.
    #[must_use]
    pub fn abandoned_work(&self) -> f64 {
        self.abandoned_work
    }

    /// Mean number of attempts waiting or in service, abandoned ones included.
    #[must_use]
    pub fn number_in_system(&self) -> f64 {
        self.number_in_system
    }

    /// Expected time from an empty system until all places are taken for the first time.
    #[must_use]
    pub fn time_to_full(&self) -> f64 {
        self.time_to_full
    }

    /// Expected time from the moment when all places are taken, for the first time since the system was empty, until it is
    /// empty; none when it never fills up.
    #[must_use]
    pub fn time_to_empty(&self) -> Option<f64> {
        self.time_to_empty
    }
}

/// [`RetryChain`] by name.
pub static RETRY_CHAIN: Quantity = Quantity {
    name: "retry-chain",
    summary: "one server in random order, a limited number of places, and clients of exponential patience who retry",
    parameters: &[
        ARRIVAL_RATE,
        SERVICE_RATE,
        PATIENCE_MEAN,
        RETRY_PROBABILITY,
        PLACES,
    ],
    results: &[
        ("success", "successful requests per new request"),
        (
            "attempts_per_request",
            "attempts sent per new request, rejected ones included",
        ),
        (
            "abandoned_work",
            "share of the server's busy time spent on attempts answered after their client gave up",
        ),
        (
            "number_in_system",
            "mean number of attempts waiting or in service, abandoned ones included",
        ),
        (
            "time_to_full",
            "expected time from empty until all places are taken",
        ),
        (
            "time_to_empty",
            "expected time from full, as first entered from empty, until empty",
        ),
    ],
    formula: "θ = 1/patience_mean, q = retry_probability, K = places; states: w waiting attempts with a client, l without, \
              server idle or serving one with or without; n = w + l + 1 attempts, c clients. For n < K: λ to n + 1; \
              (1 − q)θ per client to c − 1; qθ per client to c and n + 1. For n = K: θ per client to c − 1. Service \
              ends at rate μ; the next is one with a client with probability w/(w + l). P_c, P_d: shares of time \
              serving an attempt with a client and without: success = μ·P_c/λ; attempts_per_request = 1/(1 − q) − \
              q·success/(1 − q); abandoned_work = 1 − P_c/(P_c + P_d)·μ/(μ + θ); number_in_system = E[n]; times by first \
              passage; solved level by level without a subtraction",
    source: "Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov chains, \
             Operations Research, 1985; Latouche and Ramaswami, Introduction to Matrix Analytic Methods in Stochastic \
             Modeling, 1999, chapters 10 and 12",
    evaluate: |arguments| {
        let chain = RetryChain::new(
            arguments.number("arrival_rate"),
            arguments.number("service_rate"),
            arguments.number("patience_mean"),
            arguments.number("retry_probability"),
            arguments.count("places"),
        )?;
        let attempts = chain.attempts_per_request();
        let always = arguments.number("retry_probability") >= 1.0;
        let attempts = if always && attempts.is_infinite() {
            Value::Absent(
                "a request that always retries makes attempts without end at a full queue".to_owned(),
            )
        } else {
            attempts.into()
        };
        let never = || Value::Absent("the places are never all taken".to_owned());
        let time_to_full = if chain.time_to_empty().is_some() {
            chain.time_to_full().into()
        } else {
            never()
        };
        Ok(vec![
            ("success", chain.success().into()),
            ("attempts_per_request", attempts),
            ("abandoned_work", chain.abandoned_work().into()),
            ("number_in_system", chain.number_in_system().into()),
            ("time_to_full", time_to_full),
            (
                "time_to_empty",
                chain.time_to_empty().map_or_else(never, Value::from),
            ),
        ])
    },
};

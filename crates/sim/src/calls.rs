//! Requests as trees of failing calls, without queues: each attempt fails with a probability that is handed in from
//! outside.
//!
//! This is the world of the geometric series, in which nothing closes the loop from load to failure. It is simulated
//! here by tossing coins, one per attempt, and nothing else is shared with the formulas that it checks.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use crate::random::{Bernoulli, Purpose, Stream};

/// Requests that enter the outermost tier in one replication, where nothing else is asked for.
const REQUESTS: u32 = 10_000;

/// A value that calls cannot have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} is {value}, but must be {accepted}")]
pub struct InvalidCalls {
    name: &'static str,
    value: f64,
    accepted: &'static str,
}

/// A cap on the retries of all requests together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cap {
    /// At most so many retries per first attempt.
    Ratio(f64),
    /// At most so large a share of all attempts may be retries.
    Share(f64),
}

/// Requests whose attempts fail with a given probability, and what is done about it.
///
/// ```
/// use retrylab_sim::calls::{Calls, replicate};
/// let calls = Calls::new(0.1, 2)?;
/// let record = &replicate(&calls, 1, 0..1)[0];
/// let attempts_per_request = record.attempts() as f64 / record.requests() as f64;
/// assert!((attempts_per_request - 1.11).abs() < 0.02);
/// # Ok::<(), retrylab_sim::calls::InvalidCalls>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Calls {
    requests: u32,
    failure_probability: f64,
    retries: u32,
    tiers: u32,
    correlation: f64,
    cap: Option<Cap>,
}

impl Calls {
    /// Requests of one tier, tried again up to `retries` times, whose attempts fail independently.
    ///
    /// # Errors
    /// [`InvalidCalls`] unless 0 ≤ `failure_probability` ≤ 1.
    pub fn new(failure_probability: f64, retries: u32) -> Result<Self, InvalidCalls> {
        let failure_probability = probability("failure_probability", failure_probability)?;
        Ok(Self {
            requests: REQUESTS,
            failure_probability,
            retries,
            tiers: 1,
            correlation: 0.0,
            cap: None,
        })
    }

    /// The same with another number of requests in a replication than 10,000.
    ///
    /// # Errors
    /// [`InvalidCalls`] for no requests.
    pub fn with_requests(self, requests: u32) -> Result<Self, InvalidCalls> {
        if requests >= 1 {
            Ok(Self { requests, ..self })
        } else {
            Err(InvalidCalls {
                name: "requests",
                value: 0.0,
                accepted: "a whole number of at least 1",
            })
        }
    }

    /// The same through a chain of tiers: an attempt at a tier is a request at the next. Every tier's attempts fail by a
    /// coin of their own, whatever the inner tiers answered.
    ///
    /// # Errors
    /// [`InvalidCalls`] unless 1 ≤ `tiers` ≤ 10.
    pub fn with_tiers(self, tiers: u32) -> Result<Self, InvalidCalls> {
        if (1..=10).contains(&tiers) {
            Ok(Self { tiers, ..self })
        } else {
            Err(InvalidCalls {
                name: "tiers",
                value: f64::from(tiers),
                accepted: "a whole number from 1 to 10",
            })
        }
    }

    /// The same with attempts of one request that tend to fail together: with probability `correlation` they all share one
    /// outcome, otherwise they are independent, so that the outcomes of any two have this correlation.
    ///
    /// # Errors
    /// [`InvalidCalls`] unless 0 ≤ `correlation` ≤ 1.
    pub fn with_correlation(self, correlation: f64) -> Result<Self, InvalidCalls> {
        Ok(Self {
            correlation: probability("correlation", correlation)?,
            ..self
        })
    }

    /// The same with a cap on retries: a retry that would exceed it is not made, and its request is lost.
    ///
    /// # Errors
    /// [`InvalidCalls`] for a ratio below 0 or a share outside \[0, 1\].
    pub fn with_cap(self, cap: Cap) -> Result<Self, InvalidCalls> {
        match cap {
            Cap::Share(share) => {
                probability("share", share)?;
            }
            Cap::Ratio(ratio) if ratio >= 0.0 && ratio.is_finite() => {}
            Cap::Ratio(ratio) => {
                return Err(InvalidCalls {
                    name: "ratio",
                    value: ratio,
                    accepted: "a finite number of at least 0",
                });
            }
        }
        Ok(Self {
            cap: Some(cap),
            ..self
        })
    }
}

fn probability(name: &'static str, value: f64) -> Result<f64, InvalidCalls> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(InvalidCalls {
            name,
            value,
            accepted: "a number from 0 to 1",
        })
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            requests,
            failure_probability,
            retries,
            tiers,
            correlation,
            ..
        } = self;
        write!(
            f,
            "{requests} requests a replication, attempts fail with probability {failure_probability}, "
        )?;
        write!(f, "up to {retries} retries")?;
        if *tiers > 1 {
            write!(f, " at each of {tiers} tiers")?;
        }
        if *correlation > 0.0 {
            write!(
                f,
                ", outcomes of a request's attempts correlated by {correlation}"
            )?;
        }
        match self.cap {
            None => Ok(()),
            Some(Cap::Ratio(ratio)) => write!(f, ", at most {ratio} retries per first attempt"),
            Some(Cap::Share(share)) => write!(f, ", at most {share} of all attempts retries"),
        }
    }
}

/// What one replication counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    requests: u64,
    successes: u64,
    /// Attempts at each tier, outermost first.
    attempts: Vec<u64>,
}

impl CallRecord {
    /// Requests that entered the outermost tier.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Those of them that succeeded.
    #[must_use]
    pub fn successes(&self) -> u64 {
        self.successes
    }

    /// Attempts at the outermost tier.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.attempts.first().copied().unwrap_or(0)
    }

    /// Attempts at the innermost tier.
    #[must_use]
    pub fn attempts_innermost(&self) -> u64 {
        self.attempts.last().copied().unwrap_or(0)
    }

    /// Attempts at all tiers.
    #[must_use]
    pub fn attempts_simulated(&self) -> u64 {
        self.attempts.iter().sum()
    }
}

/// Runs replications in parallel on rayon's current thread pool; the records come in the order of the replications and do
/// not depend on the number of threads.
#[must_use]
pub fn replicate(calls: &Calls, seed: u64, replications: Range<u64>) -> Vec<CallRecord> {
    replications
        .into_par_iter()
        .map(|replication| simulate(calls, seed, replication))
        .collect()
}

fn simulate(calls: &Calls, seed: u64, replication: u64) -> CallRecord {
    let mut coins = Stream::new(seed, replication, Purpose::Calls);
    let mut record = CallRecord {
        requests: u64::from(calls.requests),
        successes: 0,
        attempts: Vec::new(),
    };
    let mut requests = record.requests;
    // The tiers' coins are independent, so a tier needs to know of the one before it only how many attempts it made.
    for tier in 0..calls.tiers {
        let mut state = Tier::new(calls);
        for _ in 0..requests {
            state.request(calls, &mut coins);
        }
        if tier == 0 {
            record.successes = state.successes;
        }
        requests = state.attempts;
        record.attempts.push(state.attempts);
    }
    record
}

/// One tier in the course of a replication.
struct Tier {
    fails: Bernoulli,
    shares_outcome: Bernoulli,
    attempts: u64,
    requests: u64,
    successes: u64,
}

impl Tier {
    fn new(calls: &Calls) -> Self {
        Self {
            fails: Bernoulli::new(calls.failure_probability),
            shares_outcome: Bernoulli::new(calls.correlation),
            attempts: 0,
            requests: 0,
            successes: 0,
        }
    }

    /// Makes the attempts of one request.
    fn request(&mut self, calls: &Calls, coins: &mut Stream) {
        self.requests += 1;
        self.attempts += 1;
        let identical = calls.correlation > 0.0 && self.shares_outcome.sample(coins);
        let mut failed = self.fails.sample(coins);
        let mut retries = 0;
        while failed && retries < calls.retries && self.allows_retry(calls.cap) {
            retries += 1;
            self.attempts += 1;
            failed = if identical {
                failed
            } else {
                self.fails.sample(coins)
            };
        }
        self.successes += u64::from(!failed);
    }

    /// Whether one retry more keeps to the cap.
    fn allows_retry(&self, cap: Option<Cap>) -> bool {
        let retries = (self.attempts - self.requests + 1) as f64;
        match cap {
            None => true,
            Some(Cap::Ratio(ratio)) => retries <= ratio * self.requests as f64,
            Some(Cap::Share(share)) => retries <= share * (self.requests as f64 + retries),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u64 = REQUESTS as u64;

    fn total(calls: &Calls, replications: u64) -> (u64, u64, u64, u64) {
        replicate(calls, 7, 0..replications)
            .iter()
            .fold((0, 0, 0, 0), |sum, record| {
                (
                    sum.0 + record.requests(),
                    sum.1 + record.successes(),
                    sum.2 + record.attempts(),
                    sum.3 + record.attempts_innermost(),
                )
            })
    }

    #[test]
    fn certain_outcomes_are_exact() {
        assert_eq!(total(&Calls::new(0.0, 5).unwrap(), 1), (N, N, N, N));
        let failing = Calls::new(1.0, 2).unwrap().with_tiers(3).unwrap();
        assert_eq!(total(&failing, 1), (N, 0, 3 * N, 27 * N));
    }

    #[test]
    fn identical_outcomes_make_one_attempt_or_all() {
        let (requests, successes, attempts, _) =
            total(&Calls::new(0.3, 2).unwrap().with_correlation(1.0).unwrap(), 1);
        assert_eq!(attempts, successes + 3 * (requests - successes));
    }

    #[test]
    fn a_cap_is_kept_to_the_last_retry() {
        let capped = |cap| total(&Calls::new(1.0, 9).unwrap().with_cap(cap).unwrap(), 1).2;
        assert_eq!(capped(Cap::Ratio(0.25)), N + N / 4);
        assert_eq!(capped(Cap::Share(0.2)), N + N / 4);
        assert_eq!(capped(Cap::Ratio(0.0)), N);
        assert_eq!(capped(Cap::Share(1.0)), 10 * N);
    }

    #[test]
    fn frequencies_are_the_probabilities() {
        // Two retries at p = 1/2: attempts 1.75, loss 1/8. Five standard errors of 2·10^6 requests, from the variances
        // 0.6875 and 7/64; the planted error, one retry more, lies tens of them away.
        let (requests, successes, attempts, _) = total(&Calls::new(0.5, 2).unwrap(), 200);
        let n = requests as f64;
        assert!((attempts as f64 / n - 1.75).abs() < 5.0 * (0.6875 / n).sqrt());
        assert!((1.0 - successes as f64 / n - 0.125).abs() < 5.0 * (7.0 / 64.0 / n).sqrt());
        let (_, successes, attempts, _) = total(&Calls::new(0.5, 3).unwrap(), 200);
        assert!((attempts as f64 / n - 1.75).abs() > 50.0 * (0.6875 / n).sqrt());
        assert!((1.0 - successes as f64 / n - 0.125).abs() > 50.0 * (7.0 / 64.0 / n).sqrt());
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for error in [
            Calls::new(1.2, 1).unwrap_err(),
            Calls::new(f64::NAN, 1).unwrap_err(),
            Calls::new(0.5, 1).unwrap().with_tiers(0).unwrap_err(),
            Calls::new(0.5, 1).unwrap().with_requests(0).unwrap_err(),
            Calls::new(0.5, 1).unwrap().with_correlation(-0.1).unwrap_err(),
            Calls::new(0.5, 1).unwrap().with_cap(Cap::Share(1.5)).unwrap_err(),
            Calls::new(0.5, 1)
                .unwrap()
                .with_cap(Cap::Ratio(f64::INFINITY))
                .unwrap_err(),
        ] {
            assert!(error.to_string().contains("must be"), "{error}");
        }
    }
}

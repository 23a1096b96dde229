//! Seeded samples with known parameters, and the count of misses among intervals for them.

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use retrylab_verify::statistics::{ErrorRate, Interval, Successes};

/// Error rate of the judgement on one count of misses.
const JUDGEMENT: f64 = 1e-4;

/// A stream of variates.
pub(crate) struct Source(Xoshiro256PlusPlus);

impl Source {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform on (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        loop {
            let value: f64 = self.0.random();
            if value > 0.0 {
                return value;
            }
        }
    }

    /// Standard normal (Box and Muller, one of the pair).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Exponential with mean 1, skewness 2.
    pub(crate) fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    pub(crate) fn bernoulli(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// One busy cycle of M/M/1 with service rate 1: the sum of its customers' waiting times, and their
    /// number.
    pub(crate) fn cycle(&mut self, arrival_rate: f64) -> (f64, f64) {
        let (mut waits, mut customers, mut wait) = (0.0, 0.0, 0.0);
        loop {
            waits += wait;
            customers += 1.0;
            wait += self.exponential() - self.exponential() / arrival_rate;
            if wait <= 0.0 {
                return (waits, customers);
            }
        }
    }
}

/// An error rate that a test writes down.
pub(crate) fn rate(alpha: f64) -> ErrorRate {
    ErrorRate::new(alpha).unwrap()
}

/// Which error rates are compatible with the misses counted.
pub(crate) fn miss_rate(misses: u64, repetitions: u64) -> Interval {
    Successes::new(misses, repetitions)
        .unwrap()
        .clopper_pearson(rate(JUDGEMENT))
        .unwrap()
}

/// Counts how often `misses` is true.
pub(crate) fn observed(repetitions: u64, seed: u64, mut misses: impl FnMut(&mut Source) -> bool) -> Interval {
    let mut source = Source::new(seed);
    let count = (0..repetitions).filter(|_| misses(&mut source)).count();
    miss_rate(count as u64, repetitions)
}

/// Asserts that the observed rate is compatible with an error of exactly `nominal`.
pub(crate) fn assert_exact(what: &str, observed: &Interval, nominal: f64) {
    assert!(
        observed.contains(nominal),
        "{what}: nominal error {nominal}, observed between {} and {}",
        observed.low(),
        observed.high()
    );
}

/// Asserts that the observed rate is compatible with an error of at most `nominal`.
pub(crate) fn assert_at_most(what: &str, observed: &Interval, nominal: f64) {
    assert!(
        observed.low() <= nominal,
        "{what}: nominal error at most {nominal}, observed between {} and {}",
        observed.low(),
        observed.high()
    );
}

/// Asserts that the observed rate shows an error above `nominal`: the harness sees a method that does not
/// hold.
pub(crate) fn assert_caught(what: &str, observed: &Interval, nominal: f64) {
    assert!(
        observed.low() > nominal,
        "{what} should have been caught: nominal error {nominal}, observed between {} and {}",
        observed.low(),
        observed.high()
    );
}

//! Dead services with fractional retries, generation by generation, and pools of tokens, token by token.

mod chain;

use approx::assert_relative_eq;
use chain::stationary;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use retrylab_analytic::stuck_line;
use retrylab_analytic::stuck_retries::StuckRetries;
use retrylab_analytic::token_pool::TokenPool;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

proptest! {
    #[test]
    fn attempts_are_the_generations_added_up(retries in 0.0..3.0_f64, most in 1_u64..60, ratio in 0.0..4.0_f64) {
        let limited = StuckRetries::new(retries).unwrap().with_attempts_max(most).unwrap();
        let sum: f64 = (0..most).map(|generation| retries.powi(generation as i32)).sum();
        assert_relative_eq!(limited.attempts().unwrap(), sum, max_relative = ROUNDING);
        assert_relative_eq!(limited.load(), 1.0 / sum, max_relative = ROUNDING);
        let budgeted = limited.with_budget(ratio).unwrap();
        assert_relative_eq!(budgeted.attempts().unwrap(), sum.min(1.0 + ratio), max_relative = ROUNDING);
        assert_relative_eq!(budgeted.load(), 1.0 / sum.min(1.0 + ratio), max_relative = ROUNDING);
    }

    /// One retry per failure is the plain policy; a limit far away is none.
    #[test]
    fn known_cases_are_met(attempts in 1_u64..1_000_000, retries in 0.0..0.99_f64) {
        let plain = StuckRetries::new(1.0).unwrap().with_attempts_max(attempts).unwrap();
        prop_assert_eq!(Ok(plain.load()), stuck_line::load(attempts));
        let unlimited = StuckRetries::new(retries).unwrap();
        let limited = unlimited.with_attempts_max(1_000_000_000).unwrap();
        assert_relative_eq!(unlimited.load(), limited.load(), max_relative = ROUNDING);
        assert_relative_eq!(unlimited.load(), 1.0 - retries, max_relative = ROUNDING);
    }

    /// The missing tokens as a chain, solved as such.
    #[test]
    fn refusals_are_those_of_the_chain_of_tokens(
        arrival_rate in 0.5..30.0_f64,
        failure_probability in 0.001..0.95_f64,
        retries in 1_u64..5,
        size in 1_u64..40,
    ) {
        let refill_rate = 1.0;
        let pool = TokenPool::new(arrival_rate, failure_probability, retries, size, refill_rate).unwrap();
        let states = size as usize + 1;
        let mut rates = vec![vec![0.0; states]; states];
        for missing in 0..states - 1 {
            rates[missing][missing + 1] = pool.retries_wanted();
            rates[missing + 1][missing] = refill_rate;
        }
        let states = stationary(rates);
        let refusal = *states.last().unwrap();
        assert_relative_eq!(pool.refusal_probability(), refusal, max_relative = 1e-10);
        assert_relative_eq!(
            pool.retry_rate(),
            refill_rate * (1.0 - states[0]),
            max_relative = 1e-10
        );
    }

    /// At the threshold as many retries are wanted as come back, and more beyond it.
    #[test]
    fn the_threshold_is_where_refills_just_suffice(arrival_rate in 1.0..100.0_f64, retries in 1_u64..20) {
        let pool = |p: f64| TokenPool::new(arrival_rate, p, retries, 25, 0.7).unwrap();
        let threshold = pool(0.5).failure_probability_max();
        assert_relative_eq!(pool(threshold).retries_wanted(), 0.7, max_relative = ROUNDING);
        prop_assert!(pool(threshold * 1.000_001).retries_wanted() > 0.7);
    }
}

#[test]
fn without_a_limit_one_retry_per_failure_is_too_many() {
    for retries in [1.0, 1.6, 2.5] {
        let unlimited = StuckRetries::new(retries).unwrap();
        assert!(unlimited.attempts().is_err());
        assert_relative_eq!(unlimited.load(), 0.0);
        let budgeted = unlimited.with_budget(0.1).unwrap();
        assert_relative_eq!(budgeted.load(), 1.0 / 1.1, max_relative = ROUNDING);
    }
}

/// 400,000 retries wanted at the moments of a Poisson process, tokens earned steadily: the share refused.
fn refused_with_steady_refills(wanted: f64, refill_rate: f64, size: f64, seed: u64) -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut tokens, mut refused) = (size, 0_u32);
    let retries = 400_000;
    for _ in 0..retries {
        let pause = -(1.0 - random.random::<f64>()).ln() / wanted;
        tokens = (tokens + refill_rate * pause).min(size);
        if tokens >= 1.0 {
            tokens -= 1.0;
        } else {
            refused += 1;
        }
    }
    f64::from(refused) / f64::from(retries)
}

#[test]
fn steady_refills_refuse_as_many_retries_as_computed_and_fewer_than_random_ones() {
    for (failure_probability, size) in [(0.09, 5_u64), (0.1, 10), (0.2, 25), (0.6, 25)] {
        let pool = TokenPool::new(10.0, failure_probability, 1, size, 1.0).unwrap();
        let wanted = pool.retries_wanted();
        let refused = refused_with_steady_refills(wanted, 1.0, size as f64, 7);
        // 400,000 correlated trials: their standard error is below a thousandth for pools of this size.
        let steady = pool.refusal_probability_steady();
        assert!((refused - steady).abs() < 0.004, "{pool:?} {refused} {steady}");
        // Far above the threshold all three are one to rounding.
        assert!(steady <= pool.refusal_probability() + ROUNDING, "{pool:?}");
        assert!(steady >= 1.0 - 1.0 / wanted - ROUNDING, "{pool:?}");
    }
}

#[test]
fn an_incident_costs_what_the_fluid_counts() {
    // Ten requests a second fail half the time; the pool of 25 is emptied and then spent as it fills.
    let pool = TokenPool::new(10.0, 0.5, 1, 25, 1.0).unwrap();
    let step = 1e-3;
    let (mut tokens, mut avoided) = (25.0_f64, 0.0);
    for _ in 0..900_000 {
        tokens = (tokens + step).min(25.0);
        let made = f64::min(5.0 * step, tokens);
        tokens -= made;
        avoided += 5.0 * step - made;
    }
    assert_relative_eq!(pool.retries_avoided(900.0).unwrap(), avoided, max_relative = 1e-6);
}

#[test]
fn a_pool_that_nobody_asks_is_never_empty() {
    let pool = |rate, retries| TokenPool::new(rate, 1.0, retries, 25, 1.0).unwrap();
    assert!(pool(0.0, 1).emptying_time().is_err() && pool(10.0, 0).emptying_time().is_err());
    assert_eq!(pool(10.0, 1).emptying_time(), Ok(2.5));
}

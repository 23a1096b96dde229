//! Retry policies against brute force, and the laws that hold for all of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "limits and exact cases are compared exactly")]

use approx::assert_relative_eq;
use proptest::prelude::*;
use retrylab_analytic::amplification::Amplification;
use retrylab_analytic::capped::Capped;
use retrylab_analytic::ceiling::{Ceiling, NoLimit};
use retrylab_analytic::policy::Policy;
use retrylab_analytic::tiers::Tiers;
use retrylab_analytic::{budget_line, stuck_line};

/// Room for a few roundings.
const ROUNDING: f64 = 1e-13;

fn policy(failure_probability: f64, retries: u64) -> Amplification {
    Amplification::new(failure_probability, retries).unwrap()
}

/// Weight of outcomes, attempts and losses over every sequence of outcomes of `retries` + 1 attempts, in whole
/// numbers: an attempt fails in `failing` cases out of ten.
fn enumerate(failing: u128, retries: u32) -> (u128, u128, u128) {
    let (mut total, mut attempts, mut lost) = (0, 0, 0);
    for outcomes in 0_u32..1 << (retries + 1) {
        let failures = outcomes.count_ones();
        let weight = failing.pow(failures) * (10 - failing).pow(retries + 1 - failures);
        // Bit i is set if attempt i fails; those after the first success are not made.
        let failed_in_a_row = outcomes.trailing_ones();
        total += weight;
        attempts += weight * u128::from((failed_in_a_row + 1).min(retries + 1));
        lost += if failed_in_a_row == retries + 1 { weight } else { 0 };
    }
    (total, attempts, lost)
}

#[test]
fn amplification_is_what_enumerating_all_outcomes_gives() {
    for failing in 0_u32..=10 {
        for retries in 0..=8 {
            let (total, attempts, lost) = enumerate(failing.into(), retries);
            let share = |part: u128| part as f64 / total as f64;
            let policy = policy(f64::from(failing) / 10.0, retries.into());
            assert_relative_eq!(
                policy.attempts(),
                share(attempts),
                epsilon = 0.0,
                max_relative = ROUNDING
            );
            assert_relative_eq!(policy.loss(), share(lost), epsilon = 0.0, max_relative = ROUNDING);
            assert_relative_eq!(
                policy.success(),
                share(total - lost),
                epsilon = 0.0,
                max_relative = ROUNDING
            );
            let again = share(attempts - total);
            assert_relative_eq!(policy.duplicates(), again, epsilon = 0.0, max_relative = ROUNDING);
            let retried = (attempts - total) as f64 / attempts as f64;
            assert_relative_eq!(
                policy.retry_share(),
                retried,
                epsilon = 0.0,
                max_relative = ROUNDING
            );
        }
    }
}

/// Calls that reach the innermost service when each of `tiers` tiers makes every attempt that it may.
fn calls_when_all_fail(tiers: u64, retries: u64) -> u64 {
    if tiers == 0 {
        1
    } else {
        (0..=retries)
            .map(|_| calls_when_all_fail(tiers - 1, retries))
            .sum()
    }
}

#[test]
fn tiers_at_worst_are_what_counting_calls_gives() {
    for retries in 0..=4 {
        for tiers in 1..=5 {
            let calls = calls_when_all_fail(tiers, retries) as f64;
            let worst = Tiers::new(0.3, retries, tiers).unwrap().attempts_worst();
            let certain = Tiers::new(1.0, retries, tiers).unwrap();
            assert_relative_eq!(worst, calls, epsilon = 0.0, max_relative = ROUNDING);
            assert_relative_eq!(certain.attempts(), calls, epsilon = 0.0, max_relative = ROUNDING);
        }
    }
}

/// Long-run retries per request under a bank of tokens, from the law of its stock.
///
/// A first attempt earns a quarter of a token, so that the stock counts quarters up to four times `bank`; a retry
/// takes four. The stock evolves from empty, and its law repeats after four requests in the end, so that retries are
/// averaged over a multiple of that.
fn retries_under_a_bank(failure_probability: f64, retries: u64, bank: usize) -> f64 {
    const SETTLING: usize = 3_000;
    const AVERAGED: usize = 400;
    let quarters = 4 * bank;
    let mut stock = vec![0.0; quarters + 1];
    stock[0] = 1.0;
    let mut retries_made = 0.0;
    for request in 0..SETTLING + AVERAGED {
        let mut next = vec![0.0; quarters + 1];
        for (quarter, probability) in stock.iter().enumerate() {
            let mut left = (quarter + 1).min(quarters);
            let mut reached = *probability;
            for _ in 0..retries {
                if left < 4 {
                    break;
                }
                next[left] += reached * (1.0 - failure_probability);
                reached *= failure_probability;
                retries_made += if request < SETTLING { 0.0 } else { reached };
                left -= 4;
            }
            next[left] += reached;
        }
        stock = next;
    }
    retries_made / AVERAGED as f64
}

#[test]
fn a_cap_by_ratio_is_the_limit_of_a_large_bank_of_tokens() {
    for (failure_probability, retries) in [(0.1, 2), (0.15, 3), (0.4, 2), (0.9, 2), (1.0, 5)] {
        let expected = Capped::by_ratio(failure_probability, retries, 0.25)
            .unwrap()
            .attempts();
        let measured = 1.0 + retries_under_a_bank(failure_probability, retries, 40);
        assert_relative_eq!(measured, expected, epsilon = 0.0, max_relative = 1e-6);
    }
}

#[test]
fn caps_by_share_and_by_ratio_meet() {
    for ratio in [0.0, 1e-9, 0.1, 0.5, 1.0, 40.0] {
        let share = ratio / (1.0 + ratio);
        let by_ratio = Capped::by_ratio(0.95, 100, ratio).unwrap();
        let by_share = Capped::by_share(0.95, 100, share).unwrap();
        assert_relative_eq!(by_ratio.attempts(), by_share.attempts(), max_relative = ROUNDING);
        assert_relative_eq!(
            by_share.attempts_bound(),
            1.0 / (1.0 - share),
            max_relative = ROUNDING
        );
        assert_relative_eq!(
            by_share.retry_share_bound(),
            share,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        assert_relative_eq!(by_ratio.attempts_bound(), 1.0 + ratio, max_relative = ROUNDING);
    }
    let uncapped = Capped::by_share(0.5, 3, 1.0).unwrap();
    assert_eq!(uncapped.attempts(), 1.875);
    assert_eq!(uncapped.attempts_bound(), 4.0);
    assert_eq!(uncapped.retry_share_bound(), 0.75);
}

#[test]
fn limits_at_certain_failure_and_certain_success_are_exact() {
    for retries in [0, 1, 2, 9, 1_000_000, 1_000_000_000] {
        let failing = policy(1.0, retries);
        let attempts = (retries + 1) as f64;
        assert_eq!(failing.attempts(), attempts);
        assert_eq!(failing.attempts_max(), attempts);
        assert_eq!(failing.duplicates(), retries as f64);
        assert_eq!(failing.retry_share(), retries as f64 / attempts);
        assert_eq!(failing.loss(), 1.0);
        assert_eq!(failing.success().to_bits(), 0.0_f64.to_bits());
        let working = policy(0.0, retries);
        assert_eq!((working.attempts(), working.success()), (1.0, 1.0));
        assert_eq!(
            (working.loss(), working.duplicates(), working.retry_share()),
            (0.0, 0.0, 0.0)
        );
    }
}

#[test]
fn no_arrivals_are_no_load_however_many_attempts_each_would_make() {
    let policy = Policy::new(1.0, 1_000_000_000, 0.0, 1.0, 1000).unwrap();
    assert!(policy.attempts().is_infinite());
    assert_eq!((policy.load(), policy.worst_load()), (0.0, 0.0));
    assert!(policy.fits());
    assert!(!Policy::new(1.0, 1_000_000_000, 1e-300, 1.0, 1000).unwrap().fits());
}

#[test]
fn a_ceiling_equal_to_the_capacity_fits_in_decimals_too() {
    for hundredths in 1..=300_u32 {
        let arrival_rate = f64::from(hundredths) / 100.0;
        for attempts in 1..=20_u32 {
            let capacity = f64::from(hundredths * attempts) / 100.0;
            let ceiling = Ceiling::new(arrival_rate, u64::from(attempts) - 1, capacity).unwrap();
            assert!(ceiling.fits(), "{ceiling:?}");
            assert_eq!(
                ceiling.retries_max(),
                Ok(f64::from(attempts) - 1.0),
                "{ceiling:?}"
            );
            let beyond = Ceiling::new(arrival_rate, attempts.into(), capacity * 1.0001).unwrap();
            assert!(!beyond.fits(), "{beyond:?}");
        }
    }
    // One part in 10¹⁵ too little: five roundings, not the three that count as equal.
    assert!(!Ceiling::new(1.0, 0, 1.0 - 1e-15).unwrap().fits());
    let overloaded = NoLimit::Overloaded {
        arrival_rate: 2.0,
        capacity: 1.0,
    };
    assert_eq!(Ceiling::new(2.0, 0, 1.0).unwrap().retries_max(), Err(overloaded));
    assert_eq!(
        Ceiling::new(0.0, 0, 1.0).unwrap().retries_max(),
        Err(NoLimit::NoTraffic)
    );
}

#[test]
fn on_the_lines_a_saturated_server_is_exactly_filled() {
    for attempts in [1, 2, 3, 10, 1000] {
        assert_relative_eq!(stuck_line::load(attempts).unwrap() * attempts as f64, 1.0);
        let ceiling = Ceiling::new(stuck_line::load(attempts).unwrap(), attempts - 1, 1.0).unwrap();
        assert!(ceiling.fits());
    }
    for ratio in [0.0, 0.1, 0.7, 3.0] {
        let capped = Capped::by_ratio(1.0, 1000, ratio).unwrap();
        assert_relative_eq!(budget_line::load(ratio).unwrap() * capped.attempts(), 1.0);
    }
}

/// Failure probabilities everywhere, dense near 0 and near 1.
fn failure_probabilities() -> impl Strategy<Value = f64> {
    prop_oneof![
        0.0..=1.0_f64,
        (-30.0..0.0_f64).prop_map(|exponent| 10_f64.powf(exponent)),
        (-16.0..0.0_f64).prop_map(|exponent| 1.0 - 10_f64.powf(exponent)),
    ]
}

fn retries() -> impl Strategy<Value = u64> {
    prop_oneof![0..10_u64, 0..1000_u64, 0..10_000_000_u64]
}

proptest! {
    #[test]
    fn attempts_rise_and_success_falls_with_the_failure_probability(
        p in failure_probabilities(), q in failure_probabilities(), r in retries(),
    ) {
        let (better, worse) = (policy(p.min(q), r), policy(p.max(q), r));
        prop_assert!(better.attempts() <= worse.attempts() * (1.0 + ROUNDING));
        prop_assert!(better.success() * (1.0 + ROUNDING) >= worse.success());
        prop_assert!(better.loss() <= worse.loss() * (1.0 + ROUNDING));
        prop_assert!(better.retry_share() <= worse.retry_share() * (1.0 + ROUNDING));
        prop_assert!(worse.attempts() <= worse.attempts_max() * (1.0 + ROUNDING));
        if r > 0 && (p - q).abs() > 1e-6 {
            prop_assert!(better.attempts() < worse.attempts());
        }
    }

    #[test]
    fn attempts_tend_to_every_attempt_as_failure_becomes_certain(r in 0..1000_u64, digits in 4..12_i32) {
        // 1 − p = ε takes off r(r+1)/2 · ε to first order.
        let epsilon = 10_f64.powi(-digits);
        let policy = policy(1.0 - epsilon, r);
        let missing = policy.attempts_max() - policy.attempts();
        prop_assert!(missing <= (r * (r + 1)) as f64 / 2.0 * epsilon * 1.001 + 1e-12 * policy.attempts_max());
    }

    #[test]
    fn one_more_retry_adds_one_more_power(p in failure_probabilities(), r in retries()) {
        let (fewer, more) = (policy(p, r), policy(p, r + 1));
        assert_relative_eq!(more.attempts(), 1.0 + p * fewer.attempts(), max_relative = ROUNDING);
        assert_relative_eq!(more.duplicates(), p * fewer.attempts(), epsilon = 0.0, max_relative = ROUNDING);
        if fewer.loss() > 1e-290 {
            assert_relative_eq!(more.loss(), p * fewer.loss(), epsilon = 0.0, max_relative = ROUNDING);
        }
        prop_assert!(more.success() * (1.0 + ROUNDING) >= fewer.success());
    }

    #[test]
    fn parts_make_the_whole(p in failure_probabilities(), r in retries()) {
        let policy = policy(p, r);
        assert_relative_eq!(policy.success() + policy.loss(), 1.0, max_relative = ROUNDING);
        assert_relative_eq!(policy.attempts(), 1.0 + policy.duplicates(), max_relative = ROUNDING);
        let share = policy.duplicates() / policy.attempts();
        assert_relative_eq!(policy.retry_share(), share, epsilon = 0.0, max_relative = ROUNDING);
        // Each attempt but the last of a lost request is followed by a success or another attempt.
        assert_relative_eq!(policy.attempts() * (1.0 - p), policy.success(), epsilon = 1e-300, max_relative = 1e-12);
    }

    #[test]
    fn a_policy_combines_its_parts(
        p in failure_probabilities(), r in 0..20_u64, tiers in 1..6_u64, rate in 0.0..1e4_f64, capacity in 1.0..1e6_f64,
    ) {
        let policy = Policy::new(p, r, rate, capacity, tiers).unwrap();
        let tier = Amplification::new(p, r).unwrap();
        let product: f64 = (0..tiers).map(|_| tier.attempts()).product();
        assert_relative_eq!(policy.attempts(), product, max_relative = ROUNDING);
        assert_relative_eq!(policy.load(), rate * product, epsilon = 0.0, max_relative = ROUNDING);
        // The subtraction leaves the rounding of the product, which is ROUNDING of a number of at least 1.
        assert_relative_eq!(policy.retry_share(), (product - 1.0) / product, epsilon = ROUNDING, max_relative = 1e-12);
        prop_assert_eq!(policy.success(), tier.success());
        let worst = rate * calls_when_all_fail(tiers.min(3), r.min(9)) as f64;
        if tiers <= 3 && r <= 9 {
            assert_relative_eq!(policy.worst_load(), worst, epsilon = 0.0, max_relative = ROUNDING);
            prop_assert_eq!(policy.fits(), worst <= capacity);
        }
    }

    #[test]
    fn what_fits_is_what_does_not_exceed_the_largest_policy(
        rate in 1e-3..1e3_f64, r in 0..100_u64, capacity in 1e-3..1e5_f64,
    ) {
        let ceiling = Ceiling::new(rate, r, capacity).unwrap();
        prop_assert_eq!(ceiling.fits(), ceiling.worst_arrival_rate() <= capacity);
        match ceiling.retries_max() {
            Ok(most) => {
                prop_assert!(rate * (most + 1.0) <= capacity && rate * (most + 2.0) > capacity);
                prop_assert_eq!(ceiling.fits(), r as f64 <= most);
            }
            Err(_) => prop_assert!(rate > capacity),
        }
    }

    #[test]
    fn a_cap_never_adds_attempts_and_never_lets_more_through_than_its_bound(
        p in failure_probabilities(), r in retries(), ratio in 0.0..3.0_f64,
    ) {
        let capped = Capped::by_ratio(p, r, ratio).unwrap();
        prop_assert!(capped.attempts() <= policy(p, r).attempts() * (1.0 + ROUNDING));
        prop_assert!(capped.attempts() <= capped.attempts_bound() * (1.0 + ROUNDING));
        let certain = Capped::by_ratio(1.0, r, ratio).unwrap();
        assert_relative_eq!(certain.attempts(), capped.attempts_bound(), max_relative = ROUNDING);
    }
}

//! The fold against a search over a grid of loads, against the balance itself followed in time, and at its limits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use approx::assert_relative_eq;
use proptest::prelude::*;
use retrylab_analytic::fold::Fold;
use retrylab_analytic::mmc::Mmc;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

/// (1 − λ/x)/P(x): the retries per failure that balance x attempts.
fn balancing(arrival_rate: f64, x: f64, service_rate: f64, servers: u64, timeout: f64) -> f64 {
    let queue = Mmc::new(x, service_rate, servers).unwrap();
    (x - arrival_rate) / x / queue.sojourn_time_tail(timeout)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// No load of a fine grid balances more retries, and the load named balances as many.
    #[test]
    fn the_edge_is_the_maximum_over_all_loads(
        load in 0.02..0.99_f64,
        servers in 1_u64..600,
        timeout in 0.1..30.0_f64,
        service_rate in 0.1..10.0_f64,
    ) {
        let capacity = servers as f64 * service_rate;
        let arrival_rate = load * capacity;
        let timeout = timeout / service_rate;
        let fold = Fold::new(arrival_rate, service_rate, servers, timeout).unwrap();
        let edge = fold.retries_per_failure_max().unwrap();
        let at = fold.arrival_rate_effective().unwrap();
        let balance = |x: f64| balancing(arrival_rate, x, service_rate, servers, timeout);
        assert_relative_eq!(balance(at), edge, max_relative = 1e-9);
        let points = 4000;
        let mut best = (0.0, 0);
        for point in 1..=points {
            let x = arrival_rate + (capacity - arrival_rate) * f64::from(point) / f64::from(points);
            let retries = balance(x);
            prop_assert!(retries <= edge * (1.0 + 1e-10), "{retries} at {x} is above {edge} at {at}");
            if retries > best.0 {
                best = (retries, point);
            }
        }
        // The largest of the grid is a neighbour of the edge.
        let step = (capacity - arrival_rate) / f64::from(points);
        prop_assert!((at - arrival_rate - f64::from(best.1) * step).abs() <= 1.01 * step, "{best:?} {at}");
        assert_relative_eq!(fold.retry_share().unwrap(), 1.0 - arrival_rate / at, max_relative = 1e-9, epsilon = 1e-14);
    }

    /// For one server the edge is a quadratic equation's solution, or saturation.
    #[test]
    fn one_server_is_a_quadratic_equation(load in 0.01..0.99_f64, timeout in 0.01..200.0_f64) {
        let fold = Fold::new(load, 1.0, 1, timeout).unwrap();
        let at = (load / 2.0 + (load * load / 4.0 + load / timeout).sqrt()).min(1.0);
        assert_relative_eq!(fold.arrival_rate_effective().unwrap(), at, max_relative = ROUNDING);
        let edge = (1.0 - load / at) * ((1.0 - at) * timeout).exp();
        assert_relative_eq!(
            fold.retries_per_failure_max().unwrap(),
            edge,
            max_relative = ROUNDING * (1.0 + timeout) / (1.0 - load / at)
        );
    }

    /// Rates in one unit of time are those in another, times the factor.
    #[test]
    fn units_of_time_do_not_matter(load in 0.01..0.99_f64, exponent in -20..20) {
        let factor = 2.0_f64.powi(exponent);
        let one = Fold::new(load * 40.0, 1.0, 40, 3.0).unwrap();
        let other = Fold::new(load * 40.0 * factor, factor, 40, 3.0 / factor).unwrap();
        prop_assert_eq!(one.retries_per_failure_max(), other.retries_per_failure_max());
        let scaled = one.arrival_rate_effective().map(|rate| rate * factor);
        prop_assert_eq!(scaled, other.arrival_rate_effective());
    }
}

/// Whether the balance, let go from a rate `start`, stays below saturation: each pass adds the retries of the last.
fn stays_healthy(retries: f64, arrival_rate: f64, servers: u64, timeout: f64, start: f64) -> bool {
    let capacity = servers as f64;
    let mut rate = start;
    for _ in 0..20_000 {
        let slow = Mmc::new(rate, 1.0, servers).unwrap().sojourn_time_tail(timeout);
        rate = arrival_rate + retries * rate * slow;
        if rate >= capacity {
            return false;
        }
    }
    true
}

#[test]
fn the_balance_followed_in_time_is_lost_beyond_the_edge_and_not_before() {
    for (load, servers, timeout) in [(0.875, 480, 3.0), (0.5, 8, 4.0), (0.9, 60, 5.0), (0.7, 1, 12.0)] {
        let arrival_rate = load * servers as f64;
        let fold = Fold::new(arrival_rate, 1.0, servers, timeout).unwrap();
        let edge = fold.retries_per_failure_max().unwrap();
        let start = |retries| stays_healthy(retries, arrival_rate, servers, timeout, arrival_rate);
        assert!(start(0.999 * edge), "{load} {servers} {timeout}");
        assert!(!start(1.001 * edge), "{load} {servers} {timeout}");
        // Just below the edge a rate above the brink is lost all the same.
        let brink = 0.5 * (fold.arrival_rate_effective().unwrap() + servers as f64);
        assert!(!stays_healthy(
            0.999 * edge,
            arrival_rate,
            servers,
            timeout,
            brink
        ));
    }
}

#[test]
fn large_systems_hide_their_saturation_from_the_edge() {
    // The share of slow services alone, e^(−3), is what is left of the tail as the number of slots grows.
    let edges: Vec<f64> = [480_u64, 4_800, 48_000, 1_000_000]
        .iter()
        .map(|&slots| {
            let fold = Fold::new(0.875 * slots as f64, 1.0, slots, 3.0).unwrap();
            fold.retries_per_failure_max().unwrap()
        })
        .collect();
    let limit = 0.125 * 3.0_f64.exp();
    assert!(edges.windows(2).all(|pair| pair[0] < pair[1]) && edges[3] < limit);
    assert!(limit - edges[3] < 0.02, "{edges:?} {limit}");
}

#[test]
fn without_arrivals_one_failure_breeds_others_where_a_service_is_slow_often_enough() {
    let fold = Fold::new(0.0, 2.0, 7, 1.5).unwrap();
    assert_relative_eq!(
        fold.retries_per_failure_max().unwrap(),
        3.0_f64.exp(),
        max_relative = ROUNDING
    );
    assert_eq!(fold.arrival_rate_effective(), Ok(0.0));
    assert_eq!(fold.retries_per_failure_dead(), Ok(1.0));
}

#[test]
fn a_saturated_service_has_no_edge() {
    for rate in [7.0, 8.0] {
        let fold = Fold::new(rate, 1.0, 7, 2.0).unwrap();
        assert!(fold.retries_per_failure_max().is_err());
        assert!(fold.arrival_rate_effective().is_err());
        assert!(fold.retries_per_failure_dead().is_err());
    }
}

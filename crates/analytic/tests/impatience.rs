//! Queues with constant and with exponential patience against chains, numerical integration and their own limits.

mod chain;

use approx::assert_relative_eq;
use chain::stationary;
use proptest::prelude::*;
use retrylab_analytic::erlang::erlang_b;
use retrylab_analytic::erlang_a::ErlangA;
use retrylab_analytic::mmc::Mmc;
use retrylab_analytic::patience::Patience;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

/// Simpson's rule.
fn integral(function: impl Fn(f64) -> f64, end: f64) -> f64 {
    let steps = 20_000_u32;
    let area = |step: u32| {
        let weight = if step == 0 || step == steps {
            1.0
        } else if step % 2 == 1 {
            4.0
        } else {
            2.0
        };
        weight * function(end * f64::from(step) / f64::from(steps))
    };
    (0..=steps).map(area).sum::<f64>() * end / f64::from(steps) / 3.0
}

#[test]
fn exponential_patience_is_what_its_chain_gives() {
    for servers in [1_usize, 2, 6, 20] {
        for load in [0.05, 0.8, 1.0, 1.3, 4.0] {
            for patience_mean in [0.1, 1.0, 4.0] {
                let arrival_rate = load * servers as f64;
                let most = servers + 100 + (1.4 * arrival_rate * patience_mean) as usize;
                let mut rates = vec![vec![0.0; most + 1]; most + 1];
                for number in 0..most {
                    rates[number][number + 1] = arrival_rate;
                    let leaving = (number + 1).saturating_sub(servers) as f64 / patience_mean;
                    rates[number + 1][number] = (number + 1).min(servers) as f64 + leaving;
                }
                let states = stationary(rates);
                let queue = ErlangA::new(arrival_rate, 1.0, servers as u64, patience_mean).unwrap();
                let waiting: f64 = (servers..=most).map(|n| (n - servers) as f64 * states[n]).sum();
                for (actual, expected) in [
                    (queue.wait_probability(), states[servers..].iter().sum()),
                    (queue.number_in_queue(), waiting),
                    (
                        queue.number_in_system(),
                        (0..=most).map(|n| n as f64 * states[n]).sum(),
                    ),
                    (queue.abandonment(), waiting / patience_mean / arrival_rate),
                ] {
                    assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = 1e-11);
                }
            }
        }
    }
}

/// One server: the density of the wait and the idle probability are those of M/G/1 with the work of those who leave
/// left out, solved step by step from the balance of upward and downward crossings of each level.
#[test]
fn constant_patience_balances_the_crossings_of_every_level() {
    for (arrival_rate, patience) in [(0.6, 3.0), (1.0, 2.0), (1.7, 4.0)] {
        let queue = Patience::new(arrival_rate, 1.0, 1, patience).unwrap();
        // Relative to an idle probability of 1, level x is crossed downwards at rate f(x) and upwards at rate
        // λe^(−x) + λ∫₀^min(x,τ) f(y) e^(−(x−y)) dy. Its derivative is f' = −f + λf below τ: Euler–Heun steps.
        let steps = 100_000;
        let step = patience / f64::from(steps);
        let mut density = arrival_rate;
        let mut within = 0.0;
        for _ in 0..steps {
            let slope = (arrival_rate - 1.0) * density;
            let next = density + step * (slope + (arrival_rate - 1.0) * (density + step * slope)) / 2.0;
            within += step * (density + next) / 2.0;
            density = next;
        }
        // Beyond τ nobody adds work, and the density falls as e^(−x).
        let total = 1.0 + within + density;
        assert_relative_eq!(
            queue.abandonment(),
            density / total,
            epsilon = 0.0,
            max_relative = 1e-8
        );
        // What is served keeps the server busy: λ(1 − abandonment) = 1 − idle probability.
        let busy = arrival_rate * (1.0 - queue.abandonment());
        assert_relative_eq!(busy, 1.0 - 1.0 / total, epsilon = 0.0, max_relative = 1e-8);
    }
}

#[test]
fn success_under_constant_patience_integrates_over_the_wait() {
    for (arrival_rate, servers) in [(0.4, 1_u64), (1.3, 1), (5.7, 6), (6.0, 6), (9.0, 6)] {
        let servers_now = servers as f64;
        for patience in [0.5, 3.0] {
            let queue = Patience::new(arrival_rate, 1.0, servers, patience).unwrap();
            // The density is proportional to e^(−(c − λ)x) up to τ, and 1/c of its end is what leaves.
            let slope = servers_now - arrival_rate;
            let start = queue.abandonment() * servers_now * (slope * patience).exp();
            let density = |wait: f64| start * (-slope * wait).exp();
            let idle = 1.0 - integral(density, patience) - queue.abandonment();
            for timeout in [0.2_f64, 0.5, 1.0, 3.0, 4.5] {
                let answered = idle * (1.0 - (-timeout).exp())
                    + integral(
                        |wait| density(wait) * (1.0 - (wait - timeout).exp()),
                        patience.min(timeout),
                    );
                assert_relative_eq!(
                    queue.success(timeout),
                    answered,
                    epsilon = 0.0,
                    max_relative = 1e-10
                );
            }
        }
    }
}

#[test]
fn without_patience_nobody_waits_and_with_very_much_nobody_leaves() {
    for (arrival_rate, servers) in [(0.7, 1), (4.0, 5), (95.0, 100)] {
        let unlimited = Mmc::new(arrival_rate, 1.0, servers).unwrap();
        let blocking = erlang_b(arrival_rate, servers).unwrap();
        let hasty = Patience::new(arrival_rate, 1.0, servers, 0.0).unwrap();
        assert_relative_eq!(
            hasty.abandonment(),
            blocking,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        let answered = (1.0 - blocking) * (1.0 - (-2.0_f64).exp());
        assert_relative_eq!(
            hasty.success(2.0),
            answered,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        let calm = Patience::new(arrival_rate, 1.0, servers, 1e4).unwrap();
        assert_relative_eq!(
            calm.success(3.0),
            unlimited.success(3.0),
            epsilon = 0.0,
            max_relative = ROUNDING
        );

        let hasty = ErlangA::new(arrival_rate, 1.0, servers, 1e-15).unwrap();
        assert_relative_eq!(
            hasty.abandonment(),
            blocking,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        let calm = ErlangA::new(arrival_rate, 1.0, servers, 1e17).unwrap();
        let wait = unlimited.wait_probability();
        assert_relative_eq!(
            calm.wait_probability(),
            wait,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        let number = unlimited.number_in_system().unwrap();
        assert_relative_eq!(
            calm.number_in_system(),
            number,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
    }
}

#[test]
fn far_beyond_capacity_the_excess_leaves() {
    let constant = Patience::new(5.0, 1.0, 2, 1e3).unwrap();
    assert_relative_eq!(
        constant.abandonment(),
        0.6,
        epsilon = 0.0,
        max_relative = ROUNDING
    );
    let exponential = ErlangA::new(5.0, 1.0, 2, 1e9).unwrap();
    assert_relative_eq!(
        exponential.abandonment(),
        0.6,
        epsilon = 0.0,
        max_relative = ROUNDING
    );
    assert_relative_eq!(
        exponential.number_in_queue(),
        3e9,
        epsilon = 0.0,
        max_relative = 1e-11
    );
}

/// (arrival rate, servers, patience) at any load.
fn queues() -> impl Strategy<Value = (f64, u64, f64)> {
    let load = prop_oneof![0.01..0.99_f64, Just(1.0), 0.99..1.01_f64, 1.01..20.0_f64];
    (load, prop_oneof![1..4_u64, 5..3000_u64], -4.0..3.0_f64)
        .prop_map(|(load, servers, exponent)| (load * servers as f64, servers, 10_f64.powf(exponent)))
}

proptest! {
    #[test]
    fn more_patience_keeps_more_customers((arrival_rate, servers, patience) in queues()) {
        let before = Patience::new(arrival_rate, 1.0, servers, patience).unwrap();
        let after = Patience::new(arrival_rate, 1.0, servers, patience * 1.1).unwrap();
        prop_assert!(after.abandonment() <= before.abandonment() * (1.0 + ROUNDING));
        let before = ErlangA::new(arrival_rate, 1.0, servers, patience).unwrap();
        let after = ErlangA::new(arrival_rate, 1.0, servers, patience * 1.1).unwrap();
        prop_assert!(after.abandonment() <= before.abandonment() * (1.0 + ROUNDING));
        prop_assert!(after.wait_probability() >= before.wait_probability() * (1.0 - ROUNDING));
        prop_assert!(after.number_in_queue() >= before.number_in_queue() * (1.0 - ROUNDING));
    }

    #[test]
    fn everyone_is_answered_in_time_or_late_or_leaves((arrival_rate, servers, patience) in queues(), timeout in 0.0..30.0_f64) {
        let queue = Patience::new(arrival_rate, 1.0, servers, patience).unwrap();
        prop_assert!(queue.success(timeout) <= queue.success(timeout + 0.1) * (1.0 + ROUNDING));
        prop_assert!((queue.success(1e5) + queue.abandonment() - 1.0).abs() < ROUNDING);
        prop_assert!(queue.abandonment() >= 1.0 - servers as f64 / arrival_rate - ROUNDING);
    }

    #[test]
    fn those_who_stay_are_in_service((arrival_rate, servers, patience) in queues()) {
        let queue = ErlangA::new(arrival_rate, 1.0, servers, patience).unwrap();
        let in_service = arrival_rate * (1.0 - queue.abandonment());
        prop_assert!((queue.number_in_system() / (queue.number_in_queue() + in_service) - 1.0).abs() < 1e-11);
        prop_assert!(in_service <= servers as f64 * (1.0 + ROUNDING));
        prop_assert!(queue.abandonment() <= queue.wait_probability());
    }
}

//! M/M/1 and M/M/1/K against chains solved another way and another library, and the laws that hold for both.

#![expect(clippy::float_cmp, reason = "limits and exact cases are compared exactly")]

mod chain;

use approx::assert_relative_eq;
use chain::stationary;
use proptest::prelude::*;
use retrylab_analytic::mm1::Mm1;
use retrylab_analytic::mm1k::Mm1k;
use statrs::distribution::{ContinuousCDF, Erlang, Exp};

/// Room for a few roundings.
const ROUNDING: f64 = 1e-13;

fn limited_queue(arrival_rate: f64, service_rate: f64, places: usize) -> Vec<f64> {
    let mut rates = vec![vec![0.0; places + 1]; places + 1];
    for number in 0..places {
        rates[number][number + 1] = arrival_rate;
        rates[number + 1][number] = service_rate;
    }
    stationary(rates)
}

#[test]
fn limited_queues_are_what_their_chains_give() {
    for (arrival_rate, service_rate) in [(0.01, 1.0), (0.6, 1.0), (2.0, 2.0), (3.0, 2.0), (50.0, 1.0)] {
        for places in [1_usize, 2, 3, 10, 40] {
            let states = limited_queue(arrival_rate, service_rate, places);
            let queue = Mm1k::new(arrival_rate, service_rate, places as u64).unwrap();
            let accepted: f64 = states[..places].iter().sum();
            let number: f64 = (0..=places).map(|n| n as f64 * states[n]).sum();
            let found: f64 = (0..places).map(|n| n as f64 * states[n]).sum::<f64>() / accepted;
            for (actual, expected) in [
                (queue.blocking(), states[places]),
                (queue.empty_probability(), states[0]),
                (queue.acceptance(), accepted),
                (queue.number_in_system(), number),
                (queue.waiting_time_mean(), found / service_rate),
                (queue.sojourn_time_mean(), (found + 1.0) / service_rate),
            ] {
                assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = 1e-12);
            }
            for time in [0.1, 1.0, 7.0, 25.0] {
                let longer = |n: usize| Erlang::new(n as u64 + 1, service_rate).unwrap().sf(time);
                let tail = (0..places).map(|n| states[n] * longer(n)).sum::<f64>() / accepted;
                // The other library's incomplete gamma function is the less accurate of the two.
                assert_relative_eq!(
                    queue.sojourn_time_tail(time),
                    tail,
                    epsilon = 0.0,
                    max_relative = 1e-10
                );
                let success = accepted * (1.0 - tail);
                assert_relative_eq!(
                    queue.success(time),
                    success,
                    epsilon = 1e-13,
                    max_relative = 1e-10
                );
            }
        }
    }
}

#[test]
fn sojourns_in_the_unlimited_queue_are_exponential() {
    let queue = Mm1::new(3.0, 4.5).unwrap();
    let sojourn = Exp::new(1.5).unwrap();
    for time in [0.0, 0.3, 2.0, 40.0, 300.0] {
        assert_relative_eq!(
            queue.sojourn_time_tail(time),
            sojourn.sf(time),
            epsilon = 0.0,
            max_relative = ROUNDING
        );
        let late = sojourn.sf(time) * 3.0 / 4.5;
        assert_relative_eq!(
            queue.waiting_time_tail(time),
            late,
            epsilon = 0.0,
            max_relative = ROUNDING
        );
    }
}

#[test]
fn a_queue_with_very_many_places_is_unlimited() {
    for (arrival_rate, service_rate) in [(0.2, 1.0), (0.99, 1.0), (9.95, 10.0)] {
        let limited = Mm1k::new(arrival_rate, service_rate, 100_000).unwrap();
        let unlimited = Mm1::new(arrival_rate, service_rate).unwrap();
        let number = unlimited.number_in_system().unwrap();
        assert_relative_eq!(limited.number_in_system(), number, max_relative = ROUNDING);
        let sojourn = unlimited.sojourn_time_mean().unwrap();
        assert_relative_eq!(limited.sojourn_time_mean(), sojourn, max_relative = ROUNDING);
        assert_relative_eq!(
            limited.empty_probability(),
            1.0 - unlimited.utilization(),
            max_relative = 1e-12
        );
        for multiple in [0.01, 1.0, 30.0] {
            let time = multiple * sojourn;
            let tail = unlimited.sojourn_time_tail(time);
            assert_relative_eq!(
                limited.sojourn_time_tail(time),
                tail,
                epsilon = 0.0,
                max_relative = ROUNDING
            );
            assert_relative_eq!(
                limited.success(time),
                unlimited.success(time),
                epsilon = 0.0,
                max_relative = 1e-12
            );
        }
    }
}

#[test]
fn at_full_load_all_states_are_equally_likely() {
    for places in [1, 2, 7, 10_000] {
        let queue = Mm1k::new(0.7, 0.7, places).unwrap();
        let states = (places + 1) as f64;
        assert_eq!(queue.blocking(), 1.0 / states);
        assert_eq!(queue.empty_probability(), 1.0 / states);
        assert_eq!(queue.number_in_system(), places as f64 / 2.0);
        assert_eq!(queue.waiting_time_mean(), (places - 1) as f64 / 2.0 / 0.7);
    }
}

#[test]
fn extreme_arguments_give_limits_and_never_nan() {
    for (arrival_rate, service_rate) in [
        (0.0, 1.0),
        (0.0, 1e-300),
        (1e300, 1e-300),
        (1e-300, 1e300),
        (5e-324, 5e-324),
        (f64::MAX, f64::MAX),
    ] {
        for places in [1, 2, 30, 100_000] {
            let queue = Mm1k::new(arrival_rate, service_rate, places).unwrap();
            for time in [0.0, 5e-324, 1e-200, 1.0, 1e200, f64::MAX] {
                let (tail, within) = (queue.sojourn_time_tail(time), queue.sojourn_time_within(time));
                assert!(
                    (0.0..=1.0 + ROUNDING).contains(&tail),
                    "{queue:?} {time}: tail {tail}"
                );
                assert!(
                    (0.0..=1.0 + ROUNDING).contains(&within),
                    "{queue:?} {time}: within {within}"
                );
                assert_relative_eq!(tail + within, 1.0, max_relative = ROUNDING);
            }
            assert_relative_eq!(queue.sojourn_time_tail(0.0), 1.0, max_relative = ROUNDING);
            assert_eq!(queue.success(0.0), 0.0);
            assert!((0.0..=1.0).contains(&queue.blocking()));
            assert!((0.0..=1.0).contains(&queue.empty_probability()));
            assert!((0.0..=places as f64).contains(&queue.number_in_system()));
        }
    }
    // Loads beyond the range of doubles.
    let flooded = Mm1k::new(1e300, 1e-300, 7).unwrap();
    assert_eq!(
        (
            flooded.blocking(),
            flooded.empty_probability(),
            flooded.number_in_system()
        ),
        (1.0, 0.0, 7.0)
    );
    let idle = Mm1k::new(1e-300, 1e300, 7).unwrap();
    assert_eq!(
        (idle.blocking(), idle.empty_probability(), idle.number_in_system()),
        (0.0, 1.0, 0.0)
    );
    let alone = Mm1::new(0.0, 4.0).unwrap();
    assert_eq!(alone.sojourn_time_mean(), Ok(0.25));
    assert_eq!(alone.waiting_time_mean(), Ok(0.0));
    assert_eq!(alone.waiting_time_tail(0.0), 0.0);
}

/// The ratio of the two rates is no normal number here.
#[test]
fn loads_beyond_double_precision_keep_their_logarithm() {
    let small = 1e-309;
    let (idle, crowded) = (
        Mm1k::new(1e-300, 1e9, 1).unwrap(),
        Mm1k::new(1e300, 1e-9, 1).unwrap(),
    );
    for probability in [idle.blocking(), crowded.acceptance(), crowded.empty_probability()] {
        assert_relative_eq!(probability, small, epsilon = 0.0, max_relative = 1e-12);
    }
}

#[test]
fn without_a_steady_state_fractions_have_limits_and_means_do_not_exist() {
    for arrival_rate in [1.0, 1.0 + f64::EPSILON, 30.0] {
        let queue = Mm1::new(arrival_rate, 1.0).unwrap();
        assert_eq!((queue.utilization(), queue.wait_probability()), (1.0, 1.0));
        assert_eq!(
            (
                queue.sojourn_time_tail(9.0),
                queue.waiting_time_tail(9.0),
                queue.success(9.0)
            ),
            (1.0, 1.0, 0.0)
        );
        for absent in [
            queue.number_in_system(),
            queue.number_in_queue(),
            queue.sojourn_time_mean(),
            queue.waiting_time_mean(),
            queue.waiting_time_variance(),
            queue.sojourn_time_quantile(0.5),
        ] {
            let reason = absent.unwrap_err();
            assert_eq!((reason.arrival_rate, reason.capacity), (arrival_rate, 1.0));
        }
    }
}

/// Arrival and service rates at any load, dense around full load.
fn rates() -> impl Strategy<Value = (f64, f64)> {
    let load = prop_oneof![
        0.0..3.0_f64,
        (-8.0..3.0_f64).prop_map(|exponent| 10_f64.powf(exponent)),
        (-15.0..-1.0_f64).prop_map(|exponent| 1.0 - 10_f64.powf(exponent)),
        (-15.0..-1.0_f64).prop_map(|exponent| 1.0 + 10_f64.powf(exponent)),
    ];
    (load, 0.01..100.0_f64).prop_map(|(load, service_rate)| (load * service_rate, service_rate))
}

fn places() -> impl Strategy<Value = u64> {
    prop_oneof![1..5_u64, 1..100_u64, 1..10_000_u64]
}

proptest! {
    #[test]
    fn the_unlimited_queue_obeys_its_laws((arrival_rate, service_rate) in rates(), time in 0.0..50.0_f64) {
        let queue = Mm1::new(arrival_rate, service_rate).unwrap();
        prop_assume!(arrival_rate < service_rate);
        let sojourn = queue.sojourn_time_mean().unwrap();
        let waiting = queue.waiting_time_mean().unwrap();
        let (number, queued) = (queue.number_in_system().unwrap(), queue.number_in_queue().unwrap());
        // Little's law, for the system and for the queue.
        assert_relative_eq!(number, arrival_rate * sojourn, epsilon = 0.0, max_relative = ROUNDING);
        assert_relative_eq!(queued, arrival_rate * waiting, epsilon = 0.0, max_relative = ROUNDING);
        assert_relative_eq!(sojourn, waiting + 1.0 / service_rate, max_relative = ROUNDING);
        assert_relative_eq!(number, queued + queue.utilization(), max_relative = 1e-12);
        // Waiting and service times are independent and their sum is exponential.
        let variance = queue.waiting_time_variance().unwrap() + 1.0 / service_rate.powi(2);
        assert_relative_eq!(variance, sojourn * sojourn, max_relative = 1e-12);
        let tail = queue.sojourn_time_tail(time);
        assert_relative_eq!(tail + queue.success(time), 1.0, max_relative = ROUNDING);
        prop_assert!(queue.sojourn_time_tail(time * 1.5) <= tail);
        assert_relative_eq!(
            queue.waiting_time_tail(time), queue.wait_probability() * tail, epsilon = 0.0, max_relative = ROUNDING
        );
        assert_relative_eq!(queue.waiting_time_tail(0.0), queue.wait_probability(), max_relative = ROUNDING);
    }

    #[test]
    fn the_quantile_inverts_the_tail((arrival_rate, service_rate) in rates(), exponent in -15.0..0.0_f64) {
        prop_assume!(arrival_rate < service_rate);
        let queue = Mm1::new(arrival_rate, service_rate).unwrap();
        let small = 10_f64.powf(exponent);
        prop_assume!(small < 1.0);
        let early = queue.sojourn_time_quantile(small).unwrap();
        assert_relative_eq!(queue.success(early), small, epsilon = 0.0, max_relative = ROUNDING);
        let late = queue.sojourn_time_quantile(1.0 - small).unwrap();
        let tail = 1.0 - (1.0 - small);
        assert_relative_eq!(queue.sojourn_time_tail(late), tail, epsilon = 0.0, max_relative = ROUNDING);
        prop_assert!((early <= late) == (small <= 0.5));
    }

    #[test]
    fn the_limited_queue_obeys_its_laws((arrival_rate, service_rate) in rates(), places in places()) {
        let queue = Mm1k::new(arrival_rate, service_rate, places).unwrap();
        // What is accepted is served.
        let (accepted, served) = (arrival_rate * queue.acceptance(), service_rate * (1.0 - queue.empty_probability()));
        assert_relative_eq!(accepted, served, epsilon = 1e-15 * service_rate, max_relative = 1e-12);
        assert_relative_eq!(queue.acceptance(), 1.0 - queue.blocking(), epsilon = 1e-15, max_relative = 1e-12);
        // Little's law.
        let number = accepted * queue.sojourn_time_mean();
        assert_relative_eq!(queue.number_in_system(), number, epsilon = 1e-300, max_relative = 1e-12);
        let queued = accepted * queue.waiting_time_mean();
        let busy = accepted / service_rate;
        assert_relative_eq!(queue.number_in_system(), queued + busy, epsilon = 1e-300, max_relative = 1e-12);
        // One more place: a recurrence in their number.
        let wider = Mm1k::new(arrival_rate, service_rate, places + 1).unwrap();
        let offered = arrival_rate / service_rate * queue.blocking();
        if offered > 1e-290 {
            let blocking = offered / (1.0 + offered);
            assert_relative_eq!(wider.blocking(), blocking, epsilon = 0.0, max_relative = 1e-12);
        }
        prop_assert!(wider.blocking() <= queue.blocking());
        prop_assert!(wider.number_in_system() >= queue.number_in_system() * (1.0 - ROUNDING));
        // Served customers and empty places change roles with the rates.
        if arrival_rate > 0.0 {
            let mirrored = Mm1k::new(service_rate, arrival_rate, places).unwrap();
            let blocking = queue.blocking();
            assert_relative_eq!(mirrored.empty_probability(), blocking, epsilon = 1e-300, max_relative = 1e-12);
            let both = queue.number_in_system() + mirrored.number_in_system();
            assert_relative_eq!(both, places as f64, max_relative = 1e-12);
        }
    }

    #[test]
    fn sojourns_in_the_limited_queue_have_a_proper_tail(
        (arrival_rate, service_rate) in rates(), places in places(), multiple in 0.0..4.0_f64,
    ) {
        let queue = Mm1k::new(arrival_rate, service_rate, places).unwrap();
        let time = multiple * queue.sojourn_time_mean();
        let tail = queue.sojourn_time_tail(time);
        let within = queue.sojourn_time_within(time);
        assert_relative_eq!(tail + within, 1.0, max_relative = 1e-12);
        prop_assert!(queue.sojourn_time_tail(time * 1.1) <= tail * (1.0 + ROUNDING));
        prop_assert!(queue.sojourn_time_within(time * 1.1) >= within * (1.0 - ROUNDING));
        let success = queue.acceptance() * within;
        assert_relative_eq!(queue.success(time), success, epsilon = 0.0, max_relative = ROUNDING);
        // A place more lets customers in who wait longer.
        let wider = Mm1k::new(arrival_rate, service_rate, places + 1).unwrap();
        prop_assert!(wider.sojourn_time_tail(time) >= tail * (1.0 - 1e-12));
    }
}

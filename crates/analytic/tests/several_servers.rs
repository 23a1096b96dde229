//! Erlang's formulas, M/M/c and M/M/c/K against chains solved another way, and the laws that hold for them.

#![expect(clippy::float_cmp, reason = "limits and exact cases are compared exactly")]

mod chain;

use approx::assert_relative_eq;
use chain::stationary;
use proptest::prelude::*;
use retrylab_analytic::erlang::{erlang_b, erlang_c};
use retrylab_analytic::mm1::Mm1;
use retrylab_analytic::mm1k::Mm1k;
use retrylab_analytic::mmc::Mmc;
use retrylab_analytic::mmck::Mmck;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

/// Whether two numbers agree within a relative tolerance. Below the normal range of doubles there are fewer digits.
fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance * one.abs().max(other.abs()) + f64::MIN_POSITIVE
}

fn states(arrival_rate: f64, service_rate: f64, servers: usize, places: usize) -> Vec<f64> {
    let mut rates = vec![vec![0.0; places + 1]; places + 1];
    for number in 0..places {
        rates[number][number + 1] = arrival_rate;
        rates[number + 1][number] = service_rate * (number + 1).min(servers) as f64;
    }
    stationary(rates)
}

/// P(a customer who finds `found` others is still there after `time`), by following the number ahead, or the service,
/// through the events of a Poisson process fast enough for all of them (uniformisation).
fn stays(found: usize, service_rate: f64, servers: usize, time: f64) -> f64 {
    let rate = service_rate * servers as f64;
    let place = found.saturating_sub(servers - 1);
    let mut ahead = vec![0.0; place + 1];
    ahead[place] = 1.0;
    let mut poisson = (-rate * time).exp();
    let mut sum = 0.0;
    let most = (rate * time + 12.0 * (rate * time).sqrt()) as u32 + 50;
    for events in 1..most {
        sum += poisson * ahead.iter().sum::<f64>();
        poisson *= rate * time / f64::from(events);
        // Position 0 is in service; the others move up by one with every service that ends.
        ahead[0] *= 1.0 - 1.0 / servers as f64;
        for position in 1..ahead.len() {
            ahead[position - 1] += ahead[position];
            ahead[position] = 0.0;
        }
    }
    sum
}

#[test]
fn limited_queues_are_what_their_chains_give() {
    for (servers, places) in [(1_usize, 1_usize), (1, 7), (2, 2), (3, 4), (4, 30), (12, 40)] {
        for load in [0.01, 0.7, 1.0, 1.6, 20.0] {
            let service_rate = 0.8;
            let arrival_rate = load * service_rate * servers as f64;
            let states = states(arrival_rate, service_rate, servers, places);
            let queue = Mmck::new(arrival_rate, service_rate, servers as u64, places as u64).unwrap();
            let accepted: f64 = states[..places].iter().sum();
            let number: f64 = (0..=places).map(|n| n as f64 * states[n]).sum();
            let tail = |time: f64| -> f64 {
                let stays = |n| stays(n, service_rate, servers, time);
                (0..places).map(|n| states[n] / accepted * stays(n)).sum()
            };
            let sojourn = number / (arrival_rate * accepted);
            for (actual, expected) in [
                (queue.blocking(), states[places]),
                (queue.acceptance(), accepted),
                (queue.empty_probability(), states[0]),
                (queue.number_in_system(), number),
                (queue.sojourn_time_mean(), sojourn),
                (queue.sojourn_time_tail(0.3), tail(0.3)),
                (queue.sojourn_time_tail(6.0), tail(6.0)),
                (queue.sojourn_time_tail(40.0), tail(40.0)),
            ] {
                assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = ROUNDING);
            }
        }
    }
}

#[test]
fn erlang_b_is_a_chain_without_waiting_places_and_erlang_c_one_with_very_many() {
    for servers in [1_usize, 2, 5, 15, 16, 17, 40] {
        for load in [0.05, 0.6, 0.9] {
            let offered = load * servers as f64;
            let loss = states(offered, 1.0, servers, servers);
            let blocking = erlang_b(offered, servers as u64).unwrap();
            assert_relative_eq!(blocking, loss[servers], epsilon = 0.0, max_relative = ROUNDING);
            let waiting: f64 = states(offered, 1.0, servers, servers + 300)[servers..]
                .iter()
                .sum();
            let wait = erlang_c(offered, servers as u64).unwrap();
            assert_relative_eq!(wait, waiting, epsilon = 0.0, max_relative = ROUNDING);
        }
        let overloaded = states(3.0 * servers as f64, 1.0, servers, servers);
        let blocking = erlang_b(3.0 * servers as f64, servers as u64).unwrap();
        assert_relative_eq!(
            blocking,
            overloaded[servers],
            epsilon = 0.0,
            max_relative = ROUNDING
        );
    }
}

/// The recursion of textbooks, 1/B(c) = 1 + (c/a)/B(c − 1), which takes c steps.
#[test]
fn erlang_b_follows_its_recursion_for_every_number_of_servers() {
    for offered in [0.2, 7.3, 60.0, 333.0] {
        let mut inverse = 1.0;
        for servers in 1..500_u32 {
            inverse = 1.0 + f64::from(servers) / offered * inverse;
            let blocking = erlang_b(offered, servers.into()).unwrap();
            assert!(close(blocking, 1.0 / inverse, ROUNDING), "{offered} {servers}");
        }
    }
}

#[test]
fn one_server_is_the_queue_with_one_server() {
    for arrival_rate in [0.0, 1e-9, 0.3, 2.0, 2.9999, 3.0, 4.0] {
        let one = Mm1::new(arrival_rate, 3.0).unwrap();
        let several = Mmc::new(arrival_rate, 3.0, 1).unwrap();
        assert_eq!(one.number_in_queue().is_ok(), several.number_in_queue().is_ok());
        for (one, several) in [
            (one.number_in_system(), several.number_in_system()),
            (one.number_in_queue(), several.number_in_queue()),
            (one.sojourn_time_mean(), several.sojourn_time_mean()),
            (one.waiting_time_mean(), several.waiting_time_mean()),
            (one.waiting_time_variance(), several.waiting_time_variance()),
            (
                one.sojourn_time_quantile(0.01),
                several.sojourn_time_quantile(0.01),
            ),
            (
                one.sojourn_time_quantile(0.999),
                several.sojourn_time_quantile(0.999),
            ),
            (Ok(one.utilization()), Ok(several.utilization())),
            (Ok(one.wait_probability()), Ok(several.wait_probability())),
            (Ok(one.sojourn_time_tail(1.7)), Ok(several.sojourn_time_tail(1.7))),
            (Ok(one.waiting_time_tail(1.7)), Ok(several.waiting_time_tail(1.7))),
            (Ok(one.success(0.2)), Ok(several.success(0.2))),
        ] {
            if let (Ok(one), Ok(several)) = (one, several) {
                assert_relative_eq!(several, one, epsilon = 0.0, max_relative = ROUNDING);
            }
        }
        let limited = Mm1k::new(arrival_rate, 3.0, 9).unwrap();
        let several = Mmck::new(arrival_rate, 3.0, 1, 9).unwrap();
        for (limited, several) in [
            (limited.blocking(), several.blocking()),
            (limited.empty_probability(), several.empty_probability()),
            (limited.number_in_system(), several.number_in_system()),
            (limited.sojourn_time_mean(), several.sojourn_time_mean()),
            (limited.waiting_time_mean(), several.waiting_time_mean()),
            (limited.sojourn_time_tail(2.5), several.sojourn_time_tail(2.5)),
        ] {
            assert_relative_eq!(several, limited, epsilon = 0.0, max_relative = ROUNDING);
        }
    }
}

#[test]
fn a_queue_with_very_many_places_is_unlimited() {
    for (arrival_rate, servers) in [(0.9, 1), (4.2, 5), (14.0, 20), (450.0, 480)] {
        let unlimited = Mmc::new(arrival_rate, 1.0, servers).unwrap();
        let limited = Mmck::new(arrival_rate, 1.0, servers, 100_000_000).unwrap();
        assert_eq!(limited.blocking(), 0.0);
        for (limited, unlimited) in [
            (limited.number_in_system(), unlimited.number_in_system().unwrap()),
            (
                limited.sojourn_time_mean(),
                unlimited.sojourn_time_mean().unwrap(),
            ),
            (
                limited.waiting_time_mean(),
                unlimited.waiting_time_mean().unwrap(),
            ),
            (limited.sojourn_time_tail(0.5), unlimited.sojourn_time_tail(0.5)),
            (limited.sojourn_time_tail(30.0), unlimited.sojourn_time_tail(30.0)),
        ] {
            assert_relative_eq!(limited, unlimited, epsilon = 0.0, max_relative = ROUNDING);
        }
    }
}

#[test]
fn places_fewer_than_servers_are_refused() {
    let refusal = Mmck::new(1.0, 1.0, 3, 2).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "places is 2, but must be a whole number from the number of servers to 100000000"
    );
}

fn stable() -> impl Strategy<Value = (f64, f64, u64)> {
    (1e-3..0.999_f64, 0.1..10.0_f64, prop_oneof![1..4_u64, 5..2000_u64]).prop_map(
        |(load, service_rate, servers)| (load * service_rate * servers as f64, service_rate, servers),
    )
}

proptest! {
    #[test]
    fn the_unlimited_queue_obeys_its_laws((arrival_rate, service_rate, servers) in stable(), time in 0.0..20.0_f64) {
        let queue = Mmc::new(arrival_rate, service_rate, servers).unwrap();
        let time = time / service_rate;
        // Little's law, once for the queue and once for the system.
        prop_assert!(close(queue.number_in_queue().unwrap(), arrival_rate * queue.waiting_time_mean().unwrap(), ROUNDING));
        prop_assert!(close(queue.number_in_system().unwrap(), arrival_rate * queue.sojourn_time_mean().unwrap(), ROUNDING));
        prop_assert!(close(queue.success(time) + queue.sojourn_time_tail(time), 1.0, ROUNDING));
        prop_assert!(queue.waiting_time_tail(time) <= queue.sojourn_time_tail(time) * (1.0 + ROUNDING));
        prop_assert!(queue.sojourn_time_tail(time * 1.01) <= queue.sojourn_time_tail(time));
        prop_assert!(queue.success(time * 1.01) >= queue.success(time));
        // One more server of the same kind shortens every wait; one server of the joint speed wins by service alone.
        let helped = Mmc::new(arrival_rate, service_rate, servers + 1).unwrap();
        prop_assert!(helped.wait_probability() <= queue.wait_probability());
        prop_assert!(helped.sojourn_time_tail(time) <= queue.sojourn_time_tail(time));
        let pooled = Mmc::new(arrival_rate, service_rate * servers as f64, 1).unwrap();
        prop_assert!(pooled.sojourn_time_mean().unwrap() <= queue.sojourn_time_mean().unwrap() * (1.0 + ROUNDING));
        prop_assert!(pooled.number_in_queue().unwrap() >= queue.number_in_queue().unwrap() * (1.0 - ROUNDING));
    }

    #[test]
    fn the_quantile_inverts_success_and_tail((arrival_rate, service_rate, servers) in stable(), exponent in -12.0..-0.31_f64) {
        let queue = Mmc::new(arrival_rate, service_rate, servers).unwrap();
        let small = 10_f64.powf(exponent);
        let early = queue.sojourn_time_quantile(small).unwrap();
        prop_assert!(close(queue.success(early), small, 1e-11));
        let late = queue.sojourn_time_quantile(1.0 - small).unwrap();
        prop_assert!(close(queue.sojourn_time_tail(late), 1.0 - (1.0 - small), 1e-11));
    }

    #[test]
    fn the_wait_is_the_distribution_whose_moments_are_given((arrival_rate, service_rate, servers) in stable()) {
        let queue = Mmc::new(arrival_rate, service_rate, servers).unwrap();
        let end = 60.0 / (servers as f64 * service_rate - arrival_rate);
        // Simpson's rule on the tail and on 2t times it.
        let (mut mean, mut second) = (0.0, 0.0);
        let steps = 4000_u32;
        for step in 0..=steps {
            let time = end * f64::from(step) / f64::from(steps);
            let weight = if step == 0 || step == steps { 1.0 } else if step % 2 == 1 { 4.0 } else { 2.0 };
            let area = weight * end / f64::from(steps) / 3.0 * queue.waiting_time_tail(time);
            mean += area;
            second += 2.0 * time * area;
        }
        prop_assert!(close(mean, queue.waiting_time_mean().unwrap(), 1e-8));
        prop_assert!(close(second - mean * mean, queue.waiting_time_variance().unwrap(), 1e-7));
    }

    #[test]
    fn the_limited_queue_obeys_its_laws(
        load in prop_oneof![0.01..0.99_f64, Just(1.0), 1.01..30.0_f64],
        servers in 1..60_u64,
        room in 0..300_u64,
        time in 0.0..20.0_f64,
    ) {
        let arrival_rate = load * servers as f64;
        let queue = Mmck::new(arrival_rate, 1.0, servers, servers + room).unwrap();
        let accepted = arrival_rate * queue.acceptance();
        prop_assert!(close(queue.blocking() + queue.acceptance(), 1.0, ROUNDING));
        prop_assert!(close(queue.number_in_system(), accepted * queue.sojourn_time_mean(), ROUNDING));
        prop_assert!(close(queue.sojourn_time_mean(), queue.waiting_time_mean() + 1.0, ROUNDING));
        let larger = Mmck::new(arrival_rate, 1.0, servers, servers + room + 1).unwrap();
        prop_assert!(larger.blocking() <= queue.blocking() * (1.0 + ROUNDING));
        prop_assert!(larger.sojourn_time_tail(time) >= queue.sojourn_time_tail(time) * (1.0 - ROUNDING));
        prop_assert!(queue.sojourn_time_tail(time * 1.01) <= queue.sojourn_time_tail(time) * (1.0 + ROUNDING));
        if room == 0 {
            prop_assert!(close(queue.blocking(), erlang_b(arrival_rate, servers).unwrap(), ROUNDING));
        }
    }

    #[test]
    fn blocking_rises_with_load_and_falls_with_servers(load in 1e-6..3.0_f64, servers in 1..100_000_u64) {
        let offered = load * servers as f64;
        let blocking = erlang_b(offered, servers).unwrap();
        prop_assert!(erlang_b(offered * 1.001, servers).unwrap() >= blocking);
        prop_assert!(erlang_b(offered, servers + 1).unwrap() <= blocking);
        prop_assert!(erlang_c(offered, servers).unwrap() >= blocking);
    }
}

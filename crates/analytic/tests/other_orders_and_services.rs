//! Last in first out, busy periods, constant and general service against chains, recursions and each other.

mod chain;

use approx::assert_relative_eq;
use chain::stationary;
use proptest::prelude::*;
use retrylab_analytic::busy_period::BusyPeriod;
use retrylab_analytic::lifo::Lifo;
use retrylab_analytic::md1::Md1;
use retrylab_analytic::mg1::Mg1;
use retrylab_analytic::mm1::Mm1;
use retrylab_analytic::mmc::Mmc;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

/// P(busy period > time) and P(busy period + service > time): the number in the system, started at 1, followed through
/// the events of a Poisson process of rate λ + μ until it is 0, and then through one more service.
fn followed(arrival_rate: f64, time: f64) -> (f64, f64) {
    let rate = arrival_rate + 1.0;
    let (up, down) = (arrival_rate / rate, 1.0 / rate);
    let mut number = vec![0.0; 900];
    number[1] = 1.0;
    let mut serving = 0.0;
    let (mut busy, mut either) = (0.0, 0.0);
    let mut poisson = (-rate * time).exp();
    for events in 1..800 {
        let alive: f64 = number.iter().sum();
        busy += poisson * alive;
        either += poisson * (alive + serving);
        poisson *= rate * time / f64::from(events);
        let mut next = vec![0.0; 900];
        serving = serving * up + number[1] * down;
        for state in 1..899.min(events as usize + 2) {
            next[state + 1] += number[state] * up;
            if state > 1 {
                next[state - 1] += number[state] * down;
            }
        }
        number = next;
    }
    (busy, either)
}

#[test]
fn last_in_first_out_waits_for_a_busy_period() {
    for arrival_rate in [0.1_f64, 0.5, 0.9, 0.99, 1.0, 1.4, 6.0] {
        let busy_period = BusyPeriod::new(arrival_rate, 1.0).unwrap();
        let queue = Lifo::new(arrival_rate, 1.0).unwrap();
        let finds_busy = arrival_rate.min(1.0);
        for time in [0.0_f64, 0.01, 1.0, 7.0, 40.0] {
            let (busy, either) = followed(arrival_rate, time);
            let sojourn = (1.0 - finds_busy) * (-time).exp() + finds_busy * either;
            for (actual, expected) in [
                (busy_period.tail(time), busy),
                (queue.waiting_time_tail(time), finds_busy * busy),
                (queue.sojourn_time_tail(time), sojourn),
            ] {
                assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = ROUNDING);
            }
            assert!((queue.success(time) - (1.0 - sojourn)).abs() < ROUNDING);
        }
    }
}

/// ∫ f(t) dt over t > 0 by the trapezoidal rule in s, t = eˢ.
fn integral(function: impl Fn(f64) -> f64) -> f64 {
    let step = 0.1;
    let term = |index: i32| {
        let time = (f64::from(index) * step).exp();
        step * time * function(time)
    };
    (-400..200).map(term).sum()
}

#[test]
fn moments_are_integrals_of_the_tail() {
    for arrival_rate in [0.05, 0.5, 0.9, 0.98] {
        let busy_period = BusyPeriod::new(arrival_rate, 1.0).unwrap();
        let queue = Lifo::new(arrival_rate, 1.0).unwrap();
        for (actual, expected) in [
            (busy_period.mean(), integral(|t| busy_period.tail(t))),
            (
                busy_period.second_moment(),
                integral(|t| 2.0 * t * busy_period.tail(t)),
            ),
            (
                busy_period.third_moment(),
                integral(|t| 3.0 * t * t * busy_period.tail(t)),
            ),
            (
                queue.waiting_time_mean(),
                integral(|t| queue.waiting_time_tail(t)),
            ),
            (
                queue.waiting_time_second_moment(),
                integral(|t| 2.0 * t * queue.waiting_time_tail(t)),
            ),
            (
                Mm1::new(arrival_rate, 1.0).unwrap().sojourn_time_mean(),
                integral(|t| queue.sojourn_time_tail(t)),
            ),
        ] {
            assert_relative_eq!(actual.unwrap(), expected, epsilon = 0.0, max_relative = 1e-10);
        }
    }
}

/// M/D/1 sampled at departures: with constant service as many arrive in a service as a Poisson number says.
#[test]
fn constant_service_leaves_what_its_chain_at_departures_leaves() {
    for load in [0.2_f64, 0.6, 0.9] {
        let most = 400_usize;
        let mut arrivals = vec![(-load).exp()];
        for count in 1..=most {
            arrivals.push(arrivals[count - 1] * load / count as f64);
        }
        let mut jumps = vec![vec![0.0; most + 1]; most + 1];
        for (left, row) in jumps.iter_mut().enumerate() {
            for (count, probability) in arrivals.iter().enumerate() {
                let next = (left.saturating_sub(1) + count).min(most);
                if next != left {
                    row[next] += probability;
                }
            }
        }
        let states = stationary(jumps);
        let queue = Md1::new(load, 1.0).unwrap();
        let number: f64 = states.iter().enumerate().map(|(n, state)| n as f64 * state).sum();
        assert_relative_eq!(
            queue.number_in_system().unwrap(),
            number,
            epsilon = 0.0,
            max_relative = 1e-11
        );
        // Those left behind at a departure came during the sojourn of who departs: nobody did with probability E e^(−λT).
        let nobody = 1.0 - over_services(|t| load * (-load * t).exp() * queue.sojourn_time_tail(t));
        assert_relative_eq!(nobody, states[0], epsilon = 0.0, max_relative = 1e-9);
    }
}

/// Gauss's rule with five points within every service time of length 1, where the tails under constant service are
/// smooth.
fn over_services(function: impl Fn(f64) -> f64) -> f64 {
    let outer = (5.0 + 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 6.0;
    let inner = (5.0 - 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 6.0;
    let (heavy, light) = (
        (322.0 + 13.0 * 70.0_f64.sqrt()) / 1800.0,
        (322.0 - 13.0 * 70.0_f64.sqrt()) / 1800.0,
    );
    let area = |service: u32| {
        let middle = f64::from(service) + 0.5;
        let pair = |distance: f64| function(middle - distance) + function(middle + distance);
        function(middle) * 128.0 / 450.0 + heavy * pair(inner) + light * pair(outer)
    };
    (0..500_u32).map(area).sum()
}

/// Wait minus the balance of one service and one interarrival time, never below 0, has the distribution of the wait:
/// for t < b it is P(W > t) = 1 − (1 − ρ)e^(λt), and further on Erlang's sum, exact while few terms have not cancelled.
#[test]
fn waits_under_constant_service_are_erlangs_sum_while_that_is_precise() {
    for load in [0.1_f64, 0.5, 0.8, 0.97] {
        let queue = Md1::new(load / 0.25, 0.25).unwrap();
        for services in [0.0_f64, 0.3, 0.999, 1.0, 1.5, 2.2, 3.9] {
            let mut within = 0.0;
            let mut factorial = 1.0;
            for j in 0..=services as i32 {
                let exponent = load * (services - f64::from(j));
                factorial *= f64::from(j.max(1));
                within += (1.0 - load) * (-exponent).powi(j) * exponent.exp() / factorial;
            }
            let tail = queue.waiting_time_tail(services * 0.25);
            assert!(
                (tail - (1.0 - within)).abs() < 1e-14,
                "{load} {services}: {tail} {within}"
            );
            let sojourn = queue.sojourn_time_tail((services + 1.0) * 0.25);
            assert_relative_eq!(sojourn, tail, epsilon = 0.0, max_relative = 1e-13);
        }
        assert_relative_eq!(queue.sojourn_time_tail(0.249), 1.0);
    }
}

#[test]
fn moments_under_constant_service_are_integrals_of_the_tail() {
    for load in [0.3, 0.8, 0.93] {
        let queue = Md1::new(load, 1.0).unwrap();
        let sum =
            |power: i32| over_services(|t| f64::from(power) * t.powi(power - 1) * queue.waiting_time_tail(t));
        let mean = sum(1);
        assert_relative_eq!(
            queue.waiting_time_mean().unwrap(),
            mean,
            epsilon = 0.0,
            max_relative = 1e-9
        );
        let variance = sum(2) - mean * mean;
        assert_relative_eq!(
            queue.waiting_time_variance().unwrap(),
            variance,
            epsilon = 0.0,
            max_relative = 1e-8
        );
    }
}

#[test]
fn the_far_tail_under_constant_service_continues_the_near_one() {
    for load in [0.025, 0.03, 0.1, 0.4, 0.6, 0.9, 0.999, 0.999_999_9] {
        let queue = Md1::new(load, 1.0).unwrap();
        // The tail is a pure exponential on both sides of the time from which it is computed as one.
        let before = queue.waiting_time_tail(125.5) / queue.waiting_time_tail(126.5);
        let across = queue.waiting_time_tail(127.5) / queue.waiting_time_tail(128.5);
        let beyond = queue.waiting_time_tail(129.5) / queue.waiting_time_tail(130.5);
        assert_relative_eq!(before, beyond, epsilon = 0.0, max_relative = ROUNDING);
        assert_relative_eq!(across, beyond, epsilon = 0.0, max_relative = ROUNDING);
    }
}

#[test]
fn a_queue_without_a_mean_names_its_rates() {
    let reason = "the arrival rate 3 is not below the service capacity 2, so the queue grows without bound";
    for unstable in [
        Mg1::new(3.0, 0.5, 1.0).unwrap().waiting_time_mean(),
        Md1::new(3.0, 0.5).unwrap().waiting_time_variance(),
        Lifo::new(3.0, 2.0).unwrap().waiting_time_mean(),
        Mmc::new(3.0, 0.5, 4).unwrap().sojourn_time_quantile(0.5),
    ] {
        assert_eq!(unstable.unwrap_err().to_string(), reason);
    }
}

#[test]
fn general_service_covers_constant_and_exponential_service() {
    for arrival_rate in [0.0, 1e-6, 0.3, 0.95, 0.999_999, 1.0, 2.0] {
        let exponential = Mm1::new(arrival_rate, 1.0).unwrap();
        let constant = Md1::new(arrival_rate, 1.0).unwrap();
        let as_exponential = Mg1::new(arrival_rate, 1.0, 1.0).unwrap();
        let as_constant = Mg1::new(arrival_rate, 1.0, 0.0).unwrap();
        for (general, special) in [
            (as_exponential.number_in_queue(), exponential.number_in_queue()),
            (
                as_exponential.waiting_time_mean(),
                exponential.waiting_time_mean(),
            ),
            (
                as_exponential.sojourn_time_mean(),
                exponential.sojourn_time_mean(),
            ),
            (as_constant.number_in_queue(), constant.number_in_queue()),
            (as_constant.waiting_time_mean(), constant.waiting_time_mean()),
            (as_constant.sojourn_time_mean(), constant.sojourn_time_mean()),
        ] {
            assert_eq!(general.is_ok(), special.is_ok());
            if let (Ok(general), Ok(special)) = (general, special) {
                assert_relative_eq!(general, special, epsilon = 0.0, max_relative = ROUNDING);
            }
        }
    }
}

proptest! {
    #[test]
    fn the_order_of_service_changes_the_variance_and_not_the_mean(arrival_rate in 1e-3..0.999_f64) {
        let first = Mm1::new(arrival_rate, 1.0).unwrap();
        let last = Lifo::new(arrival_rate, 1.0).unwrap();
        let mean = first.waiting_time_mean().unwrap();
        prop_assert!((last.waiting_time_mean().unwrap() / mean - 1.0).abs() < ROUNDING);
        let second = first.waiting_time_variance().unwrap() + mean * mean;
        // E W² of last in first out is that of first in first out divided by 1 − ρ (Takács).
        prop_assert!((last.waiting_time_second_moment().unwrap() * (1.0 - arrival_rate) / second - 1.0).abs() < 1e-11);
    }

    #[test]
    fn tails_fall_with_time_and_rise_with_load(load in 1e-3..3.0_f64, exponent in -3.0..4.0_f64) {
        let time = 10_f64.powf(exponent);
        let lifo = Lifo::new(load, 1.0).unwrap();
        let busier = Lifo::new(load * 1.01, 1.0).unwrap();
        prop_assert!(lifo.waiting_time_tail(time * 1.01) <= lifo.waiting_time_tail(time) * (1.0 + ROUNDING));
        prop_assert!(lifo.sojourn_time_tail(time * 1.01) <= lifo.sojourn_time_tail(time) * (1.0 + ROUNDING));
        prop_assert!(lifo.waiting_time_tail(time) <= busier.waiting_time_tail(time) * (1.0 + ROUNDING));
        prop_assert!((lifo.success(time) + lifo.sojourn_time_tail(time) - 1.0).abs() < ROUNDING);
        let constant = Md1::new(load, 1.0).unwrap();
        let busier = Md1::new(load * 1.01, 1.0).unwrap();
        prop_assert!(constant.waiting_time_tail(time * 1.01) <= constant.waiting_time_tail(time) * (1.0 + ROUNDING));
        prop_assert!(constant.waiting_time_tail(time) <= busier.waiting_time_tail(time) * (1.0 + ROUNDING));
    }
}

/// At λ = μ the tail falls off as 1/√(πμt), to the ends of what numbers can hold: e^(−2t)·(I₀(2t) + I₁(2t)) for large t.
#[test]
fn a_critical_busy_period_outlasts_any_time_with_the_probability_of_its_asymptote() {
    let critical = BusyPeriod::new(1.0, 1.0).unwrap();
    for time in [1e20, 1e60, 1e200] {
        let asymptote = 1.0 / (std::f64::consts::PI * time).sqrt();
        assert_relative_eq!(
            critical.tail(time),
            asymptote,
            epsilon = 0.0,
            max_relative = 1e-12
        );
    }
}

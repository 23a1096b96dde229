//! Monotonicities that hold on every path, with the same random numbers on both sides.
//!
//! The simulator draws the service time and the error of an attempt when its service starts. So with the same seed the jth
//! service to start takes the same time, whoever it serves, which is the coupling under which these comparisons are theorems.
//! Each states its conditions; of longer timeouts two tests show that they are necessary.

use std::cell::Cell;

use proptest::prelude::*;
use retrylab_model::{ATTEMPTS_MAX, Backoff, Budget, DeadlineCheck, Discipline, ScenarioSpec};
use retrylab_sim::{Counts, Simulation};

use crate::draw::hundredths;
use crate::runner::{check_plainly, plainest_failure};
use crate::simplify::Simplify;
use crate::whole_language::{Drawn, anything, without_retries};

/// Scenarios of each test.
const SCENARIOS: u32 = 300;
/// Times at which both sides are compared.
const TIMES: [f64; 6] = [10.0, 25.0, 50.0, 100.0, 200.0, 400.0];

/// What has happened by each of the times.
fn paths(mut simulation: Simulation) -> Vec<Counts> {
    let mut sum: Option<Counts> = None;
    let by = TIMES.map(|time| {
        simulation.run_to(time);
        let window = simulation.take_counts();
        match &mut sum {
            Some(sum) => sum.append(&window),
            None => sum = Some(window),
        }
        sum.clone().unwrap()
    });
    by.to_vec()
}

/// Compares both paths at every time, and sees to it that the two differ now and then: equality all the time would be no test.
fn check_paths<S: Strategy<Value: Clone + Simplify>>(
    name: &str,
    strategy: &S,
    sides: impl Fn(&S::Value) -> (Simulation, Simulation),
    property: impl Fn(&Counts, &Counts) -> Result<bool, TestCaseError>,
) {
    let differing = Cell::new(0);
    check_plainly(name, SCENARIOS, strategy, |case| {
        let (less, more) = sides(&case);
        prop_assert_eq!(less.clock(), more.clock(), "times are rounded alike");
        let mut differs = false;
        for (less, more) in paths(less).iter().zip(&paths(more)) {
            differs |= property(less, more)?;
        }
        differing.set(differing.get() + u32::from(differs));
        Ok(())
    });
    let share = f64::from(differing.get()) / f64::from(SCENARIOS);
    println!("{name}: the order holds in {SCENARIOS} scenarios, in a share of {share:.2} strictly");
    assert!(
        share > 0.2,
        "{name}: only {share} of the scenarios make a difference"
    );
}

/// Without retries and a deadline check the server does not know of timeouts, so that the same answers come at the same
/// times, and one that is in time for a shorter timeout is so for a longer one. In any order, with limited places and stalls.
#[test]
fn a_longer_timeout_never_lowers_success_without_retries() {
    check_paths("timeout", &timeouts(), with_timeouts, |shorter, longer| {
        prop_assert!(shorter.successes <= longer.successes);
        prop_assert_eq!(shorter.busy_time, longer.busy_time);
        Ok(shorter.successes < longer.successes)
    });
}

/// A scenario without retries and a deadline check, a timeout, and by how much another is longer.
fn timeouts() -> impl Strategy<Value = (Drawn, f64, f64)> {
    (without_retries(), hundredths(100..=600), hundredths(10..=600))
}

/// The runs with the two timeouts.
fn with_timeouts((drawn, timeout, longer): &(Drawn, f64, f64)) -> (Simulation, Simulation) {
    let with = |timeout: f64| drawn.changed(|spec| spec.client.timeout = Some(timeout.into()));
    (with(*timeout), with(timeout + longer))
}

/// Finds a scenario in which a longer timeout lowers success after a change to every scenario.
fn find_where_patience_hurts(name: &str, change: impl Fn(&mut ScenarioSpec)) {
    let found = plainest_failure(name, 1000, &timeouts(), |(drawn, timeout, longer)| {
        let (shorter, longer) = with_timeouts(&(drawn.with(&change), timeout, longer));
        for (shorter, longer) in paths(shorter).iter().zip(&paths(longer)) {
            prop_assert!(shorter.successes <= longer.successes, "fewer successes");
        }
        Ok(())
    });
    let failure = found.expect("a longer timeout lowers success somewhere");
    assert!(failure.reason.contains("fewer successes"), "{}", failure.report());
}

/// A deadline check makes the server know of timeouts: it then spends time on attempts that it would have dropped, and others,
/// who would have been in time, are not. One example is enough.
#[test]
fn a_longer_timeout_can_lower_success_when_the_server_skips() {
    find_where_patience_hurts("patience with skipping", |spec| {
        spec.server.deadline_check = DeadlineCheck::SkipExpired;
    });
}

/// With retries, whoever gives up sooner is sooner back, at the front of the line if the last to come is the first served.
#[test]
fn a_longer_timeout_can_lower_success_with_retries() {
    find_where_patience_hurts("patience with retries", |spec| {
        spec.server.discipline = Discipline::Lifo;
        spec.client.attempts = 2;
        spec.client.retry_probability = 1.0;
        spec.client.budget = Budget::None;
    });
}

/// With one server more, every service starts no later, so that the queue is never longer (Kiefer & Wolfowitz 1955); in order
/// of arrival the jth to start is the jth to come, so that nobody waits longer and every success stays one. Without retries
/// and with unlimited places.
#[test]
fn a_server_more_never_lengthens_the_queue() {
    let sides = |drawn: &Drawn| {
        let with = |more: u32| {
            drawn.changed(|spec| {
                spec.server.places = None;
                spec.service.servers += more;
            })
        };
        (with(0), with(1))
    };
    check_paths("servers", &without_retries(), sides, |fewer, more| {
        let queue = |counts: &Counts| counts.in_system_area - counts.in_service_area;
        prop_assert!(queue(fewer) >= queue(more));
        prop_assert!(fewer.in_system_at_end >= more.in_system_at_end);
        prop_assert!(fewer.completions <= more.completions);
        Ok(queue(fewer) > queue(more))
    });
    let in_order =
        without_retries().prop_map(|drawn| drawn.with(|spec| spec.server.discipline = Discipline::Fifo));
    check_paths("servers in order", &in_order, sides, |fewer, more| {
        prop_assert!(fewer.successes <= more.successes);
        Ok(fewer.successes < more.successes)
    });
}

/// With more places no fewer attempts have left by any time, and no more were turned away (Sonderman, "Comparing multi-server
/// queues with finite waiting rooms", 1979). Without retries, in any order, with any number of servers.
///
/// The reason: let the jth service be the first to start later with more places. When it starts with fewer, nobody waits where
/// there are more and a server is free, so that more were turned away there by then; so at the first arrival that only the
/// larger room turns away it is full and the smaller is not, and as many came in, so that fewer have left it: although all
/// its services so far started no later. The number in the system is not larger on every path, because who is let in is
/// served too; only its mean is.
#[test]
fn a_place_more_never_raises_blocking() {
    let strategy = (without_retries(), 0..=6_u32, 1..=3_u32);
    let sides = |(drawn, room, more): &(Drawn, u32, u32)| {
        let with = |room: u32| drawn.changed(|spec| spec.server.places = Some(spec.service.servers + room));
        (with(*room), with(room + more))
    };
    check_paths("places", &strategy, sides, |fewer, more| {
        prop_assert!(fewer.rejected >= more.rejected);
        prop_assert!(fewer.completions <= more.completions);
        Ok(fewer.rejected > more.rejected)
    });
}

/// The errors of a smaller probability are among those of a larger one. Without retries they change nothing else.
#[test]
fn a_higher_error_probability_never_raises_success_without_retries() {
    let strategy = (without_retries(), hundredths(0..=50), hundredths(1..=50));
    let sides = |(drawn, probability, more): &(Drawn, f64, f64)| {
        let with = |value: f64| drawn.changed(|spec| spec.service.error_probability = value);
        (with(*probability), with(probability + more))
    };
    check_paths("errors", &strategy, sides, |fewer, more| {
        prop_assert!(fewer.successes >= more.successes);
        prop_assert_eq!(fewer.completions, more.completions);
        Ok(fewer.successes > more.successes)
    });
}

/// Clients who never stop send at least as many attempts by any time as clients who do: whenever the jth service starts, it
/// starts no later, and its answer is an error in both cases or in neither, so that no failure comes later.
///
/// Of clients who wait for ever, retry for sure and without jitter, and with unlimited places. Between two limits it is true
/// on average only, because a failure ends one request here and another there: see `monotone_means`.
#[test]
fn clients_who_never_stop_send_the_most_attempts() {
    let strategy = anything().prop_map(|drawn| {
        drawn.with(|spec| {
            spec.client.timeout = None;
            spec.client.retry_probability = 1.0;
            spec.client.budget = Budget::None;
            if let Backoff::FullJitter { base, .. } = spec.client.backoff {
                spec.client.backoff = Backoff::Constant { delay: base };
            }
            spec.server.places = None;
            spec.service.error_probability = spec.service.error_probability.min(0.8);
        })
    });
    let sides = |drawn: &Drawn| {
        (
            drawn.start(),
            drawn.changed(|spec| spec.client.attempts = ATTEMPTS_MAX),
        )
    };
    check_paths("attempts", &strategy, sides, |some, all| {
        prop_assert!(some.attempts <= all.attempts);
        prop_assert!(some.completions <= all.completions);
        Ok(some.attempts < all.attempts)
    });
}

/// Of all orders that serve whoever is there, first in, first out has the smallest mean square of waits and last in, first
/// out the largest (Vasicek, "An inequality for the variance of waiting time under a general queuing discipline", 1977):
/// services start at the same times, and the sum of squares is smallest when they are matched with arrivals in order.
/// Without retries and from empty to empty.
#[test]
fn waits_vary_least_in_order_of_arrival_and_most_in_the_opposite_one() {
    let compared = Cell::new(0);
    check_plainly("orders", SCENARIOS, &without_retries(), |drawn| {
        let orders = [Discipline::Fifo, Discipline::Random, Discipline::Lifo];
        let squares = orders.map(|order| {
            let mut simulation = drawn.changed(|spec| spec.server.discipline = order);
            simulation.run_to(100.0);
            let full = simulation.run_while(1000.0, |state| state.in_system() > 0);
            (!full).then(|| simulation.take_counts().waiting_time_square_sum.to_f64())
        });
        if let [Some(first), Some(any), Some(last)] = squares {
            prop_assert!(first <= any && any <= last, "{first}, {any}, {last}");
            compared.set(compared.get() + u32::from(first < any && any < last));
        }
        Ok(())
    });
    assert!(
        compared.get() > SCENARIOS / 4,
        "orders differed in only {} runs",
        compared.get()
    );
}

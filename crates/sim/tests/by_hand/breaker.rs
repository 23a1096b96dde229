//! Stories of breakers.

use retrylab_model::Breaker;

use super::*;

/// Opens on the first two failures of a window.
fn breaker() -> Breaker {
    Breaker {
        failure_rate: 1.0,
        minimum: 2,
        probes: 1,
        ..Breaker::new(5.0, 4.0)
    }
}

fn tell_failing(fits: impl Fn(&[f64]) -> bool, change: impl FnOnce(&mut ScenarioSpec)) -> Told {
    tell(4, fits, |spec| {
        spec.service.error_probability = 1.0;
        spec.service.servers = 4;
        spec.client.breaker = Some(breaker());
        change(spec);
    })
}

#[test]
fn an_open_breaker_keeps_first_attempts_and_a_probe_opens_it_again() {
    // The errors of a and b open it at b + 1; c falls into the open time, and d comes as a probe, which fails.
    let fits = |a: &[f64]| {
        a[1] < a[0] + 2.0
            && (1.1..4.9).contains(&(a[2] - a[1]))
            && (5.1..8.0).contains(&(a[3] - a[1]))
            && a[3] < 15.0
    };
    let told = tell_failing(fits, |_| {});
    let counts = told.counts;
    assert_eq!((counts.requests, counts.attempts, counts.errors), (4, 3, 3));
    assert_eq!((counts.breaker_denied, counts.unsent_requests), (1, 1));
    assert_eq!(counts.failed_requests, 4);
}

#[test]
fn failures_further_apart_than_the_window_leave_it_closed() {
    let fits = |a: &[f64]| a.windows(2).all(|pair| pair[1] > pair[0] + 5.0) && a[3] < 19.0;
    assert_eq!(tell_failing(fits, |_| {}).counts.breaker_denied, 0);
}

#[test]
fn a_retry_that_is_kept_has_spent_its_token_and_loses_its_request() {
    // The first error of a is followed by a retry; its second opens the breaker, whose own retry is kept, as b, c and d are.
    let fits = |a: &[f64]| a[1] > a[0] + 2.1 && a[3] < a[0] + 5.9;
    let told = tell_failing(fits, |spec| {
        spec.client.attempts = 5;
        spec.client.budget = Budget::Refund {
            capacity: 2.0,
            cost: 1.0,
            timeout_cost: 1.0,
            refund: 0.0,
            shared: false,
        };
    });
    let counts = told.counts;
    assert_eq!((counts.attempts, counts.retries, counts.budget_denied), (2, 1, 0));
    assert_eq!((counts.breaker_denied, counts.unsent_requests), (4, 3));
}

#[test]
fn clients_have_a_breaker_each_or_one_for_all() {
    // All four fail before the first could be tried again.
    let denied = |shared: bool| {
        let fits = |a: &[f64]| a[1] < a[0] + 1.0 && a[2] > a[1] + 1.1 && a[3] < a[1] + 4.9;
        let told = tell_failing(fits, |spec| {
            spec.traffic.clients = 1_000;
            spec.client.breaker = Some(Breaker { shared, ..breaker() });
        });
        told.counts.breaker_denied
    };
    // Each of the four requests is of another of the thousand clients.
    assert_eq!((denied(true), denied(false)), (2, 0));
}

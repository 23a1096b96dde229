//! Stories of failures that bring several attempts.

use super::*;

#[test]
fn every_failure_spawns_whatever_its_siblings_do() {
    // a times out at a + 0.75 and spawns two. Both time out at a + 1.5 and spawn two each, when one is in service and the other
    // waits in a house of four: two of the four are turned away.
    let told = tell(
        1,
        |a| a[0] > END - 1.9 && a[0] < END - 1.6,
        |spec| {
            spec.server.places = Some(4);
            spec.client.timeout = Some(0.75.into());
            spec.client.retries_per_failure = Some(2.0);
            spec.client.retry_rejected = false;
        },
    );
    let counts = &told.counts;
    assert_eq!((counts.attempts, counts.retries, counts.rejected), (7, 6, 2));
    assert_eq!((counts.timeouts, counts.late_completions), (3, 1));
    // The request is still open.
    assert_eq!((counts.successes, counts.failed_requests), (0, 0));
    assert_eq!(counts.in_system_at_end, 4);
}

#[test]
fn a_request_succeeds_once_however_many_answers_it_gets() {
    // A stall of half a unit makes a late; three retries at a + 1.25 are served at once, side by side.
    let story = |size: f64, error_probability: f64| {
        let told = tell(
            1,
            |a| (1.25..1.75).contains(&a[0]),
            |spec| {
                spec.service.servers = 4;
                spec.service.error_probability = error_probability;
                spec.client.timeout = Some(1.25.into());
                spec.client.retries_per_failure = Some(3.0);
                spec.client.budget = Budget::Pool {
                    size,
                    rate: 1e-3.into(),
                    shared: false,
                };
                spec.schedule = vec![Change::stall(2.0, 0.5)];
            },
        );
        let end = told.arrivals[0] + 9 * told.unit / 4;
        assert_eq!(
            told.last_success,
            (error_probability == 0.0 && size >= 1.0).then(|| told.clock_time(end))
        );
        let counts = told.counts;
        assert_eq!(
            (counts.requests, counts.late_completions, counts.timeouts),
            (1, 1, 1)
        );
        counts
    };
    for retries in 1..=3_u64 {
        let counts = story(retries as f64, 0.0);
        assert_eq!((counts.retries, counts.budget_denied), (retries, 3 - retries));
        assert_eq!((counts.successes, counts.duplicate_answers), (1, retries - 1));
        assert_eq!(counts.failed_requests, 0);
    }
    // Nothing left to hope for: at once, or when the last of three has failed and its three retries are denied.
    let counts = story(0.0, 0.0);
    assert_eq!((counts.failed_requests, counts.budget_denied), (1, 3));
    let counts = story(3.0, 1.0);
    assert_eq!(
        (counts.failed_requests, counts.budget_denied, counts.errors),
        (1, 9, 3)
    );
}

#[test]
fn the_fraction_of_a_retry_is_tossed_for() {
    for another in [false, true] {
        let story = Story::find(
            1,
            |a| a[0] > END - 1.9 && a[0] < END - 1.1,
            |spec| {
                spec.service.error_probability = 1.0;
                spec.client.retries_per_failure = Some(2.25);
            },
            |seed, _| Bernoulli::new(0.25).sample(&mut Stream::new(seed, 0, Purpose::Retries)) == another,
        );
        let counts = story.tell().counts;
        assert_eq!((counts.errors, counts.retries), (1, 2 + u64::from(another)));
    }
}

#[test]
fn retries_of_one_failure_back_off_side_by_side() {
    // Error, constant delay, error, constant delay, …: 1 + 2 + 4 attempts, a unit and a half apart.
    let told = tell(
        1,
        |a| a[0] > END - 4.9 && a[0] < END - 4.1,
        |spec| {
            spec.service.error_probability = 1.0;
            spec.service.servers = 4;
            spec.client.retries_per_failure = Some(2.0);
            spec.client.backoff = Backoff::Constant { delay: 0.5.into() };
        },
    );
    assert_eq!((told.counts.attempts, told.counts.errors), (7, 7));
}

#[test]
fn clients_may_take_a_rejection_for_an_answer() {
    let counts = |retry_rejected: bool| {
        let told = tell(2, burst(2, 0.5, 0.0), |spec| {
            spec.server.places = Some(1);
            spec.client.attempts = 3;
            spec.client.retry_rejected = retry_rejected;
        });
        assert_eq!((told.counts.successes, told.counts.failed_requests), (1, 1));
        (told.counts.attempts, told.counts.rejected)
    };
    assert_eq!(counts(true), (4, 3));
    assert_eq!(counts(false), (2, 1));
}

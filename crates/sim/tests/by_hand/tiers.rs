//! Stories of two tiers, of which each serves an attempt in one unit of time.

use retrylab_model::Tier;

use super::*;

fn tell_one(change: impl FnOnce(&mut ScenarioSpec)) -> Told {
    let told = tell(
        1,
        |a| a[0] < 8.0,
        |spec| {
            spec.tiers = vec![Tier::default()];
            spec.tiers[0].service.time = ServiceTime::Deterministic { value: 1.0.into() };
            change(spec);
        },
    );
    assert_eq!(told.counts.requests, 1);
    told
}

#[test]
fn a_request_is_served_at_one_tier_after_the_other() {
    let told = tell_one(|_| {});
    let clock_time = |ticks: i128| ticks as f64 / told.unit as f64;
    assert_eq!(
        told.last_success,
        Some(clock_time(told.arrivals[0] + 2 * told.unit))
    );
    let inner = &told.counts.inner[0];
    for counts in [&told.counts, inner] {
        assert_eq!((counts.requests, counts.attempts, counts.successes), (1, 1, 1));
        // No server is held while the other tier works.
        assert_eq!(counts.busy_time, told.unit.unsigned_abs());
        assert_eq!(counts.sojourn_time_sum, told.unit.unsigned_abs());
    }
}

#[test]
fn when_the_innermost_fails_the_attempts_multiply() {
    let told = tell_one(|spec| {
        spec.client.attempts = 2;
        spec.tiers[0].client.attempts = 3;
        spec.tiers[0].service.error_probability = 1.0;
    });
    let inner = &told.counts.inner[0];
    assert_eq!(
        (
            told.counts.attempts,
            told.counts.errors,
            told.counts.failed_requests
        ),
        (2, 2, 1)
    );
    assert_eq!((inner.requests, inner.attempts, inner.failed_requests), (2, 6, 2));
    assert_eq!(told.counts.attempts_at_all_tiers(), 2 + 6);
}

#[test]
fn an_error_in_front_spares_the_tier_behind_nothing() {
    let told = tell_one(|spec| {
        spec.client.attempts = 2;
        spec.service.error_probability = 1.0;
    });
    let inner = &told.counts.inner[0];
    assert_eq!((told.counts.attempts, told.counts.errors), (2, 2));
    assert_eq!((inner.requests, inner.successes), (2, 2));
}

#[test]
fn an_answer_from_behind_may_come_too_late() {
    let story = |timeout: f64| {
        let told = tell_one(|spec| spec.client.timeout = Some(timeout.into()));
        assert_eq!(told.counts.inner[0].successes, 1);
        let counts = told.counts;
        (
            counts.late_completions,
            counts.late_answers,
            counts.timeouts,
            counts.successes,
        )
    };
    assert_eq!(story(2.0), (0, 0, 0, 1));
    assert_eq!(story(1.5), (0, 1, 1, 0));
    assert_eq!(story(0.5), (1, 1, 1, 0));
}

#[test]
fn a_change_happens_at_its_tier() {
    let busy = |tier: u32| {
        let told = tell_one(|spec| {
            spec.schedule = vec![Change {
                tier,
                capacity: Some(0.5),
                ..Change::at(0.0)
            }];
        });
        let units = |ticks: u128| ticks as f64 / told.unit as f64;
        (
            units(told.counts.busy_time),
            units(told.counts.inner[0].busy_time),
        )
    };
    assert_eq!(busy(1), (2.0, 1.0));
    assert_eq!(busy(2), (1.0, 2.0));
}

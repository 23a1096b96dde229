//! Every count and every measure of a window, by numbers that cannot be mistaken for one another.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{ScenarioSpec, Tier, Traffic};
use retrylab_sim::{Counts, Histogram, Measure, Options, WideSum, simulate_one};

/// The square of `value`, `times` times.
fn squares(value: u64, times: u64) -> WideSum {
    let mut sum = WideSum::default();
    (0..times).for_each(|_| sum.add_square(value));
    sum
}

/// A window of which each field is another multiple of `unit`.
fn window(unit: u64) -> Counts {
    let time = |times: u64| u128::from(times * unit);
    Counts {
        duration: time(100),
        requests: 2 * unit,
        attempts: 3 * unit,
        retries: 5 * unit,
        rejected: 7 * unit,
        skipped: 11 * unit,
        services_started: 13 * unit,
        waited: 17 * unit,
        completions: 19 * unit,
        late_completions: 23 * unit,
        late_answers: 113 * unit,
        errors: 29 * unit,
        timeouts: 31 * unit,
        successes: 37 * unit,
        duplicate_answers: 107 * unit,
        failed_requests: 41 * unit,
        budget_denied: 43 * unit,
        breaker_denied: 107 * unit,
        unsent_requests: 109 * unit,
        busy_time: time(47),
        service_time: time(53),
        late_service_time: time(59),
        sojourn_time_sum: time(61),
        sojourn_time_square_sum: squares(6, unit),
        waiting_time_sum: time(67),
        waiting_time_square_sum: squares(10, unit),
        in_system_area: time(73),
        in_service_area: time(71),
        in_system_at_start: 79 * unit,
        in_system_at_end: 83 * unit,
        sojourn_time_above: vec![89 * unit, 97 * unit],
        waiting_time_above: vec![101 * unit, 103 * unit],
        inner: vec![Counts {
            duration: time(100),
            requests: 127 * unit,
            attempts: 131 * unit,
            successes: 137 * unit,
            busy_time: time(139),
            service_time: time(149),
            late_service_time: time(151),
            ..Counts::new(0.5, 3, 0)
        }],
        ..Counts::new(0.5, 4, 2)
    }
}

#[test]
fn two_windows_make_one() {
    let (mut sum, next) = (window(1), window(10));
    sum.append(&next);
    let expected = Counts {
        in_system_at_start: window(1).in_system_at_start,
        in_system_at_end: next.in_system_at_end,
        ..window(11)
    };
    assert_eq!(sum, expected);
}

#[test]
fn each_measure_is_its_own_ratio() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
    spec.run.tail_times = vec![1.0.into(), 10.0.into()];
    spec.tiers = vec![Tier::default()];
    let scenario = spec.validate().unwrap();
    // Times are half as many as ticks.
    let expected = [
        ("success", 37.0, 2.0),
        ("attempts_per_request", 3.0, 2.0),
        ("attempt_rate", 3.0, 50.0),
        ("abandoned_work", 29.5, 26.5),
        ("utilization", 23.5, 200.0),
        ("sojourn_time_mean", 30.5, 19.0),
        ("sojourn_time_second_moment", 9.0, 19.0),
        ("waiting_time_mean", 33.5, 13.0),
        ("waiting_time_second_moment", 25.0, 13.0),
        ("waiting_probability", 17.0, 13.0),
        ("goodput", 37.0, 50.0),
        ("useful_answers", 144.0, 50.0),
        ("throughput", 19.0, 50.0),
        ("number_in_system", 36.5, 50.0),
        ("number_in_queue", 1.0, 50.0),
        ("growth_rate", 4.0, 50.0),
        ("blocking", 7.0, 3.0),
        ("skipped_share", 11.0, 3.0),
        ("retry_share", 5.0, 3.0),
        ("retry_rate", 5.0, 50.0),
        ("late_share", 23.0, 19.0),
        ("failure", 41.0, 2.0),
        ("budget_denied", 43.0, 2.0),
        ("denied_share", 43.0, 48.0),
        ("breaker_denied", 107.0, 2.0),
        ("unsent_requests", 109.0, 2.0),
        ("sojourn_time_tail@1", 89.0, 19.0),
        ("sojourn_time_tail@10", 97.0, 19.0),
        ("waiting_time_tail@1", 101.0, 13.0),
        ("waiting_time_tail@10", 103.0, 13.0),
        ("tier_2_attempts_per_request", 131.0, 2.0),
        ("tier_2_success", 137.0, 127.0),
        ("tier_2_utilization", 69.5, 150.0),
        ("tier_2_abandoned_work", 75.5, 74.5),
    ];
    let measured: Vec<_> = Measure::of(&scenario)
        .into_iter()
        .map(|measure| {
            let (numerator, denominator) = window(1).measure(measure);
            (measure.name(&scenario), numerator, denominator)
        })
        .collect();
    assert_eq!(
        measured,
        expected.map(|(name, numerator, denominator)| (name.to_owned(), numerator, denominator))
    );
}

#[test]
fn histograms_join_in_any_order() {
    let scenario = ScenarioSpec::new(Traffic::with_rate(0.5)).validate().unwrap();
    let options = Options {
        histogram: true,
        ..Options::default()
    };
    let parts = [0, 1, 2].map(|replication| {
        simulate_one(&scenario, 1, replication, &options)
            .unwrap()
            .sojourn_times
    });
    let join = |order: [usize; 3]| {
        let mut sum = Histogram::default();
        order.into_iter().for_each(|index| sum.merge(&parts[index]));
        sum
    };
    let sum = join([0, 1, 2]);
    assert_eq!(sum.total(), parts.iter().map(Histogram::total).sum::<u64>());
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(join(order), sum);
    }
}

#[test]
fn a_quantile_is_right_to_one_part_in_128() {
    assert!((Histogram::RELATIVE_ERROR * 128.0 - 1.0).abs() < f64::EPSILON);
}

//! Stories of rejections and skips that take the server's time.

use super::*;

#[test]
fn a_skip_holds_up_the_next_attempt() {
    // b waits behind a and is skipped at a + 1, when its client has given up; c, which came last, is served a quarter later.
    let fits = |a: &[f64]| a[1] < a[0] + 0.2 && (0.7..0.95).contains(&(a[2] - a[0])) && a[2] < 12.0;
    let counts = |cost: Option<f64>| {
        let told = tell(3, fits, |spec| {
            spec.client.timeout = Some(0.75.into());
            spec.server.deadline_check = DeadlineCheck::SkipExpired;
            spec.server.skip_cost = cost.map(Into::into);
        });
        let (&[a, _, c], unit) = (&told.arrivals[..], told.unit) else {
            panic!()
        };
        let begin = a + unit + cost.map_or(0, |_| unit / 4);
        assert_times(&told, &[0, begin - c], &[unit, begin + unit - c]);
        let busy_time = told.counts.busy_time.cast_signed();
        assert_eq!(busy_time, 2 * unit + cost.map_or(0, |_| unit / 4));
        told.counts
    };
    for cost in [None, Some(0.25)] {
        let counts = counts(cost);
        assert_eq!((counts.skipped, counts.completions), (1, 2));
        // Not as work on attempts, wanted or not.
        assert_eq!(counts.service_time, counts.in_service_area);
    }
}

#[test]
fn rejections_are_worked_off_before_the_next_attempt() {
    // With two places c and d are turned away while a is served. b begins two eighths later than it would.
    let told = tell(
        4,
        |a| a[3] < a[0] + 0.9 && a[3] < 12.0,
        |spec| {
            spec.server.places = Some(2);
            spec.server.rejection_cost = Some(0.125.into());
        },
    );
    let (&[a, b, ..], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    let begin = a + unit + unit / 4;
    assert_times(&told, &[0, begin - b], &[unit, begin + unit - b]);
    assert_eq!(told.counts.busy_time.cast_signed(), 2 * unit + unit / 4);
    assert_eq!(told.counts.rejected, 2);
}

#[test]
fn an_answer_is_heard_before_rejections_are_worked_off() {
    // b is turned away while a is served. a's answer is an error; its retry has to wait until the server has dealt with b.
    let told = tell(2, burst(2, 0.9, 0.0), |spec| {
        spec.service.error_probability = 1.0;
        spec.server.places = Some(1);
        spec.server.rejection_cost = Some(0.5.into());
        spec.client.attempts = 2;
        spec.client.retry_rejected = false;
    });
    let unit = told.unit;
    assert_times(&told, &[0, unit / 2], &[unit, 3 * unit / 2]);
}

#[test]
fn a_slower_server_is_slower_at_rejecting_too() {
    // As above, but the capacity is halved in the middle of the quarter that two rejections take: the rest takes twice as long.
    let fits = |a: &[f64]| (1.01..1.24).contains(&a[0]) && a[3] < a[0] + 0.99;
    let told = tell(4, fits, |spec| {
        spec.server.places = Some(2);
        spec.server.rejection_cost = Some(0.125.into());
        spec.schedule = vec![Change {
            capacity: Some(0.5),
            ..Change::at(2.25)
        }];
    });
    let (&[a, b, ..], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    let (change, full_end) = (9 * unit / 4, a + unit + unit / 4);
    let begin = change + 2 * (full_end - change);
    assert_times(&told, &[0, begin - b], &[unit, begin + 2 * unit - b]);
}

//! Stories of settings that change.

use retrylab_model::Change;

use super::*;

#[test]
fn work_in_progress_slows_down_and_catches_up() {
    // a: begins within a quarter before 2; from 2 on at a quarter of the speed for two units, which do half a unit of it; the rest
    // at full speed. b waits for it.
    let fits = |a: &[f64]| (1.75..2.0).contains(&a[0]) && (3.0..4.0).contains(&a[1]);
    let told = tell(2, fits, |spec| {
        spec.schedule = vec![Change {
            capacity: Some(0.25),
            duration: Some(2.0.into()),
            ..Change::at(2.0)
        }];
    });
    let (&[a, b], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    let end = a + unit + 2 * unit - unit / 2;
    assert_times(&told, &[0, end - b], &[end - a, end + unit - b]);
    // What it took is what the server was busy with.
    assert_eq!(told.counts.busy_time, (end - a + unit).unsigned_abs());
    assert_eq!(told.counts.service_time, told.counts.busy_time);
}

#[test]
fn capacity_may_change_in_a_stall() {
    let told = tell(
        1,
        |a| (1.25..1.75).contains(&a[0]),
        |spec| {
            spec.schedule = vec![
                Change::stall(2.0, 3.0),
                Change {
                    capacity: Some(2.0),
                    ..Change::at(4.0)
                },
            ];
        },
    );
    // What is left at 2 goes on at 5 and takes half as long, to the nearest tick.
    let (a, unit) = (told.arrivals[0], told.unit);
    let end = 5 * unit + (a + unit - 2 * unit + 1) / 2;
    assert_times(&told, &[0], &[end - a]);
    assert_eq!(told.counts.busy_time, (end - a - 3 * unit).unsigned_abs());
}

#[test]
fn a_rate_moves_what_has_not_arrived() {
    // The second arrival comes at b at the rate before; from 4 on time runs four times as fast for it.
    let story = Story::find(
        2,
        |a| a[0] < 4.0 && (6.0..12.0).contains(&a[1]),
        |_| {},
        |_, _| true,
    );
    let (b, unit) = (story.arrivals[1], story.clock.moment(1.0));
    let scenario = story.scenario.modified(|spec| {
        spec.schedule = vec![Change {
            rate: Some(1.0.into()),
            ..Change::at(4.0)
        }];
    });
    let mut simulation = Simulation::new(&scenario.unwrap(), story.seed, 0).unwrap();
    let arrival = 4 * unit + (b - 4 * unit + 2) / 4;
    simulation.run_to(story.clock.time(arrival));
    assert_eq!(simulation.take_counts().requests, 1);
    simulation.run_to(story.clock.time(arrival + 1));
    assert_eq!(simulation.take_counts().requests, 1);
}

#[test]
fn what_fails_is_held_against_the_attempts_of_the_moment() {
    let counts = |attempts: u32, retry_probability: f64| {
        let told = tell(
            1,
            |a| (1.25..1.75).contains(&a[0]),
            |spec| {
                spec.service.error_probability = 1.0;
                spec.client.attempts = 10;
                spec.schedule = vec![Change {
                    attempts: Some(attempts),
                    retry_probability: Some(retry_probability),
                    duration: Some(2.0.into()),
                    ..Change::at(4.0)
                }];
            },
        );
        (told.counts.attempts, told.counts.failed_requests)
    };
    // Errors come a unit apart, the first between 2.25 and 2.75: three are allowed until 4, and the third fails after it.
    for attempts in [1, 2, 3] {
        assert_eq!(counts(attempts, 1.0), (3, 1));
    }
    assert_eq!(counts(4, 1.0), (4, 1));
    assert_eq!(counts(5, 1.0), (10, 1));
    assert_eq!(counts(10, 0.0), (3, 1));
    assert_eq!(counts(10, 1.0), (10, 1));
}

#[test]
fn an_answer_is_an_error_by_the_probability_when_its_service_starts() {
    let errors = |at: f64| {
        let told = tell(
            1,
            |a| (1.25..1.75).contains(&a[0]),
            |spec| {
                spec.client.attempts = 10;
                spec.schedule = vec![Change {
                    error_probability: Some(1.0),
                    duration: Some(2.0.into()),
                    ..Change::at(at)
                }];
            },
        );
        (told.counts.errors, told.counts.successes)
    };
    // Served from 1.25 to 1.75 on, for one unit each.
    assert_eq!(errors(0.0), (1, 1));
    assert_eq!(errors(1.0), (2, 1));
    assert_eq!(errors(2.0), (0, 1));
}

#[test]
fn a_budget_begins_anew_when_it_changes() {
    // One arrival; errors a unit apart. A pool of one is emptied at once; the new one of two pays for two retries; when the old one
    // comes back, it is full again.
    let story = |duration: Option<f64>| {
        let told = tell(
            3,
            |a| a[0] < 2.0 && (4.0..5.0).contains(&a[1]) && (12.0..13.0).contains(&a[2]),
            |spec| {
                let pool = |size| Budget::Pool {
                    size,
                    rate: 0.001.into(),
                    shared: true,
                };
                spec.traffic.clients = 7;
                spec.service.error_probability = 1.0;
                spec.client.attempts = 10;
                spec.client.budget = pool(1.0);
                spec.schedule = vec![Change {
                    budget: Some(pool(2.0)),
                    duration: duration.map(Into::into),
                    ..Change::at(4.0)
                }];
            },
        );
        (told.counts.retries, told.counts.budget_denied)
    };
    assert_eq!(story(None), (3, 3));
    assert_eq!(story(Some(6.0)), (4, 3));
}

#[test]
fn a_discipline_takes_the_line_as_it_stands() {
    // b, c and d wait for a. Last in, first out, from the middle of a's service until the middle of d's.
    let told = tell(4, burst(4, 0.3, 0.0), |_| {});
    let (a, unit) = (told.clock_time(told.arrivals[0]), told.unit);
    let told = tell(4, burst(4, 0.3, 0.0), |spec| {
        spec.schedule = vec![Change {
            discipline: Some(Discipline::Lifo),
            duration: Some(1.0.into()),
            ..Change::at(a + 0.5)
        }];
    });
    let &[a, b, c, d] = &told.arrivals[..] else {
        panic!()
    };
    assert_times(
        &told,
        &[0, a + unit - d, a + 2 * unit - b, a + 3 * unit - c],
        &[unit, a + 2 * unit - d, a + 3 * unit - b, a + 4 * unit - c],
    );
}

#[test]
fn what_fails_later_spawns_as_many_as_later_said() {
    // An error at 2.25 to 2.75 brings one retry; its error, a unit later, brings three.
    let told = tell(
        1,
        |a| (1.25..1.75).contains(&a[0]),
        |spec| {
            spec.service.servers = 4;
            spec.service.error_probability = 1.0;
            spec.client.retries_per_failure = Some(1.0);
            spec.schedule = vec![
                Change {
                    retries_per_failure: Some(3.0),
                    duration: Some(1.0.into()),
                    ..Change::at(3.0)
                },
                Change {
                    retries_per_failure: Some(0.0),
                    ..Change::at(4.0)
                },
            ];
        },
    );
    assert_eq!((told.counts.attempts, told.counts.failed_requests), (5, 1));
}

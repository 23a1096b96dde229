//! Small scenarios worked out by hand: a few arrivals, constant service times of one unit, every event known.
//!
//! Arrivals are random, so each test looks for a seed whose arrivals fall the way its story needs, and states what must come
//! of them in terms of the arrival times a, b, c, …

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod breaker;
mod chance;
mod overhead;
mod pool;
mod queues;
mod schedule;
mod spawning;
mod threshold;
mod tiers;

use retrylab_model::{
    Backoff, Budget, Change, DeadlineCheck, Discipline, Scenario, ScenarioSpec, ServiceTime, Traffic,
};
use retrylab_sim::random::{Bernoulli, ExponentialTicks, Purpose, Stream};
use retrylab_sim::{Clock, Counts, Simulation, WideSum};

/// When the runs end; stories have no arrivals in their last part.
const END: f64 = 20.0;

/// A run of a story: what was counted, and the arrival times in ticks.
struct Told {
    counts: Counts,
    arrivals: Vec<i128>,
    unit: i128,
    last_success: Option<f64>,
}

impl Told {
    /// A moment in units of time.
    fn clock_time(&self, moment: i128) -> f64 {
        moment as f64 / self.unit as f64
    }
}

/// The scenario of a story, with a seed whose arrivals fall as it needs.
struct Story {
    scenario: Scenario,
    clock: Clock,
    seed: u64,
    arrivals: Vec<i128>,
}

impl Story {
    /// Finds the first seed that satisfies `chosen` and has `number` arrivals before the end that satisfy `fits` (given in
    /// units of time).
    fn find(
        number: usize,
        fits: impl Fn(&[f64]) -> bool,
        change: impl FnOnce(&mut ScenarioSpec),
        chosen: impl Fn(u64, &Clock) -> bool,
    ) -> Self {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.25));
        spec.service.time = ServiceTime::Deterministic { value: 1.0.into() };
        change(&mut spec);
        let scenario = spec.validate().unwrap();
        let clock = Clock::for_scenario(&scenario).unwrap();
        let (seed, arrivals) = (0..10_000_000)
            .filter(|&seed| chosen(seed, &clock))
            .map(|seed| (seed, arrivals_before_end(&scenario, &clock, seed)))
            .find(|(_, arrivals)| {
                let units: Vec<f64> = arrivals.iter().map(|&ticks| clock.time(ticks)).collect();
                units.len() == number && fits(&units)
            })
            .unwrap();
        Self {
            scenario,
            clock,
            seed,
            arrivals,
        }
    }

    fn start(&self) -> Simulation {
        Simulation::new(&self.scenario, self.seed, 0).unwrap()
    }

    fn tell(self) -> Told {
        let mut simulation = self.start();
        simulation.run_to(END);
        Told {
            counts: simulation.take_counts(),
            arrivals: self.arrivals,
            unit: self.clock.moment(1.0),
            last_success: simulation.last_success(),
        }
    }
}

/// The story of any seed whose arrivals fit.
fn tell(number: usize, fits: impl Fn(&[f64]) -> bool, change: impl FnOnce(&mut ScenarioSpec)) -> Told {
    Story::find(number, fits, change, |_, _| true).tell()
}

fn arrivals_before_end(scenario: &Scenario, clock: &Clock, seed: u64) -> Vec<i128> {
    let interarrival_time = ExponentialTicks::new(1.0 / scenario.traffic.rate.value(), clock);
    let mut stream = Stream::new(seed, 0, Purpose::Arrivals);
    let mut at = 0;
    std::iter::from_fn(|| {
        at += i128::from(interarrival_time.sample(&mut stream));
        (at < clock.moment(END)).then_some(at)
    })
    .collect()
}

/// Whether the first `n` arrivals fall within `width` of the first and the rest come later than `rest` after it.
fn burst(n: usize, width: f64, rest: f64) -> impl Fn(&[f64]) -> bool {
    move |a| {
        a[n - 1] < a[0] + width && a.get(n).is_none_or(|&next| next > a[0] + rest) && a[a.len() - 1] < 12.0
    }
}

/// Sum and sum of squares of times in ticks.
fn sums(times: &[i128]) -> (u128, WideSum) {
    let mut squares = WideSum::default();
    for &time in times {
        squares.add_square(time.try_into().unwrap());
    }
    (times.iter().sum::<i128>().unsigned_abs(), squares)
}

/// Checks the waiting times of services started and the sojourn times of completions, in any order.
fn assert_times(told: &Told, waiting_times: &[i128], sojourn_times: &[i128]) {
    let counts = &told.counts;
    assert_eq!(
        (counts.waiting_time_sum, counts.waiting_time_square_sum),
        sums(waiting_times)
    );
    assert_eq!(
        (counts.sojourn_time_sum, counts.sojourn_time_square_sum),
        sums(sojourn_times)
    );
    assert_eq!(counts.services_started, waiting_times.len() as u64);
    assert_eq!(counts.completions, sojourn_times.len() as u64);
    assert_eq!(
        counts.waited,
        waiting_times.iter().filter(|&&time| time > 0).count() as u64
    );
}

#[test]
fn first_in_first_out() {
    let told = tell(3, burst(3, 0.9, 0.0), |_| {});
    let (&[a, b, c], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    assert_times(
        &told,
        &[0, a + unit - b, a + 2 * unit - c],
        &[unit, a + 2 * unit - b, a + 3 * unit - c],
    );
    let counts = &told.counts;
    assert_eq!(
        (counts.requests, counts.attempts, counts.retries, counts.successes),
        (3, 3, 0, 3)
    );
    assert_eq!(counts.busy_time, 3 * unit.unsigned_abs());
    assert_eq!(counts.in_system_area, counts.sojourn_time_sum);
    assert_eq!(told.last_success, Some((a + 3 * unit) as f64 / unit as f64));
}

#[test]
fn last_in_first_out() {
    let told = tell(3, burst(3, 0.9, 0.0), |spec| {
        spec.server.discipline = Discipline::Lifo;
    });
    let (&[a, b, c], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    assert_times(
        &told,
        &[0, a + unit - c, a + 2 * unit - b],
        &[unit, a + 2 * unit - c, a + 3 * unit - b],
    );
}

#[test]
fn two_servers() {
    let told = tell(3, burst(3, 0.9, 0.0), |spec| spec.service.servers = 2);
    let (&[a, _, c], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    assert_times(&told, &[0, 0, a + unit - c], &[unit, unit, a + 2 * unit - c]);
}

#[test]
fn a_full_system_rejects_and_a_retry_at_once_finds_it_full_again() {
    let told = tell(3, burst(3, 0.9, 0.0), |spec| {
        spec.server.places = Some(2);
        spec.client.attempts = 3;
    });
    let (&[a, b, _], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    assert_times(&told, &[0, a + unit - b], &[unit, a + 2 * unit - b]);
    let counts = &told.counts;
    assert_eq!((counts.attempts, counts.retries, counts.rejected), (5, 2, 3));
    assert_eq!(
        (counts.successes, counts.failed_requests, counts.timeouts),
        (2, 1, 0)
    );
}

#[test]
fn an_answer_exactly_at_the_timeout_is_in_time() {
    let told = tell(2, burst(1, 1.0, 1.5), |spec| {
        spec.client.timeout = Some(1.0.into());
    });
    let counts = &told.counts;
    assert_eq!(
        (counts.successes, counts.timeouts, counts.late_completions),
        (2, 0, 0)
    );
}

#[test]
fn abandoned_work_is_served_in_full() {
    // a is answered in time; b and c start after 1 and 2 and are late; so are their retries.
    let told = tell(3, burst(3, 0.1, 0.0), |spec| {
        spec.client.timeout = Some(1.25.into());
        spec.client.attempts = 2;
    });
    let (&[a, b, c], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    let timeout = unit + unit / 4;
    let sent = [a, b, c, b + timeout, c + timeout];
    let waiting: Vec<i128> = (0..5).map(|n| a + n * unit - sent[n as usize]).collect();
    let sojourn: Vec<i128> = waiting.iter().map(|time| time + unit).collect();
    assert_times(&told, &waiting, &sojourn);
    let counts = &told.counts;
    assert_eq!(
        (counts.successes, counts.late_completions, counts.timeouts),
        (1, 4, 4)
    );
    assert_eq!((counts.retries, counts.failed_requests), (2, 2));
    assert_eq!(counts.late_service_time, 4 * unit.unsigned_abs());
}

#[test]
fn skip_expired_drops_what_has_no_time_left() {
    // The retry, sent 0.5 after a, reaches its deadline at the very tick at which its service would start.
    let told = tell(
        1,
        |a| a[0] < 12.0,
        |spec| {
            spec.client.timeout = Some(0.5.into());
            spec.client.attempts = 2;
            spec.server.deadline_check = DeadlineCheck::SkipExpired;
        },
    );
    let unit = told.unit;
    assert_times(&told, &[0], &[unit]);
    let counts = &told.counts;
    assert_eq!(
        (counts.attempts, counts.skipped, counts.late_completions),
        (2, 1, 1)
    );
    assert_eq!(
        (counts.timeouts, counts.failed_requests, counts.in_system_at_end),
        (2, 1, 0)
    );
}

#[test]
fn skip_doomed_drops_what_cannot_finish() {
    // b starts with more than a unit left; c, with less than half a unit, is dropped and its client hears nothing.
    let doomed = DeadlineCheck::SkipDoomed { service: 1.0.into() };
    for (check, skipped, late) in [(doomed, 1, 0), (DeadlineCheck::SkipExpired, 0, 1)] {
        let told = tell(3, burst(3, 0.4, 0.0), |spec| {
            spec.client.timeout = Some(2.125.into());
            spec.server.deadline_check = check;
        });
        let counts = &told.counts;
        assert_eq!(
            (counts.skipped, counts.late_completions),
            (skipped, late),
            "{check:?}"
        );
        assert_eq!(
            (counts.successes, counts.timeouts, counts.failed_requests),
            (2, 1, 1),
            "{check:?}"
        );
        assert_eq!(counts.busy_time, u128::from(2 + late) * told.unit.unsigned_abs());
    }
}

#[test]
fn a_stall_pauses_the_work_but_not_the_clients() {
    let fits = |a: &[f64]| (1.25..1.75).contains(&a[0]) && (3.0..4.0).contains(&a[1]);
    let told = tell(2, fits, |spec| {
        spec.schedule = vec![Change::stall(2.0, 3.0)];
        spec.client.timeout = Some(3.5.into());
    });
    let (&[a, b], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    // a: one unit of work, three of stall. b: starts when a ends, at a + 4.
    assert_times(&told, &[0, a + 4 * unit - b], &[4 * unit, a + 5 * unit - b]);
    let counts = &told.counts;
    assert_eq!(
        (counts.timeouts, counts.late_completions, counts.successes),
        (1, 1, 1)
    );
    assert_eq!(counts.busy_time, 2 * unit.unsigned_abs());
    assert_eq!(counts.in_service_area, 5 * unit.unsigned_abs());
}

#[test]
fn nothing_starts_in_a_stall() {
    let told = tell(
        1,
        |a| (3.0..4.0).contains(&a[0]),
        |spec| {
            spec.schedule = vec![Change::stall(2.0, 3.0), Change::stall(5.0, 2.0)];
        },
    );
    // Its service starts when the first stall ends, pauses at once, and ends a unit after the second stall.
    let (a, unit) = (told.arrivals[0], told.unit);
    assert_times(&told, &[5 * unit - a], &[8 * unit - a]);
    assert_eq!(told.counts.busy_time, unit.unsigned_abs());
}

#[test]
fn a_constant_backoff_follows_each_error() {
    let told = tell(
        1,
        |a| a[0] < 10.0,
        |spec| {
            spec.service.error_probability = 1.0;
            spec.client.attempts = 3;
            spec.client.backoff = Backoff::Constant { delay: 2.0.into() };
        },
    );
    let unit = told.unit;
    assert_times(&told, &[0, 0, 0], &[unit, unit, unit]);
    let counts = &told.counts;
    assert_eq!(
        (
            counts.errors,
            counts.retries,
            counts.failed_requests,
            counts.successes
        ),
        (3, 2, 1, 0)
    );
    assert_eq!(told.last_success, None);
    // The second retry is sent at a + 6: not yet at a + 5.9.
    let told = tell(
        1,
        |a| (14.1..14.2).contains(&a[0]),
        |spec| {
            spec.service.error_probability = 1.0;
            spec.client.attempts = 3;
            spec.client.backoff = Backoff::Constant { delay: 2.0.into() };
        },
    );
    assert_eq!((told.counts.errors, told.counts.retries), (2, 1));
}

#[test]
fn a_retry_after_an_error_stands_behind_those_who_wait() {
    let told = tell(2, burst(2, 0.9, 0.0), |spec| {
        spec.service.error_probability = 1.0;
        spec.client.attempts = 2;
    });
    let (&[a, b], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    // a 0–1, b 1–2, the retry of a (sent at 1) 2–3, that of b (sent at 2) 3–4.
    let sojourn = [unit, a + 2 * unit - b, 2 * unit, 2 * unit];
    assert_times(&told, &[0, a + unit - b, unit, unit], &sojourn);

    // Last in, first out: the client hears before the server takes the next attempt, so the retry of a overtakes b.
    let told = tell(2, burst(2, 0.9, 0.0), |spec| {
        spec.service.error_probability = 1.0;
        spec.client.attempts = 2;
        spec.server.discipline = Discipline::Lifo;
    });
    let (&[a, b], unit) = (&told.arrivals[..], told.unit) else {
        panic!()
    };
    assert_times(
        &told,
        &[0, 0, a + 2 * unit - b, 0],
        &[unit, unit, a + 3 * unit - b, unit],
    );
}

#[test]
fn a_ratio_budget_saves_for_a_retry() {
    // Half a token per request: a is denied; b may retry once and is denied the second retry.
    let told = tell(
        2,
        |a| a[1] > a[0] + 1.5 && a[1] < 12.0,
        |spec| {
            spec.service.error_probability = 1.0;
            spec.client.attempts = 3;
            spec.client.budget = Budget::Ratio {
                ratio: 0.5,
                bank: 1.0,
                shared: false,
            };
        },
    );
    let counts = &told.counts;
    assert_eq!((counts.attempts, counts.retries, counts.errors), (3, 1, 3));
    assert_eq!((counts.failed_requests, counts.budget_denied), (2, 2));
}

#[test]
fn a_refund_budget_charges_timeouts_more_and_refunds_successes() {
    // a succeeds (the balance stays full at 10). b times out (10 − 10), its retry succeeds (+1). c succeeds (+1). d times
    // out: 2 tokens do not pay for it.
    let fits = |a: &[f64]| a[1] < a[0] + 0.4 && a[2] > a[0] + 4.0 && a[2] < 12.0 && a[3] < a[2] + 0.4;
    let story = |timeout_cost: f64| {
        tell(4, fits, |spec| {
            spec.client.timeout = Some(1.5.into());
            spec.client.attempts = 2;
            spec.client.budget = Budget::Refund {
                capacity: 10.0,
                cost: 5.0,
                timeout_cost,
                refund: 1.0,
                shared: false,
            };
        })
    };
    let counts = story(10.0).counts;
    assert_eq!((counts.timeouts, counts.retries, counts.budget_denied), (2, 1, 1));
    assert_eq!(
        (counts.successes, counts.failed_requests, counts.late_completions),
        (3, 1, 2)
    );
    // At a cost of 6 the balance is 10 − 6 + 1 + 1 = 6 when d asks: enough.
    let counts = story(6.0).counts;
    assert_eq!(
        (
            counts.timeouts,
            counts.retries,
            counts.budget_denied,
            counts.successes
        ),
        (2, 2, 0, 4)
    );
    // At 6.5 it is 5.5.
    assert_eq!(story(6.5).counts.budget_denied, 1);
}

#[test]
fn tails_count_what_is_strictly_longer() {
    let told = tell(2, burst(2, 0.5, 0.0), |spec| {
        spec.run.tail_times = vec![0.5.into(), 1.0.into(), 2.0.into()];
    });
    // Sojourn times: 1 and between 1.5 and 2. Waiting times: 0 and between 0.5 and 1.
    assert_eq!(told.counts.sojourn_time_above, [2, 1, 0]);
    assert_eq!(told.counts.waiting_time_above, [1, 0, 0]);
}

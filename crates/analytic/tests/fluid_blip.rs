//! The blip as a fluid against parcels of traffic that are sent, queued, served and sent again one by one, and against
//! closed forms of its simple cases.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;

use approx::assert_relative_eq;
use proptest::prelude::*;
use retrylab_analytic::fluid_blip::{Aftermath, FluidBlip, NoRecovery};

/// Room for the roundings of some ten changes of the rates.
const ROUNDING: f64 = 1e-11;

/// A setting, in attempts per unit of time and units of time.
#[derive(Debug, Clone, Copy)]
struct Setting {
    arrival_rate: f64,
    capacity: f64,
    reduced_capacity: f64,
    duration: f64,
    timeout: f64,
    attempts: u64,
    /// Ratio and bank.
    budget: Option<(f64, f64)>,
}

impl Setting {
    fn aftermath(&self) -> Aftermath {
        let blip = FluidBlip::new(
            self.arrival_rate,
            self.capacity,
            self.reduced_capacity,
            self.duration,
            self.timeout,
            self.attempts,
        )
        .unwrap();
        let blip = self
            .budget
            .map_or(blip, |(ratio, bank)| blip.with_budget(ratio, bank).unwrap());
        blip.aftermath()
    }
}

/// Traffic of one step, still to be answered.
struct Parcel {
    sent: usize,
    left: f64,
}

/// The same system step by step: every step sends one parcel, serves from the front of the queue and sends again what
/// has just timed out. `step` is in units of time. Returns (dead time, drained after) in units of time, if it drains.
fn parcels(setting: &Setting, step: f64, until: f64) -> Option<(f64, f64)> {
    let steps = |time: f64| (time / step).round() as usize;
    let (timeout, duration) = (steps(setting.timeout), steps(setting.duration));
    let (ratio, bank_max) = setting.budget.unwrap_or((0.0, 0.0));
    let mut queue: VecDeque<Parcel> = VecDeque::new();
    // What was sent in each step, by the number of the attempt.
    let mut sent: Vec<Vec<f64>> = Vec::new();
    let mut bank = bank_max;
    let mut dead = 0;
    for now in 0..steps(until) {
        let mut amounts = vec![setting.arrival_rate * step];
        // What was sent a timeout ago and has not been served has timed out.
        if let Some(moment) = now.checked_sub(timeout)
            && queue.front().is_some_and(|front| front.sent <= moment)
        {
            let again = sent[moment].iter().take(setting.attempts as usize - 1);
            amounts.extend(again);
        }
        if setting.budget.is_some() {
            bank += ratio * setting.arrival_rate * step;
            let wanted: f64 = amounts[1..].iter().sum();
            let granted = wanted.min(bank);
            bank = (bank - granted).min(bank_max);
            amounts[1..]
                .iter_mut()
                .for_each(|amount| *amount *= granted / wanted);
        }
        queue.push_back(Parcel {
            sent: now,
            left: amounts.iter().sum(),
        });
        sent.push(amounts);
        let is_over = now >= duration;
        let mut room = step
            * if is_over {
                setting.capacity
            } else {
                setting.reduced_capacity
            };
        let (mut served, mut useful) = (0.0, 0.0);
        while let Some(front) = queue.front_mut() {
            let part = front.left.min(room);
            front.left -= part;
            room -= part;
            served += part;
            if front.sent + timeout >= now {
                useful += part;
            }
            if front.left > 1e-9 * step {
                break;
            }
            queue.pop_front();
        }
        if is_over && useful < 0.5 * served {
            dead += 1;
        }
        if is_over && queue.is_empty() {
            return Some((f64::from(dead) * step, (now - duration) as f64 * step));
        }
    }
    None
}

fn settings() -> impl Strategy<Value = Setting> {
    let budget = prop::option::of((0.0..0.6_f64, 0.0..150.0_f64));
    (
        100.0..950.0_f64,
        0.0..900.0_f64,
        0.5..6.0_f64,
        0.2..2.0_f64,
        1_u64..6,
        budget,
    )
        .prop_map(
            |(arrival_rate, reduced_capacity, duration, timeout, attempts, budget)| Setting {
                arrival_rate,
                capacity: 1000.0,
                reduced_capacity,
                // Times that both clocks of the coarser and the finer steps hit.
                duration: (duration * 50.0).round() / 50.0,
                timeout: (timeout * 50.0).round() / 50.0,
                attempts,
                budget,
            },
        )
}

/// How far the clock of the parcels may be off: changes of the rates come up to a step late, ten of them at most, and
/// each shifts the curves by what flows in a step, which the difference of the rates takes its time to make up.
fn room(setting: &Setting, step: f64) -> Option<f64> {
    let worst = setting.arrival_rate
        * (1.0
            + setting
                .budget
                .map_or(f64::INFINITY, |(ratio, _)| ratio)
                .min(setting.attempts as f64 - 1.0));
    let gap = (setting.capacity - worst)
        .abs()
        .min(setting.capacity - setting.arrival_rate);
    (gap > 0.08 * setting.capacity).then(|| 10.0 * step * setting.capacity.max(worst) / gap)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn parcels_sent_one_by_one_take_as_long(setting in settings()) {
        let step = 0.005;
        let Some(room) = room(&setting, step) else { return Ok(()) };
        let until = 150.0;
        let aftermath = setting.aftermath();
        let followed = parcels(&setting, step, until);
        match (aftermath.dead_time, aftermath.drained_after) {
            (Ok(dead), Ok(drained)) => {
                prop_assert!(drained < until - setting.duration, "{setting:?} {aftermath:?}");
                let (dead_steps, drained_steps) = followed.unwrap_or((f64::NAN, f64::NAN));
                // Where useful service is interrupted, lateness breeds retries; halving the steps shows how much.
                let (dead_coarse, drained_coarse) = parcels(&setting, 2.0 * step, until).unwrap_or((f64::NAN, f64::NAN));
                let room = room + 2.0 * (dead_steps - dead_coarse).abs().max((drained_steps - drained_coarse).abs());
                prop_assert!((dead_steps - dead).abs() <= room, "{setting:?} {aftermath:?} {followed:?}");
                prop_assert!((drained_steps - drained).abs() <= room, "{setting:?} {aftermath:?} {followed:?}");
            }
            (dead, drained) => {
                prop_assert_eq!(dead, Err(NoRecovery::Stuck));
                prop_assert_eq!(drained, Err(NoRecovery::Stuck));
                prop_assert_eq!(followed, None);
            }
        }
    }

    /// Without retries the curves are three straight lines.
    #[test]
    fn without_retries_it_is_the_closed_form(setting in settings()) {
        let Setting { arrival_rate, capacity, reduced_capacity, duration, timeout, .. } = setting;
        let alone = Setting { attempts: 1, ..setting };
        let aftermath = alone.aftermath();
        let backlog = ((arrival_rate - reduced_capacity) * duration).max(0.0);
        let gap = capacity - arrival_rate;
        let dead = (arrival_rate * (duration - timeout) - reduced_capacity * duration) / gap;
        for (actual, expected) in [
            (aftermath.backlog_at_end, backlog),
            (aftermath.backlog_peak, backlog),
            (aftermath.dead_time, dead.max(0.0)),
            (aftermath.recovered_after, dead.max(0.0)),
            (aftermath.drained_after, backlog / gap),
        ] {
            assert_relative_eq!(actual.unwrap(), expected, epsilon = ROUNDING * duration.max(1.0) * capacity / gap);
        }
        // A budget of nothing is no retry either.
        prop_assert_eq!(Setting { budget: Some((0.0, 0.0)), attempts: 4, ..setting }.aftermath(), aftermath);
    }

    /// Time has no unit: all rates times a factor and all times over it are the same system.
    #[test]
    fn units_of_time_do_not_matter(setting in settings(), exponent in -20..20) {
        let factor = 2.0_f64.powi(exponent);
        let scaled = Setting {
            arrival_rate: setting.arrival_rate * factor,
            capacity: setting.capacity * factor,
            reduced_capacity: setting.reduced_capacity * factor,
            duration: setting.duration / factor,
            timeout: setting.timeout / factor,
            ..setting
        };
        let (one, other) = (setting.aftermath(), scaled.aftermath());
        prop_assert_eq!(one.backlog_peak, other.backlog_peak);
        prop_assert_eq!(one.drained_after, other.drained_after.map(|time| time * factor));
        prop_assert_eq!(one.dead_time, other.dead_time.map(|time| time * factor));
    }

    /// Above worst rates of the capacity a long blip is for ever, below it is not.
    #[test]
    fn a_long_blip_is_for_ever_exactly_where_the_stuck_line_says(
        load in 0.02..0.98_f64,
        attempts in 1_u64..12,
        ratio in prop::option::of(0.0..3.0_f64),
    ) {
        let setting = Setting {
            arrival_rate: load,
            capacity: 1.0,
            reduced_capacity: 0.0,
            duration: 100.0,
            timeout: 3.0,
            attempts,
            budget: ratio.map(|ratio| (ratio, 0.0)),
        };
        let worst = load * (1.0 + ratio.unwrap_or(f64::INFINITY).min(attempts as f64 - 1.0));
        prop_assume!((worst - 1.0).abs() > 1e-9);
        let expected = if worst > 1.0 { Some(NoRecovery::Stuck) } else { None };
        prop_assert_eq!(setting.aftermath().drained_after.err(), expected);
    }
}

#[test]
fn a_critical_load_keeps_its_backlog() {
    let setting = Setting {
        arrival_rate: 1.0,
        capacity: 1.0,
        reduced_capacity: 0.5,
        duration: 2.0,
        timeout: 10.0,
        attempts: 2,
        budget: None,
    };
    let aftermath = setting.aftermath();
    assert_eq!(aftermath.backlog_peak, Ok(1.0));
    assert_eq!(aftermath.dead_time, Ok(0.0));
    assert_eq!(aftermath.drained_after, Err(NoRecovery::Overloaded));
    // With a timeout below the wait of one, retries are added to it.
    let impatient = Setting {
        timeout: 0.75,
        ..setting
    };
    assert_eq!(impatient.aftermath().dead_time, Err(NoRecovery::Overloaded));
    assert_eq!(impatient.aftermath().backlog_peak, Err(NoRecovery::Overloaded));
}

#[test]
fn a_full_bank_is_spent_at_the_first_timeouts() {
    let setting = Setting {
        arrival_rate: 800.0,
        capacity: 1000.0,
        reduced_capacity: 300.0,
        duration: 5.0,
        timeout: 1.0,
        attempts: 4,
        budget: Some((0.1, 0.0)),
    };
    let saved = Setting {
        budget: Some((0.1, 100.0)),
        ..setting
    };
    let (empty, full) = (setting.aftermath(), saved.aftermath());
    assert_relative_eq!(
        full.backlog_at_end.unwrap(),
        empty.backlog_at_end.unwrap() + 100.0,
        max_relative = ROUNDING
    );
    // A hundred attempts more, and 120 a second to make up for them.
    assert_relative_eq!(
        full.dead_time.unwrap(),
        empty.dead_time.unwrap() + 100.0 / 120.0,
        max_relative = ROUNDING
    );
}

#[test]
fn scarce_tokens_shared_by_many_attempts_settle() {
    // Between one and k − 1 tokens a request: who gets them changes for ever smaller parts, how many do does not.
    let setting = Setting {
        arrival_rate: 0.25,
        capacity: 1.0,
        reduced_capacity: 0.0,
        duration: 200.0,
        timeout: 1.0,
        attempts: 5,
        budget: Some((2.725, 0.0)),
    };
    let aftermath = setting.aftermath();
    assert!(aftermath.dead_time.is_ok_and(|time| time > 2000.0));
    let overloaded = Setting {
        arrival_rate: 0.28,
        ..setting
    };
    assert_eq!(overloaded.aftermath().dead_time, Err(NoRecovery::Stuck));
}

/// A server of capacity 1 that stops for a while; clients wait for 1.
fn stopped(arrival_rate: f64, duration: f64, attempts: u64, budget: Option<(f64, f64)>) -> Aftermath {
    let setting = Setting {
        arrival_rate,
        capacity: 1.0,
        reduced_capacity: 0.0,
        duration,
        timeout: 1.0,
        attempts,
        budget,
    };
    setting.aftermath()
}

#[test]
fn attempts_without_number_are_followed_to_their_end() {
    const COUNTLESS: u64 = 1_000_000_000;
    // Every timeout adds half the capacity. That is for ever long before the changes are too many to follow, or the bank
    // is spent.
    assert_eq!(
        stopped(0.5, 10.0, COUNTLESS, None).drained_after,
        Err(NoRecovery::Stuck)
    );
    let bank = stopped(0.5, 10.0, COUNTLESS, Some((3.0, 1e9)));
    assert_eq!(bank.drained_after, Err(NoRecovery::Stuck));
    // Where tokens are short the rates settle, although ever more numbers of attempts share them.
    let short = stopped(0.5, 2000.0, COUNTLESS, Some((0.5, 0.0)));
    assert_relative_eq!(short.dead_time.unwrap(), 5996.0, max_relative = ROUNDING);
    assert_relative_eq!(short.drained_after.unwrap(), 5997.5, max_relative = ROUNDING);
}

#[test]
fn a_bank_that_lasts_beyond_the_blip_adds_to_the_backlog() {
    // 0.5, 1, 1.5 and 2 attempts a unit of time, as retries are joined by retries of retries. A request pays for one, and
    // from 2 on the bank for half an attempt a unit of time, from 3 on for one: it lasts until 7.5. Capacity 1 is back
    // at 4, and one attempt is all that is sent once the bank is empty.
    let critical = stopped(0.5, 4.0, 4, Some((1.0, 5.0)));
    assert_eq!(critical.backlog_at_end, Ok(5.0));
    assert_eq!(critical.backlog_peak, Ok(8.5));
    assert_eq!(critical.dead_time, Err(NoRecovery::Stuck));
    // With half a token a request the bank pays for 1.2 a unit of time from 3 on, until 3 + 4.4/0.75, when 8.84 have been
    // sent; 0.45 are sent from then on, and what is served since 5 has caught up with what was sent a timeout ago at
    // t − 5 = 8.84 + 0.45(t − 4 − 4.4/0.75), and 0.45 wait.
    let spent = stopped(0.3, 5.0, 4, Some((0.5, 5.0)));
    let recovered = 9.4 / 0.55 - 5.0;
    assert_relative_eq!(spent.dead_time.unwrap(), recovered, max_relative = ROUNDING);
    assert_relative_eq!(
        spent.drained_after.unwrap(),
        recovered + 0.45 / 0.7,
        max_relative = ROUNDING
    );
}

#[test]
fn a_blip_can_be_too_short_for_retries_that_would_last() {
    // 0.3 for 1, then 0.6 for 0.5; what was sent in the first half has timed out. 0.7 a unit of time is gained on it.
    let short = stopped(0.3, 1.5, 4, None);
    assert_relative_eq!(short.backlog_at_end.unwrap(), 0.6, max_relative = ROUNDING);
    assert_relative_eq!(short.dead_time.unwrap(), 0.15 / 0.7, max_relative = ROUNDING);
    assert_eq!(stopped(0.3, 4.0, 4, None).dead_time, Err(NoRecovery::Stuck));
}

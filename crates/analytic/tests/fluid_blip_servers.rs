//! The blip at servers that skip and at limited queues, against parcels of traffic that are sent, rejected, queued, skipped,
//! served and sent again one by one, and against closed forms of its simple cases.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;

use approx::assert_relative_eq;
use proptest::prelude::*;
use retrylab_analytic::fluid_blip::{FluidBlip, NoRecovery, Stretch};

const CAPACITY: f64 = 1000.0;

/// A setting, in attempts per unit of time and units of time; the capacity is 1000.
#[derive(Debug, Clone, Copy)]
struct Setting {
    arrival_rate: f64,
    reduced_capacity: f64,
    duration: f64,
    timeout: f64,
    attempts: usize,
    /// Ratio and bank.
    budget: Option<(f64, f64)>,
    places: Option<f64>,
    skipping: Skipping,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Skipping {
    Nothing,
    Expired { is_exponential: bool },
    Doomed,
}

impl Skipping {
    /// Share of what is served at an overload that is in time: for constant service times the root is iterated for.
    fn useful_share(self, overload: f64) -> f64 {
        match self {
            Self::Expired { is_exponential: true } => 1.0 / overload.max(1.0),
            Self::Expired {
                is_exponential: false,
            } if overload > 1.0 => (0..2000).fold(0.0, |share: f64, _| (-overload * (1.0 - share)).exp()),
            _ => 1.0,
        }
    }
}

impl Setting {
    /// The documents' blip with three immediate retries.
    fn documented() -> Self {
        Self {
            arrival_rate: 800.0,
            reduced_capacity: 300.0,
            duration: 5.0,
            timeout: 1.0,
            attempts: 4,
            budget: None,
            places: None,
            skipping: Skipping::Nothing,
        }
    }

    fn blip(&self) -> FluidBlip {
        let attempts = self.attempts as u64;
        let mut blip = FluidBlip::new(
            self.arrival_rate,
            CAPACITY,
            self.reduced_capacity,
            self.duration,
            self.timeout,
            attempts,
        )
        .unwrap();
        if let Some((ratio, bank)) = self.budget {
            blip = blip.with_budget(ratio, bank).unwrap();
        }
        if let Some(places) = self.places {
            blip = blip.with_places(places).unwrap();
        }
        match self.skipping {
            Skipping::Nothing => blip,
            Skipping::Expired { is_exponential } => blip
                .skipping_expired(f64::from(u8::from(is_exponential)))
                .unwrap(),
            Skipping::Doomed => blip.skipping_doomed(),
        }
    }

    fn stretches(&self, until: f64) -> Vec<Stretch> {
        self.blip().stretches(until)
    }
}

/// What was answered in time, and what was sent, until a moment.
#[derive(Debug, Clone, Copy)]
struct Totals {
    useful: f64,
    sent: f64,
}

impl Totals {
    fn of(stretches: &[Stretch]) -> Self {
        let over = |rate: fn(&Stretch) -> f64| stretches.iter().map(|s| rate(s) * (s.to - s.from)).sum();
        Self {
            useful: over(|s| s.useful_rate),
            sent: over(|s| s.attempt_rate),
        }
    }
}

/// Traffic of one step, by the number of the attempt.
struct Parcel {
    sent: usize,
    left: Vec<f64>,
    whole: f64,
}

/// What the clients of a step may spend on retries.
struct Tokens {
    bank: Option<f64>,
}

impl Tokens {
    /// Grants as large a share of what is wanted as there is.
    fn share(&mut self, wanted: f64) -> f64 {
        let Some(bank) = &mut self.bank else { return 1.0 };
        let granted = wanted.min(*bank);
        *bank -= granted;
        if wanted > 0.0 { granted / wanted } else { 0.0 }
    }
}

/// The system step by step. Failures of a step are retried at once; where the queue is full, rejected parts of a parcel are
/// sent again in the same step, generation by generation, to be rejected again.
fn parcels(setting: &Setting, step: f64, until: f64) -> Totals {
    let steps = |time: f64| (time / step).round() as usize;
    let (timeout, duration) = (steps(setting.timeout), steps(setting.duration));
    let mut queue: VecDeque<Parcel> = VecDeque::new();
    // What was served too late of what was sent in a step.
    let mut late: Vec<Vec<f64>> = Vec::new();
    let mut tokens = Tokens {
        bank: setting.budget.map(|(_, bank)| bank),
    };
    let mut totals = Totals {
        useful: 0.0,
        sent: 0.0,
    };
    for now in 0..steps(until) {
        let capacity = if now < duration {
            setting.reduced_capacity
        } else {
            CAPACITY
        };
        let mut room = capacity * step;
        if let (Some((ratio, bank_max)), Some(bank)) = (setting.budget, &mut tokens.bank) {
            *bank += ratio * setting.arrival_rate * step;
            // What one step earns may always be spent in it.
            *bank = bank.min(bank_max + ratio * setting.arrival_rate * step);
        }
        // What times out now: what still waits, and what was served too late.
        let mut failed = vec![0.0; setting.attempts];
        if let Some(moment) = now.checked_sub(timeout) {
            add(&mut failed, &late[moment]);
            if setting.skipping == Skipping::Nothing {
                let waiting = queue.iter().find(|parcel| parcel.sent == moment);
                if let Some(parcel) = waiting {
                    // Served in full or not at all, but for the parcel that is being served.
                    add(&mut failed, &parcel.left);
                }
            } else {
                while queue.front().is_some_and(|front| front.sent <= moment) {
                    let front = queue.pop_front().unwrap();
                    add(&mut failed, &front.left);
                }
            }
        }
        let mut tries = vec![0.0; setting.attempts];
        tries[0] = setting.arrival_rate * step;
        tries[1..].copy_from_slice(&failed[..setting.attempts - 1]);
        let waiting: f64 = queue.iter().flat_map(|parcel| &parcel.left).sum();
        // A step's service makes room for a step's traffic.
        let space = setting
            .places
            .map_or(f64::INFINITY, |places| (places + room - waiting).max(0.0));
        let (accepted, sent) = accept(&tries, space, &mut tokens);
        totals.sent += sent;
        let whole = accepted.iter().sum();
        queue.push_back(Parcel {
            sent: now,
            left: accepted,
            whole,
        });
        late.push(vec![0.0; setting.attempts]);
        while let Some(front) = queue.front_mut() {
            let left: f64 = front.left.iter().sum();
            let part = if left > 0.0 { (room / left).min(1.0) } else { 1.0 };
            let age = now - front.sent;
            let at_the_edge = setting.skipping != Skipping::Nothing && age + 1 >= timeout;
            let useful = match setting.skipping {
                Skipping::Nothing => f64::from(u8::from(age <= timeout)),
                _ if at_the_edge => setting.skipping.useful_share(front.whole / (capacity * step)),
                _ => 1.0,
            };
            totals.useful += useful * part * left;
            room -= part * left;
            for (late, left) in late[front.sent].iter_mut().zip(&mut front.left) {
                if setting.skipping != Skipping::Nothing {
                    *late += (1.0 - useful) * part * *left;
                }
                *left -= part * *left;
            }
            if part < 1.0 {
                break;
            }
            queue.pop_front();
        }
    }
    totals
}

fn add(sums: &mut [f64], terms: &[f64]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// Sends the tries of a step, first attempts at place 0, as far as tokens go, into the space that there is. What is rejected
/// is tried again until attempts or tokens are used up. All of a step's retries get tokens with the same chance, which is
/// found by trying chances from high to low.
fn accept(tries: &[f64], space: f64, tokens: &mut Tokens) -> (Vec<f64>, f64) {
    let attempt = |share: f64| {
        let mut wave: Vec<f64> = tries
            .iter()
            .enumerate()
            .map(|(i, x)| if i == 0 { *x } else { share * x })
            .collect();
        let mut spent: f64 = wave[1..].iter().sum();
        let total: f64 = wave.iter().sum();
        let kept = if total > space { space / total } else { 1.0 };
        let accepted: Vec<f64> = wave.iter().map(|rate| rate * kept).collect();
        let mut sent = total;
        wave.iter_mut().for_each(|rate| *rate *= 1.0 - kept);
        for _ in 1..wave.len() {
            wave.rotate_right(1);
            wave[0] = 0.0;
            wave.iter_mut().for_each(|rate| *rate *= share);
            let again: f64 = wave.iter().sum();
            spent += again;
            sent += again;
        }
        (accepted, sent, spent)
    };
    let Some(bank) = tokens.bank else {
        let (accepted, sent, _) = attempt(1.0);
        return (accepted, sent);
    };
    let share = (0..=1000)
        .map(|i| 1.0 - f64::from(i) / 1000.0)
        .find(|&share| attempt(share).2 <= bank)
        .unwrap_or(0.0);
    let (accepted, sent, spent) = attempt(share);
    tokens.share(spent);
    (accepted, sent)
}

fn settings() -> impl Strategy<Value = Setting> {
    let skipping = prop_oneof![
        Just(Skipping::Nothing),
        Just(Skipping::Doomed),
        any::<bool>().prop_map(|is_exponential| Skipping::Expired { is_exponential }),
    ];
    (
        (100.0..950.0_f64, 50.0..900.0_f64, 0.5..4.0_f64, 0.3..1.5_f64),
        1_usize..5,
        prop::option::of((0.05..2.0_f64, 0.0..150.0_f64)),
        prop::option::of(50.0..1500.0_f64),
        skipping,
    )
        .prop_map(
            |((arrival_rate, reduced_capacity, duration, timeout), attempts, budget, places, skipping)| {
                Setting {
                    arrival_rate,
                    reduced_capacity,
                    // Times that both clocks of the coarser and the finer steps hit.
                    duration: (duration * 50.0).round() / 50.0,
                    timeout: (timeout * 50.0).round() / 50.0,
                    attempts,
                    budget,
                    places,
                    skipping,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Both roads count the same answers and attempts, but for what the steps lose, which halves with them.
    ///
    /// Where a little more traffic would be for ever, steps that lose little can still lose the way back; finer ones find it.
    #[test]
    fn parcels_sent_one_by_one_count_the_same(setting in settings()) {
        let until = 12.0;
        let stretches = setting.stretches(until);
        prop_assert!(stretches.iter().all(|stretch| stretch.from < stretch.to), "{setting:?}: {stretches:?}");
        let exact = Totals::of(&stretches);
        let offered = setting.arrival_rate * until;
        let is_near = |exact: f64, coarse: f64, fine: f64| (exact - fine).abs() <= 0.01 * offered + 2.0 * (coarse - fine).abs();
        let agrees = |step: f64| {
            let [coarse, fine] = [2.0 * step, step].map(|step| parcels(&setting, step, until));
            is_near(exact.useful, coarse.useful, fine.useful) && is_near(exact.sent, coarse.sent, fine.sent)
        };
        prop_assert!([0.005, 0.001].into_iter().any(agrees), "{setting:?}: {exact:?}");
    }
}

#[test]
fn a_queue_shorter_than_the_timeout_recovers_at_once() {
    let setting = Setting {
        places: Some(200.0),
        ..Setting::documented()
    };
    let aftermath = setting.blip().aftermath();
    assert_eq!(aftermath.dead_time, Ok(0.0));
    assert_eq!(aftermath.recovered_after, Ok(0.0));
    // 200 attempts drain at the difference of the rates.
    assert_relative_eq!(aftermath.drained_after.unwrap(), 1.0, max_relative = 1e-12);
    // While it is full, 300 of 800 are taken in, and the others are sent four times.
    let during = setting.stretches(4.0);
    let full = during.last().unwrap();
    assert_relative_eq!(full.attempt_rate, 300.0 + 4.0 * 500.0, max_relative = 1e-12);
    assert_relative_eq!(full.useful_rate, 300.0);
    // A budget of a tenth spends 80 tokens on them.
    let budgeted = Setting {
        budget: Some((0.1, 0.0)),
        ..setting
    };
    let full = *budgeted.stretches(4.0).last().unwrap();
    assert_relative_eq!(full.attempt_rate, 880.0, max_relative = 1e-12);
}

#[test]
fn a_queue_longer_than_the_timeout_is_no_help() {
    let setting = Setting {
        places: Some(1500.0),
        ..Setting::documented()
    };
    let aftermath = setting.blip().aftermath();
    assert_eq!(aftermath.dead_time, Err(NoRecovery::Stuck));
    assert_eq!(aftermath.backlog_peak, Ok(1500.0));
    assert_eq!(aftermath.goodput_settled, Ok(0.0));
}

#[test]
fn skipping_the_doomed_recovers_when_capacity_returns() {
    for attempts in 1..6 {
        let setting = Setting {
            attempts,
            skipping: Skipping::Doomed,
            ..Setting::documented()
        };
        let aftermath = setting.blip().aftermath();
        assert_eq!(aftermath.dead_time, Ok(0.0), "{attempts}");
        assert_eq!(aftermath.goodput_settled, Ok(800.0));
        // What waits at the end of the blip is what was sent in the timeout before it.
        let sent: f64 = setting
            .stretches(5.0)
            .iter()
            .map(|s| s.attempt_rate * (s.to - s.from.max(4.0)).max(0.0))
            .sum();
        assert_relative_eq!(aftermath.backlog_at_end.unwrap(), sent, max_relative = 1e-12);
    }
}

#[test]
fn skipping_the_expired_settles_where_successes_and_services_balance() {
    for (is_exponential, attempts) in [(true, 4), (false, 4), (true, 10), (false, 3)] {
        let setting = Setting {
            attempts,
            skipping: Skipping::Expired { is_exponential },
            ..Setting::documented()
        };
        let aftermath = setting.blip().aftermath();
        let goodput = aftermath.goodput_settled.unwrap();
        assert_eq!(aftermath.recovered_after, Err(NoRecovery::Stuck));
        // The same from the two equations: successes are λ(1 − f^k), attempts λ(1 − f^k)/(1 − f).
        let failure = (1.0 - goodput / 800.0).powf(1.0 / attempts as f64);
        let overload = goodput / (1.0 - failure) / CAPACITY;
        let share = Skipping::Expired { is_exponential }.useful_share(overload);
        assert_relative_eq!(goodput, CAPACITY * share, max_relative = 1e-9);
    }
    // One retry is too few to hold it there, though not to make the way back long.
    let retried = Setting {
        attempts: 2,
        skipping: Skipping::Expired {
            is_exponential: false,
        },
        ..Setting::documented()
    };
    assert_eq!(retried.blip().aftermath().goodput_settled, Ok(800.0));
    assert!(retried.blip().aftermath().dead_time.unwrap() > 3.0);
    // Without retries there is nothing to hold it up.
    let alone = Setting {
        attempts: 1,
        skipping: Skipping::Expired {
            is_exponential: false,
        },
        ..Setting::documented()
    };
    assert_eq!(alone.blip().aftermath().dead_time, Ok(0.0));
}

#[test]
fn tokens_for_every_retry_are_short_where_those_of_earlier_requests_come_late() {
    // A token a request, and one retry. All that came in while there was room times out while half of what comes is
    // rejected: 800 retries and 800 first attempts, half of them rejected, want more than 800 tokens.
    let setting = Setting {
        attempts: 2,
        timeout: 0.5,
        places: Some(400.0),
        budget: Some((1.0, 0.0)),
        ..Setting::documented()
    };
    let full = setting.stretches(4.0)[1];
    assert_eq!((full.from, full.backlog), (0.8, 400.0));
    assert_relative_eq!(full.attempt_rate, 1600.0, max_relative = 1e-12);
}

#[test]
fn a_full_queue_that_keeps_the_server_late_does_not_recover_by_rounding() {
    // In these units what is accepted adds up to a little less than what is served.
    let blip = FluidBlip::new(0.8, 1.0, 0.1, 4.0, 1.0, 4)
        .and_then(|blip| blip.with_budget(0.75, 0.5)?.with_places(2.0))
        .unwrap();
    assert_eq!(blip.aftermath().dead_time, Err(NoRecovery::Stuck));
    assert_eq!(blip.aftermath().backlog_peak, Ok(2.0));
}

/// New requests alone fill the server, so that what has once been late stays at the edge of its timeout: all that is
/// served is of use, and as much as arrives, whatever retries a bank pays for beside it.
#[test]
fn at_a_critical_load_a_server_that_skips_answers_as_much_as_arrives() {
    let critical = Setting {
        arrival_rate: CAPACITY,
        reduced_capacity: 500.0,
        ..Setting::documented()
    };
    let alone = Setting {
        attempts: 1,
        skipping: Skipping::Expired {
            is_exponential: false,
        },
        ..critical
    };
    // The bank pays for 500, 667 and 700 retries in the seconds before the blip ends, and for some after.
    let retried = Setting {
        attempts: 2,
        budget: Some((0.0, 2000.0)),
        skipping: Skipping::Doomed,
        ..critical
    };
    for setting in [alone, retried] {
        let aftermath = setting.blip().aftermath();
        assert_eq!(aftermath.goodput_settled, Ok(CAPACITY), "{setting:?}");
        assert_eq!(aftermath.dead_time, Ok(0.0), "{setting:?}");
        assert_eq!(
            aftermath.recovered_after,
            Err(NoRecovery::Overloaded),
            "{setting:?}"
        );
    }
}

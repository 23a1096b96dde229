//! Runs until the service locks up, and the same mean from split cycles.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{
    Backoff, Breaker, Budget, Change, DeadlineCheck, Discipline, Scenario, ScenarioSpec, Tier, Timeout,
    Traffic,
};
use retrylab_sim::{
    Allowance, Cycles, CyclesError, Followed, Goal, LockUpCycles, LockUpWatch, NotRegenerative, Options,
    Pilot, Prospect, Simulation, Thresholds, run_until_lock_up,
};

const WATCH: LockUpWatch = LockUpWatch {
    backlog: 80,
    crowd: 5,
};

const GOAL: Goal = Goal::LockUp {
    backlog: WATCH.backlog,
};

/// Load 0.6, a timeout of five services, three attempts: locks up within some 130.
fn spec(backoff: Backoff) -> ScenarioSpec {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.6));
    spec.service.error_probability = 0.01;
    spec.client.timeout = Some(5.0.into());
    spec.client.attempts = 3;
    spec.client.backoff = backoff;
    spec.run.until = Some(1e6.into());
    spec.run.window = Some(20.0.into());
    spec
}

fn jitter() -> Backoff {
    Backoff::FullJitter {
        base: 10.0.into(),
        cap: None,
    }
}

fn follow(scenario: &Scenario, replication: u64) -> Followed {
    run_until_lock_up(scenario, 4, replication, WATCH, &Options::default()).unwrap()
}

/// The mean and its standard error from plain runs.
fn plain_mean(scenario: &Scenario, runs: u32) -> (f64, f64) {
    let times: Vec<f64> = (0..runs)
        .map(|run| follow(scenario, u64::from(run)).lock_up.unwrap().last_success)
        .collect();
    mean_and_error(&times)
}

fn mean_and_error(times: &[f64]) -> (f64, f64) {
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let square = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (square / count).sqrt())
}

/// The mean and its standard error from batches of split cycles.
fn split_mean(cycles: &LockUpCycles, batches: u32) -> (f64, f64) {
    let sums: Vec<Cycles> = (0..u64::from(batches))
        .map(|batch| {
            cycles
                .run(9, 100 * batch..100 * (batch + 1), &Options::default())
                .unwrap()
        })
        .collect();
    let time: f64 = sums.iter().map(|sum| sum.time).sum();
    let lock_ups: f64 = sums.iter().map(|sum| sum.lock_ups).sum();
    let mean = time / lock_ups;
    let square: f64 = sums
        .iter()
        .map(|sum| (sum.time - mean * sum.lock_ups).powi(2))
        .sum();
    (mean, square.sqrt() / lock_ups)
}

/// At four standard errors each of the six comparisons errs with probability 6·10⁻⁵; weights that forget a factor of the
/// branches are off by a factor of two and more.
#[test]
fn split_cycles_have_the_mean_of_plain_runs_wherever_they_are_split() {
    for backoff in [Backoff::None, jitter()] {
        let scenario = spec(backoff).validate().unwrap();
        let (plain, plain_error) = plain_mean(&scenario, 1_000);
        assert!(plain_error < 0.05 * plain);
        for (spacing, branches, top) in [(2, 3, 6), (1, 2, 8), (100, 7, 60)] {
            let split = Thresholds::spaced(spacing, branches, top);
            let cycles = LockUpCycles::new(&scenario, GOAL, split.clone()).unwrap();
            let (mean, error) = split_mean(&cycles, 60);
            assert!(
                (mean - plain).abs() < 4.0 * error.hypot(plain_error),
                "{split:?}: {mean} ± {error}, plain {plain} ± {plain_error}"
            );
            assert!(error < 0.1 * mean, "{split:?}: {mean} ± {error}");
        }
    }
}

/// The times of one run in their order, and the last success really is the last: the run goes on for long without one.
#[test]
fn the_times_of_a_lock_up_are_in_order_and_final() {
    let scenario = spec(Backoff::None).validate().unwrap();
    for replication in 0..20 {
        let lock_up = follow(&scenario, replication).lock_up.unwrap();
        assert!(lock_up.crowded <= lock_up.beyond_return);
        assert!(
            lock_up.last_success < lock_up.last_window && lock_up.last_window <= lock_up.last_success + 20.0
        );
        assert!(lock_up.silent_window <= lock_up.last_window);
        assert!((lock_up.last_window / 20.0).fract() == 0.0 && (lock_up.silent_window / 20.0).fract() == 0.0);
        let mut simulation = Simulation::new(&scenario, 4, replication).unwrap();
        simulation.run_to(lock_up.beyond_return + 2_000.0);
        assert_eq!(simulation.last_success(), Some(lock_up.last_success));
    }
}

#[test]
fn a_run_that_does_not_lock_up_says_so() {
    let mut spec = spec(Backoff::None);
    spec.client.attempts = 1;
    spec.run.until = Some(990.0.into());
    let scenario = spec.validate().unwrap();
    let followed = follow(&scenario, 0);
    assert_eq!(followed.lock_up, None);
    let mut simulation = Simulation::new(&scenario, 4, 0).unwrap();
    simulation.run_to(990.0);
    assert_eq!(followed.attempts_simulated, simulation.take_counts().attempts);
}

#[test]
fn sums_over_cycles_add_up_and_do_not_depend_on_threads() {
    let scenario = spec(Backoff::None).validate().unwrap();
    let cycles = LockUpCycles::new(&scenario, GOAL, Thresholds::spaced(2, 3, 6)).unwrap();
    let run = |threads, numbers| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| cycles.run(1, numbers, &Options::default()))
            .unwrap()
    };
    assert_eq!(run(1, 0..50), run(4, 0..50));
    let (mut parts, whole) = (run(2, 0..20), run(2, 0..50));
    parts += run(2, 20..50);
    assert_eq!(parts.attempts_simulated, whole.attempts_simulated);
    assert!((parts.time - whole.time).abs() < 1e-9 * whole.time);
    assert_ne!(run(1, 0..20), run(1, 20..40));
}

#[test]
fn cycles_refuse_what_does_not_start_anew() {
    let refused = |change: fn(&mut ScenarioSpec)| {
        let mut spec = spec(Backoff::None);
        change(&mut spec);
        match LockUpCycles::new(&spec.validate().unwrap(), GOAL, Thresholds::none()) {
            Err(CyclesError::NotRegenerative(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    let pool = refused(|spec| {
        spec.client.budget = Budget::Pool {
            size: 10.0,
            rate: 0.1.into(),
            shared: false,
        };
    });
    assert_eq!(pool, NotRegenerative::Budget);
    assert_eq!(
        refused(|spec| spec.server.skip_cost = Some(0.1.into())),
        NotRegenerative::Costs
    );
    assert_eq!(
        refused(|spec| spec.schedule.push(Change::stall(10.0, 5.0))),
        NotRegenerative::Schedule
    );
    assert_eq!(
        refused(|spec| spec.client.breaker = Some(Breaker::new(20.0, 30.0))),
        NotRegenerative::Breaker
    );
    assert_eq!(
        refused(|spec| spec.tiers.push(Tier::default())),
        NotRegenerative::Tiers
    );
}

/// The goal that is derived for a scenario.
fn derived(scenario: &Scenario) -> Goal {
    match Prospect::of(scenario) {
        Prospect::Sometime(goal) => goal,
        other => panic!("{other:?}"),
    }
}

/// Cycles of the derived goal, split where a pilot run says.
fn piloted(scenario: &Scenario) -> LockUpCycles {
    let cycles = LockUpCycles::new(scenario, derived(scenario), Thresholds::none()).unwrap();
    match cycles.pilot(1, &Allowance::new(100_000_000)).unwrap() {
        Pilot::Complete(thresholds) => cycles.split_at(thresholds),
        other => panic!("{other:?}"),
    }
}

/// What makes another scenario of one.
type Variation = fn(&mut ScenarioSpec);

/// Four standard errors, as above, each with a budget, several servers, exponential timeouts, as many places as a lock-up
/// needs, or retries that may fail again, in a scenario that plain runs can follow.
#[test]
fn a_pilot_run_finds_where_to_split_in_any_scenario_that_starts_anew() {
    let changes: [(&str, Variation); 6] = [
        ("as it is", |_| {}),
        ("a budget that slows the climb", |spec| {
            spec.traffic.rate = 0.75.into();
            spec.client.budget = Budget::Ratio {
                ratio: 0.6,
                bank: 3.0,
                shared: true,
            };
        }),
        ("three servers", |spec| {
            spec.service.servers = 3;
            spec.traffic.rate = 1.8.into();
        }),
        ("exponential timeouts", |spec| {
            spec.client.timeout = Some(Timeout::Exponential { mean: 5.0.into() });
        }),
        ("as many places as a lock-up needs", |spec| {
            spec.server.places = Some(derived(&spec.clone().validate().unwrap()).in_system() as u32);
        }),
        ("retries that may fail again", |spec| {
            spec.client.attempts = 1;
            spec.client.retries_per_failure = Some(0.8);
        }),
    ];
    for (name, change) in changes {
        let mut spec = spec(Backoff::None);
        change(&mut spec);
        let scenario = spec.validate().unwrap();
        let watch = LockUpWatch {
            backlog: derived(&scenario).in_system(),
            crowd: 5,
        };
        let times: Vec<f64> = (0..600)
            .map(|run| {
                run_until_lock_up(&scenario, 4, run, watch, &Options::default())
                    .unwrap()
                    .lock_up
                    .unwrap()
                    .last_success
            })
            .collect();
        let (plain, plain_error) = mean_and_error(&times);
        let (mean, error) = split_mean(&piloted(&scenario), 40);
        assert!(
            (mean - plain).abs() < 4.0 * error.hypot(plain_error),
            "{name}: {mean} ± {error}, plain {plain} ± {plain_error}"
        );
        assert!(
            error < 0.1 * mean && plain_error < 0.1 * plain,
            "{name}: {mean} ± {error}, plain {plain} ± {plain_error}"
        );
    }
}

/// No run comes back from the derived backlog for as long as anybody looks, where it is to come back with probability 10⁻⁹.
#[test]
fn nothing_succeeds_after_the_derived_backlog() {
    for (load, timeout) in [(0.6, 5.0), (0.5, 10.0), (0.9, 20.0), (0.36, 2.0)] {
        let mut spec = spec(jitter());
        spec.traffic.rate = load.into();
        spec.client.timeout = Some(timeout.into());
        let scenario = spec.validate().unwrap();
        let watch = LockUpWatch {
            backlog: derived(&scenario).in_system(),
            crowd: 5,
        };
        for replication in 0..20 {
            let followed = run_until_lock_up(&scenario, 4, replication, watch, &Options::default()).unwrap();
            let lock_up = followed.lock_up.unwrap();
            let mut simulation = Simulation::new(&scenario, 4, replication).unwrap();
            simulation.run_to(lock_up.beyond_return + 20_000.0);
            assert_eq!(
                simulation.last_success(),
                Some(lock_up.last_success),
                "load {load}, timeout {timeout}"
            );
        }
    }
}

#[test]
fn a_pilot_run_does_not_depend_on_threads() {
    let scenario = spec(Backoff::None).validate().unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| piloted(&scenario).thresholds().clone())
    };
    assert!(!run(1).as_slice().is_empty());
    assert_eq!(run(1), run(5));
}

#[test]
fn too_small_an_allowance_is_noticed_and_not_exceeded_by_much() {
    let scenario = spec(Backoff::None).validate().unwrap();
    let cycles = piloted(&scenario);
    let unlimited = cycles.run(1, 0..100, &Options::default()).unwrap();
    let run = |allowance: &Allowance| {
        cycles
            .run_within(1, 0..100, &Options::default(), allowance)
            .unwrap()
    };
    let ample = Allowance::new(10 * unlimited.attempts_simulated);
    assert_eq!(run(&ample), Some(unlimited));
    // Every attempt comes, and is served or abandoned: no run has fewer events than attempts.
    assert_eq!(run(&Allowance::new(unlimited.attempts_simulated / 2)), None);
    let pilot = cycles.pilot(1, &Allowance::new(1_000)).unwrap();
    assert_eq!(pilot, Pilot::Nothing);
}

#[test]
fn what_cannot_lock_up_or_does_so_at_once_is_told() {
    let prospect = |change: fn(&mut ScenarioSpec)| {
        let mut spec = spec(Backoff::None);
        change(&mut spec);
        Prospect::of(&spec.validate().unwrap())
    };
    assert!(matches!(
        prospect(|spec| spec.client.timeout = None),
        Prospect::Never(_)
    ));
    assert!(matches!(
        prospect(|spec| spec.client.attempts = 1),
        Prospect::Never(_)
    ));
    // What only successes refill is empty when nothing succeeds.
    let pool = prospect(|spec| {
        spec.client.budget = Budget::Pool {
            size: 10.0,
            rate: 1.0.into(),
            shared: false,
        };
    });
    assert!(matches!(pool, Prospect::Never(_)));
    // 0.98 new requests, one attempt in a hundred fails by an error, and so do one in a hundred of the retries: 0.9899.
    assert!(matches!(
        prospect(|spec| spec.traffic.rate = 0.98.into()),
        Prospect::Sometime(_)
    ));
    assert!(matches!(
        prospect(|spec| spec.traffic.rate = 0.995.into()),
        Prospect::AtOnce(_)
    ));
    assert!(matches!(
        prospect(|spec| spec.server.discipline = Discipline::Lifo),
        Prospect::Undefined(_)
    ));
    assert!(matches!(
        prospect(|spec| spec.server.deadline_check = DeadlineCheck::SkipExpired),
        Prospect::Undefined(_)
    ));
    assert_eq!(
        prospect(|spec| spec.server.places = Some(30)),
        Prospect::Sometime(Goal::InSystem(30))
    );
    // With places for a backlog that does not come back, the limit does not matter.
    assert_eq!(
        prospect(|spec| spec.server.places = Some(10_000)),
        prospect(|_| {})
    );
    assert!(matches!(
        prospect(|spec| spec.server.places = Some(5)),
        Prospect::Never(_)
    ));
}

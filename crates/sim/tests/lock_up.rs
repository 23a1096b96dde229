//! Runs until the service locks up, and the same mean from split cycles.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{Backoff, Budget, Change, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::{
    Cycles, Followed, LockUpCycles, LockUpWatch, NotRegenerative, Options, Simulation, Split,
    run_until_lock_up,
};

const WATCH: LockUpWatch = LockUpWatch {
    backlog: 80,
    crowd: 5,
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
    let mean = times.iter().sum::<f64>() / f64::from(runs);
    let square = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / f64::from(runs - 1);
    (mean, (square / f64::from(runs)).sqrt())
}

/// The mean and its standard error from batches of split cycles.
fn split_mean(scenario: &Scenario, split: Split, batches: u32) -> (f64, f64) {
    let cycles = LockUpCycles::new(scenario, WATCH, split).unwrap();
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
            let split = Split {
                spacing,
                branches,
                top,
            };
            let (mean, error) = split_mean(&scenario, split, 60);
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
    let split = Split {
        spacing: 2,
        branches: 3,
        top: 6,
    };
    let cycles = LockUpCycles::new(&scenario, WATCH, split).unwrap();
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
    let split = Split {
        spacing: 1,
        branches: 2,
        top: 5,
    };
    let refused = |change: fn(&mut ScenarioSpec)| {
        let mut spec = spec(Backoff::None);
        change(&mut spec);
        LockUpCycles::new(&spec.validate().unwrap(), WATCH, split).unwrap_err()
    };
    let budget = refused(|spec| {
        spec.client.budget = Budget::Ratio {
            ratio: 0.1,
            bank: 10.0,
            shared: false,
        };
    });
    assert_eq!(budget, NotRegenerative);
    assert_eq!(
        refused(|spec| spec.server.skip_cost = Some(0.1.into())),
        NotRegenerative
    );
    assert_eq!(
        refused(|spec| spec.schedule.push(Change::stall(10.0, 5.0))),
        NotRegenerative
    );
}

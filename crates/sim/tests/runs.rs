//! Whole runs: threads, long clocks, starts in the middle, a queue with a known answer.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod everything;

use std::sync::atomic::{AtomicU64, Ordering};

use everything::everything;
use retrylab_model::{Budget, Change, DeadlineCheck, Discipline, Scenario, ScenarioSpec, Timeout, Traffic};
use retrylab_sim::{Counts, Measure, Options, Simulation, replicate, replicate_with_progress};

/// The scenario with windows and tail times.
fn observed() -> ScenarioSpec {
    let mut spec = everything();
    spec.run.window = Some(128.0.into());
    spec.run.tail_times = vec![1.0.into(), 10.0.into()];
    spec
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let scenario = observed().validate().unwrap();
    let options = Options {
        windows: true,
        histogram: true,
        ..Options::default()
    };
    let records = [1, 2, 16].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let most = AtomicU64::new(0);
        let records = pool.install(|| {
            replicate_with_progress(&scenario, 5, 10..74, &options, &|done| {
                most.fetch_max(done, Ordering::Relaxed);
            })
        });
        assert_eq!(most.into_inner(), 64);
        records.unwrap()
    });
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0], records[2]);
    let numbers: Vec<u64> = records[0].iter().map(|record| record.replication).collect();
    assert_eq!(numbers, (10..74).collect::<Vec<_>>());
    assert!(
        records[0].windows(2).all(|pair| pair[0].counts != pair[1].counts),
        "replications repeat"
    );
}

/// What is recorded beside the counts changes nothing: the windows' edges are no events.
#[test]
fn options_do_not_change_the_counts() {
    let scenario = observed().validate().unwrap();
    let counts = |windows, histogram| {
        let options = Options {
            windows,
            histogram,
            ..Options::default()
        };
        let records = replicate(&scenario, 5, 0..10, &options).unwrap();
        records
            .into_iter()
            .map(|record| record.counts)
            .collect::<Vec<Counts>>()
    };
    let plain = counts(false, false);
    assert_eq!(plain, counts(true, false));
    assert_eq!(plain, counts(true, true));
}

#[test]
fn a_run_that_starts_late_measures_the_same() {
    let run = |start: f64| {
        let mut spec = observed();
        spec.schedule[0].at = (start + 500.0).into();
        spec.run.until = None;
        let scenario = spec.validate().unwrap();
        let mut simulation = Simulation::starting_at(&scenario, 3, 0, start).unwrap();
        simulation.run_to(start + 250.0);
        let first = simulation.take_counts();
        simulation.run_to(start + 2000.0);
        (
            first,
            simulation.take_counts(),
            simulation.last_success().unwrap() - start,
        )
    };
    let (first, second, last_success) = run(0.0);
    let (late_first, late_second, late_last_success) = run(1e12);
    assert_eq!((first, second), (late_first, late_second));
    // Near 10^12, floating-point numbers are 2^-13 apart.
    assert!((last_success - late_last_success).abs() <= 2.0_f64.powi(-13));
}

#[test]
fn a_start_in_the_middle_of_a_stall_meets_the_rest_of_it() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
    spec.schedule = vec![Change::stall(1.0, 2.0), Change::stall(10.0, 100.0)];
    let scenario = spec.validate().unwrap();
    let mut simulation = Simulation::starting_at(&scenario, 1, 0, 60.0).unwrap();
    simulation.run_to(110.0);
    let counts = simulation.take_counts();
    assert!(
        counts.attempts > 0 && counts.services_started == 0 && counts.busy_time == 0,
        "{counts:?}"
    );
    simulation.run_to(120.0);
    assert!(simulation.take_counts().completions > 0);
}

#[test]
fn going_back_in_time_does_nothing() {
    let scenario = observed().validate().unwrap();
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_to(100.0);
    let before = simulation.now();
    for time in [50.0, -1e300, f64::NAN, 100.0] {
        simulation.run_to(time);
        assert_eq!(simulation.now().to_bits(), before.to_bits());
    }
}

#[test]
fn reseeding_changes_the_future_only() {
    let scenario = observed().validate().unwrap();
    let run = |seed| {
        let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
        simulation.run_to(1000.0);
        let past = simulation.take_counts();
        simulation.reseed(seed, 0);
        simulation.run_to(2000.0);
        (past, simulation.take_counts())
    };
    let (one, two) = (run(8), run(9));
    assert_eq!(one.0, two.0);
    assert_ne!(one.1, two.1);
    assert_eq!(one, run(8));
}

/// Policies compared under one seed see the same requests.
#[test]
fn traffic_does_not_depend_on_the_policy() {
    let requests = |change: fn(&mut ScenarioSpec)| {
        let mut spec = observed();
        change(&mut spec);
        let scenario = spec.validate().unwrap();
        replicate(
            &scenario,
            1,
            0..5,
            &Options {
                windows: true,
                ..Options::default()
            },
        )
        .unwrap()
        .iter()
        .flat_map(|record| record.windows.iter().map(|window| window.counts.requests))
        .collect::<Vec<u64>>()
    };
    let all = requests(|_| {});
    assert_eq!(all, requests(|spec| spec.client.attempts = 1));
    assert_eq!(all, requests(|spec| spec.client.budget = Budget::None));
    assert_eq!(all, requests(|spec| spec.server.places = Some(3)));
}

/// A ratio of sums over independent runs and its standard error, by linearisation.
fn ratio_with_error(runs: &[Counts], measure: Measure) -> (f64, f64) {
    let pairs: Vec<(f64, f64)> = runs.iter().map(|counts| counts.measure(measure)).collect();
    let denominator: f64 = pairs.iter().map(|pair| pair.1).sum();
    let ratio = pairs.iter().map(|pair| pair.0).sum::<f64>() / denominator;
    let squares: f64 = pairs.iter().map(|pair| (pair.0 - ratio * pair.1).powi(2)).sum();
    (ratio, squares.sqrt() / denominator)
}

/// Where everything is exponential, drawing anew what is pending at any moment changes no law. Two servers whose clients give
/// up, 2000 runs without and 2000 that are interrupted every half a unit of time: the two differ by less than five standard
/// errors, 0.9 % (attempts per request) to 6 % (number in system).
#[test]
fn redrawing_changes_no_law() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(2.2));
    spec.service.servers = 2;
    spec.server.discipline = Discipline::Random;
    spec.server.deadline_check = DeadlineCheck::SkipExpired;
    spec.client.timeout = Some(Timeout::Exponential { mean: 3.0.into() });
    spec.client.attempts = 2;
    let scenario = spec.validate().unwrap();
    let runs = |redraw: bool| -> Vec<Counts> {
        let run = |replication| {
            let mut simulation = Simulation::new(&scenario, u64::from(redraw), replication).unwrap();
            for step in 1..=100 {
                simulation.run_to(f64::from(step) / 2.0);
                if redraw {
                    simulation.redraw();
                }
            }
            simulation.take_counts()
        };
        (0..2000).map(run).collect()
    };
    let (plain, redrawn) = (runs(false), runs(true));
    for measure in [
        Measure::Success,
        Measure::AttemptsPerRequest,
        Measure::AbandonedWork,
        Measure::Utilization,
        Measure::SkippedShare,
        Measure::SojournTimeMean,
        Measure::NumberInSystem,
        Measure::Throughput,
    ] {
        let (expected, error) = ratio_with_error(&plain, measure);
        let (value, other_error) = ratio_with_error(&redrawn, measure);
        let deviation = (value - expected) / error.hypot(other_error);
        assert!(
            deviation.abs() < 5.0,
            "{measure:?}: {value} redrawn, {expected} plain, {deviation} standard errors apart"
        );
    }
}

fn ratio_of_sums(scenario: &Scenario, measure: Measure) -> f64 {
    let records = replicate(scenario, 11, 0..40, &Options::default()).unwrap();
    let (numerator, denominator) = records
        .iter()
        .map(|record| record.measure(measure))
        .fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    numerator / denominator
}

/// M/M/1 at load ρ = 1/2 with services of mean 1: utilisation ρ, mean number in system ρ/(1−ρ) = 1, mean sojourn time
/// 1/(1−ρ) = 2, mean waiting time 1, P(wait) = ρ, P(sojourn > 2) = exp(−2 (1−ρ)) = 1/e, second moment of the sojourn time
/// 2/(1−ρ)² = 8.
///
/// 40 runs of 9·10^4 give 1.8·10^6 attempts; the relative standard error of each is below 0.3 %, and the margin is 1.5 %. A
/// planted service that is 3 % too long must fall outside of every margin but that of the second moment's name.
#[test]
fn an_mm1_queue_behaves_as_such() {
    let scenario = |service: f64| {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
        spec.service.time = retrylab_model::ServiceTime::Exponential { mean: service.into() };
        spec.run.until = Some(100_000.0.into());
        spec.run.tail_times = vec![2.0.into()];
        spec.validate().unwrap()
    };
    let expected = [
        (Measure::Utilization, 0.5),
        (Measure::NumberInSystem, 1.0),
        (Measure::NumberInQueue, 0.5),
        (Measure::SojournTimeMean, 2.0),
        (Measure::WaitingTimeMean, 1.0),
        (Measure::WaitingProbability, 0.5),
        (Measure::SojournTimeTail(0), (-1.0_f64).exp()),
        (Measure::SojournTimeSecondMoment, 8.0),
    ];
    for (measure, value) in expected {
        let measured = ratio_of_sums(&scenario(1.0), measure);
        assert!(
            (measured / value - 1.0).abs() < 0.015,
            "{measure:?}: {measured}, not {value}"
        );
        let planted = ratio_of_sums(&scenario(1.03), measure);
        assert!(
            (planted / value - 1.0).abs() > 0.015,
            "{measure:?}: {planted} passes for {value}"
        );
    }
}

/// A stuck run of ten million attempts in the queue is an ordinary run: what is counted still adds up.
#[test]
fn a_stuck_run_grows_by_its_load() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.8));
    spec.client.timeout = Some(50.0.into());
    spec.client.attempts = 3;
    spec.schedule = vec![Change::stall(0.0, 200.0)];
    let scenario = spec.validate().unwrap();
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    assert!(!simulation.run_while(1e9, |state| state.in_queue() < 10_000_000));
    let counts: Counts = simulation.take_counts();
    assert_eq!(counts.attempts, counts.completions + counts.in_system_at_end);
    // Three attempts per request, all of them too late: growth at 3 · 0.8 − 1 = 1.4 per unit of time. The standard error
    // after 7·10^6 units is below 0.1 %.
    let (growth, duration) = counts.measure(Measure::GrowthRate);
    assert!(
        (growth / duration / 1.4 - 1.0).abs() < 0.003,
        "grows at {}",
        growth / duration
    );
    let (attempts, requests) = counts.measure(Measure::AttemptsPerRequest);
    assert!(attempts / requests > 2.99);
}

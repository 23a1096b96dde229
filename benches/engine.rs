//! Time per attempt of the event-driven engine, beside the least that any simulator must do: a bare Lindley recursion over
//! the same samplers and streams in the same run. Every case checks its result before it is timed.
//!
//! `cargo bench --bench engine` measures and prints each case's ratio to the recursion; `-- --test` runs every case once.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use retrylab_model::{Backoff, Budget, DeadlineCheck, Discipline, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::random::{ExponentialTicks, Purpose, ServiceSampler, Stream};
use retrylab_sim::{Clock, Measure, Options, RunRecord, simulate_one};

const SEED: u64 = 1;
const LOAD: f64 = 0.8;
/// Length of a run in mean service times: long enough that its start does not matter, short enough for many samples.
const LENGTH: f64 = 100_000.0;

/// A scenario to time, and what its record must show.
struct Case {
    name: &'static str,
    scenario: Scenario,
    measure: Measure,
    expected: std::ops::RangeInclusive<f64>,
}

fn case(
    name: &'static str,
    measure: Measure,
    expected: std::ops::RangeInclusive<f64>,
    change: impl FnOnce(&mut ScenarioSpec),
) -> Case {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(LOAD));
    spec.run.until = Some(LENGTH.into());
    change(&mut spec);
    let scenario = spec.validate().expect("the bench's scenarios are valid");
    Case {
        name,
        scenario,
        measure,
        expected,
    }
}

/// Three attempts, a timeout of 50, one error in a hundred answers.
fn three_attempts(spec: &mut ScenarioSpec) {
    spec.service.error_probability = 0.01;
    spec.client.timeout = Some(50.0.into());
    spec.client.attempts = 3;
}

fn stuck(spec: &mut ScenarioSpec) {
    three_attempts(spec);
    spec.schedule = vec![retrylab_model::Change::stall(100.0, 2000.0)];
}

fn cases() -> Vec<Case> {
    vec![
        // Sojourn times of M/M/1 at load 0.8 have mean 5; a run's mean has a standard error of about 0.2.
        case("M/M/1", Measure::SojournTimeMean, 4.0..=6.0, |_| {}),
        case("k = 3, healthy", Measure::Success, 0.98..=1.01, three_attempts),
        case("k = 3, stuck", Measure::AttemptsPerRequest, 2.9..=3.1, stuck),
        case("ratio budget", Measure::Success, 0.9..=1.1, |spec| {
            stuck(spec);
            spec.client.budget = Budget::Ratio {
                ratio: 0.1,
                bank: 100.0,
                shared: false,
            };
        }),
        case("refund budget", Measure::Success, 0.9..=1.1, |spec| {
            stuck(spec);
            spec.client.budget = Budget::Refund {
                capacity: 500.0,
                cost: 5.0,
                timeout_cost: 10.0,
                refund: 1.0,
                shared: false,
            };
        }),
        case(
            "backoff with jitter, stuck",
            Measure::AttemptsPerRequest,
            2.9..=3.1,
            |spec| {
                stuck(spec);
                spec.client.backoff = Backoff::FullJitter {
                    base: 10.0.into(),
                    cap: Some(1000.0.into()),
                };
            },
        ),
        case("LIFO", Measure::Success, 0.95..=1.01, |spec| {
            stuck(spec);
            spec.server.discipline = Discipline::Lifo;
        }),
        case("bounded", Measure::Success, 0.95..=1.01, |spec| {
            stuck(spec);
            spec.server.places = Some(10);
        }),
        case("skip-expired", Measure::Success, 0.9..=1.01, |spec| {
            stuck(spec);
            spec.server.deadline_check = DeadlineCheck::SkipExpired;
        }),
        case("480 servers", Measure::Utilization, 0.79..=0.83, |spec| {
            three_attempts(spec);
            spec.service.servers = 480;
            spec.traffic.rate = (480.0 * LOAD).into();
            spec.run.until = Some(1000.0.into());
        }),
    ]
}

/// Numerator over denominator.
fn ratio((numerator, denominator): (f64, f64)) -> f64 {
    numerator / denominator
}

fn run(case: &Case) -> RunRecord {
    simulate_one(&case.scenario, SEED, 0, &Options::default())
        .expect("the bench's scenarios can be simulated")
}

/// Sum of the sojourn times, in ticks, of customers of M/M/1 by Lindley's recursion.
fn lindley(scenario: &Scenario, customers: u64) -> i64 {
    let clock = Clock::for_scenario(scenario).expect("the bench's scenarios can be simulated");
    let interarrival_time = ExponentialTicks::new(1.0 / scenario.traffic.rate.value(), &clock);
    let service_time = ServiceSampler::new(&scenario.service.time, &clock);
    let mut arrivals = Stream::new(SEED, 0, Purpose::Arrivals);
    let mut service = Stream::new(SEED, 0, Purpose::Service);
    let mut waiting_time = 0_i64;
    let mut sum = 0;
    for _ in 0..customers {
        let sojourn_time = waiting_time + service_time.sample(&mut service);
        sum += sojourn_time;
        waiting_time = (sojourn_time - interarrival_time.sample(&mut arrivals)).max(0);
    }
    sum
}

/// Least time per attempt seen of each case, in the order of the cases.
type Times = RefCell<Vec<(&'static str, f64)>>;

/// Times `iteration` and notes the least time per attempt.
fn bench(criterion: &mut Criterion, times: &Times, name: &'static str, attempts: u64, iteration: impl Fn()) {
    let least = RefCell::new(Duration::MAX);
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(attempts));
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let mut total = Duration::ZERO;
            for _ in 0..iterations {
                let start = Instant::now();
                iteration();
                let elapsed = start.elapsed();
                total += elapsed;
                let mut least = least.borrow_mut();
                *least = elapsed.min(*least);
            }
            total
        });
    });
    group.finish();
    // A filter on the command line leaves cases out.
    let least = least.into_inner();
    if least < Duration::MAX {
        let nanoseconds = least.as_secs_f64() * 1e9 / attempts as f64;
        times.borrow_mut().push((name, nanoseconds));
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let times = Times::default();

    let cases = cases();
    let customers = (LENGTH * LOAD) as u64;
    let floor = &cases[0].scenario;
    let clock = Clock::for_scenario(floor).expect("the bench's scenarios can be simulated");
    let mean = clock.time(lindley(floor, customers).into()) / customers as f64;
    assert!(
        (4.0..=6.0).contains(&mean),
        "Lindley's recursion gives a mean sojourn time of {mean}, not 5"
    );
    bench(&mut criterion, &times, "Lindley recursion", customers, || {
        black_box(lindley(black_box(floor), customers));
    });

    for case in &cases {
        let record = run(case);
        let value = ratio(record.measure(case.measure));
        assert!(
            case.expected.contains(&value),
            "{}: {:?} is {value}",
            case.name,
            case.measure
        );
        bench(
            &mut criterion,
            &times,
            case.name,
            record.attempts_simulated,
            || {
                black_box(run(black_box(case)));
            },
        );
    }
    criterion.final_summary();

    let times = times.into_inner();
    let Some(&(_, floor)) = times.iter().find(|(name, _)| *name == "Lindley recursion") else {
        return;
    };
    println!(
        "\n{:<28} {:>14} {:>22}",
        "least time", "ns per attempt", "ratio to the recursion"
    );
    for (name, nanoseconds) in &times {
        println!("{name:<28} {nanoseconds:>14.1} {:>22.2}", nanoseconds / floor);
    }
}

//! What the benches share: the scenarios with what their records must show, the floor, and the least time seen.

// Each bench uses a part.
#![allow(dead_code)]

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use retrylab_model::{Backoff, Budget, Change, DeadlineCheck, Discipline, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::random::{ExponentialTicks, Purpose, Stream};
use retrylab_sim::{Clock, Engine, Measure, Options, RunRecord, simulate_one};

pub(crate) const SEED: u64 = 1;
pub(crate) const LOAD: f64 = 0.8;
/// Length of a run in mean service times: long enough that its start does not matter, short enough for many samples.
const LENGTH: f64 = 25_000.0;
/// A stall from which three attempts with a timeout of 50 do not come back.
const STALL: f64 = 500.0;

/// A scenario to time, and what its record must show.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) scenario: Scenario,
    measure: Measure,
    expected: RangeInclusive<f64>,
}

impl Case {
    fn new(
        name: &'static str,
        measure: Measure,
        expected: RangeInclusive<f64>,
        change: impl FnOnce(&mut ScenarioSpec),
    ) -> Self {
        Self {
            name,
            scenario: scenario(change),
            measure,
            expected,
        }
    }

    /// One run by an engine; none where the engine does not simulate the scenario. Never in line, so that a profiler finds it.
    #[inline(never)]
    pub(crate) fn run(&self, engine: Engine) -> Option<RunRecord> {
        let options = Options {
            engine,
            ..Options::default()
        };
        simulate_one(&self.scenario, SEED, 0, &options).ok()
    }

    /// Asserts that a record shows what it must.
    pub(crate) fn check(&self, record: &RunRecord) {
        let (numerator, denominator) = record.measure(self.measure);
        let value = numerator / denominator;
        assert!(
            self.expected.contains(&value),
            "{}: {:?} is {value}",
            self.name,
            self.measure
        );
    }
}

/// A scenario at the load of the benches.
pub(crate) fn scenario(change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(LOAD));
    spec.run.until = Some(LENGTH.into());
    change(&mut spec);
    spec.validate().expect("the benches' scenarios are valid")
}

/// Three attempts, a timeout of 50, one error in a hundred answers.
pub(crate) fn three_attempts(spec: &mut ScenarioSpec) {
    spec.service.error_probability = 0.01;
    spec.client.timeout = Some(50.0.into());
    spec.client.attempts = 3;
}

/// The same after a stall.
pub(crate) fn stuck(spec: &mut ScenarioSpec) {
    three_attempts(spec);
    spec.schedule = vec![Change::stall(100.0, STALL)];
}

/// So many servers at the same load each.
pub(crate) fn servers(spec: &mut ScenarioSpec, number: u32) {
    three_attempts(spec);
    spec.service.servers = number;
    spec.traffic.rate = (f64::from(number) * LOAD).into();
    spec.run.until = Some((LENGTH * 5.0 / f64::from(number.max(5))).into());
}

pub(crate) fn cases() -> Vec<Case> {
    let ratio = Budget::Ratio {
        ratio: 0.1,
        bank: 100.0,
        shared: false,
    };
    let refund = Budget::Refund {
        capacity: 500.0,
        cost: 5.0,
        timeout_cost: 10.0,
        refund: 1.0,
        shared: false,
    };
    let full_jitter = Backoff::FullJitter {
        base: 10.0.into(),
        cap: Some(1000.0.into()),
    };
    vec![
        // Sojourn times of M/M/1 at load 0.8 have mean 5; a run's mean has a standard error of about 0.4.
        Case::new("M/M/1", Measure::SojournTimeMean, 3.0..=7.0, |_| {}),
        Case::new("k = 3, healthy", Measure::Success, 0.98..=1.01, three_attempts),
        Case::new("k = 3, stuck", Measure::AttemptsPerRequest, 2.9..=3.1, stuck),
        Case::new("ratio budget", Measure::Success, 0.9..=1.1, |spec| {
            stuck(spec);
            spec.client.budget = ratio;
        }),
        Case::new("refund budget", Measure::Success, 0.9..=1.1, |spec| {
            stuck(spec);
            spec.client.budget = refund;
        }),
        Case::new(
            "backoff with jitter, stuck",
            Measure::AttemptsPerRequest,
            2.9..=3.1,
            |spec| {
                stuck(spec);
                spec.client.backoff = full_jitter;
            },
        ),
        Case::new("LIFO", Measure::Success, 0.95..=1.01, |spec| {
            stuck(spec);
            spec.server.discipline = Discipline::Lifo;
        }),
        Case::new("bounded", Measure::Success, 0.95..=1.01, |spec| {
            stuck(spec);
            spec.server.places = Some(10);
        }),
        Case::new("skip-expired", Measure::Success, 0.9..=1.01, |spec| {
            stuck(spec);
            spec.server.deadline_check = DeadlineCheck::SkipExpired;
        }),
        Case::new("480 servers", Measure::Utilization, 0.77..=0.84, |spec| {
            servers(spec, 480);
        }),
    ]
}

/// Sum of the sojourn times, in ticks, of customers of M/M/1 by Lindley's recursion, with the simulator's samplers.
#[inline(never)]
pub(crate) fn lindley(customers: u64) -> i64 {
    let clock = clock();
    let interarrival_time = ExponentialTicks::new(1.0 / LOAD, &clock);
    let service_time = ExponentialTicks::new(1.0, &clock);
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

/// The clock of M/M/1 at the load of the benches.
pub(crate) fn clock() -> Clock {
    Clock::for_scenario(&scenario(|_| {})).expect("the benches' scenarios can be simulated")
}

/// Customers of the floor in one iteration.
pub(crate) const CUSTOMERS: u64 = (LENGTH * LOAD) as u64;

/// The floor, checked.
pub(crate) fn floor() -> i64 {
    let sum = lindley(CUSTOMERS);
    let mean = clock().time(sum.into()) / CUSTOMERS as f64;
    assert!(
        (3.0..=7.0).contains(&mean),
        "Lindley's recursion gives a mean sojourn time of {mean}, not 5"
    );
    sum
}

/// Whether something is asked for on the command line, where nothing is left out without a filter.
pub(crate) fn is_wanted(name: &str) -> bool {
    std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'))
        .is_none_or(|filter| name.contains(&filter))
}

/// The least time seen of a thing.
struct Least {
    name: String,
    elements: u64,
    /// Nanoseconds per element.
    time: f64,
}

/// Times things by criterion and remembers the least time per element of each.
pub(crate) struct Stopwatch {
    criterion: Criterion,
    least: Vec<Least>,
}

impl Stopwatch {
    pub(crate) fn new() -> Self {
        let criterion = Criterion::default()
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_secs(1))
            .configure_from_args();
        Self {
            criterion,
            least: Vec::new(),
        }
    }

    /// Times an iteration over so many elements.
    pub(crate) fn time(&mut self, group: &str, name: &str, elements: u64, iteration: impl Fn()) {
        let least = RefCell::new(Duration::MAX);
        let mut group = self.criterion.benchmark_group(group);
        group.throughput(Throughput::Elements(elements));
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
        // A filter on the command line leaves things out.
        let least = least.into_inner();
        if least < Duration::MAX {
            self.least.push(Least {
                name: name.to_owned(),
                elements,
                time: least.as_secs_f64() * 1e9 / elements as f64,
            });
        }
    }

    /// Prints the least times and their ratios to the first.
    pub(crate) fn finish(self, element: &str) {
        let Self { criterion, least } = self;
        criterion.final_summary();
        let Some(first) = least.first() else {
            return;
        };
        println!(
            "\n{:<40} {:>12} {:>12} {:>8}",
            "least time",
            "number",
            format!("per {element}"),
            "ratio"
        );
        for thing in &least {
            let time = readable(thing.time);
            let ratio = thing.time / first.time;
            println!(
                "{:<40} {:>12} {time:>12} {ratio:>8.2}",
                thing.name, thing.elements
            );
        }
    }
}

/// A time in a unit that suits it.
fn readable(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let (length, unit) = units
        .into_iter()
        .find(|(length, _)| nanoseconds >= *length)
        .unwrap_or((1.0, "ns"));
    format!("{:.2} {unit}", nanoseconds / length)
}

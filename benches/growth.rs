//! How the cost of an attempt grows with the backlog, with the number of servers and with threads, and what memory a queued
//! attempt takes.
//!
//! `cargo bench --bench growth` measures and prints four tables, each with ratios to its first row; `-- --test` goes
//! through all of it with small numbers.

mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use retrylab_model::{Change, Discipline, Scenario};
use retrylab_sim::{Engine, Options, Simulation, replicate, simulate_one};

/// Times that each thing is timed; the least counts.
const ROUNDS: u32 = 7;

/// Least time of a thing, in nanoseconds per element; the thing says how long it took and over how many elements.
fn least(mut thing: impl FnMut() -> (Duration, u64)) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let (time, elements) = thing();
            time.as_secs_f64() * 1e9 / elements as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// Prints a table of costs with ratios to the first.
fn print(title: &str, unit: &str, rows: &[(String, f64)]) {
    println!("\n{title:<40} {unit:>16} {:>8}", "ratio");
    for (name, value) in rows {
        println!("{name:<40} {value:>16.2} {:>8.2}", value / rows[0].1);
    }
}

/// The scenario of the stuck cases, behind a stall in which so many attempts gather.
fn behind_a_stall(backlog: u64, discipline: Discipline) -> (Scenario, f64) {
    let length = backlog as f64 / (3.0 * support::LOAD);
    let scenario = support::scenario(|spec| {
        support::three_attempts(spec);
        spec.service.error_probability = 0.0;
        spec.server.discipline = discipline;
        spec.schedule = vec![Change::stall(0.0, length)];
        spec.run.until = Some((length + 1e6).into());
    });
    (scenario, length)
}

/// Cost of an attempt while so many wait.
fn with_backlog(backlog: u64, discipline: Discipline) -> f64 {
    let (scenario, length) = behind_a_stall(backlog, discipline);
    let mut simulation = Simulation::new(&scenario, support::SEED, 0).expect("the scenario can be simulated");
    simulation.run_to(length);
    assert!(simulation.in_queue().abs_diff(backlog) < backlog / 5 + 300);
    simulation.take_counts();
    let mut now = length;
    least(|| {
        now += 10_000.0;
        let start = Instant::now();
        simulation.run_to(now);
        (start.elapsed(), simulation.take_counts().attempts)
    })
}

/// Cost of an attempt with so many servers.
fn with_servers(number: u32, engine: Engine) -> f64 {
    let scenario = support::scenario(|spec| support::servers(spec, number));
    let options = Options {
        engine,
        ..Options::default()
    };
    least(|| {
        let start = Instant::now();
        let record =
            simulate_one(&scenario, support::SEED, 0, &options).expect("the scenario can be simulated");
        (start.elapsed(), record.attempts_simulated)
    })
}

/// Cost of an attempt in 64 replications by so many threads.
fn with_threads(threads: usize) -> f64 {
    let scenario = support::scenario(support::three_attempts);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads can be started");
    let replications = || replicate(&scenario, support::SEED, 0..64, &Options::default());
    least(|| {
        let start = Instant::now();
        let records = pool.install(replications).expect("the scenario can be simulated");
        (
            start.elapsed(),
            records.iter().map(|record| record.attempts_simulated).sum(),
        )
    })
}

/// Peak of the resident size in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Growth of the peak while something runs, in bytes.
fn growth(thing: impl FnOnce()) -> Option<f64> {
    let before = peak()?;
    thing();
    Some((peak()? - before) as f64)
}

/// Bytes per queued attempt at the peak.
fn memory(backlog: u64, engine: Engine) -> Option<f64> {
    let (scenario, length) = behind_a_stall(backlog, Discipline::Fifo);
    let bytes = growth(|| match engine {
        Engine::Recursion => {
            let scenario = scenario.modified(|spec| spec.run.until = Some(length.into()));
            let options = Options {
                engine,
                ..Options::default()
            };
            let record = simulate_one(&scenario.expect("it stays valid"), support::SEED, 0, &options);
            black_box(record.expect("the scenario can be simulated"));
        }
        _ => {
            let mut simulation =
                Simulation::new(&scenario, support::SEED, 0).expect("the scenario can be simulated");
            simulation.run_to(length);
            assert!(simulation.in_queue().abs_diff(backlog) < backlog / 5 + 300);
        }
    })?;
    Some(bytes / backlog as f64)
}

/// So many of a thing.
fn plural(count: impl Copy + PartialEq + From<u8> + std::fmt::Display, thing: &str) -> String {
    let ending = if count == 1.into() { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

fn main() {
    let is_smoke = std::env::args().any(|argument| argument == "--test");
    let up_to = |powers: u32| if is_smoke { 4 } else { powers };

    // First, while the peak is low; the smaller backlog before the larger.
    let mut rows = Vec::new();
    for (name, engine) in [("recursion", Engine::Recursion), ("general", Engine::General)] {
        for backlog in [10_u64.pow(up_to(6)), 10_u64.pow(up_to(8))] {
            if let Some(bytes) = memory(backlog, engine) {
                rows.push((format!("{name}, {backlog} waiting"), bytes));
            }
        }
    }
    println!("\n{:<40} {:>16}", "memory at the peak", "bytes each");
    for (name, bytes) in rows {
        println!("{name:<40} {bytes:>16.2}");
    }

    for (name, discipline) in [
        ("first in, first out", Discipline::Fifo),
        ("last in, first out", Discipline::Lifo),
    ] {
        let backlogs = (2..=up_to(7)).map(|power| 10_u64.pow(power));
        let rows: Vec<_> = backlogs
            .map(|backlog| (format!("{backlog} waiting"), with_backlog(backlog, discipline)))
            .collect();
        print(&format!("general engine, {name}"), "ns per attempt", &rows);
    }

    for (name, engine) in [
        ("recursion", Engine::Recursion),
        ("general engine", Engine::General),
    ] {
        let numbers = (0..=up_to(4)).map(|power| 10_u32.pow(power));
        let rows: Vec<_> = numbers
            .map(|number| (plural(number, "server"), with_servers(number, engine)))
            .collect();
        print(name, "ns per attempt", &rows);
    }

    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let rows: Vec<_> = [1, 2, 4, 8, 16, 32, 64]
        .into_iter()
        .filter(|&threads| threads <= all)
        .map(|threads| (plural(threads, "thread"), with_threads(threads)))
        .collect();
    print("64 replications", "ns per attempt", &rows);
}

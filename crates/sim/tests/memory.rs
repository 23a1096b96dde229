//! Memory per queued attempt, measured as the growth of the resident size of this process.
#![cfg(target_os = "linux")]
// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{Change, Discipline, Scenario, ScenarioSpec, Traffic};
use retrylab_sim::Simulation;

const QUEUED: u64 = 10_000_000;

/// Peak of the resident size in bytes since it was last reset.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024
}

/// Runs until ten million attempts wait; returns bytes per queued attempt at the peak, over what the process had at its
/// peak before. The cases run from the smallest on, each in a process that has freed what the one before it used.
fn bytes_per_queued_attempt(scenario: &Scenario, before: u64) -> f64 {
    let mut simulation = Simulation::new(scenario, 1, 0).unwrap();
    assert!(!simulation.run_while(1e8, |state| state.in_queue() < QUEUED));
    (peak() - before) as f64 / QUEUED as f64
}

/// Servers that stall for longer than the run lasts.
fn stuck(change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.8));
    spec.client.timeout = Some(50.0.into());
    spec.client.attempts = 3;
    spec.schedule = vec![Change::stall(0.0, 1e8)];
    change(&mut spec);
    spec.validate().unwrap()
}

/// An entry of the waiting line is 16 bytes; an attempt whose client still waits has 14 more. The rest is what chunks and
/// the allocator add.
#[test]
fn a_queued_attempt_needs_little() {
    let before = peak();
    let first_in_first_out = bytes_per_queued_attempt(&stuck(|_| {}), before);
    assert!(
        (16.0..17.0).contains(&first_in_first_out),
        "{first_in_first_out} bytes, first in first out"
    );

    let patient = bytes_per_queued_attempt(&stuck(|spec| spec.client.timeout = None), before);
    assert!(
        (16.0..17.0).contains(&patient),
        "{patient} bytes when clients wait for ever"
    );

    let last_in_first_out = stuck(|spec| spec.server.discipline = Discipline::Lifo);
    let last_in_first_out = bytes_per_queued_attempt(&last_in_first_out, before);
    assert!(
        (16.0..17.0).contains(&last_in_first_out),
        "{last_in_first_out} bytes, last in first out"
    );

    let random = stuck(|spec| spec.server.discipline = Discipline::Random);
    let random = bytes_per_queued_attempt(&random, before);
    assert!((16.0..17.0).contains(&random), "{random} bytes in random order");

    // Every client still waits.
    let long_timeout =
        bytes_per_queued_attempt(&stuck(|spec| spec.client.timeout = Some(1e9.into())), before);
    assert!(
        (30.0..32.0).contains(&long_timeout),
        "{long_timeout} bytes with a long timeout"
    );
}

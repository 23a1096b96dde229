//! The scenarios that come with the program: each belongs to a document, says what it shows, and runs.

use retrylab::model::builtin;
use retrylab::sim::{Measure, Options, simulate_one};
use retrylab::verify::Document;

/// Attempts of one replication: a starting point for trying things out has to answer in seconds.
const ATTEMPTS_MAX: u64 = 20_000_000;

#[test]
fn every_scenario_comes_from_a_document_and_explains_itself() {
    for builtin in builtin::ALL {
        let scenario = builtin.scenario().unwrap();
        assert!(
            Document::ALL
                .iter()
                .any(|document| document.name() == scenario.source),
            "{}: the source is {:?}, which is no document",
            builtin.name,
            scenario.source
        );
        // Beyond the first line, which is the summary, something on what to look for or to vary.
        let comments = builtin
            .text
            .lines()
            .filter(|line| line.trim_start().starts_with('#'))
            .count();
        assert!(comments >= 3, "{} explains nothing", builtin.name);
    }
}

#[test]
fn every_scenario_runs_and_something_is_served() {
    for builtin in builtin::ALL {
        let scenario = builtin.scenario().unwrap();
        let run = simulate_one(&scenario, 1, 0, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", builtin.name));
        assert!(
            (100..=ATTEMPTS_MAX).contains(&run.attempts_simulated),
            "{}: {} attempts",
            builtin.name,
            run.attempts_simulated
        );
        let (busy, capacity) = run.measure(Measure::Utilization);
        assert!(
            busy > 0.0 && busy <= capacity * (1.0 + 1e-9),
            "{}: {busy} of {capacity}",
            builtin.name
        );
    }
}

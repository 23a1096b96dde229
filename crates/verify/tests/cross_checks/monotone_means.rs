//! Monotonicities of means, from pairs of runs with the same random numbers.
//!
//! Pairs are drawn until the mean difference has been shown to be above or below 0, at an error rate that is valid however
//! often one looks. Below 0 is a failure. Every scenario is one in which the difference is not 0, so that each is decided; the
//! opposite claim would fail for each of them.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use rayon::prelude::*;
use retrylab_model::{Budget, Scenario};
use retrylab_sim::{Counts, Simulation};
use retrylab_verify::statistics::{Batches, ErrorRate, Moments, Spending, mean_interval};

use crate::draw::hundredths;
use crate::error_budget::{Effort, StatisticalTest};
use crate::runner::check_plainly;
use crate::whole_language::{Drawn, anything};

/// Length of a run.
const LENGTH: f64 = 200.0;
/// Pairs before the first look.
const FIRST_BATCH: u32 = 64;
/// Growth of the sample from look to look.
const GROWTH: f64 = 2.0;
/// Looks after which the difference is too small for the test's design.
const LOOKS_MAX: u32 = 12;

/// Fails unless the mean of `quantity` is shown to be larger in the second scenario than in the first.
fn rises(
    [first, second]: [&Scenario; 2],
    seed: u64,
    rate: ErrorRate,
    quantity: impl Fn(&Counts) -> u64 + Sync,
) -> TestCaseResult {
    let run = |scenario: &Scenario, replication: u64| {
        let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
        simulation.run_to(LENGTH);
        quantity(&simulation.take_counts()) as f64
    };
    let (batches, spending) = (Batches::new(FIRST_BATCH, GROWTH).unwrap(), Spending::new(rate));
    let mut differences = Moments::default();
    for look in 1..=LOOKS_MAX {
        let pairs: Vec<f64> = (differences.count()..batches.total_after(look))
            .into_par_iter()
            .map(|replication| run(second, replication) - run(first, replication))
            .collect();
        differences.extend(pairs);
        // All pairs alike show nothing yet.
        let Ok(interval) = mean_interval(&differences, spending.at_look(look)) else {
            continue;
        };
        prop_assert!(
            interval.high() >= 0.0,
            "falls by {} on average",
            -differences.mean()
        );
        if interval.low() > 0.0 {
            return Ok(());
        }
    }
    Err(TestCaseError::fail(format!(
        "no difference shown by {} pairs: {} on average",
        differences.count(),
        differences.mean()
    )))
}

/// Scenarios without a budget in which attempts fail and are repeated often enough for a difference to be seen. A budget makes
/// both claims false: more attempts mean fewer successes, hence fewer refunds, hence fewer retries.
fn unbudgeted() -> impl Strategy<Value = Drawn> {
    anything().prop_map(|drawn| {
        drawn.with(|spec| {
            spec.client.budget = Budget::None;
            spec.client.attempts = spec.client.attempts.min(3);
            spec.client.retry_probability = spec.client.retry_probability.max(0.5);
            spec.service.error_probability = spec.service.error_probability.clamp(0.3, 0.8);
        })
    })
}

/// Another attempt at each request means more attempts: it is used at times, and the load that it adds makes nobody fail less.
fn more_attempts(effort: Effort) {
    let scenarios = effort.scenarios(12);
    let rate = StatisticalTest::MoreAttempts.error_rate(scenarios);
    check_plainly(
        "more attempts",
        scenarios,
        &unbudgeted(),
        |Drawn { scenario, seed }| {
            let more = scenario.modified(|spec| spec.client.attempts += 1).unwrap();
            rises([&scenario, &more], seed, rate, |counts| counts.attempts)
        },
    );
}

/// More errors mean fewer successes, with retries too.
fn more_errors(effort: Effort) {
    let scenarios = effort.scenarios(12);
    let rate = StatisticalTest::MoreErrors.error_rate(scenarios);
    let strategy = (unbudgeted(), hundredths(5..=20));
    check_plainly(
        "more errors",
        scenarios,
        &strategy,
        |(Drawn { scenario, seed }, more)| {
            let worse = scenario
                .modified(|spec| spec.service.error_probability += more)
                .unwrap();
            rises([&worse, &scenario], seed, rate, |counts| counts.successes)
        },
    );
}

#[test]
fn more_attempts_per_request_are_sent_when_more_are_allowed() {
    more_attempts(Effort::Quick);
}

#[test]
#[ignore = "thorough: see the documentation of this target"]
fn more_attempts_per_request_are_sent_when_more_are_allowed_thoroughly() {
    more_attempts(Effort::Thorough);
}

#[test]
fn more_errors_mean_fewer_successes() {
    more_errors(Effort::Quick);
}

#[test]
#[ignore = "thorough: see the documentation of this target"]
fn more_errors_mean_fewer_successes_thoroughly() {
    more_errors(Effort::Thorough);
}

//! Monotonicities of means, from pairs of runs with the same random numbers.
//!
//! Pairs are drawn until the mean difference has been shown to be above or below 0, at an error rate that is valid however
//! often one looks. Below 0 is a failure. A difference that is too small to be shown either way contradicts nothing, but the
//! scenarios are chosen so that nearly all differences are shown, and most must be: for these the opposite claim would fail.

use std::cell::Cell;

use proptest::prelude::*;
use rayon::prelude::*;
use retrylab_model::{Budget, Scenario};
use retrylab_sim::{Counts, Simulation};
use retrylab_verify::statistics::{Batches, ErrorRate, Moments, Spending, mean_interval};

use crate::draw::hundredths;
use crate::error_budget::{Effort, StatisticalTest};
use crate::runner::check_plainly;
use crate::simplify::Simplify;
use crate::whole_language::{Drawn, anything};

/// Length of a run.
const LENGTH: f64 = 200.0;
/// Scenarios of each test in the quick run.
const QUICK_SCENARIOS: u32 = 20;
/// Pairs before the first look.
const FIRST_BATCH: u32 = 64;
/// Growth of the sample from look to look.
const GROWTH: f64 = 2.0;
/// Looks after which a difference is left undecided.
const LOOKS_MAX: u32 = 9;

/// Whether the mean of `quantity` is shown to be larger in the second scenario than in the first; fails where it is shown to
/// be smaller.
fn rises(
    [first, second]: [&Scenario; 2],
    seed: u64,
    rate: ErrorRate,
    quantity: impl Fn(&Counts) -> u64 + Sync,
) -> Result<bool, TestCaseError> {
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
        let fall = -differences.mean();
        prop_assert!(interval.high() >= 0.0, "falls by {fall} on average");
        if interval.low() > 0.0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Draws scenarios and checks that none shows a fall and most show a rise.
fn check_rises<S: Strategy<Value: Clone + Simplify>>(
    test: StatisticalTest,
    effort: Effort,
    strategy: &S,
    rises: impl Fn(S::Value, ErrorRate) -> Result<bool, TestCaseError>,
) {
    let scenarios = effort.scenarios(QUICK_SCENARIOS);
    let rate = test.error_rate(scenarios);
    let shown = Cell::new(0);
    check_plainly(&format!("{test:?}"), scenarios, strategy, |case| {
        shown.set(shown.get() + u32::from(rises(case, rate)?));
        Ok(())
    });
    println!(
        "{test:?}: a rise shown in {} of {scenarios} scenarios, a fall in none",
        shown.get()
    );
    assert!(
        2 * shown.get() > scenarios,
        "shown in only {} scenarios",
        shown.get()
    );
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
    let test = StatisticalTest::MoreAttempts;
    check_rises(test, effort, &unbudgeted(), |Drawn { scenario, seed }, rate| {
        let more = scenario.modified(|spec| spec.client.attempts += 1).unwrap();
        rises([&scenario, &more], seed, rate, |counts| counts.attempts)
    });
}

/// More errors mean fewer successes, with retries too.
fn more_errors(effort: Effort) {
    let strategy = (unbudgeted(), hundredths(5..=20));
    let test = StatisticalTest::MoreErrors;
    check_rises(
        test,
        effort,
        &strategy,
        |(Drawn { scenario, seed }, more), rate| {
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
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn more_attempts_per_request_are_sent_when_more_are_allowed_thoroughly() {
    more_attempts(Effort::Thorough);
}

#[test]
fn more_errors_mean_fewer_successes() {
    more_errors(Effort::Quick);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn more_errors_mean_fewer_successes_thoroughly() {
    more_errors(Effort::Thorough);
}

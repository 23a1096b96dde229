//! Attempts of one request that tend to fail together.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{ScenarioSpec, Traffic};
use retrylab_sim::{Counts, Simulation};

/// Two retries at an error probability of 0.3 in a service that is hardly busy, until every request has been decided.
fn counts(correlation: f64) -> Counts {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.1));
    spec.service.error_probability = 0.3;
    spec.service.error_correlation = correlation;
    spec.client.attempts = 3;
    let mut simulation = Simulation::new(&spec.validate().unwrap(), 1, 0).unwrap();
    simulation.run_to(2e6);
    simulation.run_while(1e9, |state| state.open_requests() > 0);
    simulation.take_counts()
}

#[test]
fn one_outcome_is_that_of_the_first_attempt() {
    let counts = counts(1.0);
    assert!(counts.failed_requests > 1000);
    assert_eq!(counts.attempts, counts.successes + 3 * counts.failed_requests);
}

/// Requests are independent. At correlation 1/2 the probability of a loss is the mean of 0.3 and 0.3³, which is 0.1635; five
/// standard errors of 200,000 requests are 0.0042. The planted errors, correlations of 0.4 and 0.6, lie 30 of them away.
#[test]
fn in_between_requests_are_of_either_kind() {
    let excess = |correlation| {
        let counts = counts(correlation);
        let requests = counts.requests as f64;
        let standard_error = (0.1635 * (1.0 - 0.1635) / requests).sqrt();
        (counts.failed_requests as f64 / requests - 0.1635) / standard_error
    };
    let right = excess(0.5);
    assert!(right.abs() < 5.0, "{right} standard errors");
    for planted in [0.4, 0.6] {
        let wrong = excess(planted);
        assert!(wrong.abs() > 20.0, "{planted}: {wrong} standard errors");
    }
}

/// Every attempt fails with the same probability, whatever the correlation, so the first does.
#[test]
fn the_first_attempt_fails_as_often_as_ever() {
    for correlation in [0.0, 0.5, 1.0] {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.1));
        spec.service.error_probability = 0.3;
        spec.service.error_correlation = correlation;
        let mut simulation = Simulation::new(&spec.validate().unwrap(), 2, 0).unwrap();
        simulation.run_to(2e6);
        let counts = simulation.take_counts();
        let completions = counts.completions as f64;
        let errors = (counts.errors as f64 / completions - 0.3) / (0.3 * 0.7 / completions).sqrt();
        assert!(errors.abs() < 5.0, "{correlation}: {errors} standard errors");
    }
}

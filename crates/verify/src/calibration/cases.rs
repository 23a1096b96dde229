//! The cases of the coverage study: every interval method that verdicts rest on, where the answer is known exactly.

use retrylab_model::{ScenarioSpec, Traffic};
use retrylab_sim::Measure;
use retrylab_sim::calls::Calls;

use super::coverage::{Case, Design};
use crate::experiment::{Estimator, Experiment};
use crate::sampling::FIRST_BATCH;

/// One look at the replications that a number starts with.
const ONE_LOOK: Design = Design::Fixed(FIRST_BATCH);
/// Looks at a sample that grows from there, as in the sampling of a number.
const SEVEN_LOOKS: Design = Design::Sequential {
    first: FIRST_BATCH,
    looks: 7,
};

pub(super) fn all() -> Vec<Case> {
    let zero_to_one = Estimator::RangedMean { low: 0.0, high: 1.0 };
    vec![
        // Waiting times are correlated within a run; replications are what makes observations independent.
        Case {
            experiment: waiting_times(50_000.0),
            quantity: "mean waiting time of M/M/1 at load 0.9, runs of 50,000",
            truth: waiting_time_mean(),
            design: ONE_LOOK,
            errors: vec![0.05, 0.01, 0.001],
            samples: 2_000,
        },
        // Short runs: skewed, so that the first looks say nothing.
        Case {
            experiment: waiting_times(5_000.0),
            quantity: "mean waiting time of M/M/1 at load 0.9, runs of 5,000",
            truth: waiting_time_mean(),
            design: SEVEN_LOOKS,
            errors: vec![0.05, 0.01],
            samples: 1_000,
        },
        Case {
            experiment: attempts(0.5, 2, 200, Estimator::Ratio),
            quantity: "attempts per request, p = 0.5, r = 2",
            truth: 1.75,
            design: ONE_LOOK,
            errors: vec![0.05, 0.01, 0.001, 0.0001],
            samples: 50_000,
        },
        Case {
            experiment: attempts(0.5, 2, 200, Estimator::Ratio),
            quantity: "attempts per request, p = 0.5, r = 2",
            truth: 1.75,
            design: SEVEN_LOOKS,
            errors: vec![0.05, 0.01],
            samples: 5_000,
        },
        // One request a replication: from 1 to 11 attempts.
        Case {
            experiment: attempts(0.9, 10, 1, Estimator::Mean),
            quantity: "attempts of one request, p = 0.9, r = 10",
            truth: (1.0 - 0.9_f64.powi(11)) / (1.0 - 0.9),
            design: ONE_LOOK,
            errors: vec![0.05, 0.01, 0.001],
            samples: 20_000,
        },
        // Skewed as an exponential distribution is (γ = 2): the look at 24 says little, and that must not be wrong.
        exponential_like(ONE_LOOK, 40_000),
        exponential_like(SEVEN_LOOKS, 20_000),
        // Most replications show no loss at all.
        Case {
            experiment: losses(0.1, 1, 10, zero_to_one),
            quantity: "share of ten requests lost, p = 0.1, r = 1",
            truth: 0.01,
            design: SEVEN_LOOKS,
            errors: vec![0.05, 0.01, 0.001],
            samples: 20_000,
        },
        Case {
            experiment: losses(0.1, 1, 20, Estimator::Proportion),
            quantity: "share of requests lost, p = 0.1, r = 1",
            truth: 0.01,
            design: ONE_LOOK,
            errors: vec![0.05, 0.01, 0.001],
            samples: 20_000,
        },
        Case {
            experiment: losses(0.5, 0, 100, Estimator::Proportion),
            quantity: "share of requests lost, p = 0.5, r = 0",
            truth: 0.5,
            design: ONE_LOOK,
            errors: vec![0.05, 0.01, 0.001],
            samples: 20_000,
        },
        Case {
            experiment: losses(0.1, 1, 20, Estimator::Proportion),
            quantity: "share of requests lost, p = 0.1, r = 1",
            truth: 0.01,
            design: SEVEN_LOOKS,
            errors: vec![0.05, 0.01],
            samples: 10_000,
        },
    ]
}

/// Attempts of one request that hardly ever succeeds: as skewed as an exponential distribution.
fn exponential_like(design: Design, samples: u64) -> Case {
    Case {
        experiment: attempts(0.98, 400, 1, Estimator::Mean),
        quantity: "attempts of one request, p = 0.98, r = 400",
        truth: (1.0 - 0.98_f64.powi(401)) / (1.0 - 0.98),
        design,
        errors: vec![0.05, 0.01, 0.001],
        samples,
    }
}

/// The mean waiting time of M/M/1 at load ρ and service rate 1 is ρ/(1 − ρ).
const WAITING_LOAD: f64 = 0.9;

fn waiting_time_mean() -> f64 {
    WAITING_LOAD / (1.0 - WAITING_LOAD)
}

/// A window after a warm-up of 5,000: thirteen relaxation times 1/(1 − √0.9)² = 380.
fn waiting_times(window: f64) -> Experiment {
    let warm_up = 5_000.0;
    let mut spec = ScenarioSpec::new(Traffic::with_rate(WAITING_LOAD));
    spec.run.until = Some((warm_up + window).into());
    spec.run.measure_from = Some(warm_up.into());
    let scenario = spec.validate().expect("the scenario is valid");
    Experiment::measure(scenario, Measure::WaitingTimeMean)
}

fn calls(failure_probability: f64, retries: u32, requests: u32) -> Calls {
    Calls::new(failure_probability, retries)
        .and_then(|calls| calls.with_requests(requests))
        .expect("the calls are valid")
}

fn attempts(failure_probability: f64, retries: u32, requests: u32, estimator: Estimator) -> Experiment {
    let calls = calls(failure_probability, retries, requests);
    Experiment::calls(calls, "attempts per request", estimator, |record| {
        (record.attempts() as f64, record.requests() as f64)
    })
}

fn losses(failure_probability: f64, retries: u32, requests: u32, estimator: Estimator) -> Experiment {
    let calls = calls(failure_probability, retries, requests);
    Experiment::calls(calls, "share of requests lost", estimator, |record| {
        (
            (record.requests() - record.successes()) as f64,
            record.requests() as f64,
        )
    })
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::estimator::Sample;
    use crate::statistics::ErrorRate;

    #[test]
    fn answers_and_settings_are_what_the_words_say() {
        let cases = all();
        let of = |quantity: &str| -> Vec<&Case> {
            let found: Vec<&Case> = cases.iter().filter(|case| case.quantity == quantity).collect();
            assert!(!found.is_empty(), "{quantity}");
            found
        };
        // Attempt i + 1 is made when i have failed.
        let attempts = |p: f64, retries: i32| (0..=retries).map(|i| p.powi(i)).sum::<f64>();
        for (quantity, truth) in [
            ("attempts per request, p = 0.5, r = 2", attempts(0.5, 2)),
            ("attempts of one request, p = 0.9, r = 10", attempts(0.9, 10)),
            ("attempts of one request, p = 0.98, r = 400", attempts(0.98, 400)),
        ] {
            for case in of(quantity) {
                assert_relative_eq!(case.truth, truth, max_relative = 1e-12);
            }
        }
        for (window, until) in [("5,000", "until = 10000.0\n"), ("50,000", "until = 55000.0\n")] {
            for case in of(&format!(
                "mean waiting time of M/M/1 at load 0.9, runs of {window}"
            )) {
                assert_relative_eq!(case.truth, 9.0, max_relative = 1e-12);
                let scenario = &case.experiment.subject;
                assert!(
                    scenario.contains(until) && scenario.contains("measure_from = 5000.0\n"),
                    "{scenario}"
                );
            }
        }
    }

    #[test]
    fn large_samples_come_to_the_known_answers() {
        for case in all() {
            if case.quantity.starts_with("mean waiting time") {
                continue;
            }
            let mut sample = Sample::new(case.experiment.estimator).unwrap();
            for observed in case.experiment.observe(1, 0..5_000).unwrap() {
                sample.push(&observed).unwrap();
            }
            let estimate = sample.estimate(ErrorRate::new(1e-6).unwrap()).unwrap();
            assert!(
                estimate.interval.contains(case.truth)
                    && (estimate.value - case.truth).abs() < 0.3 * case.truth,
                "{}: {estimate:?} of {}",
                case.quantity,
                case.truth
            );
        }
    }
}

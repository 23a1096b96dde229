//! Every fault that can be planted does what it says, and nothing where there is nothing to spoil.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod everything;

use everything::everything;
use retrylab_model::{
    Backoff, Breaker, Budget, Change, DeadlineCheck, Discipline, Scenario, ScenarioSpec, ServiceTime,
    Timeout, Traffic,
};
use retrylab_sim::{Counts, Fault, Options, simulate_one};

/// A change by hand.
type ByHand = fn(&mut ScenarioSpec);

fn counts(scenario: &Scenario, fault: Option<Fault>) -> Counts {
    let options = Options {
        fault,
        ..Options::default()
    };
    simulate_one(scenario, 1, 0, &options).unwrap().counts
}

/// A scenario in which all that a fault of the scenario can spoil is in use.
fn spoilable() -> ScenarioSpec {
    let mut spec = everything();
    spec.server.places = Some(12);
    spec.service.error_correlation = 0.5;
    spec.client.breaker = Some(Breaker::new(20.0, 5.0));
    spec.client.budget = Budget::Refund {
        capacity: 40.0,
        cost: 1.0,
        timeout_cost: 4.0,
        refund: 0.5,
        shared: false,
    };
    spec.run.measure_from = Some(0.0.into());
    spec
}

/// The fault runs another scenario: exactly that of a change by hand.
#[test]
fn faults_of_the_scenario_are_such_a_scenario() {
    let changes: [(Fault, ByHand); 11] = [
        (Fault::ServiceMeanOff, |spec| {
            spec.service.time = ServiceTime::Exponential { mean: 1.01.into() };
        }),
        (Fault::ErrorProbabilityOff, |spec| {
            spec.service.error_probability = 0.05 * 1.1;
        }),
        (Fault::TimeoutLate, |spec| {
            spec.client.timeout = Some((8.0 * 1.01).into());
        }),
        (Fault::AttemptTooMany, |spec| spec.client.attempts = 5),
        (Fault::RetrySometimesLost, |spec| {
            spec.client.retry_probability = 0.99;
        }),
        (Fault::JitterBoundDoubled, |spec| {
            spec.client.backoff = Backoff::FullJitter {
                base: 2.0.into(),
                cap: Some(20.0.into()),
            };
        }),
        (Fault::StallTooShort, |spec| {
            spec.schedule[0].stall = Some((50.0 * 0.99).into());
        }),
        (Fault::PlaceTooMany, |spec| spec.server.places = Some(13)),
        (Fault::TimeoutsChargedAsErrors, |spec| {
            spec.client.budget = Budget::Refund {
                capacity: 40.0,
                cost: 1.0,
                timeout_cost: 1.0,
                refund: 0.5,
                shared: false,
            };
        }),
        (Fault::CorrelationForgotten, |spec| {
            spec.service.error_correlation = 0.0;
        }),
        (Fault::BreakerWaitsForOneMore, |spec| {
            spec.client.breaker = Some(Breaker {
                minimum: 11,
                ..Breaker::new(20.0, 5.0)
            });
        }),
    ];
    let scenario = spoilable().validate().unwrap();
    let right = counts(&scenario, None);
    for (fault, change) in changes {
        let wrong = counts(&scenario, Some(fault));
        assert_ne!(wrong, right, "{fault:?}");
        assert_eq!(
            wrong,
            counts(&scenario.modified(change).unwrap(), None),
            "{fault:?}"
        );
    }
}

#[test]
fn service_of_every_kind_takes_a_hundredth_longer() {
    let mean = 1.0.into();
    for time in [
        ServiceTime::Exponential { mean },
        ServiceTime::Deterministic { value: mean },
        ServiceTime::Erlang { stages: 3, mean },
        ServiceTime::Hyperexponential { mean, scv: 2.0 },
        ServiceTime::Uniform {
            low: 0.5.into(),
            high: 1.5.into(),
        },
        ServiceTime::Lognormal { mean, scv: 2.0 },
    ] {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.3));
        spec.service.time = time.clone();
        spec.run.until = Some(500.0.into());
        spec.run.measure_from = Some(0.0.into());
        let scenario = spec.validate().unwrap();
        let busy = |fault| {
            let counts = counts(&scenario, fault);
            counts.service_time as f64 / counts.completions as f64
        };
        // The same draws, but for a completion at the end of the run.
        let ratio = busy(Some(Fault::ServiceMeanOff)) / busy(None);
        assert!((ratio - 1.01).abs() < 1e-3, "{time:?}: {ratio}");
    }
}

#[test]
fn a_random_timeout_is_late_too() {
    let mut spec = spoilable();
    spec.client.timeout = Some(Timeout::Exponential { mean: 8.0.into() });
    let scenario = spec.validate().unwrap();
    let late = scenario
        .modified(|spec| {
            spec.client.timeout = Some(Timeout::Exponential {
                mean: (8.0 * 1.01).into(),
            });
        })
        .unwrap();
    assert_eq!(counts(&scenario, Some(Fault::TimeoutLate)), counts(&late, None));
}

/// 500 or so wait when a stall ends at 1000; 250 of them are served in the next 250 units of time. The tail time tells
/// whether one of them was among the first or the last to come.
fn after_a_stall(discipline: Discipline) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
    spec.service.time = ServiceTime::Deterministic { value: 1.0.into() };
    spec.server.discipline = discipline;
    spec.schedule = vec![Change::stall(0.0, 1000.0)];
    spec.run.measure_from = Some(0.0.into());
    spec.run.until = Some(1250.5.into());
    spec.run.tail_times = vec![450.0.into(), 900.0.into()];
    spec.validate().unwrap()
}

#[test]
fn one_service_in_a_hundred_takes_the_wrong_end_of_the_line() {
    let lifo = after_a_stall(Discipline::Lifo);
    assert_eq!(counts(&lifo, None).waiting_time_above[1], 0);
    let wrong = counts(&lifo, Some(Fault::LifoSometimesFifo));
    assert_eq!((wrong.services_started, wrong.waiting_time_above[1]), (251, 2));

    let fifo = after_a_stall(Discipline::Fifo);
    let right = counts(&fifo, None);
    assert_eq!(right.services_started, right.waiting_time_above[0]);
    let wrong = counts(&fifo, Some(Fault::FifoSometimesLifo));
    assert_eq!((wrong.services_started, wrong.waiting_time_above[0]), (251, 249));
}

#[test]
fn a_budget_without_a_cap_never_denies_what_was_earned() {
    // Idle for long, then a stall in which everybody times out.
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
    spec.client.timeout = Some(20.0.into());
    spec.client.attempts = 2;
    spec.schedule = vec![Change::stall(1000.0, 200.0)];
    spec.run.measure_from = Some(0.0.into());
    spec.run.until = Some(1200.0.into());
    for budget in [
        Budget::Ratio {
            ratio: 1.0,
            bank: 5.0,
            shared: false,
        },
        Budget::Refund {
            capacity: 5.0,
            cost: 1.0,
            timeout_cost: 1.0,
            refund: 1.0,
            shared: false,
        },
    ] {
        spec.client.budget = budget;
        let scenario = spec.clone().validate().unwrap();
        assert!(counts(&scenario, None).budget_denied > 10, "{budget:?}");
        let wrong = counts(&scenario, Some(Fault::BudgetForgetsItsCap));
        assert_eq!(wrong.budget_denied, 0, "{budget:?}");
    }
}

#[test]
fn a_late_deadline_check_serves_what_has_just_expired() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(1.5));
    spec.client.timeout = Some(20.0.into());
    spec.server.deadline_check = DeadlineCheck::SkipExpired;
    spec.run.until = Some(2000.0.into());
    spec.run.tail_times = vec![20.0.into(), 20.2.into()];
    let scenario = spec.clone().validate().unwrap();
    assert_eq!(counts(&scenario, None).waiting_time_above, [0, 0]);
    let wrong = counts(&scenario, Some(Fault::DeadlineCheckLate));
    assert!(wrong.waiting_time_above[0] > 100, "{wrong:?}");
    assert_eq!(wrong.waiting_time_above[1], 0);

    // With random patience it lets pass what expired up to a hundredth of the mean ago: a fifth more than the twentieth or so
    // of the services whose clients give up meanwhile, some 10,000 in this run.
    spec.client.timeout = Some(Timeout::Exponential { mean: 20.0.into() });
    spec.run.until = Some(200_000.0.into());
    let scenario = spec.validate().unwrap();
    let late = |fault| counts(&scenario, fault).late_completions as f64;
    let ratio = late(Some(Fault::DeadlineCheckLate)) / late(None);
    assert!((1.1..1.3).contains(&ratio), "{ratio} times as many are late");
}

#[test]
fn a_fault_of_what_is_not_there_changes_nothing() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.8));
    spec.server.discipline = Discipline::Random;
    spec.run.until = Some(2000.0.into());
    let scenario = spec.validate().unwrap();
    let right = counts(&scenario, None);
    for fault in Fault::ALL {
        let changes = fault == Fault::ServiceMeanOff;
        assert_eq!(counts(&scenario, Some(fault)) != right, changes, "{fault:?}");
    }
}

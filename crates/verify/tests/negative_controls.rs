//! Negative controls: faults planted in the simulator, and the claims that notice them.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

use retrylab_sim::Fault;
use retrylab_verify::{Claim, Level, PartOutcome, Plan, Silent, Verdict, claims, run};

/// For each fault a number that notices it, and how its verdict changes.
const NOTICED_BY: [(Fault, &str, &str, Verdict); 11] = [
    (
        Fault::ServiceMeanOff,
        "T01",
        "mean latency as measured, load 0.8",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::ErrorProbabilityOff,
        "L10",
        "attempts per second",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::TimeoutLate,
        "T23",
        "success without retries, load 0.95, timeout 10",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::AttemptTooMany,
        "T04",
        "attempts per request, load 0.6, timeout 50",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::RetrySometimesLost,
        "T04",
        "attempts per request, load 0.6, timeout 50",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::PlaceTooMany,
        "T23",
        "success without retries, load 0.9, timeout 10",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::DeadlineCheckLate,
        "T24",
        "success with three attempts, load 0.95, timeout 50",
        Verdict::NotReproduced,
    ),
    (
        Fault::CorrelationForgotten,
        "L14",
        "attempts per request at correlation 1 in a service with a queue",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::LifoSometimesFifo,
        "T22",
        "success, load 0.95",
        Verdict::DoesNotAgree,
    ),
    (
        Fault::BudgetForgetsItsCap,
        "T18",
        "success above the midpoint, load 0.6, long stall",
        Verdict::NotReproduced,
    ),
    (
        Fault::BudgetForgetsItsCap,
        "T15",
        "share of runs stuck, load 0.9, timeout 50",
        Verdict::NotReproduced,
    ),
];

/// Faults to which no number of the documents is sensitive enough. What notices these is the comparison of the engine
/// with an independent one, event by event: `cargo test -p retrylab-sim --test equals_the_shadow`.
const NOTICED_BY_NO_CLAIM: [Fault; 5] = [
    Fault::JitterBoundDoubled,
    Fault::StallTooShort,
    Fault::FifoSometimesLifo,
    Fault::TimeoutsChargedAsErrors,
    Fault::BreakerWaitsForOneMore,
];

/// A claim reduced to one number.
fn only(id: &str, label: &str) -> Claim {
    let mut claim = claims::all().into_iter().find(|claim| claim.id == id).unwrap();
    claim.parts.retain(|part| part.label == label);
    assert_eq!(claim.parts.len(), 1, "{id}, {label}");
    claim
}

fn judged(id: &str, label: &str, fault: Option<Fault>, level: Level) -> PartOutcome {
    let plan = Plan {
        fault,
        level,
        ..Plan::default()
    };
    let outcome = run(&[only(id, label)], &plan, &Silent).unwrap();
    outcome.claims[0].parts[0].clone()
}

#[test]
fn claims_notice_a_simulator_that_is_wrong_by_one_percent() {
    for (fault, id, label, expected) in NOTICED_BY {
        let right = judged(id, label, None, Level::Standard);
        assert_eq!(right.verdict, right.recorded_verdict, "{id}, {label}");
        let wrong = judged(id, label, Some(fault), Level::Standard);
        assert_eq!(
            wrong.verdict, expected,
            "{fault:?}: {id}, {label}: {:?}",
            wrong.measured
        );
        assert_ne!(wrong.verdict, wrong.recorded_verdict, "{fault:?}: {id}, {label}");
    }
}

#[test]
fn every_fault_is_accounted_for() {
    for fault in Fault::ALL {
        let claims = NOTICED_BY.iter().any(|&(noticed, ..)| noticed == fault);
        assert_ne!(claims, NOTICED_BY_NO_CLAIM.contains(&fault), "{fault:?}");
    }
}

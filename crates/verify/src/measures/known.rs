//! What is known of a measure before anything is simulated.

use retrylab_model::{Budget, DeadlineCheck, Scenario};
use retrylab_sim::{Measure, TierMeasure};

use super::Dimension;

/// The values that a measure can have in a scenario, where they are bounded.
///
/// The range serves where all replications give the same value, whose spread then says nothing about the error. Success per
/// new request exceeds 1 only in a window that follows a backlog, and such windows differ from run to run; in the long
/// run no more requests succeed than there are.
pub(super) fn range(measure: Measure, scenario: &Scenario) -> Option<(f64, f64)> {
    let nothing_if = |never: bool| Some((0.0, if never { 0.0 } else { 1.0 }));
    let attempts = attempts_max(scenario);
    let single = attempts == Some(1);
    match measure {
        Measure::AttemptsPerRequest => {
            // A breaker may keep even the first attempt.
            let least = f64::from(u8::from(scenario.client.breaker.is_none()));
            attempts.map(|most| (least, f64::from(most)))
        }
        Measure::AbandonedWork | Measure::LateShare => nothing_if(scenario.client.timeout.is_none()),
        Measure::Blocking => nothing_if(scenario.server.places.is_none()),
        Measure::SkippedShare => nothing_if(
            scenario.server.deadline_check == DeadlineCheck::None || scenario.client.timeout.is_none(),
        ),
        Measure::RetryShare => nothing_if(single),
        Measure::BudgetDenied | Measure::DeniedShare if single || !has_budget(scenario) => Some((0.0, 0.0)),
        // A failure that brings several attempts may be denied several.
        Measure::BudgetDenied => attempts.map(|_| (0.0, 1.0)),
        Measure::Tier(_, TierMeasure::Success | TierMeasure::Utilization) => Some((0.0, 1.0)),
        Measure::Tier(tier, TierMeasure::AbandonedWork) => {
            nothing_if(scenario.tiers[tier].client.timeout.is_none())
        }
        Measure::Tier(_, TierMeasure::AttemptsPerRequest) => None,
        Measure::DeniedShare => Some((0.0, 1.0)),
        Measure::BreakerDenied | Measure::UnsentRequests if scenario.client.breaker.is_none() => {
            Some((0.0, 0.0))
        }
        Measure::UnsentRequests => Some((0.0, 1.0)),
        Measure::BreakerDenied => attempts.map(|_| (0.0, 1.0)),
        Measure::Success
        | Measure::Failure
        | Measure::Utilization
        | Measure::WaitingProbability
        | Measure::SojournTimeTail(_)
        | Measure::WaitingTimeTail(_) => Some((0.0, 1.0)),
        Measure::Goodput => Some((0.0, scenario.traffic.rate.value())),
        Measure::UsefulAnswers => attempts.map(|_| (0.0, scenario.traffic.rate.value())),
        Measure::AttemptRate
        | Measure::RetryRate
        | Measure::SojournTimeMean
        | Measure::SojournTimeSecondMoment
        | Measure::WaitingTimeMean
        | Measure::WaitingTimeSecondMoment
        | Measure::Throughput
        | Measure::NumberInSystem
        | Measure::NumberInQueue
        | Measure::GrowthRate => None,
    }
}

/// Most attempts of a request at any time of a run; none where failures spawn any number of retries.
fn attempts_max(scenario: &Scenario) -> Option<u32> {
    let scheduled = scenario.schedule.iter().filter_map(|change| change.attempts);
    let most = scheduled.fold(scenario.client.attempts, u32::max);
    scenario.client.retries_per_failure.is_none().then_some(most)
}

/// Whether a budget may deny a retry.
fn has_budget(scenario: &Scenario) -> bool {
    let scheduled = scenario.schedule.iter().filter_map(|change| change.budget);
    scheduled
        .chain([scenario.client.budget])
        .any(|budget| budget != Budget::None)
}

/// What a measure is a number of.
pub(super) fn dimension(measure: Measure) -> Dimension {
    match measure {
        Measure::SojournTimeMean | Measure::WaitingTimeMean => Dimension::Time,
        Measure::SojournTimeSecondMoment | Measure::WaitingTimeSecondMoment => Dimension::TimeSquared,
        Measure::AttemptRate
        | Measure::RetryRate
        | Measure::Goodput
        | Measure::UsefulAnswers
        | Measure::Throughput
        | Measure::GrowthRate => Dimension::Rate,
        Measure::Success
        | Measure::Failure
        | Measure::AttemptsPerRequest
        | Measure::AbandonedWork
        | Measure::LateShare
        | Measure::Blocking
        | Measure::SkippedShare
        | Measure::RetryShare
        | Measure::BudgetDenied
        | Measure::DeniedShare
        | Measure::BreakerDenied
        | Measure::UnsentRequests
        | Measure::Utilization
        | Measure::WaitingProbability
        | Measure::SojournTimeTail(_)
        | Measure::WaitingTimeTail(_)
        | Measure::Tier(..)
        | Measure::NumberInSystem
        | Measure::NumberInQueue => Dimension::Number,
    }
}

/// What a measure is a share or mean of: its denominator, for the sentence that there was none.
pub(super) fn denominator(measure: Measure) -> &'static str {
    match measure {
        Measure::Success
        | Measure::AttemptsPerRequest
        | Measure::Failure
        | Measure::BudgetDenied
        | Measure::BreakerDenied
        | Measure::UnsentRequests
        | Measure::Tier(_, TierMeasure::AttemptsPerRequest) => "no new request came",
        Measure::Tier(_, TierMeasure::Success) => "the tier was not called",
        Measure::Blocking | Measure::SkippedShare | Measure::RetryShare => "no attempt was sent",
        Measure::AbandonedWork
        | Measure::SojournTimeMean
        | Measure::SojournTimeSecondMoment
        | Measure::LateShare
        | Measure::SojournTimeTail(_)
        | Measure::Tier(_, TierMeasure::AbandonedWork) => "no service was completed",
        Measure::WaitingTimeMean
        | Measure::WaitingTimeSecondMoment
        | Measure::WaitingProbability
        | Measure::WaitingTimeTail(_) => "no service started",
        Measure::DeniedShare => "no retry was asked for",
        Measure::AttemptRate
        | Measure::RetryRate
        | Measure::Utilization
        | Measure::Tier(_, TierMeasure::Utilization)
        | Measure::Goodput
        | Measure::UsefulAnswers
        | Measure::Throughput
        | Measure::NumberInSystem
        | Measure::NumberInQueue
        | Measure::GrowthRate => "no time passed",
    }
}

/// Whether the measure cannot be negative or, for a share, cannot exceed 1.
pub(super) fn limits(measure: Measure) -> (f64, f64) {
    match measure {
        Measure::GrowthRate => (f64::NEG_INFINITY, f64::INFINITY),
        Measure::AbandonedWork
        | Measure::LateShare
        | Measure::Blocking
        | Measure::SkippedShare
        | Measure::RetryShare
        | Measure::DeniedShare
        | Measure::Utilization
        | Measure::WaitingProbability
        | Measure::SojournTimeTail(_)
        | Measure::WaitingTimeTail(_)
        | Measure::Tier(_, TierMeasure::Utilization | TierMeasure::AbandonedWork) => (0.0, 1.0),
        // Windows after a backlog hold events of requests that were new before it.
        Measure::Success
        | Measure::Failure
        | Measure::BudgetDenied
        | Measure::BreakerDenied
        | Measure::UnsentRequests
        | Measure::AttemptsPerRequest
        | Measure::Tier(_, TierMeasure::AttemptsPerRequest | TierMeasure::Success)
        | Measure::AttemptRate
        | Measure::RetryRate
        | Measure::SojournTimeMean
        | Measure::SojournTimeSecondMoment
        | Measure::WaitingTimeMean
        | Measure::WaitingTimeSecondMoment
        | Measure::Goodput
        | Measure::UsefulAnswers
        | Measure::Throughput
        | Measure::NumberInSystem
        | Measure::NumberInQueue => (0.0, f64::INFINITY),
    }
}

//! The settings that a schedule changes, looked up for any moment.

use retrylab_model::{Budget, Change, Discipline, Rate, Scenario};
use retrylab_sim::Clock;

#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) capacity: f64,
    pub(super) rate: f64,
    pub(super) error_probability: f64,
    pub(super) attempts: u32,
    pub(super) retry_probability: f64,
    pub(super) retries_per_failure: Option<f64>,
    pub(super) discipline: Discipline,
    pub(super) budget: Budget,
}

impl Settings {
    /// What holds at `now`: of each setting the last value whose time has come and has not passed.
    pub(super) fn at(scenario: &Scenario, clock: &Clock, now: i128) -> Self {
        let holds = |change: &&Change| {
            let at = change.at.value();
            let end = change
                .duration
                .map(|duration| clock.moment(at + duration.value()));
            clock.moment(at) <= now && end.is_none_or(|end| now < end)
        };
        let mut settings = Self {
            capacity: 1.0,
            rate: scenario.traffic.rate.value(),
            error_probability: scenario.service.error_probability,
            attempts: scenario.client.attempts,
            retry_probability: scenario.client.retry_probability,
            retries_per_failure: scenario.client.retries_per_failure,
            discipline: scenario.server.discipline,
            budget: scenario.client.budget,
        };
        for change in scenario.schedule.iter().filter(holds) {
            settings.capacity = change.capacity.unwrap_or(settings.capacity);
            settings.rate = change.rate.map_or(settings.rate, Rate::value);
            settings.error_probability = change.error_probability.unwrap_or(settings.error_probability);
            settings.attempts = change.attempts.unwrap_or(settings.attempts);
            settings.retry_probability = change.retry_probability.unwrap_or(settings.retry_probability);
            settings.retries_per_failure = change.retries_per_failure.or(settings.retries_per_failure);
            settings.discipline = change.discipline.unwrap_or(settings.discipline);
            settings.budget = change.budget.unwrap_or(settings.budget);
        }
        settings
    }
}

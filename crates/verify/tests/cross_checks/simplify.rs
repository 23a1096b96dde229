//! Taking whole features away from a scenario that fails.
//!
//! proptest shrinks the numbers that a scenario is made of, each once and in their order, and so leaves alone what was needed
//! only as long as something else was there. This is tried again on the scenario that is left.

use retrylab_model::{
    Backoff, Budget, DeadlineCheck, Discipline, Scenario, ScenarioSpec, ServiceTime, Timeout,
};

use crate::whole_language::Drawn;

/// A case of which simpler ones can be told.
pub(crate) trait Simplify: Sized {
    /// Cases that are simpler in one respect, those that take most away first.
    fn simpler(&self) -> Vec<Self>;
}

impl Simplify for Drawn {
    fn simpler(&self) -> Vec<Self> {
        let simpler = |change: &fn(&mut ScenarioSpec)| {
            let scenario = self.scenario.modified(change).ok()?;
            let seed = self.seed;
            (scenario != self.scenario).then_some(Self { scenario, seed })
        };
        let mut cases: Vec<Self> = FEATURES.iter().filter_map(simpler).collect();
        cases.extend(rounder(&self.scenario).map(|scenario| Self {
            scenario,
            seed: self.seed,
        }));
        cases
    }
}

impl<A: Clone> Simplify for (Drawn, A) {
    fn simpler(&self) -> Vec<Self> {
        let (drawn, rest) = self;
        let cases = drawn.simpler().into_iter();
        cases.map(|drawn| (drawn, rest.clone())).collect()
    }
}

impl<A: Clone, B: Clone> Simplify for (Drawn, A, B) {
    fn simpler(&self) -> Vec<Self> {
        let (drawn, first, second) = self;
        let cases = drawn.simpler().into_iter();
        cases
            .map(|drawn| (drawn, first.clone(), second.clone()))
            .collect()
    }
}

/// What can be taken away or made less.
const FEATURES: &[fn(&mut ScenarioSpec)] = &[
    |spec| spec.schedule.clear(),
    |spec| spec.client.budget = Budget::None,
    |spec| spec.client.backoff = Backoff::None,
    |spec| spec.client.attempts = 1,
    |spec| spec.client.retry_probability = 1.0,
    |spec| spec.client.timeout = None,
    |spec| spec.server.deadline_check = DeadlineCheck::None,
    |spec| spec.server.discipline = Discipline::Fifo,
    |spec| spec.server.places = None,
    |spec| spec.service.error_probability = 0.0,
    |spec| spec.service.servers = 1,
    |spec| spec.service.time = ServiceTime::Exponential { mean: 1.0.into() },
    |spec| spec.traffic.clients = 1,
    |spec| spec.schedule.truncate(1),
    |spec| spec.server.places = spec.server.places.map(|_| spec.service.servers),
    |spec| spec.client.attempts = spec.client.attempts.min(2),
    |spec| {
        if let Some(timeout) = spec.client.timeout {
            spec.client.timeout = Some(Timeout::from(timeout.mean()));
        }
    },
];

/// The scenario at a round rate of arrivals, if its own is not one.
fn rounder(scenario: &Scenario) -> Option<Scenario> {
    let rate = scenario.traffic.rate.value();
    let round = (2.0 * rate).ceil() / 2.0;
    let changed = scenario.modified(|spec| spec.traffic.rate = round.into()).ok()?;
    (round > rate).then_some(changed)
}

//! When a service starts anew.

use retrylab_model::{Budget, Scenario};

use super::allowance::{Allowance, PARCEL};
use crate::engine::Simulation;
use crate::error::SimulationError;
use crate::replication::{Options, begin};

/// No cycle takes as long, in mean service times.
const NEVER: f64 = 1e15;
/// Tokens are counted in units of 2⁻³²; a budget that lacks less than this is full.
const TOKENS_ROUNDING: f64 = 1e-9;

/// The scenario does not start anew whenever it is idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRegenerative {
    /// It changes with time.
    #[error("it has a schedule, and only a service that is always the same starts anew whenever it is idle")]
    Schedule,
    /// It has further tiers.
    #[error("it has further tiers, and only one tier by itself starts anew whenever it is idle")]
    Tiers,
    /// Clients remember failures.
    #[error("it has a breaker, which remembers failures when the service is idle")]
    Breaker,
    /// A server may be busy with attempts that have left the system.
    #[error(
        "rejecting or skipping costs time, so that a server may still be busy when no attempt is in the system"
    )]
    Costs,
    /// Its budget need not be full again.
    #[error(
        "its retry budget is not one that a quiet time fills up: client.budget.ratio with a ratio above 0 is"
    )]
    Budget,
}

/// The state from which a scenario starts anew, and how to tell that it is there again.
///
/// Where clients have no budget, the state is an empty system without open requests: with Poisson traffic the future does not
/// depend on the past then. With a budget that earns on every new request all of its tokens must be there as well.
#[derive(Debug, Clone)]
pub(super) struct Regeneration {
    /// A simulation in that state, where it is not the state at time 0.
    origin: Option<Simulation>,
    /// Tokens of a full budget; 0 without one.
    tokens: f64,
    never: f64,
}

impl Regeneration {
    /// Checks a scenario.
    pub(super) fn check(scenario: &Scenario) -> Result<(), NotRegenerative> {
        let (client, server) = (&scenario.client, &scenario.server);
        if !scenario.schedule.is_empty() {
            Err(NotRegenerative::Schedule)
        } else if !scenario.tiers.is_empty() {
            Err(NotRegenerative::Tiers)
        } else if client.breaker.is_some() {
            Err(NotRegenerative::Breaker)
        } else if server.rejection_cost.is_some() || server.skip_cost.is_some() {
            Err(NotRegenerative::Costs)
        } else {
            match client.budget {
                Budget::None => Ok(()),
                Budget::Ratio { ratio, .. } if ratio > 0.0 => Ok(()),
                _ => Err(NotRegenerative::Budget),
            }
        }
    }

    pub(super) fn new(scenario: &Scenario) -> Self {
        let clients = f64::from(scenario.traffic.clients);
        let tokens = match scenario.client.budget {
            Budget::Ratio {
                bank, shared: true, ..
            } => bank,
            Budget::Ratio {
                bank, shared: false, ..
            } => clients * bank,
            _ => 0.0,
        };
        Self {
            origin: None,
            tokens: (tokens - TOKENS_ROUNDING * clients).max(0.0),
            never: NEVER * scenario.service.time.mean(),
        }
    }

    /// Goes to the state, within an allowance; whether it got there. The state at time 0 is it without a budget, which
    /// begins without tokens.
    pub(super) fn seek(
        &mut self,
        scenario: &Scenario,
        seed: u64,
        allowance: &Allowance,
    ) -> Result<bool, SimulationError> {
        if self.tokens == 0.0 {
            return Ok(true);
        }
        let mut simulation = begin(scenario, seed, u64::MAX, None)?;
        let end = self.run(&mut simulation, u64::MAX, allowance);
        simulation.take_counts();
        self.origin = Some(simulation);
        Ok(end == End::Idle)
    }

    /// A cycle that has not begun yet.
    pub(super) fn start(
        &self,
        scenario: &Scenario,
        seed: u64,
        replication: u64,
        options: &Options,
    ) -> Result<Simulation, SimulationError> {
        match &self.origin {
            None => begin(scenario, seed, replication, options.fault),
            Some(origin) => {
                let mut simulation = origin.clone();
                simulation.reseed(seed, replication);
                simulation.redraw();
                Ok(simulation)
            }
        }
    }

    /// When cycles begin.
    pub(super) fn start_time(&self) -> f64 {
        self.origin.as_ref().map_or(0.0, Simulation::now)
    }

    /// Runs until so many attempts are in the system, or it has started anew.
    pub(super) fn run(&self, simulation: &mut Simulation, in_system: u64, allowance: &Allowance) -> End {
        self.run_with_peak(simulation, in_system, allowance).1
    }

    /// The same, with the most attempts in the system on the way.
    pub(super) fn run_with_peak(
        &self,
        simulation: &mut Simulation,
        in_system: u64,
        allowance: &Allowance,
    ) -> (u64, End) {
        let mut events = 0;
        let mut peak = 0;
        let mut is_allowed = true;
        // A cycle begins idle, so the first event must not be mistaken for its end: it is an arrival.
        let is_late = simulation.run_while(self.never, |state| {
            events += 1;
            if events == PARCEL {
                events = 0;
                is_allowed = allowance.take(PARCEL);
            }
            peak = peak.max(state.in_system());
            is_allowed && state.in_system() < in_system && !self.is_idle(state)
        });
        is_allowed &= allowance.take(events);
        let end = if is_late || !is_allowed {
            End::GivenUp
        } else if simulation.in_system() >= in_system {
            End::Reached
        } else {
            End::Idle
        };
        (peak, end)
    }

    fn is_idle(&self, state: &Simulation) -> bool {
        state.in_system() == 0
            && state.open_requests() == 0
            && (self.tokens == 0.0 || state.tokens() >= self.tokens)
    }
}

/// How a part of a cycle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// As many as were asked for are in the system.
    Reached,
    /// The service has started anew.
    Idle,
    /// The allowance is used up.
    GivenUp,
}

//! Faults for which a scenario has no words.

use retrylab_model::{Discipline, Scenario};

use super::Simulation;
use super::plan::Order;
use super::tier::Tier;
use crate::error::SimulationError;
use crate::fault::Fault;

/// A wrong attempt is taken once in so many services.
const SERVICES_PER_MISTAKE: u64 = 100;

impl Simulation {
    /// As [`new`](Self::new), with a fault at the outermost tier.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn with_fault(
        scenario: &Scenario,
        seed: u64,
        replication: u64,
        fault: Fault,
    ) -> Result<Self, SimulationError> {
        let mut simulation = Self::new(&fault.distort(scenario), seed, replication)?;
        let discipline = scenario.server.discipline;
        match fault {
            Fault::LifoSometimesFifo if discipline == Discipline::Lifo => {
                simulation.outer.plan.order = Order::WithMistakes { usually_first: false };
            }
            Fault::FifoSometimesLifo if discipline == Discipline::Fifo => {
                simulation.outer.plan.order = Order::WithMistakes { usually_first: true };
            }
            Fault::BudgetForgetsItsCap => simulation.outer.budgets.forget_the_cap(),
            Fault::DeadlineCheckLate => {
                if let Some(timeout) = scenario.client.timeout {
                    let lag = simulation.outer.plan.clock.duration(timeout.mean() / 100.0);
                    simulation.outer.outstanding.delay_the_check(lag);
                }
            }
            _ => {}
        }
        Ok(simulation)
    }
}

impl Tier {
    /// Takes an attempt from one end of the line and now and then from the other.
    #[cold]
    pub(super) fn take_with_mistakes(&mut self, usually_first: bool) -> Option<(i64, u64)> {
        let mistake = (self.counts.services_started + 1).is_multiple_of(SERVICES_PER_MISTAKE);
        if usually_first == mistake {
            self.line.pop_back()
        } else {
            self.line.pop_front()
        }
    }
}

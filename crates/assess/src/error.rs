//! Why a service cannot be assessed.

use retrylab_model::Invalid;
use retrylab_sim::SimulationError;
use retrylab_verify::statistics::StatisticsError;

/// Why a service cannot be assessed.
#[derive(Debug, thiserror::Error)]
pub enum AssessError {
    /// A value does not fit into a scenario.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The service's times do not fit one clock.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// An error rate that is none.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

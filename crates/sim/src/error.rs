//! What can keep a valid scenario from being simulated.

use retrylab_model::wording::number;

/// Why a scenario cannot be simulated. No run is in progress after any of these.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The clock cannot resolve the shortest time and still hold the longest.
    #[error(
        "the longest time that a clock would have to hold is about {} (of client.timeout, client.backoff, server.deadline_check, \
         server.rejection_cost, server.skip_cost, the stalls and the far ends of service.time and the interarrival times), over \
         2^46 times the shortest time scale, about {} (of the mean of service.time and 1 / traffic.rate), each at any capacity \
         and rate of the schedule and at any tier: make the longest shorter, or leave it out if it stands for never",
        about(*longest),
        about(*shortest)
    )]
    TimesTooFarApart {
        /// Shorter of the mean service time and the mean interarrival time.
        shortest: f64,
        /// Longest time that the clock would have to hold.
        longest: f64,
    },
    /// The one-pass recursion was asked for and cannot simulate the scenario.
    #[error(
        "the one-pass recursion cannot simulate this scenario, because {reason}: leave the choice of the engine open"
    )]
    RecursionDoesNotApply {
        /// What stands against it.
        reason: &'static str,
    },
    /// Times are so long or short that floating-point numbers cannot hold them in ticks.
    #[error(
        "times of about {} (the shorter of the mean of service.time and 1 / traffic.rate, at any capacity and rate of the \
         schedule and at any tier) are beyond what a clock can count: choose another unit of time, or another capacity or rate",
        about(*scale)
    )]
    UnitOutOfReach {
        /// Shortest time scale of the scenario.
        scale: f64,
    },
}

/// A time to four significant digits: the sentence is about its magnitude.
fn about(time: f64) -> String {
    number(format!("{time:.3e}").parse().unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_times_are_said_in_a_few_digits() {
        let far_apart = SimulationError::TimesTooFarApart {
            shortest: 1.0 / 3.0,
            longest: 1e300,
        };
        let sentence = far_apart.to_string();
        assert!(
            sentence.contains("is about 1e300 (") && sentence.contains("about 0.3333 ("),
            "{sentence}"
        );
        let out_of_reach = SimulationError::UnitOutOfReach { scale: 1e-305 };
        assert!(out_of_reach.to_string().starts_with("times of about 1e-305 ("));
    }
}

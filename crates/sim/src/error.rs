//! What can keep a valid scenario from being simulated.

/// Why a scenario cannot be simulated. No run is in progress after any of these.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The clock cannot resolve the shortest time and still hold the longest.
    #[error(
        "the longest time that a clock would have to hold is {longest} (of timeout, delay, stalls and the far ends of the \
         distributions), over 2^46 times the shortest time scale, {shortest} (of mean service and interarrival time): \
         make the longest shorter, or leave it out if it stands for never"
    )]
    TimesTooFarApart {
        /// Shorter of the mean service time and the mean interarrival time.
        shortest: f64,
        /// Longest time that the clock would have to hold.
        longest: f64,
    },
    /// Times are so long or short that floating-point numbers cannot hold them in ticks.
    #[error("times of about {scale} are beyond what a clock can count: choose another unit of time")]
    UnitOutOfReach {
        /// Shortest time scale of the scenario.
        scale: f64,
    },
}

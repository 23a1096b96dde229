//! What happens: an event-driven simulator of clients that retry, and its random streams.
//!
//! [`simulate_one`] runs one replication of a [`Scenario`](retrylab_model::Scenario) and returns its [`RunRecord`];
//! [`replicate`] runs many in parallel. [`run_until_lock_up`] follows a run until nothing succeeds any more. [`Simulation`] is a run in progress: a value that can be advanced, measured,
//!
//! ```
//! use retrylab_model::{ScenarioSpec, Traffic};
//! use retrylab_sim::{Measure, Options, simulate_one};
//!
//! let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
//! spec.run.until = Some(20_000.0.into());
//! let record = simulate_one(&spec.validate()?, 1, 0, &Options::default())?;
//! let (sojourn_time_sum, completions) = record.measure(Measure::SojournTimeMean);
//! // One server at load 1/2: the mean sojourn time is 1 / (1 - 0.5) = 2.
//! assert!((sojourn_time_sum / completions - 2.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Time
//! Time is counted in whole ticks, a power of two of the scenario's unit of time, about 2^-32 of the shortest time
//! scale in it (see [`Clock`]). Whole numbers add up exactly in any order, so sums over a run are exact, windows add up
//! to their union, and a run that starts at 10^12 measures what one at 0 does.
//!
//! # Order of events at the same tick
//! The edge of a window comes first: a window from `a` to `b` has the events at `a` and not those at `b`. Then
//! 1. completions, in the order in which the services started,
//! 2. changes of the schedule: new settings, then the end of a stall, then the beginning of another,
//! 3. timeouts, in the order in which the attempts were sent,
//! 4. retries after a backoff, in the order in which they were decided,
//! 5. the next new request.
//!
//! So an answer exactly at the timeout is in time. At a completion the attempt leaves, then its client hears the answer
//! and may send a retry at once, and then the server takes the next attempt. A rejected attempt's client hears at once
//! and may try again at the same tick. Where a failure spawns several retries, all that are sent at once, and those that
//! their rejection spawns, join the line in the order in which they were decided before a server takes from it. Where
//! there is a breaker, it sees the outcome of an attempt before the client decides about others, and is asked when an attempt is
//! about to be sent.
//!
//! # Tiers
//! Where a scenario has several tiers, each is an engine of its own with streams of its own, and they share a clock. When the
//! service of an attempt ends at a tier that has another behind it, a request to that one begins; when that request succeeds or is given
//! up, the attempt is answered. These messages are delivered before anything else happens, in the order in which they came
//! about, and after all that the event does at its own tier. Of events at the same tick those of the innermost tier come
//! first.
//!
//! # Random numbers
//! One generator (xoshiro256++) per seed, replication and purpose: arrivals, service, errors, backoff, clients, order,
//! patience, retries and fates, each drawn from only when needed, so that two policies compared under one seed see the same
//! traffic. An interarrival time is drawn at the arrival before it, and what is left of it is scaled where the schedule changes
//! the rate; a service time and whether the answer is an error are
//! drawn when the service starts, and patience when an attempt is taken in. In random order, where more than one waits, the
//! place in the line of the attempt to serve next is drawn, and the last in the line moves to that place. After a failure
//! that is not that of the last attempt allowed, it is drawn whether another follows, before the budget is asked; where the
//! number of retries per failure is not whole, whether there is one more.
//! Where the answers of one request's attempts are correlated, it is drawn for a new request whether they share one outcome
//! and, if so, which.
//! Elementary functions come from the `libm` crate: the same scenario and seed give the same bits on any machine and with
//! any number of threads.

pub mod calls;
mod chunked;
mod clock;
mod counts;
mod engine;
mod error;
mod fault;
mod histogram;
mod lock_up;
mod measure;
pub mod random;
mod record;
mod replication;
mod wide;

pub use clock::Clock;
pub use counts::Counts;
pub use engine::Simulation;
pub use error::SimulationError;
pub use fault::Fault;
pub use histogram::Histogram;
pub use lock_up::{
    Allowance, Cycles, CyclesError, Followed, Goal, LockUp, LockUpCycles, LockUpWatch, NotRegenerative,
    Pilot, Prospect, Threshold, Thresholds, run_until_lock_up,
};
pub use measure::{Measure, TierMeasure};
pub use record::{RunRecord, Window};
pub use replication::{
    Engine, Options, replicate, replicate_unless_stopped, replicate_with_progress, simulate_one,
};
pub use wide::WideSum;

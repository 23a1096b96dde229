//! Closed forms, an independent simulator and statistical verdicts on what retries do to a service.
//!
//! This crate is the `retrylab` program and one name for the crates behind it:
//!
//! - [`model`]: what is studied. Scenarios, their language and their validation.
//! - [`latencies`]: files of measured latencies as service times.
//! - [`analytic`]: what theory says. Closed forms and numerical solutions.
//! - [`sim`]: what happens. The event-driven simulator.
//! - [`verify`]: whether the two agree, with each other and with what documents say.
//! - [`assess`]: one service. Whether it comes back from a bad minute, and what would help.
//! - [`sweep`]: grids of scenarios, with results that outlive a killed run.
//!
//! ```
//! use retrylab::model::builtin;
//! let scenario = builtin::find("stuck-line").expect("it comes with the program").scenario()?;
//! assert_eq!(scenario.client.attempts, 3);
//! # Ok::<(), retrylab::model::TextError>(())
//! ```

pub use retrylab_analytic as analytic;
pub use retrylab_assess as assess;
pub use retrylab_latencies as latencies;
pub use retrylab_model as model;
pub use retrylab_sim as sim;
pub use retrylab_sweep as sweep;
pub use retrylab_verify as verify;

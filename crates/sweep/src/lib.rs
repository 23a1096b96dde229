//! Grids of scenarios: what a plan says, computing it in such a way that nothing is lost, and what comes out.
//!
//! A **plan** is a scenario, axes along which some of its keys vary, and how much is simulated of each point. Every point is
//! validated before anything runs. All points have the same seed, so that they are compared under common random numbers.
//!
//! Results go into an SQLite file, point by point ([`Store`]). A sweep that is killed goes on where it was, and its file is
//! in the end the same, to the last byte, as that of one that was not; so is the file that [`merge`] makes of parts
//! ([`Shard`]) that were computed apart.

mod axis;
mod checksum;
mod error;
pub mod export;
mod files;
mod merge;
mod plan;
mod reading;
mod results;
mod run;
mod schema;
mod settings;
mod shard;
mod spec;
mod steps;
mod store;

pub use axis::{Axis, AxisValue, Spacing};
pub use error::{PlanError, SweepError};
pub use merge::merge;
pub use plan::{AXES_MAX, POINTS_MAX, Plan};
pub use reading::Results;
pub use results::{AxisHeading, Heading, PointResult, StoredEstimate};
pub use run::{Advance, Ending, run};
pub use shard::Shard;
pub use spec::{PlanText, plan_schema};
pub use store::Store;

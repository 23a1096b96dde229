//! Whether theory and simulation agree, and both with what documents say.
//!
//! A claim names the numbers of a document, the closed form and the experiment behind each; running it gives an
//! [`Outcome`], of which every report is a view.

pub mod calibration;
mod claim;
pub mod claims;
mod document;
mod estimator;
mod experiment;
mod figure;
pub mod figures;
mod level;
pub mod lock_up;
pub mod measures;
mod outcome;
mod quote;
pub mod report;
mod run;
mod sabotage;
mod sampling;
mod selection;
pub mod statistics;
mod theory;
mod verdict;

pub use claim::{Claim, Criterion, Part};
pub use document::Document;
pub use estimator::Estimate;
pub use experiment::{Estimator, Experiment, Observed};
pub use figure::{Axis, Cells, Figure, Illustration, Mark, Panel, Point, Series, SeriesKind};
pub use level::Level;
pub use outcome::{ClaimOutcome, ComputedNumber, MeasuredNumber, Outcome, PartOutcome, QuotedNumber};
pub use quote::{AuthorSample, Quote, Runs};
pub use run::{Plan, Progress, RunError, Silent, run};
pub use sabotage::{Sabotage, Trial, sabotage};
pub use sampling::MeasurementError;
pub use selection::{SelectionError, select};
pub use verdict::Verdict;

//! Whether theory and simulation agree, and both with what documents say.
//!
//! A claim names the numbers of a document, the closed form and the experiment behind each; running it gives an
//! [`Outcome`], of which every report is a view.

mod document;
mod figure;
mod outcome;
mod verdict;

pub use document::Document;
pub use figure::{Axis, Figure, Mark, Panel, Point, Series, SeriesKind};
pub use outcome::{ClaimOutcome, ComputedNumber, MeasuredNumber, Outcome, PartOutcome, QuotedNumber};
pub use verdict::Verdict;

//! What is known of a figure before it is drawn.

use crate::document::Document;
use crate::figure::{Figure, Illustration, Panel};
use crate::level::Level;
use crate::sampling::MeasurementError;

/// A figure that can be drawn: everything about it that does not need a run.
#[derive(Debug, Clone, Copy)]
pub struct Sketch {
    /// Identifier for links, file names and `retrylab figures --only`, in lower case with hyphens.
    pub id: &'static str,
    /// The document to whose section it belongs.
    pub document: Document,
    /// Ids of the claims that it illustrates; the report shows it beside the first of them.
    pub claims: &'static [&'static str],
    /// Title.
    pub title: &'static str,
    /// Draws it from runs under a seed; the level sets how many runs stand behind a point.
    pub(super) draw: fn(u64, Level) -> Result<Illustration, MeasurementError>,
}

impl Sketch {
    /// The figure, with what only a run could give.
    pub(super) fn figure(&self, caption: impl Into<String>, panels: Vec<Panel>) -> Illustration {
        Illustration {
            figure: Figure {
                id: self.id.to_owned(),
                title: self.title.to_owned(),
                caption: caption.into(),
                panels,
            },
            document: self.document,
            claims: self.claims,
        }
    }
}

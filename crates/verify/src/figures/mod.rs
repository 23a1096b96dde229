//! The figures of the report, each drawn from runs of its own beside what theory says.

mod after_stall;
mod healthy_latency;
mod retry_policy;
mod support;
mod time_series;

use rayon::prelude::*;

use crate::document::Document;
use crate::figure::Figure;
use crate::level::Level;
use crate::run::Progress;
use crate::sampling::MeasurementError;

type Draw = fn(u64, Level) -> Result<Figure, MeasurementError>;

/// Each figure, the document whose section shows it, and its name in progress messages.
const FIGURES: [(Document, &str, Draw); 4] = [
    (
        Document::Lesson,
        "figure of attempts and success",
        retry_policy::draw,
    ),
    (
        Document::ThreeAttempts,
        "figure of healthy latency",
        healthy_latency::draw,
    ),
    (
        Document::ThreeAttempts,
        "figure of success after the long stall",
        after_stall::draw,
    ),
    (
        Document::ThreeAttempts,
        "figure of a short stall",
        time_series::draw,
    ),
];

/// Number of figures of the documents.
#[must_use]
pub fn count(documents: &[Document]) -> usize {
    FIGURES
        .iter()
        .filter(|(document, ..)| documents.contains(document))
        .count()
}

/// Draws the figures of the documents from runs under `seed`; the level sets how many runs stand behind a point.
///
/// # Errors
/// [`MeasurementError`] when a scenario cannot be simulated.
pub fn draw(
    documents: &[Document],
    seed: u64,
    level: Level,
    progress: &dyn Progress,
) -> Result<Vec<Figure>, MeasurementError> {
    FIGURES
        .par_iter()
        .filter(|(document, ..)| documents.contains(document))
        .map(|(_, name, draw)| {
            let figure = draw(seed, level);
            progress.step(name);
            figure
        })
        .collect()
}

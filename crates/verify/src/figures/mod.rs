//! The figures of the report, each drawn from runs of its own beside what theory says.

mod after_stall;
mod healthy_latency;
mod retry_policy;
mod support;
mod time_series;

use rayon::prelude::*;

use crate::figure::Figure;
use crate::level::Level;
use crate::run::Progress;
use crate::sampling::MeasurementError;

type Draw = fn(u64, Level) -> Result<Figure, MeasurementError>;

/// Each figure and its name in progress messages.
const FIGURES: [(&str, Draw); 4] = [
    ("figure of attempts and success", retry_policy::draw),
    ("figure of healthy latency", healthy_latency::draw),
    ("figure of success after the long stall", after_stall::draw),
    ("figure of a short stall", time_series::draw),
];

/// Number of figures.
#[must_use]
pub fn count() -> usize {
    FIGURES.len()
}

/// Draws all figures from runs under `seed`; the level sets how many runs stand behind a point.
///
/// # Errors
/// [`MeasurementError`] when a scenario cannot be simulated.
pub fn draw(seed: u64, level: Level, progress: &dyn Progress) -> Result<Vec<Figure>, MeasurementError> {
    FIGURES
        .par_iter()
        .map(|(name, draw)| {
            let figure = draw(seed, level);
            progress.step(name);
            figure
        })
        .collect()
}

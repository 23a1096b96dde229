//! The figures of the report, each drawn from runs of its own beside what theory says.
//!
//! A figure is a module with a [`Sketch`] and the function that draws it; a line in [`FIGURES`] adds it to the report and
//! to `retrylab figures`.

mod after_stall;
mod blip;
mod blip_timeout;
mod budget_cycle;
mod deadline_check;
mod healthy_latency;
mod helping_clients;
mod lock_up_time;
mod pool_and_breaker;
mod pool_incident;
mod pool_threshold;
mod pool_tuning;
mod retry_policy;
mod sketch;
mod support;
mod tiers;
mod time_series;

use rayon::prelude::*;

use crate::figure::Illustration;
use crate::level::Level;
use crate::run::Progress;
use crate::sampling::MeasurementError;
use crate::selection::{SelectionError, Words, matching};

pub use sketch::Sketch;

/// Every figure, in the order of documents.
pub const FIGURES: &[Sketch] = &[
    retry_policy::SKETCH,
    tiers::SKETCH,
    healthy_latency::SKETCH,
    after_stall::SKETCH,
    time_series::SKETCH,
    lock_up_time::SKETCH,
    budget_cycle::SKETCH,
    deadline_check::SKETCH,
    helping_clients::WAITING,
    helping_clients::PAST_CAPACITY,
    helping_clients::SELF_INFLICTED,
    helping_clients::CLIFF,
    helping_clients::HYSTERESIS,
    helping_clients::BUDGET_DRAIN,
    blip::SKETCH,
    blip_timeout::SKETCH,
    pool_incident::SKETCH,
    pool_threshold::SKETCH,
    pool_and_breaker::SKETCH,
    pool_tuning::SUCCESS,
    pool_tuning::LOAD,
];

/// The figures whose id, document or claim matches any of the patterns (`*`, `?` and `[…]` as in file names); all
/// figures when there is no pattern. Letters match in either case.
///
/// ```
/// use retrylab_verify::figures;
/// let selected = figures::select(&["T05".to_owned()])?;
/// assert_eq!(selected[0].id, "after-stall");
/// # Ok::<(), retrylab_verify::SelectionError>(())
/// ```
///
/// # Errors
/// [`SelectionError`] when a pattern matches nothing or cannot be read.
pub fn select(patterns: &[String]) -> Result<Vec<Sketch>, SelectionError> {
    let names = |sketch: &Sketch| {
        let mut names = vec![sketch.id, sketch.document.name()];
        names.extend(sketch.claims);
        names
    };
    let words = Words {
        kind: "figure",
        names: "its id such as after-stall, a claim id such as T05",
    };
    matching(FIGURES.to_vec(), patterns, words, names)
}

/// Draws figures from runs under `seed`; the level sets how many runs stand behind a point. When `progress` asks for an
/// end, those that are not begun are left out.
///
/// # Errors
/// [`MeasurementError`] when a scenario cannot be simulated.
pub fn draw(
    sketches: &[Sketch],
    seed: u64,
    level: Level,
    progress: &dyn Progress,
) -> Result<Vec<Illustration>, MeasurementError> {
    sketches
        .par_iter()
        .filter(|_| !progress.should_stop())
        .map(|sketch| {
            let figure = (sketch.draw)(seed, level);
            progress.step(sketch.id);
            figure
        })
        .collect()
}

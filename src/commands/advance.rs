//! How a run of claims and figures advances, on standard error.

use indicatif::ProgressBar;
use retrylab_verify::Progress;

use crate::{interrupt, progress};

/// Shows how a run advances.
pub(super) struct Advance {
    bar: ProgressBar,
    /// Figures to be drawn beside the steps that a run announces.
    figures: usize,
    /// Whether the run ends with what is done when it is interrupted.
    ends_early: bool,
}

impl Advance {
    pub(super) fn new(figures: usize) -> Self {
        Self {
            bar: progress::bar(Some(figures as u64), "steps"),
            figures,
            ends_early: false,
        }
    }

    /// Of a run that Ctrl-C ends with what is done.
    pub(super) fn ending_early(figures: usize) -> Self {
        interrupt::leave_to_command();
        Self {
            ends_early: true,
            ..Self::new(figures)
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Advance {
    fn begin(&self, steps: usize) {
        self.bar.set_length((steps + self.figures) as u64);
    }

    fn step(&self, label: &str) {
        self.bar.set_message(label.to_owned());
        self.bar.inc(1);
    }

    fn should_stop(&self) -> bool {
        self.ends_early && interrupt::is_interrupted()
    }
}

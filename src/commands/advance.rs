//! How a run of claims and figures advances, on standard error.

use indicatif::ProgressBar;
use retrylab_verify::Progress;

use crate::progress;

/// Shows how a run advances.
pub(super) struct Advance {
    bar: ProgressBar,
    /// Figures to be drawn beside the steps that a run announces.
    figures: usize,
}

impl Advance {
    pub(super) fn new(figures: usize) -> Self {
        Self {
            bar: progress::bar(Some(figures as u64), "steps"),
            figures,
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
}

//! Progress on standard error, where that is a terminal.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How often a bar is drawn anew while nothing advances.
const TICK: Duration = Duration::from_millis(500);

/// Whether neither progress nor notes are wanted.
static IS_QUIET: AtomicBool = AtomicBool::new(false);
/// The bar that is drawn.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Says nothing from now on.
pub(crate) fn silence() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Takes the bar off the screen.
pub(crate) fn clear() {
    if let Some(bar) = BAR.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}

/// A bar of so many steps, or a counter where their number is not known.
pub(crate) fn bar(steps: Option<u64>, unit: &str) -> ProgressBar {
    let target = if IS_QUIET.load(Ordering::Relaxed) {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let (bar, template) = match steps {
        Some(steps) => (
            ProgressBar::with_draw_target(Some(steps), target),
            format!("{{bar:40}} {{pos}} of {{len}} {unit} {{msg}} in {{elapsed}}{{left}}"),
        ),
        None => (
            ProgressBar::with_draw_target(None, target),
            format!("{{spinner}} {{pos}} {unit} {{msg}} in {{elapsed}}"),
        ),
    };
    match ProgressStyle::with_template(&template) {
        Ok(style) => {
            let bar = bar.with_style(style.with_key("left", left));
            // It is there at once and its clock runs, however long the first step takes.
            bar.enable_steady_tick(TICK);
            *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
            bar
        }
        Err(error) => panic!("the template {template} is valid, but: {error}"),
    }
}

/// How long the rest takes, as soon as a first step tells.
fn left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    if state.pos() > 0 {
        // A bar that cannot be drawn is no reason to stop.
        let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// A note on standard error, for whoever reads it.
pub(crate) fn note(text: &str) {
    use std::io::Write;
    if IS_QUIET.load(Ordering::Relaxed) {
        return;
    }
    let say = || {
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(std::io::stderr(), "note: {text}");
    };
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // Where a bar is drawn, it makes room.
    match bar {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

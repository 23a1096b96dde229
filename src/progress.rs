//! Progress on standard error, where that is a terminal.

use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How often a bar is drawn anew while nothing advances.
const TICK: Duration = Duration::from_millis(500);

/// A bar of so many steps, or a counter where their number is not known.
pub(crate) fn bar(steps: Option<u64>, unit: &str) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
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
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "note: {text}");
}

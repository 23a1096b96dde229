//! Ctrl-C: a command ends with what it has, or at once with a sentence; either way nothing half-written is left.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::progress;

/// Exit status of a command that was interrupted, as shells have it: 128 + 2, the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the command looks at [`is_interrupted`] and ends by itself.
static ENDS_BY_ITSELF: AtomicBool = AtomicBool::new(false);
/// Files that had no name of their own when they were begun; those that have got one are no longer under this.
static TEMPORARY_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Listens for Ctrl-C from now on.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(heard).map_err(|error| Failure::new(format!("Ctrl-C cannot be listened for: {error}")))
}

/// From now on the first Ctrl-C is left to the command, which asks [`is_interrupted`]; the second ends the program at once.
pub(crate) fn leave_to_command() {
    ENDS_BY_ITSELF.store(true, Ordering::SeqCst);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// Removes the file at `path` if the program ends at once.
pub(crate) fn remove_at_end(path: &Path) {
    temporary_files().push(path.to_owned());
}

fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn heard() {
    let is_first = !IS_INTERRUPTED.swap(true, Ordering::SeqCst);
    if is_first && ENDS_BY_ITSELF.load(Ordering::SeqCst) {
        progress::note("interrupted; what is under way is finished first, a second Ctrl-C ends at once");
        return;
    }
    progress::clear();
    // The lock is kept until the end, so that no file is begun after this.
    let files = temporary_files();
    for file in files.iter() {
        // What cannot be removed is no reason to stay.
        let _ = std::fs::remove_file(file);
    }
    Failure::new("interrupted before there was a complete result").report();
    process::exit(INTERRUPTED.into());
}

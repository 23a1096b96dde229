//! Measured latencies: files of them as service times, and whether what was measured includes waiting.
//!
//! [`load`] reads a scenario together with the files that it names, [`reader`] serves
//! [`Scenario::from_toml_reading`](retrylab_model::Scenario::from_toml_reading) and [`read`] reads one file.
//!
//! # Files
//! - A table: a text in UTF-8, a line for each measurement, columns separated by commas, semicolons or tabs, with or without a header.
//!   One number per line is a table of one column. Cells may have units (`12.5ms`); then all of them do.
//! - An interval log of HdrHistogram, V2 encoding: all its intervals together, or those with one tag. Each recorded value stands for
//!   the middle of its bucket, so a value recorded with d significant digits is off by at most 10^−d / 2 of itself.
//!
//! A file has at most [`FILE_SIZE_MAX`] bytes and five million values (in a log: buckets that are not empty).

mod file;
mod interval_log;
mod queueing;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrylab_model::wording::quotation;
use retrylab_model::{Latencies, Measured, Scenario, Setting, Source, TextError, Unreadable};

pub use file::FILE_SIZE_MAX;
pub use queueing::{WAITING_SHARE_MAX, Waiting, queueing_notes, waiting};

/// Reads the times in the file that `measured` names, which is looked for in `directory` unless its path is absolute.
///
/// # Errors
/// [`Unreadable`] with one sentence that names the file and, where there is one, the line and the value.
///
/// ```
/// use retrylab_model::Measured;
/// let directory = tempfile::tempdir()?;
/// std::fs::write(directory.path().join("times.csv"), "path,seconds\n/a,0.5\n/b,1.5\n")?;
/// let mut measured = Measured::in_file("times.csv");
/// assert!(retrylab_latencies::read(&measured, directory.path()).is_err());
/// measured.column = Some("seconds".to_owned());
/// assert_eq!(retrylab_latencies::read(&measured, directory.path())?.mean(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(measured: &Measured, directory: &Path) -> Result<Latencies, Unreadable> {
    let path = directory.join(&measured.file);
    let shown = quotation(&path.display().to_string());
    let text = file::read(&path, &shown)?;
    file::check_sum(&text.sha256, measured.sha256.as_deref(), &shown)?;
    if interval_log::is_log(&text.text) {
        interval_log::read(&text, measured, &shown)
    } else {
        table::read(&text, measured, &shown)
    }
}

/// A reader of files that are named relative to `directory` in a text, and relative to the working directory in a setting.
pub fn reader(directory: &Path) -> impl Fn(&Measured, Source) -> Result<Arc<Latencies>, Unreadable> {
    let directory = directory.to_owned();
    move |measured, source| {
        let directory = match source {
            Source::Text => directory.clone(),
            Source::Setting => PathBuf::new(),
        };
        read(measured, &directory).map(Arc::new)
    }
}

/// Reads a scenario with settings on top, and the files of measured times that it names, relative to `directory` in the text and
/// relative to the working directory in a setting.
///
/// # Errors
/// As [`Scenario::from_toml_with`].
pub fn load(text: &str, settings: &[Setting], directory: &Path) -> Result<Scenario, TextError> {
    Scenario::from_toml_reading(text, settings, &reader(directory))
}

/// An error about the file as such.
fn unreadable(sentence: String) -> Unreadable {
    Unreadable {
        key: "file",
        sentence,
    }
}

//! The results file of a sweep that is going on.
//!
//! Each point is a transaction, so that whatever happens to the process, the file holds whole points. When the last one is
//! there the file is written anew in the order of its keys and takes the old one's place: the finished file depends on the
//! plan alone, to the last byte, and not on how often the sweep was interrupted or in which order its points came.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::{SweepError, shown};
use crate::reading;
use crate::results::{Heading, PointResult};
use crate::schema;

/// A results file that is this process's alone.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    heading: Heading,
    done: Vec<u64>,
    is_finished: bool,
}

impl Store {
    /// Opens the results file of a plan, or makes it, and keeps other processes out until it is dropped.
    ///
    /// # Errors
    /// [`SweepError::Results`] when it cannot be written, is in use, is something else, or has the results of another plan.
    pub fn open(path: &Path, heading: Heading) -> Result<Self, SweepError> {
        check_place(path)?;
        let failed = |error: rusqlite::Error| SweepError::of_file(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        let mut done = Vec::new();
        let mut is_finished = false;
        // Exclusive locking keeps the lock from the first transaction on. Nobody waits for a process that computes for hours.
        connection
            .busy_timeout(std::time::Duration::ZERO)
            .map_err(failed)?;
        connection
            .pragma_update(None, "locking_mode", "EXCLUSIVE")
            .map_err(failed)?;
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Exclusive)
            .map_err(failed)?;
        let tables: i64 = transaction
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(failed)?;
        if tables == 0 {
            schema::create(&transaction, &heading, false).map_err(failed)?;
        } else {
            let found = reading::checked_heading(&transaction, path)?;
            if let Some(sentence) = difference(&found, &heading, path) {
                return Err(SweepError::Results(sentence));
            }
            done = schema::points_done(&transaction).map_err(failed)?;
            is_finished = reading::is_finished(&transaction, path)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            heading,
            done,
            is_finished,
        })
    }

    /// What the results are of.
    #[must_use]
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// Number of points that are there.
    #[must_use]
    pub fn points_done(&self) -> u64 {
        self.done.len() as u64
    }

    /// The points that are still to be computed, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<u64> {
        let shard = self.heading.shard.points(self.heading.points);
        shard
            .filter(|point| self.done.binary_search(point).is_err())
            .collect()
    }

    /// Writes a point, whole or not at all.
    ///
    /// # Errors
    /// [`SweepError::Results`] when there is no space left, say. The points written before are kept.
    pub fn insert(&mut self, result: &PointResult) -> Result<(), SweepError> {
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            schema::insert(&transaction, result)?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|error| SweepError::of_file(&self.path, &error))?;
        let at = self.done.partition_point(|&point| point < result.point);
        self.done.insert(at, result.point);
        Ok(())
    }

    /// Gives the file its final form, once every point is there.
    ///
    /// # Errors
    /// [`SweepError::Results`] when that cannot be written; the points are kept then.
    pub fn finish(mut self) -> Result<(), SweepError> {
        if self.is_finished || !self.missing().is_empty() {
            return Ok(());
        }
        // Nobody else writes beside a file that is locked; what a killed process left there is overwritten.
        let finished = beside(&self.path, "-finished");
        let points = std::mem::take(&mut self.done);
        let written = write_whole(&finished, &self.heading, points.into_iter(), |point| {
            let result = schema::point(&self.connection, point)
                .map_err(|error| SweepError::of_file(&self.path, &error))?;
            result.ok_or_else(|| SweepError::Results(format!("{} has lost point {point}", shown(&self.path))))
        });
        let renamed = written.and_then(|()| {
            // A process that holds its lock keeps an empty journal, which would stay if it were killed from here on.
            let _ = std::fs::remove_file(beside(&self.path, "-journal"));
            std::fs::rename(&finished, &self.path).map_err(|error| {
                SweepError::Results(format!("{} cannot be written: {error}", shown(&self.path)))
            })
        });
        if renamed.is_err() {
            // What is left of it helps nobody; the error says what matters.
            let _ = std::fs::remove_file(&finished);
        }
        renamed.map_err(|error| {
            let shown = shown(&self.path);
            SweepError::Results(format!(
                "every point is in {shown}, but not in its final form: {error}"
            ))
        })
    }
}

/// The file whose name ends in something more.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a finished results file in one go, from points in their order. The same contents make the same bytes.
pub(crate) fn write_whole(
    path: &Path,
    heading: &Heading,
    points: impl Iterator<Item = u64>,
    mut read: impl FnMut(u64) -> Result<PointResult, SweepError>,
) -> Result<(), SweepError> {
    let failed = |error: rusqlite::Error| SweepError::of_file(path, &error);
    let unwritable =
        |error: std::io::Error| SweepError::Results(format!("{} cannot be written: {error}", shown(path)));
    std::fs::File::create(path).map_err(unwritable)?;
    let mut connection = Connection::open(path).map_err(failed)?;
    // Nobody sees the file before it is complete, so nothing has to be undone.
    connection
        .pragma_update(None, "journal_mode", "OFF")
        .map_err(failed)?;
    connection
        .pragma_update(None, "synchronous", "OFF")
        .map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    schema::create(&transaction, heading, true).map_err(failed)?;
    for point in points {
        schema::insert(&transaction, &read(point)?).map_err(failed)?;
    }
    transaction.commit().map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    std::fs::OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.sync_all())
        .map_err(unwritable)
}

/// Refuses what SQLite would refuse in words that do not help.
pub(crate) fn check_place(path: &Path) -> Result<(), SweepError> {
    let shown = shown(path);
    let refuse = |sentence: String| Err(SweepError::Results(sentence));
    if path.is_dir() {
        return refuse(format!("{shown} is a directory, but results go into a file"));
    }
    if path.exists() && !path.is_file() {
        return refuse(format!("{shown} is there and is not a regular file"));
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if path.file_name().is_none() || !directory.is_dir() {
        return refuse(format!(
            "{shown} cannot be written: there is no directory {}",
            crate::error::shown(directory)
        ));
    }
    Ok(())
}

/// Why results that were found are not those of a plan, if they are not.
fn difference(found: &Heading, expected: &Heading, path: &Path) -> Option<String> {
    let what = if found.program != expected.program {
        format!(
            "were computed by {}, and this is {}",
            found.program, expected.program
        )
    } else if found.shard != expected.shard {
        format!(
            "are of the part {} of the grid, not of {}",
            found.shard, expected.shard
        )
    } else if found.seed != expected.seed {
        format!("have the seed {}, not {}", found.seed, expected.seed)
    } else if found.effort != expected.effort {
        format!("are of {}, not of {}", found.effort, expected.effort)
    } else if found.confidence.to_bits() != expected.confidence.to_bits() {
        format!(
            "have the confidence {}, not {}",
            found.confidence, expected.confidence
        )
    } else if found.checksum != expected.checksum {
        "are of another plan, or of this one before it was changed".to_owned()
    } else {
        return None;
    };
    Some(format!(
        "the results in {} {what}; choose another file with --results",
        shown(path)
    ))
}

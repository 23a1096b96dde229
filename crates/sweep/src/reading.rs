//! Results files as sources: of exports, and of a merge.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::error::{SweepError, shown};
use crate::results::{Heading, PointResult};
use crate::schema;

/// How every SQLite file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A results file that is only read.
#[derive(Debug)]
pub struct Results {
    connection: Connection,
    path: PathBuf,
    heading: Heading,
    done: Vec<u64>,
    is_finished: bool,
}

impl Results {
    /// Whether a file looks like results rather than like a plan.
    #[must_use]
    pub fn is_at(path: &Path) -> bool {
        use std::io::Read;
        let mut start = [0; MAGIC.len()];
        // Only regular files: opening a pipe would wait for a writer.
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        is_file
            && std::fs::File::open(path)
                .is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == MAGIC)
    }

    /// Opens results.
    ///
    /// # Errors
    /// [`SweepError::Results`] when there are none at `path`, or when a sweep is writing them.
    pub fn open(path: &Path) -> Result<Self, SweepError> {
        if !path.exists() {
            return Err(SweepError::Results(format!("there is no file {}", shown(path))));
        }
        if !Self::is_at(path) {
            return Err(SweepError::Results(format!(
                "{} holds no results of a sweep",
                shown(path)
            )));
        }
        let failed = |error: rusqlite::Error| SweepError::of_file(path, &error);
        // Writable where possible: what a killed process left half done is undone by whoever comes next.
        let connection =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
        connection
            .busy_timeout(std::time::Duration::ZERO)
            .map_err(failed)?;
        let heading = checked_heading(&connection, path)?;
        let done = schema::points_done(&connection).map_err(failed)?;
        if done.iter().any(|&point| point >= heading.points) {
            return Err(SweepError::Results(format!(
                "{} has points that its plan does not have",
                shown(path)
            )));
        }
        let is_finished = is_finished(&connection, path)?;
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

    /// The points that are there, in order.
    #[must_use]
    pub fn points(&self) -> &[u64] {
        &self.done
    }

    /// Whether every point of the grid, or of its part, is there.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a point that is there.
    ///
    /// # Errors
    /// [`SweepError::Results`] when the file cannot be read or has no such point.
    pub fn point(&self, point: u64) -> Result<PointResult, SweepError> {
        let result = schema::point(&self.connection, point)
            .map_err(|error| SweepError::of_file(&self.path, &error))?;
        result.ok_or_else(|| SweepError::Results(format!("{} has no point {point}", shown(&self.path))))
    }

    /// The measures of all points, in the order in which they come.
    ///
    /// # Errors
    /// As [`Results::point`].
    pub fn measures(&self) -> Result<Vec<String>, SweepError> {
        let failed = |error: rusqlite::Error| SweepError::of_file(&self.path, &error);
        let mut statement = self
            .connection
            .prepare("SELECT measure FROM estimates GROUP BY measure ORDER BY min(part), measure")
            .map_err(failed)?;
        let names = statement.query_map([], |row| row.get(0)).map_err(failed)?;
        names.collect::<rusqlite::Result<_>>().map_err(failed)
    }
}

/// The heading of a file that is to hold results.
pub(crate) fn checked_heading(connection: &Connection, path: &Path) -> Result<Heading, SweepError> {
    let failed = |error: rusqlite::Error| SweepError::of_file(path, &error);
    let application: i32 = connection
        .pragma_query_value(None, "application_id", |row| row.get(0))
        .map_err(failed)?;
    if application != schema::APPLICATION_ID {
        return Err(SweepError::Results(format!(
            "{} is an SQLite file, but holds no results of a sweep",
            shown(path)
        )));
    }
    schema::heading(connection)
        .map_err(failed)?
        .map_err(|reason| SweepError::Results(format!("{} is damaged: {reason}", shown(path))))
}

/// Whether the file has been given its final form.
pub(crate) fn is_finished(connection: &Connection, path: &Path) -> Result<bool, SweepError> {
    let finished =
        schema::property(connection, "finished").map_err(|error| SweepError::of_file(path, &error))?;
    Ok(finished == "1")
}

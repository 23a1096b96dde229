//! What can go wrong, in sentences.

use retrylab_model::TextError;
use retrylab_model::wording::quotation;

/// Why a plan is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A mistake in the plan's text.
    #[error("{0}")]
    InPlan(TextError),
    /// A mistake in the text of the scenario that the plan names.
    #[error("{0}")]
    InScenario(TextError),
}

impl From<TextError> for PlanError {
    fn from(error: TextError) -> Self {
        Self::InPlan(error)
    }
}

/// Why a sweep did not go on, or its results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The results file cannot be used, or not written to.
    #[error("{0}")]
    Results(String),
    /// A point cannot be simulated.
    #[error("point {point}: {reason}")]
    Point {
        /// Its number.
        point: u64,
        /// What the simulator says.
        reason: String,
    },
    /// Something cannot be exported.
    #[error("{0}")]
    Export(String),
}

impl SweepError {
    /// What SQLite says of the file at `path`, in words that help.
    pub(crate) fn of_file(path: &std::path::Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let shown = shown(path);
        let sentence = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                format!("{shown} is in use by another process; wait until it is done")
            }
            Some(ErrorCode::NotADatabase) => {
                format!("{shown} is not an SQLite file, so it holds no results of a sweep")
            }
            Some(ErrorCode::DatabaseCorrupt) => format!("{shown} is damaged: {error}"),
            Some(ErrorCode::DiskFull) => format!("{shown} cannot be written: no space is left"),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                format!("{shown} cannot be written: it or its directory is read-only")
            }
            Some(ErrorCode::CannotOpen) => format!("{shown} cannot be opened"),
            Some(ErrorCode::SystemIoFailure) => {
                format!("{shown} cannot be written or read: the system refused ({error})")
            }
            _ => format!("{shown} cannot be used: {error}"),
        };
        Self::Results(sentence)
    }
}

/// A path as sentences show it.
pub(crate) fn shown(path: &std::path::Path) -> String {
    quotation(&path.display().to_string())
}

//! The documents whose claims are checked.

use std::fmt;

/// A document about retries whose claims are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// A lesson on the geometric series behind a retry policy.
    Lesson,
    /// A simulation study of one server whose clients make up to k attempts.
    ThreeAttempts,
}

impl Document {
    /// Every document, in the order of reports.
    pub const ALL: [Self; 2] = [Self::Lesson, Self::ThreeAttempts];

    /// Short name, used in filters and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lesson => "lesson",
            Self::ThreeAttempts => "three-attempts",
        }
    }

    /// Title as its author wrote it, or a description where it has none.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Lesson => "Lesson: the geometric series behind retries",
            Self::ThreeAttempts => "Three Attempts, One Third",
        }
    }

    /// What it is about, in our words.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Lesson => {
                "How many attempts a request costs and how often it succeeds when every attempt fails with the same \
                 probability, and why the cost is highest when the service can least afford it."
            }
            Self::ThreeAttempts => {
                "One server, Poisson traffic, clients that give up after a timeout and try again: when does a short \
                 stall leave the service down for good, and which policies prevent it?"
            }
        }
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

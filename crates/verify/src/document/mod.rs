//! The documents whose claims are checked.

mod setting;

use std::fmt;

/// A document about retries whose claims are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// A lesson on the geometric series behind a retry policy.
    Lesson,
    /// A simulation study of one server whose clients make up to k attempts.
    ThreeAttempts,
    /// An article with six interactive figures on a service of eight servers.
    HelpingClients,
    /// A page with a simulator of a brief loss of capacity.
    RetryStorms,
    /// A report from practice on a token pool for each instance.
    StopRetrying,
    /// What no document says.
    Beyond,
}

impl Document {
    /// Every document, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Lesson,
        Self::ThreeAttempts,
        Self::HelpingClients,
        Self::RetryStorms,
        Self::StopRetrying,
        Self::Beyond,
    ];

    /// Short name, used in filters and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lesson => "lesson",
            Self::ThreeAttempts => "three-attempts",
            Self::HelpingClients => "helping-clients",
            Self::RetryStorms => "retry-storms",
            Self::StopRetrying => "stop-retrying",
            Self::Beyond => "beyond",
        }
    }

    /// Title as its author wrote it, or a description where it has none.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Lesson => "Lesson: the geometric series behind retries",
            Self::ThreeAttempts => "Three Attempts, One Third",
            Self::HelpingClients => "A service can fail because its clients are trying to help",
            Self::RetryStorms => "Retry storms and metastable failures: an interactive simulator",
            Self::StopRetrying => "Knowing when to stop retrying",
            Self::Beyond => "Beyond the documents: rare lock-ups",
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
            Self::HelpingClients => {
                "A service of eight servers whose clients spawn further attempts for each one that fails: where is the \
                 edge beyond which it collapses, and why does turning the retries down again not bring it back?"
            }
            Self::RetryStorms => {
                "A service loses most of its capacity for five seconds: how long do four retry policies keep it down \
                 afterwards, and what does it change if the server drops work whose client has left?"
            }
            Self::StopRetrying => {
                "Each instance of a service pays for its retries from a pool of tokens that only successes refill: how \
                 quickly does it stop an incident's retries, and does it ever get in the way of a normal day?"
            }
            Self::Beyond => {
                "How long a service takes to lock up by itself where no run can wait for it: whether splitting finds the right \
                 time, and how that time grows with the timeout."
            }
        }
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! What can be wrong with the names and types in a document, before any value is validated.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::document::Subject;
use crate::node::{Node, Origin};
use crate::setting::Setting;
use crate::text_error::TextError;

/// A problem, which is given its place on the way out of the decoder.
#[derive(Debug)]
pub(crate) enum DecodeError {
    /// The value is not what `accepted` describes, a phrase that follows "must be".
    Refused { accepted: String },
    /// A table lacks a key.
    MissingKey(&'static str),
    /// Anything else that a type's own decoding says.
    Other(String),
    /// A whole sentence and its place.
    Located { sentence: String, origin: Origin },
}

impl DecodeError {
    pub(crate) fn refused(accepted: impl Display) -> Self {
        Self::Refused {
            accepted: accepted.to_string(),
        }
    }

    pub(crate) fn located(sentence: String, origin: &Origin) -> Self {
        Self::Located {
            sentence,
            origin: origin.clone(),
        }
    }

    /// Says that the problem is with `node`, unless it is known to be further inside.
    pub(crate) fn at(self, path: &str, node: &Node, subject: Subject) -> Self {
        let sentence = match self {
            Self::Located { .. } => return self,
            Self::Refused { accepted } => format!("{path} is {}, but must be {accepted}", node.content),
            Self::MissingKey(key) if path.is_empty() && subject.is_in_tables => {
                format!("missing table [{key}]")
            }
            Self::MissingKey(key) => format!("missing key {key} in {}", table_name(path, subject)),
            Self::Other(sentence) => format!("{path}: {sentence}"),
        };
        Self::located(sentence, &node.origin)
    }

    pub(crate) fn into_text_error(self, settings: &[Setting]) -> TextError {
        match self {
            Self::Located { sentence, origin } => {
                TextError::new(sentence).originating(Some(&origin), settings)
            }
            unplaced => TextError::new(unplaced.to_string()),
        }
    }
}

/// How messages call the table at a path.
pub(crate) fn table_name(path: &str, subject: Subject) -> String {
    if path.is_empty() {
        subject.name.to_owned()
    } else if path.contains('.') {
        path.to_owned()
    } else {
        format!("[{path}]")
    }
}

impl Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { accepted } => write!(f, "the value must be {accepted}"),
            Self::MissingKey(key) => write!(f, "missing key {key}"),
            Self::Other(sentence) | Self::Located { sentence, .. } => f.write_str(sentence),
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::refused(expected)
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::refused(expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::MissingKey(field)
    }
}

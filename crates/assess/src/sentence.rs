//! Sentences that are made of words and numbers, so that none says what no number backs.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::evidence::Evidence;

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Words(String),
    Number(Evidence),
}

/// A sentence and the numbers in it.
///
/// Words hold no digits of their own: every number in a sentence is an [`Evidence`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    id: &'static str,
    parts: Vec<Part>,
}

impl Sentence {
    /// A sentence without words yet, called by an id that stays the same whatever it says.
    #[must_use]
    pub fn new(id: &'static str) -> Self {
        Self {
            id,
            parts: Vec::new(),
        }
    }

    /// Adds words.
    #[must_use]
    pub fn say(mut self, words: impl Into<String>) -> Self {
        self.parts.push(Part::Words(words.into()));
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn give(mut self, number: Evidence) -> Self {
        self.parts.push(Part::Number(number));
        self
    }

    /// Adds what another sentence says.
    #[must_use]
    pub(crate) fn join(mut self, other: &Self) -> Self {
        self.parts.extend(other.parts.iter().cloned());
        self
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The text with spaces that do not break inside numbers, for lines that wrap.
    #[must_use]
    pub fn unbroken(&self) -> String {
        let shown = |part: &Part| match part {
            Part::Words(words) => words.clone(),
            Part::Number(number) => {
                let halves = number.shown.split(" (").map(|half| half.replace(' ', "\u{a0}"));
                halves.collect::<Vec<_>>().join(" (")
            }
        };
        self.parts.iter().map(shown).collect()
    }

    /// The numbers.
    pub fn numbers(&self) -> impl Iterator<Item = &Evidence> {
        self.parts.iter().filter_map(|part| match part {
            Part::Number(number) => Some(number),
            Part::Words(_) => None,
        })
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Words(words) => f.write_str(words),
            Part::Number(number) => f.write_str(&number.shown),
        })
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Sentence", 3)?;
        object.serialize_field("id", self.id)?;
        object.serialize_field("text", &self.to_string())?;
        object.serialize_field("numbers", &self.numbers().collect::<Vec<_>>())?;
        object.end()
    }
}

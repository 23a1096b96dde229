//! A text that describes something: parsed, with settings on top, decoded and refused with a sentence and a place.

use serde::de::DeserializeOwned;

use crate::decode::Decoder;
use crate::node::{Content, Node, Origin};
use crate::setting::Setting;
use crate::text_error::TextError;
use crate::validation::Invalid;

/// What a text describes, as messages call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    /// With its article, such as `a scenario`.
    pub name: &'static str,
    /// Whether every key that it must have at the top is a table.
    pub is_in_tables: bool,
}

impl Subject {
    /// A scenario.
    pub const SCENARIO: Self = Self {
        name: "a scenario",
        is_in_tables: true,
    };
}

/// Where something was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In the text.
    Text,
    /// In a setting on top of it.
    Setting,
}

/// A parsed text in which every value knows where it was written.
///
/// ```
/// use retrylab_model::{Document, Subject};
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Shop { open: bool }
///
/// let subject = Subject { name: "a shop", is_in_tables: false };
/// let shop: Shop = Document::parse("open = true", subject)?.decode()?;
/// assert!(shop.open);
/// let error = Document::parse("opne = true", subject)?.decode::<Shop>().unwrap_err();
/// assert_eq!(error.message(), "unknown key \"opne\" in a shop; expected open (did you mean open?)");
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    root: Node,
    settings: Vec<Setting>,
    subject: Subject,
}

impl Document {
    /// Parses a TOML text.
    ///
    /// # Errors
    /// [`TextError`] where it is not TOML.
    pub fn parse(text: &str, subject: Subject) -> Result<Self, TextError> {
        Ok(Self {
            root: Node::from_text(text)?,
            settings: Vec::new(),
            subject,
        })
    }

    /// Puts settings on top, in their order.
    ///
    /// # Errors
    /// [`TextError`] for a setting whose key leads nowhere.
    pub fn with_settings(mut self, settings: &[Setting]) -> Result<Self, TextError> {
        for setting in settings {
            setting.apply(&mut self.root, self.settings.len())?;
            self.settings.push(setting.clone());
        }
        Ok(self)
    }

    /// What the text says, as a type.
    ///
    /// # Errors
    /// [`TextError`] for the first key or value that the type does not have.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, TextError> {
        T::deserialize(Decoder::new(&self.root, self.subject))
            .map_err(|error| error.into_text_error(&self.settings))
    }

    /// The table under a key as a document of its own, whose mistakes are placed in this text; none where there is no table.
    ///
    /// ```
    /// use retrylab_model::{Document, ScenarioSpec, Subject};
    ///
    /// let text = "[scenario.traffic]\nrate = \"fast\"\n";
    /// let plan = Document::parse(text, Subject { name: "a plan", is_in_tables: false })?;
    /// let scenario = plan.part("scenario", Subject::SCENARIO).expect("it is there");
    /// let error = scenario.decode::<ScenarioSpec>().unwrap_err();
    /// assert_eq!(error.span().map(|span| &text[span]), Some("\"fast\""));
    /// # Ok::<(), retrylab_model::TextError>(())
    /// ```
    #[must_use]
    pub fn part(&self, key: &str, subject: Subject) -> Option<Self> {
        let Content::Table(entries) = &self.root.content else {
            return None;
        };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        matches!(entry.node.content, Content::Table(_)).then(|| Self {
            root: entry.node.clone(),
            settings: self.settings.clone(),
            subject,
        })
    }

    /// Where the value at a path was written.
    #[must_use]
    pub fn source_of(&self, path: &str) -> Source {
        match self.root.origin_of(path) {
            Some(Origin::Setting(_)) => Source::Setting,
            Some(Origin::Text(_)) | None => Source::Text,
        }
    }

    /// An error in a sentence of its own about the value at a path, with the place where it was written.
    #[must_use]
    pub fn refuse_at(&self, path: &str, sentence: String) -> TextError {
        TextError::new(sentence).originating(self.root.origin_of(path), &self.settings)
    }

    /// The error for a value that is not accepted, with the place where it was written.
    #[must_use]
    pub fn refuse(&self, invalid: &Invalid) -> TextError {
        self.refuse_at(&invalid.path, invalid.to_string())
    }
}

//! Why a text does not describe what it is to describe.

use std::fmt;
use std::ops::Range;

use crate::node::Origin;
use crate::setting::Setting;

/// Why a text, or a text with settings on top, is not a scenario or what else it is to be: one sentence, and where to look.
///
/// ```
/// use retrylab_model::Scenario;
/// let text = "[traffic]\nrate = 0.6\n[client]\nattempts = 0\n";
/// let error = Scenario::from_toml(text).unwrap_err();
/// assert_eq!(error.message(), "client.attempts is 0, but must be a whole number from 1 to 65535");
/// assert_eq!(error.span().map(|span| &text[span]), Some("0"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    message: String,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Nowhere,
    Text(Range<usize>),
    Setting(Setting),
}

impl TextError {
    pub(crate) fn new(message: String) -> Self {
        Self {
            message,
            place: Place::Nowhere,
        }
    }

    pub(crate) fn syntax(reason: &str) -> Self {
        Self::new(format!("this is not TOML: {reason}"))
    }

    pub(crate) fn at(mut self, span: Option<Range<usize>>) -> Self {
        self.place = span.map_or(Place::Nowhere, Place::Text);
        self
    }

    pub(crate) fn in_setting(mut self, setting: &Setting) -> Self {
        self.place = Place::Setting(setting.clone());
        self
    }

    pub(crate) fn originating(self, origin: Option<&Origin>, settings: &[Setting]) -> Self {
        match origin {
            None => self,
            Some(Origin::Text(span)) => self.at(Some(span.clone())),
            Some(Origin::Setting(index)) => self.in_setting(&settings[*index]),
        }
    }

    /// The sentence, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The bytes of the text that the sentence is about, where it is about some.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        match &self.place {
            Place::Text(span) => Some(span.clone()),
            Place::Nowhere | Place::Setting(_) => None,
        }
    }

    /// The setting that the sentence is about, where it is about one.
    #[must_use]
    pub fn setting(&self) -> Option<&Setting> {
        match &self.place {
            Place::Setting(setting) => Some(setting),
            Place::Nowhere | Place::Text(_) => None,
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Nowhere | Place::Text(_) => f.write_str(&self.message),
            Place::Setting(setting) => write!(f, "in the setting {setting}: {}", self.message),
        }
    }
}

impl std::error::Error for TextError {}

//! A parsed scenario document in which every key and value knows where it was written.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::text_error::TextError;
use crate::unit_text::Shortest;
use crate::wording::quotation;

/// Deepest nesting of tables and arrays; the language itself needs five levels.
const DEPTH_MAX: usize = 32;

/// Where a key or value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In the text, at these bytes.
    Text(Range<usize>),
    /// In the setting with this index.
    Setting(usize),
}

/// A value and where it was written.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) content: Content,
    pub(crate) origin: Origin,
}

/// A value.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// A setting took the key away: the key must be a known one, and its default applies.
    Absent,
    Text(String),
    Integer(i128),
    Float(f64),
    Boolean(bool),
    Date(String),
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_origin: Origin,
    pub(crate) node: Node,
}

impl Node {
    /// Parses a whole document.
    pub(crate) fn from_text(text: &str) -> Result<Self, TextError> {
        let document =
            DeTable::parse(text).map_err(|error| TextError::syntax(error.message()).at(error.span()))?;
        let span = document.span();
        Self::from_value(Spanned::new(span, DeValue::Table(document.into_inner())), None, 0)
    }

    /// Parses the value of a setting; what is not a TOML value is taken as a string.
    pub(crate) fn from_setting(value: &str, setting: usize) -> Result<Self, TextError> {
        match DeValue::parse(value) {
            Ok(parsed) => Self::from_value(parsed, Some(setting), 0),
            Err(_) => Ok(Self {
                content: Content::Text(value.to_owned()),
                origin: Origin::Setting(setting),
            }),
        }
    }

    fn from_value(
        value: Spanned<DeValue<'_>>,
        setting: Option<usize>,
        depth: usize,
    ) -> Result<Self, TextError> {
        let origin_of = |span| setting.map_or(Origin::Text(span), Origin::Setting);
        let span = value.span();
        if depth > DEPTH_MAX {
            let message = format!("tables and arrays are nested more than {DEPTH_MAX} deep");
            return Err(TextError::syntax(&message).at(setting.is_none().then_some(span)));
        }
        let content = match value.into_inner() {
            DeValue::String(text) => Content::Text(text.into_owned()),
            DeValue::Integer(integer) => integer_content(&integer),
            // The standard parser reads every TOML float; beyond the largest number it gives infinity, which
            // validation refuses.
            DeValue::Float(float) => Content::Float(float.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(boolean) => Content::Boolean(boolean),
            DeValue::Datetime(date) => Content::Date(date.to_string()),
            DeValue::Array(array) => Content::Array(
                array
                    .into_iter()
                    .map(|item| Self::from_value(item, setting, depth + 1))
                    .collect::<Result<_, _>>()?,
            ),
            DeValue::Table(table) => Content::Table(
                table
                    .into_iter()
                    .map(|(key, value)| {
                        Ok(Entry {
                            key_origin: origin_of(key.span()),
                            key: key.into_inner().into_owned(),
                            node: Self::from_value(value, setting, depth + 1)?,
                        })
                    })
                    .collect::<Result<_, TextError>>()?,
            ),
        };
        Ok(Self {
            content,
            origin: origin_of(span),
        })
    }

    /// Where the value at a dotted path was written, or the innermost table around it that was.
    pub(crate) fn origin_of(&self, path: &str) -> Option<&Origin> {
        let mut node = self;
        let mut origin = None;
        for segment in path.split('.') {
            let child = match &node.content {
                Content::Table(entries) => entries
                    .iter()
                    .find(|entry| entry.key == segment)
                    .map(|entry| &entry.node),
                Content::Array(items) => segment.parse().ok().and_then(|index: usize| items.get(index)),
                _ => None,
            };
            let Some(child) = child else { break };
            origin = Some(&child.origin);
            node = child;
        }
        origin
    }
}

impl Entry {
    /// Whether no setting took the key away.
    pub(crate) fn is_present(&self) -> bool {
        !matches!(self.node.content, Content::Absent)
    }
}

/// An integer, or the nearest number where it has too many digits for one.
fn integer_content(integer: &DeInteger<'_>) -> Content {
    i128::from_str_radix(integer.as_str(), integer.radix()).map_or_else(
        |_| Content::Float(integer.as_str().parse().unwrap_or(f64::INFINITY)),
        Content::Integer,
    )
}

/// The value as a message quotes it.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("absent"),
            Self::Text(text) => write!(f, "\"{}\"", quotation(text)),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Float(float) => write!(f, "{}", Shortest(*float)),
            Self::Boolean(boolean) => write!(f, "{boolean}"),
            Self::Date(date) => write!(f, "the date {date}"),
            Self::Array(_) => f.write_str("an array"),
            Self::Table(_) => f.write_str("a table"),
        }
    }
}

//! Values that are kept as they were written, for keys whose meaning depends on other keys.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use toml::Value;

use crate::node::{Content, Entry, Node};
use crate::text_error::TextError;

/// The name by which the decoder knows that a value is wanted as it was written.
pub(crate) const WRITTEN: &str = "$retrylab::Written";

/// A TOML value of any kind, as it was written in a [`Document`](crate::Document).
///
/// ```
/// use retrylab_model::{Document, Subject, Written};
///
/// #[derive(serde::Deserialize)]
/// struct Shelf { things: Vec<Written> }
///
/// let text = "things = [3, \"50ms\", { constant = { delay = 1.0 } }]";
/// let shelf: Shelf = Document::parse(text, Subject { name: "a shelf", is_in_tables: false })?.decode()?;
/// assert_eq!(shelf.things[0].number(), Some(3.0));
/// assert_eq!(shelf.things[1].text(), Some("50ms"));
/// assert_eq!(shelf.things[2].to_string(), "{ constant = { delay = 1.0 } }");
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Written(Value);

impl Written {
    /// The text, where it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.0.as_str()
    }

    /// The number, where it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self.0 {
            Value::Integer(integer) => Some(integer as f64),
            Value::Float(float) => Some(float),
            _ => None,
        }
    }

    /// Whether it is a number without a point or an exponent.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    /// Whether it is a table.
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.0.is_table()
    }

    /// The items, where it is an array.
    #[must_use]
    pub fn items(&self) -> Option<Vec<Self>> {
        Some(self.0.as_array()?.iter().cloned().map(Self).collect())
    }
}

/// The value in TOML, on one line.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for Written {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        text.parse()
            .map(Self)
            .map_err(|error: toml::de::Error| TextError::syntax(error.message()))
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Verbatim;
        impl Visitor<'_> for Verbatim {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Written, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_newtype_struct(WRITTEN, Verbatim)
    }
}

impl Node {
    /// The value in TOML, on one line.
    pub(crate) fn to_toml(&self) -> String {
        self.value().to_string()
    }

    fn value(&self) -> Value {
        match &self.content {
            // What was taken away is not written anywhere: its tables do not have it.
            Content::Absent => Value::String(String::new()),
            Content::Text(text) => Value::String(text.clone()),
            Content::Integer(integer) => {
                i64::try_from(*integer).map_or(Value::Float(*integer as f64), Value::Integer)
            }
            Content::Float(float) => Value::Float(*float),
            Content::Boolean(boolean) => Value::Boolean(*boolean),
            Content::Date(date) => date
                .parse()
                .map_or_else(|_| Value::String(date.clone()), Value::Datetime),
            Content::Array(items) => Value::Array(items.iter().map(Self::value).collect()),
            Content::Table(entries) => Value::Table(
                entries
                    .iter()
                    .filter(|entry| entry.is_present())
                    .map(|Entry { key, node, .. }| (key.clone(), node.value()))
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Document, Subject};

    #[derive(Debug, serde::Deserialize)]
    struct Only {
        value: Written,
    }

    fn written(text: &str) -> Written {
        let subject = Subject {
            name: "a test",
            is_in_tables: false,
        };
        let only: Only = Document::parse(&format!("value = {text}"), subject)
            .unwrap()
            .decode()
            .unwrap();
        only.value
    }

    #[test]
    fn every_kind_of_value_is_kept() {
        for (text, kept) in [
            ("3", "3"),
            ("3.0", "3.0"),
            ("1e-9", "0.000000001"),
            ("nan", "nan"),
            ("true", "true"),
            ("'x'", "\"x\""),
            ("[ 1, 2.5, \"3s\" ]", "[1, 2.5, \"3s\"]"),
            ("{ a = { b = [1] } }", "{ a = { b = [1] } }"),
            ("1979-05-27", "1979-05-27"),
        ] {
            let value = written(text);
            let again = written(&value.to_string());
            assert_eq!(value.to_string(), kept);
            assert_eq!(again.to_string(), kept);
        }
    }

    #[test]
    fn a_whole_number_with_a_point_is_no_integer() {
        assert!(written("3").is_integer() && !written("3.0").is_integer());
        assert_eq!(written("3").number(), written("3.0").number());
        assert_eq!(written("[1, 2]").items().map(|items| items.len()), Some(2));
        assert!(written("{}").is_table() && !written("[]").is_table());
    }

    proptest! {
        #[test]
        fn texts_and_numbers_come_back(text in "\\PC{0,20}", number in any::<f64>().prop_filter("equal to itself", |x| !x.is_nan())) {
            let quoted = Value::String(text.clone()).to_string();
            let kept = written(&quoted);
            prop_assert_eq!(kept.text(), Some(text.as_str()));
            let kept = written(&Value::Float(number).to_string());
            prop_assert_eq!(kept.number().map(f64::to_bits), Some(number.to_bits()));
        }
    }
}

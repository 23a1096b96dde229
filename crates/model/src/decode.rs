//! A serde decoder over a document, whose errors say in one sentence what is wrong and where it was written.
//!
//! serde's own decoders describe mistakes in the words of Rust types. This one checks names before serde sees them and
//! knows the path of every value, which is what makes the sentences short.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::decode_error::{DecodeError, table_name};
use crate::decode_kind::Kind;
use crate::document::Subject;
use crate::node::{Content, Entry, Node};
use crate::wording::{expected, quotation};
use crate::written::WRITTEN;

/// Decodes one value.
#[derive(Debug, Clone)]
pub(crate) struct Decoder<'de> {
    node: &'de Node,
    path: String,
    subject: Subject,
}

impl<'de> Decoder<'de> {
    pub(crate) fn new(node: &'de Node, subject: Subject) -> Self {
        Self {
            node,
            path: String::new(),
            subject,
        }
    }

    pub(crate) fn content(&self) -> &'de Content {
        &self.node.content
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The decoder of a value inside this one.
    pub(crate) fn child(&self, key: &str, node: &'de Node) -> Self {
        let path = if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        };
        Self {
            node,
            path,
            subject: self.subject,
        }
    }

    /// Says what would be accepted instead of the value, as a phrase that follows "must be".
    pub(crate) fn refused<T>(&self, accepted: &str) -> Result<T, DecodeError> {
        Err(DecodeError::refused(accepted).at(&self.path, self.node, self.subject))
    }

    /// Says something of its own about the value.
    pub(crate) fn sentence<T>(&self, sentence: String) -> Result<T, DecodeError> {
        Err(DecodeError::located(sentence, &self.node.origin))
    }

    /// A count, and the lowest that is accepted where it is negative.
    fn count(&self, lowest: u32) -> Result<u32, DecodeError> {
        match self.node.content {
            Content::Integer(integer) => match u32::try_from(integer) {
                Ok(count) => Ok(count),
                Err(_) if integer < 0 => self.refused(&format!("a whole number of at least {lowest}")),
                Err(_) => self.refused("a whole number of at most 4294967295"),
            },
            Content::Float(_) => self.sentence(format!(
                "{} is written as a decimal number, {}, but must be a whole number, without a point or an exponent",
                self.path,
                self.content()
            )),
            _ => self.refused("a whole number"),
        }
    }

    /// The entries of a table with these fields, without those that a setting took away.
    fn entries(&self, fields: &[&str]) -> Result<Vec<&'de Entry>, DecodeError> {
        let Content::Table(entries) = &self.node.content else {
            return self.refused("a table");
        };
        if let Some(stranger) = entries.iter().find(|entry| !fields.contains(&entry.key.as_str())) {
            return Err(DecodeError::located(
                format!(
                    "unknown key \"{}\" in {}; {}",
                    quotation(&stranger.key),
                    table_name(&self.path, self.subject),
                    expected(&stranger.key, fields)
                ),
                &stranger.key_origin,
            ));
        }
        Ok(entries.iter().filter(|entry| entry.is_present()).collect())
    }

    /// What is to blame for an error of a table: the setting that took away a key that is missing, or else the table.
    fn blamed(&self, error: &DecodeError) -> &'de Node {
        if let (DecodeError::MissingKey(key), Content::Table(entries)) = (error, &self.node.content)
            && let Some(taken) = entries.iter().find(|entry| entry.key == *key)
        {
            &taken.node
        } else {
            self.node
        }
    }

    fn scalar<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, DecodeError> {
        let at = |error: DecodeError| error.at(&self.path, self.node, self.subject);
        match &self.node.content {
            Content::Text(text) => visitor.visit_str(text),
            Content::Boolean(boolean) => visitor.visit_bool(*boolean),
            Content::Float(float) => visitor.visit_f64(*float),
            Content::Integer(integer) => match i64::try_from(*integer) {
                Ok(integer) => visitor.visit_i64(integer),
                Err(_) => visitor.visit_f64(*integer as f64),
            },
            Content::Absent | Content::Date(_) | Content::Array(_) | Content::Table(_) => {
                Err(DecodeError::refused(&visitor as &dyn serde::de::Expected))
            }
        }
        .map_err(at)
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.content {
            // What takes a scalar or a table decodes the table by itself; what takes scalars only refuses it.
            Content::Table(_) => {
                let (path, node, subject) = (self.path.clone(), self.node, self.subject);
                visitor
                    .visit_newtype_struct(self)
                    .map_err(|error| error.at(&path, node, subject))
            }
            _ => self.scalar(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.content {
            Content::Text(text) => visitor.visit_str(text),
            _ => self.refused("a text in quotes"),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.content {
            Content::Float(float) => visitor.visit_f64(float),
            Content::Integer(integer) => visitor.visit_f64(integer as f64),
            _ => self.refused("a number"),
        }
    }

    // Counts of a scenario start at 1; whether more is asked of one, validation says.
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let count = self.count(1)?;
        visitor.visit_u32(count)
    }

    // A count that may be zero is asked for as a longer one.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let count = self.count(0)?;
        visitor.visit_u32(count)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == WRITTEN {
            visitor.visit_string(self.node.to_toml())
        } else {
            self.deserialize_any(visitor)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.content {
            Content::Array(items) => visitor.visit_seq(Items {
                parent: &self,
                items,
                next: 0,
            }),
            _ => self.refused("an array"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let entries = self.entries(fields)?;
        let fields = Fields {
            parent: &self,
            entries: entries.into_iter(),
            value: None,
        };
        visitor.visit_map(fields).map_err(|error| {
            let blamed = self.blamed(&error);
            error.at(&self.path, blamed, self.subject)
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(Kind::of(&self, variants)?)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u128 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct map
        identifier ignored_any
    }
}

/// The items of an array.
struct Items<'d, 'de> {
    parent: &'d Decoder<'de>,
    items: &'de [Node],
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.items.get(self.next) else {
            return Ok(None);
        };
        let decoder = self.parent.child(&self.next.to_string(), item);
        self.next += 1;
        if let Content::Absent = item.content {
            let sentence = format!("{} cannot be taken away; set the whole array", decoder.path);
            return decoder.sentence(sentence);
        }
        seed.deserialize(decoder).map(Some)
    }
}

/// The known keys of a table.
struct Fields<'d, 'de> {
    parent: &'d Decoder<'de>,
    entries: std::vec::IntoIter<&'de Entry>,
    value: Option<Decoder<'de>>,
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some(entry) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(self.parent.child(&entry.key, &entry.node));
        let key: StrDeserializer<'_, DecodeError> = entry.key.as_str().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        match self.value.take() {
            Some(decoder) => seed.deserialize(decoder),
            None => unreachable!("serde asks for a key before its value"),
        }
    }
}

//! Decoding of a choice among kinds: a name alone, or a table whose one key is the name.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

use crate::decode::Decoder;
use crate::decode_error::DecodeError;
use crate::node::{Content, Entry, Node};
use crate::wording::{alternatives, expected, quotation};

/// The kind that was chosen, with the table of its keys where there is one.
pub(crate) struct Kind<'d, 'de> {
    name: &'de str,
    keys: Option<&'de Node>,
    decoder: &'d Decoder<'de>,
}

impl<'d, 'de> Kind<'d, 'de> {
    /// The choice that the decoder's value makes among the names of all kinds.
    pub(crate) fn of(decoder: &'d Decoder<'de>, names: &[&str]) -> Result<Self, DecodeError> {
        let (name, keys) = match decoder.content() {
            Content::Text(name) => (name.as_str(), None),
            Content::Table(entries) => {
                let entry = only_entry(decoder, entries, names)?;
                (entry.key.as_str(), Some(&entry.node))
            }
            _ => {
                let listed = alternatives(names.iter().copied());
                return decoder.refused(&format!("one of the kinds {listed}"));
            }
        };
        if names.contains(&name) {
            Ok(Self { name, keys, decoder })
        } else {
            decoder.sentence(format!(
                "unknown kind \"{}\" of {}; {}",
                quotation(name),
                decoder.path(),
                expected(name, names)
            ))
        }
    }

    fn needs<T>(&self, keys: &str) -> Result<T, DecodeError> {
        self.decoder.sentence(format!(
            "{path} \"{name}\" needs {keys}, as in {path} = {{ {name} = {{ … }} }}",
            path = self.decoder.path(),
            name = self.name
        ))
    }
}

fn only_entry<'de>(
    decoder: &Decoder<'de>,
    entries: &'de [Entry],
    names: &[&str],
) -> Result<&'de Entry, DecodeError> {
    let present: Vec<&Entry> = entries.iter().filter(|entry| entry.is_present()).collect();
    match present.as_slice() {
        [only] => Ok(only),
        [] => decoder.sentence(format!(
            "{} is an empty table; expected {}",
            decoder.path(),
            alternatives(names.iter().copied())
        )),
        [first, second, ..] => Err(DecodeError::located(
            format!(
                "{} is both \"{}\" and \"{}\"; give one of them",
                decoder.path(),
                quotation(&first.key),
                quotation(&second.key)
            ),
            &second.key_origin,
        )),
    }
}

impl<'de> EnumAccess<'de> for Kind<'_, 'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        let name: StrDeserializer<'_, DecodeError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Kind<'_, 'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.keys {
            None => Ok(()),
            Some(_) => self.decoder.sentence(format!(
                "{path} \"{name}\" takes no keys; write it as a text, \"{name}\"",
                path = self.decoder.path(),
                name = self.name
            )),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DecodeError> {
        match self.keys {
            Some(node) => seed.deserialize(self.decoder.child(self.name, node)),
            None => self.needs("its keys"),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, DecodeError> {
        match self.keys {
            Some(node) => self.decoder.child(self.name, node).deserialize_seq(visitor),
            None => self.needs("its values"),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.keys {
            Some(node) => self
                .decoder
                .child(self.name, node)
                .deserialize_struct("", fields, visitor),
            None => self.needs(&fields.join(", ")),
        }
    }
}

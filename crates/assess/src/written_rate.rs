//! A rate that remembers the unit in which somebody wrote it, so that the answer is in the same unit.

use std::fmt;

use std::borrow::Cow;

use retrylab_model::{Rate, rate_with_unit_schema};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A rate with a unit, such as `48000/min`.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenRate {
    rate: Rate,
    per: String,
}

const EXPECTED: &str = "a rate with a unit, such as \"800/s\" or \"48000/min\"";

impl WrittenRate {
    /// The rate, per second.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The name of the unit of time, such as `min`.
    #[must_use]
    pub fn per(&self) -> &str {
        &self.per
    }

    /// How many per second one per unit of time is.
    #[must_use]
    pub fn unit(&self) -> f64 {
        match format!("1/{}", self.per).parse::<Rate>() {
            Ok(unit) => unit.value(),
            Err(error) => unreachable!("the unit was read before, but: {error}"),
        }
    }
}

impl std::str::FromStr for WrittenRate {
    type Err = retrylab_model::UnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rate: Rate = text.parse()?;
        let per = text.split_once('/').map_or("s", |(_, unit)| unit.trim());
        Ok(Self {
            rate,
            per: per.to_owned(),
        })
    }
}

impl fmt::Display for WrittenRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.rate.value() / self.unit(), self.per)
    }
}

impl Serialize for WrittenRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rate.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WrittenRate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = WrittenRate;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<WrittenRate, E> {
                text.parse()
                    .map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Text)
    }
}

impl JsonSchema for WrittenRate {
    fn schema_name() -> Cow<'static, str> {
        "WrittenRate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = rate_with_unit_schema();
        schema.insert("description".to_owned(), EXPECTED.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_remembered() {
        let rate: WrittenRate = "48000/min".parse().unwrap();
        assert_eq!(
            (rate.rate().value(), rate.per(), rate.unit()),
            (800.0, "min", 1.0 / 60.0)
        );
        assert_eq!(rate.to_string(), "48000/min");
        assert!("800".parse::<WrittenRate>().is_err());
    }
}

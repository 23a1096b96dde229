//! JSON Schemas of what texts describe, from which editors complete and check them.
//!
//! A schema knows names, types and what stands beside what; whether values fit together, validation says.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::measured::TimeUnit;
use crate::scenario::ScenarioSpec;
use crate::timeout::{Distribution, Timeout};
use crate::unit::{Rate, Time};
use crate::written::Written;

/// A decimal number, as texts with a unit begin with one.
const NUMBER: &str = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?";
/// Names of units.
const UNITS: [&str; 8] = ["ns", "us", "µs", "ms", "s", "min", "h", "d"];

/// The schema of a type as JSON, the same bytes on every machine.
///
/// ```
/// let schema = retrylab_model::schema_of::<retrylab_model::Run>("Run");
/// assert!(schema.contains("\"title\": \"Run\""));
/// assert!(schema.ends_with("}\n"));
/// // What is for programmers stays in their documentation.
/// assert!(!retrylab_model::scenario_schema().contains("```"));
/// ```
#[must_use]
pub fn schema_of<T: JsonSchema>(title: &str) -> String {
    let settings = SchemaSettings::draft07().with_transform(RecursiveTransform(describe));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    format!("{:#}\n", schema.to_value())
}

/// Makes a description one for readers of a text: without examples in Rust, and with the names alone of what it links to.
fn describe(schema: &mut Schema) {
    let Some(description) = schema.get("description").and_then(|text| text.as_str()) else {
        return;
    };
    let words = description.split("\n\n```").next().unwrap_or_default();
    let mut plain = String::new();
    let mut rest = words;
    while let Some((before, link)) = rest.split_once("[`") {
        plain.push_str(before);
        let Some((name, after)) = link.split_once("`]") else {
            rest = link;
            break;
        };
        plain.push_str(name);
        rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain.push_str(rest);
    schema.insert("description".to_owned(), plain.into());
}

/// The schema of a scenario.
#[must_use]
pub fn scenario_schema() -> String {
    schema_of::<ScenarioSpec>("A scenario of retrylab")
}

fn units() -> String {
    UNITS.join("|")
}

/// The schema of a rate with a unit, such as `"800/s"`.
#[must_use]
pub fn rate_with_unit_schema() -> Schema {
    json_schema!({ "type": "string", "pattern": format!(r"^\s*{NUMBER}\s*/\s*({})\s*$", units()) })
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A time: a number in the scenario's own unit, or a text with a unit such as \"120ms\".",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": format!(r"^\s*{NUMBER}\s*({})\s*$", units()) },
            ],
        })
    }
}

impl JsonSchema for Rate {
    fn schema_name() -> Cow<'static, str> {
        "Rate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A rate: a number per unit of time, or a text with a unit such as \"800/s\".",
            "anyOf": [
                { "type": "number" },
                rate_with_unit_schema(),
            ],
        })
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A time, or a distribution of times.",
            "anyOf": [generator.subschema_for::<Time>(), generator.subschema_for::<Distribution>()],
        })
    }
}

impl JsonSchema for TimeUnit {
    fn schema_name() -> Cow<'static, str> {
        "TimeUnit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A unit of time.", "enum": UNITS })
    }
}

impl JsonSchema for Written {
    fn schema_name() -> Cow<'static, str> {
        "Written".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A value of any kind." })
    }
}

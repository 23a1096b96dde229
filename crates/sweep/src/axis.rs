//! Axes: the values that one or several keys of a scenario take together.

use retrylab_model::{Rate, Setting, Time, Written};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::steps;

/// What an axis is in a plan's text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisSpec {
    /// What the axis is called; the key when absent.
    #[serde(default)]
    name: Option<String>,
    /// The key of the scenario that it sets.
    #[serde(default)]
    key: Option<String>,
    /// Several keys that it sets together.
    #[serde(default)]
    keys: Option<Vec<String>>,
    /// Values, or for several keys an array of values each.
    #[serde(default)]
    values: Option<Vec<Written>>,
    /// First value of a range.
    #[serde(default)]
    from: Option<Written>,
    /// Last value of a range.
    #[serde(default)]
    to: Option<Written>,
    /// Number of values of a range.
    #[serde(default)]
    steps: Option<u32>,
    /// How the values of a range lie between its ends.
    #[serde(default)]
    scale: Option<Spacing>,
}

/// How values lie between the ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Spacing {
    /// At equal distances.
    Linear,
    /// At equal ratios.
    Logarithmic,
}

/// One direction of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it is called.
    pub name: String,
    /// The keys that it sets, all of them at every position.
    pub keys: Vec<String>,
    /// Whether charts draw it on a logarithmic scale.
    pub logarithmic: bool,
    /// Its positions; each has a value for every key.
    pub positions: Vec<Vec<AxisValue>>,
}

/// The value of a key at a position of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisValue {
    /// As people write it, without quotes around a text; `default` where the key is taken away.
    pub label: String,
    /// As a number where it is one: times in seconds and rates per second where they have a unit.
    pub number: Option<f64>,
    pub(crate) setting: Setting,
}

/// A mistake in an axis: the key that it is in, and the sentence.
pub(crate) type AxisMistake = (String, String);

fn mistake<T>(key: impl Into<String>, sentence: impl Into<String>) -> Result<T, AxisMistake> {
    Err((key.into(), sentence.into()))
}

impl Axis {
    /// `called` is what messages call the axis, such as `axis 2`; `values_max` the most positions that it may have.
    pub(crate) fn new(spec: &AxisSpec, called: &str, values_max: usize) -> Result<Self, AxisMistake> {
        let keys = match (&spec.key, &spec.keys) {
            (Some(key), None) => vec![key.clone()],
            (None, Some(keys)) if keys.is_empty() => {
                return mistake("keys", format!("{called} has an empty array of keys"));
            }
            (None, Some(keys)) => keys.clone(),
            (Some(_), Some(_)) => {
                return mistake("key", format!("{called} has both key and keys; give one of them"));
            }
            (None, None) => {
                return mistake(
                    "",
                    format!("{called} lacks a key, such as key = \"client.timeout\""),
                );
            }
        };
        for (index, key) in keys.iter().enumerate() {
            if let Err(error) = Setting::new(key, "0") {
                let place = if spec.key.is_some() {
                    "key".to_owned()
                } else {
                    format!("keys.{index}")
                };
                return mistake(place, error.message());
            }
            if keys[..index].contains(key) {
                return mistake(
                    format!("keys.{index}"),
                    format!("{called} names the key {key} twice"),
                );
            }
        }
        let is_range = spec.from.is_some() || spec.to.is_some() || spec.steps.is_some();
        let rows = match &spec.values {
            Some(_) if is_range => {
                return mistake(
                    "values",
                    format!("{called} has both values and a range; give one of them"),
                );
            }
            Some(values) if values.is_empty() => {
                return mistake("values", format!("{called} has no values; give at least one"));
            }
            Some(values) if values.len() > values_max => {
                return mistake(
                    "values",
                    format!(
                        "{called} has {} values, but a plan has at most {values_max} points",
                        values.len()
                    ),
                );
            }
            Some(values) => listed(values, &keys, called)?,
            None => range(spec, &keys, called, values_max)?,
        };
        let positions = rows
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&keys)
                    .map(|(value, key)| AxisValue::new(key, value))
                    .collect()
            })
            .collect();
        Ok(Self {
            name: spec.name.clone().unwrap_or_else(|| keys.join(", ")),
            keys,
            logarithmic: spec.scale == Some(Spacing::Logarithmic),
            positions,
        })
    }
}

/// The rows of values: a value for each key.
fn listed(values: &[Written], keys: &[String], called: &str) -> Result<Vec<Vec<Written>>, AxisMistake> {
    values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let place = || format!("values.{index}");
            let row = if keys.len() == 1 {
                vec![value.clone()]
            } else {
                match value.items() {
                    Some(items) if items.len() == keys.len() => items,
                    Some(items) => {
                        return mistake(
                            place(),
                            format!(
                                "{called} has {} keys, but {} values here",
                                keys.len(),
                                items.len()
                            ),
                        );
                    }
                    None => {
                        return mistake(
                            place(),
                            format!(
                                "{called} has {} keys, so each of its values is an array of as many",
                                keys.len()
                            ),
                        );
                    }
                }
            };
            let nan = |value: &Written| value.number().is_some_and(|number| !number.is_finite());
            match row.iter().find(|value| nan(value)) {
                Some(bad) => mistake(
                    place(),
                    format!("{called} has the value {bad}, but numbers must be finite"),
                ),
                None => Ok(row),
            }
        })
        .collect()
}

/// The rows of a range, of one value each.
fn range(
    spec: &AxisSpec,
    keys: &[String],
    called: &str,
    values_max: usize,
) -> Result<Vec<Vec<Written>>, AxisMistake> {
    if keys.len() > 1 {
        return mistake(
            "keys",
            format!("{called} has several keys, so it needs values and not a range"),
        );
    }
    let (Some(from), Some(to), Some(count)) = (&spec.from, &spec.to, spec.steps) else {
        return mistake("", format!("{called} needs either values, or from, to and steps"));
    };
    if count as usize > values_max {
        return mistake(
            "steps",
            format!("{called} has {count} steps, but a plan has at most {values_max} points"),
        );
    }
    let spacing = spec.scale.unwrap_or(Spacing::Linear);
    let values = steps::between(from, to, count, spacing)
        .map_err(|(key, sentence)| (key.to_owned(), format!("{called} {sentence}")))?;
    Ok(values.into_iter().map(|value| vec![value]).collect())
}

impl AxisValue {
    fn new(key: &str, value: &Written) -> Self {
        // An empty text takes the key away, as --set KEY= does.
        let (label, written) = match value.text() {
            Some("") => ("default".to_owned(), String::new()),
            Some(text) => (text.to_owned(), value.to_string()),
            None => (value.to_string(), value.to_string()),
        };
        let number = value.number().or_else(|| {
            let text = value.text()?;
            let time = text.parse::<Time>().map(Time::value).ok();
            time.or_else(|| text.parse::<Rate>().map(Rate::value).ok())
        });
        match Setting::new(key, &written) {
            Ok(setting) => Self {
                label,
                number,
                setting,
            },
            Err(error) => unreachable!("the key was checked: {error}"),
        }
    }
}

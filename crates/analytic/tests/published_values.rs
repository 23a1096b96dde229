//! Every quantity against values that somebody else published or computed: `tests/reference/published`.
//!
//! A file has `sources`, by name, and `values`, each `{"quantity", "parameters": {name: number}, "result", "printed",
//! "source", "recomputed"}`: what the source prints, to half a unit of its last digit, and the same in 40 digits by the
//! script beside the file. A source may print a multiple or a complement: then `printed` is `scale` · result + `offset`.
//! `disagreements` are values of the same shape that the source is known to print otherwise, each with the reason.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use approx::relative_eq;
use retrylab_analytic::{QUANTITIES, Value, find};
use serde::Deserialize;

/// The accuracy that every result promises, against the recomputed value.
const RELATIVE_TOLERANCE: f64 = 1e-12;
/// Roundings of a double in a result, its multiple, a sum and the number printed: next to nothing, but not nothing.
const ROUNDINGS: f64 = 4.0;
/// Quantities of which no published value is known that fits: the documents leave parameters open, or measured others.
const PUBLISHED_NEVER: [&str; 2] = ["fold", "stall-line"];
/// Quantities of which one published value is known; of all others there are two or more.
const PUBLISHED_ONCE: [&str; 4] = ["budget-line", "capped-share", "stuck-drain", "token-pool"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    author: String,
    title: String,
    /// Where in the work.
    #[serde(rename = "where")]
    place: String,
    /// What was read, if not the work itself; `run` for a package.
    read: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    quantity: String,
    parameters: BTreeMap<String, f64>,
    result: String,
    printed: String,
    #[serde(default = "one")]
    scale: f64,
    #[serde(default)]
    offset: f64,
    source: String,
    recomputed: String,
    #[serde(default)]
    reason: String,
    #[serde(default, rename = "note")]
    _note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sources: BTreeMap<String, Source>,
    values: Vec<Published>,
    disagreements: Vec<Published>,
}

fn one() -> f64 {
    1.0
}

fn files() -> Vec<File> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/reference/published");
    ["literature.json", "packages.json"]
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
        })
        .collect()
}

fn values(files: &[File]) -> impl Iterator<Item = &Published> {
    files.iter().flat_map(|file| &file.values)
}

fn disagreements(files: &[File]) -> impl Iterator<Item = &Published> {
    files.iter().flat_map(|file| &file.disagreements)
}

impl Published {
    /// The number printed and the unit of its last digit: 12.50 has the unit 0.01, 1.2e-3 the unit 1e-4.
    fn printed_with_unit(&self) -> (f64, f64) {
        let text = self.printed.replace(',', "");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let exponent = exponent.parse::<i64>().unwrap() - i64::try_from(decimals).unwrap();
        (text.parse().unwrap(), format!("1e{exponent}").parse().unwrap())
    }

    fn recomputed(&self) -> f64 {
        self.recomputed.parse().unwrap()
    }

    /// What the program says.
    fn actual(&self) -> f64 {
        let arguments: Vec<_> = self
            .parameters
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        let evaluation = find(&self.quantity)
            .unwrap_or_else(|| panic!("{}: no such quantity", self.name()))
            .evaluate(&arguments)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        let (_, value) = evaluation
            .values
            .iter()
            .find(|(name, _)| *name == self.result)
            .unwrap_or_else(|| panic!("{}: no such result", self.name()));
        match value {
            Value::Number(value) => *value,
            Value::Absent(reason) => panic!("{}: {reason}", self.name()),
        }
    }

    /// Whether a result, as the source would print it, is what it prints, with its last digit off by `units`.
    fn prints(&self, result: f64, units: f64) -> bool {
        let (printed, unit) = self.printed_with_unit();
        let as_printed = self.scale * result + self.offset;
        let rounding = ROUNDINGS * f64::EPSILON * printed.abs().max(self.offset.abs());
        (as_printed - (printed + units * unit)).abs() <= unit / 2.0 + rounding
    }

    fn name(&self) -> String {
        let Self {
            quantity,
            parameters,
            result,
            printed,
            source,
            ..
        } = self;
        format!("{quantity} {parameters:?} {result}, printed {printed} by {source}")
    }
}

#[test]
fn results_are_what_others_print() {
    let files = files();
    let wrong: Vec<_> = values(&files)
        .map(|published| (published, published.actual()))
        .filter(|(published, actual)| !published.prints(*actual, 0.0))
        .map(|(published, actual)| format!("{}: got {actual:e}", published.name()))
        .collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_printed_digit_that_is_off_by_one_is_noticed() {
    for published in values(&files()) {
        let actual = published.actual();
        // Exactly half a unit away a number rounds both ways.
        for units in [-1.01, 1.01] {
            assert!(!published.prints(actual, units), "{}", published.name());
        }
    }
}

#[test]
fn results_agree_with_the_recomputed_values() {
    let files = files();
    let wrong: Vec<_> = values(&files)
        .chain(disagreements(&files))
        .filter_map(|published| {
            let (actual, expected) = (published.actual(), published.recomputed());
            let close = relative_eq!(actual, expected, epsilon = 0.0, max_relative = RELATIVE_TOLERANCE);
            (!close).then(|| format!("{}: {actual:e}, not {expected:e}", published.name()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn known_disagreements_are_still_there_and_have_a_reason() {
    let files = files();
    for published in disagreements(&files) {
        let name = published.name();
        assert!(!published.prints(published.recomputed(), 0.0), "{name} agrees");
        assert!(!published.reason.is_empty(), "{name} has no reason");
    }
    assert!(values(&files).all(|published| published.reason.is_empty()));
}

#[test]
fn every_quantity_is_covered_twice_unless_it_was_published_once() {
    let files = files();
    assert!(values(&files).count() >= 60);
    for quantity in QUANTITIES {
        let count = values(&files)
            .filter(|published| published.quantity == quantity.name)
            .count();
        if PUBLISHED_NEVER.contains(&quantity.name) {
            assert_eq!(count, 0, "{}", quantity.name);
        } else if PUBLISHED_ONCE.contains(&quantity.name) {
            assert_eq!(count, 1, "{}", quantity.name);
        } else {
            assert!(count >= 2, "{count} published values of {}", quantity.name);
        }
    }
}

#[test]
fn published_values_reach_below_a_millionth_of_a_millionth() {
    let files = files();
    let quantities: BTreeSet<_> = values(&files)
        .filter(|published| {
            let (printed, _) = published.printed_with_unit();
            printed > 0.0 && printed <= 1e-12
        })
        .map(|published| published.quantity.as_str())
        .collect();
    let expected = [
        "amplification",
        "correlated",
        "erlang-a",
        "erlang-b",
        "erlang-c",
        "lifo",
        "mm1",
        "mm1k",
        "mmc",
        "mmck",
    ];
    assert!(
        expected.iter().all(|quantity| quantities.contains(quantity)),
        "{quantities:?}"
    );
}

#[test]
fn every_value_has_a_source_and_its_digits() {
    for file in files() {
        let mut used = BTreeSet::new();
        for published in file.values.iter().chain(&file.disagreements) {
            let name = published.name();
            let source = file.sources.get(&published.source);
            let source = source.unwrap_or_else(|| panic!("{name}: no such source"));
            used.insert(&published.source);
            let said = [&source.author, &source.title, &source.place, &source.read];
            assert!(
                said.iter().all(|text| !text.is_empty()),
                "{name}: source is incomplete"
            );
            let digits = published.recomputed.chars().filter(char::is_ascii_digit).count();
            assert!(digits >= 20, "{name}: recomputed to {digits} digits");
        }
        let unused: Vec<_> = file.sources.keys().filter(|name| !used.contains(name)).collect();
        assert!(unused.is_empty(), "sources without a value: {unused:?}");
    }
}

//! Every quantity against values that were not computed by this program: the JSON files of `tests/reference`.
//!
//! A file is an array of `{"quantity", "parameters": {name: number}, "result", "value", "origin"}`. `value` is a
//! string with at least 20 digits, or `null` where the result must not exist. Parameters are the doubles nearest to
//! what is written. The scripts beside the files recompute the values in high precision.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use approx::relative_eq;
use retrylab_analytic::{QUANTITIES, Value, find};
use serde::Deserialize;

/// The accuracy that every result promises, tails included: no absolute tolerance beside it.
const RELATIVE_TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    quantity: String,
    parameters: BTreeMap<String, f64>,
    result: String,
    value: Option<String>,
    origin: String,
}

fn references() -> Vec<(String, Reference)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/reference");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let references: Vec<Reference> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        all.extend(references.into_iter().map(|reference| (name.clone(), reference)));
    }
    all
}

/// What is wrong with one reference, if anything.
fn disagreement(reference: &Reference) -> Option<String> {
    let Some(quantity) = find(&reference.quantity) else {
        return Some("no such quantity".to_owned());
    };
    let arguments: Vec<_> = reference
        .parameters
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let evaluation = match quantity.evaluate(&arguments) {
        Ok(evaluation) => evaluation,
        Err(error) => return Some(error.to_string()),
    };
    let Some((_, actual)) = evaluation
        .values
        .iter()
        .find(|(name, _)| *name == reference.result)
    else {
        return Some("no such result".to_owned());
    };
    match (&reference.value, actual) {
        (None, Value::Absent(_)) => None,
        (Some(text), Value::Number(actual)) => {
            let expected: f64 = text.parse().unwrap();
            let close = relative_eq!(
                *actual,
                expected,
                epsilon = 0.0,
                max_relative = RELATIVE_TOLERANCE
            );
            (!close).then(|| {
                let error = (actual - expected) / expected;
                format!("expected {expected:e}, got {actual:e}, relative error {error:e}")
            })
        }
        (expected, actual) => Some(format!("expected {expected:?}, got {actual:?}")),
    }
}

#[test]
fn results_agree_with_references() {
    let references = references();
    let failures: Vec<_> = references
        .iter()
        .filter_map(|(file, reference)| {
            let wrong = disagreement(reference)?;
            let Reference {
                quantity,
                parameters,
                result,
                origin,
                ..
            } = reference;
            Some(format!(
                "{file}: {quantity} {parameters:?} {result}: {wrong} ({origin})"
            ))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} references disagree:\n{}",
        failures.len(),
        references.len(),
        failures.join("\n")
    );
}

#[test]
fn every_result_of_every_quantity_has_a_reference() {
    let references = references();
    for quantity in QUANTITIES {
        for (result, _) in quantity.results {
            let found = references.iter().any(|(_, reference)| {
                reference.quantity == quantity.name
                    && reference.result == *result
                    && reference.value.is_some()
            });
            assert!(found, "no reference value for {result} of {}", quantity.name);
        }
    }
}

#[test]
fn references_reach_far_into_tails_and_carry_their_origin_and_digits() {
    let references = references();
    let in_tails = references
        .iter()
        .filter_map(|(_, reference)| reference.value.as_ref())
        .filter(|value| {
            value
                .parse::<f64>()
                .is_ok_and(|value| value > 0.0 && value < 1e-12)
        })
        .count();
    assert!(references.len() >= 60, "only {} references", references.len());
    assert!(in_tails >= 10, "only {in_tails} references below 1e-12");
    for (
        file,
        Reference {
            origin,
            quantity,
            value,
            ..
        },
    ) in &references
    {
        assert!(!origin.is_empty(), "{file}: a value of {quantity} has no origin");
        let digits = value
            .as_ref()
            .map_or(20, |value| value.chars().filter(char::is_ascii_digit).count());
        assert!(
            digits >= 20,
            "{file}: a value of {quantity} has only {digits} digits"
        );
    }
}

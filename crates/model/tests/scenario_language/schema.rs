//! The JSON Schema of scenarios accepts every valid one, refuses unknown names, and is the one that is committed.

use std::path::PathBuf;

use jsonschema::Validator;
use proptest::prelude::*;
use retrylab_model::{Scenario, builtin, scenario_schema};
use serde_json::Value;

use crate::strategies::scenario;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&scenario_schema()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// A TOML text as what a schema speaks about.
fn json(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

fn mistakes(validator: &Validator, text: &str) -> Vec<String> {
    validator
        .iter_errors(&json(text))
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_committed_schema_is_current() {
    let path = root().join("schemas/scenario.json");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == scenario_schema(),
        "write it anew: retrylab schema scenario > schemas/scenario.json"
    );
}

#[test]
fn built_in_scenarios_and_examples_fit_the_schema() {
    let validator = validator();
    for builtin in builtin::ALL {
        let none: [String; 0] = [];
        assert_eq!(mistakes(&validator, builtin.text), none, "{}", builtin.name);
    }
    let mut examples = 0;
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(named) = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("#:schema "))
        else {
            panic!("{} does not name its schema in its first line", path.display());
        };
        let schema = path.parent().unwrap().join(named);
        assert!(schema.is_file(), "{} names {named}", path.display());
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let none: [String; 0] = [];
        assert_eq!(mistakes(&validator, &text), none, "{}", path.display());
        examples += 1;
    }
    assert!(examples > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_valid_scenario_fits_the_schema(scenario in scenario()) {
        let text = scenario.to_toml();
        let mistakes = mistakes(&validator(), &text);
        prop_assert!(mistakes.is_empty(), "{:?}\n{}", mistakes, text);
    }
}

/// What the language refuses by name or type, the schema refuses too.
#[test]
fn mistakes_are_refused() {
    let validator = validator();
    let whole = "[traffic]\nrate = 1\n";
    assert!(validator.is_valid(&json(whole)));
    for mistake in [
        "trafic = 1",
        "[client]\ntiemout = 5",
        "[client]\ntimeout = \"5 parsecs\"",
        "[client]\ntimeout = \"800/s\"",
        "[client]\ntimeout = { exponential = { maen = 1 } }",
        "[client]\nattempts = 1.5",
        "[client]\nattempts = -1",
        "[client]\nbackoff = \"some\"",
        "[client]\nbudget = { ratio = { ratio = 0.1, bank = 1, size = 2 } }",
        "[service]\ntime = { exponential = { mean = \"1 s\", scv = 2 } }",
        "[service]\ntime = { exponential = { mean = 1 }, deterministic = { value = 1 } }",
        "[service]\ntime = { measured = { unit = \"ms\" } }",
        "[service]\ntime = { measured = { file = \"a\", unit = \"parsecs\" } }",
        "[server]\ndiscipline = { adaptive_lifo = {} }",
        "[[schedule]]\nstall = 5",
        "[[tiers]]\nservers = 4",
        "[run]\nfrom = 1",
    ] {
        let text = if mistake.starts_with('[') {
            format!("{whole}{mistake}\n")
        } else {
            format!("{mistake}\n{whole}")
        };
        assert!(Scenario::from_toml(&text).is_err(), "{text}");
        assert!(!validator.is_valid(&json(&text)), "the schema accepts\n{text}");
    }
    assert!(!validator.is_valid(&json("")));
}

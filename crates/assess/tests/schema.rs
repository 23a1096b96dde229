//! The JSON Schema of services accepts the examples and the template, refuses what is none, and is named by the examples.
#![expect(clippy::unwrap_used, reason = "tests stop at what is not there")]

use std::path::PathBuf;

use retrylab_assess::{Service, TEMPLATE, service_schema};
use serde_json::Value;

fn services() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/services")
}

/// What a schema says against a TOML text.
fn mistakes(text: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&service_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let json = serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    let errors = validator.iter_errors(&json);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_examples_fit_and_name_it() {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(services()).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(mistakes(&text), Vec::<String>::new(), "{}", path.display());
        let named = text.lines().next().unwrap().strip_prefix("#:schema ").unwrap();
        let schema = path.parent().unwrap().join(named);
        assert_eq!(std::fs::read_to_string(schema).unwrap(), service_schema());
        Service::from_toml(&text, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "database.toml",
            "three-tiers.toml",
            "web-api.toml",
            "worker-fleet.toml"
        ]
    );
}

/// Every line of the template that is a key behind a mark, taken by itself beside what is required.
#[test]
fn the_template_and_every_key_that_it_mentions_fit() {
    assert_eq!(mistakes(TEMPLATE), Vec::<String>::new());
    let keys = TEMPLATE
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| {
            line.split_once(" = ")
                .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        });
    let mut count = 0;
    for key in keys {
        // Keys of callers are keys of the service as well.
        let text = format!("rate = \"800/s\"\n{key}\n");
        assert_eq!(mistakes(&text), Vec::<String>::new(), "{key}");
        count += 1;
    }
    assert!(count >= 14, "{count} keys in the template");
}

#[test]
fn what_is_no_service_is_refused() {
    for text in [
        "capacity = \"1000/s\"",
        "rate = 800\ncapacity = \"1000/s\"",
        "rate = \"800 parsecs\"",
        "rate = \"800/s\"\ntiemout = \"1s\"",
        "rate = \"800/s\"\n[[callers]]\ntimeout = \"1s\"",
        "rate = \"800/s\"\nlatency = { p98 = \"1s\" }",
    ] {
        assert!(!mistakes(text).is_empty(), "{text}");
    }
}

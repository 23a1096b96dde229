//! `retrylab compute` as a user meets it.

use crate::program::{fails_with, json, object_keys, stdout};

#[test]
fn a_quantity_is_one_json_object_with_the_contracts_keys() {
    let result = json(&[
        "compute",
        "amplification",
        "failure_probability=0.1",
        "retries=2",
        "--json",
    ]);
    assert_eq!(
        object_keys(&result),
        ["quantity", "parameters", "values", "formula", "source", "notes"]
    );
    assert_eq!(result["quantity"], "amplification");
    assert_eq!(result["parameters"]["failure_probability"], 0.1);
    assert_eq!(result["parameters"]["retries"], 2);
    let attempts = result["values"]["attempts"].as_f64().unwrap();
    assert!((attempts - 1.11).abs() < 1e-12, "{attempts}");
    assert_eq!(result["notes"], serde_json::json!({}));
}

#[test]
fn what_does_not_exist_is_null_with_a_reason() {
    let result = json(&["compute", "mm1", "arrival_rate=2", "service_rate=1", "--json"]);
    assert!(result["values"]["waiting_time_mean"].is_null());
    let reason = result["notes"]["waiting_time_mean"].as_str().unwrap();
    assert!(reason.contains("grows without bound"), "{reason}");
}

#[test]
fn people_get_names_values_meanings_and_the_source() {
    let text = stdout(&[
        "compute",
        "amplification",
        "failure_probability=1e-1",
        "retries=2",
    ]);
    for part in [
        "attempts      1.11 ",
        "loss          0.001 ",
        "formula:",
        "source:",
        "Feller",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_list_has_every_quantity_with_its_parameters() {
    let listed = json(&["compute", "--list", "--json"]);
    let quantities = listed["quantities"].as_array().unwrap();
    assert_eq!(quantities.len(), retrylab::analytic::QUANTITIES.len());
    for quantity in quantities {
        assert_eq!(
            object_keys(quantity),
            ["name", "summary", "parameters", "results", "formula", "source"]
        );
        for parameter in quantity["parameters"].as_array().unwrap() {
            assert_eq!(
                object_keys(parameter),
                ["name", "meaning", "accepted", "required", "default"]
            );
        }
    }
    let text = stdout(&["compute", "--list"]);
    for quantity in retrylab::analytic::QUANTITIES {
        assert!(
            text.contains(quantity.name),
            "{} is not in\n{text}",
            quantity.name
        );
        for parameter in quantity.parameters {
            assert!(text.contains(&format!("{}=", parameter.name)), "{text}");
        }
    }
}

#[test]
fn mistakes_get_a_sentence() {
    for (arguments, sentence) in [
        (
            &["amplifcation"][..],
            "there is no quantity called \"amplifcation\"; did you mean amplification?",
        ),
        (
            &["amplification", "failure_probability=NaN", "retries=2"],
            "failure_probability is NaN, but must be a number from 0 to 1",
        ),
        (
            &["amplification", "failure_probability=1.2", "retries=2"],
            "failure_probability is 1.2, but must be a number from 0 to 1",
        ),
        (
            &["amplification", "failure_probability=60%", "retries=2"],
            "failure_probability is \"60%\", but must be a number such as 0.5 or 1e-3",
        ),
        (
            &["amplification", "failure_probability=0.5", "retries=2.5"],
            "retries is 2.5, but must be a whole number",
        ),
        (
            &["amplification", "retries=2"],
            "amplification needs failure_probability",
        ),
        (
            &[
                "amplification",
                "retries=2",
                "retries=3",
                "failure_probability=0.5",
            ],
            "retries is given more than once",
        ),
        (
            &["amplification", "p=0.5"],
            "amplification has no parameter p; it takes failure_probability",
        ),
        (
            &["amplification", "0.5"],
            "\"0.5\" is not name=value; amplification takes failure_probability",
        ),
        (&[], "required arguments were not provided"),
        (&["mm1", "--list"], "cannot be used with"),
    ] {
        let arguments: Vec<&str> = ["compute"].iter().chain(arguments).copied().collect();
        fails_with(&arguments, sentence);
    }
}

//! `retrylab scenarios` as a user meets it.

use crate::program::{fails_with, json, object_keys, stdout};
use retrylab::model::builtin;
use retrylab::verify::Document;

#[test]
fn the_list_names_scenarios_with_their_documents() {
    let text = stdout(&["scenarios"]);
    for scenario in builtin::ALL {
        assert!(
            text.contains(scenario.name),
            "{} is not in\n{text}",
            scenario.name
        );
    }
    let places: Vec<usize> = Document::ALL
        .iter()
        .filter_map(|document| text.find(&format!("{document}: {}\n", document.title())))
        .collect();
    assert!(places.len() >= 2, "{text}");
    assert!(places.is_sorted(), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_list_has_a_json_form() {
    let listed = json(&["scenarios", "--json"]);
    let scenarios = listed["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), builtin::ALL.len());
    for scenario in scenarios {
        assert_eq!(object_keys(scenario), ["name", "source", "summary"]);
    }
}

#[test]
fn one_scenario_is_shown_with_its_comments() {
    for scenario in builtin::ALL {
        assert_eq!(stdout(&["scenarios", "--show", scenario.name]), scenario.text);
        let shown = json(&["scenarios", "--show", scenario.name, "--json"]);
        assert_eq!(object_keys(&shown), ["name", "source", "summary", "toml"]);
        assert_eq!(shown["toml"], scenario.text);
    }
}

#[test]
fn a_scenario_that_is_not_there_is_named() {
    fails_with(
        &["scenarios", "--show", "stuck-lime"],
        "there is no built-in scenario called \"stuck-lime\"; expected independent-failures",
    );
}

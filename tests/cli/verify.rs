//! `retrylab verify` as a user meets it, on a claim that is checked in a moment.

use crate::program::{fails_with, object_keys, retrylab};
use serde_json::Value;

/// Checks one claim and returns the exit status, standard output and the report's directory.
fn verify(more: &[&str]) -> (i32, String, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("report");
    let mut arguments = vec![
        "verify",
        "--only",
        "L03",
        "--level",
        "quick",
        "--out",
        out.to_str().unwrap(),
    ];
    arguments.extend(more);
    let output = retrylab(&arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text, directory)
}

#[test]
fn the_json_form_has_the_contracts_members_and_the_report_is_written() {
    let (status, text, directory) = verify(&["--json"]);
    assert_eq!(status, 0, "{text}");
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object_keys(&result), ["claims", "summary"]);
    let claim = &result["claims"][0];
    assert_eq!(claim["id"], "L03");
    assert_eq!(claim["document"], "lesson");
    for member in ["statement", "verdict", "recorded_verdict"] {
        assert!(claim[member].is_string(), "{member} of {claim}");
    }
    let parts = claim["parts"].as_array().unwrap();
    assert!(parts.len() > 1);
    let measured = parts.iter().find(|part| part["measured"].is_object()).unwrap();
    for member in ["estimate", "low", "high", "confidence"] {
        assert!(measured["measured"][member].is_number(), "{member} of {measured}");
    }
    for member in ["replications", "seed"] {
        assert!(measured[member].is_number(), "{member} of {measured}");
    }
    let report = directory.path().join("report");
    assert_eq!(std::fs::read_to_string(report.join("report.json")).unwrap(), text);
    assert!(
        std::fs::read_to_string(report.join("report.html"))
            .unwrap()
            .contains("L03")
    );
    assert!(
        std::fs::read_to_string(report.join("report.md"))
            .unwrap()
            .contains("L03")
    );
    let left_behind = std::fs::read_dir(&report).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with('.')
    });
    assert_eq!(left_behind.count(), 0);
}

#[test]
fn people_get_a_table_with_a_summary() {
    let (status, text, directory) = verify(&[]);
    assert_eq!(status, 0, "{text}");
    for part in [
        " [lesson]",
        "quoted",
        "computed",
        "measured",
        "verdict",
        "L03",
        "✓ agrees",
        "1 claim: 1 agrees. Every verdict is the recorded one.",
        "The report is in ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let report = directory.path().display().to_string();
    for line in text.lines().filter(|line| !line.contains(&report)) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(!text.contains('\u{1b}'), "colours without a terminal: {text}");
}

#[test]
fn the_verdicts_do_not_depend_on_the_number_of_threads() {
    let (_, one, _one) = verify(&["--json", "--threads", "1", "--seed", "5"]);
    let (_, two, _two) = verify(&["--json", "--threads", "2", "--seed", "5"]);
    assert_eq!(one, two);
}

#[test]
fn sabotage_is_noticed_and_written_down() {
    let (status, text, directory) = verify(&["--sabotage", "--json"]);
    assert_eq!(status, 0, "{text}");
    let found: Value = serde_json::from_str(&text).unwrap();
    let summary = &found["summary"];
    assert!(
        summary["trials"].as_u64() > Some(4) && summary["unnoticed"] == 0,
        "{summary}"
    );
    assert_eq!(summary["shown_to_differ"], summary["detectable_errors"]);
    let trial = &found["sabotage"]["trials"][0];
    assert_eq!(
        (trial["claim"].as_str(), trial["noticed"].as_bool()),
        (Some("L03"), Some(true))
    );
    assert!(directory.path().join("report/sabotage.json").exists());
}

#[test]
fn what_cannot_be_done_is_said_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "before").unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    for (arguments, sentence) in [
        (vec!["--only", "Z*"], "no claim matches Z*"),
        (vec!["--only", ""], "no claim matches an empty pattern"),
        (
            vec!["--only", "L03", "--only", "nothing"],
            "no claim matches nothing",
        ),
        (vec!["--only", "["], "[ is not a pattern"),
        (vec!["--level", "extreme"], "must be quick, standard or thorough"),
        (vec!["--calibrate", "0"], "0 is not in 1..=1000000"),
        (vec!["--calibrate", "many"], "invalid digit"),
        (vec!["--calibrate", "2", "--sabotage"], "cannot be used with"),
        (vec!["--out", &path("file")], "it is not a directory"),
        (vec!["--out", &path("file/below")], "is not a directory"),
        (vec!["--out", ""], "error:"),
    ] {
        let arguments: Vec<&str> = ["verify"].into_iter().chain(arguments).collect();
        fails_with(&arguments, sentence);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

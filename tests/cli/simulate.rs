//! `retrylab simulate` as a user meets it.

use std::path::Path;

use crate::program::{fails_with, json, object_keys, retrylab, stdout};
use serde_json::Value;

/// A run that is over at once.
const SHORT: [&str; 6] = [
    "--set",
    "run.until=3000",
    "--set",
    "run.measure_from=1000",
    "--replications",
    "4",
];

fn short<'a>(scenario: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["simulate", scenario];
    arguments.extend(SHORT);
    arguments.extend(more);
    arguments
}

fn estimate(result: &Value, measure: &str) -> f64 {
    result["measures"][measure]["estimate"].as_f64().expect(measure)
}

#[test]
fn the_json_form_has_the_contracts_measures() {
    let result = json(&short("short-stall", &["--json"]));
    assert_eq!(
        object_keys(&result),
        [
            "scenario",
            "time_unit",
            "seed",
            "replications",
            "looks",
            "attempts",
            "precision",
            "interrupted",
            "measures",
            "notes"
        ]
    );
    for measure in [
        "success",
        "attempts_per_request",
        "abandoned_work",
        "utilization",
        "sojourn_time_mean",
        "waiting_time_mean",
        "goodput",
        "sojourn_time_p50",
        "sojourn_time_p90",
        "sojourn_time_p95",
        "sojourn_time_p99",
        "sojourn_time_p999",
    ] {
        let number = &result["measures"][measure];
        assert_eq!(
            object_keys(number),
            ["estimate", "low", "high", "confidence", "replications"],
            "{measure}"
        );
        let (low, high) = (number["low"].as_f64().unwrap(), number["high"].as_f64().unwrap());
        let estimate = number["estimate"].as_f64().unwrap();
        assert!(low <= estimate && estimate <= high, "{measure}: {number}");
        assert_eq!(number["confidence"], 0.95);
        assert_eq!(number["replications"], 4);
    }
}

#[test]
fn measures_are_those_of_the_textbook_queue() {
    let result = json(&[
        "simulate",
        "healthy-single-server",
        "--replications",
        "40",
        "--confidence",
        "0.999999",
        "--json",
    ]);
    // M/M/1 at load 0.8: utilisation 0.8, mean sojourn time 5, mean waiting time 4, P(sojourn > 10) = e^-2. Nine
    // intervals that each miss with probability 10^-6, and narrow enough to tell one quantity from another.
    for (measure, value) in [
        ("utilization", 0.8),
        ("sojourn_time_mean", 5.0),
        ("waiting_time_mean", 4.0),
        ("attempts_per_request", 1.0),
        ("sojourn_time_tail@10", (-2.0_f64).exp()),
        ("success", 1.0 - (-2.0_f64).exp()),
        ("goodput", 0.8 * (1.0 - (-2.0_f64).exp())),
        ("sojourn_time_p50", 5.0 * 2.0_f64.ln()),
        ("sojourn_time_p99", 5.0 * 100.0_f64.ln()),
    ] {
        let number = &result["measures"][measure];
        let (low, high) = (number["low"].as_f64().unwrap(), number["high"].as_f64().unwrap());
        assert!(
            low <= value && value <= high,
            "{measure}: {number} against {value}"
        );
        assert!(
            high - low <= 0.25 * value,
            "{measure}: {number} is too wide to tell"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let run = |more: &[&str]| stdout(&short("short-stall", &[&["--json"], more].concat()));
    let first = run(&["--threads", "1", "--seed", "7"]);
    assert_eq!(first, run(&["--threads", "2", "--seed", "7"]));
    assert_ne!(first, run(&["--threads", "2", "--seed", "8"]));
}

#[test]
fn settings_change_the_scenario() {
    let result = json(&short("short-stall", &["--set", "client.attempts=1", "--json"]));
    assert!(
        result["scenario"]["toml"]
            .as_str()
            .unwrap()
            .contains("attempts = 1"),
        "{result}"
    );
    assert!((estimate(&result, "attempts_per_request") - 1.0).abs() < 1e-12);
}

#[test]
fn confidence_and_precision_are_as_asked() {
    let narrow = json(&short("short-stall", &["--json"]));
    let wide = json(&short("short-stall", &["--confidence", "0.999", "--json"]));
    let width = |result: &Value| {
        let number = &result["measures"]["sojourn_time_mean"];
        number["high"].as_f64().unwrap() - number["low"].as_f64().unwrap()
    };
    assert!(width(&wide) > width(&narrow));
    assert_eq!(wide["measures"]["success"]["confidence"], 0.999);

    let precise = json(&[
        "simulate",
        "independent-failures",
        "--set",
        "run.until=5000",
        "--precision",
        "2%",
        "--json",
    ]);
    assert_eq!(precise["precision"]["asked"], 0.02);
    assert_eq!(precise["precision"]["reached"], true);
    for measure in ["attempts_per_request", "sojourn_time_mean"] {
        let number = &precise["measures"][measure];
        let half_width = (number["high"].as_f64().unwrap() - number["low"].as_f64().unwrap()) / 2.0;
        assert!(
            half_width <= 0.02 * number["estimate"].as_f64().unwrap(),
            "{measure}: {number}"
        );
    }
    assert!(precise["looks"].as_u64().unwrap() >= 2, "{precise}");
}

#[test]
fn what_does_not_exist_is_null_with_a_note() {
    // No request is served before the end of a run that is all stall.
    let result = json(&[
        "simulate",
        "stuck-line",
        "--set",
        "schedule.0.at=0",
        "--set",
        "run.until=1500",
        "--set",
        "run.measure_from=1000",
        "--replications",
        "3",
        "--json",
    ]);
    for measure in ["sojourn_time_mean", "abandoned_work", "sojourn_time_p99"] {
        assert!(result["measures"][measure].is_null(), "{measure}");
        let note = result["notes"][measure].as_str().unwrap();
        assert!(note.starts_with("no service was completed"), "{note}");
    }
}

#[test]
fn one_replication_has_no_interval() {
    let result = json(&[
        "simulate",
        "short-stall",
        "--set",
        "run.until=6000",
        "--replications",
        "1",
        "--json",
    ]);
    let number = &result["measures"]["sojourn_time_mean"];
    assert!(number["estimate"].is_number() && number["low"].is_null() && number["high"].is_null());
    assert!(
        result["notes"]["sojourn_time_mean"]
            .as_str()
            .unwrap()
            .starts_with("no interval")
    );
}

#[test]
fn the_heading_says_how_often_clients_retry() {
    let text = stdout(&short(
        "short-stall",
        &["--set=client.attempts=", "--set=client.retries_per_failure=0.5"],
    ));
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    assert!(
        text.contains("1 server, 0.5 retries per failure, timeout 50"),
        "{text}"
    );
}

#[test]
fn people_get_a_table() {
    let text = stdout(&short("short-stall", &[]));
    for part in [
        "short-stall",
        "0.6 new requests per unit of time",
        "3 attempts, timeout 50",
        "measured from 1000 to 3000 in 4 replications",
        "95 % interval",
        "success",
        "sojourn_time_p999",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn times_and_rates_in_seconds_have_their_unit() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/web-api.toml");
    let arguments = [
        "simulate",
        example.to_str().unwrap(),
        "--set",
        "run.until=1min",
        "--set",
        "run.measure_from=10s",
        "--set",
        "schedule=",
        "--replications",
        "2",
    ];
    let text = stdout(&arguments);
    let units = |text: &str, measure: &str| -> (bool, bool) {
        let line = text.lines().find(|line| line.trim_start().starts_with(measure));
        let line = line.expect(measure);
        (line.ends_with(" s"), line.ends_with(" /s"))
    };
    assert_eq!(units(&text, "sojourn_time_mean"), (true, false), "{text}");
    assert_eq!(units(&text, "sojourn_time_p99"), (true, false), "{text}");
    assert_eq!(units(&text, "goodput"), (false, true), "{text}");
    assert_eq!(units(&text, "utilization"), (false, false), "{text}");
    let without_units = stdout(&short("short-stall", &[]));
    assert_eq!(units(&without_units, "sojourn_time_mean"), (false, false));
    assert_eq!(units(&without_units, "goodput"), (false, false));
}

#[test]
fn a_shown_scenario_is_a_file_that_gives_the_same_results() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    std::fs::write(&file, stdout(&["scenarios", "--show", "short-stall"])).unwrap();
    let from_file = stdout(&short(file.to_str().unwrap(), &["--json"]));
    assert_eq!(from_file, stdout(&short("short-stall", &["--json"])));
    // What the program writes about a run is a scenario file too.
    let written: Value = serde_json::from_str(&from_file).unwrap();
    std::fs::write(&file, written["scenario"]["toml"].as_str().unwrap()).unwrap();
    let again = json(&[
        "simulate",
        file.to_str().unwrap(),
        "--replications",
        "4",
        "--json",
    ]);
    assert_eq!(again["measures"], written["measures"]);
}

#[test]
fn the_example_runs() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/web-api.toml");
    let result = json(&[
        "simulate",
        example.to_str().unwrap(),
        "--set",
        "run.until=1min",
        "--set",
        "run.measure_from=10s",
        "--set",
        "schedule=",
        "--replications",
        "2",
        "--json",
    ]);
    assert_eq!(result["time_unit"], "second");
    assert!(estimate(&result, "success") > 0.99);
    assert!(
        result["measures"]["sojourn_time_tail@250ms"].is_object(),
        "{result}"
    );
}

#[test]
fn a_trace_has_the_windows_of_every_replication() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("windows.csv");
    let arguments = short("short-stall", &["--trace", file.to_str().unwrap(), "--json"]);
    let with_trace = stdout(&arguments);
    assert_eq!(with_trace, stdout(&short("short-stall", &["--json"])));

    let mut reader = csv::Reader::from_path(&file).unwrap();
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let column = |name: &str| header.iter().position(|known| known == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4 * 20, "3000 / 150 windows of 4 replications");
    let mut requests = 0;
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row[column("replication")], (index / 20).to_string());
        let from: f64 = row[column("from")].parse().unwrap();
        let to: f64 = row[column("to")].parse().unwrap();
        assert!((from - 150.0 * (index % 20) as f64).abs() < 1e-9 && (to - from - 150.0).abs() < 1e-9);
        requests += row[column("requests")].parse::<u64>().unwrap();
    }
    // 4 runs of 3000 at rate 0.6 have 7200 new requests, give or take five standard deviations of 85.
    assert!(requests.abs_diff(7200) < 425, "{requests}");
    // The directory holds the file and nothing that was left behind.
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_trace_replaces_a_file_only_when_it_is_complete() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("windows.csv");
    std::fs::write(&file, "before").unwrap();
    let trace = ["--trace", file.to_str().unwrap()];
    retrylab(&short(
        "short-stall",
        &[&["--set", "client.timeout=0"], &trace[..]].concat(),
    ))
    .assert()
    .code(2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    retrylab(&short("short-stall", &trace)).assert().code(0);
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .starts_with("replication,from,to,")
    );
}

#[test]
fn both_engines_print_the_same_and_the_recursion_says_what_it_cannot_do() {
    let by = |engine| {
        let arguments = [
            "simulate",
            "short-stall",
            "--replications",
            "2",
            "--engine",
            engine,
            "--json",
        ];
        json(&arguments)["measures"].clone()
    };
    let general = by("general");
    assert_eq!(general, by("recursion"));
    assert_eq!(general, by("auto"));
    fails_with(
        &["simulate", "lifo", "--engine", "recursion"],
        "the discipline is not first in, first out",
    );
}

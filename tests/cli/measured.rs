//! Measured latencies on the command line: where files are looked for, what is said about them, and what is refused.

use serde_json::Value;

use crate::program::{fails_with, retrylab};

const LATENCIES: &str = "path,latency_ms\n/a,1\n/b,2\n/a,2\n/c,3\n";
/// Of the bytes above, as sha256sum prints it.
const CHECKSUM: &str = "621ba44430da4680ec098d7030f4274e430c54adcbd7dbf1fe8f25937e85da1c";

/// A directory with a scenario file, whose measured times have the keys given, and a file of latencies in `data`.
fn directory(keys: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("data")).unwrap();
    std::fs::write(directory.path().join("data/latencies.csv"), LATENCIES).unwrap();
    let text = format!(
        "[traffic]\nrate = \"50/s\"\n[service]\ntime = {{ measured = {{ {keys} }} }}\n[run]\nuntil = \"10s\"\nreplications = 4\n"
    );
    std::fs::write(directory.path().join("mine.toml"), text).unwrap();
    directory
}

const KEYS: &str = "file = \"data/latencies.csv\", column = \"latency_ms\", unit = \"ms\"";

fn simulate(directory: &tempfile::TempDir, arguments: &[&str]) -> (Value, String) {
    let file = directory.path().join("mine.toml");
    let output = retrylab(&["simulate", file.to_str().unwrap(), "--json"])
        .args(arguments)
        .assert()
        .code(0)
        .get_output()
        .clone();
    (
        serde_json::from_slice(&output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn results_state_the_file_with_its_checksum_count_and_mean() {
    let directory = directory(KEYS);
    let (result, _) = simulate(&directory, &[]);
    let file = &result["scenario"]["measured_times"][0];
    assert_eq!(file["key"], "service.time.measured");
    assert_eq!(file["file"], "data/latencies.csv");
    assert_eq!(file["sha256"], CHECKSUM);
    assert_eq!(file["count"], 4);
    assert_eq!(file["mean"], 0.002);
    let toml = result["scenario"]["toml"].as_str().unwrap();
    assert!(toml.contains(&format!("sha256 = \"{CHECKSUM}\"")), "{toml}");
    // Load 0.1: the success of patient clients is 1, and the mean sojourn time is a little above the mean service time.
    let sojourn = result["measures"]["sojourn_time_mean"]["estimate"]
        .as_f64()
        .unwrap();
    assert!((0.002..0.0025).contains(&sojourn), "{sojourn}");
    let text = retrylab(&["simulate", directory.path().join("mine.toml").to_str().unwrap()])
        .assert()
        .code(0)
        .get_output()
        .clone();
    let text = String::from_utf8(text.stdout).unwrap().replace('\n', " ");
    for part in ["data/latencies.csv: 4 measured, mean 0.002 s", CHECKSUM] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// The scenario in a result, beside the same file, gives the same result; beside another file it is refused.
#[test]
fn the_scenario_of_a_result_demands_the_same_file() {
    let directory = directory(KEYS);
    let (first, _) = simulate(&directory, &[]);
    let scenario = directory.path().join("mine.toml");
    std::fs::write(&scenario, first["scenario"]["toml"].as_str().unwrap()).unwrap();
    let (second, _) = simulate(&directory, &[]);
    assert_eq!(first, second);
    std::fs::write(
        directory.path().join("data/latencies.csv"),
        LATENCIES.replace("/c,3", "/c,4"),
    )
    .unwrap();
    fails_with(
        &["simulate", scenario.to_str().unwrap()],
        "is not the file that was meant, or it has changed: its SHA-256 checksum is",
    );
}

#[test]
fn a_file_in_a_setting_is_looked_for_in_the_working_directory() {
    let directory = directory(KEYS);
    let run = |file: &str, code: i32| {
        let setting = format!("service.time.measured.file={file}");
        let output = retrylab(&["simulate", "../mine.toml", "--set", &setting])
            .current_dir(directory.path().join("data"))
            .assert()
            .code(code)
            .get_output()
            .clone();
        String::from_utf8(output.stderr).unwrap()
    };
    run("latencies.csv", 0);
    let refusal = run("data/latencies.csv", 2);
    assert!(
        refusal.starts_with(
            "error: --set service.time.measured.file=data/latencies.csv: there is no file data/latencies.csv"
        ),
        "{refusal}"
    );
}

#[test]
fn waiting_that_counts_twice_is_noted() {
    let directory = directory(KEYS);
    let (quiet, stderr) = simulate(&directory, &[]);
    assert!(quiet["notes"].get("service.time").is_some(), "load 0.1: {stderr}");
    let low = ["--set", "service.time.measured.measured_at_load=0.05"];
    let (low, stderr) = simulate(&directory, &low);
    assert_eq!((low["notes"].get("service.time"), stderr.as_str()), (None, ""));
    let (high, stderr) = simulate(&directory, &["--set", "traffic.rate=400/s"]);
    let note = high["notes"]["service.time"].as_str().unwrap();
    assert!(note.contains("at a load of 0.80"), "{note}");
    assert!(stderr.contains(&format!("note: {note}")), "{stderr}");
}

#[test]
fn a_bad_file_is_refused_at_the_key_that_names_it() {
    for (keys, sentence, place) in [
        ("file = \"nowhere.csv\"", "nowhere.csv of measured times", "4:30]"),
        (
            "file = \"data/latencies.csv\", column = \"latency\", unit = \"ms\"",
            "data/latencies.csv has no column called \"latency\"; expected path or latency_ms (did you mean latency_ms?)",
            "4:61]",
        ),
        (
            "file = \"data/latencies.csv\", column = \"path\", unit = \"ms\"",
            "data/latencies.csv, line 2: \"/a\" is not a number",
            "4:30]",
        ),
        (
            "file = \"data/latencies.csv\", column = \"latency_ms\"",
            "service.time.measured.unit is absent, but must be given, because traffic.rate has a unit",
            "4:",
        ),
        (
            "file = \"data/latencies.csv\", column = \"latency_ms\", unit = \"parsecs\"",
            "unknown kind \"parsecs\" of service.time.measured.unit; expected ns, us,",
            "4:",
        ),
        (
            "column = \"latency_ms\"",
            "missing key file in service.time.measured",
            "4:",
        ),
        (
            "file = \"data/latencies.csv\", column = \"latency_ms\", unit = \"ms\", factor = 0",
            "service.time.measured.factor is 0, but must be a number above 0",
            "4:",
        ),
        (
            "file = \"data\"",
            "data is a directory, but measured times are in a file",
            "4:30]",
        ),
    ] {
        let directory = directory(keys);
        let file = directory.path().join("mine.toml");
        fails_with(&["simulate", file.to_str().unwrap()], sentence);
        fails_with(&["simulate", file.to_str().unwrap()], place);
    }
}

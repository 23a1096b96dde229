//! Ctrl-C: what is done is reported, or there is one sentence; nothing half-written is left.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(directory: &Path, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("retrylab"))
        .args(arguments)
        .current_dir(directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What Ctrl-C sends.
fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn end(child: Child) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    (
        status.code(),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

/// Asserts that an interrupted command prints one sentence and leaves nothing.
#[track_caller]
fn assert_ends_with_a_sentence(child: Child, directory: &Path) {
    let (status, stdout, stderr) = end(child);
    assert_eq!((status, stdout.as_str()), (Some(130), ""), "{stderr}");
    assert!(
        stderr.ends_with("error: interrupted before there was a complete result\n"),
        "{stderr}"
    );
    assert!(names(directory).is_empty(), "{:?}", names(directory));
}

fn names(directory: &Path) -> Vec<String> {
    std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn has_temporary_file(directory: &Path) -> bool {
    names(directory).iter().any(|name| name.starts_with(".retrylab-"))
}

/// The results of the replications that are done are those that these replications would have given by themselves.
#[test]
fn a_simulation_ends_with_what_is_done() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = [
        "simulate",
        "stuck-line",
        "--json",
        "--threads",
        "1",
        "--trace",
        "windows.csv",
        "--replications",
    ];
    let child = start(directory.path(), &[&arguments[..], &["1000000"]].concat());
    wait_until("the trace", || has_temporary_file(directory.path()));
    // A replication takes some milliseconds.
    std::thread::sleep(Duration::from_secs(1));
    interrupt(&child);
    let (status, stdout, stderr) = end(child);
    assert_eq!(status, Some(130), "{stderr}");
    assert!(
        stderr.contains("note: interrupted: the results are those of"),
        "{stderr}"
    );
    let result: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(result["interrupted"], true);
    let replications = result["replications"].as_u64().unwrap();
    assert!((1..1_000_000).contains(&replications), "{replications}");
    assert_eq!(names(directory.path()), ["windows.csv"]);
    let interrupted = std::fs::read_to_string(directory.path().join("windows.csv")).unwrap();
    let whole = start(
        directory.path(),
        &[&arguments[..], &[&replications.to_string()]].concat(),
    );
    let (status, stdout, _) = end(whole);
    assert_eq!(status, Some(0));
    let whole: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(whole["measures"], result["measures"]);
    assert_eq!(
        std::fs::read_to_string(directory.path().join("windows.csv")).unwrap(),
        interrupted
    );
}

/// A replication that would take for ever is not waited for.
#[test]
fn a_second_interrupt_ends_a_simulation_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let long = [
        "simulate",
        "stuck-line",
        "--set",
        "run.until=1e12",
        "--set",
        "run.window=1e12",
        "--trace",
        "windows.csv",
    ];
    let child = start(directory.path(), &long);
    wait_until("the trace", || has_temporary_file(directory.path()));
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_ends_with_a_sentence(child, directory.path());
}

/// Claims that take milliseconds are decided when the others, which take minutes, are not.
#[test]
fn verify_ends_with_the_claims_that_are_decided() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["verify", "--level", "thorough", "--json"];
    let child = start(directory.path(), &arguments);
    std::thread::sleep(Duration::from_secs(5));
    interrupt(&child);
    let (status, stdout, stderr) = end(child);
    assert_eq!(status, Some(130), "{stderr}");
    assert!(
        stderr.contains("claims were decided; no report is written"),
        "{stderr}"
    );
    let result: Value = serde_json::from_str(&stdout).unwrap();
    let count = |list: &Value| list.as_array().unwrap().len();
    let (decided, unfinished) = (count(&result["claims"]), count(&result["summary"]["unfinished"]));
    assert!(decided > 0 && unfinished > 0, "{decided} and {unfinished}");
    assert!(
        names(directory.path()).is_empty(),
        "{:?}",
        names(directory.path())
    );
}

/// What is done is kept, and the same command ends with the file of a sweep that nobody disturbed.
#[test]
fn a_sweep_keeps_its_points_and_goes_on_from_there() {
    let directory = tempfile::tempdir().unwrap();
    let plan = "scenario = \"stuck-line\"\nreplications = 40\n[[axis]]\nkey = \"traffic.rate\"\nfrom = 0.2\nto = 0.5\nsteps = 40\n";
    std::fs::write(directory.path().join("plan.toml"), plan).unwrap();
    let whole = ["sweep", "plan.toml", "--results", "whole.sqlite"];
    assert_eq!(end(start(directory.path(), &whole)).0, Some(0));
    let interrupted = ["sweep", "plan.toml", "--results", "interrupted.sqlite"];
    let child = start(directory.path(), &interrupted);
    wait_until("the file", || {
        names(directory.path()).contains(&"interrupted.sqlite".to_owned())
    });
    interrupt(&child);
    let (status, stdout, stderr) = end(child);
    assert_eq!((status, stdout.as_str()), (Some(130), ""), "{stderr}");
    assert!(
        stderr.contains("of 40 points are in interrupted.sqlite; the same command goes on from there"),
        "{stderr}"
    );
    assert_eq!(end(start(directory.path(), &interrupted)).0, Some(0));
    let bytes = |name| std::fs::read(directory.path().join(name)).unwrap();
    assert!(bytes("whole.sqlite") == bytes("interrupted.sqlite"));
    assert_eq!(names(directory.path()).len(), 3, "{:?}", names(directory.path()));
}

#[test]
fn other_commands_end_with_a_sentence() {
    for arguments in [
        &["verify", "--level", "thorough", "--calibrate", "1000"][..],
        &["lockup", "tight-timeout-lockup", "--precision", "0.01%"],
    ] {
        let directory = tempfile::tempdir().unwrap();
        let child = start(directory.path(), arguments);
        std::thread::sleep(Duration::from_millis(500));
        interrupt(&child);
        assert_ends_with_a_sentence(child, directory.path());
    }
}

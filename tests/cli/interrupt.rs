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

#[test]
fn other_commands_end_with_a_sentence() {
    for arguments in [
        &["verify", "--level", "thorough"][..],
        &["lockup", "tight-timeout-lockup", "--precision", "0.01%"],
    ] {
        let directory = tempfile::tempdir().unwrap();
        let child = start(directory.path(), arguments);
        std::thread::sleep(Duration::from_millis(500));
        interrupt(&child);
        assert_ends_with_a_sentence(child, directory.path());
    }
}

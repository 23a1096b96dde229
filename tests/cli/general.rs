//! What every command of the program has in common.

use crate::program::{fails_with, retrylab, stdout};

#[test]
fn help_has_examples() {
    for command in ["compute", "simulate", "lockup", "verify", "scenarios"] {
        let help = stdout(&[command, "--help"]);
        let examples: Vec<&str> = help
            .lines()
            .filter_map(|line| line.strip_prefix("  retrylab "))
            .collect();
        assert!(examples.len() >= 3 && examples[0].starts_with(command), "{help}");
        for option in ["--json", "--seed", "--threads", "--help"] {
            assert!(help.contains(option), "{option} is not in\n{help}");
        }
    }
    let help = stdout(&["--help"]);
    for part in [
        "compute",
        "simulate",
        "lockup",
        "verify",
        "scenarios",
        "Examples:",
        "Exit status",
    ] {
        assert!(help.contains(part), "{part} is not in\n{help}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(
        stdout(&["--version"]),
        format!("retrylab {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn usage_errors_have_status_2() {
    for (arguments, sentence) in [
        (
            &["--threads", "0", "scenarios"][..],
            "it must be a whole number from 1 to 4,096",
        ),
        (
            &["scenarios", "--threads", "x"],
            "invalid value 'x' for '--threads <N>'",
        ),
        (
            &["scenarios", "--seed", "1.5"],
            "invalid value '1.5' for '--seed <N>'",
        ),
        (&["scenarios", "--colour"], "unexpected argument '--colour'"),
        (&["simulte"], "unrecognized subcommand 'simulte'"),
    ] {
        fails_with(arguments, sentence);
    }
    retrylab(&[]).assert().code(2);
}

/// A reader that stops early closes the pipe; writing into it must not end in a panic.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin!("retrylab");
    let mut child = Command::new(program)
        .args(["compute", "--list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// A full disk is a failure with a sentence.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    use std::process::{Command, Stdio};
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("retrylab"))
        .args(["compute", "--list"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with("error: standard output cannot be written"),
        "{stderr}"
    );
}

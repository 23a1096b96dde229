//! Running the program and looking at what it says.

use assert_cmd::Command;
use serde_json::Value;

/// The program with arguments.
pub(crate) fn retrylab(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("retrylab"));
    command.args(arguments).env_remove("NO_COLOR");
    command
}

/// Standard output of a command that succeeds.
#[track_caller]
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = retrylab(arguments).assert().code(0).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// The one JSON object on standard output of a command that succeeds.
#[track_caller]
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The names of an object's members, in their order.
#[track_caller]
pub(crate) fn object_keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Asserts that a command fails with status 2, prints nothing, and says a sentence on standard error, with --json too.
#[track_caller]
pub(crate) fn fails_with(arguments: &[&str], sentence: &str) {
    for extra in [None, Some("--json")] {
        let mut command = retrylab(arguments);
        command.args(extra);
        let output = command.assert().code(2).get_output().clone();
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let unwrapped = stderr.replace("\n  │ ", " ");
        assert!(
            unwrapped.contains(sentence),
            "{arguments:?} says\n{stderr}not\n{sentence}"
        );
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(
            !stderr.contains('\u{1b}'),
            "colours without a terminal: {stderr:?}"
        );
    }
}

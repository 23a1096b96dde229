//! Completions, manual pages, schemas, --quiet and colours.

use crate::program::{json, retrylab, stdout};

#[test]
fn completions_are_for_every_shell_and_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&["completions", shell]);
        for word in ["simulate", "lockup", "verify", "completions", "--replications"] {
            // Fish writes options without their hyphens.
            let word = word.trim_start_matches('-');
            assert!(script.contains(word), "{word} is not in the script for {shell}");
        }
        assert_eq!(json(&["completions", shell, "--json"])["script"], script);
    }
    retrylab(&["completions", "tcsh"]).assert().code(2);
}

/// What bash itself makes of the script.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_a_command() {
    let script = stdout(&["completions", "bash"]);
    let ask =
        "COMP_WORDS=(retrylab sim); COMP_CWORD=1; _retrylab retrylab sim retrylab; echo \"${COMPREPLY[*]}\"";
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("{script}\n{ask}")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "simulate");
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("man1");
    let result = json(&["man", "--out", out.to_str().unwrap(), "--json"]);
    let pages: Vec<&str> = result["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap())
        .collect();
    for page in [
        "retrylab.1",
        "retrylab-simulate.1",
        "retrylab-verify.1",
        "retrylab-man.1",
    ] {
        assert!(pages.contains(&page), "{pages:?}");
    }
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), pages.len());
    let simulate = std::fs::read_to_string(out.join("retrylab-simulate.1")).unwrap();
    for part in [
        ".TH retrylab-simulate 1",
        "\\-\\-replications",
        "\\-\\-seed",
        "Examples:",
    ] {
        assert!(simulate.contains(part), "{part} is not in\n{simulate}");
    }
    assert!(stdout(&["man"]).contains(".TH retrylab 1"));
}

#[test]
fn committed_schemas_are_current() {
    for kind in ["scenario", "service", "plan"] {
        let schema = json(&["schema", kind]);
        assert_eq!(schema["additionalProperties"], false);
        let path = format!("{}/schemas/{kind}.json", env!("CARGO_MANIFEST_DIR"));
        assert!(
            std::fs::read_to_string(path).unwrap() == stdout(&["schema", kind]),
            "write it anew: retrylab schema {kind} > schemas/{kind}.json"
        );
    }
    retrylab(&["schema", "cat"]).assert().code(2);
}

/// Measured times at a high load have a note about waiting.
#[test]
fn quiet_says_nothing_on_standard_error_but_errors() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("times.csv"), "1\n2\n").unwrap();
    let file = directory.path().join("mine.toml");
    let text = "[traffic]\nrate = 0.5\n[service]\ntime = { measured = { file = \"times.csv\" } }\n[run]\nuntil = 100\n";
    std::fs::write(&file, text).unwrap();
    let run = |extra: &[&str]| {
        let output = retrylab(&["simulate", file.to_str().unwrap()])
            .args(extra)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert!(run(&[]).1.starts_with("note: service.time: "));
    assert_eq!(run(&["--quiet"]), (Some(0), String::new()));
    assert_eq!(run(&["-q"]), (Some(0), String::new()));
    let (status, stderr) = run(&["-q", "--set", "client.attempts=0"]);
    assert_eq!(status, Some(2));
    assert!(stderr.starts_with("error: --set client.attempts=0"), "{stderr}");
}

#[test]
fn colours_are_for_terminals_unless_the_environment_says_otherwise() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    std::fs::write(&file, "[traffic]\nrate = 0\n").unwrap();
    let is_coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = retrylab(arguments);
        command
            .env_remove("CLICOLOR_FORCE")
            .envs(environment.iter().copied());
        let output = command.output().unwrap();
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    for arguments in [
        &["simulate", file.to_str().unwrap()][..],
        &["simulate", "--help"],
        &["simulte"],
    ] {
        assert!(!is_coloured(arguments, &[]), "{arguments:?}");
        assert!(
            is_coloured(arguments, &[("CLICOLOR_FORCE", "1")]),
            "{arguments:?}"
        );
        let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
        assert!(!is_coloured(arguments, &both), "{arguments:?}");
    }
    let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    assert!(!is_coloured(&["compute", "--list"], &both));
}

//! Bad scenarios on the command line: one clear sentence, status 2, nothing written.

use crate::program::{fails_with, retrylab};

#[test]
fn mistakes_in_a_file_point_at_the_line() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    for (text, sentence, place, line) in [
        (
            "[traffic]\nrate = 0.5\n[client]\ntiemout = 5\n",
            "unknown key \"tiemout\" in [client]; expected timeout, attempts, retry_probability, retries_per_failure, retry_rejected, backoff, budget or breaker (did you mean timeout?)",
            ":4:1]",
            "tiemout = 5",
        ),
        (
            "[traffic]\nrate = -1\n",
            "traffic.rate is -1, but must be a finite rate above 0",
            ":2:8]",
            "rate = -1",
        ),
        (
            "[traffic]\nrate = nan\n",
            "traffic.rate is NaN, but must be a finite rate above 0",
            ":2:8]",
            "rate = nan",
        ),
        (
            "[traffic]\nrate = 1\n[service]\nerror_probability = 1.2\n",
            "service.error_probability is 1.2, but must be a number from 0 to 1",
            ":4:21]",
            "error_probability = 1.2",
        ),
        (
            "[traffic]\nrate = 1\nrate = 2\n",
            "this is not TOML: duplicate key",
            ":3:1]",
            "rate = 2",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let name = file.to_str().unwrap();
        fails_with(&["simulate", name], sentence);
        fails_with(&["simulate", name], place);
        fails_with(&["simulate", name], line);
    }
    std::fs::write(&file, "name = \"no traffic\"\n").unwrap();
    fails_with(&["simulate", file.to_str().unwrap()], "missing table [traffic]");
}

#[test]
fn a_very_long_line_is_not_shown() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    std::fs::write(&file, format!("[traffic]\nrate = \"{}\"\n", "x".repeat(100_000))).unwrap();
    let output = retrylab(&["simulate", file.to_str().unwrap()])
        .assert()
        .code(2)
        .get_output()
        .clone();
    assert!(output.stderr.len() < 1000);
    fails_with(
        &["simulate", file.to_str().unwrap()],
        ", line 2: traffic.rate is \"xxx",
    );
}

#[test]
fn what_is_no_scenario_file_is_refused_before_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    // A gigabyte that takes no space: only its size is looked at.
    std::fs::File::create(path("large"))
        .unwrap()
        .set_len(1 << 30)
        .unwrap();
    fails_with(
        &["simulate", &path("large")],
        "is larger than 1 MiB, which a scenario never is",
    );
    std::fs::write(path("binary"), b"[traffic]\nrate = \xff\xfe\n").unwrap();
    fails_with(
        &["simulate", &path("binary")],
        "is not a text in UTF-8 (from byte 17 on)",
    );
    fails_with(
        &["simulate", directory.path().to_str().unwrap()],
        "is a directory, but a scenario is a TOML file",
    );
    fails_with(
        &["simulate", &path("missing.toml")],
        "there is neither a file nor a built-in scenario called",
    );
    fails_with(
        &["simulate", ""],
        "there is neither a file nor a built-in scenario called",
    );
    fails_with(&["simulate", "stuckline"], "did you mean stuck-line?");
    if cfg!(unix) {
        fails_with(&["simulate", "/dev/zero"], "is not a regular file");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_waiting_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    fails_with(&["simulate", pipe.to_str().unwrap()], "is not a regular file");
}

#[test]
fn bad_settings_name_the_setting() {
    for (setting, sentence) in [
        (
            "client.tiemout=5",
            "error: --set client.tiemout=5: unknown key \"tiemout\" in [client]; expected timeout,",
        ),
        (
            "client.timeout=0",
            "error: --set client.timeout=0: client.timeout is 0, but must be a finite time above 0",
        ),
        (
            "client.attempts=0",
            "error: --set client.attempts=0: client.attempts is 0, but must be a whole number from 1 to 65535",
        ),
        (
            "traffic.rate=-0.5",
            "error: --set traffic.rate=-0.5: traffic.rate is -0.5, but must be a finite rate above 0",
        ),
        (
            "service.error_probability=1.2",
            "error: --set service.error_probability=1.2: service.error_probability is 1.2, but must be a number",
        ),
        (
            "client.timeout=120ms",
            "error: --set client.timeout=120ms: client.timeout is 120ms, but must be a number without a unit",
        ),
        (
            "client.timeout",
            "error: --set: \"client.timeout\" is not a setting; write key=value",
        ),
        ("=5", "error: --set: \"\" is not a key"),
        ("traffic=", "error: --set traffic=: missing table [traffic]"),
        (
            "traffic.rate=",
            "error: --set traffic.rate=: missing key rate in [traffic]",
        ),
        (
            "client.attempts=1e3",
            "error: --set client.attempts=1e3: client.attempts is written as a decimal number, 1000, but must be a whole number",
        ),
        ("client.timeout=1e300", "hold is about 1e300 (of client.timeout,"),
        (
            "traffic.rate=1e-300",
            "(of the mean of service.time and 1 / traffic.rate)",
        ),
    ] {
        fails_with(&["simulate", "stuck-line", "--set", setting], sentence);
    }
}

#[test]
fn bad_options_are_refused() {
    for (option, value, sentence) in [
        (
            "--replications",
            "0",
            "it must be a whole number from 1 to 100,000,000",
        ),
        (
            "--replications",
            "-1",
            "it must be a whole number from 1 to 100,000,000",
        ),
        (
            "--replications",
            "many",
            "it must be a whole number from 1 to 100,000,000",
        ),
        (
            "--seed",
            "-1",
            "it must be a whole number from 0 to 18,446,744,073,709,551,615",
        ),
        ("--precision", "0%", "it must be between 0 and 1"),
        ("--precision", "-1%", "it must be between 0 and 1"),
        ("--precision", "abc", "it must be between 0 and 1"),
        ("--precision", "NaN", "it must be between 0 and 1"),
        ("--precision", "100%", "it must be between 0 and 1"),
        ("--confidence", "1", "it must be between 0 and 1"),
        ("--confidence", "100%", "it must be between 0 and 1"),
        ("--confidence", "-95%", "it must be between 0 and 1"),
        ("--threads", "-1", "it must be a whole number from 1 to 4,096"),
        ("--threads", "0", "it must be a whole number from 1 to 4,096"),
    ] {
        fails_with(&["simulate", "stuck-line", option, value], sentence);
    }
    fails_with(
        &[
            "simulate",
            "stuck-line",
            "--replications",
            "3",
            "--precision",
            "1%",
        ],
        "cannot be used with",
    );
}

#[test]
fn a_trace_that_cannot_be_written_is_refused_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fails_with(
        &["simulate", "stuck-line", "--trace", &path("no/where.csv")],
        "cannot be written: there is no directory",
    );
    fails_with(
        &[
            "simulate",
            "stuck-line",
            "--trace",
            directory.path().to_str().unwrap(),
        ],
        "is there and is not a regular file",
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_trace_over_the_scenario_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    let text = "[traffic]\nrate = 0.5\n[run]\nuntil = 100\n";
    std::fs::write(&file, text).unwrap();
    let roundabout = directory.path().join(".").join("mine.toml");
    let mut targets = vec![file.clone(), roundabout];
    #[cfg(unix)]
    {
        let (symbolic, hard) = (directory.path().join("symbolic"), directory.path().join("hard"));
        std::os::unix::fs::symlink(&file, &symbolic).unwrap();
        std::fs::hard_link(&file, &hard).unwrap();
        targets.extend([symbolic, hard]);
    }
    for target in targets {
        fails_with(
            &[
                "simulate",
                file.to_str().unwrap(),
                "--trace",
                target.to_str().unwrap(),
            ],
            "is the scenario file itself",
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_refused_trace_names_the_target_and_no_temporary_file() {
    let trace = ["simulate", "stuck-line", "--trace", "/proc/x.csv"];
    fails_with(&trace, "/proc/x.csv cannot be written: ");
    let output = retrylab(&trace).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains(".retrylab-"), "{stderr}");
}

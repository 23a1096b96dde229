//! `retrylab lockup` as a user meets it.

use serde_json::Value;

use crate::program::{fails_with, json, object_keys, retrylab, stdout};

fn number(result: &Value, key: &str) -> f64 {
    result[key].as_f64().expect(key)
}

/// What a command prints, with its lines joined, none of which is wider than 80 columns where no terminal says otherwise.
fn said(arguments: &[&str]) -> String {
    let text = stdout(arguments);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The claim on times to lock up has plain runs of the same scenario with a mean of 5,739 at a timeout of 10, and split cycles
/// with 2.06 million at 20, both to within some per cent; an interval at 95 % with ends within 10 % holds them.
#[test]
fn times_are_those_of_the_claim_on_lock_ups() {
    for (timeout, time) in [("10", 5_739.0), ("20", 2.06e6)] {
        let timeout = format!("client.timeout={timeout}");
        let result = json(&["lockup", "tight-timeout-lockup", "--set", &timeout, "--json"]);
        let (low, high) = (number(&result, "low"), number(&result, "high"));
        assert!(low < time && time < high, "{timeout}: {low} to {high}");
        let estimate = number(&result, "estimate");
        assert!(estimate - low <= 0.1 * estimate && high - estimate <= 0.1 * estimate);
    }
}

#[test]
fn the_json_form_says_how_the_time_was_found() {
    let result = json(&["lockup", "tight-timeout-lockup", "--precision", "30%", "--json"]);
    assert_eq!(
        object_keys(&result),
        [
            "scenario",
            "outcome",
            "reason",
            "estimate",
            "low",
            "high",
            "confidence",
            "time_unit",
            "mean_services",
            "human_time",
            "human_time_assumes",
            "definition",
            "backlog",
            "method",
            "thresholds",
            "seed",
            "cycles",
            "replications",
            "looks",
            "attempts",
            "precision",
            "notes"
        ]
    );
    assert_eq!(
        (&result["outcome"], &result["reason"]),
        (&"measured".into(), &Value::Null)
    );
    assert_eq!(result["mean_services"], result["estimate"]);
    assert_eq!(result["confidence"], 0.95);
    assert_eq!(result["precision"]["asked"], 0.3);
    assert_eq!(result["precision"]["reached"], true);
    // Milliseconds for services: thousands of them are seconds.
    assert!(result["human_time"].as_str().unwrap().ends_with(" seconds"));
    let thresholds: Vec<u64> = result["thresholds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|threshold| threshold["in_system"].as_u64().unwrap())
        .collect();
    assert!(!thresholds.is_empty() && thresholds.is_sorted(), "{thresholds:?}");
    assert!(thresholds.last().unwrap() < &result["backlog"].as_u64().unwrap());
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads| {
        stdout(&[
            "lockup",
            "tight-timeout-lockup",
            "--precision",
            "30%",
            "--json",
            "--threads",
            threads,
        ])
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("16"));
    let other = stdout(&[
        "lockup",
        "tight-timeout-lockup",
        "--precision",
        "30%",
        "--json",
        "--seed",
        "2",
    ]);
    assert_ne!(one, other);
}

/// Times in units come in seconds, and the same service in another unit takes as many services.
#[test]
fn a_time_has_the_unit_of_its_scenario() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fast.toml");
    let text = "[traffic]\nrate = \"500/s\"\n[service]\ntime = { exponential = { mean = \"1ms\" } }\nerror_probability = 0.01\n\
                [client]\ntimeout = \"10ms\"\nattempts = 3\n";
    std::fs::write(&path, text).unwrap();
    let result = json(&["lockup", path.to_str().unwrap(), "--precision", "30%", "--json"]);
    assert_eq!(result["time_unit"], "second");
    assert_eq!(result["human_time_assumes"], Value::Null);
    let ratio = number(&result, "mean_services") / number(&result, "estimate");
    assert!((ratio - 1000.0).abs() < 1e-9, "{ratio}");
    assert!((3.0..9.0).contains(&number(&result, "estimate")), "{result}");
    let text = said(&["lockup", path.to_str().unwrap(), "--precision", "30%"]);
    assert!(
        text.contains("mean time to lock up: ")
            && text.contains(" seconds, or ")
            && text.contains(" attempts are in the system, from where it comes back"),
        "{text}"
    );
}

#[test]
fn a_service_that_does_not_lock_up_is_told_why() {
    let never = said(&["lockup", "tight-timeout-lockup", "--set", "traffic.rate=0.33"]);
    assert!(
        never.contains("does not lock up by itself: when every attempt fails the load is 0.99"),
        "{never}"
    );
    let patient = said(&["lockup", "tight-timeout-lockup", "--set", "client.timeout="]);
    assert!(patient.contains("its clients wait for ever"), "{patient}");
    let at_once = json(&[
        "lockup",
        "tight-timeout-lockup",
        "--set",
        "traffic.rate=1.2",
        "--json",
    ]);
    assert_eq!(
        (&at_once["outcome"], &at_once["estimate"]),
        (&"at-once".into(), &Value::Null)
    );
    assert!(
        at_once["reason"].as_str().unwrap().contains("its load is 1.2"),
        "{at_once}"
    );
}

#[test]
fn a_full_line_that_may_come_back_is_not_called_a_lock_up() {
    let settings = ["--set", "server.places=20", "--precision", "30%"];
    let text = said(&[&["lockup", "tight-timeout-lockup"], &settings[..]].concat());
    assert!(
        text.contains("mean time until all 20 places are taken: ")
            && text.contains("by chance it may come back"),
        "{text}"
    );
}

/// One server, load 1/2, all attempts wanted: with λ = 1/2, μ = 1, from empty to two in the system takes 8 on average, since
/// T₀ = 2 + T₁ and T₁ = 2/3 + 2/3 T₀.
#[test]
fn the_time_to_a_number_in_the_system_is_that_of_the_textbook() {
    for (settings, until) in [(&["--set", "server.places=2"][..], "full"), (&[], "2")] {
        let mut arguments = vec![
            "lockup",
            "healthy-single-server",
            "--set",
            "traffic.rate=0.5",
            "--until",
            until,
            "--json",
        ];
        arguments.extend(settings);
        arguments.extend(["--precision", "5%"]);
        let result = json(&arguments);
        let (low, high) = (number(&result, "low"), number(&result, "high"));
        assert!(low < 8.0 && 8.0 < high, "{low} to {high}");
        assert_eq!(result["backlog"], 2);
    }
}

/// A timeout of 10,000 services is a time that no digits hold: what is said is a lower bound, with status 1.
#[test]
fn a_time_out_of_reach_has_a_lower_bound() {
    let arguments = [
        "lockup",
        "tight-timeout-lockup",
        "--set",
        "client.timeout=10000",
        "--precision",
        "90%",
        "--json",
    ];
    let output = retrylab(&arguments).assert().code(1).get_output().clone();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&result["outcome"], &result["estimate"]),
        (&"at-least".into(), &Value::Null)
    );
    // To have n in the system takes some 2ⁿ.
    let backlog = number(&result, "backlog");
    let digits = number(&result, "low").log2();
    assert!(
        backlog > 50.0 && (backlog - 5.0..backlog + 5.0).contains(&digits),
        "{backlog} {digits}"
    );
}

#[test]
fn what_has_no_time_to_lock_up_is_refused_with_a_sentence() {
    for (setting, sentence) in [
        (
            "server.discipline=lifo",
            "last in, first out answers the newest attempts in time",
        ),
        (
            "server.discipline=random",
            "in random order some attempts are served in time",
        ),
        ("server.deadline_check=skip-expired", "with a deadline check"),
        ("server.rejection_cost=0.1", "rejecting or skipping costs time"),
        ("client.breaker={ window = 20, open = 30 }", "it has a breaker"),
    ] {
        fails_with(&["lockup", "tight-timeout-lockup", "--set", setting], sentence);
    }
    fails_with(&["lockup", "short-stall"], "it has a schedule");
    // Not that it does not lock up by itself, which would be true of its outermost tier, or without its schedule or costs.
    fails_with(&["lockup", "three-tiers"], "it has further tiers");
    fails_with(
        &["lockup", "short-stall", "--set", "traffic.rate=0.3"],
        "it has a schedule",
    );
    fails_with(
        &["lockup", "costly-rejections", "--set", "schedule="],
        "rejecting or skipping costs time",
    );
    fails_with(
        &["lockup", "tight-timeout-lockup", "--until", "full"],
        "--until full needs a scenario with server.places",
    );
    fails_with(
        &[
            "lockup",
            "tight-timeout-lockup",
            "--set",
            "server.places=30",
            "--until",
            "31",
        ],
        "--until 31 is never reached",
    );
    fails_with(
        &["lockup", "tight-timeout-lockup", "--until", "soon"],
        "it must be lock-up or full, or a whole number",
    );
    fails_with(
        &["lockup", "tight-timeout-lockup", "--precision", "0"],
        "it must be between 0 and 1",
    );
    fails_with(
        &["lockup", "tight-timeout-lokup"],
        "did you mean tight-timeout-lockup?",
    );
}

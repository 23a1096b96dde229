//! `retrylab assess` and `retrylab init`.

use std::process::Output;

use serde_json::Value;

use crate::program::{json, retrylab};

/// A service that is assessed in a moment.
const SMALL: [&str; 9] = [
    "assess",
    "--rate",
    "20/s",
    "--capacity",
    "40/s",
    "--timeout",
    "500ms",
    "--attempts",
    "3",
];

fn run(arguments: &[&str]) -> Output {
    retrylab(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Words without what depends on the width of a line.
fn words(text: &str) -> String {
    text.replace('\u{a0}', " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn what_is_printed_is_what_the_json_says() {
    let printed = run(&SMALL);
    assert_eq!(printed.status.code(), Some(1), "it is at risk");
    let json = run(&[&SMALL[..], &["--json"]].concat());
    assert_eq!(json.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let printed = words(&text(&printed.stdout));
    let sections = json["sections"].as_array().unwrap();
    assert!(sections.len() >= 6);
    let mut sentences = 0;
    for section in sections {
        assert!(printed.contains(section["title"].as_str().unwrap()));
        for sentence in section["sentences"].as_array().unwrap() {
            let sentence = words(sentence["text"].as_str().unwrap());
            assert!(printed.contains(&sentence), "{sentence} is not in {printed}");
            sentences += 1;
        }
    }
    assert!(sentences >= 15, "{sentences}");
    assert!(printed.contains(&words(json["conclusion"]["text"].as_str().unwrap())));
}

#[test]
fn lines_fit_into_80_columns() {
    let printed = run(&SMALL);
    for line in text(&printed.stdout).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_file_and_flags_on_top_of_it_make_one_service() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    let path = file.to_str().unwrap();
    let made = run(&["init", path]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let json = run(&[
        "assess",
        path,
        "--rate",
        "1200/min",
        "--capacity",
        "40/s",
        "--attempts",
        "1",
        "--queue",
        "10",
        "--json",
    ]);
    assert_eq!(json.status.code(), Some(0), "{}", text(&json.stderr));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&json["verdict"], &json["service"]["name"]),
        (&Value::from("safe"), &Value::from("my service"))
    );
    let load = &json["sections"][0]["sentences"][0];
    assert!(load["text"].as_str().unwrap().contains("1,200/min"), "{load}");
    let template: Value = serde_json::from_slice(&run(&["init", "-", "--json"]).stdout).unwrap();
    assert_eq!(template["text"], text(&std::fs::read(&file).unwrap()));
    let shown = run(&["init", "-"]);
    assert_eq!(text(&shown.stdout), std::fs::read_to_string(&file).unwrap());
    // What is there is left alone.
    let again = run(&["init", path]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"));
}

#[test]
fn a_page_and_its_figures_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("assessment");
    run(&[&SMALL[..], &["--out", out.to_str().unwrap()]].concat());
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "assessment.html",
            "assessment.md",
            "success-over-time.svg",
            "worst-load.svg"
        ]
    );
}

#[test]
fn bad_services_get_a_sentence() {
    let cases: [(&[&str], &str); 19] = [
        (
            &["--rate", "20/s", "--capacity", "40/s", "--timeout", "soon"],
            "--timeout soon: timeout is \"soon\", but must be a time",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--timeout", "1e30s"],
            "--timeout 1e30s: timeout is 1e30s, but must be short enough to be simulated",
        ),
        (&["--capacity", "40/s"], "rate is missing; give --rate"),
        (
            &["--capacity", "40/s", "--set", "attempts=2"],
            "missing key rate in a service",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--queue", "-1"],
            "queue is -1, but must be a whole number of at least 0",
        ),
        (&["--rate", "20/s"], "capacity is missing, but must be given"),
        (
            &["--rate", "20", "--capacity", "40/s"],
            "rate is 20, but must be a rate with a unit",
        ),
        (
            &["--rate", "0/s", "--capacity", "40/s"],
            "rate is 0/s, but must be a finite rate above 0",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--attempts", "0"],
            "attempts is 0",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--timeout", "-1s"],
            "timeout is -1s",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--timeout", "5"],
            "timeout is 5, but must be given with a unit, because rate is",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--objective", "1"],
            "objective is 1",
        ),
        (&["--rate", "20/s", "--servers", "2"], "capacity is missing"),
        (
            &[
                "--rate",
                "20/s",
                "--servers",
                "2",
                "--p99",
                "5ms",
                "--median",
                "9ms",
            ],
            "latency.p99 is 5ms, but must be above median",
        ),
        (
            &[
                "--rate",
                "20/s",
                "--servers",
                "2",
                "--mean",
                "5ms",
                "--capacity",
                "40/s",
            ],
            "capacity is 40/s, but must be left out, or the 400/s",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--set", "tiemout=5s"],
            "did you mean timeout?",
        ),
        (
            &["--rate", "20/s", "--capacity", "40/s", "--stall", "1e20s"],
            "incident.stall is 1e20s, but must be short enough to be simulated",
        ),
        (
            &[
                "--rate",
                "20/s",
                "--capacity",
                "40/s",
                "--set",
                "incident={capacity=1e-300}",
            ],
            "or for a time short enough, to be simulated",
        ),
        (
            &[
                "--rate",
                "20/s",
                "--capacity",
                "40/s",
                "--set",
                "incident={rate=\"1e300/s\",for=\"2min\"}",
            ],
            "for 2min, but must be near enough to the rate of a normal day, or for a time short enough, to be simulated",
        ),
    ];
    for (flags, sentence) in cases {
        let output = run(&[&["assess"], flags].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
        assert!(words(&stderr).contains(sentence), "{flags:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{flags:?}");
    }
}

/// A service whose service times are in a file, in milliseconds.
fn with_latencies(path: &str) -> [&str; 9] {
    [
        "assess",
        "--rate",
        "20/s",
        "--servers",
        "2",
        "--latencies",
        path,
        "--latencies-unit",
        "ms",
    ]
}

#[test]
fn bad_files_of_latencies_get_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (name, bytes) in [
        ("empty.csv", &b""[..]),
        ("header.csv", b"milliseconds\n"),
        ("nan.csv", b"1\nNaN\n"),
        ("negative.csv", b"1\n-2\n"),
        ("one.csv", b"1\n"),
        ("words.csv", b"1\nfast\n"),
        ("binary.csv", b"\x00\xff\xfe\x01"),
    ] {
        let path = write(name, bytes);
        let output = run(&with_latencies(&path));
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(
            stderr.contains(name) && stderr.lines().count() <= 8,
            "{name}: {stderr}"
        );
    }
}

#[test]
fn measured_latencies_are_named_by_their_checksum() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("times.csv");
    let values: String = (1..=200).map(|value| format!("{}\n", value % 40 + 5)).collect();
    std::fs::write(&path, values).unwrap();
    let latencies = path.to_str().unwrap();
    let json = json(&[&with_latencies(latencies)[..], &["--timeout", "2s", "--json"]].concat());
    assert_eq!(json["measured_latencies"]["count"], 200);
    assert_eq!(json["measured_latencies"]["sha256"].as_str().unwrap().len(), 64);
    let sentences = json["sections"][0]["sentences"].as_array().unwrap();
    assert!(
        sentences
            .iter()
            .any(|sentence| sentence["id"] == "measured-latencies")
    );
}

//! What a point of a sweep is: the simulation of its scenario alone, also to a precision and with measured latencies.

use std::path::Path;

use serde_json::Value;

use crate::program::{fails_with, json, retrylab};

const SCENARIO: &str = "[traffic]\nrate = 0.5\n[client]\ntimeout = 5\n[run]\nuntil = 400\n";

/// The results of a plan, whose file is `plan.toml` in the directory.
fn sweep(directory: &Path, plan: &str, arguments: &[&str]) -> Value {
    let file = directory.join("plan.toml");
    std::fs::write(&file, plan).unwrap();
    let results = directory.join("results.sqlite");
    let call = ["sweep", "--json", file.to_str().unwrap(), "--results"];
    json(&[&call[..], &[results.to_str().unwrap()], arguments].concat())
}

/// Asserts that a point has the numbers of a simulation.
#[track_caller]
fn assert_is_that_of(point: &Value, simulated: &Value) {
    assert_eq!(point["replications"], simulated["replications"]);
    let measures = point["measures"].as_object().unwrap();
    assert!(measures.contains_key("success"), "{point}");
    for (name, measure) in measures {
        for key in ["estimate", "low", "high"] {
            assert_eq!(measure[key], simulated["measures"][name][key], "{name}, {key}");
        }
    }
}

#[test]
fn a_point_is_sampled_to_its_precision_as_a_simulation_alone_is() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("scenario.toml"), SCENARIO).unwrap();
    let plan = "scenario = \"scenario.toml\"\nprecision = \"5%\"\n[[axis]]\nkey = \"traffic.rate\"\nvalues = [0.2, 0.6, 0.8]\n";
    let swept = sweep(directory.path(), plan, &["--threads", "2"]);
    let points = swept["points"].as_array().unwrap();
    assert_eq!(points.len(), 3);
    let scenario = directory.path().join("scenario.toml");
    let mut replications = Vec::new();
    for (point, rate) in points.iter().zip(["0.2", "0.6", "0.8"]) {
        let simulated = json(&[
            "simulate",
            scenario.to_str().unwrap(),
            "--set",
            &format!("traffic.rate={rate}"),
            "--precision",
            "5%",
            "--json",
        ]);
        assert_eq!(simulated["precision"]["reached"], true, "{simulated}");
        assert_is_that_of(point, &simulated);
        let success = &point["measures"]["success"];
        let number = |key: &str| success[key].as_f64().unwrap();
        assert!(number("high") - number("low") <= 0.1 + 1e-12, "{success}");
        replications.push(point["replications"].as_u64().unwrap());
    }
    // Near saturation sojourn times vary more.
    assert!(replications[0] < replications[2], "{replications:?}");
}

/// A path in a plan is meant from the plan's directory, one in a scenario from the scenario's.
#[test]
fn measured_latencies_are_read_from_beside_their_text() {
    let directory = tempfile::tempdir().unwrap();
    let measured = "{ measured = { file = \"latencies.txt\", unit = \"ms\" } }";
    for (place, latencies) in [("near", "1\n2\n3\n"), ("far", "2\n4\n6\n")] {
        let place = directory.path().join(place);
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("latencies.txt"), latencies).unwrap();
        let scenario = format!(
            "[traffic]\nrate = \"100/s\"\n[service]\ntime = {measured}\n[run]\nuntil = \"5s\"\nreplications = 4\n"
        );
        std::fs::write(place.join("scenario.toml"), scenario).unwrap();
    }
    let near = directory.path().join("near");
    let plan = format!(
        "scenario = \"../far/scenario.toml\"\n[[axis]]\nkey = \"service.time\"\nvalues = [{measured}, {{ exponential = {{ mean = \"2ms\" }} }}]\n\
         [[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2]\n"
    );
    let swept = sweep(&near, &plan, &[]);
    let simulated = json(&[
        "simulate",
        near.join("scenario.toml").to_str().unwrap(),
        "--set",
        "client.attempts=1",
        "--json",
    ]);
    assert_is_that_of(&swept["points"][0], &simulated);
    let by_scenario =
        "scenario = \"../far/scenario.toml\"\n[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2]\n";
    let results = near.join("results.sqlite");
    std::fs::remove_file(&results).unwrap();
    let swept = sweep(&near, by_scenario, &[]);
    let simulated = json(&[
        "simulate",
        directory.path().join("far/scenario.toml").to_str().unwrap(),
        "--set",
        "client.attempts=1",
        "--json",
    ]);
    assert_is_that_of(&swept["points"][0], &simulated);

    // The file's checksum is part of what tells plans apart.
    std::fs::write(directory.path().join("far/latencies.txt"), "2\n4\n7\n").unwrap();
    let plan = near.join("plan.toml");
    fails_with(
        &[
            "sweep",
            plan.to_str().unwrap(),
            "--results",
            results.to_str().unwrap(),
        ],
        "are of another plan, or of this one before it was changed",
    );
    std::fs::remove_file(directory.path().join("far/latencies.txt")).unwrap();
    std::fs::remove_file(&results).unwrap();
    retrylab(&[
        "sweep",
        plan.to_str().unwrap(),
        "--results",
        results.to_str().unwrap(),
    ])
    .assert()
    .code(2);
    assert!(
        !results.exists(),
        "nothing is written for a plan that cannot be read"
    );
}

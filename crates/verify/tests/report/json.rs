//! The JSON contract.

use retrylab_verify::{Outcome, report};
use serde_json::{Value, json};

use crate::sample;

fn parsed(outcome: &Outcome) -> Value {
    serde_json::from_str(&report::json(outcome)).unwrap()
}

fn claim<'a>(report: &'a Value, id: &str) -> &'a Value {
    report["claims"]
        .as_array()
        .unwrap()
        .iter()
        .find(|claim| claim["id"] == id)
        .unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

const EVIDENCE: [&str; 12] = [
    "label",
    "quoted",
    "computed",
    "measured",
    "replications",
    "looks",
    "attempts",
    "seed",
    "scenario",
    "criterion",
    "detectable_error",
    "notes",
];

#[test]
fn a_claim_with_one_number_has_its_evidence_on_itself() {
    let report = parsed(&sample::outcome());
    let claim = claim(&report, "T02");
    let own = [
        "id",
        "document",
        "title",
        "statement",
        "verdict",
        "recorded_verdict",
        "surprise",
        "remarks",
        "open_parameters",
        "beyond",
    ];
    assert_eq!(keys(claim), own.into_iter().chain(EVIDENCE).collect::<Vec<_>>());
    assert_eq!(claim["document"], "three-attempts");
    assert_eq!(claim["title"], "Three Attempts, One Third");
    assert_eq!(claim["verdict"], "agrees");
    assert_eq!(claim["recorded_verdict"], "agrees");
    assert_eq!(keys(&claim["quoted"]), ["text", "low", "high", "range_reason"]);
    assert_eq!(claim["quoted"]["text"], "0.863 ± 0.002");
    assert_eq!(claim["quoted"]["low"], 0.8605);
    assert_eq!(
        keys(&claim["computed"]),
        ["value", "formula", "source", "command"]
    );
    assert_eq!(claim["computed"]["value"], 1.0 - (-2.0f64).exp());
    assert_eq!(
        keys(&claim["measured"]),
        ["estimate", "low", "high", "confidence", "method"]
    );
    assert_eq!(claim["measured"]["confidence"], 0.999_993);
    assert_eq!(claim["replications"], 400);
    assert_eq!(claim["looks"], 3);
    assert_eq!(claim["attempts"], 25_734_118);
    assert_eq!(claim["seed"], 8_127_406_251_938_110_471_u64);
    assert!(claim["scenario"].as_str().unwrap().contains("[traffic]"));
    assert_eq!(claim["notes"], json!({}));
}

#[test]
fn a_claim_with_several_numbers_has_them_in_parts() {
    let report = parsed(&sample::outcome());
    let claim = claim(&report, "T01");
    for key in EVIDENCE.into_iter().filter(|key| *key != "notes") {
        assert_eq!(claim[key], Value::Null, "{key}");
    }
    let parts = claim["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 3);
    let expected: Vec<_> = ["verdict", "recorded_verdict"]
        .into_iter()
        .chain(EVIDENCE)
        .collect();
    assert!(parts.iter().all(|part| keys(part) == expected));
    assert_eq!(parts[1]["label"], "mean latency at load 0.8");
    assert_eq!(parts[1]["measured"]["estimate"], 5.003);
}

#[test]
fn verdicts_are_words_with_hyphens_and_the_worst_part_speaks_for_the_claim() {
    let mut outcome = sample::outcome();
    let report = parsed(&outcome);
    let verdicts = ["T02", "T18", "T20", "T29"].map(|id| claim(&report, id)["verdict"].as_str().unwrap());
    assert_eq!(
        verdicts,
        ["agrees", "inconclusive", "not-reproduced", "does-not-agree"]
    );
    let latency = outcome.claims.iter_mut().find(|claim| claim.id == "T01").unwrap();
    latency.parts[2].verdict = retrylab_verify::Verdict::NotReproduced;
    let report = parsed(&outcome);
    assert_eq!(claim(&report, "T01")["verdict"], "not-reproduced");
    assert_eq!(claim(&report, "T01")["surprise"], true);
}

#[test]
fn the_summary_counts_and_names_surprises() {
    let summary = &parsed(&sample::outcome())["summary"];
    assert_eq!(
        *summary,
        json!({
            "total": 9,
            "verdicts": { "agrees": 6, "inconclusive": 1, "not-reproduced": 1, "does-not-agree": 1 },
            "surprises": ["T18", "T29"],
            "unfinished": [],
            "level": "standard",
            "seed": 20_260_727,
            "family_error": 0.001,
            "attempts": 1_893_442_107,
            "notes": {},
        })
    );
}

#[test]
fn a_number_that_does_not_exist_is_null_with_a_reason() {
    let mut outcome = sample::outcome();
    let part = &mut outcome.claims[0].parts[0];
    part.computed.as_mut().unwrap().value = f64::NAN;
    part.measured.as_mut().unwrap().high = f64::INFINITY;
    let report = parsed(&outcome);
    let claim = &report["claims"][0];
    assert_eq!(claim["computed"]["value"], Value::Null);
    assert_eq!(claim["measured"]["high"], Value::Null);
    assert!(
        claim["notes"]["computed.value"]
            .as_str()
            .unwrap()
            .contains("undefined")
    );
    assert!(
        claim["notes"]["measured.high"]
            .as_str()
            .unwrap()
            .contains("unbounded above")
    );
    assert_eq!(claim["notes"].as_object().unwrap().len(), 2);
}

#[test]
fn the_documented_example_has_the_shape_of_a_report() {
    let text = include_str!("../../../../docs/json.md");
    let example = text
        .split("```json\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let example: Value = serde_json::from_str(example).unwrap();
    let report = parsed(&sample::outcome());
    let (documented, written) = (claim(&example, "T02"), claim(&report, "T02"));
    assert_eq!(keys(documented), keys(written));
    for key in ["quoted", "computed", "measured"] {
        assert_eq!(keys(&documented[key]), keys(&written[key]), "{key}");
    }
    assert_eq!(keys(&example["summary"]), keys(&report["summary"]));
    for key in keys(written)
        .into_iter()
        .chain(keys(&report["summary"]))
        .chain(["parts"])
    {
        assert!(text.contains(&format!("`{key}`")), "{key} is described");
    }
}

//! The JSON view, for programs.

use serde_json::{Map, Value, json};

use crate::outcome::{ClaimOutcome, Outcome, PartOutcome};
use crate::verdict::Verdict;

/// The outcome as one JSON object: `{"claims": […], "summary": {…}}`.
///
/// A claim has `id`, `document`, `title`, `statement`, `verdict`, `recorded_verdict`, `surprise`, `remarks`,
/// `open_parameters`, `beyond`, and the evidence of its number:
/// - `label`: what the number is; `criterion`: how the verdict is reached; `detectable_error`: the error of the closed form
///   that would have been shown with probability 0.99;
/// - `quoted`: `{"text", "low", "high", "range_reason"}`, the number as printed and what it can mean;
/// - `computed`: `{"value", "formula", "source", "command"}`;
/// - `measured`: `{"estimate", "low", "high", "confidence", "method"}`;
/// - `replications`, `looks`, `attempts`, `seed`, `scenario`: the experiment behind the measurement;
/// - `notes`: for every number that does not exist, its name and the reason; the number itself is `null`.
///
/// What a claim does not have is `null`. A claim with several numbers has `parts`, each with `label`, `verdict`,
/// `recorded_verdict` and evidence of the same shape; the claim's own evidence is `null` then, and its verdict is the
/// worst of its parts.
///
/// `summary` has `total`, `verdicts` (the number of claims with each verdict), `surprises` (ids of the claims of which
/// some verdict is not the recorded one), `level`, `seed`, `family_error`, `attempts` and `notes`.
#[must_use]
pub fn json(outcome: &Outcome) -> String {
    let claims: Vec<Value> = outcome.claims.iter().map(claim_object).collect();
    let mut text = format!("{:#}", json!({ "claims": claims, "summary": summary(outcome) }));
    text.push('\n');
    text
}

fn summary(outcome: &Outcome) -> Value {
    let verdicts: Map<String, Value> = Verdict::ALL
        .into_iter()
        .map(|verdict| (word(verdict), outcome.count(verdict).into()))
        .collect();
    let surprises: Vec<&str> = outcome.surprises().map(|claim| claim.id).collect();
    let mut notes = Notes::default();
    json!({
        "total": outcome.claims.len(),
        "verdicts": verdicts,
        "surprises": surprises,
        "unfinished": outcome.unfinished,
        "level": outcome.level,
        "seed": outcome.seed,
        "family_error": notes.number("family_error", outcome.family_error),
        "attempts": outcome.attempts,
        "notes": notes.0,
    })
}

fn claim_object(claim: &ClaimOutcome) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), claim.id.into());
    object.insert("document".into(), claim.document.name().into());
    object.insert("title".into(), claim.document.title().into());
    object.insert("statement".into(), claim.statement.into());
    object.insert("verdict".into(), json!(claim.verdict()));
    object.insert("recorded_verdict".into(), json!(claim.recorded_verdict()));
    object.insert("surprise".into(), claim.is_surprise().into());
    object.insert("remarks".into(), json!(claim.remarks));
    object.insert("open_parameters".into(), json!(claim.open_parameters));
    object.insert("beyond".into(), json!(claim.beyond));
    match &claim.parts[..] {
        [part] => object.extend(evidence(Some(part))),
        parts => {
            object.extend(evidence(None));
            object.insert("parts".into(), parts.iter().map(part_object).collect());
        }
    }
    Value::Object(object)
}

fn part_object(part: &PartOutcome) -> Value {
    let mut object = Map::new();
    object.insert("verdict".into(), json!(part.verdict));
    object.insert("recorded_verdict".into(), json!(part.recorded_verdict));
    object.extend(evidence(Some(part)));
    Value::Object(object)
}

/// The evidence about one number; every key is there, whether or not the number is.
fn evidence(part: Option<&PartOutcome>) -> Map<String, Value> {
    let mut notes = Notes::default();
    let quoted = part.and_then(|part| part.quoted.as_ref()).map(|quoted| {
        json!({
            "text": quoted.text,
            "low": notes.number("quoted.low", quoted.low),
            "high": notes.number("quoted.high", quoted.high),
            "range_reason": quoted.range_reason,
        })
    });
    let computed = part.and_then(|part| part.computed.as_ref()).map(|computed| {
        json!({
            "value": notes.number("computed.value", computed.value),
            "formula": computed.formula,
            "source": computed.source,
            "command": computed.command,
        })
    });
    let experiment = part.and_then(|part| part.measured.as_ref());
    let measured = experiment.map(|measured| {
        json!({
            "estimate": notes.number("measured.estimate", measured.estimate),
            "low": notes.number("measured.low", measured.low),
            "high": notes.number("measured.high", measured.high),
            "confidence": notes.number("measured.confidence", measured.confidence),
            "method": measured.method,
        })
    });
    let fields = [
        ("label", json!(part.map(|part| &part.label))),
        ("quoted", json!(quoted)),
        ("computed", json!(computed)),
        ("measured", json!(measured)),
        (
            "replications",
            json!(experiment.map(|measured| measured.replications)),
        ),
        ("looks", json!(experiment.map(|measured| measured.looks))),
        ("attempts", json!(experiment.map(|measured| measured.attempts))),
        ("seed", json!(experiment.map(|measured| measured.seed))),
        ("scenario", json!(experiment.map(|measured| &measured.scenario))),
        ("criterion", json!(part.map(|part| &part.criterion))),
        (
            "detectable_error",
            json!(part.and_then(|part| part.detectable_error)),
        ),
        ("notes", Value::Object(notes.0)),
    ];
    fields
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Reasons for the numbers that are `null`, by name.
#[derive(Default)]
struct Notes(Map<String, Value>);

impl Notes {
    /// The number, or `null` and a note where JSON has no number for it.
    fn number(&mut self, name: &str, value: f64) -> Value {
        let reason = if value.is_nan() {
            "undefined: there is no such number"
        } else if value == f64::INFINITY {
            "unbounded above"
        } else if value == f64::NEG_INFINITY {
            "unbounded below"
        } else {
            return value.into();
        };
        self.0.insert(name.to_owned(), reason.into());
        Value::Null
    }
}

/// The verdict as JSON writes it.
fn word(verdict: Verdict) -> String {
    json!(verdict).as_str().unwrap_or_default().to_owned()
}

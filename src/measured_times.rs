//! Measured service times in what is printed: which file, and what it holds.

use retrylab_latencies::queueing_notes;
use retrylab_model::wording::quotation;
use retrylab_model::{Measured, Scale, Scenario};
use retrylab_verify::report::numbers;
use serde_json::{Map, Value, json};

use crate::{progress, text_table};

/// Says on standard error where measured times probably include waiting that matters.
pub(crate) fn warn(scenario: &Scenario) {
    for (_, note) in queueing_notes(scenario) {
        progress::note(&note);
    }
}

/// The same by the path of the key, for `notes`.
pub(crate) fn notes(scenario: &Scenario) -> Map<String, Value> {
    let notes = queueing_notes(scenario).into_iter();
    notes.map(|(path, note)| (path, json!(note))).collect()
}

/// What identifies a scenario in a result: its text, and the files of measured times that belong to it.
pub(crate) fn scenario_json(scenario: &Scenario) -> Value {
    let mut object = json!({
        "name": scenario.name,
        "source": scenario.source,
        "toml": scenario.to_toml(),
    });
    if scenario.measured().next().is_some() {
        object["measured_times"] = files_json(scenario);
    }
    object
}

/// The files of measured times: which, and what they hold, times in seconds or the scenario's own unit.
fn files_json(scenario: &Scenario) -> Value {
    let files = scenario.measured().filter_map(|(path, measured)| {
        let latencies = measured.latencies.as_ref()?;
        Some(json!({
            "key": path,
            "file": measured.file,
            "sha256": latencies.sha256(),
            "count": latencies.count(),
            "mean": measured.mean(),
            "scv": measured.scv(),
            "p50": measured.factor * latencies.quantile(0.5),
            "p99": measured.factor * latencies.quantile(0.99),
            "max": measured.max(),
        }))
    });
    files.collect()
}

/// The same for people, a line for each file.
pub(crate) fn lines(scenario: &Scenario) -> Vec<String> {
    scenario
        .measured()
        .filter_map(|(_, measured)| line(measured))
        .collect()
}

fn line(measured: &Measured) -> Option<String> {
    let latencies = measured.latencies.as_ref()?;
    Some(format!(
        "service times of {}: {} measured, mean {}, squared coefficient of variation {}, SHA-256 {}",
        quotation(&measured.file),
        numbers::count(latencies.count()),
        mean(measured.mean(), latencies.scale()),
        text_table::number(measured.scv()),
        latencies.sha256()
    ))
}

fn mean(mean: f64, scale: Scale) -> String {
    let unit = match scale {
        Scale::Seconds => " s",
        Scale::Dimensionless => "",
    };
    format!("{}{unit}", text_table::number(mean))
}

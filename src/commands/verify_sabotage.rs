//! `retrylab verify --sabotage`: plants an error in every number and looks whether the verdict changes.
//!
//! An error can only be noticed where things were right without it, so a run whose verdicts are not the recorded ones
//! fails as well.

use std::process::ExitCode;

use retrylab_verify::report::numbers;
use retrylab_verify::{Claim, Plan, Sabotage, Trial, run as run_claims, sabotage};
use serde_json::json;

use crate::arguments::Options;
use crate::commands::advance::Advance;
use crate::failure::{CHECK_FAILED, Failure};
use crate::output_directory::OutputDirectory;
use crate::{output, progress, text_table};

/// Judges the claims, then again with errors.
pub(super) fn run(
    claims: &[Claim],
    plan: &Plan,
    directory: &OutputDirectory,
    options: &Options,
) -> Result<ExitCode, Failure> {
    let failed = |error: retrylab_verify::RunError| Failure::new(error.to_string());
    let advance = Advance::new(0);
    let outcome = run_claims(claims, plan, &advance).map_err(failed)?;
    advance.finish();
    let advance = Advance::new(0);
    let found = sabotage(claims, &outcome, plan, &advance).map_err(failed)?;
    advance.finish();
    let surprises: Vec<&str> = outcome.surprises().map(|claim| claim.id).collect();
    let document = document(&found, &surprises)?;
    directory.write([("sabotage.json", document.as_bytes())].into_iter())?;
    if options.json {
        output::print(&document)?;
        progress::note(&format!("sabotage.json is in {}", directory.shown()));
    } else {
        output::print(&text(claims, &found, &surprises, directory))?;
    }
    Ok(if found.unnoticed().next().is_none() && surprises.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(CHECK_FAILED)
    })
}

fn document(found: &Sabotage, surprises: &[&str]) -> Result<String, Failure> {
    let document = json!({
        "sabotage": found,
        "summary": {
            "trials": found.trials.len(),
            "unnoticed": found.unnoticed().count(),
            "detectable_errors": found.shown_to_differ().1,
            "shown_to_differ": found.shown_to_differ().0,
            "surprises": surprises,
        },
    });
    serde_json::to_string_pretty(&document)
        .map(|text| text + "\n")
        .map_err(|error| Failure::new(format!("the result cannot be written as JSON: {error}")))
}

fn text(claims: &[Claim], found: &Sabotage, surprises: &[&str], directory: &OutputDirectory) -> String {
    let mut table = text_table::plain();
    table.add_row([
        "claim",
        "errors planted",
        "noticed",
        "largest relative error needed",
    ]);
    for claim in claims {
        let trials: Vec<&Trial> = found
            .trials
            .iter()
            .filter(|trial| trial.claim == claim.id)
            .collect();
        let noticed = trials.iter().filter(|trial| trial.noticed).count();
        let largest = trials
            .iter()
            .filter_map(|trial| trial.relative_error)
            .fold(None, |most: Option<f64>, error| {
                Some(most.map_or(error, |most| most.max(error)))
            });
        table.add_row([
            claim.id.to_owned(),
            trials.len().to_string(),
            noticed.to_string(),
            largest
                .map(|error| format!("{} %", numbers::number(100.0 * error)))
                .unwrap_or_default(),
        ]);
    }
    let mut text = text_table::text(&table);
    for trial in found.unnoticed() {
        text.push_str(&format!(
            "\n{}, {}: {}; the verdict before was {} and after {}",
            trial.claim, trial.label, trial.error, trial.before, trial.after
        ));
    }
    let unnoticed = found.unnoticed().count();
    let verdict = if unnoticed == 0 {
        "Every planted error was noticed".to_owned()
    } else {
        format!("{unnoticed} went unnoticed")
    };
    let (shown, moved) = found.shown_to_differ();
    text.push_str(&format!(
        "\n{} errors planted. {verdict}.\nOf {moved} closed forms off by their detectable error {shown} were shown to \
         differ.\n",
        found.trials.len(),
    ));
    if !surprises.is_empty() {
        text.push_str(&format!(
            "Without errors the verdict of {} is not the recorded one.\n",
            surprises.join(", ")
        ));
    }
    text.push_str(&format!("sabotage.json is in {}.\n", directory.shown()));
    text
}

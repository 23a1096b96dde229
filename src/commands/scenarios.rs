//! `retrylab scenarios`: the scenarios that come with the program.

use std::process::ExitCode;

use clap::Args;
use comfy_table::{ColumnConstraint, Width};
use retrylab_model::builtin::{self, Builtin};
use retrylab_model::wording::{expected, quotation};
use retrylab_verify::Document;
use serde_json::{Value, json};

use crate::arguments::Options;
use crate::failure::Failure;
use crate::{output, text_table};

const EXAMPLES: &str = "Examples:
  retrylab scenarios
  retrylab scenarios --show stuck-line > mine.toml
  retrylab simulate mine.toml";

/// List the built-in scenarios with the documents they come from, or show one.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Scenarios {
    /// Print the scenario of this name as a TOML file.
    #[arg(long, value_name = "NAME")]
    show: Option<String>,
}

pub(crate) fn run(command: &Scenarios, options: &Options) -> Result<ExitCode, Failure> {
    match &command.show {
        None => list(options)?,
        Some(name) => show(name, options)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(options: &Options) -> Result<(), Failure> {
    let mut scenarios = builtin::ALL
        .iter()
        .map(|builtin| Ok((builtin, source(builtin)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    // By document, in the order of reports; within a document as they are listed.
    scenarios.sort_by_key(|(_, source)| {
        Document::ALL
            .iter()
            .position(|document| document.name() == source)
    });
    if options.json {
        let scenarios: Vec<Value> = scenarios
            .iter()
            .map(|(builtin, source)| {
                json!({ "name": builtin.name, "source": source, "summary": builtin.summary() })
            })
            .collect();
        output::print_json(&json!({ "scenarios": scenarios }))
    } else {
        let groups: Vec<String> = Document::ALL
            .into_iter()
            .map(|document| listed(document, &scenarios))
            .filter(|group| !group.is_empty())
            .collect();
        output::print(&groups.join("\n"))
    }
}

/// The scenarios of a document under its title; nothing where there are none.
fn listed(document: Document, scenarios: &[(&Builtin, String)]) -> String {
    let mut table = text_table::plain();
    for (builtin, _) in scenarios.iter().filter(|(_, source)| source == document.name()) {
        table.add_row([builtin.name, builtin.summary()]);
    }
    if table.is_empty() {
        return String::new();
    }
    // Names are as wide in one table as in the next.
    if let Some(names) = table.column_mut(0) {
        let width = builtin::ALL.iter().map(|builtin| builtin.name.len()).max();
        names.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(
            width.map_or(0, |width| u16::try_from(width + 2).unwrap_or(u16::MAX)),
        )));
    }
    format!("{document}: {}\n{}", document.title(), text_table::text(&table))
}

fn show(name: &str, options: &Options) -> Result<(), Failure> {
    let builtin = builtin::find(name).ok_or_else(|| {
        let names: Vec<&str> = builtin::ALL.iter().map(|builtin| builtin.name).collect();
        Failure::new(format!(
            "there is no built-in scenario called \"{}\"; {}",
            quotation(name),
            expected(name, &names)
        ))
    })?;
    if options.json {
        output::print_json(&json!({
            "name": builtin.name,
            "source": source(builtin)?,
            "summary": builtin.summary(),
            "toml": builtin.text,
        }))
    } else {
        output::print(builtin.text)
    }
}

/// The document that a built-in scenario comes from.
fn source(builtin: &Builtin) -> Result<String, Failure> {
    let scenario = builtin
        .scenario()
        .map_err(|error| Failure::in_text(&error, builtin.name, builtin.text))?;
    Ok(scenario.source.clone())
}

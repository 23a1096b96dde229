//! `retrylab scenarios`: the scenarios that come with the program.

use std::process::ExitCode;

use clap::Args;
use retrylab_model::builtin::{self, Builtin};
use retrylab_model::wording::{expected, quotation};
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
    let scenarios = builtin::ALL
        .iter()
        .map(|builtin| Ok((builtin, source(builtin)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    if options.json {
        let scenarios: Vec<Value> = scenarios
            .iter()
            .map(|(builtin, source)| {
                json!({ "name": builtin.name, "source": source, "summary": builtin.summary() })
            })
            .collect();
        output::print_json(&json!({ "scenarios": scenarios }))
    } else {
        let mut table = text_table::plain();
        table.set_header(["scenario", "document", "what it shows"]);
        for (builtin, source) in &scenarios {
            table.add_row([builtin.name, source, builtin.summary()]);
        }
        output::print(&text_table::text(&table))
    }
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
        .map_err(|error| Failure::scenario(&error, builtin.name, builtin.text))?;
    Ok(scenario.source.clone())
}

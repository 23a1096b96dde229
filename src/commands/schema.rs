//! `retrylab schema`: what editors need to complete and check a file.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::arguments::Options;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "Examples:
  retrylab schema scenario > scenario.schema.json
  retrylab schema plan > plan.schema.json

A TOML file names its schema in its first line, for editors with Taplo or Even
Better TOML, by a path or URL: #:schema scenario.schema.json";

/// Print the JSON Schema of a kind of file.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Schema {
    /// The kind of file.
    #[arg(value_enum)]
    kind: Kind,
}

/// A kind of file.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Scenario,
    Service,
    Plan,
}

impl Kind {
    fn schema(self) -> String {
        match self {
            Self::Scenario => retrylab_model::scenario_schema(),
            Self::Service => retrylab_assess::service_schema(),
            Self::Plan => retrylab_sweep::plan_schema(),
        }
    }
}

pub(crate) fn run(command: &Schema, _options: &Options) -> Result<ExitCode, Failure> {
    // It is one JSON object whether asked for with --json or not.
    output::print(&command.kind.schema())?;
    Ok(ExitCode::SUCCESS)
}

//! `retrylab completions`: what makes a shell complete the command line.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::arguments::{Arguments, Options};
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "Examples:
  retrylab completions bash > ~/.local/share/bash-completion/completions/retrylab
  retrylab completions zsh > ~/.zfunc/_retrylab
  retrylab completions fish > ~/.config/fish/completions/retrylab.fish";

/// Print a script that completes commands, options and their values in a shell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(command: &Completions, options: &Options) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Arguments::command(), "retrylab", &mut script);
    let script = String::from_utf8_lossy(&script);
    if options.json {
        output::print_json(&json!({ "shell": command.shell.to_string(), "script": script }))?;
    } else {
        output::print(&script)?;
    }
    Ok(ExitCode::SUCCESS)
}

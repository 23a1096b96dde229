//! `retrylab man`: manual pages, made from the same descriptions as `--help`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;
use serde_json::json;

use crate::arguments::{Arguments, Options};
use crate::failure::Failure;
use crate::output;
use crate::output_directory::OutputDirectory;

const EXAMPLES: &str = "Examples:
  retrylab man | man -l -
  retrylab man --out ~/.local/share/man/man1";

/// Print the manual page, or write one for every command to a directory.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Man {
    /// Directory for retrylab.1 and retrylab-COMMAND.1.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(command: &Man, options: &Options) -> Result<ExitCode, Failure> {
    let Some(directory) = &command.out else {
        let (name, text) = page(Arguments::command().name("retrylab"))?;
        if options.json {
            output::print_json(&json!({ "name": name, "page": String::from_utf8_lossy(&text) }))?;
        } else {
            output::print(&String::from_utf8_lossy(&text))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let directory = OutputDirectory::check(directory)?;
    let pages = pages()?;
    let files = pages.iter().map(|(name, text)| (name.as_str(), text.as_slice()));
    directory.write(files)?;
    if options.json {
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        output::print_json(&json!({ "pages": names, "directory": directory.shown() }))?;
    } else {
        output::print(&format!("{} pages are in {}.\n", pages.len(), directory.shown()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of the program and those of its commands.
fn pages() -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut program = Arguments::command().name("retrylab");
    // Options of every command are put into each, and names such as retrylab-simulate.
    program.build();
    let commands: Vec<clap::Command> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).map(page).collect()
}

/// A page's file name and text.
fn page(command: clap::Command) -> Result<(String, Vec<u8>), Failure> {
    let page = Page::new(command).source(concat!("retrylab ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(|error| Failure::new(format!("a manual page cannot be written: {error}")))?;
    Ok((page.get_filename(), text))
}

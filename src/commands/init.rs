//! `retrylab init`: a description of a service to start from.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use retrylab_assess::TEMPLATE;
use retrylab_model::wording::quotation;
use serde_json::json;

use crate::arguments::Options;
use crate::failure::Failure;
use crate::output_file::OutputFile;
use crate::{output, progress};

const EXAMPLES: &str = "Examples:
  retrylab init
  retrylab init checkout.toml
  retrylab init - > checkout.toml";

/// Write a commented description of a service, to be changed and given to "retrylab assess".
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The file to write, or - for standard output; one that is there is left alone.
    #[arg(default_value = "service.toml")]
    file: PathBuf,
}

pub(crate) fn run(command: &Init, options: &Options) -> Result<ExitCode, Failure> {
    let path = &command.file;
    if path.as_os_str() == "-" {
        if options.json {
            output::print_json(&json!({ "file": null, "text": TEMPLATE }))?;
        } else {
            output::print(TEMPLATE)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let shown = quotation(&path.display().to_string());
    if path.symlink_metadata().is_ok() {
        return Err(Failure::new(format!(
            "{shown} is there already and is left as it is; name another file"
        )));
    }
    let mut file = OutputFile::create(path)?;
    file.write_all(TEMPLATE.as_bytes())
        .map_err(|error| Failure::new(format!("{shown} cannot be written: {error}")))?;
    file.finish()?;
    if options.json {
        output::print_json(&json!({ "file": path.display().to_string(), "text": TEMPLATE }))?;
    }
    progress::note(&format!("change {shown}, then run: retrylab assess {shown}"));
    Ok(ExitCode::SUCCESS)
}

//! `retrylab init`: a description of a service to start from.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use retrylab_assess::TEMPLATE;
use retrylab_model::wording::quotation;

use crate::failure::Failure;
use crate::output_file::OutputFile;
use crate::{output, progress};

/// Write a commented description of a service, to be changed and given to "retrylab assess".
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The file to write, or - for standard output; one that is there is left alone.
    #[arg(default_value = "service.toml")]
    file: PathBuf,
}

pub(crate) fn run(command: &Init) -> Result<ExitCode, Failure> {
    let path = &command.file;
    if path.as_os_str() == "-" {
        output::print(TEMPLATE)?;
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
    progress::note(&format!("change {shown}, then run: retrylab assess {shown}"));
    Ok(ExitCode::SUCCESS)
}

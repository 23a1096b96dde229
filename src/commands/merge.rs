//! `retrylab merge`: the parts of a sweep, joined to the whole.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use retrylab_sweep::Results;

use crate::arguments::Options;
use crate::commands::sweep::{failure, open};
use crate::commands::sweep_export::Exports;
use crate::failure::Failure;

const EXAMPLES: &str = "Examples:
  retrylab merge whole.sqlite one.sqlite two.sqlite
  retrylab merge whole.sqlite part-*.sqlite --csv whole.csv";

/// Join the parts of a grid that "retrylab sweep --shard" computed to the file of the whole, bit for bit.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The file of the whole, which must not be there yet.
    out: PathBuf,
    /// The results of every part.
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    exports: Exports,
}

pub(crate) fn run(command: &Merge, options: &Options) -> Result<ExitCode, Failure> {
    command.exports.check()?;
    let parts: Vec<Results> = command
        .shards
        .iter()
        .map(|path| open(path))
        .collect::<Result<_, _>>()?;
    retrylab_sweep::merge(&command.out, &parts).map_err(failure)?;
    command.exports.write(&open(&command.out)?, None, options)?;
    Ok(ExitCode::SUCCESS)
}

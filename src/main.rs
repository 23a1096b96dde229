//! The `retrylab` program: computes, simulates and verifies what retries do to a service.

mod arguments;
mod commands;
mod failure;
mod figure_files;
mod interrupt;
mod measured_times;
mod output;
mod output_directory;
mod output_file;
mod progress;
mod raster;
mod scenario_file;
mod text_file;
mod text_table;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::failure::{BAD_INPUT, Failure};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(status) => status,
        Err(failure) => {
            failure.report();
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options = &arguments.options;
    if options.quiet {
        progress::silence();
    }
    interrupt::listen()?;
    if let Some(threads) = options.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build_global()
            .map_err(|error| Failure::new(format!("{threads} threads cannot be started: {error}")))?;
    }
    match &arguments.command {
        Command::Assess(command) => commands::assess::run(command, options),
        Command::Init(command) => commands::init::run(command, options),
        Command::Compute(command) => commands::compute::run(command, options),
        Command::Lockup(command) => commands::lockup::run(command, options),
        Command::Simulate(command) => commands::simulate::run(command, options),
        Command::Sweep(command) => commands::sweep::run(command, options),
        Command::Merge(command) => commands::merge::run(command, options),
        Command::Verify(command) => commands::verify::run(command, options),
        Command::Figures(command) => commands::figures::run(command, options),
        Command::Scenarios(command) => commands::scenarios::run(command, options),
        Command::Schema(command) => commands::schema::run(command, options),
        Command::Completions(command) => commands::completions::run(command, options),
        Command::Man(command) => commands::man::run(command, options),
    }
}

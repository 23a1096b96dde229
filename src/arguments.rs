//! The command line.

use clap::{Args, Parser, Subcommand};

use crate::commands::{compute, scenarios, simulate, verify};

/// Most threads that may be asked for.
const THREADS_MAX: i64 = 4096;

const EXAMPLES: &str = "Examples:
  retrylab compute amplification failure_probability=0.1 retries=2
  retrylab simulate stuck-line --set traffic.rate=0.3
  retrylab verify --only lesson

Exit status: 0 success, 1 a claim or check failed, 2 bad input or usage.";

/// What retries do to a service: closed forms, simulation, and statistics that decide whether they agree.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Print one JSON object on standard output and nothing else there.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Seed of the random numbers: the same seed gives the same results.
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to simulate with; one per processor when absent. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Compute(compute::Compute),
    Simulate(simulate::Simulate),
    Verify(verify::Verify),
    Scenarios(scenarios::Scenarios),
}

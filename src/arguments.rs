//! The command line.

use std::ops::RangeInclusive;

use clap::{Args, Parser, Subcommand};

use retrylab_verify::report::numbers;

use crate::commands::{
    assess, completions, compute, figures, init, lockup, man, merge, scenarios, schema, simulate, sweep,
    verify,
};

/// Most threads that may be asked for.
const THREADS_MAX: u64 = 4096;

const EXAMPLES: &str = "Examples:
  retrylab compute amplification failure_probability=0.1 retries=2
  retrylab simulate stuck-line --set traffic.rate=0.3
  retrylab verify --only lesson

Exit status: 0 success; 1 a claim or check failed, a service is at risk, or a
time is out of reach; 2 bad input or usage; 130 ended by Ctrl-C.";

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
    /// Print no notes and no progress on standard error, only errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Seed of the random numbers: the same seed gives the same results; 1 when absent.
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole_number(text, 0..=u64::MAX))]
    pub(crate) seed: Option<u64>,
    /// Threads to simulate with; one per processor when absent. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole_number(text, 1..=THREADS_MAX))]
    pub(crate) threads: Option<u64>,
}

impl Options {
    /// The seed to use where nothing else states one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Assess(Box<assess::Assess>),
    Init(init::Init),
    Compute(compute::Compute),
    Simulate(simulate::Simulate),
    Lockup(lockup::Lockup),
    Sweep(sweep::Sweep),
    Merge(merge::Merge),
    Verify(verify::Verify),
    Figures(figures::Figures),
    Scenarios(scenarios::Scenarios),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Reads a whole number in a range.
pub(crate) fn whole_number(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!(
            "it must be a whole number from {} to {}",
            numbers::count(*range.start()),
            numbers::count(*range.end())
        )),
    }
}

/// Reads a number between 0 and 1, as such or in percent.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number / scale < 1.0 => Ok(number / scale),
        _ => Err("it must be between 0 and 1, such as 1% or 0.01".to_owned()),
    }
}

//! `retrylab lockup`: how long a service takes to lock up by itself.

use std::process::ExitCode;

use clap::Args;
use retrylab_verify::lock_up::{EVENTS_MAX, LockUpError, Outcome, Plan, Until, time_to_lock_up};

use crate::arguments::{Options, share, whole_number};
use crate::commands::lockup_report::Report;
use crate::failure::{CHECK_FAILED, Failure};
use crate::{measured_times, output, progress, scenario_file};

const EXAMPLES: &str = "Examples:
  retrylab lockup tight-timeout-lockup
  retrylab lockup tight-timeout-lockup --set client.timeout=20 --precision 20%
  retrylab lockup healthy-single-server --until 40

A service locks up when nothing succeeds any more: clients time out, and their
retries keep it too busy to answer anybody in time. The time runs from an idle
moment to the last success before that. Where there are too few places for a
line that stays so long, it runs until all are taken. --set takes any key of the
scenario language, as with \"retrylab simulate\"; an empty value takes the key
away.

Exit status: 0 an answer; 1 a time that is out of reach, or known less
precisely than asked; 2 bad input or usage; 130 ended by Ctrl-C.";

/// Largest number of attempts in the system that may be asked for.
const IN_SYSTEM_MAX: u64 = 10_000_000;

/// Estimate the mean time until a service locks up by itself, however rare that is.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lockup {
    /// A TOML file, or the name of a built-in scenario.
    scenario: String,
    /// Put a value on top of the scenario, such as client.timeout=50; may be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Add cycles until both ends of the interval are within this share of the estimate, or until 10^9 events are
    /// simulated.
    #[arg(long, value_name = "SHARE", default_value = "10%", allow_hyphen_values = true, value_parser = share)]
    precision: f64,
    /// Probability with which the interval covers the mean time.
    #[arg(long, value_name = "SHARE", default_value = "0.95", allow_hyphen_values = true, value_parser = share)]
    confidence: f64,
    /// What the time lasts until: lock-up; full, when all places are taken; or a number of attempts in the system, waiting and
    /// in service.
    #[arg(long, value_name = "WHAT", default_value = "lock-up", allow_hyphen_values = true, value_parser = until)]
    until: Until,
}

fn until(text: &str) -> Result<Until, String> {
    match text {
        "lock-up" => Ok(Until::LockUp),
        "full" => Ok(Until::Full),
        _ => whole_number(text, 1..=IN_SYSTEM_MAX)
            .map(Until::InSystem)
            .map_err(|number| {
                format!(
                    "it must be lock-up or full, or {}",
                    number.trim_start_matches("it must be ")
                )
            }),
    }
}

pub(crate) fn run(command: &Lockup, options: &Options) -> Result<ExitCode, Failure> {
    let scenario = scenario_file::load(&command.scenario, &scenario_file::settings(&command.set)?)?;
    measured_times::warn(&scenario);
    let plan = Plan {
        until: command.until,
        precision: command.precision,
        seed: options.seed(),
        // 1 − 0.95 is not 0.05 in binary, and the confidence is printed from it.
        alpha: (1.0 - command.confidence).max(f64::MIN_POSITIVE),
        events_max: EVENTS_MAX,
    };
    let bar = progress::bar(None, "cycles");
    let outcome = time_to_lock_up(&scenario, &plan, &|done| bar.set_position(done));
    bar.finish_and_clear();
    let outcome = outcome.map_err(|error: LockUpError| Failure::new(error.to_string()))?;
    let report = Report::new(&scenario, &plan, &outcome, command.confidence);
    if options.json {
        output::print_json(&report.json())?;
    } else {
        output::print(&report.text())?;
    }
    let is_answer = match &outcome {
        Outcome::Measured(measured) => measured.is_precise,
        Outcome::Never(_) | Outcome::AtOnce(_) => true,
        Outcome::AtLeast(_) | Outcome::Unknown(_) => false,
    };
    Ok(if is_answer {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(CHECK_FAILED)
    })
}

//! `retrylab simulate`: every measure of a scenario, with intervals.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use retrylab_model::Scenario;
use retrylab_model::wording::quotation;
use retrylab_sim::{Engine, RunRecord};
use retrylab_verify::measures::{
    ATTEMPTS_MAX, Effort, Plan, REPLICATIONS_MAX, Survey, SurveyError, attempts_min, survey_unless_stopped,
};

use crate::arguments::{Options, share, whole_number};
use crate::commands::long_run;
use crate::commands::simulate_report::Report;
use crate::commands::trace::Trace;
use crate::failure::{Failure, SUCCESS};
use crate::interrupt::{self, INTERRUPTED};
use crate::{measured_times, output, progress, scenario_file};

const EXAMPLES: &str = "Examples:
  retrylab simulate stuck-line
  retrylab simulate stuck-line --set traffic.rate=0.3 --replications 100
  retrylab simulate short-stall --trace windows.csv
  retrylab simulate examples/web-api.toml --set server.discipline=lifo --precision 1%

--set takes any key of the scenario language, entries of arrays by number
(schedule.0.at=100); an empty value takes the key away. The command
\"retrylab scenarios\" lists the built-in scenarios.

Ctrl-C ends with the replications that are done, and exit status 130; a second
one ends at once.";

/// Most replications that may be asked for.
const REPLICATIONS_ASKED_MAX: u64 = 100_000_000;

/// Simulate a scenario and estimate its measures with intervals.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// A TOML file, or the name of a built-in scenario.
    scenario: String,
    /// Put a value on top of the scenario, such as client.timeout=50; may be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Number of independent replications; the scenario's own when absent.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole_number(text, 1..=REPLICATIONS_ASKED_MAX), conflicts_with = "precision")]
    replications: Option<u64>,
    /// Add replications until success is known to within plus or minus this share of 1, and attempts per request and mean
    /// sojourn time to within plus or minus this share of their value, or until 10^9 attempts or 50,000 replications are simulated.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = share)]
    precision: Option<f64>,
    /// Probability with which each interval covers its measure.
    #[arg(long, value_name = "SHARE", default_value = "0.95", allow_hyphen_values = true, value_parser = share)]
    confidence: f64,
    /// Which algorithm simulates: the one-pass recursion where it applies and otherwise the general one, or one of the two. The
    /// results are the same.
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
    /// Write the windows of every replication to a CSV file.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
}

/// An algorithm by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum EngineChoice {
    Auto,
    General,
    Recursion,
}

impl From<EngineChoice> for Engine {
    fn from(choice: EngineChoice) -> Self {
        match choice {
            EngineChoice::Auto => Self::Auto,
            EngineChoice::General => Self::General,
            EngineChoice::Recursion => Self::Recursion,
        }
    }
}

pub(crate) fn run(command: &Simulate, options: &Options) -> Result<ExitCode, Failure> {
    let scenario = scenario_file::load(&command.scenario, &scenario_file::settings(&command.set)?)?;
    measured_times::warn(&scenario);
    let effort = match command.precision {
        Some(precision) => Effort::Precision(precision),
        None => {
            let replications = command.replications;
            Effort::Replications(replications.unwrap_or_else(|| u64::from(scenario.run.replications)))
        }
    };
    let plan = Plan {
        effort,
        seed: options.seed(),
        // 1 − 0.95 is not 0.05 in binary, and the confidence is printed from it.
        alpha: (1.0 - command.confidence).max(f64::MIN_POSITIVE),
        windows: command.trace.is_some(),
        engine: command.engine.into(),
    };
    if let Some(trace) = &command.trace
        && scenario_file::is_file_of(&command.scenario, trace)
    {
        return Err(Failure::new(format!(
            "--trace {} is the scenario file itself, which would be overwritten",
            quotation(&trace.display().to_string())
        )));
    }
    let mut trace = command.trace.as_deref().map(Trace::create).transpose()?;
    let survey = simulate(&scenario, &plan, &mut trace)?;
    if survey.is_stopped && survey.replications == 0 {
        Failure::new("interrupted before the first replication was done").report();
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if survey.is_stopped {
        progress::note(&stopped(&survey));
    } else if !survey.is_precise {
        progress::note(&format!(
            "the precision was not reached within {ATTEMPTS_MAX} simulated attempts and {REPLICATIONS_MAX} replications"
        ));
    }
    let report = Report::new(&scenario, &plan, &survey, command.confidence);
    if options.json {
        output::print_json(&report.json())?;
    } else {
        output::print(&report.text())?;
    }
    Ok(ExitCode::from(if survey.is_stopped {
        INTERRUPTED
    } else {
        SUCCESS
    }))
}

/// What is said of a run that Ctrl-C ended.
fn stopped(survey: &Survey) -> String {
    format!(
        "interrupted: the results are those of the first {} replications to be done",
        survey.replications
    )
}

fn simulate(scenario: &Scenario, plan: &Plan, trace: &mut Option<Trace>) -> Result<Survey, Failure> {
    let steps = match plan.effort {
        Effort::Replications(replications) => Some(replications),
        Effort::Precision(_) => None,
    };
    let threads = (rayon::current_num_threads() as u64).min(plan.replications_min());
    if let Some(warning) = long_run::warning(attempts_min(scenario, plan), threads as f64) {
        progress::note(&warning);
    }
    let bar = progress::bar(steps, "replications");
    let mut receive = |record: &RunRecord| match trace {
        Some(trace) => trace.write(record),
        None => Ok(()),
    };
    interrupt::leave_to_command();
    let advance = |done| bar.set_position(done);
    let survey = survey_unless_stopped(scenario, plan, &advance, &interrupt::is_interrupted, &mut receive);
    bar.finish_and_clear();
    survey.map_err(|error| match error {
        SurveyError::Receiver(failure) => failure,
        SurveyError::Simulation(error) => Failure::new(error.to_string()),
        SurveyError::Statistics(error) => Failure::new(error.to_string()),
    })
}

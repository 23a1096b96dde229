//! `retrylab simulate`: every measure of a scenario, with intervals.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use retrylab_model::wording::quotation;
use retrylab_model::{Scenario, Setting};
use retrylab_sim::RunRecord;
use retrylab_verify::measures::{ATTEMPTS_MAX, Effort, Plan, REPLICATIONS_MAX, Survey, SurveyError, survey};

use crate::arguments::Options;
use crate::commands::simulate_report::Report;
use crate::commands::trace::Trace;
use crate::failure::Failure;
use crate::{output, progress, scenario_file};

const EXAMPLES: &str = "Examples:
  retrylab simulate stuck-line
  retrylab simulate stuck-line --set traffic.rate=0.3 --replications 100
  retrylab simulate short-stall --trace windows.csv
  retrylab simulate examples/web-api.toml --set server.discipline=lifo --precision 1%

--set takes any key of the scenario language, entries of arrays by number
(schedule.0.at=100); an empty value takes the key away. The command
\"retrylab scenarios\" lists the built-in scenarios.";

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000), conflicts_with = "precision")]
    replications: Option<u64>,
    /// Add replications until success is known to within plus or minus this share of 1, and attempts per request and mean
    /// sojourn time to within plus or minus this share of their value, or until 10^9 attempts or 50,000 replications are simulated.
    #[arg(long, value_name = "SHARE", value_parser = parse_precision)]
    precision: Option<f64>,
    /// Probability with which each interval covers its measure.
    #[arg(long, default_value = "0.95", value_parser = parse_confidence)]
    confidence: f64,
    /// Write the windows of every replication to a CSV file.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
}

pub(crate) fn run(command: &Simulate, options: &Options) -> Result<ExitCode, Failure> {
    let scenario = scenario_file::load(&command.scenario, &settings(&command.set)?)?;
    let effort = match command.precision {
        Some(precision) => Effort::Precision(precision),
        None => {
            let replications = command.replications;
            Effort::Replications(replications.unwrap_or_else(|| u64::from(scenario.run.replications)))
        }
    };
    let plan = Plan {
        effort,
        seed: options.seed,
        // 1 − 0.95 is not 0.05 in binary, and the confidence is printed from it.
        alpha: (1.0 - command.confidence).max(f64::MIN_POSITIVE),
        windows: command.trace.is_some(),
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
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if !survey.is_precise {
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
    Ok(ExitCode::SUCCESS)
}

fn simulate(scenario: &Scenario, plan: &Plan, trace: &mut Option<Trace>) -> Result<Survey, Failure> {
    let steps = match plan.effort {
        Effort::Replications(replications) => Some(replications),
        Effort::Precision(_) => None,
    };
    let bar = progress::bar(steps, "replications");
    let mut receive = |record: &RunRecord| match trace {
        Some(trace) => trace.write(record),
        None => Ok(()),
    };
    let survey = survey(scenario, plan, &|done| bar.set_position(done), &mut receive);
    bar.finish_and_clear();
    survey.map_err(|error| match error {
        SurveyError::Receiver(failure) => failure,
        SurveyError::Simulation(error) => Failure::new(error.to_string()),
        SurveyError::Statistics(error) => Failure::new(error.to_string()),
    })
}

fn settings(texts: &[String]) -> Result<Vec<Setting>, Failure> {
    let parse = |text: &String| {
        text.parse()
            .map_err(|error| Failure::new(format!("--set: {error}")))
    };
    texts.iter().map(parse).collect()
}

fn parse_precision(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number / scale < 1.0 => Ok(number / scale),
        _ => Err("it must be between 0 and 1, such as 1% or 0.01".to_owned()),
    }
}

fn parse_confidence(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(confidence) if confidence > 0.0 && confidence < 1.0 => Ok(confidence),
        _ => Err("it must be between 0 and 1, such as 0.99".to_owned()),
    }
}

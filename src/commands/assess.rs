//! `retrylab assess`: whether a service is one bad minute away from staying down.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use retrylab_assess::{Service, Step, assess, drawings, markdown, page};
use retrylab_model::Setting;

use crate::arguments::Options;
use crate::commands::{assess_report, long_run};
use crate::failure::{CHECK_FAILED, Failure};
use crate::output_directory::OutputDirectory;
use crate::{output, progress, scenario_file, text_file};

const EXAMPLES: &str = "Examples:
  retrylab init service.toml
  retrylab assess service.toml
  retrylab assess --rate 800/s --capacity 1000/s --timeout 1s --attempts 4
  retrylab assess service.toml --attempts 2 --out assessment

Flags put values on top of the file's, or describe the service by themselves.

Exit status: 0 safe; 1 at risk; 2 bad input or usage; 130 ended by Ctrl-C.";

/// Tell whether a service comes back from a bad minute, and what would help if not.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Assess {
    /// A TOML file that describes the service, as "retrylab init" writes it.
    service: Option<String>,
    #[command(flatten)]
    known: Known,
    /// Put any value on top of the file's, such as objective=0.99; may be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the assessment to a directory, as a page with figures that can be sent to a colleague and in Markdown.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What people know about a service.
#[derive(Debug, Args)]
#[command(next_help_heading = "The service")]
struct Known {
    /// New requests, such as 800/s; retries not counted.
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    rate: Option<String>,
    /// Requests that can be served, such as 1000/s.
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    capacity: Option<String>,
    /// Number of servers.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    servers: Option<String>,
    /// Requests that each server serves at once.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    concurrency: Option<String>,
    /// Mean service time.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    mean: Option<String>,
    /// Service time within which half of the requests are served.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    median: Option<String>,
    /// Service time within which 99 % of the requests are served.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    p99: Option<String>,
    /// File of measured service times, in place of --mean, --median and --p99: a CSV table, one number per line, or an
    /// HdrHistogram log.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    latencies: Option<String>,
    /// Unit of the numbers in it: ns, us, ms, s, min, h or d.
    #[arg(long, value_name = "UNIT", allow_hyphen_values = true)]
    latencies_unit: Option<String>,
    /// Probability that a request is answered with an error.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    error_probability: Option<String>,
    /// Places for requests that wait.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    queue: Option<String>,
    /// Which waiting request is served next: fifo, lifo or random.
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true)]
    discipline: Option<String>,
    /// How long a client waits for an answer.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    timeout: Option<String>,
    /// Most attempts per request, the first included.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    attempts: Option<String>,
    /// Upper end of the first backoff, with full jitter, doubled before each further attempt.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    backoff: Option<String>,
    /// Retry tokens that a request earns; a client saves up to 10.
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    budget: Option<String>,
    /// Number of client instances.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    clients: Option<String>,
    /// Share of requests that are to succeed, such as 0.999.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    objective: Option<String>,
    /// The incident to look at: a stall of so long.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    stall: Option<String>,
}

/// Name of the page that `--out` writes.
const PAGE: &str = "assessment.html";
/// Name of the same in Markdown.
const TEXT: &str = "assessment.md";
/// Tokens that a client of `--budget` may save.
const BANK: &str = "10";

impl Known {
    /// The flags as settings, and the flag of each.
    fn settings(&self) -> Result<Vec<Setting>, Failure> {
        let plain = [
            ("rate", "rate", &self.rate),
            ("capacity", "capacity", &self.capacity),
            ("servers", "servers", &self.servers),
            ("concurrency", "concurrency", &self.concurrency),
            ("mean", "latency.mean", &self.mean),
            ("median", "latency.median", &self.median),
            ("p99", "latency.p99", &self.p99),
            ("latencies", "latencies.file", &self.latencies),
            ("latencies-unit", "latencies.unit", &self.latencies_unit),
            ("error-probability", "error_probability", &self.error_probability),
            ("queue", "queue", &self.queue),
            ("discipline", "discipline", &self.discipline),
            ("timeout", "timeout", &self.timeout),
            ("attempts", "attempts", &self.attempts),
            ("backoff", "backoff.full_jitter.base", &self.backoff),
            ("budget", "budget.ratio.ratio", &self.budget),
            ("clients", "clients", &self.clients),
            ("objective", "objective", &self.objective),
            ("stall", "incident.stall", &self.stall),
        ];
        let mut settings = Vec::new();
        for (flag, key, value) in plain {
            let Some(value) = value else { continue };
            if value.trim().is_empty() {
                return Err(Failure::new(format!("--{flag} has no value")));
            }
            settings.push(setting(key, value)?.of_flag(flag));
        }
        if self.budget.is_some() {
            settings.push(setting("budget.ratio.bank", BANK)?);
        }
        Ok(settings)
    }
}

fn setting(key: &str, value: &str) -> Result<Setting, Failure> {
    Setting::new(key, value).map_err(|error| Failure::new(error.to_string()))
}

/// The service that a command describes.
fn service(command: &Assess) -> Result<Service, Failure> {
    let (name, text) = match &command.service {
        Some(name) => {
            let missing = || {
                Failure::new(format!(
                    "there is no file {}; \"retrylab init\" writes one to start from",
                    retrylab_model::wording::quotation(name)
                ))
            };
            (name.as_str(), text_file::read(name, "a service", &missing)?)
        }
        None if command.known.rate.is_none() && command.set.is_empty() => {
            return Err(Failure::new(
                "rate is missing; give --rate, such as --rate 800/s, or a file, which \"retrylab init\" writes",
            ));
        }
        None => ("the command line", String::new()),
    };
    let mut settings = command.known.settings()?;
    settings.extend(scenario_file::settings(&command.set)?);
    let directory = Path::new(name).parent().unwrap_or(Path::new(""));
    let read = retrylab_latencies::reader(directory);
    Service::from_toml_reading(&text, &settings, &read).map_err(|error| Failure::in_text(&error, name, &text))
}

pub(crate) fn run(command: &Assess, options: &Options) -> Result<ExitCode, Failure> {
    let service = service(command)?;
    let directory = command.out.as_deref().map(OutputDirectory::check).transpose()?;
    let threads = rayon::current_num_threads() as f64;
    if let Some(warning) = long_run::warning(service.attempts_least(), threads) {
        progress::note(&warning);
    }
    let bar = progress::bar(None, "steps");
    let mut failure = None;
    let mut print = |text: &str| {
        if !options.json && failure.is_none() {
            failure = bar.suspend(|| output::print(text)).err();
        }
    };
    print(&assess_report::heading(&service));
    let mut step = |step: Step<'_>| match step {
        Step::Section(section) => print(&assess_report::section(section)),
        Step::Working(what) => bar.set_message(what.to_owned()),
    };
    let assessment = assess(&service, options.seed(), &mut step);
    bar.finish_and_clear();
    let assessment = assessment.map_err(|error| Failure::new(error.to_string()))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(directory) = directory {
        let (html, markdown, drawings) = (page(&assessment), markdown(&assessment), drawings(&assessment));
        let views = [(PAGE, html.as_bytes()), (TEXT, markdown.as_bytes())];
        let drawings = drawings
            .iter()
            .map(|(path, drawing)| (path.as_str(), drawing.as_bytes()));
        directory.write(views.into_iter().chain(drawings))?;
        progress::note(&format!("{PAGE} is in {}", directory.shown()));
    }
    if options.json {
        output::print_json(&assessment)?;
    } else {
        output::print(&assess_report::conclusion(&assessment))?;
    }
    Ok(if assessment.is_at_risk() {
        ExitCode::from(CHECK_FAILED)
    } else {
        ExitCode::SUCCESS
    })
}

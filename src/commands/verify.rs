//! `retrylab verify`: computes, simulates and judges the claims of the documents.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use retrylab_verify::figures::{self, FIGURES, Sketch};
use retrylab_verify::report::ReportFile;
use retrylab_verify::{Level, Outcome, Plan, claims, report, run as run_claims, select};
use serde_json::json;

use crate::arguments::Options;
use crate::commands::advance::Advance;
use crate::commands::{verify_calibrate, verify_sabotage, verify_table};
use crate::failure::{CHECK_FAILED, Failure, SUCCESS};
use crate::interrupt::{self, INTERRUPTED};
use crate::output_directory::OutputDirectory;
use crate::{output, progress, text_table};

const EXAMPLES: &str = "Examples:
  retrylab verify
  retrylab verify --only lesson --level quick
  retrylab verify --only 'T0*' --only T14 --out t-report
  retrylab verify --json > verdicts.json
  retrylab verify --sabotage --only T22
  retrylab verify --calibrate 20 --level quick --only L03

Exit status: 0 every verdict is the recorded one (with --sabotage: every error
was noticed, with --calibrate: all is compatible with what is stated); 1 not so;
2 bad input or usage; 130 ended by Ctrl-C.";

/// Compute, simulate and judge the claims of the documents, and write a report.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// Only claims whose id (T05, 'T0*') or document (lesson) matches; may be given more than once.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// How much evidence is gathered: quick, standard or thorough.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Standard)]
    level: Level,
    /// Plant an error in every number instead, and fail unless every verdict changes; writes sabotage.json.
    #[arg(long)]
    sabotage: bool,
    /// Repeat the whole run under N fresh seeds instead, count false alarms, and measure the coverage of every interval;
    /// writes calibration.json.
    #[arg(long, value_name = "N", conflicts_with = "sabotage", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    calibrate: Option<u64>,
    /// Write a page for each document from its claims into a directory instead, without a run.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sabotage", "calibrate", "only", "level", "out"])]
    pages: Option<PathBuf>,
    /// Directory for report.html, report.md, report.json and the figures.
    #[arg(long, value_name = "DIR", default_value = "retrylab-report")]
    out: PathBuf,
}

pub(crate) fn run(command: &Verify, options: &Options) -> Result<ExitCode, Failure> {
    if let Some(directory) = &command.pages {
        return pages(directory, options);
    }
    let claims = select(claims::all(), &command.only).map_err(|error| Failure::new(error.to_string()))?;
    let directory = OutputDirectory::check(&command.out)?;
    let plan = Plan {
        level: command.level,
        seed: options.seed(),
        ..Plan::default()
    };
    if command.sabotage {
        return verify_sabotage::run(&claims, &plan, &directory, options);
    }
    if let Some(runs) = command.calibrate {
        return verify_calibrate::run(&claims, &plan, runs, &directory, options);
    }
    let sketches: Vec<Sketch> = FIGURES
        .iter()
        .filter(|sketch| claims.iter().any(|claim| sketch.claims.contains(&claim.id)))
        .copied()
        .collect();
    let advance = Advance::ending_early(sketches.len());
    let outcome = run_claims(&claims, &plan, &advance).map_err(|error| Failure::new(error.to_string()))?;
    let figures = figures::draw(&sketches, plan.seed, plan.level, &advance)
        .map_err(|error| Failure::new(format!("a figure cannot be drawn: {error}")))?;
    advance.finish();
    if interrupt::is_interrupted() {
        return interrupted(&outcome, options);
    }
    let files = report::files(&outcome, &figures);
    write(&directory, &files)?;
    if options.json {
        output::print(&report::json(&outcome))?;
        progress::note(&format!("the report is in {}", directory.shown()));
    } else {
        output::print(&text(&outcome, &directory))?;
    }
    Ok(ExitCode::from(status(&outcome)))
}

/// Shows the claims that were decided before Ctrl-C. A report is of a whole run, so none is written.
fn interrupted(outcome: &Outcome, options: &Options) -> Result<ExitCode, Failure> {
    let decided = outcome.claims.len();
    if decided == 0 {
        Failure::new("interrupted before the first claim was decided").report();
        return Ok(ExitCode::from(INTERRUPTED));
    }
    progress::note(&format!(
        "interrupted: {decided} of {} claims were decided; no report is written",
        decided + outcome.unfinished.len()
    ));
    output::print(&if options.json {
        report::json(outcome)
    } else {
        verify_table::text(outcome, text_table::width()) + &verify_table::summary(outcome)
    })?;
    Ok(ExitCode::from(INTERRUPTED))
}

/// Writes the documents' pages.
fn pages(path: &Path, options: &Options) -> Result<ExitCode, Failure> {
    let directory = OutputDirectory::check(path)?;
    let pages = report::pages(&claims::all());
    write(&directory, &pages)?;
    if options.json {
        let names: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        output::print_json(&json!({ "pages": names, "directory": path.display().to_string() }))?;
    } else {
        output::print(&format!("{} pages are in {}.\n", pages.len(), directory.shown()))?;
    }
    Ok(ExitCode::from(SUCCESS))
}

fn write(directory: &OutputDirectory, files: &[ReportFile]) -> Result<(), Failure> {
    directory.write(
        files
            .iter()
            .map(|file| (file.path.as_str(), file.contents.as_bytes())),
    )
}

/// The exit status: whether every verdict is the recorded one.
fn status(outcome: &Outcome) -> u8 {
    match outcome.surprises().next() {
        None => SUCCESS,
        Some(_) => CHECK_FAILED,
    }
}

fn text(outcome: &Outcome, directory: &OutputDirectory) -> String {
    format!(
        "{}{}The report is in {}.\n",
        verify_table::text(outcome, text_table::width()),
        verify_table::summary(outcome),
        directory.shown()
    )
}

#[cfg(test)]
mod tests {
    use retrylab_verify::{ClaimOutcome, Document, PartOutcome, Verdict};

    use super::*;

    fn outcome(verdicts: &[(Verdict, Verdict)]) -> Outcome {
        let part = |&(verdict, recorded_verdict): &(Verdict, Verdict)| PartOutcome {
            label: "success".to_owned(),
            verdict,
            recorded_verdict,
            quoted: None,
            computed: None,
            measured: None,
            criterion: String::new(),
            detectable_error: None,
        };
        Outcome {
            claims: vec![ClaimOutcome {
                id: "L01",
                document: Document::Lesson,
                statement: "Retries help.",
                remarks: Vec::new(),
                open_parameters: Vec::new(),
                beyond: Vec::new(),
                parts: verdicts.iter().map(part).collect(),
            }],
            unfinished: Vec::new(),
            level: "quick",
            seed: 1,
            family_error: 1e-6,
            attempts: 0,
        }
    }

    #[test]
    fn the_status_tells_whether_every_verdict_is_the_recorded_one() {
        use Verdict::{Agrees, DoesNotAgree, Inconclusive, NotReproduced};
        let as_recorded = [(Agrees, Agrees), (DoesNotAgree, DoesNotAgree)];
        assert_eq!(status(&outcome(&as_recorded)), 0);
        for surprise in [
            (DoesNotAgree, Agrees),
            (Agrees, DoesNotAgree),
            (Inconclusive, Agrees),
            (NotReproduced, DoesNotAgree),
        ] {
            assert_eq!(status(&outcome(&[(Agrees, Agrees), surprise])), 1, "{surprise:?}");
        }
    }
}

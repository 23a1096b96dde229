//! `retrylab sweep`: a grid of scenarios, computed so that nothing is lost, and its exports.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use retrylab_model::builtin;
use retrylab_model::wording::quotation;
use retrylab_sweep::{
    Advance, Ending, Heading, Plan, PlanError, PlanText, Results, Shard, Store, SweepError, run as compute,
};

use crate::arguments::Options;
use crate::commands::sweep_export::Exports;
use crate::failure::Failure;
use crate::interrupt::{self, INTERRUPTED};
use crate::{progress, scenario_file, text_file};

const EXAMPLES: &str = "Examples:
  retrylab sweep examples/stuck-line-sweep.toml --results sweep.sqlite --csv sweep.csv
  retrylab sweep sweep.sqlite --parquet sweep.parquet --svg drawings
  retrylab sweep examples/stuck-line-sweep.toml --shard 1/2 --results one.sqlite
  retrylab sweep examples/stuck-line-sweep.toml --shard 2/2 --results two.sqlite
  retrylab merge whole.sqlite one.sqlite two.sqlite

Each point is written as soon as it is computed. A sweep that was killed goes
on where it was when the same command is given again, and ends with the same
file. docs/sweep.md explains plans and results.";

/// Simulate a grid of scenarios, with results in an SQLite file, and export them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    /// A plan, which is a TOML file; or a results file, to export from it.
    plan: PathBuf,
    /// The results file; the plan's name with .sqlite in the working directory when absent.
    #[arg(long, value_name = "FILE.sqlite")]
    results: Option<PathBuf>,
    /// Compute only the I-th of N parts of the grid, which "retrylab merge" joins.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, allow_hyphen_values = true, hide_default_value = true)]
    shard: Shard,
    #[command(flatten)]
    exports: Exports,
}

pub(crate) fn run(command: &Sweep, options: &Options) -> Result<ExitCode, Failure> {
    command.exports.check()?;
    if Results::is_at(&command.plan) {
        if command.results.is_some() || !command.shard.is_whole() {
            return Err(Failure::new(format!(
                "{} is a results file, from which there are only exports: --results and --shard need a plan",
                quotation(&command.plan.display().to_string())
            )));
        }
        command.exports.write(&open(&command.plan)?, None, options)?;
        return Ok(ExitCode::SUCCESS);
    }
    let plan = load(&command.plan, options)?;
    let path = command
        .results
        .clone()
        .unwrap_or_else(|| results_file(&command.plan, command.shard));
    if scenario_file::is_file_of(&command.plan.display().to_string(), &path) {
        return Err(Failure::new(
            "--results is the plan itself, which would be overwritten",
        ));
    }
    // From the moment there is a file, what it has is what is done.
    interrupt::leave_to_command();
    let mut store = Store::open(&path, Heading::new(&plan, command.shard)).map_err(failure)?;
    let kept = store.points_done();
    let ending = advance(&plan, &mut store)?;
    let (done, expected) = (
        store.points_done(),
        store.points_done() + store.missing().len() as u64,
    );
    if ending == Ending::Stopped {
        progress::note(&format!(
            "stopped: {done} of {expected} points are in {}; the same command goes on from there",
            quotation(&path.display().to_string())
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    store.finish().map_err(failure)?;
    command.exports.write(&open(&path)?, Some(kept), options)?;
    Ok(ExitCode::SUCCESS)
}

/// Computes what is missing, with a bar.
fn advance(plan: &Plan, store: &mut Store) -> Result<Ending, Failure> {
    let (kept, missing) = (store.points_done(), store.missing().len() as u64);
    let total = kept + missing;
    // Replications tell more about the time that is left than whole points do, where their number is known.
    let (steps, unit) = match plan.replications() {
        Some(replications) => (missing * replications, "replications"),
        None => (missing, "points"),
    };
    let bar = progress::bar(Some(steps), unit);
    let told = |advance: Advance| {
        let position = if plan.replications().is_some() {
            advance.replications
        } else {
            advance.points - kept
        };
        bar.set_position(position);
        bar.set_message(format!("({} of {total} points)", advance.points));
    };
    let ending = compute(plan, store, &interrupt::is_interrupted, &told);
    bar.finish_and_clear();
    ending.map_err(|error| {
        let error = failure(error);
        if kept + missing > 0 && store.points_done() > 0 {
            let done = store.points_done();
            progress::note(&format!(
                "{done} of {total} points are kept; the same command goes on from there"
            ));
        }
        error
    })
}

/// Reads a plan and the scenario that it names.
fn load(path: &Path, options: &Options) -> Result<Plan, Failure> {
    let name = path.display().to_string();
    let missing = || Failure::new(format!("there is no plan called {}", quotation(&name)));
    let text = text_file::read(&name, "a plan", &missing)?;
    let in_plan = |error| Failure::in_text(&error, &name, &text);
    let plan = PlanText::parse(&text).map_err(in_plan)?;
    let named = plan
        .scenario_name()
        .map(|scenario| named_scenario(path, scenario, &plan, &in_plan))
        .transpose()?;
    let (scenario_name, scenario_text) = named.unzip();
    let plan_directory = path.parent().unwrap_or(Path::new(""));
    let scenario_directory = match &scenario_name {
        Some(name) => Path::new(name).parent().unwrap_or(Path::new("")),
        None => plan_directory,
    };
    let made = Plan::beside(
        &plan,
        scenario_text.as_deref(),
        options.seed(),
        scenario_directory,
        plan_directory,
    );
    let plan = made.map_err(|error| match error {
        PlanError::InPlan(error) => in_plan(error),
        PlanError::InScenario(error) => Failure::in_text(
            &error,
            scenario_name.as_deref().unwrap_or_default(),
            scenario_text.as_deref().unwrap_or_default(),
        ),
    })?;
    if let Some(seed) = options.seed
        && plan.seed() != seed
    {
        return Err(Failure::new(format!(
            "the plan has the seed {}, so --seed {seed} cannot hold",
            plan.seed()
        )));
    }
    Ok(plan)
}

/// Name and text of the scenario that a plan names: built in, or a file beside the plan.
fn named_scenario(
    plan: &Path,
    scenario: &str,
    text: &PlanText,
    in_plan: &dyn Fn(retrylab_model::TextError) -> Failure,
) -> Result<(String, String), Failure> {
    if let Some(builtin) = builtin::find(scenario) {
        return Ok((scenario.to_owned(), builtin.text.to_owned()));
    }
    let path = plan.parent().unwrap_or(Path::new("")).join(scenario);
    let name = path.display().to_string();
    let missing = || {
        in_plan(text.scenario_mistake(format!(
            "there is neither a built-in scenario nor a file beside the plan called {}",
            quotation(scenario)
        )))
    };
    let text = text_file::read(&name, "a scenario", &missing)?;
    Ok((name, text))
}

/// Where results go if nothing is said.
fn results_file(plan: &Path, shard: Shard) -> PathBuf {
    let stem = plan.file_stem().unwrap_or_default().to_string_lossy();
    let (part, parts) = shard.part_of();
    if shard.is_whole() {
        PathBuf::from(format!("{stem}.sqlite"))
    } else {
        PathBuf::from(format!("{stem}.{part}-of-{parts}.sqlite"))
    }
}

pub(super) fn open(path: &Path) -> Result<Results, Failure> {
    Results::open(path).map_err(failure)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn failure(error: SweepError) -> Failure {
    Failure::new(error.to_string())
}

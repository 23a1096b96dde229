//! What becomes of results: files, a table on the terminal, or one JSON object.

use std::path::{Path, PathBuf};

use clap::Args;
use retrylab_model::wording::quotation;
use retrylab_sweep::export::{self, MAIN_MEASURES};
use retrylab_sweep::{Results, SweepError};
use retrylab_verify::report::numbers::{self, Interval};
use serde_json::{Value, json};

use crate::arguments::Options;
use crate::commands::sweep::failure;
use crate::failure::Failure;
use crate::output_directory::OutputDirectory;
use crate::output_file::OutputFile;
use crate::{output, text_table};

/// Most points that are listed on a terminal.
const POINTS_SHOWN_MAX: usize = 60;

/// Files to be made from results.
#[derive(Debug, Args)]
pub(crate) struct Exports {
    /// Write the results as CSV, a row for each measure of each point.
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Write the same table as Parquet.
    #[arg(long, value_name = "FILE.parquet")]
    parquet: Option<PathBuf>,
    /// Draw the measures that the plan names, or the main ones, as SVG files: curves with one axis, heat maps with more.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

impl Exports {
    /// Refuses now what could not be written after a long run.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for path in [&self.csv, &self.parquet].into_iter().flatten() {
            OutputFile::create(path)?;
        }
        if let Some(directory) = &self.svg {
            OutputDirectory::check(directory)?;
        }
        Ok(())
    }

    /// Writes every file that was asked for, and says what there is. `kept` points were there before.
    pub(crate) fn write(
        &self,
        results: &Results,
        kept: Option<u64>,
        options: &Options,
    ) -> Result<(), Failure> {
        let mut files = Vec::new();
        if let Some(path) = &self.csv {
            write(path, |file| export::csv(results, file))?;
            files.push(path.display().to_string());
        }
        if let Some(path) = &self.parquet {
            write(path, |file| export::parquet(results, file))?;
            files.push(path.display().to_string());
        }
        if let Some(path) = &self.svg {
            let drawings = export::drawings(results).map_err(failure)?;
            let contents = drawings
                .iter()
                .map(|drawing| (drawing.file.as_str(), drawing.svg.as_bytes()));
            OutputDirectory::check(path)?.write(contents)?;
            files.extend(
                drawings
                    .iter()
                    .map(|drawing| path.join(&drawing.file).display().to_string()),
            );
        }
        if options.json {
            let mut object = export::json(results).map_err(failure)?;
            let done = results.points().len() as u64;
            object.insert(
                "summary".to_owned(),
                json!({
                    "results": results.path().display().to_string(),
                    "points_done": done,
                    "points_computed": kept.map_or(0, |kept| done - kept),
                    "files": files,
                }),
            );
            output::print_json(&Value::Object(object))
        } else {
            output::print(&text(results, kept, &files)?)
        }
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, export: impl FnOnce(&mut OutputFile) -> Result<(), SweepError>) -> Result<(), Failure> {
    let mut file = OutputFile::create(path)?;
    export(&mut file).map_err(failure)?;
    file.finish()
}

fn text(results: &Results, kept: Option<u64>, files: &[String]) -> Result<String, Failure> {
    let heading = results.heading();
    let measures: Vec<String> = heading
        .measures
        .clone()
        .unwrap_or_else(|| MAIN_MEASURES.iter().map(|&name| name.to_owned()).collect());
    let mut table = text_table::plain();
    let keys = heading.axes.iter().flat_map(|axis| axis.keys.iter().cloned());
    table.set_header(keys.chain(measures.iter().cloned()));
    for &point in results.points().iter().take(POINTS_SHOWN_MAX) {
        let result = results.point(point).map_err(failure)?;
        let settings = heading.settings(point);
        let mut row: Vec<String> = settings.iter().map(|(_, label, _)| quotation(label)).collect();
        row.extend(measures.iter().map(|measure| {
            let found = result.find(measure);
            match found.map(|found| (found.estimate, found.low, found.high)) {
                Some((Some(estimate), Some(low), Some(high))) if low < estimate && estimate < high => {
                    let interval = Interval::new(estimate, low, high);
                    format!("{} ({})", interval.estimate(), interval.range())
                }
                Some((Some(estimate), ..)) => numbers::number(estimate),
                _ => "none".to_owned(),
            }
        }));
        table.add_row(row);
    }
    let (done, total) = (
        results.points().len(),
        heading.shard.points(heading.points).count(),
    );
    let mut sentences = vec![format!(
        "{done} of {total} points are in {}{}.",
        quotation(&results.path().display().to_string()),
        kept.filter(|&kept| kept > 0)
            .map_or_else(String::new, |kept| format!(", {kept} of them from before"))
    )];
    if done > POINTS_SHOWN_MAX {
        sentences.push(format!("The first {POINTS_SHOWN_MAX} are shown."));
    }
    let imprecise = imprecise(results)?;
    if imprecise > 0 {
        sentences.push(format!("At {imprecise} of them the precision was not reached."));
    }
    if !files.is_empty() {
        sentences.push(format!("Written: {}.", files.join(", ")));
    }
    Ok(format!(
        "{}\n{}, {} of each point, seed {}; intervals of {}.\n{}\n",
        text_table::text(&table),
        if heading.name.is_empty() {
            "Sweep"
        } else {
            heading.name.as_str()
        },
        heading.effort,
        heading.seed,
        numbers::confidence(heading.confidence),
        sentences.join(" ")
    ))
}

/// Number of points at which the asked precision was not reached.
fn imprecise(results: &Results) -> Result<usize, Failure> {
    let mut count = 0;
    for &point in results.points() {
        count += usize::from(!results.point(point).map_err(failure)?.is_precise);
    }
    Ok(count)
}

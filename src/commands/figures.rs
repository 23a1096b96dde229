//! `retrylab figures`: draws the figures of the documents from runs and writes them as files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use retrylab_verify::{Illustration, Level, figures};
use serde_json::{Value, json};

use crate::arguments::Options;
use crate::commands::advance::Advance;
use crate::failure::Failure;
use crate::figure_files::{FigureFile, files};
use crate::output_directory::OutputDirectory;
use crate::raster::Raster;
use crate::{output, text_table};

const EXAMPLES: &str = "Examples:
  retrylab figures --out figures --level quick --only retry-policy
  retrylab figures --out figures --level quick --only 'L0*' --json

Each figure is written as SVG, as PNG and as CSV with everything that is drawn:
panel, series, kind (line, point, mark or cell), x, y, and low and high of a
measured point's 95 % interval.";

/// Draw the figures of the documents from runs of the simulator, and write each as SVG, PNG and CSV.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Figures {
    /// Directory for the files; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only figures whose id (short-stall), document (lesson) or claim (T05, 'T0*') matches; may be given more than once.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// How many runs stand behind a point: quick, standard or thorough.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Standard)]
    level: Level,
}

pub(crate) fn run(command: &Figures, options: &Options) -> Result<ExitCode, Failure> {
    let sketches = figures::select(&command.only).map_err(|error| Failure::new(error.to_string()))?;
    let directory = OutputDirectory::check(&command.out)?;
    let advance = Advance::new(sketches.len());
    let drawn = figures::draw(&sketches, options.seed(), command.level, &advance)
        .map_err(|error| Failure::new(format!("a figure cannot be drawn: {error}")))?;
    advance.finish();
    let raster = Raster::new();
    let mut complete = Vec::new();
    for figure in &drawn {
        complete.push(files(figure, &raster)?);
    }
    directory.write(
        complete
            .iter()
            .flatten()
            .map(|file| (file.name.as_str(), file.contents.as_slice())),
    )?;
    if options.json {
        let figures: Vec<Value> = drawn
            .iter()
            .zip(&complete)
            .map(|(figure, files)| object(figure, files))
            .collect();
        output::print_json(&json!({
            "figures": figures,
            "directory": command.out.display().to_string(),
            "level": command.level.name(),
            "seed": options.seed(),
        }))?;
    } else {
        output::print(&text(&drawn, &directory))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn object(figure: &Illustration, files: &[FigureFile]) -> Value {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    json!({
        "id": figure.id,
        "document": figure.document.name(),
        "title": figure.title,
        "claims": figure.claims,
        "files": names,
    })
}

fn text(figures: &[Illustration], directory: &OutputDirectory) -> String {
    let mut table = text_table::plain();
    table.set_header(["figure", "document", "title"]);
    for figure in figures {
        table.add_row([figure.id.as_str(), figure.document.name(), figure.title.as_str()]);
    }
    format!(
        "{}\nEach figure is in {} as SVG, PNG and CSV.\n",
        text_table::text(&table),
        directory.shown()
    )
}

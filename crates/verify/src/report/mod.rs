//! Reports: views of an [`Outcome`] and its [`Illustration`]s.
//!
//! Every writer is a pure function from data to text. [`files`] gives all files of a report, ready to be written.
//!
//! ```
//! use retrylab_verify::{Outcome, report};
//!
//! let outcome = Outcome { claims: vec![], unfinished: vec![], level: "quick", seed: 7, family_error: 0.001, attempts: 0 };
//! let names: Vec<String> = report::files(&outcome, &[]).into_iter().map(|file| file.path).collect();
//! assert_eq!(names, ["report.html", "report.md", "report.json"]);
//! ```

pub mod duration;
mod glossary;
mod html;
mod json;
mod markdown;
pub mod numbers;
mod pages;
mod placement;
mod plot;
mod wording;

use crate::figure::Illustration;
use crate::outcome::Outcome;

pub use html::{figure as html_figure, html, page};
pub use json::json;
pub use markdown::markdown;
pub use pages::pages;
pub use plot::svg_standalone;
pub use wording::{headline, meaning, repeat_command, symbol};

/// A file of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Path relative to the report's directory, with `/` between its components.
    pub path: String,
    /// The whole contents.
    pub contents: String,
}

/// All files of a report: the three views, and each figure as an SVG file to which the Markdown view refers.
#[must_use]
pub fn files(outcome: &Outcome, figures: &[Illustration]) -> Vec<ReportFile> {
    let views = [
        ("report.html", html(outcome, figures)),
        ("report.md", markdown(outcome, figures)),
        ("report.json", json(outcome)),
    ];
    let views = views.into_iter().map(|(path, contents)| ReportFile {
        path: path.to_owned(),
        contents,
    });
    let drawings = figures.iter().map(|figure| ReportFile {
        path: figure_path(figure),
        contents: svg_standalone(figure),
    });
    views.chain(drawings).collect()
}

/// Where a figure lies beside the Markdown view.
fn figure_path(figure: &Illustration) -> String {
    format!("figures/{}.svg", figure.id)
}

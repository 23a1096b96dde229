//! The assessment as Markdown, for a repository of documents.

use std::fmt::Write as _;

use retrylab_verify::report::{self, numbers};

use crate::assessment::Assessment;
use crate::page::figures;
use crate::plan::CONFIDENCE;

/// The assessment in Markdown, which refers to its figures by the paths of [`drawings`].
#[must_use]
pub fn markdown(assessment: &Assessment) -> String {
    let name = match assessment.service.spec().name.as_str() {
        "" => "A service",
        name => name,
    };
    let mut text = format!("# {}\n\n**{}**\n", escaped(name), assessment.verdict);
    let figures = figures::all(assessment);
    for section in &assessment.sections {
        push(&mut text, format_args!("\n## {}\n", section.title));
        for sentence in &section.sentences {
            push(&mut text, format_args!("- {sentence}\n"));
        }
        for placed in figures.iter().filter(|figure| figure.section == section.id) {
            let figure = &placed.figure;
            push(
                &mut text,
                format_args!(
                    "\n![{}]({})\n\n{}\n",
                    figure.title,
                    path(&figure.id),
                    figure.caption
                ),
            );
        }
    }
    push(&mut text, format_args!("\n## Everything that was tried\n\n"));
    table(&mut text, assessment);
    push(
        &mut text,
        format_args!(
            "\nMade by retrylab with seed {}: {} attempts simulated. Intervals in parentheses cover with {} each. A plus \
             marks variants with which it always came back, lost requests were saved to a degree that is worth it, and a normal day was \
             not harmed.\n",
            assessment.seed,
            numbers::count(assessment.attempts),
            numbers::confidence(CONFIDENCE)
        ),
    );
    text
}

/// The figures as SVG files, with the paths under which the Markdown looks for them.
#[must_use]
pub fn drawings(assessment: &Assessment) -> Vec<(String, String)> {
    let figures = figures::all(assessment).into_iter();
    figures
        .map(|placed| (path(&placed.figure.id), report::svg_standalone(&placed.figure)))
        .collect()
}

fn path(id: &str) -> String {
    format!("{id}.svg")
}

fn table(text: &mut String, assessment: &Assessment) {
    push(
        text,
        format_args!(
            "| variant | comes back | after | requests lost | succeed on a normal day | capacity |\n| --- | --- | --- | --- | --- | --- |\n"
        ),
    );
    for remedy in &assessment.remedies {
        let comparison = &remedy.comparison;
        let mark = if remedy.is_recommended { "+ " } else { "" };
        let after = comparison.time_to_recover.as_ref().map_or_else(
            || comparison.not_back(&assessment.course),
            |time| time.shown.clone(),
        );
        let success = comparison
            .normal_success
            .as_ref()
            .map_or("", |success| &success.shown);
        push(
            text,
            format_args!(
                "| {mark}{} | {} | {after} | {} | {success} | × {} |\n",
                remedy.name, comparison.comes_back.shown, comparison.lost.shown, comparison.capacity.shown
            ),
        );
    }
}

/// Text without what Markdown would take for marks.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let is_mark = matches!(c, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|');
            is_mark.then_some('\\').into_iter().chain(std::iter::once(c))
        })
        .collect()
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    if let Err(error) = text.write_fmt(what) {
        unreachable!("writing to a string succeeds, but: {error}");
    }
}

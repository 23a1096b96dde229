//! The HTML view: one page with its style and figures inside, no script, nothing fetched.

mod claim;
mod figures;
mod glossary;
mod overview;

pub use figures::figure;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::document::Document;
use crate::figure::Illustration;
use crate::outcome::{ClaimOutcome, Outcome};
use crate::report::placement::Placed;
use crate::report::{plot, wording};
use crate::verdict::Verdict;

const STYLE: &str = include_str!("style.css");
const TITLE: &str = "What retries do to a service: claims checked";

/// The outcome as a self-contained page: summary, contents, per document an introduction and its claims with evidence, each
/// figure beside the first claim that it illustrates, and a glossary.
#[must_use]
pub fn html(outcome: &Outcome, figures: &[Illustration]) -> String {
    let sections: Vec<Section<'_>> = Document::ALL
        .into_iter()
        .map(|document| Section {
            document,
            claims: outcome
                .claims
                .iter()
                .filter(|claim| claim.document == document)
                .collect(),
            figures: figures
                .iter()
                .filter(|figure| figure.document == document)
                .collect(),
        })
        .filter(|section| !section.claims.is_empty() || !section.figures.is_empty())
        .collect();
    let body = html! {
        a.skip href="#results" { "Skip to the results" }
        header.top { (overview::masthead(outcome)) }
        div.layout {
            nav.contents aria-label="Contents" { (overview::contents(&sections)) }
            main id="results" {
                (overview::summary(outcome))
                @for section in &sections { (section.markup(outcome)) }
                (glossary::section())
            }
        }
        footer {
            p { "Made by retrylab " (env!("CARGO_PKG_VERSION")) ". The same numbers again: "
                code { (wording::repeat_command(outcome, None)) } }
        }
    };
    page(TITLE, &body)
}

/// A self-contained page in the style of the reports: no script, nothing fetched.
///
/// ```
/// let page = retrylab_verify::report::page("Retries", &maud::html! { p { "1 < 2" } });
/// assert!(page.contains("<title>Retries</title>") && page.contains("<p>1 &lt; 2</p>"));
/// ```
#[must_use]
pub fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "retrylab " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The style sheet, with the colours of figures on light and on dark paper.
fn style() -> String {
    format!(
        ":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{STYLE}",
        plot::css_variables(false),
        plot::css_variables(true)
    )
}

/// What the page says about one document.
struct Section<'a> {
    document: Document,
    claims: Vec<&'a ClaimOutcome>,
    figures: Vec<&'a Illustration>,
}

impl Section<'_> {
    fn markup(&self, outcome: &Outcome) -> Markup {
        html! {
            section.document aria-labelledby=(self.anchor()) {
                h2 id=(self.anchor()) { (self.document.title()) }
                p.lead { (self.document.summary()) }
                @for paragraph in self.document.setting() { p.setting { (paragraph) } }
                (glossary::words(self.document))
                @if !self.claims.is_empty() {
                    p.tally { (self.tally()) }
                    (self.statements())
                }
                @let placed = Placed::new(&self.claims, &self.figures);
                @for figure in &placed.first { (figures::figure(figure)) }
                @for (claim, figures) in &placed.beside {
                    @for figure in figures { (figures::figure(figure)) }
                    (claim::card(outcome, claim, &self.illustrations(claim)))
                }
            }
        }
    }

    /// What the document says, claim by claim, folded away: the cards below say it again with the evidence.
    fn statements(&self) -> Markup {
        html! {
            details.statements {
                summary { "What it says, in short" }
                ul {
                    @for claim in &self.claims {
                        li class=(class(claim.verdict())) {
                            a href={ "#" (claim.id) } {
                                span aria-hidden="true" { (wording::symbol(claim.verdict())) } " " (claim.id)
                                span.hidden { ", " (claim.verdict()) }
                            }
                            span { (claim.statement) }
                        }
                    }
                }
            }
        }
    }

    /// The figures that illustrate a claim.
    fn illustrations(&self, claim: &ClaimOutcome) -> Vec<&Illustration> {
        self.figures
            .iter()
            .copied()
            .filter(|figure| figure.claims.contains(&claim.id))
            .collect()
    }

    /// The number of claims with each verdict.
    fn tally(&self) -> Markup {
        html! {
            @for verdict in Verdict::ALL {
                @let count = self.claims.iter().filter(|claim| claim.verdict() == verdict).count();
                @if count > 0 {
                    span class={ "badge " (class(verdict)) } {
                        span aria-hidden="true" { (wording::symbol(verdict)) } " " (wording::count_in_words(verdict, count))
                    }
                    " "
                }
            }
        }
    }

    fn anchor(&self) -> String {
        format!("document-{}", self.document.name())
    }
}

/// Class of a verdict in the style sheet.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Inconclusive => "inconclusive",
        Verdict::NotReproduced => "not-reproduced",
        Verdict::DoesNotAgree => "does-not-agree",
    }
}

/// A verdict as a coloured label that can be read without the colour.
fn badge(verdict: Verdict) -> Markup {
    html! {
        span class={ "badge " (class(verdict)) } {
            span aria-hidden="true" { (wording::symbol(verdict)) } " " (verdict)
        }
    }
}

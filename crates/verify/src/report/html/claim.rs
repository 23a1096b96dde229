//! A claim as a card: statement, numbers, remarks, and the evidence behind them.

use maud::{Markup, html};

use super::{badge, class};
use crate::figure::Illustration;
use crate::outcome::{ClaimOutcome, ComputedNumber, MeasuredNumber, Outcome, PartOutcome, QuotedNumber};
use crate::report::numbers::{self, Interval};
use crate::report::wording;

/// Numbers beyond which a table is folded away, unless something in it is not as recorded.
const NUMBERS_MAX: usize = 8;

/// The card of a claim, with links to the figures that illustrate it.
pub(super) fn card(outcome: &Outcome, claim: &ClaimOutcome, figures: &[&Illustration]) -> Markup {
    html! {
        article class={ "claim " (class(claim.verdict())) } id=(claim.id) {
            h3 { a.id href={ "#" (claim.id) } { (claim.id) } " " (badge(claim.verdict())) }
            p.statement { (claim.statement) }
            @if claim.is_surprise() {
                p.notice { strong { "Not as recorded:" } " " (wording::differences(claim)) "." }
            }
            @if claim.parts.len() <= NUMBERS_MAX {
                (table(claim))
            } @else {
                details open[claim.is_surprise()] {
                    summary { (claim.parts.len()) " numbers: " (wording::counts(claim)) }
                    (table(claim))
                }
            }
            @for remark in &claim.remarks { p.remark { (remark) } }
            (texts(wording::OPEN_PARAMETERS, &claim.open_parameters))
            (texts(wording::BEYOND, &claim.beyond))
            @if !figures.is_empty() {
                p.remark {
                    @if figures.len() == 1 { "Illustration: " } @else { "Figures: " }
                    @for (index, figure) in figures.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href={ "#figure-" (figure.id) } { (figure.title) }
                    }
                    "."
                }
            }
            details {
                summary { "Evidence and how to repeat it" }
                @for (index, part) in claim.parts.iter().enumerate() {
                    @if claim.parts.len() > 1 { h4 { (part.label) } }
                    (evidence(part, &claim.parts[..index]))
                }
                p.repeat { "The whole claim again: " code { (wording::repeat_command(outcome, Some(claim))) } }
            }
        }
    }
}

/// Texts under a heading of their own, where there are any.
fn texts(heading: &str, texts: &[String]) -> Markup {
    html! {
        @if !texts.is_empty() {
            div.texts {
                h4 { (heading) }
                @for text in texts { p { (text) } }
            }
        }
    }
}

/// The numbers of a claim side by side. On a narrow screen every row becomes a list, so each cell carries its heading.
fn table(claim: &ClaimOutcome) -> Markup {
    let common = wording::common_confidence(claim);
    let heading = common
        .as_ref()
        .map_or_else(String::new, |confidence| format!("{confidence} interval"));
    html! {
        table.parts role="table" {
            caption.hidden { "Numbers of claim " (claim.id) }
            thead role="rowgroup" {
                tr role="row" {
                    th scope="col" role="columnheader" { "Number" }
                    th scope="col" role="columnheader" { "Quoted" }
                    th scope="col" role="columnheader" { "Computed" }
                    th scope="col" role="columnheader" { "Measured" @if !heading.is_empty() { small { (heading) } } }
                    th scope="col" role="columnheader" { "Verdict" }
                }
            }
            tbody role="rowgroup" {
                @for part in &claim.parts { (row(part, common.is_none())) }
            }
        }
    }
}

fn row(part: &PartOutcome, with_confidence: bool) -> Markup {
    html! {
        tr role="row" {
            th scope="row" role="rowheader" { (part.label) }
            td role="cell" data-label="Quoted" { (cell(part.quoted.as_ref().map(quoted))) }
            td role="cell" data-label="Computed" {
                (cell(part.computed.as_ref().map(|computed| html! { (numbers::number(computed.value)) })))
            }
            td role="cell" data-label="Measured" {
                (cell(part.measured.as_ref().map(|one| measured(one, with_confidence))))
            }
            td.verdict role="cell" data-label="Verdict" {
                div {
                    (badge(part.verdict))
                    @if part.verdict != part.recorded_verdict { small { "recorded: " (part.recorded_verdict) } }
                }
            }
        }
    }
}

fn cell(content: Option<Markup>) -> Markup {
    html! {
        @match content {
            Some(content) => div { (content) },
            None => span.none { span aria-hidden="true" { "–" } span.hidden { "none" } },
        }
    }
}

fn quoted(quoted: &QuotedNumber) -> Markup {
    html! { (quoted.text) small { (range_of(quoted)) } }
}

fn range_of(quoted: &QuotedNumber) -> String {
    format!(
        "{} to {}",
        numbers::number(quoted.low),
        numbers::number(quoted.high)
    )
}

fn measured(measured: &MeasuredNumber, with_confidence: bool) -> Markup {
    let interval = Interval::new(measured.estimate, measured.low, measured.high);
    html! {
        (interval.estimate())
        small { (interval.range()) }
        @if with_confidence { small { (numbers::confidence(measured.confidence)) } }
    }
}

/// Everything behind one number. A scenario that an earlier part has shown is not shown again.
fn evidence(part: &PartOutcome, earlier: &[PartOutcome]) -> Markup {
    html! {
        dl.evidence {
            (entry("Criterion", &html! { (part.criterion) }))
            @if let Some(quoted) = &part.quoted {
                (entry("Quoted", &html! { (quoted.text) ", which means " (range_of(quoted)) ": " (quoted.range_reason) }))
            }
            @if let Some(computed) = &part.computed { (theory(computed)) }
            @if let Some(measured) = &part.measured { (experiment(measured, earlier)) }
        }
    }
}

fn theory(computed: &ComputedNumber) -> Markup {
    html! {
        (entry("Formula", &html! { span.formula { (computed.formula) } }))
        (entry("Source", &html! { (computed.source) }))
        (entry("Compute", &html! { code { (computed.command) } }))
    }
}

fn experiment(measured: &MeasuredNumber, earlier: &[PartOutcome]) -> Markup {
    let same = earlier.iter().find(|part| {
        part.measured
            .as_ref()
            .is_some_and(|earlier| earlier.scenario == measured.scenario)
    });
    html! {
        (entry("Method", &html! { (measured.method) }))
        (entry("Effort", &html! { (wording::effort(measured)) }))
        (entry("Confidence", &html! { (numbers::confidence(measured.confidence)) }))
        (entry("Seed", &html! { (measured.seed) }))
        @match same {
            Some(part) => (entry("Simulated", &html! { "as for “" (part.label) "”" })),
            None => (entry("Simulated", &html! { pre { code { (measured.scenario.trim_end()) } } })),
        }
        @if let Some(command) = wording::simulate_command(measured) {
            (entry("Repeat", &html! { code { (command) } " " (wording::REPEAT_NOTE) }))
        }
    }
}

fn entry(name: &str, content: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (content) } } }
}

//! The top of the page: what was found, what the words mean, how to repeat it, and where to find what.

use maud::{Markup, html};

use super::{Section, TITLE, badge, class};
use crate::outcome::Outcome;
use crate::report::{numbers, wording};
use crate::verdict::Verdict;

/// How to read the page.
const INTRODUCTION: &str = "Documents about retries make statements that can be checked. Each is a claim here, with the \
                            numbers that it is about: quoted is what the document prints, computed what a formula gives, \
                            and measured what a simulation gives that shares no code with the formula, with an interval. \
                            The verdict says whether they fit together.";

/// Title and headline.
pub(super) fn masthead(outcome: &Outcome) -> Markup {
    html! {
        p.kicker { "retrylab verification report" }
        h1 { (TITLE) }
        p.headline { (wording::headline(outcome)) }
        p.introduction { (INTRODUCTION) }
    }
}

/// Counts with the meaning of each verdict, and the facts of the run.
pub(super) fn summary(outcome: &Outcome) -> Markup {
    html! {
        section.summary aria-labelledby="summary" {
            h2 id="summary" { "Summary" }
            @if outcome.surprises().next().is_some() { (surprises(outcome)) }
            (proportions(outcome))
            dl.verdicts {
                @for verdict in Verdict::ALL {
                    div class=(class(verdict)) {
                        dt {
                            span.count { (outcome.count(verdict)) }
                            " "
                            span.word { span aria-hidden="true" { (wording::symbol(verdict)) } " " (verdict) }
                        }
                        dd { (wording::meaning(verdict)) }
                    }
                }
            }
            (exceptions(outcome))
            dl.facts {
                div { dt { "Level" } dd { (outcome.level) } }
                div { dt { "Seed" } dd { (outcome.seed) } }
                div { dt { "Simulated attempts" } dd { (numbers::count(outcome.attempts)) } }
                div {
                    dt { "Probability of any false alarm in the whole run" }
                    dd { "at most " (numbers::number(outcome.family_error)) }
                }
                div.wide { dt { "The same numbers again" } dd { code { (wording::repeat_command(outcome, None)) } } }
            }
        }
    }
}

fn surprises(outcome: &Outcome) -> Markup {
    html! {
        div.notice {
            p { strong { "Not as recorded." } " These verdicts are not the ones that are known:" }
            ul {
                @for claim in outcome.surprises() {
                    li {
                        a href={ "#" (claim.id) } { (claim.id) }
                        ": " (wording::differences(claim))
                    }
                }
            }
        }
    }
}

/// The claims that have another verdict than agreement, at a glance.
fn exceptions(outcome: &Outcome) -> Markup {
    let claims: Vec<_> = outcome
        .claims
        .iter()
        .filter(|claim| claim.verdict() != Verdict::Agrees)
        .collect();
    html! {
        @if !claims.is_empty() {
            h3 { "What did not come out" }
            ul.exceptions {
                @for claim in claims {
                    li class=(class(claim.verdict())) {
                        a href={ "#" (claim.id) } { (claim.id) } " " (badge(claim.verdict()))
                        span { (claim.statement) }
                    }
                }
            }
        }
    }
}

/// A bar with the share of each verdict; the counts below say the same in words.
fn proportions(outcome: &Outcome) -> Markup {
    html! {
        div.proportions aria-hidden="true" {
            @for verdict in Verdict::ALL {
                @let count = outcome.count(verdict);
                @if count > 0 { span class=(class(verdict)) style={ "flex-grow:" (count) } {} }
            }
        }
    }
}

/// Links to every section, figure and claim, each claim with its verdict.
pub(super) fn contents(sections: &[Section<'_>]) -> Markup {
    html! {
        p.title { a href="#summary" { "Summary" } }
        @for section in sections {
            p.title { a href={ "#" (section.anchor()) } { (section.document.title()) } }
            @if !section.figures.is_empty() {
                ul.figures {
                    @for figure in &section.figures {
                        li { a href={ "#figure-" (figure.id) } { (figure.title) } }
                    }
                }
            }
            ul.claims {
                @for claim in &section.claims {
                    @let verdict = claim.verdict();
                    li {
                        a class=(class(verdict)) href={ "#" (claim.id) } title=(claim.statement) {
                            span aria-hidden="true" { (wording::symbol(verdict)) } " " (claim.id)
                            span.hidden { ", " (verdict) }
                        }
                    }
                }
            }
        }
        p.title { a href="#glossary" { "Glossary" } }
    }
}

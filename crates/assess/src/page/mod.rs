//! The assessment as a page that can be sent to a colleague.

pub(crate) mod figures;

use maud::{Markup, html};
use retrylab_verify::report;

use crate::assessment::{Assessment, Section};
use crate::evidence::Evidence;
use crate::plan::CONFIDENCE;

/// The assessment as a self-contained page: the verdict, what was found, figures, and the remedies.
#[must_use]
pub fn page(assessment: &Assessment) -> String {
    let name = match assessment.service.spec().name.as_str() {
        "" => "A service",
        name => name,
    };
    let class = if assessment.is_at_risk() {
        "does-not-agree"
    } else {
        "agrees"
    };
    let badge = if assessment.is_at_risk() {
        "At risk"
    } else {
        "Safe"
    };
    let figures = figures::all(assessment);
    let body = html! {
        a.skip href="#results" { "Skip to the results" }
        header.top {
            p.kicker { "retrylab assessment" }
            h1 { (name) }
            p { span class={ "badge " (class) } { (badge) } }
            p.headline { (assessment.verdict.unbroken()) }
        }
        div.layout {
            nav.contents aria-label="Contents" {
                @for section in &assessment.sections {
                    p.title { a href={ "#" (section.id) } { (section.title) } }
                }
                p.title { a href="#tried" { "Everything that was tried" } }
            }
            main id="results" {
                @for section in &assessment.sections {
                    (part(section))
                    @for figure in figures.iter().filter(|figure| figure.section == section.id) {
                        (report::html_figure(&figure.figure))
                    }
                }
                (remedies(assessment))
            }
        }
        footer {
            p {
                "Made by retrylab " (env!("CARGO_PKG_VERSION")) " with seed " (assessment.seed) ": "
                (report::numbers::count(assessment.attempts)) " attempts simulated. Intervals in parentheses cover with "
                (report::numbers::confidence(CONFIDENCE)) " each."
            }
        }
    };
    report::page(&format!("{name}: {badge}"), &body)
}

fn part(section: &Section) -> Markup {
    html! {
        section.document aria-labelledby=(section.id) {
            h2 id=(section.id) { (section.title) }
            @for sentence in &section.sentences { p.setting { (sentence.unbroken()) } }
        }
    }
}

/// Every variant, the best first.
fn remedies(assessment: &Assessment) -> Markup {
    let shown = |evidence: &Evidence| evidence.shown.replace(' ', "\u{a0}").replace("\u{a0}(", " (");
    html! {
        section.document aria-labelledby="tried" {
            h2 id="tried" { "Everything that was tried" }
            p.lead {
                "Each variant went through the same incident and the same normal days, request by request. A plus marks those "
                "with which it always came back, lost requests were saved to a degree that is worth it, and a normal day was not harmed."
            }
            div.claim {
                table.parts.tried {
                    thead {
                        tr {
                            th scope="col" { "Variant" }
                            th scope="col" { "Comes back" }
                            th scope="col" { "After" }
                            th scope="col" { "Requests lost" }
                            th scope="col" { "Normal day" }
                            th scope="col" { "Capa\u{ad}city" }
                        }
                    }
                    tbody {
                        @for remedy in &assessment.remedies {
                            @let comparison = &remedy.comparison;
                            tr {
                                th scope="row" {
                                    @if remedy.is_recommended { strong { "+ " (remedy.name.unbroken()) } } @else { (remedy.name.unbroken()) }
                                }
                                td data-label="Comes back" { (shown(&comparison.comes_back)) }
                                td data-label="After" {
                                    @match &comparison.time_to_recover {
                                        Some(time) => (shown(time)),
                                        None => (comparison.not_back(&assessment.course)),
                                    }
                                }
                                td data-label="Requests lost" { (shown(&comparison.lost)) }
                                td data-label="Normal day" {
                                    @if let Some(success) = &comparison.normal_success { (shown(success)) }
                                }
                                td data-label="Capacity" { "× " (shown(&comparison.capacity)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

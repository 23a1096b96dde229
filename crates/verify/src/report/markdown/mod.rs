//! The Markdown view (GitHub's flavour), for reviews and repositories.

pub(super) mod text;

use std::fmt::Write as _;

use text::{badge, code, escaped, fenced, row, table};

use crate::document::Document;
use crate::figure::Illustration;
use crate::outcome::{ClaimOutcome, MeasuredNumber, Outcome, PartOutcome};
use crate::report::numbers::{self, Interval};
use crate::report::placement::Placed;
use crate::report::{figure_path, wording};
use crate::verdict::Verdict;

/// The outcome in Markdown: a summary, and per document a table of claims and the evidence of each, with figures beside
/// the claims that they illustrate.
#[must_use]
pub fn markdown(outcome: &Outcome, figures: &[Illustration]) -> String {
    let mut blocks = summary(outcome);
    for document in Document::ALL {
        let claims: Vec<&ClaimOutcome> = outcome
            .claims
            .iter()
            .filter(|claim| claim.document == document)
            .collect();
        let figures: Vec<&Illustration> = figures
            .iter()
            .filter(|figure| figure.document == document)
            .collect();
        if claims.is_empty() && figures.is_empty() {
            continue;
        }
        blocks.push(format!("## {}", escaped(document.title())));
        blocks.push(escaped(document.summary()));
        blocks.extend(document.setting().iter().map(|paragraph| escaped(paragraph)));
        if !claims.is_empty() {
            blocks.push(table_of_claims(&claims));
        }
        let placed = Placed::new(&claims, &figures);
        blocks.extend(placed.first.iter().flat_map(|figure| drawing(figure)));
        for (claim, figures) in placed.beside {
            blocks.extend(figures.iter().flat_map(|figure| drawing(figure)));
            blocks.extend(section(outcome, claim));
        }
    }
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

/// A figure with its title and caption.
fn drawing(figure: &Illustration) -> [String; 3] {
    [
        format!("### {}", escaped(&figure.title)),
        format!("![{}]({})", escaped(&figure.title), figure_path(figure)),
        escaped(&figure.caption),
    ]
}

fn summary(outcome: &Outcome) -> Vec<String> {
    let mut table = table(&["Verdict", "Claims", "Meaning"]);
    for verdict in Verdict::ALL {
        let count = outcome.count(verdict).to_string();
        row(
            &mut table,
            &[badge(verdict), count, wording::meaning(verdict).to_owned()],
        );
    }
    let run = format!(
        "Level {}, seed {}, {} simulated attempts. Probability of any false alarm in the whole run: at most {}.",
        outcome.level,
        outcome.seed,
        numbers::count(outcome.attempts),
        numbers::number(outcome.family_error)
    );
    vec![
        "# What retries do to a service: claims checked".to_owned(),
        escaped(&wording::headline(outcome)),
        table,
        run,
        format!(
            "The same numbers again: {}",
            code(&wording::repeat_command(outcome, None))
        ),
    ]
}

fn table_of_claims(claims: &[&ClaimOutcome]) -> String {
    let mut table = table(&["Claim", "Verdict", "Statement"]);
    for claim in claims {
        let link = format!(
            "[{id}](#{anchor})",
            id = escaped(claim.id),
            anchor = anchor(claim)
        );
        row(
            &mut table,
            &[link, verdict_with_surprise(claim), escaped(claim.statement)],
        );
    }
    table
}

/// One claim: statement, numbers, remarks, and the evidence folded away.
fn section(outcome: &Outcome, claim: &ClaimOutcome) -> Vec<String> {
    let mut blocks = vec![
        format!(
            "<a id=\"{}\"></a>\n\n### {}: {}",
            anchor(claim),
            escaped(claim.id),
            claim.verdict()
        ),
        escaped(claim.statement),
        table_of_parts(claim),
    ];
    if claim.is_surprise() {
        blocks.insert(
            1,
            format!("**Not as recorded:** {}.", wording::differences(claim)),
        );
    }
    blocks.extend(claim.remarks.iter().map(|remark| escaped(remark)));
    blocks.extend(listed(wording::OPEN_PARAMETERS, &claim.open_parameters));
    blocks.extend(listed(wording::BEYOND, &claim.beyond));
    blocks.push("<details><summary>Evidence</summary>".to_owned());
    let several = claim.parts.len() > 1;
    for part in &claim.parts {
        if several {
            blocks.push(format!("#### {}", escaped(&part.label)));
        }
        blocks.extend(evidence(part));
    }
    blocks.push(format!(
        "The whole claim again: {}",
        code(&wording::repeat_command(outcome, Some(claim)))
    ));
    blocks.push("</details>".to_owned());
    blocks
}

/// Texts under a heading of their own, where there are any.
fn listed(heading: &str, texts: &[String]) -> Option<String> {
    let items: Vec<String> = texts.iter().map(|text| format!("- {}", escaped(text))).collect();
    (!items.is_empty()).then(|| format!("{heading}:\n\n{}", items.join("\n")))
}

fn table_of_parts(claim: &ClaimOutcome) -> String {
    let measured = wording::common_confidence(claim).map_or_else(
        || "Measured".to_owned(),
        |confidence| format!("Measured ({confidence} interval)"),
    );
    let mut table = table(&["Number", "Quoted", "Computed", &measured, "Verdict"]);
    for part in &claim.parts {
        let quoted = part
            .quoted
            .as_ref()
            .map_or_else(String::new, |quoted| escaped(&quoted.text));
        let computed = part
            .computed
            .as_ref()
            .map_or_else(String::new, |computed| numbers::number(computed.value));
        let measured = part.measured.as_ref().map_or_else(String::new, |measured| {
            Interval::new(measured.estimate, measured.low, measured.high).to_string()
        });
        row(
            &mut table,
            &[
                escaped(&part.label),
                quoted,
                computed,
                measured,
                badge(part.verdict),
            ],
        );
    }
    table
}

fn evidence(part: &PartOutcome) -> Vec<String> {
    let mut list = String::new();
    item(&mut list, "Criterion", &escaped(&part.criterion));
    if let Some(quoted) = &part.quoted {
        let range = Interval::new(quoted.low, quoted.low, quoted.high).range();
        let reason = escaped(&quoted.range_reason);
        item(
            &mut list,
            "Quoted",
            &format!("{} means {range}: {reason}", escaped(&quoted.text)),
        );
    }
    if let Some(computed) = &part.computed {
        item(&mut list, "Formula", &code(&computed.formula));
        item(&mut list, "Source", &escaped(&computed.source));
        item(&mut list, "Compute", &code(&computed.command));
    }
    let mut blocks = Vec::new();
    if let Some(measured) = &part.measured {
        measurement(&mut list, measured);
        blocks.push(fenced(&measured.scenario));
    }
    blocks.insert(0, list.trim_end().to_owned());
    blocks
}

fn measurement(list: &mut String, measured: &MeasuredNumber) {
    item(list, "Method", &escaped(&measured.method));
    item(list, "Effort", &wording::effort(measured));
    item(list, "Confidence", &numbers::confidence(measured.confidence));
    item(list, "Seed", &measured.seed.to_string());
    if let Some(command) = wording::simulate_command(measured) {
        item(list, "Simulate", &code(&command));
    }
}

fn item(list: &mut String, name: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(list, "- **{name}:** {text}");
}

fn verdict_with_surprise(claim: &ClaimOutcome) -> String {
    let verdict = badge(claim.verdict());
    if claim.is_surprise() {
        format!("**{verdict}** ({})", wording::differences(claim))
    } else {
        verdict
    }
}

/// The name by which links find a claim; what could break out of an attribute is left out.
fn anchor(claim: &ClaimOutcome) -> String {
    claim.id.chars().filter(char::is_ascii_alphanumeric).collect()
}

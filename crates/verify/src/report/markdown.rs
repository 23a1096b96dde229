//! The Markdown view (GitHub's flavour), for reviews and repositories.

use std::fmt::Write as _;

use crate::document::Document;
use crate::figure::Figure;
use crate::outcome::{ClaimOutcome, MeasuredNumber, Outcome, PartOutcome};
use crate::report::numbers::{self, Interval};
use crate::report::{figure_path, wording};
use crate::verdict::Verdict;

/// The outcome in Markdown: a summary, and per document its figures, a table of claims and the evidence of each.
#[must_use]
pub fn markdown(outcome: &Outcome, figures: &[Figure]) -> String {
    let mut blocks = summary(outcome);
    for document in Document::ALL {
        let claims: Vec<&ClaimOutcome> = outcome
            .claims
            .iter()
            .filter(|claim| claim.document == document)
            .collect();
        let figures: Vec<&Figure> = figures
            .iter()
            .filter(|figure| figure.document == document)
            .collect();
        if claims.is_empty() && figures.is_empty() {
            continue;
        }
        blocks.push(format!("## {}", escaped(document.title())));
        blocks.push(escaped(document.summary()));
        if !claims.is_empty() {
            blocks.push(table_of_claims(&claims));
        }
        for figure in figures {
            blocks.push(format!("### {}", escaped(&figure.title)));
            blocks.push(format!("![{}]({})", escaped(&figure.title), figure_path(figure)));
            blocks.push(escaped(&figure.caption));
        }
        for claim in claims {
            blocks.extend(section(outcome, claim));
        }
    }
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
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

/// The head of a table.
fn table(columns: &[&str]) -> String {
    let rule: Vec<&str> = columns.iter().map(|_| "---").collect();
    format!("| {} |\n| {} |", columns.join(" | "), rule.join(" | "))
}

fn row(table: &mut String, cells: &[String]) {
    let _ = write!(table, "\n| {} |", cells.join(" | "));
}

fn badge(verdict: Verdict) -> String {
    format!("{} {verdict}", wording::symbol(verdict))
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

/// Text in which nothing has a meaning to Markdown or HTML, on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => escaped.extend(['\\', character]),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Code within a line, fenced by more backticks than it contains in a row.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fence = "`".repeat(longest_run_of_backticks(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A block of code, fenced by more backticks than it contains in a row.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run_of_backticks(text).max(2) + 1);
    format!("{fence}toml\n{}\n{fence}", text.trim_end())
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

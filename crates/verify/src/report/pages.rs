//! The documents' pages in the documentation: what is claimed and what is known about it, from the claims alone.
//!
//! The pages show what can be said without a run: statements, quoted and computed numbers, how each number is checked, the
//! recorded verdicts and the remarks. Measured numbers are left to the report, which makes them anew: a committed record of
//! them could be compared with a run only, and would go stale between two runs.

use super::ReportFile;
use super::markdown::text::{badge, code, escaped, row, table};
use super::numbers::number;
use super::wording;
use crate::claim::{Claim, Criterion, Part};
use crate::document::Document;
use crate::level::Level;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::verdict::Verdict;

const GENERATED: &str =
    "<!-- Written by `retrylab verify --pages docs/documents` from the claims; changes belong there. -->";

/// One page for each document, and `README.md` with links to them.
///
/// ```
/// use retrylab_verify::{claims, report};
/// let pages = report::pages(&claims::all());
/// assert_eq!(pages[0].path, "README.md");
/// assert!(pages[1].contents.contains("| [L01](#l01) | ✓ agrees |"));
/// ```
#[must_use]
pub fn pages(claims: &[Claim]) -> Vec<ReportFile> {
    let of = |document: Document| -> Vec<&Claim> {
        claims.iter().filter(|claim| claim.document == document).collect()
    };
    let mut pages = vec![ReportFile {
        path: "README.md".to_owned(),
        contents: index(claims, of),
    }];
    pages.extend(Document::ALL.map(|document| ReportFile {
        path: format!("{document}.md"),
        contents: joined(&page(document, &of(document))),
    }));
    pages
}

fn joined(blocks: &[String]) -> String {
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

fn index<'a>(claims: &[Claim], of: impl Fn(Document) -> Vec<&'a Claim>) -> String {
    let mut documents = table(&["Document", "Claims", "Recorded verdicts", "What it is about"]);
    for document in Document::ALL {
        let claims = of(document);
        let cells = [
            format!("[{}]({document}.md)", escaped(document.title())),
            range(&claims),
            tally(&claims),
            escaped(document.summary()),
        ];
        row(&mut documents, &cells);
    }
    let all: Vec<&Claim> = claims.iter().collect();
    joined(&[
        "# The documents and what became of their claims".to_owned(),
        GENERATED.to_owned(),
        format!(
            "{} claims: {}. A verdict is recorded with its claim, and `retrylab verify` fails when a run gives another, in \
             either direction.",
            claims.len(),
            tally(&all)
        ),
        documents,
    ])
}

fn page(document: Document, claims: &[&Claim]) -> Vec<String> {
    let mut blocks = vec![
        format!("# {}", escaped(document.title())),
        GENERATED.to_owned(),
        escaped(document.summary()),
    ];
    blocks.extend(document.setting().iter().map(|paragraph| escaped(paragraph)));
    blocks.push(format!(
        "Measured values with their intervals, and everything that it takes to repeat them, are in the report of {}; the \
         figures come from {}. [How a verdict is reached](../methods.md), [what the words mean](../glossary.md).",
        code(&format!("retrylab verify --only {document}")),
        code(&format!("retrylab figures --only {document} --out figures")),
    ));
    blocks.push("## What it says".to_owned());
    blocks.push(statements(claims));
    let (confirmed, others): (Vec<&&Claim>, Vec<&&Claim>) = claims
        .iter()
        .partition(|claim| recorded(claim) == Verdict::Agrees);
    for (heading, claims) in [
        ("## What was not confirmed, and why", others),
        ("## What was confirmed", confirmed),
    ] {
        if !claims.is_empty() {
            blocks.push(heading.to_owned());
            blocks.extend(claims.iter().flat_map(|claim| section(claim)));
        }
    }
    blocks.extend(collected("## What it leaves open", claims, |claim| {
        &claim.open_parameters
    }));
    blocks.extend(collected("## What we found beyond it", claims, |claim| {
        &claim.beyond
    }));
    blocks
}

fn statements(claims: &[&Claim]) -> String {
    let mut table = table(&["Claim", "Verdict", "Statement"]);
    for claim in claims {
        let link = format!("[{}](#{})", claim.id, claim.id.to_lowercase());
        row(
            &mut table,
            &[link, badge(recorded(claim)), escaped(claim.statement)],
        );
    }
    table
}

/// One claim: statement, numbers and remarks.
fn section(claim: &Claim) -> Vec<String> {
    let mut numbers = table(&["Number", "Quoted", "Computed", "Simulation", "Verdict"]);
    for part in &claim.parts {
        let quoted = part.quoted.as_ref().map_or_else(String::new, quoted);
        let computed = part
            .computed
            .as_ref()
            .map_or_else(String::new, |computed| number(computed.value));
        row(
            &mut numbers,
            &[
                escaped(&part.label),
                quoted,
                computed,
                simulation(part),
                badge(part.recorded),
            ],
        );
    }
    let mut blocks = vec![format!("### {}", claim.id), escaped(claim.statement), numbers];
    blocks.extend(claim.remarks.iter().map(|remark| escaped(remark)));
    blocks
}

/// The number as printed; words with the range that they stand for.
fn quoted(quote: &Quote) -> String {
    let (quoted, _) = quote.at_level(Level::Standard);
    let text = escaped(quoted.text());
    if quote.is_decimal() {
        text
    } else {
        let range = quoted.range();
        format!("{text} ({} to {})", number(range.low()), number(range.high()))
    }
}

/// What a simulation shows about a number, and from which level on it is run.
fn simulation(part: &Part) -> String {
    if part.experiment.is_none() {
        return String::new();
    }
    match part.from_level {
        Level::Quick => shown(part),
        level => format!("{} (from level {level} on)", shown(part)),
    }
}

/// What a simulation shows, or was asked where the recorded verdict leaves it open.
fn shown(part: &Part) -> String {
    let excluded = part.recorded == Verdict::NotReproduced;
    match &part.criterion {
        Criterion::Quote if excluded => "not within the quoted range".to_owned(),
        Criterion::Quote => "within the quoted range".to_owned(),
        // A quoted number that is not reproduced says nothing against the computed one: the two are compared apart.
        Criterion::Equivalence { margin, .. } => {
            let distance = match margin {
                Margin::Relative(fraction) => format!("{} %", number(100.0 * fraction)),
                Margin::Absolute(distance) => number(*distance),
            };
            let negation = match part.recorded {
                Verdict::DoesNotAgree => "not ",
                Verdict::Agrees | Verdict::Inconclusive | Verdict::NotReproduced => "",
            };
            format!("{negation}as computed, within {distance}")
        }
        Criterion::AtLeast { bound, .. } if excluded && part.quoted.is_none() => {
            format!("below {}", number(*bound))
        }
        Criterion::AtLeast { bound, .. } => format!("at least {}", number(*bound)),
        Criterion::AtMost { bound, .. } if excluded && part.quoted.is_none() => {
            format!("above {}", number(*bound))
        }
        Criterion::AtMost { bound, .. } => format!("at most {}", number(*bound)),
    }
}

/// Texts of all claims under one heading, each with its claim.
fn collected(heading: &str, claims: &[&Claim], texts: impl Fn(&Claim) -> &Vec<String>) -> Vec<String> {
    // What several claims leave open in the same words stands once.
    let mut collected: Vec<(Vec<&str>, &String)> = Vec::new();
    for claim in claims {
        for text in texts(claim) {
            match collected.iter_mut().find(|(_, other)| *other == text) {
                Some((ids, _)) => ids.push(claim.id),
                None => collected.push((vec![claim.id], text)),
            }
        }
    }
    let items: Vec<String> = collected
        .into_iter()
        .map(|(ids, text)| format!("- **{}.** {}", ids.join(", "), escaped(text)))
        .collect();
    if items.is_empty() {
        Vec::new()
    } else {
        vec![heading.to_owned(), items.join("\n")]
    }
}

fn recorded(claim: &Claim) -> Verdict {
    Verdict::worst(claim.parts.iter().map(|part| part.recorded))
}

/// How many claims have which recorded verdict.
fn tally(claims: &[&Claim]) -> String {
    let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = claims.iter().filter(|claim| recorded(claim) == verdict).count();
        (count > 0).then(|| wording::count_in_words(verdict, count))
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// The first and the last id.
fn range(claims: &[&Claim]) -> String {
    match claims {
        [] => String::new(),
        [only] => only.id.to_owned(),
        [first, .., last] => format!("{}–{}", first.id, last.id),
    }
}

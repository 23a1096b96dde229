//! The verdicts as a table on the terminal, by document.

use comfy_table::{Cell, Color, ColumnConstraint, Table, Width};
use retrylab_verify::report::{headline, numbers, symbol};
use retrylab_verify::{ClaimOutcome, Document, MeasuredNumber, Outcome, PartOutcome, Verdict};

use crate::text_table;

/// Widths of the columns quoted, computed, measured and verdict, the space behind each included.
const WIDTHS: [u16; 4] = [9, 11, 18, 17];
/// Space before the numbers of a claim, under its statement.
const INDENT: u16 = 5;
/// A claim with more numbers than this shows only the first of those that agree; the reports have them all.
const NUMBERS_MAX: usize = 4;

/// Every claim with its numbers.
pub(crate) fn text(outcome: &Outcome) -> String {
    let mut text = String::new();
    for document in Document::ALL {
        let claims: Vec<&ClaimOutcome> = outcome
            .claims
            .iter()
            .filter(|claim| claim.document == document)
            .collect();
        if claims.is_empty() {
            continue;
        }
        text.push_str(&format!("{} [{}]\n\n", document.title(), document.name()));
        text.push_str(&text_table::text(&header()));
        for claim in claims {
            text.push('\n');
            text.push_str(&text_table::text(&statement(claim)));
            text.push_str(&text_table::text(&numbers_of(claim)));
        }
        text.push('\n');
    }
    text
}

/// The counts, and each number of which the verdict is not the recorded one.
pub(crate) fn summary(outcome: &Outcome) -> String {
    let mut words = text_table::plain();
    words.add_row([headline(outcome)]);
    let width = text_table::width(&words);
    fix(&mut words, &[width]);
    let mut text = text_table::text(&words);
    let mut surprises = text_table::plain();
    for claim in outcome.surprises() {
        for part in claim
            .parts
            .iter()
            .filter(|part| part.verdict != part.recorded_verdict)
        {
            surprises.add_row([
                claim.id.to_owned(),
                format!(
                    "{}: {}, recorded as {}",
                    part.label, part.verdict, part.recorded_verdict
                ),
            ]);
        }
    }
    if !surprises.is_empty() {
        fix(&mut surprises, &[INDENT]);
        text.push_str(&text_table::text(&surprises));
    }
    text
}

fn statement(claim: &ClaimOutcome) -> Table {
    let mut table = text_table::plain();
    table.add_row([claim.id, claim.statement]);
    fix(&mut table, &[INDENT]);
    table
}

fn header() -> Table {
    let mut table = text_table::plain();
    table.add_row(["", "", "quoted", "computed", "measured", "verdict"]);
    fix_numbers(&mut table);
    table
}

/// The numbers to show: all of a few, of many the first that agree and all that do not.
fn shown(claim: &ClaimOutcome) -> Vec<&PartOutcome> {
    let mut agreeing = 0;
    let is_shown = |part: &&PartOutcome| {
        let agrees = part.verdict == Verdict::Agrees && part.recorded_verdict == Verdict::Agrees;
        agreeing += usize::from(agrees);
        !agrees || claim.parts.len() <= NUMBERS_MAX || agreeing < NUMBERS_MAX
    };
    claim.parts.iter().filter(is_shown).collect()
}

fn numbers_of(claim: &ClaimOutcome) -> Table {
    let mut table = text_table::plain();
    let shown = shown(claim);
    let hidden = claim.parts.len() - shown.len();
    for part in shown {
        let quoted = part.quoted.as_ref().map(|quoted| quoted.text.clone());
        let computed = part
            .computed
            .as_ref()
            .map(|computed| numbers::number(computed.value));
        let measured = part.measured.as_ref().map(measured);
        table.add_row([
            Cell::new(""),
            Cell::new(&part.label),
            Cell::new(quoted.unwrap_or_default()),
            Cell::new(computed.unwrap_or_default()),
            Cell::new(measured.unwrap_or_default()),
            verdict(part),
        ]);
    }
    if hidden > 0 {
        table.add_row(["".to_owned(), format!("and {hidden} more: all agree")]);
    }
    fix_numbers(&mut table);
    table
}

fn measured(number: &MeasuredNumber) -> String {
    numbers::Interval::new(number.estimate, number.low, number.high).to_string()
}

fn verdict(part: &PartOutcome) -> Cell {
    let mut words = format!("{} {}", symbol(part.verdict), part.verdict);
    if part.verdict != part.recorded_verdict {
        words.push_str(&format!(" (recorded: {})", part.recorded_verdict));
    }
    let color = match part.verdict {
        Verdict::Agrees => Color::Green,
        Verdict::Inconclusive => Color::Yellow,
        Verdict::NotReproduced => Color::Magenta,
        Verdict::DoesNotAgree => Color::Red,
    };
    Cell::new(words).fg(color)
}

/// Fixes the columns of a table of numbers; the label has what the others leave.
fn fix_numbers(table: &mut Table) {
    let label = text_table::width(table)
        .saturating_sub(INDENT)
        .saturating_sub(WIDTHS.iter().sum());
    let mut widths = vec![INDENT, label];
    widths.extend(WIDTHS);
    fix(table, &widths);
}

/// Fixes the widths of the first columns, so that tables below each other line up.
fn fix(table: &mut Table, widths: &[u16]) {
    for (column, width) in table.column_iter_mut().zip(widths) {
        column
            .set_padding((0, 1))
            .set_constraint(ColumnConstraint::Absolute(Width::Fixed(*width)));
    }
}

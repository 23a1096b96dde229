//! The verdicts as a table on the terminal, by document.

use comfy_table::{Cell, Color, ColumnConstraint, Table, Width};
use retrylab_verify::report::{headline, numbers, symbol};
use retrylab_verify::{ClaimOutcome, Document, MeasuredNumber, Outcome, PartOutcome, Verdict};

use crate::text_table;

/// Space before the labels of a claim, under its statement.
const INDENT: u16 = 5;
/// Space before the numbers, under their label.
const NUMBERS_INDENT: u16 = 7;
/// Width of the verdict beside a label, the space behind it included.
const VERDICT_WIDTH: u16 = 17;
/// Widths of the columns quoted and computed, the space behind each included; measured has the rest.
const NUMBER_WIDTHS: [u16; 2] = [14, 15];
/// Stands for a space at which no line may end, while a table is laid out.
const NO_BREAK: char = '\u{a0}';
/// A claim with more numbers than this shows only the first of those that agree; the reports have them all.
const NUMBERS_MAX: usize = 4;

/// Every claim with its numbers, in lines of at most `width` characters.
pub(crate) fn text(outcome: &Outcome, width: u16) -> String {
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
        let heads = ["quoted", "computed", "measured"].map(str::to_owned);
        text.push_str(&numbers_line(heads, width));
        for claim in claims {
            text.push('\n');
            text.push_str(&text_table::text(&statement(claim, width)));
            let shown = shown(claim);
            for part in &shown {
                text.push_str(&text_table::text(&label_line(part, width)));
                text.push_str(&numbers_line(numbers_of(part), width));
            }
            let hidden = claim.parts.len() - shown.len();
            if hidden > 0 {
                let indent = usize::from(INDENT);
                text.push_str(&format!("{:indent$}and {hidden} more: all agree\n", ""));
            }
        }
        text.push('\n');
    }
    text.replace(NO_BREAK, " ")
}

/// The counts, and each number of which the verdict is not the recorded one.
pub(crate) fn summary(outcome: &Outcome) -> String {
    let mut words = text_table::plain();
    words.add_row([headline(outcome)]);
    fix(&mut words, &[text_table::width()]);
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

fn statement(claim: &ClaimOutcome, width: u16) -> Table {
    let mut table = text_table::of_width(width);
    table.add_row([claim.id, claim.statement]);
    fix(&mut table, &[INDENT, width.saturating_sub(INDENT)]);
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

/// The label with the verdict beside it.
fn label_line(part: &PartOutcome, width: u16) -> Table {
    let mut table = text_table::of_width(width);
    table.add_row([Cell::new(""), Cell::new(&part.label), verdict(part)]);
    let label = width.saturating_sub(INDENT + VERDICT_WIDTH);
    fix(&mut table, &[INDENT, label, VERDICT_WIDTH]);
    table
}

/// Numbers under the label, in columns that line up from part to part; nothing where there are none.
fn numbers_line(numbers: [String; 3], width: u16) -> String {
    if numbers.iter().all(String::is_empty) {
        return String::new();
    }
    let mut table = text_table::of_width(width);
    let [quoted, computed, measured] = numbers;
    table.add_row(["".to_owned(), quoted, computed, measured]);
    let [quoted, computed] = NUMBER_WIDTHS;
    let measured = width.saturating_sub(NUMBERS_INDENT + quoted + computed);
    fix(&mut table, &[NUMBERS_INDENT, quoted, computed, measured]);
    text_table::text(&table)
}

/// A part's numbers as quoted, computed and measured.
fn numbers_of(part: &PartOutcome) -> [String; 3] {
    let quoted = part.quoted.as_ref().map(|quoted| quoted.text.clone());
    let computed = part
        .computed
        .as_ref()
        .map(|computed| whole(&numbers::number(computed.value)));
    [quoted, computed, part.measured.as_ref().map(measured)].map(Option::unwrap_or_default)
}

/// An estimate with its interval; a line may end between the two and nowhere else.
fn measured(number: &MeasuredNumber) -> String {
    let text = numbers::Interval::new(number.estimate, number.low, number.high).to_string();
    match text.split_once(" (") {
        Some((estimate, interval)) => format!("{} ({}", whole(estimate), whole(interval)),
        None => whole(&text),
    }
}

/// A number that stays on one line although it has spaces.
fn whole(number: &str) -> String {
    number.replace(' ', &NO_BREAK.to_string())
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

/// Fixes the widths of the first columns, so that tables below each other line up.
fn fix(table: &mut Table, widths: &[u16]) {
    for (column, width) in table.column_iter_mut().zip(widths) {
        column
            .set_padding((0, 1))
            .set_constraint(ColumnConstraint::Absolute(Width::Fixed(*width)));
    }
}

#[cfg(test)]
mod tests {
    use retrylab_verify::{ComputedNumber, MeasuredNumber, QuotedNumber};

    use super::*;

    fn part(label: &str, quoted: &str, computed: f64, (estimate, low, high): (f64, f64, f64)) -> PartOutcome {
        PartOutcome {
            label: label.to_owned(),
            verdict: Verdict::DoesNotAgree,
            recorded_verdict: Verdict::NotReproduced,
            quoted: Some(QuotedNumber {
                text: quoted.to_owned(),
                low: 0.0,
                high: 1.0,
                range_reason: String::new(),
            }),
            computed: Some(ComputedNumber {
                value: computed,
                formula: String::new(),
                source: String::new(),
                command: String::new(),
            }),
            measured: Some(MeasuredNumber {
                estimate,
                low,
                high,
                confidence: 0.999,
                method: String::new(),
                replications: 20,
                looks: 1,
                attempts: 1000,
                seed: 1,
                scenario: String::new(),
            }),
            criterion: String::new(),
            detectable_error: None,
        }
    }

    #[test]
    fn no_line_is_too_long_and_no_number_is_split() {
        let label =
            "mean sojourn time of an attempt at load 0.9 with a timeout of 50 and three attempts per request";
        let outcome = Outcome {
            claims: vec![ClaimOutcome {
                id: "T05",
                document: Document::Lesson,
                statement: "Retries without a bound make a stall of a minute last for as long as the load stays where it is.",
                remarks: Vec::new(),
                open_parameters: Vec::new(),
                beyond: Vec::new(),
                parts: vec![
                    part(label, "2.98–2.99", 2.984_17, (2.98412, 2.98398, 2.98426)),
                    part(label, "essentially 1", 1.0 - 4.2e-9, (0.998, 0.991, 1.0)),
                    part(label, "0.000012", 1.234_56e-7, (1.25e-7, 0.98e-7, 1.61e-7)),
                ],
            }],
            unfinished: Vec::new(),
            level: "quick",
            seed: 1,
            family_error: 1e-6,
            attempts: 3000,
        };
        for width in [60, 80, 110] {
            let text = text(&outcome, width);
            for line in text.lines() {
                assert!(
                    line.chars().count() <= usize::from(width),
                    "{width}: {line}\n{text}"
                );
            }
            for number in [
                "2.98–2.99",
                "essentially 1",
                "1 − 4.2 × 10⁻⁹",
                "0.9980 (0.9910 to 1)",
                "0.000012",
                "2.98412 ± 0.00014",
            ] {
                assert!(text.contains(number), "{number} at {width}\n{text}");
            }
        }
    }
}

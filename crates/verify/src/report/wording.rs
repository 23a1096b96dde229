//! Words that several reports share.

use crate::outcome::{ClaimOutcome, MeasuredNumber, Outcome};
use crate::report::numbers;
use crate::verdict::Verdict;

/// Heading of the parameters that a document leaves open.
pub(super) const OPEN_PARAMETERS: &str = "Left open by the document, and our choice";
/// Heading of what was found beyond what a document says.
pub(super) const BEYOND: &str = "Beyond the document";

/// What a verdict means, in a sentence.
#[must_use]
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => {
            "Theory and simulation were shown to be equal within the stated margin, and a quoted number is compatible \
             with the evidence."
        }
        Verdict::Inconclusive => "The evidence gathered within the budget of this run does not decide.",
        Verdict::NotReproduced => "The evidence excludes the number that the document quotes.",
        Verdict::DoesNotAgree => {
            "Theory and simulation differ by more than the stated margin: one of the two is wrong."
        }
    }
}

/// A character that tells verdicts apart without colour.
#[must_use]
pub fn symbol(verdict: Verdict) -> char {
    match verdict {
        Verdict::Agrees => '✓',
        Verdict::Inconclusive => '?',
        Verdict::NotReproduced => '≠',
        Verdict::DoesNotAgree => '✗',
    }
}

/// The outcome in two sentences: how many claims have which verdict, and whether any of it is a surprise.
#[must_use]
pub fn headline(outcome: &Outcome) -> String {
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .filter_map(|verdict| match outcome.count(verdict) {
            0 => None,
            count => Some(count_in_words(verdict, count)),
        })
        .collect();
    let total = match outcome.claims.len() {
        0 => return "No claim was checked.".to_owned(),
        1 => "1 claim".to_owned(),
        total => format!("{total} claims"),
    };
    let surprises: Vec<&str> = outcome.surprises().map(|claim| claim.id).collect();
    let surprise = match surprises[..] {
        [] => "Every verdict is the recorded one.".to_owned(),
        [id] => format!("1 claim is not as recorded: {id}."),
        _ => format!(
            "{} claims are not as recorded: {}.",
            surprises.len(),
            surprises.join(", ")
        ),
    };
    format!("{total}: {}. {surprise}", counts.join(", "))
}

/// How many numbers of a claim have which verdict, such as `30 agree, 4 not reproduced`.
pub(super) fn counts(claim: &ClaimOutcome) -> String {
    let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = claim.parts.iter().filter(|part| part.verdict == verdict).count();
        (count > 0).then(|| count_in_words(verdict, count))
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// A verdict with the number of claims that have it.
pub(super) fn count_in_words(verdict: Verdict, count: usize) -> String {
    match (verdict, count) {
        (Verdict::Agrees, 1) => "1 agrees".to_owned(),
        (Verdict::Agrees, _) => format!("{count} agree"),
        (Verdict::DoesNotAgree, 1) => "1 does not agree".to_owned(),
        (Verdict::DoesNotAgree, _) => format!("{count} do not agree"),
        (Verdict::Inconclusive | Verdict::NotReproduced, _) => format!("{count} {verdict}"),
    }
}

/// The command that gives the same numbers again: of the whole run, or of one claim.
#[must_use]
pub fn repeat_command(outcome: &Outcome, claim: Option<&ClaimOutcome>) -> String {
    let only = claim
        .map(|claim| format!(" --only {}", claim.id))
        .unwrap_or_default();
    format!(
        "retrylab verify{only} --level {} --seed {}",
        outcome.level, outcome.seed
    )
}

/// What the command that repeats one measurement does not repeat.
pub(super) const REPEAT_NOTE: &str =
    "gives the same estimate; its interval is for a single look at the data, at 95 % unless told otherwise.";

/// The command that repeats one measurement; none where what was simulated is no scenario.
pub(super) fn simulate_command(measured: &MeasuredNumber) -> Option<String> {
    is_scenario(measured).then(|| {
        format!(
            "retrylab simulate scenario.toml --seed {} --replications {}",
            measured.seed, measured.replications
        )
    })
}

/// Whether the description of what was simulated is one scenario in TOML: each has a traffic table, several side by side have
/// several, and prose has none.
fn is_scenario(measured: &MeasuredNumber) -> bool {
    measured
        .scenario
        .lines()
        .filter(|line| line.trim() == "[traffic]")
        .count()
        == 1
}

/// The work behind a measurement.
pub(super) fn effort(measured: &MeasuredNumber) -> String {
    let looks = if measured.looks == 1 { "look" } else { "looks" };
    format!(
        "{} replications, {} {looks} at the data, {} attempts",
        numbers::count(measured.replications),
        measured.looks,
        numbers::count(measured.attempts)
    )
}

/// The confidence of the measured intervals where all of them share one.
pub(super) fn common_confidence(claim: &ClaimOutcome) -> Option<String> {
    let mut all = claim
        .parts
        .iter()
        .filter_map(|part| part.measured.as_ref())
        .map(|measured| numbers::confidence(measured.confidence));
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// What is not as recorded about a claim, such as `inconclusive instead of agrees (2 of 5 numbers)`.
pub(super) fn differences(claim: &ClaimOutcome) -> String {
    let total = claim.parts.len();
    let mut kinds: Vec<((Verdict, Verdict), usize)> = Vec::new();
    for part in claim
        .parts
        .iter()
        .filter(|part| part.verdict != part.recorded_verdict)
    {
        let kind = (part.verdict, part.recorded_verdict);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let words = kinds.into_iter().map(|((verdict, recorded), count)| match total {
        1 => format!("{verdict} instead of {recorded}"),
        _ => format!("{verdict} instead of {recorded} ({count} of {total} numbers)"),
    });
    words.collect::<Vec<_>>().join("; ")
}

//! Sabotage: would a wrong number have been caught?
//!
//! A verdict is worth something only if it changes when what it is about is wrong. Each number of a claim is made wrong
//! in both directions, and judged again under the same seed; the verdict must change.
//!
//! - A closed form that is measured is moved by its detectable error, without the quoted number, so that the simulation
//!   alone has to notice.
//! - A quoted number is moved by one and a half times the width of what it can stand for.
//! - A bound is turned round: what must be at least so much must now be at most so much.
//! - A closed form that is known not to be what the document quotes is replaced by the quoted number; the verdict must
//!   then be that the two agree.

use serde::Serialize;

use crate::claim::{Claim, Criterion, Part};
use crate::level::Level;
use crate::outcome::{Outcome, PartOutcome};
use crate::quote::Quote;
use crate::run::{Job, Plan, Progress, RunError, sample_all};
use crate::sampling::{Versions, part_detectable_error};
use crate::statistics::{Interval, Quoted};
use crate::verdict::Verdict;

/// Widths of what a quoted number can stand for by which it is moved: from any value inside, half a width remains to
/// the moved range.
const QUOTE_WIDTHS: f64 = 1.5;
/// Distance by which a quoted number is moved that stands for a single value: it is a count.
const COUNT_STEP: f64 = 1.0;

/// What sabotage found.
#[derive(Debug, Clone, Serialize)]
pub struct Sabotage {
    /// One entry per wrong version of a number.
    pub trials: Vec<Trial>,
    /// The level at which the run sampled.
    pub level: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// Simulated attempts.
    pub attempts: u64,
}

impl Sabotage {
    /// Of the closed forms off by their detectable error, how many were shown to differ, and how many there were.
    #[must_use]
    pub fn shown_to_differ(&self) -> (usize, usize) {
        let shown = |trial: &&Trial| trial.after == Verdict::DoesNotAgree;
        let moved = || self.trials.iter().filter(|trial| trial.detectable);
        (moved().filter(shown).count(), moved().count())
    }

    /// The wrong versions that went unnoticed.
    pub fn unnoticed(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| !trial.noticed)
    }
}

/// One wrong version of a number and what became of its verdict.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// The claim's id.
    pub claim: &'static str,
    /// The number's label.
    pub label: String,
    /// What was made wrong, and by how much.
    pub error: String,
    /// Relative size of the error, where it is one of a closed form other than zero.
    pub relative_error: Option<f64>,
    /// Whether the error is a closed form's detectable error.
    pub detectable: bool,
    /// The verdict without the error, on the same evidence.
    pub before: Verdict,
    /// The verdict with the error.
    pub after: Verdict,
    /// Whether the verdict became what it must: that the two differ, for a closed form off by its detectable error.
    pub noticed: bool,
}

/// A wrong version of a number.
#[derive(Debug)]
struct Wrong {
    part: Part,
    error: String,
    relative_error: Option<f64>,
    detectable: bool,
    before: Verdict,
    /// Whether the wrong version must agree rather than stop agreeing.
    must_agree: bool,
}

/// Judges every number of the claims again with errors planted. `outcome` is that of the same claims without.
///
/// # Errors
/// [`RunError`] when a scenario cannot be simulated, or when `progress` asks for an end.
pub fn sabotage(
    claims: &[Claim],
    outcome: &Outcome,
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<Sabotage, RunError> {
    let mut numbers: Vec<(&'static str, usize, Vec<Wrong>)> = Vec::new();
    for (claim, found) in claims.iter().zip(&outcome.claims) {
        let claim = claim.at_level(plan.level);
        for (index, (part, found)) in claim.parts.iter().zip(&found.parts).enumerate() {
            numbers.push((claim.id, index, wrong_versions(part, found, plan.level)));
        }
    }
    let jobs: Vec<Job> = numbers
        .iter()
        .map(|(claim, index, wrongs)| Job {
            claim,
            index: *index,
            versions: wrongs.iter().map(|wrong| wrong.part.clone()).collect(),
        })
        .collect();
    progress.begin(jobs.len());
    let sampled: Vec<Versions> = sample_all(&jobs, plan, progress)?
        .into_iter()
        .collect::<Option<_>>()
        .ok_or(RunError::Stopped)?;
    let attempts = sampled.iter().map(Versions::attempts).sum();
    let trials = numbers
        .iter()
        .zip(&sampled)
        .flat_map(|((claim, _, wrongs), versions)| {
            wrongs.iter().zip(&versions.0).map(|(wrong, sampled)| {
                let after = sampled.outcome.verdict;
                Trial {
                    claim,
                    label: wrong.part.label.clone(),
                    error: wrong.error.clone(),
                    relative_error: wrong.relative_error,
                    detectable: wrong.detectable,
                    before: wrong.before,
                    after,
                    noticed: if wrong.detectable {
                        after == Verdict::DoesNotAgree
                    } else {
                        (after == Verdict::Agrees) == wrong.must_agree
                    },
                }
            })
        })
        .collect();
    Ok(Sabotage {
        trials,
        level: plan.level.name(),
        seed: plan.seed,
        attempts,
    })
}

/// The wrong versions of a number whose verdict without an error is known.
fn wrong_versions(part: &Part, found: &PartOutcome, level: Level) -> Vec<Wrong> {
    let mut wrongs = Vec::new();
    match (&part.criterion, &part.computed) {
        (Criterion::Equivalence { .. }, Some(computed)) => {
            let distance = part_detectable_error(part, level).unwrap_or_default();
            for sign in [1.0, -1.0] {
                let mut part = Part {
                    quoted: None,
                    ..part.clone()
                };
                shift_computed(&mut part, sign * distance);
                wrongs.push(Wrong {
                    part,
                    error: format!("closed form off by {:+.3e}", sign * distance),
                    relative_error: relative(distance, computed.value),
                    detectable: true,
                    before: found.verdict,
                    must_agree: false,
                });
            }
        }
        (Criterion::AtLeast { bound, reason }, _) => {
            wrongs.push(reversed(
                part,
                found,
                Criterion::AtMost {
                    bound: *bound,
                    reason,
                },
            ));
        }
        (Criterion::AtMost { bound, reason }, _) => {
            wrongs.push(reversed(
                part,
                found,
                Criterion::AtLeast {
                    bound: *bound,
                    reason,
                },
            ));
        }
        (Criterion::Quote | Criterion::Equivalence { .. }, _) => {}
    }
    wrongs.extend(wrong_quotes(part, found, level));
    wrongs
}

/// Wrong versions of what the document says, or of the closed form where the document is known to be wrong.
fn wrong_quotes(part: &Part, found: &PartOutcome, level: Level) -> Vec<Wrong> {
    let (Some(quote), Some(range)) = (&part.quoted, &found.quoted) else {
        return Vec::new();
    };
    let width = range.high - range.low;
    let distance = if width > 0.0 {
        QUOTE_WIDTHS * width
    } else {
        COUNT_STEP
    };
    // With a closed form the measurement has been dealt with; what is quoted is held against the closed form.
    let alone = match &part.computed {
        Some(_) => Part {
            experiment: None,
            criterion: Criterion::Quote,
            ..part.clone()
        },
        None => part.clone(),
    };
    if let (Verdict::NotReproduced, Some(computed)) = (found.verdict, &part.computed) {
        let mut part = alone;
        let error = f64::midpoint(range.low, range.high) - computed.value;
        shift_computed(&mut part, error);
        return vec![Wrong {
            part,
            error: format!("closed form off by {error:+.3e}, which makes it the quoted number"),
            relative_error: relative(error, computed.value),
            detectable: false,
            before: found.verdict,
            must_agree: true,
        }];
    }
    [1.0, -1.0]
        .into_iter()
        .map(|sign| Wrong {
            part: Part {
                quoted: Some(moved(quote, sign * distance, level)),
                ..alone.clone()
            },
            error: format!("quoted number off by {:+.3e}", sign * distance),
            relative_error: None,
            detectable: false,
            before: found.verdict,
            must_agree: false,
        })
        .collect()
}

fn relative(distance: f64, value: f64) -> Option<f64> {
    (value.abs() > 0.0).then(|| distance.abs() / value.abs())
}

fn shift_computed(part: &mut Part, by: f64) {
    if let Some(computed) = &mut part.computed {
        computed.value += by;
    }
}

/// The number with its bound turned round: agreement becomes disagreement and the other way.
fn reversed(part: &Part, found: &PartOutcome, criterion: Criterion) -> Wrong {
    Wrong {
        part: Part {
            criterion,
            ..part.clone()
        },
        error: "bound turned round".to_owned(),
        relative_error: None,
        detectable: false,
        before: found.verdict,
        must_agree: found.verdict != Verdict::Agrees,
    }
}

fn moved(quote: &Quote, by: f64, level: Level) -> Quote {
    let range = quote.at_level(level).0.range();
    let range = Interval::certain(range.low() + by, range.high() + by).expect("a moved range stays in order");
    Quote {
        number: Quoted::words(quote.number.text(), range),
        runs: None,
        ..quote.clone()
    }
}

#[cfg(test)]
mod tests {
    use retrylab_sim::calls::Calls;

    use super::*;
    use crate::experiment::{Estimator, Experiment};
    use crate::outcome::{ComputedNumber, QuotedNumber};
    use crate::quote::Runs;
    use crate::statistics::Margin;

    fn experiment() -> Experiment {
        Experiment::calls(Calls::new(0.5, 0).unwrap(), "loss", Estimator::Ratio, |_| {
            (1.0, 2.0)
        })
    }

    fn formula(value: f64) -> Part {
        Part::new("x").computed(ComputedNumber::arithmetic(value, "made up"))
    }

    /// What was found of a number whose verdict is known.
    fn found(part: &Part, verdict: Verdict, level: Level) -> PartOutcome {
        let quoted = part.quoted.as_ref().map(|quote| {
            let (number, reason) = quote.at_level(level);
            QuotedNumber {
                text: number.text().to_owned(),
                low: number.range().low(),
                high: number.range().high(),
                range_reason: reason,
            }
        });
        PartOutcome {
            label: part.label.clone(),
            verdict,
            recorded_verdict: verdict,
            quoted,
            computed: part.computed.clone(),
            measured: None,
            criterion: String::new(),
            detectable_error: None,
        }
    }

    fn wrongs(part: &Part, level: Level) -> Vec<Wrong> {
        wrong_versions(part, &found(part, Verdict::Agrees, level), level)
    }

    fn assert_near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    }

    #[test]
    fn a_measured_closed_form_moves_by_its_detectable_error_and_its_quote_by_its_width() {
        let part = formula(2.0)
            .equivalent(experiment(), Margin::Absolute(0.1), "made up")
            .quoted(Quote::printed("2.0"));
        let wrongs = wrongs(&part, Level::Standard);
        assert_eq!(wrongs.len(), 4);
        for (wrong, sign, words) in [
            (&wrongs[0], 1.0, "closed form off by +1.500e-1"),
            (&wrongs[1], -1.0, "closed form off by -1.500e-1"),
        ] {
            assert_near(wrong.part.computed.as_ref().unwrap().value, 2.0 + sign * 0.15);
            assert!(wrong.part.quoted.is_none() && wrong.part.experiment.is_some() && wrong.detectable);
            assert_near(wrong.relative_error.unwrap(), 0.075);
            assert_eq!(wrong.error, words);
        }
        // "2.0" stands for 1.95 to 2.05; it is held against the closed form alone.
        for (wrong, sign, words) in [
            (&wrongs[2], 1.0, "quoted number off by +1.500e-1"),
            (&wrongs[3], -1.0, "quoted number off by -1.500e-1"),
        ] {
            let range = wrong.part.quoted.as_ref().unwrap().number.range();
            assert_near(range.low(), 1.95 + sign * 0.15);
            assert_near(range.high(), 2.05 + sign * 0.15);
            assert!(wrong.part.experiment.is_none() && wrong.part.criterion == Criterion::Quote);
            assert!(wrong.relative_error.is_none() && !wrong.detectable);
            assert_eq!(wrong.error, words);
        }
    }

    #[test]
    fn an_error_of_a_closed_form_of_zero_has_no_relative_size() {
        let zero = formula(0.0).equivalent(experiment(), Margin::Absolute(0.1), "made up");
        assert!(
            wrongs(&zero, Level::Standard)
                .iter()
                .all(|wrong| wrong.relative_error.is_none())
        );
        let below = formula(-2.0).equivalent(experiment(), Margin::Absolute(0.1), "made up");
        assert_near(wrongs(&below, Level::Standard)[0].relative_error.unwrap(), 0.075);
    }

    #[test]
    fn a_count_moves_by_one_and_words_for_runs_by_the_width_that_they_have_at_the_level() {
        let count = formula(3.0).quoted(Quote::range("three", 3.0, 3.0, "a count"));
        let ends = |part: &Part, level| -> Vec<f64> {
            let wrongs = wrongs(part, level);
            assert!(
                wrongs
                    .iter()
                    .all(|wrong| wrong.part.quoted.as_ref().unwrap().runs.is_none())
            );
            let low = |wrong: &Wrong| wrong.part.quoted.as_ref().unwrap().number.range().low();
            wrongs.iter().map(low).collect()
        };
        assert_eq!(ends(&count, Level::Standard), [4.0, 2.0]);
        let never = Part::new("x")
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(experiment());
        for (level, distance) in [(Level::Standard, 0.15), (Level::Quick, 0.6)] {
            for (end, sign) in ends(&never, level).into_iter().zip([1.0, -1.0]) {
                assert_near(end, sign * distance);
            }
        }
    }

    #[test]
    fn what_went_unnoticed_and_what_was_shown_to_differ_are_counted() {
        let trial = |detectable, after, noticed| Trial {
            claim: "X01",
            label: format!("{after} {noticed}"),
            error: String::new(),
            relative_error: None,
            detectable,
            before: Verdict::Agrees,
            after,
            noticed,
        };
        let sabotage = Sabotage {
            trials: vec![
                trial(true, Verdict::DoesNotAgree, true),
                trial(true, Verdict::DoesNotAgree, true),
                trial(true, Verdict::Inconclusive, false),
                trial(false, Verdict::DoesNotAgree, true),
                trial(false, Verdict::Agrees, false),
            ],
            level: "quick",
            seed: 1,
            attempts: 0,
        };
        assert_eq!(sabotage.shown_to_differ(), (2, 3));
        let unnoticed: Vec<&str> = sabotage.unnoticed().map(|trial| trial.label.as_str()).collect();
        assert_eq!(unnoticed, ["inconclusive false", "agrees false"]);
    }
}

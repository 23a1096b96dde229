//! How often verdicts and intervals err, measured under fresh seeds.

mod cases;
mod coverage;

use rayon::prelude::*;
use serde::Serialize;

use coverage::Case;
pub use coverage::Coverage;

use crate::claim::Claim;
use crate::outcome::Outcome;
use crate::run::{Plan, Progress, RunError, Silent, experiment_seed, run};
use crate::statistics::{ErrorRate, StatisticsError, Successes, bonferroni};
use crate::verdict::Verdict;

/// Error rate of the study itself: with that probability at most does it report a failure of methods that hold.
const STUDY_ERROR: f64 = 1e-3;

/// What whole runs and single intervals did under fresh seeds.
#[derive(Debug, Clone, Serialize)]
pub struct Calibration {
    /// The level of the runs.
    pub level: &'static str,
    /// The seed from which every other seed of the study was derived.
    pub seed: u64,
    /// The whole runs.
    pub runs: Runs,
    /// Nominal against observed coverage of every interval that verdicts rest on.
    pub coverage: Vec<Coverage>,
}

impl Calibration {
    /// Whether false alarms and misses are compatible with what is stated.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.runs.false_alarms.low <= self.runs.family_error
            && self.coverage.iter().all(|coverage| coverage.holds)
    }
}

/// What whole runs did under fresh seeds.
#[derive(Debug, Clone, Serialize)]
pub struct Runs {
    /// The probability with which a run may raise any false alarm.
    pub family_error: f64,
    /// Runs that raised a false alarm: some verdict was neither the recorded one nor inconclusive.
    pub false_alarms: Rate,
    /// Verdicts, over all numbers of all runs, that were neither the recorded one nor inconclusive.
    pub false_verdicts: Rate,
    /// Runs in which some number with another recorded verdict stayed inconclusive.
    pub inconclusive: Rate,
    /// Where the false alarms were.
    pub alarms: Vec<Alarm>,
    /// Simulated attempts.
    pub attempts: u64,
}

/// A relative frequency with its exact interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// How often it happened.
    pub count: u64,
    /// In how many trials.
    pub trials: u64,
    /// Lower end of the Clopper–Pearson interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence of the interval.
    pub confidence: f64,
}

impl Rate {
    fn new(count: u64, trials: u64, alpha: ErrorRate) -> Result<Self, StatisticsError> {
        let interval = Successes::new(count, trials)?.clopper_pearson(alpha)?;
        Ok(Self {
            count,
            trials,
            low: interval.low(),
            high: interval.high(),
            confidence: alpha.confidence(),
        })
    }
}

/// A false alarm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// The claim's id.
    pub claim: &'static str,
    /// The number's label.
    pub label: String,
    /// The verdict that it is known to have.
    pub recorded: Verdict,
    /// The verdict that it was given.
    pub found: Verdict,
    /// The seed of the run.
    pub seed: u64,
}

/// What is kept of one whole run.
struct Kept {
    alarms: Vec<Alarm>,
    inconclusive: bool,
    verdicts: u64,
    attempts: u64,
}

/// Repeats whole runs of the claims under `runs` fresh seeds, and measures the coverage of every interval method.
///
/// # Errors
/// [`RunError`] when a scenario cannot be simulated, or for no runs.
pub fn calibrate(
    claims: &[Claim],
    plan: &Plan,
    runs: u64,
    progress: &dyn Progress,
) -> Result<Calibration, RunError> {
    study(&cases::all(), claims, plan, runs, progress)
}

fn study(
    cases: &[Case],
    claims: &[Claim],
    plan: &Plan,
    runs: u64,
    progress: &dyn Progress,
) -> Result<Calibration, RunError> {
    progress.begin(runs as usize + cases.len());
    // The rate of false alarms and each coverage share the error of the study.
    let intervals: usize = cases.iter().map(|case| case.errors.len()).sum();
    let alpha = bonferroni(ErrorRate::new(STUDY_ERROR)?, intervals as u32 + 1)?;
    let runs = whole_runs(claims, plan, runs, alpha, progress)?;
    let coverage = cases
        .par_iter()
        .enumerate()
        .map(|(index, case)| {
            let seed = experiment_seed(plan.seed, "coverage", index);
            let coverage = case.coverage(seed, alpha)?;
            progress.step(case.quantity);
            Ok(coverage)
        })
        .collect::<Result<Vec<_>, RunError>>()?
        .concat();
    Ok(Calibration {
        level: plan.level.name(),
        seed: plan.seed,
        runs,
        coverage,
    })
}

fn whole_runs(
    claims: &[Claim],
    plan: &Plan,
    runs: u64,
    alpha: ErrorRate,
    progress: &dyn Progress,
) -> Result<Runs, RunError> {
    let kept: Vec<Kept> = (0..runs)
        .into_par_iter()
        .map(|index| {
            let seed = experiment_seed(plan.seed, "calibration", index as usize);
            let outcome = run(claims, &Plan { seed, ..plan.clone() }, &Silent)?;
            progress.step("whole runs");
            Ok(keep(&outcome))
        })
        .collect::<Result<_, RunError>>()?;
    let count = |counted: fn(&Kept) -> bool| kept.iter().filter(|run| counted(run)).count() as u64;
    let alarms: Vec<Alarm> = kept.iter().flat_map(|run| run.alarms.iter().cloned()).collect();
    let verdicts = kept.iter().map(|run| run.verdicts).sum();
    Ok(Runs {
        family_error: plan.family_error,
        false_alarms: Rate::new(count(|run| !run.alarms.is_empty()), runs, alpha)?,
        false_verdicts: Rate::new(alarms.len() as u64, verdicts, alpha)?,
        inconclusive: Rate::new(count(|run| run.inconclusive), runs, alpha)?,
        alarms,
        attempts: kept.iter().map(|run| run.attempts).sum(),
    })
}

fn keep(outcome: &Outcome) -> Kept {
    let parts = || {
        outcome
            .claims
            .iter()
            .flat_map(|claim| claim.parts.iter().map(move |part| (claim.id, part)))
            .filter(|(_, part)| part.measured.is_some())
    };
    let differs = || parts().filter(|(_, part)| part.verdict != part.recorded_verdict);
    Kept {
        alarms: differs()
            .filter(|(_, part)| part.verdict != Verdict::Inconclusive)
            .map(|(claim, part)| Alarm {
                claim,
                label: part.label.clone(),
                recorded: part.recorded_verdict,
                found: part.verdict,
                seed: outcome.seed,
            })
            .collect(),
        inconclusive: differs().any(|(_, part)| part.verdict == Verdict::Inconclusive),
        verdicts: parts().count() as u64,
        attempts: outcome.attempts,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::coverage::Design;
    use super::*;
    use crate::claim::Part;
    use crate::document::Document;
    use crate::experiment::{Estimator, Experiment};
    use crate::level::Level;

    fn alpha() -> ErrorRate {
        ErrorRate::new(1e-4).unwrap()
    }

    fn loss() -> Experiment {
        let calls = retrylab_sim::calls::Calls::new(0.5, 0)
            .and_then(|calls| calls.with_requests(200))
            .unwrap();
        Experiment::calls(calls, "loss", Estimator::Ratio, |record| {
            (
                (record.requests() - record.successes()) as f64,
                record.requests() as f64,
            )
        })
    }

    fn claim(part: Part) -> Claim {
        Claim::new("X01", Document::Lesson, "Made up.").part(part)
    }

    fn plan() -> Plan {
        Plan {
            level: Level::Quick,
            numbers: 1,
            ..Plan::default()
        }
    }

    fn runs_of(part: Part) -> Runs {
        whole_runs(&[claim(part)], &plan(), 12, alpha(), &Silent).unwrap()
    }

    #[test]
    fn an_inconclusive_verdict_is_no_alarm_and_is_counted_apart() {
        let right = claim(Part::new("x").at_least(loss(), 0.4, "made up"));
        let mut outcome = run(&[right], &plan(), &Silent).unwrap();
        let kept = keep(&outcome);
        assert!(kept.alarms.is_empty() && !kept.inconclusive);
        outcome.claims[0].parts[0].verdict = Verdict::Inconclusive;
        let kept = keep(&outcome);
        assert!(kept.alarms.is_empty() && kept.inconclusive);
        outcome.claims[0].parts[0].verdict = Verdict::NotReproduced;
        let kept = keep(&outcome);
        assert!(kept.alarms.len() == 1 && !kept.inconclusive);
    }

    #[test]
    fn whole_runs_and_intervals_share_the_error_of_the_study_and_all_of_them_are_announced() {
        #[derive(Default)]
        struct Count(Mutex<(usize, usize)>);
        impl Progress for Count {
            fn begin(&self, steps: usize) {
                self.0.lock().unwrap().0 = steps;
            }
            fn step(&self, _: &str) {
                self.0.lock().unwrap().1 += 1;
            }
        }
        let case = Case {
            experiment: loss(),
            quantity: "loss",
            truth: 0.5,
            design: Design::Fixed(24),
            errors: vec![0.05, 0.01],
            samples: 20,
        };
        let count = Count::default();
        let right = claim(Part::new("x").at_least(loss(), 0.4, "made up"));
        let found = study(&[case.clone(), case], &[right], &plan(), 3, &count).unwrap();
        assert_eq!(*count.0.lock().unwrap(), (5, 5));
        // Two error rates of each of two cases, and the rate of false alarms.
        let confidence = 1.0 - STUDY_ERROR / 5.0;
        assert_eq!(found.coverage.len(), 4);
        let rates = found.coverage.iter().map(|coverage| coverage.misses);
        for rate in rates.chain([found.runs.false_alarms]) {
            assert!((rate.confidence - confidence).abs() < 1e-12, "{rate:?}");
        }
    }

    #[test]
    fn runs_with_a_verdict_that_is_not_the_recorded_one_are_counted() {
        let right = runs_of(Part::new("x").at_least(loss(), 0.4, "made up"));
        assert_eq!((right.false_alarms.count, right.false_alarms.trials), (0, 12));
        assert_eq!(right.inconclusive.count, 0);
        assert!(right.attempts > 12 * 12 * 200);
        let wrong = runs_of(Part::new("x").at_least(loss(), 0.6, "made up"));
        assert_eq!((wrong.false_alarms.count, wrong.alarms.len()), (12, 12));
        assert_eq!(wrong.alarms[0].found, Verdict::NotReproduced);
        let mut seeds: Vec<u64> = wrong.alarms.iter().map(|alarm| alarm.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 12, "every run has a seed of its own");
    }

    #[test]
    fn a_study_holds_only_if_alarms_and_coverage_do() {
        let study = |part: Part, holds| {
            let case = Case {
                experiment: loss(),
                quantity: "loss",
                truth: 0.5,
                design: Design::Fixed(24),
                errors: vec![0.05],
                samples: 20,
            };
            let mut coverage = case.coverage(1, alpha()).unwrap();
            coverage[0].holds = holds;
            Calibration {
                level: "quick",
                seed: 1,
                runs: runs_of(part),
                coverage,
            }
        };
        let right = || Part::new("x").at_least(loss(), 0.4, "made up");
        let wrong = || Part::new("x").at_least(loss(), 0.6, "made up");
        assert!(study(right(), true).holds());
        assert!(!study(right(), false).holds());
        assert!(!study(wrong(), true).holds());
    }

    #[test]
    fn a_known_answer_is_covered_and_another_is_missed() {
        for design in [Design::Fixed(24), Design::Sequential { first: 24, looks: 3 }] {
            let case = |truth| Case {
                experiment: loss(),
                quantity: "loss",
                truth,
                design,
                errors: vec![0.05, 0.001],
                samples: 500,
            };
            let covered = case(0.5).coverage(1, alpha()).unwrap();
            assert!(covered.iter().all(|coverage| coverage.holds), "{covered:?}");
            let (looks, replications) = match design {
                Design::Fixed(_) => (1, 24),
                Design::Sequential { .. } => (3, 54),
            };
            assert_eq!((covered[0].looks, covered[0].replications), (looks, replications));
            assert!(covered[0].misses.count > 0 && covered[0].misses.count >= covered[1].misses.count);
            // One and a half standard errors away: missed by about a third of the intervals at 0.05.
            let missed = case(0.511).coverage(1, alpha()).unwrap();
            assert!(!missed[0].holds, "{missed:?}");
        }
    }
}

//! How often verdicts and intervals err, measured under fresh seeds.

mod cases;
mod coverage;

use rayon::prelude::*;
use serde::Serialize;

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
    /// Nominal against observed coverage of every interval that verdicts rest on.
    pub coverage: Vec<Coverage>,
    /// Simulated attempts of the runs.
    pub attempts: u64,
}

impl Calibration {
    /// Whether false alarms and misses are compatible with what is stated.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.false_alarms.low <= self.family_error && self.coverage.iter().all(|coverage| coverage.holds)
    }
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
    let cases = cases::all();
    progress.begin(runs as usize + cases.len());
    let kept: Vec<Kept> = (0..runs)
        .into_par_iter()
        .map(|index| {
            let seed = experiment_seed(plan.seed, "calibration", index as usize);
            let outcome = run(claims, &Plan { seed, ..plan.clone() }, &Silent)?;
            progress.step("run");
            Ok(keep(&outcome))
        })
        .collect::<Result<_, RunError>>()?;
    // The rate of false alarms and each coverage share the error of the study.
    let intervals: usize = cases.iter().map(|case| case.errors.len()).sum();
    let alpha = bonferroni(ErrorRate::new(STUDY_ERROR)?, intervals as u32 + 1)?;
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
    let count = |counted: fn(&Kept) -> bool| kept.iter().filter(|run| counted(run)).count() as u64;
    let alarms: Vec<Alarm> = kept.iter().flat_map(|run| run.alarms.iter().cloned()).collect();
    let verdicts = kept.iter().map(|run| run.verdicts).sum();
    Ok(Calibration {
        level: plan.level.name(),
        seed: plan.seed,
        family_error: plan.family_error,
        false_alarms: Rate::new(count(|run| !run.alarms.is_empty()), runs, alpha)?,
        false_verdicts: Rate::new(alarms.len() as u64, verdicts, alpha)?,
        inconclusive: Rate::new(count(|run| run.inconclusive), runs, alpha)?,
        alarms,
        coverage,
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

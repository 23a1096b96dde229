//! Running claims: seeds, parallel work and the split of the error rate.

use rayon::prelude::*;
use retrylab_sim::Fault;

use crate::claim::{Claim, Part};
use crate::level::Level;
use crate::outcome::{ClaimOutcome, Outcome};
use crate::sampling::{MeasurementError, Sampled, Versions, sample_versions, step_down};
use crate::statistics::{ErrorRate, StatisticsError, bonferroni};

/// What a run of the checks is asked to do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How much evidence is gathered.
    pub level: Level,
    /// Seed of the run; every experiment derives its own from it.
    pub seed: u64,
    /// Probability that a run of all claims raises any false alarm.
    pub family_error: f64,
    /// Measured numbers that share that probability: those of all claims, so that a claim run alone gives the same
    /// evidence as among the others.
    pub numbers: u32,
    /// A fault planted in the simulator, to see which claims notice; none in earnest.
    pub fault: Option<Fault>,
}

impl Default for Plan {
    fn default() -> Self {
        let numbers = crate::claims::all()
            .iter()
            .flat_map(|claim| &claim.parts)
            .filter(|part| part.experiment.is_some())
            .count();
        Self {
            level: Level::Standard,
            seed: 1,
            family_error: 1e-3,
            numbers: u32::try_from(numbers).unwrap_or(u32::MAX),
            fault: None,
        }
    }
}

/// Is told how a run advances, from any thread.
pub trait Progress: Sync {
    /// The run begins; it has so many steps.
    fn begin(&self, steps: usize) {
        let _ = steps;
    }

    /// One step is done; it belongs to what `label` names.
    fn step(&self, label: &str) {
        let _ = label;
    }

    /// Whether the run should end with the claims that are decided; asked before each look at a number.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A number could not be measured.
    #[error("{claim}, {part}: {source}")]
    Measurement {
        /// The claim's id.
        claim: &'static str,
        /// The number's label.
        part: String,
        /// What went wrong.
        source: MeasurementError,
    },
    /// A case of the study of coverage could not be measured.
    #[error(transparent)]
    Coverage(#[from] MeasurementError),
    /// The plan's error rate is no probability, or shared by no number.
    #[error(transparent)]
    Plan(#[from] StatisticsError),
    /// The run was stopped, and what it has is of no use without the rest.
    #[error("stopped before there was a complete result")]
    Stopped,
}

/// Runs claims and judges them, each with the numbers that are checked at the plan's level.
///
/// Work is spread over rayon's current thread pool; the outcome is the same for any number of threads, because every
/// experiment has a seed of its own and decides on its own data alone. When `progress` asks for an end, the outcome has
/// the claims of which every number is decided, with the verdicts that they would have in a run of them alone.
///
/// # Errors
/// [`RunError`] when a scenario cannot be simulated.
pub fn run(claims: &[Claim], plan: &Plan, progress: &dyn Progress) -> Result<Outcome, RunError> {
    let claims: Vec<Claim> = claims.iter().map(|claim| claim.at_level(plan.level)).collect();
    let jobs: Vec<Job> = claims
        .iter()
        .flat_map(|claim| {
            claim.parts.iter().enumerate().map(|(index, part)| Job {
                claim: claim.id,
                index,
                versions: vec![part.clone()],
            })
        })
        .collect();
    progress.begin(jobs.len());
    let mut sampled = sample_all(&jobs, plan, progress)?.into_iter();
    let mut finished: Vec<&Claim> = Vec::new();
    let mut unfinished = Vec::new();
    let mut decided: Vec<Versions> = Vec::new();
    for claim in &claims {
        let of_claim: Vec<Option<Versions>> = sampled.by_ref().take(claim.parts.len()).collect();
        match of_claim.into_iter().collect::<Option<Vec<Versions>>>() {
            Some(versions) => {
                finished.push(claim);
                decided.extend(versions);
            }
            None => unfinished.push(claim.id),
        }
    }
    let attempts = decided.iter().map(Versions::attempts).sum();
    let parts: Vec<&Part> = finished.iter().flat_map(|claim| &claim.parts).collect();
    let mut sampled: Vec<Sampled> = decided.into_iter().flat_map(|versions| versions.0).collect();
    let family = ErrorRate::new(plan.family_error)?;
    step_down(&parts, &mut sampled, family, plan.numbers, plan.level)?;
    let mut outcomes = sampled.into_iter().map(|sampled| sampled.outcome);
    let claims = finished
        .into_iter()
        .map(|claim| ClaimOutcome {
            id: claim.id,
            document: claim.document,
            statement: claim.statement,
            remarks: claim.remarks.clone(),
            open_parameters: claim.open_parameters.clone(),
            beyond: claim.beyond.clone(),
            parts: outcomes.by_ref().take(claim.parts.len()).collect(),
        })
        .collect();
    Ok(Outcome {
        claims,
        unfinished,
        level: plan.level.name(),
        seed: plan.seed,
        family_error: plan.family_error,
        attempts,
    })
}

/// One number to be judged, and where it belongs.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The claim's id.
    pub(crate) claim: &'static str,
    /// The number's place in its claim.
    pub(crate) index: usize,
    /// The number, or several versions of it that share their replications.
    pub(crate) versions: Vec<Part>,
}

/// Judges numbers in parallel; what is found comes in their order, `None` for those that were not decided before an end
/// was asked for.
///
/// # Errors
/// [`RunError`] when a scenario cannot be simulated.
pub(crate) fn sample_all(
    jobs: &[Job],
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<Vec<Option<Versions>>, RunError> {
    // Each number may err with an equal share of the family's probability.
    let alpha = bonferroni(ErrorRate::new(plan.family_error)?, plan.numbers)?;
    jobs.par_iter()
        .map(|job| {
            let seed = experiment_seed(plan.seed, job.claim, job.index);
            let should_stop = &|| progress.should_stop();
            let sampled = sample_versions(&job.versions, seed, alpha, plan, should_stop).map_err(|source| {
                RunError::Measurement {
                    claim: job.claim,
                    part: job.versions[0].label.clone(),
                    source,
                }
            });
            progress.step(job.claim);
            sampled
        })
        .collect()
}

/// The seed of one experiment: the run's seed mixed with the claim's id and the number's place in it.
///
/// It has 53 bits, so that it survives JSON readers that hold every number as a double.
pub(crate) fn experiment_seed(seed: u64, id: &str, index: usize) -> u64 {
    // FNV-1a over the bytes, then the finaliser of SplitMix64 so that close inputs give unrelated seeds.
    let bytes = id.bytes().chain(index.to_le_bytes()).chain(seed.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_between_numbers_claims_and_runs() {
        let mut seeds: Vec<u64> = (0..100)
            .flat_map(|index| ["T01", "T10"].map(|id| [1, 2].map(|seed| experiment_seed(seed, id, index))))
            .flatten()
            .collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 400);
    }

    /// FNV-1a and the finaliser of `SplitMix64` in Python. Other seeds would be other evidence than what is recorded.
    #[test]
    fn seeds_are_those_of_the_recorded_evidence() {
        assert_eq!(experiment_seed(1, "T01", 0), 2_871_112_906_082_077);
        assert_eq!(experiment_seed(7, "coverage", 3), 1_860_128_729_730_269);
    }
}

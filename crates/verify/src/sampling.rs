//! Sampling one number until it is decided.
//!
//! Replications are added in batches that grow geometrically. After each batch the interval is looked at; look j may
//! err with probability α/(j(j + 1)), which sums to α however many looks there are, so stopping when the number is
//! decided costs nothing. A number that is not decided within the level's budget is inconclusive.

use retrylab_sim::SimulationError;

use crate::claim::{AuthorSample, Criterion, Part, Quote};
use crate::estimator::{Estimate, Sample};
use crate::experiment::Experiment;
use crate::level::Level;
use crate::outcome::{MeasuredNumber, PartOutcome, QuotedNumber};
use crate::report::numbers::number;
use crate::sabotage::detectable_error;
use crate::statistics::{
    Batches, Decision, ErrorRate, Interval, Margin, Quoted, Region, Reproduction, Spending, StatisticsError,
};
use crate::verdict::Verdict;

/// Replications before the first look.
const FIRST_BATCH: u32 = 24;
/// Growth of the sample from look to look.
const GROWTH: f64 = 1.5;
/// Replications whose records are held at once.
const CHUNK: u64 = 64;
/// Probability with which an author's own sampling error may exceed what the quoted number's range allows for it.
const AUTHOR_ERROR: f64 = 1e-3;

/// What sampling gave, and what it cost.
#[derive(Debug)]
pub(crate) struct Sampled {
    pub(crate) outcome: PartOutcome,
    pub(crate) attempts: u64,
}

/// Why an experiment gives no estimate.
#[derive(Debug, thiserror::Error)]
pub enum MeasurementError {
    /// The scenario cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The observations allow no estimate.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

/// The estimate from a fixed number of replications.
///
/// # Errors
/// [`MeasurementError`] when the scenario cannot be simulated or the observations allow no estimate.
pub(crate) fn estimate(
    experiment: &Experiment,
    seed: u64,
    replications: u64,
    alpha: f64,
) -> Result<Estimate, MeasurementError> {
    let mut sample = Sample::new(experiment.estimator)?;
    extend(&mut sample, experiment, seed, 0, replications)?;
    match sample.estimate(ErrorRate::new(alpha)?) {
        // Replications that all agree have no spread: a point without an interval.
        Err(StatisticsError::NoVariation { value }) => Ok(Estimate {
            value,
            interval: Interval::exact(value)?,
        }),
        other => Ok(other?),
    }
}

/// Adds the replications from `from` up to `to` and returns the attempts that they simulated.
fn extend(
    sample: &mut Sample,
    experiment: &Experiment,
    seed: u64,
    from: u64,
    to: u64,
) -> Result<u64, MeasurementError> {
    let mut attempts = 0;
    let mut start = from;
    while start < to {
        let end = to.min(start + CHUNK);
        for observed in experiment.observe(seed, start..end)? {
            sample.push(&observed)?;
            attempts += observed.attempts;
        }
        start = end;
    }
    Ok(attempts)
}

/// Measures and judges one number.
///
/// # Errors
/// [`MeasurementError`] when the scenario cannot be simulated or a criterion makes no sense.
pub(crate) fn sample(
    part: &Part,
    seed: u64,
    alpha: ErrorRate,
    level: Level,
) -> Result<Sampled, MeasurementError> {
    let Some(experiment) = &part.experiment else {
        let judged = Judged::new(part, None, None, level)?;
        return Ok(Sampled {
            outcome: judged.outcome(part, level, None),
            attempts: 0,
        });
    };
    let spending = Spending::new(alpha);
    let batches = Batches::new(FIRST_BATCH, GROWTH)?;
    let mut sample = Sample::new(experiment.estimator)?;
    let (mut attempts, mut done, mut look) = (0, 0, 0);
    loop {
        look += 1;
        let total = batches.total_after(look);
        attempts += extend(&mut sample, experiment, seed, done, total)?;
        done = total;
        let estimate = match sample.estimate(spending.at_look(look)) {
            Ok(estimate) => Some(estimate),
            // Not enough to say anything yet; the next look may.
            Err(
                StatisticsError::NoVariation { .. }
                | StatisticsError::TooFewObservations { .. }
                | StatisticsError::DenominatorNotSeparated { .. },
            ) => None,
            Err(error) => return Err(error.into()),
        };
        let judged = Judged::new(part, estimate.as_ref(), sample.standard_deviation(), level)?;
        let next = batches.total_after(look + 1);
        // The next batch would cost what this sample cost, in proportion.
        let affordable = attempts as f64 * next as f64 / done as f64 <= level.attempts_max() as f64;
        if judged.is_decided() || !affordable {
            let measured = estimate.map(|estimate| MeasuredNumber {
                estimate: estimate.value,
                low: estimate.interval.low(),
                high: estimate.interval.high(),
                confidence: alpha.confidence(),
                method: format!("{}: {}", experiment.statistic, sample.method()),
                replications: done,
                looks: look,
                attempts,
                seed,
                scenario: experiment.subject.clone(),
            });
            return Ok(Sampled {
                outcome: judged.outcome(part, level, measured),
                attempts,
            });
        }
    }
}

/// What the evidence so far says about a number.
#[derive(Debug)]
struct Judged {
    /// Against the closed form or the bound; none where there is neither.
    criterion: Option<Decision>,
    /// What a failed criterion means: two roads that differ, or a statement of the document that is wrong.
    when_different: Verdict,
    /// Against the quoted number; none where there is none.
    reproduction: Option<Reproduction>,
    /// The quoted number, widened by its author's sampling error.
    quoted: Option<QuotedNumber>,
}

impl Judged {
    fn new(
        part: &Part,
        estimate: Option<&Estimate>,
        standard_deviation: Option<f64>,
        level: Level,
    ) -> Result<Self, StatisticsError> {
        let interval = estimate.map(|estimate| estimate.interval);
        let criterion = region(part, level)?
            .map(|region| interval.map_or(Decision::Undecided, |interval| region.judge(&interval)));
        let when_different = match part.criterion {
            Criterion::Equivalence { .. } | Criterion::Quote => Verdict::DoesNotAgree,
            Criterion::AtLeast { .. } | Criterion::AtMost { .. } => Verdict::NotReproduced,
        };
        let mut judged = Self {
            criterion,
            when_different,
            reproduction: None,
            quoted: None,
        };
        if let Some(quote) = &part.quoted {
            let (number, reason) = widened(quote, standard_deviation)?;
            // The closed form, once the measurement confirms it, is exact; without one the measurement has to do.
            let evidence = match &part.computed {
                Some(computed) => Some(Interval::exact(computed.value)?),
                None => interval,
            };
            judged.reproduction = Some(evidence.map_or(Reproduction::Undecided, |evidence| {
                number.reproduced_by(&evidence)
            }));
            judged.quoted = Some(QuotedNumber {
                text: number.text().to_owned(),
                low: number.range().low(),
                high: number.range().high(),
                range_reason: reason,
            });
        }
        Ok(judged)
    }

    fn is_decided(&self) -> bool {
        self.criterion != Some(Decision::Undecided) && self.reproduction != Some(Reproduction::Undecided)
    }

    fn verdict(&self) -> Verdict {
        let criterion = match self.criterion {
            None | Some(Decision::Equivalent) => Verdict::Agrees,
            Some(Decision::Undecided) => Verdict::Inconclusive,
            Some(Decision::Different) => self.when_different,
        };
        let reproduction = match self.reproduction {
            None | Some(Reproduction::Reproduced) => Verdict::Agrees,
            Some(Reproduction::Undecided) => Verdict::Inconclusive,
            Some(Reproduction::NotReproduced) => Verdict::NotReproduced,
        };
        Verdict::worst([criterion, reproduction])
    }

    fn outcome(self, part: &Part, level: Level, measured: Option<MeasuredNumber>) -> PartOutcome {
        PartOutcome {
            label: part.label.clone(),
            verdict: self.verdict(),
            recorded_verdict: part.recorded,
            criterion: criterion_words(part, level),
            quoted: self.quoted,
            computed: part.computed.clone(),
            measured,
        }
    }
}

/// The quoted number with its author's sampling error, and why its range is that wide.
fn widened(quote: &Quote, standard_deviation: Option<f64>) -> Result<(Quoted, String), StatisticsError> {
    let number = quote.number.clone();
    let (Some(AuthorSample { runs, span_ratio }), Some(deviation)) = (quote.sample, standard_deviation)
    else {
        return Ok((number, quote.reason.clone()));
    };
    let author_deviation = deviation * span_ratio.sqrt();
    let reason = format!(
        "{}, widened by the sampling error of {runs} runs with the standard deviation of {author_deviation:.2e} a run \
         that we measured",
        quote.reason
    );
    Ok((
        number.sampled(runs, author_deviation, ErrorRate::new(AUTHOR_ERROR)?)?,
        reason,
    ))
}

/// The values that the criterion accepts; none where only the quoted number counts.
fn region(part: &Part, level: Level) -> Result<Option<Region>, StatisticsError> {
    Ok(match (&part.criterion, &part.computed) {
        (Criterion::Quote, _) | (Criterion::Equivalence { .. }, None) => None,
        (Criterion::Equivalence { margin, .. }, Some(computed)) => Some(Region::around(
            &Interval::exact(computed.value)?,
            at_level(*margin, level),
        )?),
        (Criterion::AtLeast { bound, .. }, _) => Some(Region::at_least(*bound)?),
        (Criterion::AtMost { bound, .. }, _) => Some(Region::at_most(*bound)?),
    })
}

pub(crate) fn at_level(margin: Margin, level: Level) -> Margin {
    match margin {
        Margin::Absolute(distance) => Margin::Absolute(distance * level.margin_factor()),
        Margin::Relative(fraction) => Margin::Relative(fraction * level.margin_factor()),
    }
}

/// How the verdict is reached, in words.
fn criterion_words(part: &Part, level: Level) -> String {
    let mut words = match &part.criterion {
        Criterion::Quote => String::new(),
        Criterion::Equivalence {
            margin: stated,
            reason,
        } => {
            let margin = match at_level(*stated, level) {
                Margin::Absolute(distance) => number(distance),
                Margin::Relative(fraction) => format!("{} %", number(100.0 * fraction)),
            };
            let error = part
                .computed
                .as_ref()
                .map_or(0.0, |computed| detectable_error(*stated, computed.value, level));
            format!(
                "measured and computed are equivalent within {margin} ({reason}); a closed form that is off by {error:.2e} is \
                 shown to differ"
            )
        }
        Criterion::AtLeast { bound, reason } => format!("measured is at least {bound} ({reason})"),
        Criterion::AtMost { bound, reason } => format!("measured is at most {bound} ({reason})"),
    };
    if part.quoted.is_some() {
        let evidence = if part.computed.is_some() {
            "the computed number"
        } else {
            "the whole measured interval"
        };
        if !words.is_empty() {
            words.push_str("; ");
        }
        words.push_str(&format!(
            "{evidence} lies in the range that the quoted number stands for"
        ));
    }
    words
}

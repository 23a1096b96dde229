//! What evidence says about a number: against its closed form or bound, and against the quoted number.

use super::sensitivity::{at_level, part_detectable_error};
use super::words::criterion_words;
use crate::claim::{Criterion, Part};
use crate::estimator::Estimate;
use crate::level::Level;
use crate::outcome::{MeasuredNumber, PartOutcome, QuotedNumber};
use crate::quote::{AuthorSample, Quote};
use crate::statistics::{Decision, ErrorRate, Interval, Quoted, Region, Reproduction, StatisticsError};
use crate::verdict::Verdict;

/// Probability with which an author's own sampling error may exceed what the quoted number's range allows for it.
const AUTHOR_ERROR: f64 = 1e-3;

/// What the evidence so far says about a number.
#[derive(Debug)]
pub(super) struct Judged {
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
    pub(super) fn new(
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
            let (number, reason) = widened(quote, level, standard_deviation)?;
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

    pub(super) fn is_decided(&self) -> bool {
        self.criterion != Some(Decision::Undecided) && self.reproduction != Some(Reproduction::Undecided)
    }

    /// Whether the measurement showed what it must (true) or the opposite (false); none while it is undecided.
    ///
    /// A quoted number beside a closed form is no statement about the measurement.
    pub(super) fn is_shown(&self) -> Option<bool> {
        match (self.criterion, self.reproduction) {
            (Some(Decision::Equivalent), _) => Some(true),
            (Some(Decision::Different), _) => Some(false),
            (Some(Decision::Undecided), _) | (None, Some(Reproduction::Undecided)) => None,
            (None, Some(Reproduction::NotReproduced)) => Some(false),
            (None, Some(Reproduction::Reproduced) | None) => Some(true),
        }
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

    pub(super) fn outcome(self, part: &Part, level: Level, measured: Option<MeasuredNumber>) -> PartOutcome {
        PartOutcome {
            label: part.label.clone(),
            verdict: self.verdict(),
            recorded_verdict: part.recorded,
            criterion: criterion_words(part, level),
            detectable_error: part_detectable_error(part, level),
            quoted: self.quoted,
            computed: part.computed.clone(),
            measured,
        }
    }
}

/// The quoted number with its author's sampling error, and why its range is that wide.
fn widened(
    quote: &Quote,
    level: Level,
    standard_deviation: Option<f64>,
) -> Result<(Quoted, String), StatisticsError> {
    let (number, reason) = quote.at_level(level);
    let (Some(AuthorSample { runs, span_ratio }), Some(deviation)) = (quote.sample, standard_deviation)
    else {
        return Ok((number, reason));
    };
    let author_deviation = deviation * span_ratio.sqrt();
    let reason = format!(
        "{reason}, widened by the sampling error of {runs} runs with the standard deviation of {author_deviation:.2e} a \
         run that we measured"
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

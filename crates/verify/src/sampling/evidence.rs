//! The replications behind a number, and what comes of judging it by them.

use retrylab_sim::Fault;

use super::judged::Judged;
use super::sensitivity::would_have_shown;
use super::{MeasurementError, extend};
use crate::claim::Part;
use crate::estimator::{Estimate, Sample};
use crate::experiment::Experiment;
use crate::level::Level;
use crate::outcome::{MeasuredNumber, PartOutcome};
use crate::statistics::{ErrorRate, Spending, StatisticsError};

/// What sampling a number gave, and what it cost.
#[derive(Debug)]
pub(crate) struct Sampled {
    pub(crate) outcome: PartOutcome,
    pub(crate) attempts: u64,
    pub(crate) standing: Standing,
}

/// Where a number stands in the family of statements that share the error rate.
#[derive(Debug)]
pub(crate) enum Standing {
    /// Nothing was measured: no statement that could err.
    Exact,
    /// The measurement showed what it must.
    Shown,
    /// The measurement showed the opposite.
    Refuted,
    /// The measurement showed neither.
    Undecided(Box<Evidence>),
}

impl Sampled {
    /// A number that has no measurement.
    ///
    /// # Errors
    /// [`StatisticsError`] when a criterion makes no sense.
    pub(super) fn without_measurement(part: &Part, level: Level) -> Result<Self, StatisticsError> {
        let judged = Judged::new(part, None, None, level)?;
        Ok(Self {
            outcome: judged.outcome(part, level, None),
            attempts: 0,
            standing: Standing::Exact,
        })
    }
}

/// The replications of one experiment so far.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    experiment: Experiment,
    sample: Sample,
    seed: u64,
    replications: u64,
    pub(super) looks: u32,
    pub(super) attempts: u64,
}

impl Evidence {
    /// No replication yet.
    ///
    /// # Errors
    /// [`StatisticsError`] for an estimator that makes no sense.
    pub(super) fn new(experiment: &Experiment, seed: u64) -> Result<Self, StatisticsError> {
        Ok(Self {
            experiment: experiment.clone(),
            sample: Sample::new(experiment.estimator)?,
            seed,
            replications: 0,
            looks: 0,
            attempts: 0,
        })
    }

    /// Extends the sample to so many replications, for the next look.
    ///
    /// # Errors
    /// [`MeasurementError`] when the scenario cannot be simulated.
    pub(super) fn look_again(&mut self, total: u64, fault: Option<Fault>) -> Result<(), MeasurementError> {
        self.attempts += extend(
            &mut self.sample,
            &self.experiment,
            self.seed,
            self.replications,
            total,
            fault,
        )?;
        self.replications = total;
        self.looks += 1;
        Ok(())
    }

    /// The number's outcome if this look decides it or is the last that it is owed.
    ///
    /// # Errors
    /// [`StatisticsError`] when a criterion makes no sense.
    pub(super) fn decide(
        &self,
        part: &Part,
        alpha: ErrorRate,
        level: Level,
        affordable: bool,
    ) -> Result<Option<Sampled>, StatisticsError> {
        let estimate = self.estimate(alpha)?;
        let deviation = self.sample.standard_deviation();
        let judged = Judged::new(part, estimate.as_ref(), deviation, level)?;
        let enough = || {
            estimate.as_ref().is_some_and(|estimate| {
                let deviation = deviation.unwrap_or(0.0);
                would_have_shown(part, estimate, deviation, self.replications, level)
            })
        };
        if !judged.is_decided() && affordable && !enough() {
            return Ok(None);
        }
        let standing = match judged.is_shown() {
            Some(true) => Standing::Shown,
            Some(false) => Standing::Refuted,
            None => Standing::Undecided(Box::new(self.clone())),
        };
        Ok(Some(Sampled {
            outcome: judged.outcome(
                part,
                level,
                estimate.map(|estimate| self.measured(estimate, alpha)),
            ),
            attempts: self.attempts,
            standing,
        }))
    }

    /// The number's outcome if this evidence shows what it must at another error rate.
    ///
    /// # Errors
    /// [`StatisticsError`] when a criterion makes no sense.
    pub(super) fn shown_at(
        &self,
        part: &Part,
        alpha: ErrorRate,
        level: Level,
    ) -> Result<Option<PartOutcome>, StatisticsError> {
        let estimate = self.estimate(alpha)?;
        let judged = Judged::new(part, estimate.as_ref(), self.sample.standard_deviation(), level)?;
        Ok((judged.is_shown() == Some(true)).then(|| {
            judged.outcome(
                part,
                level,
                estimate.map(|estimate| self.measured(estimate, alpha)),
            )
        }))
    }

    /// The estimate at the latest look, none while the sample says nothing.
    fn estimate(&self, alpha: ErrorRate) -> Result<Option<Estimate>, StatisticsError> {
        self.sample.statement(Spending::new(alpha).at_look(self.looks))
    }

    fn measured(&self, estimate: Estimate, alpha: ErrorRate) -> MeasuredNumber {
        MeasuredNumber {
            estimate: estimate.value,
            low: estimate.interval.low(),
            high: estimate.interval.high(),
            confidence: alpha.confidence(),
            method: format!("{}: {}", self.experiment.statistic, self.sample.method()),
            replications: self.replications,
            looks: self.looks,
            attempts: self.attempts,
            seed: self.seed,
            scenario: self.experiment.subject.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Estimator;
    use crate::sampling::GROWTH;
    use crate::statistics::{Batches, Successes};

    /// A bound exactly at the truth must not be decided, whichever look it is, more often than the error rate allows.
    #[test]
    fn looking_often_costs_no_more_than_the_error_rate() {
        const SAMPLES: u64 = 400;
        let calls = retrylab_sim::calls::Calls::new(0.5, 0)
            .and_then(|calls| calls.with_requests(20))
            .unwrap();
        let experiment = Experiment::calls(calls, "loss", Estimator::Ratio, |record| {
            (
                (record.requests() - record.successes()) as f64,
                record.requests() as f64,
            )
        });
        let part = Part::new("x").at_least(experiment.clone(), 0.5, "made up");
        let (error, batches) = (0.3, Batches::new(24, GROWTH).unwrap());
        let alpha = ErrorRate::new(error).unwrap();
        let decided = (0..SAMPLES).filter(|&seed| {
            let mut evidence = Evidence::new(&experiment, seed).unwrap();
            (1..=12).any(|look| {
                evidence.look_again(batches.total_after(look), None).unwrap();
                evidence
                    .decide(&part, alpha, Level::Standard, true)
                    .unwrap()
                    .is_some()
            })
        });
        let rate = Successes::new(decided.count() as u64, SAMPLES)
            .unwrap()
            .clopper_pearson(ErrorRate::new(1e-3).unwrap())
            .unwrap();
        assert!(
            rate.low() <= error,
            "decided with probability above {}",
            rate.low()
        );
        assert!(
            rate.high() > error / 4.0,
            "looks are worth nothing: below {}",
            rate.high()
        );
    }
}

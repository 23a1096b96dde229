//! Nominal against observed coverage of an interval whose target is known.

use rayon::prelude::*;
use serde::Serialize;

use super::Rate;
use crate::estimator::Sample;
use crate::experiment::Experiment;
use crate::run::experiment_seed;
use crate::sampling::{GROWTH, MeasurementError};
use crate::statistics::{Batches, ErrorRate, Spending, StatisticsError};

/// How many replications an interval is made of, and how often the growing sample is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Design {
    /// One look at so many replications.
    Fixed(u32),
    /// So many looks, from `first` replications on; a miss at any of them counts.
    Sequential { first: u32, looks: u32 },
}

impl Design {
    fn first(self) -> u32 {
        match self {
            Self::Fixed(replications) => replications,
            Self::Sequential { first, .. } => first,
        }
    }

    fn looks(self) -> u32 {
        match self {
            Self::Fixed(_) => 1,
            Self::Sequential { looks, .. } => looks,
        }
    }

    /// The error rate of one look.
    fn at_look(self, error: ErrorRate, look: u32) -> ErrorRate {
        match self {
            Self::Fixed(_) => error,
            Self::Sequential { .. } => Spending::new(error).at_look(look),
        }
    }
}

/// An experiment of which the answer is known, and the intervals formed for it.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) experiment: Experiment,
    /// What is measured, in words.
    pub(super) quantity: &'static str,
    pub(super) truth: f64,
    pub(super) design: Design,
    /// Error rates of the intervals formed of each sample.
    pub(super) errors: Vec<f64>,
    /// Samples drawn.
    pub(super) samples: u64,
}

/// What the intervals of a case did at one error rate.
#[derive(Debug, Clone, Serialize)]
pub struct Coverage {
    /// The interval method.
    pub method: &'static str,
    /// What is measured.
    pub quantity: &'static str,
    /// The known answer.
    pub truth: f64,
    /// Replications behind an interval, the most where the sample grows.
    pub replications: u64,
    /// Looks at the growing sample.
    pub looks: u32,
    /// Error rate that the interval states.
    pub nominal_error: f64,
    /// Samples whose interval, at any look, missed the answer.
    pub misses: Rate,
    /// Samples of which no look said anything, being too skewed for their size: they cannot miss.
    pub silent: u64,
    /// Whether the misses are compatible with an error rate of at most the one stated.
    pub holds: bool,
}

/// What the intervals of one sample said of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// No look allowed an interval.
    Nothing,
    /// Every interval covered it.
    Right,
    /// Some interval missed it.
    Wrong,
}

impl Case {
    /// The interval method.
    pub(super) fn method(&self) -> &'static str {
        Sample::new(self.experiment.estimator).map_or("no method", |sample| sample.method())
    }

    /// Draws the samples and counts the intervals that miss.
    ///
    /// # Errors
    /// [`MeasurementError`] when the experiment cannot be simulated or gives no estimate.
    pub(super) fn coverage(&self, seed: u64, alpha: ErrorRate) -> Result<Vec<Coverage>, MeasurementError> {
        let errors: Vec<ErrorRate> = self
            .errors
            .iter()
            .map(|&error| ErrorRate::new(error))
            .collect::<Result<_, _>>()?;
        let batches = Batches::new(self.design.first(), GROWTH)?;
        let said: Vec<Vec<Said>> = (0..self.samples)
            .into_par_iter()
            .map(|index| self.said(experiment_seed(seed, "sample", index as usize), &errors, &batches))
            .collect::<Result<_, _>>()?;
        let looks = self.design.looks();
        let coverage = self.errors.iter().enumerate().map(|(index, &nominal_error)| {
            let count = |wanted| said.iter().filter(|said| said[index] == wanted).count() as u64;
            let misses = Rate::new(count(Said::Wrong), self.samples, alpha)?;
            Ok(Coverage {
                method: self.method(),
                quantity: self.quantity,
                truth: self.truth,
                replications: batches.total_after(looks),
                looks,
                nominal_error,
                misses,
                silent: count(Said::Nothing),
                holds: misses.low <= nominal_error,
            })
        });
        coverage
            .collect::<Result<_, StatisticsError>>()
            .map_err(Into::into)
    }

    /// For each error rate, what the looks at one sample said.
    fn said(
        &self,
        seed: u64,
        errors: &[ErrorRate],
        batches: &Batches,
    ) -> Result<Vec<Said>, MeasurementError> {
        let mut sample = Sample::new(self.experiment.estimator)?;
        let mut said = vec![Said::Nothing; errors.len()];
        let mut done = 0;
        for look in 1..=self.design.looks() {
            let total = batches.total_after(look);
            for observed in self.experiment.observe(seed, done..total)? {
                sample.push(&observed)?;
            }
            done = total;
            for (said, &error) in said.iter_mut().zip(errors) {
                if let Some(estimate) = sample.statement(self.design.at_look(error, look))? {
                    let right = estimate.interval.contains(self.truth) && *said != Said::Wrong;
                    *said = if right { Said::Right } else { Said::Wrong };
                }
            }
        }
        Ok(said)
    }
}

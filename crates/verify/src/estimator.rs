//! From observations of replications to estimates with intervals.

use crate::experiment::{Estimator, Observed};
use crate::statistics::{
    ErrorRate, Interval, Moments, RatioMoments, SKEWNESS_MAX, StatisticsError, Successes, mean_interval,
    ranged_mean_interval, skewness_of_mean_bound,
};

/// A point estimate with an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The interval.
    pub interval: Interval,
}

/// Collects observations in the order of the replications.
#[derive(Debug, Clone)]
pub(crate) enum Sample {
    Ratio(RatioMoments),
    Mean(Moments),
    RangedMean(Moments, Interval),
    Proportion {
        trials: Successes,
        replications: Moments,
    },
}

impl Sample {
    /// An empty sample for an estimator.
    ///
    /// # Errors
    /// [`StatisticsError`] for a range that is none.
    pub(crate) fn new(estimator: Estimator) -> Result<Self, StatisticsError> {
        Ok(match estimator {
            Estimator::Ratio => Self::Ratio(RatioMoments::default()),
            Estimator::Mean => Self::Mean(Moments::default()),
            Estimator::RangedMean { low, high } => {
                Self::RangedMean(Moments::default(), Interval::certain(low, high)?)
            }
            Estimator::Proportion => Self::Proportion {
                trials: Successes::default(),
                replications: Moments::default(),
            },
        })
    }

    /// Adds what one replication gave.
    ///
    /// # Errors
    /// [`StatisticsError`] when a proportion has more successes than trials.
    pub(crate) fn push(&mut self, observed: &Observed) -> Result<(), StatisticsError> {
        let Observed {
            numerator,
            denominator,
            ..
        } = *observed;
        match self {
            Self::Ratio(moments) => moments.push(numerator, denominator),
            Self::Mean(moments) | Self::RangedMean(moments, _) => moments.push(numerator / denominator),
            Self::Proportion { trials, replications } => {
                trials.merge(&Successes::new(numerator as u64, denominator as u64)?);
                replications.push(numerator / denominator);
            }
        }
        Ok(())
    }

    /// The estimate at an error rate.
    ///
    /// # Errors
    /// [`StatisticsError`] when the sample is too small or does not vary.
    pub(crate) fn estimate(&self, alpha: ErrorRate) -> Result<Estimate, StatisticsError> {
        let interval = match self {
            Self::Ratio(moments) => moments.interval(alpha)?,
            Self::Mean(moments) => mean_interval(moments, alpha)?,
            Self::RangedMean(moments, range) => ranged_mean_interval(moments, range, alpha)?,
            Self::Proportion { trials, .. } => trials.clopper_pearson(alpha)?,
        };
        let value = match self {
            Self::Ratio(moments) => moments.ratio(),
            Self::Mean(moments) | Self::RangedMean(moments, _) => Some(moments.mean()),
            Self::Proportion { trials, .. } => trials.proportion(),
        };
        // An interval exists, so the estimate does.
        Ok(Estimate {
            value: value.unwrap_or_else(|| interval.midpoint()),
            interval,
        })
    }

    /// What the sample says at an error rate; none while it is too small, or too skewed for its size, to say anything.
    ///
    /// # Errors
    /// [`StatisticsError`] when the observations contradict their range.
    pub(crate) fn statement(&self, alpha: ErrorRate) -> Result<Option<Estimate>, StatisticsError> {
        if self.skewness() > SKEWNESS_MAX {
            return Ok(None);
        }
        match self.estimate(alpha) {
            Ok(estimate) => Ok(Some(estimate)),
            Err(
                StatisticsError::NoVariation { .. }
                | StatisticsError::TooFewObservations { .. }
                | StatisticsError::DenominatorNotSeparated { .. },
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How skewed the estimate may be, where its interval is not valid for any skewness.
    fn skewness(&self) -> f64 {
        match self {
            Self::Ratio(moments) => moments
                .ratio()
                .map_or(0.0, |ratio| skewness_of_mean_bound(&moments.residuals(ratio))),
            Self::Mean(moments) => skewness_of_mean_bound(moments),
            Self::RangedMean(..) | Self::Proportion { .. } => 0.0,
        }
    }

    /// Standard deviation of the statistic from one replication to another.
    pub(crate) fn standard_deviation(&self) -> Option<f64> {
        match self {
            Self::Ratio(moments) => {
                let ratio = moments.ratio()?;
                // To first order a replication's own ratio varies as its residual over the mean denominator.
                Some(moments.residuals(ratio).standard_deviation()? / moments.denominator_mean())
            }
            Self::Mean(moments) | Self::RangedMean(moments, _) => moments.standard_deviation(),
            Self::Proportion { replications, .. } => replications.standard_deviation(),
        }
    }

    /// How estimate and interval are made, in words.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Ratio(_) => {
                "ratio of sums over independent replications, Fieller's interval with skewness correction"
            }
            Self::Mean(_) => {
                "mean over independent replications, Student's interval with skewness correction"
            }
            Self::RangedMean(..) => {
                "mean over independent replications of values in a known range; valid also when all are equal"
            }
            Self::Proportion { .. } => "proportion of independent trials, exact (Clopper–Pearson) interval",
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    fn sample(estimator: Estimator, observations: &[(f64, f64)]) -> Sample {
        let mut sample = Sample::new(estimator).unwrap();
        for &(numerator, denominator) in observations {
            let observed = Observed {
                numerator,
                denominator,
                attempts: 1,
            };
            sample.push(&observed).unwrap();
        }
        sample
    }

    #[test]
    fn a_replication_counts_as_its_numerator_over_its_denominator() {
        let observations = [(3.0, 4.0), (1.0, 4.0)];
        // Of values 0.75 and 0.25 the deviation is 0.5/√2.
        for estimator in [
            Estimator::Mean,
            Estimator::RangedMean { low: 0.0, high: 1.0 },
            Estimator::Proportion,
        ] {
            let sample = sample(estimator, &observations);
            assert_relative_eq!(sample.standard_deviation().unwrap(), 0.5_f64.sqrt() / 2.0);
            let estimate = sample.estimate(ErrorRate::new(0.05).unwrap()).unwrap();
            assert_relative_eq!(estimate.value, 0.5);
        }
    }

    /// One value far from all others: the interval that the method would give is not to be trusted.
    #[test]
    fn a_sample_too_skewed_for_its_size_says_nothing() {
        let alpha = ErrorRate::new(0.05).unwrap();
        let observations = |last| [[(0.0, 1.0), (1.0, 1.0)].repeat(20), vec![(last, 1.0)]].concat();
        for estimator in [Estimator::Mean, Estimator::Ratio] {
            let even = sample(estimator, &observations(0.5));
            assert!(even.statement(alpha).unwrap().is_some());
            let skewed = sample(estimator, &observations(100.0));
            assert!(skewed.estimate(alpha).is_ok() && skewed.statement(alpha).unwrap().is_none());
        }
        // In a known range no skewness is too much.
        let within = sample(
            Estimator::RangedMean {
                low: 0.0,
                high: 100.0,
            },
            &observations(100.0),
        );
        assert!(within.statement(alpha).unwrap().is_some());
    }
}

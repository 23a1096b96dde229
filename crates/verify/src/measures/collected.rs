//! Sums over the records of replications, and the estimates from them.

use retrylab_model::Scenario;
use retrylab_sim::{Measure, RunRecord};

use super::known;
use super::quantiles::{QUANTILES, RunQuantiles};
use super::{Dimension, MeasureEstimate, Number, Survey};
use crate::statistics::{ErrorRate, Interval, Moments, RatioMoments, StatisticsError, ranged_mean_interval};

/// What is kept of the replications so far.
#[derive(Debug, Clone)]
pub(super) struct Collected {
    measures: Vec<(Measure, RatioMoments)>,
    quantiles: [RunQuantiles; QUANTILES.len()],
    replications: u64,
    attempts: u64,
}

impl Collected {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            measures: Measure::of(scenario)
                .into_iter()
                .map(|measure| (measure, RatioMoments::default()))
                .collect(),
            quantiles: Default::default(),
            replications: 0,
            attempts: 0,
        }
    }

    pub(super) fn replications(&self) -> u64 {
        self.replications
    }

    pub(super) fn push(&mut self, record: &RunRecord) {
        for (measure, moments) in &mut self.measures {
            let (numerator, denominator) = record.measure(*measure);
            moments.push(numerator, denominator);
        }
        for ((probability, _), runs) in QUANTILES.iter().zip(&mut self.quantiles) {
            runs.push(record, *probability);
        }
        self.replications += 1;
        self.attempts += record.attempts_simulated;
    }

    /// The estimates so far, at the error rate of this look; `total` is that of all looks.
    pub(super) fn survey(
        &self,
        scenario: &Scenario,
        alpha: ErrorRate,
        total: ErrorRate,
        looks: u32,
        is_precise: bool,
    ) -> Survey {
        let ratios = self.measures.iter().map(|(measure, moments)| {
            let range = known::range(*measure, scenario);
            let interval = ratio_interval(*measure, moments, range, alpha);
            let absent = format!("{} in the measured time", known::denominator(*measure));
            let is_trivial = range.is_some_and(|(low, high)| low >= high);
            self.estimate(
                (measure.name(scenario), known::dimension(*measure)),
                moments.ratio().ok_or(absent),
                interval,
                total,
                is_trivial,
            )
        });
        let quantiles = QUANTILES.iter().zip(&self.quantiles).map(|((_, name), runs)| {
            let absent = format!(
                "no service was completed in the measured time of {} of {} replications",
                runs.runs_without(),
                self.replications
            );
            self.estimate(
                ((*name).to_owned(), Dimension::Time),
                runs.value().ok_or(absent),
                runs.interval(alpha),
                total,
                false,
            )
        });
        Survey {
            measures: ratios.chain(quantiles).collect(),
            replications: self.replications,
            looks,
            attempts: self.attempts,
            is_precise,
            is_stopped: false,
        }
    }

    fn estimate(
        &self,
        (name, dimension): (String, Dimension),
        value: Result<f64, String>,
        interval: Result<(f64, f64), StatisticsError>,
        total: ErrorRate,
        is_trivial: bool,
    ) -> MeasureEstimate {
        let (estimate, note) = match value {
            Err(absent) => (None, Some(absent)),
            Ok(value) => {
                let (ends, note) = match interval {
                    Ok(ends) => (Some(ends), None),
                    Err(error) => (None, Some(format!("no interval: {error}"))),
                };
                let number = Number {
                    value,
                    low: ends.map(|(low, _)| low),
                    high: ends.map(|(_, high)| high),
                    confidence: total.confidence(),
                    replications: self.replications,
                };
                (Some(number), note)
            }
        };
        MeasureEstimate {
            name,
            dimension,
            estimate,
            note,
            is_trivial,
        }
    }
}

/// The interval of a ratio, or what a known range says where all replications agree.
///
/// Where both may serve each has half of the error rate, so that choosing between them by the data costs nothing.
fn ratio_interval(
    measure: Measure,
    moments: &RatioMoments,
    range: Option<(f64, f64)>,
    alpha: ErrorRate,
) -> Result<(f64, f64), StatisticsError> {
    let share = if range.is_some() { alpha.halved() } else { alpha };
    let interval = match (moments.interval(share), range) {
        (Err(StatisticsError::NoVariation { value }), Some((low, high))) => {
            let constant: Moments = (0..moments.count()).map(|_| value).collect();
            ranged_mean_interval(&constant, &Interval::certain(low, high)?, alpha)?
        }
        (interval, _) => interval?,
    };
    let (least, most) = known::limits(measure);
    Ok((interval.low().max(least), interval.high().min(most)))
}

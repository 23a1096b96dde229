//! What a results file holds, as data.

use retrylab_model::Scale;
use retrylab_verify::measures::{Dimension, Survey};

use crate::checksum::effort_text;
use crate::plan::{Plan, positions};
use crate::shard::Shard;

/// What the results are of: everything but the results themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// What the plan is called.
    pub name: String,
    /// The program that computed them.
    pub program: String,
    /// Checksum of the plan.
    pub checksum: String,
    /// Number of points of the whole grid.
    pub points: u64,
    /// How much was simulated of each, in words.
    pub effort: String,
    /// Probability with which each interval covers.
    pub confidence: f64,
    /// Seed of every point.
    pub seed: u64,
    /// The measures that were asked for; none where all were.
    pub measures: Option<Vec<String>>,
    /// `second`, or `the scenario's own`.
    pub time_unit: String,
    /// Which part of the grid it is.
    pub shard: Shard,
    /// The axes.
    pub axes: Vec<AxisHeading>,
}

/// An axis of results.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisHeading {
    /// What it is called.
    pub name: String,
    /// The keys that it sets.
    pub keys: Vec<String>,
    /// Whether charts draw it on a logarithmic scale.
    pub logarithmic: bool,
    /// Labels and numbers of every key at every position.
    pub positions: Vec<Vec<(String, Option<f64>)>>,
}

/// The results of one point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointResult {
    /// Its number, from 0.
    pub point: u64,
    /// Independent replications.
    pub replications: u64,
    /// Looks at the growing sample.
    pub looks: u32,
    /// Simulated attempts.
    pub attempts: u64,
    /// Whether the asked precision was reached; true where none was asked.
    pub is_precise: bool,
    /// The measures.
    pub estimates: Vec<StoredEstimate>,
}

/// A measure of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEstimate {
    /// Its name.
    pub measure: String,
    /// `number`, `time`, `time squared` or `rate`.
    pub dimension: String,
    /// The estimate; none where nothing happened that the measure is about.
    pub estimate: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Why there is no estimate, or none with an interval.
    pub note: Option<String>,
}

impl Heading {
    /// The heading of a plan's results.
    #[must_use]
    pub fn new(plan: &Plan, shard: Shard) -> Self {
        let axes = plan.axes.iter().map(|axis| AxisHeading {
            name: axis.name.clone(),
            keys: axis.keys.clone(),
            logarithmic: axis.logarithmic,
            positions: axis
                .positions
                .iter()
                .map(|values| {
                    values
                        .iter()
                        .map(|value| (value.label.clone(), value.number))
                        .collect()
                })
                .collect(),
        });
        Self {
            name: plan.name.clone(),
            program: concat!("retrylab ", env!("CARGO_PKG_VERSION")).to_owned(),
            checksum: plan.checksum.clone(),
            points: plan.points(),
            effort: effort_text(plan.effort),
            confidence: plan.confidence,
            seed: plan.seed,
            measures: plan.measures.clone(),
            time_unit: match plan.scale {
                Scale::Seconds => "second".to_owned(),
                Scale::Dimensionless => "the scenario's own".to_owned(),
            },
            shard,
            axes: axes.collect(),
        }
    }

    /// Where a point lies on each axis; the last varies fastest.
    #[must_use]
    pub fn positions(&self, point: u64) -> Vec<usize> {
        let sizes: Vec<usize> = self.axes.iter().map(|axis| axis.positions.len()).collect();
        positions(&sizes, point)
    }

    /// The keys of all axes, in their order, with label and number of their value at a point.
    #[must_use]
    pub fn settings(&self, point: u64) -> Vec<(&str, &str, Option<f64>)> {
        self.axes
            .iter()
            .zip(self.positions(point))
            .flat_map(|(axis, position)| {
                let values = axis.keys.iter().zip(&axis.positions[position]);
                values.map(|(key, (label, number))| (key.as_str(), label.as_str(), *number))
            })
            .collect()
    }

    /// Whether all values of a key are numbers, by key.
    pub(crate) fn numeric_keys(&self) -> Vec<(&str, bool)> {
        self.axes
            .iter()
            .flat_map(|axis| {
                axis.keys.iter().enumerate().map(|(index, key)| {
                    (
                        key.as_str(),
                        axis.positions.iter().all(|values| values[index].1.is_some()),
                    )
                })
            })
            .collect()
    }
}

impl AxisHeading {
    /// The label of a position: its values, joined.
    #[must_use]
    pub fn label(&self, position: usize) -> String {
        let labels: Vec<&str> = self.positions[position]
            .iter()
            .map(|(label, _)| label.as_str())
            .collect();
        labels.join(", ")
    }

    /// The positions as numbers, where the axis has one key and all its values are numbers.
    #[must_use]
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.positions
            .iter()
            .map(|values| match values.as_slice() {
                [(_, number)] => *number,
                _ => None,
            })
            .collect()
    }
}

impl PointResult {
    /// What a survey found at a point, of the measures that are kept.
    #[must_use]
    pub fn new(point: u64, survey: &Survey, kept: Option<&[String]>) -> Self {
        let is_kept = |name: &String| kept.is_none_or(|kept| kept.contains(name));
        let measures = survey.measures.iter().filter(|measure| is_kept(&measure.name));
        Self {
            point,
            replications: survey.replications,
            looks: survey.looks,
            attempts: survey.attempts,
            is_precise: survey.is_precise,
            estimates: measures
                .map(|measure| StoredEstimate {
                    measure: measure.name.clone(),
                    dimension: dimension_name(measure.dimension).to_owned(),
                    estimate: measure.estimate.map(|number| number.value),
                    low: measure.estimate.and_then(|number| number.low),
                    high: measure.estimate.and_then(|number| number.high),
                    note: measure.note.clone(),
                })
                .collect(),
        }
    }

    /// The measure called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&StoredEstimate> {
        self.estimates.iter().find(|estimate| estimate.measure == name)
    }
}

fn dimension_name(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Number => "number",
        Dimension::Time => "time",
        Dimension::TimeSquared => "time squared",
        Dimension::Rate => "rate",
    }
}

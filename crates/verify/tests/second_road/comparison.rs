//! Samples cycles until every result is shown to agree or to differ.

use std::fmt;

use rayon::prelude::*;
use retrylab_model::Scenario;
use retrylab_verify::statistics::{
    Batches, Decision, ErrorRate, Interval, Margin, RatioMoments, Region, Spending,
};

use crate::Setting;
use crate::splitting::{Cycle, Tree};

/// The results, in the order of the quantity `retry-chain`.
pub(crate) const NAMES: [&str; 6] = [
    "success",
    "attempts_per_request",
    "abandoned_work",
    "number_in_system",
    "time_to_full",
    "time_to_empty",
];

/// How far simulator and chain may be apart and still agree, relative to the chain.
const MARGIN: f64 = 0.01;
/// Probability that a number's interval ever misses, over all looks. With fewer than 150 numbers in this file, a right simulator
/// and a right chain would fail to agree with one seed in sixty or fewer; the seeds are fixed.
const ERROR_RATE: f64 = 1e-4;
/// Cycles before the first look, and the growth from look to look.
const FIRST: u32 = 100_000;
const GROWTH: f64 = 1.5;
/// After so many looks what is undecided stays so.
const LOOKS_MAX: u32 = 14;
/// Cycles of one task.
const TASK: u64 = 1000;

type Sample = [RatioMoments; NAMES.len()];

/// The chain's numbers beside the simulator's.
pub(crate) struct Comparison {
    setting: Setting,
    solved: [f64; NAMES.len()],
    measured: [Interval; NAMES.len()],
    cycles: u64,
    /// Cycles in which all places were taken, per cycle.
    full: f64,
}

impl Comparison {
    pub(crate) fn decisions(&self) -> [Decision; NAMES.len()] {
        std::array::from_fn(|index| {
            let reference = Interval::exact(self.solved[index]).unwrap();
            let region = Region::around(&reference, Margin::Relative(MARGIN)).unwrap();
            region.judge(&self.measured[index])
        })
    }
}

/// Compares the chain with a scenario that is meant to be the same, at growing samples until the decisions are enough.
pub(crate) fn compare(
    setting: Setting,
    scenario: &Scenario,
    seed: u64,
    enough: impl Fn(&[Decision]) -> bool,
) -> Comparison {
    let tree = Tree::new(setting, scenario, seed);
    let spending = Spending::new(ErrorRate::new(ERROR_RATE).unwrap());
    let batches = Batches::new(FIRST, GROWTH).unwrap();
    let mut sample = Sample::default();
    let mut cycles = 0;
    let mut looks = 1..=LOOKS_MAX;
    loop {
        let look = looks.next().unwrap();
        let until = batches.total_after(look);
        add_cycles(&mut sample, &tree, cycles..until);
        cycles = until;
        let comparison = Comparison {
            setting,
            solved: setting.solved(),
            measured: sample
                .each_ref()
                .map(|ratio| ratio.interval(spending.at_look(look)).unwrap()),
            cycles,
            full: sample[4].denominator_mean(),
        };
        if looks.is_empty() || enough(&comparison.decisions()) {
            return comparison;
        }
    }
}

/// Adds the cycles of these numbers, in order, whichever thread finishes first.
fn add_cycles(sample: &mut Sample, tree: &Tree<'_>, numbers: std::ops::Range<u64>) {
    let tasks: Vec<_> = numbers
        .clone()
        .step_by(TASK as usize)
        .map(|start| start..(start + TASK).min(numbers.end))
        .collect();
    let parts: Vec<Sample> = tasks
        .into_par_iter()
        .map(|numbers| {
            let mut part = Sample::default();
            for number in numbers {
                for (ratio, (numerator, denominator)) in part.iter_mut().zip(pairs(&tree.cycle(number))) {
                    ratio.push(numerator, denominator);
                }
            }
            part
        })
        .collect();
    for part in &parts {
        for (ratio, other) in sample.iter_mut().zip(part) {
            ratio.merge(other);
        }
    }
}

/// What each result is the ratio of, in the order of [`NAMES`].
fn pairs(cycle: &Cycle) -> [(f64, f64); NAMES.len()] {
    [
        (cycle.successes, cycle.requests),
        (cycle.attempts, cycle.requests),
        (cycle.late_service_time, cycle.service_time),
        (cycle.number_area, cycle.duration),
        (cycle.until_full_or_empty, cycle.full),
        (cycle.until_empty, cycle.full),
    ]
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setting = self.setting;
        writeln!(
            f,
            "arrival_rate={} service_rate={} patience_mean={} retry_probability={} places={}: {} cycles, full in {:.2e} of them",
            setting.arrival_rate,
            setting.service_rate,
            setting.patience_mean,
            setting.retry_probability,
            setting.places,
            self.cycles,
            self.full
        )?;
        for (index, decision) in self.decisions().into_iter().enumerate() {
            let (solved, measured) = (self.solved[index], &self.measured[index]);
            writeln!(
                f,
                "  {:<21} chain {:>12.6} simulator {:>12.6} to {:>12.6} ({:+.2} % to {:+.2} %) {decision:?}",
                NAMES[index],
                solved,
                measured.low(),
                measured.high(),
                100.0 * (measured.low() / solved - 1.0),
                100.0 * (measured.high() / solved - 1.0),
            )?;
        }
        Ok(())
    }
}

//! Budgets at the tight timeout, and the cycle that they bring about: T17.

use retrylab_model::Scenario;
use retrylab_sim::{Measure, Window};

use super::budgets::{REFUND, budgeted, ratio, without_retries};
use super::protocol::{changed, quiet, success};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::{Estimator, Experiment};
use crate::statistics::{autocorrelation, band_power};
use crate::verdict::Verdict;

pub(super) fn claims() -> Vec<Claim> {
    vec![cycling()]
}

pub(crate) const TIMEOUT: f64 = 10.0;
/// Width of the windows over which the number in system is averaged.
const WINDOW: f64 = 20.0;
/// Length of the series whose spectrum is taken, in units of time.
pub(crate) const SERIES: f64 = 32_000.0;
/// Time for the bank to fill before.
const WARM_UP: f64 = 2_000.0;

/// A run without a stall whose measured part is the series.
pub(crate) fn observed(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.run.measure_from = Some(WARM_UP.into());
        spec.run.until = Some((WARM_UP + SERIES).into());
        spec.run.window = Some(WINDOW.into());
    })
}

/// The two budgets of the study.
pub(crate) fn with_ratio(load: f64) -> Scenario {
    observed(&budgeted(&quiet(load, TIMEOUT, 3), ratio(0.1, 100.0)))
}

pub(crate) fn with_refund(load: f64) -> Scenario {
    observed(&budgeted(&quiet(load, TIMEOUT, 3), REFUND))
}

/// The server without retries.
pub(crate) fn plain(load: f64) -> Scenario {
    observed(&quiet(load, TIMEOUT, 1))
}

/// The number in system, averaged over each window.
pub(crate) fn numbers_in_system(windows: &[Window]) -> Vec<f64> {
    windows
        .iter()
        .map(|window| {
            let (area, duration) = window.counts.measure(Measure::NumberInSystem);
            area / duration
        })
        .collect()
}

/// Power of the number in system at some cycles per series, relative to that at periods of 8,000 to 32,000: the mean over a
/// band over the mean over the four slowest frequencies.
pub(crate) fn relative_power(scenario: Scenario, band: std::ops::RangeInclusive<usize>) -> Experiment {
    let power = move |windows: &[Window], band: std::ops::RangeInclusive<usize>| {
        band_power(&numbers_in_system(windows), band).expect("every window has a finite mean")
    };
    Experiment::windows(
        scenario,
        "power of the number in system in a band over that at periods from 8,000 to 32,000",
        Estimator::Ratio,
        move |windows| (power(windows, band.clone()), power(windows, 1..=4)),
    )
}

/// Cycles per series at periods of about 1,230 to 2,670, the time in which a bank fills.
pub(crate) const CYCLE_BAND: std::ops::RangeInclusive<usize> = 12..=26;
/// Lag of the autocorrelation, in windows: 500, longer than a burst lasts and shorter than a bank takes to fill.
const LAG: usize = 25;

fn dip(scenario: Scenario) -> Experiment {
    Experiment::windows(
        scenario,
        "mean autocorrelation of the number in system at lag 500",
        Estimator::Mean,
        |windows| {
            let correlation =
                autocorrelation(&numbers_in_system(windows), LAG).expect("the number in system varies");
            (correlation[LAG], 1.0)
        },
    )
}

type Budgeted = (&'static str, fn(f64) -> Scenario);
const BUDGETS: [Budgeted; 2] = [("ratio", with_ratio), ("refund", with_refund)];

fn cycling() -> Claim {
    let at_loads = |loads: &'static [f64]| {
        BUDGETS
            .into_iter()
            .flat_map(move |(name, scenario)| loads.iter().map(move |&load| (name, scenario, load)))
    };
    Claim::new(
        "T17",
        Document::ThreeAttempts,
        "With a timeout of 10 both budgets do worse than no retries, and the system cycles: the bank fills, a few timeouts \
         release it in a burst, the backlog drains.",
    )
    .open_parameter(
        "Loads: from 0.6 up both budgets do worse. At load 0.4 both do better, because timeouts are rare there and what \
         the budgets win back are mostly errors; the two meet near 0.45.",
    )
    .remark(
        "The text names no load for this. From 0.6 up, which has the loads that it discusses, both budgets do worse, as it says. \
         It does not come out as a statement about every load: at 0.4 both budgets do better than no retries.",
    )
    .remark(
        "The cycle is shown by the spectrum of the number in system. Without retries its power is the same at all periods \
         that are long beside the relaxation time, and falls at shorter ones. A budget adds a hump at the time in which its bank \
         fills: there the power is about three times that at the longest periods with the ratio budget at load 0.6, and \
         about twice with the refund budget. Its width says that the cycle is no clockwork: a full bank waits for a \
         fluctuation.",
    )
    .remark(
        "The autocorrelation shows the same: it is negative after a burst, while the bank is empty, and without retries it \
         is not.",
    )
    .parts(at_loads(&[0.6, 0.8, 0.9]).map(|(name, scenario, load)| {
        Part::new(format!("success with the {name} budget, load {load}")).at_most(
            success(scenario(load)),
            without_retries(load, TIMEOUT).value,
            "the closed form of the server without retries",
        )
    }))
    .parts(at_loads(&[0.4]).map(|(name, scenario, load)| {
        Part::new(format!("success with the {name} budget, load {load}"))
            .at_most(
                success(scenario(load)),
                without_retries(load, TIMEOUT).value,
                "the closed form of the server without retries",
            )
            .recorded(Verdict::NotReproduced)
    }))
    .parts(
        [
            ("ratio budget, load 0.6", with_ratio(0.6)),
            ("ratio budget, load 0.7", with_ratio(0.7)),
            ("refund budget, load 0.6", with_refund(0.6)),
            ("refund budget, load 0.8", with_refund(0.8)),
        ]
        .map(|(label, scenario)| {
            Part::new(format!("power at periods of the cycle over that at the longest, {label}")).at_least(
                relative_power(scenario, CYCLE_BAND),
                1.25,
                "without a cycle power falls from the longest periods on",
            )
        }),
    )
    .part(
        Part::new("power at periods of the cycle over that at the longest, no retries, load 0.7").at_most(
            relative_power(plain(0.7), CYCLE_BAND),
            1.25,
            "the same bound from the other side",
        ),
    )
    .parts(
        [
            ("ratio budget, load 0.7", with_ratio(0.7)),
            ("refund budget, load 0.7", with_refund(0.7)),
        ]
        .map(|(label, scenario)| {
            Part::new(format!("autocorrelation of the number in system at lag 500, {label}")).at_most(
                dip(scenario),
                -0.02,
                "several times the bias of an estimate from a series of this length",
            )
        }),
    )
    .part(
        Part::new("autocorrelation of the number in system at lag 500, no retries, load 0.7").at_least(
            dip(plain(0.7)),
            -0.02,
            "the same bound from the other side",
        ),
    )
}

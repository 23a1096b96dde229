//! What the study's three figures show: T28.

use retrylab_model::{Backoff, Discipline, Scenario};
use retrylab_sim::{Measure, Window};

use super::lock_up::{endless, watch};
use super::protocol::{changed, stalled};
use super::skipping::skipping;
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::{Estimator, Experiment};
use crate::quote::{Quote, Runs};
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![three_figures()]
}

/// The run of the left figure: a timeout of 50, load 0.6, a stall of 200.
pub(crate) fn short_stall() -> Scenario {
    changed(&stalled(0.6, 50.0, 3, 200.0), |spec| {
        spec.run.until = Some(6_000.0.into());
        spec.run.measure_from = Some(2_250.0.into());
    })
}

/// The scenario with the study's longer backoff.
pub(crate) fn backing_off(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.client.backoff = Backoff::FullJitter {
            base: 10.0.into(),
            cap: None,
        };
    })
}

/// Successes per new request in the first window that begins after the stall.
fn first_window(scenario: Scenario) -> Experiment {
    Experiment::windows(
        scenario,
        "successes per new request in the window from 2,250 to 2,400",
        Estimator::Ratio,
        |windows| windows[0].counts.measure(Measure::Success),
    )
}

/// Whether nothing succeeds in any window after the stall.
fn all_zero(windows: &[Window]) -> bool {
    windows.iter().all(|window| window.counts.successes == 0)
}

fn three_figures() -> Claim {
    let stuck = |scenario: Scenario| {
        Experiment::windows(
            scenario,
            "share of runs without a success in any window after the stall",
            Estimator::Proportion,
            |windows| (f64::from(u8::from(all_zero(windows))), 1.0),
        )
    };
    let newest_first = changed(&short_stall(), |spec| spec.server.discipline = Discipline::Lifo);
    let longer = |(longer, shorter): ((f64, f64), (f64, f64))| {
        let [longer, shorter] =
            [longer, shorter].map(|(load, timeout)| (endless(load, timeout), watch(load, timeout)));
        Experiment::lock_up_factor(longer, shorter)
    };
    Claim::new(
        "T28",
        Document::ThreeAttempts,
        "The text's three figures: after a stall of 200 at load 0.6 two policies overlap at zero and others show spikes above \
         1 in windows of 150; after the long stall success falls at the loads 1/3 and 1/1.1; the mean time to lock up rises \
         steeply with the timeout and falls with the load.",
    )
    .open_parameter(
        "Which two policies overlap at zero: three attempts without and with backoff (base 10), the only ones of the study \
         that stay at zero here.",
    )
    .remark(
        "A spike is the mean of the first window that begins after the stall, 2,250 to 2,400, in the two policies that \
         answer then. Single runs show spikes of up to 1.5 or so with most policies that recover, later where a backlog of \
         abandoned work has to be served first.",
    )
    .parts(
        [
            ("three attempts", short_stall()),
            ("three attempts with backoff", backing_off(&short_stall())),
        ]
        .map(|(label, scenario)| {
            Part::new(format!("left figure: share of runs at zero in every window, {label}"))
                .quoted(Quote::runs("at zero", Runs::NearlyAll))
                .measured(stuck(scenario))
        }),
    )
    .parts(
        [
            ("newest first", newest_first),
            ("skipping expired work", skipping(&short_stall())),
        ]
        .map(|(label, scenario)| {
            Part::new(format!("left figure: successes per new request in the first window, {label}")).at_least(
                first_window(scenario),
                1.1,
                "a tenth above 1, which no healthy window shows on average",
            )
        }),
    )
    .part(
        Part::new("middle figure: the line of three attempts")
            .quoted(Quote::printed("0.333"))
            .computed(theory("stuck-line", &[("attempts", 3.0)], "load")),
    )
    .part(
        Part::new("middle figure: the line of a budget of one retry in ten requests")
            .quoted(Quote::printed("0.91"))
            .computed(theory("budget-line", &[("ratio", 0.1)], "load")),
    )
    .parts(
        [
            ("timeout 10 over timeout 5, load 0.5", ((0.5, 10.0), (0.5, 5.0))),
            ("load 0.5 over load 0.9, timeout 10", ((0.5, 10.0), (0.9, 10.0))),
        ]
        .map(|(label, settings)| {
            Part::new(format!("right figure: factor between the mean times to lock up, {label}")).at_least(
                longer(settings),
                10.0,
                "an order of magnitude is what a logarithmic axis is for",
            )
        }),
    )
}

//! The load above which the server stays stuck: T05, T06 and T07.

use super::protocol::{TIMEOUTS, changed, long_stall, recovered, stalled, stuck};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::quote::{Quote, Runs};
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![three_attempts(), ten_attempts(), every_number_of_attempts()]
}

fn three_attempts() -> Claim {
    Claim::new(
        "T05",
        Document::ThreeAttempts,
        "After a stall of 2,000 every run recovers at load 0.3 and none does at 0.35, at both timeouts.",
    )
    .parts(TIMEOUTS.into_iter().flat_map(|timeout| {
        [
            Part::new(format!("share of runs recovered, load 0.3, timeout {timeout}"))
                .quoted(Quote::runs("every run", Runs::NearlyAll))
                .measured(recovered(long_stall(0.3, timeout, 3))),
            Part::new(format!("share of runs recovered, load 0.35, timeout {timeout}"))
                .quoted(Quote::runs("none", Runs::HardlyAny))
                .measured(recovered(long_stall(0.35, timeout, 3))),
        ]
    }))
}

fn ten_attempts() -> Claim {
    Claim::new(
        "T06",
        Document::ThreeAttempts,
        "With ten attempts, load 0.2 is already stuck.",
    )
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("share of runs stuck, timeout {timeout}"))
            .quoted(Quote::runs("stuck", Runs::NearlyAll))
            .measured(stuck(long_stall(0.2, timeout, 10)))
    }))
}

/// Length of the runs that bracket the line.
const UNTIL: f64 = 200_000.0;
/// Their measured last part.
const MEASURED: f64 = 2_500.0;
/// Standard deviations of the load at which a run just recovers, on each side of the computed line.
const DEVIATIONS: f64 = 2.5;

/// The loads that bracket the line of runs of a length after the long stall, with a timeout of 50.
///
/// By the middle of its measured part a run has recovered or not; its line and the standard deviation of it are those of a
/// run that ends there.
fn bracket(attempts: u32, until: f64) -> [f64; 2] {
    let way_back = until - MEASURED / 2.0 - 4_000.0;
    let parameters = [
        ("capacity", 1.0),
        ("stall", 2_000.0),
        ("timeout", 50.0),
        ("attempts", f64::from(attempts)),
        ("run", way_back),
    ];
    let [line, deviation] =
        ["load", "load_deviation"].map(|result| theory("stall-line", &parameters, result).value);
    [-1.0, 1.0].map(|side| line + side * DEVIATIONS * deviation)
}

/// The two sides of a bracket: recovery below, none above.
fn sides(attempts: u32, until: f64, length: &str) -> [Part; 2] {
    let line = theory("stuck-line", &[("attempts", f64::from(attempts))], "load").value;
    let [below, above] = bracket(attempts, until);
    let run = |load: f64| {
        recovered(changed(&long_stall(load, 50.0, attempts), |spec| {
            spec.run.until = Some(until.into());
            spec.run.measure_from = Some((until - MEASURED).into());
        }))
    };
    let label = |load: f64| {
        format!(
            "share of runs recovered, k = {attempts}, {length}, load {load:.4} = {:.3}/k",
            load / line
        )
    };
    [
        Part::new(label(below)).at_least(run(below), 2.0 / 3.0, "below the line recovery is the rule"),
        Part::new(label(above)).at_most(run(above), 1.0 / 3.0, "above the line it is the exception"),
    ]
}

fn every_number_of_attempts() -> Claim {
    Claim::new(
        "T07",
        Document::ThreeAttempts,
        "The load above which the server stays stuck is 1/k for k attempts.",
    )
    .remark(
        "Bracketed for each k by runs of 200,000 at two loads. A run of finite length puts the line where the backlog of the \
         stall is gone just as the run ends, which a fluid gives in closed form (stall-line), with the standard deviation \
         that chance adds: about 1 % below 1/k for this length. The two loads lie 2.5 standard deviations, 1 to 2 %, below \
         and above it, and the upper one is at 1/k or just above it.",
    )
    .beyond(
        "In the study's own length the line of a finite run is 3 % below 1/k, at 0.323 for three attempts: between the 0.3 and \
         0.35 of the text.",
    )
    .beyond(
        "A short stall moves the line up: just above 1/k a small backlog can still drain by luck, as the part with a stall of \
         60 shows.",
    )
    .parts([2, 3, 4, 5, 10].into_iter().flat_map(|attempts| sides(attempts, UNTIL, "long runs")))
    .parts(sides(3, 62_000.0, "the study's length"))
    .part(
        Part::new("share of runs recovered after a stall of 60, k = 3, 2 % above 1/k").at_least(
            recovered(stalled(1.02 / 3.0, 50.0, 3, 60.0)),
            0.5,
            "the backlog is small enough to drain by luck",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The brackets of the long runs leave 1/k no room: it lies inside or less than 1 % beside.
    #[test]
    fn the_brackets_are_narrow_and_close_to_the_line() {
        for attempts in [2, 3, 4, 5, 10] {
            let [below, above] = bracket(attempts, UNTIL).map(|load| load * f64::from(attempts));
            assert!(above - below < 0.04, "{attempts}: {below} to {above}");
            assert!(
                (0.995..1.015).contains(&above) && below > 0.965,
                "{attempts}: {below} to {above}"
            );
        }
    }
}

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

/// Relative distance of the loads that bracket the line from the line.
const BRACKET: f64 = 0.02;

fn every_number_of_attempts() -> Claim {
    let claim = Claim::new(
        "T07",
        Document::ThreeAttempts,
        "The load above which the server stays stuck is 1/k for k attempts.",
    )
    .remark(
        "Bracketed for each k by runs at loads 2 % below and above 1/k. After the stall the backlog is about 2,000kρ \
         and drains at rate 1 − kρ, so at kρ = 0.98 it takes about 98,000, longer than the study's runs: these last \
         200,000.",
    )
    .beyond(
        "A finite run moves the line down: within 58,000 after a stall of 2,000 a backlog drains only if kρ is below \
         about 58/60, as the part at kρ = 0.98 in the study's own length shows. A short stall moves it up: just above \
         the line a small backlog can still drain by luck, as the part with a stall of 60 shows.",
    );
    [2, 3, 4, 5, 10]
        .into_iter()
        .fold(claim, |claim, attempts| {
            let line = theory("stuck-line", &[("attempts", f64::from(attempts))], "load").value;
            let longer = |load: f64| {
                changed(&long_stall(load, 50.0, attempts), |spec| {
                    spec.run.until = Some(200_000.0.into());
                    spec.run.measure_from = Some(197_500.0.into());
                })
            };
            claim
                .part(
                    Part::new(format!("share of runs recovered, k = {attempts}, 2 % below 1/k")).at_least(
                        recovered(longer(line * (1.0 - BRACKET))),
                        2.0 / 3.0,
                        "below the line recovery is the rule",
                    ),
                )
                .part(
                    Part::new(format!("share of runs recovered, k = {attempts}, 2 % above 1/k")).at_most(
                        recovered(longer(line * (1.0 + BRACKET))),
                        1.0 / 3.0,
                        "above the line it is the exception",
                    ),
                )
        })
        .part(
            Part::new("share of runs recovered in the study's own length, k = 3, 2 % below 1/k").at_most(
                recovered(long_stall((1.0 - BRACKET) / 3.0, 50.0, 3)),
                1.0 / 3.0,
                "the run ends before the backlog is gone",
            ),
        )
        .part(
            Part::new("share of runs recovered after a stall of 60, k = 3, 2 % above 1/k").at_least(
                recovered(stalled((1.0 + BRACKET) / 3.0, 50.0, 3, 60.0)),
                0.5,
                "the backlog is small enough to drain by luck",
            ),
        )
}

//! A bounded queue: T23.

use retrylab_model::Scenario;

use super::protocol::{RUNS, TIMEOUTS, changed, long_stall, steady_without_retries, stuck, success};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;
use crate::theory::theory;

/// Places of the study's bounded queue, waiting and in service.
pub(super) const PLACES: u32 = 10;

pub(super) fn claims() -> Vec<Claim> {
    vec![ten_places()]
}

/// The scenario with ten places.
pub(super) fn bounded(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| spec.server.places = Some(PLACES))
}

/// Success without retries: accepted, answered in time and without error.
fn without_retries(load: f64, timeout: f64) -> ComputedNumber {
    let parameters = [
        ("arrival_rate", load),
        ("service_rate", 1.0),
        ("places", f64::from(PLACES)),
        ("time", timeout),
    ];
    let blocking = theory("mm1k", &parameters, "blocking").value;
    theory("mm1k", &parameters, "sojourn_time_tail").then(
        |x| 0.99 * (1.0 - blocking) * (1.0 - x),
        "0.99 · (1 − b) · (1 − x) with b the blocking of the same queue",
    )
}

fn ten_places() -> Claim {
    let quoted = [
        (0.9, 10.0, "0.85"),
        (0.95, 10.0, "0.81"),
        (0.9, 50.0, "0.95"),
        (0.95, 50.0, "0.93"),
    ];
    Claim::new(
        "T23",
        Document::ThreeAttempts,
        "With ten places, waiting or in service, and instant rejection, success is 0.85 and 0.81 at loads 0.9 and 0.95 \
         with a timeout of 10, 0.95 and 0.93 with one of 50, and the server is never stuck.",
    )
    .open_parameter(
        "Attempts: three, as in the rest of the study. A rejected client tries again at once, so its next attempt mostly \
         finds the queue as full.",
    )
    .beyond("Without retries this is the M/M/1/K queue, whose closed form checks the simulator here.")
    .parts(quoted.map(|(load, timeout, text)| {
        Part::new(format!("success, load {load}, timeout {timeout}"))
            .quoted(Quote::printed(text).measured_in(RUNS))
            .measured(success(bounded(&long_stall(load, timeout, 3))))
    }))
    .parts(quoted.map(|(load, timeout, _)| {
        Part::new(format!("success without retries, load {load}, timeout {timeout}"))
            .computed(without_retries(load, timeout))
            .equivalent(
                success(bounded(&steady_without_retries(load, timeout))),
                Margin::Absolute(0.0025),
                "a quarter of a unit in the second digit",
            )
    }))
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("share of runs stuck, load 0.95, timeout {timeout}"))
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(stuck(bounded(&long_stall(0.95, timeout, 3))))
    }))
}

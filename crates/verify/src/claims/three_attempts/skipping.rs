//! Skipping work that nobody waits for: T24.

use retrylab_model::{DeadlineCheck, Scenario};

use super::protocol::{
    RUNS, SPAN_RATIO, TIMEOUTS, changed, long_stall, steady_without_retries, stuck, success,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![skip_expired()]
}

/// The scenario with a server that skips expired work.
pub(crate) fn skipping(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.server.deadline_check = DeadlineCheck::SkipExpired;
    })
}

/// Success without retries where a server skips attempts that have waited longer than a patience: the queue with patience
/// until service starts, and an answer in time and without error.
pub(crate) fn without_retries(load: f64, patience: f64, timeout: f64) -> ComputedNumber {
    theory(
        "patience",
        &[
            ("arrival_rate", load),
            ("service_rate", 1.0),
            ("servers", 1.0),
            ("patience", patience),
            ("timeout", timeout),
        ],
        "success",
    )
    .then(|x| 0.99 * x, "0.99 · x")
}

fn skip_expired() -> Claim {
    Claim::new(
        "T24",
        Document::ThreeAttempts,
        "Skipping attempts whose client has given up gives 0.98 at load 0.95 without retries and 0.57 with three \
         attempts, and the server is never stuck.",
    )
    .open_parameter(
        "Timeout: 50 for both numbers. With a timeout of 10 success without \
         retries is 0.86, as the second part shows, far from 0.98. With three attempts the sampling error of the text's own \
         runs leaves both timeouts possible.",
    )
    .parts(TIMEOUTS.into_iter().rev().map(|timeout| {
        let part = Part::new(format!("success without retries, load 0.95, timeout {timeout}"));
        let quote = Quote::printed("0.98").measured_in_shorter(RUNS, SPAN_RATIO);
        // The quoted number belongs to the longer timeout.
        let part = if timeout > 10.0 { part.quoted(quote) } else { part };
        part.computed(without_retries(0.95, timeout, timeout)).equivalent(
            success(skipping(&steady_without_retries(0.95, timeout))),
            Margin::Absolute(0.004),
            "less than half a unit in the last printed digit",
        )
    }))
    .part(
        Part::new("success with three attempts, load 0.95, timeout 50")
            .quoted(Quote::printed("0.57").measured_in(RUNS))
            .measured(success(skipping(&long_stall(0.95, 50.0, 3)))),
    )
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("success with three attempts, below that without, load 0.95, timeout {timeout}")).at_most(
            success(skipping(&long_stall(0.95, timeout, 3))),
            without_retries(0.95, timeout, timeout).value,
            "the closed form of the same server without retries",
        )
    }))
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("share of runs stuck with three attempts, load 0.95, timeout {timeout}"))
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(stuck(skipping(&long_stall(0.95, timeout, 3))))
    }))
}

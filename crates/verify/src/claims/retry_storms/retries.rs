//! Retries that are not limited: R02 and R03.

use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::setting::{ARRIVAL_RATE, ATTEMPTS, TIMEOUT, backing_off, blip, fluid, measured, no_run, up_again};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![immediate(), backoff()]
}

const RATE_MARGIN: Margin = Margin::Relative(0.01);
const RATE_REASON: &str = "a hundredth of the attempts, far less than a retry in four would make";

/// Attempts sent per second over five seconds that end `to` seconds after the blip.
fn attempt_rate(scenario: &Scenario, to: f64) -> Experiment {
    Experiment::measure(measured(scenario, to - 5.0, to), Measure::AttemptRate)
}

fn immediate() -> Claim {
    let retried = blip(TIMEOUT, 15.0);
    Claim::new(
        "R02",
        Document::RetryStorms,
        "With three immediate retries for each timeout the attempts come to 3,200 a second, four times what is normal, and the \
         service stays down for good.",
    )
    .open_parameter(
        "Timeout: 1 s; parts with 0.5 s and 2 s behave the same. The first attempt of the blip times out 1.6 T after its start, \
         so that a timeout of 3.125 s and more sees no timeout in the five seconds, and 3.5 s recovers as if there were no \
         retries.",
    )
    .remark(
        "Never is shown by two things: the fluid is stuck, because what is sent while all times out is more than the full \
         capacity serves; and no run is up again 10 s to 15 s after the blip, when more than 30,000 attempts wait in the queue.",
    )
    .part(
        Part::new("attempts per second, 10 s to 15 s after the blip")
            .quoted(Quote::printed("3200"))
            .computed(fluid(TIMEOUT, ATTEMPTS, &[], "worst_arrival_rate"))
            .equivalent(attempt_rate(&retried, 15.0), RATE_MARGIN, RATE_REASON),
    )
    .part(
        Part::new("attempts per new request, 10 s to 15 s after the blip")
            .quoted(Quote::printed("4"))
            .computed(theory(
                "amplification",
                &[("failure_probability", 1.0), ("retries", f64::from(ATTEMPTS - 1))],
                "attempts",
            ))
            .equivalent(
                Experiment::measure(measured(&retried, 10.0, 15.0), Measure::AttemptsPerRequest),
                RATE_MARGIN,
                RATE_REASON,
            ),
    )
    .parts([0.5, TIMEOUT, 2.0].map(|timeout| {
        Part::new(format!("share of runs up again 10 s to 15 s after the blip, timeout {timeout} s"))
            .quoted(no_run("never recovers"))
            .measured(up_again(&blip(timeout, 15.0), 10.0, 15.0))
    }))
    .part(Part::new("share of runs up again 10 s to 15 s after the blip, timeout 3.5 s").at_least(
        up_again(&blip(3.5, 15.0), 10.0, 15.0),
        0.9,
        "no attempt times out, so that nothing is retried",
    ))
    .part(
        Part::new("growth of the queue in attempts per second, 10 s to 15 s after the blip")
            .computed(theory(
                "stuck-growth",
                &[
                    ("arrival_rate", ARRIVAL_RATE),
                    ("attempts", f64::from(ATTEMPTS)),
                    ("capacity", super::setting::CAPACITY),
                ],
                "growth_rate",
            ))
            .equivalent(
                Experiment::measure(measured(&retried, 10.0, 15.0), Measure::GrowthRate),
                Margin::Relative(0.02),
                "2 % tell it from the growth with one retry fewer by far",
            ),
    )
}

/// Base and cap in seconds, and how long after the blip all retries of the stuck service are on their way.
const BACKOFFS: [(f64, Option<f64>, f64); 3] = [
    (0.1, Some(10.0), 15.0),
    (1.0, Some(30.0), 25.0),
    (10.0, Some(20.0), 60.0),
];

fn backoff() -> Claim {
    let name = |base: f64, cap: Option<f64>| match cap {
        Some(cap) => format!("base {base} s, cap {cap} s"),
        None => format!("base {base} s, no cap"),
    };
    let unlimited = |base: f64| backing_off(&blip(TIMEOUT, 60.0), base, None);
    Claim::new(
        "R03",
        Document::RetryStorms,
        "Waiting before each retry, by backoff with jitter, does not bring the service back: no fewer are sent, only later.",
    )
    .open_parameter(
        "Backoff: full jitter, uniform on (0, base · 2^(n−1)) up to a cap; the parts have bases of 0.1 s, 1 s and 10 s. The \
         longer the delays, the later all retries are under way; then it is 3,200 a second for each of them.",
    )
    .parts(BACKOFFS.map(|(base, cap, to)| {
        Part::new(format!("attempts per second up to {to} s after the blip, {}", name(base, cap)))
            .quoted(Quote::printed("3200"))
            .computed(fluid(TIMEOUT, ATTEMPTS, &[], "worst_arrival_rate"))
            .equivalent(
                attempt_rate(&backing_off(&blip(TIMEOUT, to), base, cap), to),
                RATE_MARGIN,
                RATE_REASON,
            )
    }))
    .parts(BACKOFFS.map(|(base, cap, _)| {
        Part::new(format!("share of runs up again 15 s to 20 s after the blip, {}", name(base, cap)))
            .quoted(no_run("does not help"))
            .measured(up_again(&backing_off(&blip(TIMEOUT, 20.0), base, cap), 15.0, 20.0))
    }))
    .part(Part::new("share of runs up again 60 s after the blip, base 100 s, no cap").at_least(
        up_again(&unlimited(100.0), 55.0, 60.0),
        0.5,
        "recovery is the rule: the dead work is gone before most retries come",
    ))
    .beyond(
        "What matters is the delay in comparison with the time that the dead work takes to drain, 8.5 s without retries. With a \
         base of 100 s, and no cap, the retries of the blip come spread over minutes: the service recovers first, and serves \
         them later. Delays that long are hardly what anybody calls a backoff for a service with a timeout of a second.",
    )
}

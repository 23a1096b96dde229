//! A retry budget: R04.

use retrylab_sim::Measure;

use super::setting::{
    ATTEMPTS, BEGIN_READ, DURATION, TIMEOUT, blip, budgeted, dead_time, drained_after, fluid, measured,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::Quote;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![recovery()]
}

/// Tokens saved before the blip: as few as lose none to chance, and the cap of the code shown.
const NOTHING_SAVED: f64 = 2.0;
const CAP_SHOWN: f64 = 100.0;

const MARGIN: Margin = Margin::Absolute(0.5);
const REASON: &str = "what rounding to a second leaves open; a single run deviates by more than a second, because the backlog drains at \
     120 attempts a second only";

fn recovery() -> Claim {
    let budget = |bank: f64| [("ratio", 0.1), ("bank", bank)];
    let end = BEGIN_READ + DURATION;
    let empty = |timeout: f64, bank: f64| {
        Part::new(format!("second at which the queue is empty, timeout {timeout} s, {bank} tokens saved"))
            .computed(
                fluid(timeout, ATTEMPTS, &budget(bank), "drained_after")
                    .then(|x| end + x, "30 s + 5 s + x"),
            )
            .equivalent(
                drained_after(&budgeted(&blip(timeout, 30.0), bank)).shifted(
                    end,
                    "mean second at which the server is idle for the first time after a blip that starts at 30 s, to half a \
                     window of 0.05 s",
                ),
                MARGIN,
                REASON,
            )
    };
    let useful = |timeout: f64, (margin, reason): (Margin, &'static str)| {
        let bank = NOTHING_SAVED;
        Part::new(format!(
            "second at which useful throughput returns, timeout {timeout} s, {bank} tokens saved"
        ))
        .computed(fluid(timeout, ATTEMPTS, &budget(bank), "dead_time").then(|x| end + x, "30 s + 5 s + x"))
        .equivalent(
            dead_time(budgeted(&blip(timeout, 30.0), bank)).shifted(
                end,
                "35 s and the mean time that the server spends on abandoned work after a blip that ends then",
            ),
            margin,
            reason,
        )
    };
    Claim::new(
        "R04",
        Document::RetryStorms,
        "With a retry budget of 10 % the service recovers at 55 s, without help from the server.",
    )
    .open_parameter(
        "Start of the blip: 30 s, so that 55 s are 20 s after its end. The fluid needs 20.2 s until the queue is empty with a \
         timeout of 1 s and next to no tokens saved, and we take that for the recovery.",
    )
    .open_parameter(
        "Timeout: 1 s. The queue is empty by 4 s later for each second that the timeout is shorter, so that 55 s come out for \
         timeouts from 0.92 s to 1 s, which also give the nine seconds without retries. Useful throughput returns earlier, \
         at 50.8 s; with a timeout of 0.5 s it returns at 55.0 s, but then the dead time without retries is 10.5 s.",
    )
    .open_parameter(
        "Tokens saved before the blip: 2. With a bank of 1 every token that is not spent before the next tenth is earned loses that \
         tenth, and the service recovers a second earlier. The code shown saves up to 100, which a healthy service has after 1.25 s. They are \
         spent on the first timeouts of the blip and cost another 100/120 s, so that the queue is empty at 56.0 s.",
    )
    .part(empty(TIMEOUT, NOTHING_SAVED).quoted(Quote::range(
        "55 s",
        54.5,
        55.5,
        "what rounds to the printed number of seconds",
    )))
    .part(empty(TIMEOUT, CAP_SHOWN))
    .part(useful(TIMEOUT, (MARGIN, REASON)))
    .part(useful(
        0.5,
        (
            Margin::Absolute(1.0),
            "a whole second: the way back is longer, and a queue that comes within a half of a timeout is late again more easily",
        ),
    ))
    .part(
        Part::new("attempts per second in the first ten seconds after the blip, timeout 1 s, 2 tokens saved")
            .computed(fluid(TIMEOUT, ATTEMPTS, &budget(NOTHING_SAVED), "worst_arrival_rate"))
            .equivalent(
                Experiment::measure(
                    measured(&budgeted(&blip(TIMEOUT, 30.0), NOTHING_SAVED), 0.0, 10.0),
                    Measure::AttemptRate,
                ),
                Margin::Relative(0.01),
                "a tenth of the retries that the budget allows",
            ),
    )
}

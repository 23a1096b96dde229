//! What retries add to the demand: H03.

use retrylab_sim::Measure;

use super::reading::{ARRIVAL_RATE, READING, retries_in_balance, retrying, slots};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::statistics::Margin;

pub(super) fn claim() -> Claim {
    let claim = Claim::new(
        "H03",
        Document::HelpingClients,
        "A retry is new work: the demand is the offered load and what failures make of it.",
    )
    .open_parameter(READING)
    .remark(
        "Attempts x are in balance where x = λ + R·x·P(x), with P(x) the probability that an attempt is late under x attempts a \
         second. The parts take x and the R that belongs to it; the share of the traffic that is self-inflicted is 1 − λ/x.",
    );
    [11_000.0, 11_300.0]
        .into_iter()
        .fold(claim, |claim, attempt_rate| {
            let retries = retries_in_balance(attempt_rate);
            claim.part(
                Part::new(format!(
                    "share of attempts that are retries, R = {retries:.3}, in balance at {attempt_rate} a second"
                ))
                .computed(
                    slots(attempt_rate, "sojourn_time_tail")
                        .then(|_| 1.0 - ARRIVAL_RATE / attempt_rate, "1 − λ/x, with R from x"),
                )
                .equivalent(
                    Experiment::measure(retrying(retries), Measure::RetryShare),
                    Margin::Relative(0.05),
                    "5 % tells what a failure's retries bring from what their first generation brings",
                ),
            )
        })
}

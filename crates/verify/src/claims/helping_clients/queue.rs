//! How the wait grows with utilisation: H01.

use retrylab_model::{Scenario, ServiceTime};
use retrylab_sim::Measure;

use super::reading::{CAPACITY, SLOTS, WAITING_MAX, changed, queue};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;
use crate::verdict::Verdict;

/// Slots of a service of the same capacity whose servers serve one request at a time.
const FEW: u32 = 8;

/// Eight slots that make the same capacity, at a number of requests per second.
pub(crate) fn few(arrival_rate: f64) -> Scenario {
    changed(&queue(arrival_rate), |spec| {
        spec.service.concurrency = 1;
        let mean = format!("{}s", f64::from(FEW) / CAPACITY);
        spec.service.time = ServiceTime::Exponential {
            mean: mean.parse().unwrap_or_else(|error| panic!("{mean}: {error}")),
        };
    })
}

fn erlang(slots: f64, utilization: f64, result: &str) -> ComputedNumber {
    theory(
        "mmc",
        &[
            ("arrival_rate", CAPACITY * utilization),
            ("service_rate", CAPACITY / slots),
            ("servers", slots),
        ],
        result,
    )
}

pub(super) fn claim() -> Claim {
    let few_slots = f64::from(FEW);
    let waits = [0.75, 0.95].map(|utilization| erlang(few_slots, utilization, "waiting_time_mean").value);
    let ratio = erlang(few_slots, 0.95, "waiting_time_mean")
        .then(|wait| wait / waits[0], "x over the mean wait at 0.75");
    Claim::new(
        "H01",
        Document::HelpingClients,
        "The wait grows as 1/(1 − utilisation): small at three quarters, and at 95 % the queue is most of the way to its limit.",
    )
    .remark(
        "The mean wait is Erlang's C divided by capacity less arrivals, so beside 1/(1 − utilisation) it has the \
         probability of waiting at all, which grows too, and the more the more slots there are. Only for one slot is it \
         near the law of the text.",
    )
    .open_parameter(
        "How many requests a server serves at once. With eight slots of 0.667 ms the queue shows at 95 %; with the 480 of \
         40 ms that the later numbers need, nobody waits at three quarters and few at 95 %: so many slots hide it. At \
         neither is the queue near a limit of some thousand.",
    )
    .beyond(format!(
        "From three quarters to 95 % the law of the text makes the wait five times as long. Erlang's C makes it {:.1} times \
         as long for eight slots, and from next to nothing to something for 480.",
        ratio.value
    ))
    .parts([0.75, 0.95].map(|utilization| {
        Part::new(format!("mean wait in seconds, eight slots, utilisation {utilization}"))
            .computed(erlang(few_slots, utilization, "waiting_time_mean"))
            .equivalent(
                Experiment::measure(few(CAPACITY * utilization), Measure::WaitingTimeMean),
                Margin::Relative(0.15),
                "at 0.75 it tells eight slots from six and from eleven; at 0.95 a few slots more or less hardly matter",
            )
    }))
    .part(
        Part::new("mean wait at 0.95 over that at 0.75, eight slots")
            .quoted(Quote::range(
                "as 1/(1 − utilisation)",
                4.5,
                5.5,
                "the law gives 5, and a wait that is off by a tenth does not follow it",
            ))
            .computed(ratio)
            .recorded(Verdict::NotReproduced),
    )
    .part(
        Part::new("mean wait in seconds, 480 slots, utilisation 0.95")
            .computed(erlang(SLOTS, 0.95, "waiting_time_mean"))
            .equivalent(
                Experiment::measure(queue(CAPACITY * 0.95), Measure::WaitingTimeMean),
                Margin::Relative(0.3),
                "tells 480 slots from 300 and from 800 of the same capacity",
            ),
    )
    .part(
        Part::new("mean wait in seconds, 480 slots, utilisation 0.75")
            .quoted(Quote::range(
                "barely there",
                0.0,
                0.001,
                "a millisecond is little beside 40 of service",
            ))
            .computed(erlang(SLOTS, 0.75, "waiting_time_mean")),
    )
    .part(
        Part::new("share of the queue limit that is taken, 480 slots, utilisation 0.95")
            .quoted(Quote::range(
                "most of the way",
                0.5,
                1.0,
                "most of the way is more than half of it",
            ))
            .computed(erlang(SLOTS, 0.95, "number_in_queue").then(
                |number| number / WAITING_MAX,
                "x over the 1,520 that may wait",
            ))
            .recorded(Verdict::NotReproduced),
    )
}

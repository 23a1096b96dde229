//! What a deadline does past capacity, without retries: H02.

use retrylab_sim::Measure;

use super::reading::{READING, SERVICE_RATE, SLOTS, TIMEOUT, changed, deadline, offering, retrying};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

/// Places of a queue that is 40 ms long at most.
const SHORT: u32 = 960;

fn late(places: u32) -> ComputedNumber {
    let scenario = deadline();
    theory(
        "mmck",
        &[
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", SERVICE_RATE),
            ("servers", SLOTS),
            ("places", f64::from(places)),
            ("time", TIMEOUT),
        ],
        "sojourn_time_tail",
    )
}

pub(super) fn claim() -> Claim {
    let short = changed(&deadline(), |spec| spec.server.places = Some(SHORT));
    Claim::new(
        "H02",
        Document::HelpingClients,
        "Past capacity the queue fills, and even without retries the servers work for clients who have given up.",
    )
    .open_parameter(READING)
    .open_parameter(
        "By how much the load passes the capacity: 13,000 a second. Any load above 12,000 fills the queue in the end, and then \
         the limit alone decides.",
    )
    .beyond(
        "It takes a long queue: with 960 places at most 480 wait, which is 40 ms of work, and most of those who are let in \
         are answered in time. Whether a service past its capacity collapses or only turns the excess away is a matter of \
         whether its queue is longer than its clients' patience.",
    )
    .part(
        Part::new("share of the servers' work that is abandoned, 2,000 places")
            .quoted(Quote::range(
                "nobody is waiting",
                0.95,
                1.0,
                "a collapse leaves next to nothing",
            ))
            .computed(late(2_000))
            .equivalent(
                Experiment::measure(deadline(), Measure::LateShare),
                Margin::Absolute(0.02),
                "a collapse is told from a service that answers one in twenty",
            ),
    )
    .part(
        Part::new("share of answers that come too late, 960 places")
            .computed(late(SHORT))
            .equivalent(
                Experiment::measure(short, Measure::LateShare),
                Margin::Absolute(0.01),
                "small beside the distance from nothing and from everything",
            ),
    )
    .part(
        Part::new("share of answers that come too late below capacity, 11,000 a second")
            .computed(theory(
                "mmc",
                &[
                    ("arrival_rate", 11_000.0),
                    ("service_rate", SERVICE_RATE),
                    ("servers", SLOTS),
                    ("time", TIMEOUT),
                ],
                "sojourn_time_tail",
            ))
            .equivalent(
                Experiment::measure(offering(&retrying(0.0), 11_000.0), Measure::LateShare),
                Margin::Relative(0.05),
                "5 % of it is far below what a queue would add",
            ),
    )
    .remark(
        "Below capacity nobody waits long enough to give up, as the text says, but one service in twenty takes longer than \
         120 ms by itself when service is exponential. These are the failures that retries feed on.",
    )
}

//! A dead service does not come back when retries do: H05.

use super::reading::{READING, brought_back, changed, dead, ending, fold, retrying};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::quote::Quote;

/// When a long queue has had 16 seconds to drain at 300 a second.
const DRAINED: f64 = 20.0;

pub(super) fn claim() -> Claim {
    // A longer queue, so that no chance shortens it to what clients wait for.
    let long_queue = |retries| {
        ending(
            &changed(&brought_back(retries), |spec| spec.server.places = Some(4_000)),
            DRAINED,
        )
    };
    Claim::new(
        "H05",
        Document::HelpingClients,
        "Driven down by retries and brought back to where it started, the service stays dead.",
    )
    .open_parameter(READING)
    .open_parameter(
        "Where it started: at one retry per failure, where the service is healthy. It is driven to four for two seconds, which is enough to kill it \
         in nearly every run, and brought back to one.",
    )
    .beyond(format!(
        "A dead service completes its capacity, every answer of it late, so it receives λ + R·μ attempts while the queue is \
         full and drains when that is below μ: for R below 1 − λ/μ, which is {} here. Between that and the edge of the cliff \
         the service is healthy or dead by its history.",
        fold(1, "retries_per_failure_dead").value
    ))
    .remark(
        "Measured with 4,000 places. With 2,000 the full queue is only 7 ms longer than clients wait, and at R just above \
         the line chance alone shortens it enough for the service to come back.",
    )
    .part(
        Part::new("share of runs dead four seconds after R is back at 1")
            .quoted(Quote::range(
                "stays dead",
                0.5,
                1.0,
                "the text shows one run, so most runs have to do the same",
            ))
            .measured(dead(brought_back(1.0))),
    )
    .part(
        Part::new("share of runs dead at R = 1 from the start").at_most(
            dead(ending(&retrying(1.0), 10.0)),
            0.5,
            "the past is the cause only if the service is well without it",
        ),
    )
    .part(
        Part::new("share of runs dead 16 s after R is back at 0.1").at_most(
            dead(long_queue(0.1)),
            0.5,
            "below the line recovery is the rule",
        ),
    )
    .part(
        Part::new("share of runs dead 16 s after R is back at 0.15").at_least(
            dead(long_queue(0.15)),
            0.5,
            "above the line it is the exception",
        ),
    )
}

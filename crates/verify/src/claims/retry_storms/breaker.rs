//! A circuit breaker in front of the blip: the second half of R07.

use retrylab_model::{Breaker, Scenario};
use retrylab_sim::Measure;

use super::setting::{DURATION, POLICIES, TIMEOUT, blip, changed, every_run, measured, up_again};
use crate::claim::Part;
use crate::experiment::Experiment;

/// For how long an outcome counts, in seconds.
const WINDOW: f64 = 1.0;
/// For how long the breaker stays open, in seconds.
const OPEN: f64 = 5.0;
/// From the first timeouts of the blip until the breaker has tried again and the service is up.
const AROUND: (f64, f64) = (2.0 - DURATION, 8.0);

pub(super) const PARAMETERS: &str = "Breaker: one for all clients, open for 5 s once half of at least ten outcomes of the last second are failures, then three \
     probes. It opens in the blip and tries again after it, when the queue has drained. Shorter and longer windows and times \
     move the moment of recovery and no more.";

fn guarded(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.client.breaker = Some(Breaker::new(WINDOW, OPEN));
    })
}

pub(super) fn parts() -> Vec<Part> {
    let up = POLICIES.map(|(name, apply)| {
        Part::new(format!(
            "share of runs up again 6 s to 8 s after the blip, breaker, {name}"
        ))
        .quoted(every_run("limits the total"))
        .measured(up_again(&apply(&guarded(&blip(TIMEOUT, 8.0))), 6.0, 8.0))
    });
    let (from, to) = AROUND;
    let retried = guarded(&blip(TIMEOUT, to));
    let mut parts = Vec::from(up);
    parts.push(
        Part::new("attempts per new request from two seconds into the blip to 8 s after it, breaker, three immediate retries")
            .at_most(
                Experiment::measure(measured(&retried, from, to), Measure::AttemptsPerRequest),
                1.0,
                "fewer attempts than there are requests, where four are allowed",
            ),
    );
    parts.push(
        Part::new("share of runs up again within two seconds, breaker, three immediate retries").at_most(
            up_again(&retried, 0.0, 2.0),
            0.1,
            "the breaker keeps first attempts as well, and is open when the blip ends",
        ),
    );
    parts
}

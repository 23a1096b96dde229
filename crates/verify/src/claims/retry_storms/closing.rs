//! The closing recommendation as one policy: R08.

use retrylab_model::{Change, Rate, Scenario};

use super::setting::{
    DURATION, END, TIMEOUT, backing_off, blip, budgeted, changed, every_run, skipping_expired, up_again,
};
use crate::claim::{Claim, Part};
use crate::document::Document;

pub(super) fn claims() -> Vec<Claim> {
    vec![recommendation()]
}

/// Client instances, each with a budget of its own.
const CLIENTS: u32 = 50;
/// Waiting and in service: a fifth of the timeout's work.
const PLACES: u32 = 200;
/// Requests per second.
const LOADS: [f64; 4] = [400.0, 800.0, 900.0, 950.0];

/// A name and what happens to the capacity.
type Trigger = (&'static str, fn(f64) -> Change);

/// Triggers that end when the document's blip ends, however long they are.
const TRIGGERS: [Trigger; 3] = [
    ("the blip", |end| Change {
        capacity: Some(0.3),
        duration: Some(DURATION.into()),
        ..Change::at(end - DURATION)
    }),
    ("a tenth of the capacity for six seconds", |end| Change {
        capacity: Some(0.1),
        duration: Some(6.0.into()),
        ..Change::at(end - 6.0)
    }),
    ("a stall of three seconds", |end| Change::stall(end - 3.0, 3.0)),
];

/// All of it at once: three attempts, jittered backoff, a budget per client, deadlines and a bounded queue.
fn recommended(rate: f64, trigger: fn(f64) -> Change) -> Scenario {
    let policy = skipping_expired(&backing_off(
        &budgeted(&blip(TIMEOUT, 4.0), 100.0),
        0.1,
        Some(10.0),
    ));
    changed(&policy, |spec| {
        spec.traffic.rate = Rate::from(rate);
        spec.traffic.clients = CLIENTS;
        spec.client.attempts = 3;
        spec.server.places = Some(PLACES);
        spec.schedule = vec![trigger(END)];
    })
}

fn recommendation() -> Claim {
    Claim::new(
        "R08",
        Document::RetryStorms,
        "With at most two retries, jittered backoff, a budget of 10 % per client, deadlines and a bounded queue a brief slowdown \
         does not leave the service down.",
    )
    .open_parameter(format!(
        "Numbers behind the words: full jitter with a base of 0.1 s and a cap of 10 s, {CLIENTS} clients with a bank of 100 tokens \
         each, skipping of what has expired when its turn comes, {PLACES} places, a timeout of 1 s. Up again means: more than nine \
         requests in ten succeed in the second to the fourth second after the trigger."
    ))
    .parts(TRIGGERS.into_iter().flat_map(|(name, trigger)| {
        LOADS.map(|rate| {
            Part::new(format!("share of runs up again, {name}, {rate} requests a second"))
                .quoted(every_run("does not stay down"))
                .measured(up_again(&recommended(rate, trigger), 2.0, 4.0))
        })
    }))
}

//! Whether measured latencies include waiting, and whether it matters.
//!
//! What is measured at clients, or in front of a queue, is a sojourn time: waiting and service. A scenario asks for service times, and
//! makes the waiting itself, so that waiting in the measurements counts twice. How much there may be follows from the load at which they
//! were measured: were they service times, attempts would wait on average
//!
//!   W = C(c, a) / (c − a) · (1 + v) / 2 · m,
//!
//! with m their mean, v their squared coefficient of variation, c the attempts served at once, a = c × load and C Erlang's probability of
//! waiting: exact for one server (Pollaczek–Khinchine) and for exponential times (M/M/c), an approximation otherwise (Lee and Longton
//! 1959). Where W is a small part of m there was little to wait for, and the difference is small too.

use retrylab_analytic::mmc::Mmc;
use retrylab_model::wording::quotation;
use retrylab_model::{Measured, Scenario, ServiceTime};

/// Mean wait, as a share of the mean of the measured times, from which on it matters.
pub const WAITING_SHARE_MAX: f64 = 0.05;

/// Most servers that the formula is computed for.
const SLOTS_MAX: u32 = 1_000_000;

/// What measured times would have to wait if they were service times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waiting {
    /// Load at which they were measured, as far as it is known.
    pub load: f64,
    /// Whether that load was stated, rather than taken from the scenario.
    pub is_load_stated: bool,
    /// Mean wait ÷ mean of the measured times; infinite at a load of 1 or more.
    pub share: f64,
}

/// What the times in `measured` would have to wait on average, as service times of a service that serves `slots` attempts at once, at
/// the load that they were measured at or else at `load`. None where they are stated to be service times alone or were not read.
#[must_use]
pub fn waiting(measured: &Measured, load: f64, slots: u32) -> Option<Waiting> {
    if measured.includes_queueing == Some(false) {
        return None;
    }
    let latencies = measured.latencies.as_ref()?;
    let load = measured.measured_at_load.unwrap_or(load);
    // Among more servers attempts would wait even less.
    let slots = slots.min(SLOTS_MAX);
    // In units of the mean: the offered load is the rate of arrivals.
    let queue = Mmc::new(load * f64::from(slots), 1.0, u64::from(slots)).ok();
    let exponential = queue.and_then(|queue| queue.waiting_time_mean().ok());
    Some(Waiting {
        load,
        is_load_stated: measured.measured_at_load.is_some(),
        share: exponential.map_or(f64::INFINITY, |wait| wait * (1.0 + latencies.scv()) / 2.0),
    })
}

/// A note for each file of measured times that probably includes enough waiting to matter, with the path of its key. The load is that
/// of the scenario before any retry, where no other is stated.
#[must_use]
pub fn queueing_notes(scenario: &Scenario) -> Vec<(String, String)> {
    (0..scenario.tier_count())
        .filter_map(|index| {
            let tier = scenario.tier(index);
            let ServiceTime::Measured(measured) = &tier.service.time else {
                return None;
            };
            let waiting = waiting(measured, tier.offered_load(), tier.service.slots())?;
            let path = match index.checked_sub(1) {
                None => "service.time".to_owned(),
                Some(inner) => format!("tiers.{inner}.service.time"),
            };
            (waiting.share > WAITING_SHARE_MAX).then(|| {
                let note = sentence(&path, measured, &waiting);
                (path, note)
            })
        })
        .collect()
}

fn sentence(path: &str, measured: &Measured, waiting: &Waiting) -> String {
    let load = if waiting.is_load_stated {
        format!("at the stated load of {:.2}", waiting.load)
    } else {
        format!("at a load of {:.2}", waiting.load)
    };
    let consequence = if waiting.share.is_finite() {
        format!(
            "attempts that need so long would wait {:.0} % of their mean on average",
            100.0 * waiting.share
        )
    } else {
        "attempts that need so long would never all be served".to_owned()
    };
    format!(
        "{path}: the times in {} probably include waiting, which then counts twice: {load} {consequence}; state measured_at_load \
         where they were measured at a lower load, or includes_queueing = false where they are service times alone",
        quotation(&measured.file)
    )
}

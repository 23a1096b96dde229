//! Servers that choose their work are never stuck: T27.

use retrylab_model::{Discipline, Scenario};

use super::bounded::bounded;
use super::protocol::{TIMEOUTS, changed, long_stall, stuck};
use super::skipping::skipping;
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::quote::{Quote, Runs};

pub(super) fn claims() -> Vec<Claim> {
    vec![never_stuck()]
}

fn never_stuck() -> Claim {
    type Policy = (&'static str, fn(&Scenario) -> Scenario);
    let newest_first: Policy = ("newest first", |scenario| {
        changed(scenario, |spec| spec.server.discipline = Discipline::Lifo)
    });
    let policies: [Policy; 3] = [
        newest_first,
        ("bounded queue", bounded),
        ("skipping expired work", skipping),
    ];
    let settings = TIMEOUTS
        .into_iter()
        .flat_map(|timeout| [0.35, 0.6, 0.9, 0.98].map(|load| (timeout, load)));
    Claim::new(
        "T27",
        Document::ThreeAttempts,
        "Newest first, a bounded queue and skipping expired work are never stuck, at any load tried.",
    )
    .open_parameter("Loads: 0.35, 0.6, 0.9 and 0.98 after the long stall, with three attempts.")
    .parts(settings.flat_map(|(timeout, load)| {
        policies.map(|(name, apply)| {
            Part::new(format!(
                "share of runs stuck, {name}, load {load}, timeout {timeout}"
            ))
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(stuck(apply(&long_stall(load, timeout, 3))))
        })
    }))
}

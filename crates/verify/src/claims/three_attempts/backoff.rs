//! Backoff does not move the line: T12.

use retrylab_model::Backoff;

use super::protocol::{TIMEOUTS, changed, long_stall, recovered};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::quote::{Quote, Runs};

pub(super) fn claims() -> Vec<Claim> {
    vec![same_line()]
}

fn same_line() -> Claim {
    let jittered = |load: f64, timeout: f64, base: f64| {
        changed(&long_stall(load, timeout, 3), |spec| {
            spec.client.backoff = Backoff::FullJitter {
                base: base.into(),
                cap: None,
            };
        })
    };
    let settings = TIMEOUTS
        .into_iter()
        .flat_map(|timeout| [1.0, 10.0].map(|base| (timeout, base)));
    Claim::new(
        "T12",
        Document::ThreeAttempts,
        "Exponential backoff with full jitter and a base of 1 or 10 service times leaves the stuck line where it is \
         without backoff, at both timeouts.",
    )
    .parts(settings.flat_map(|(timeout, base)| {
        [
            Part::new(format!("share of runs recovered, load 0.3, timeout {timeout}, base {base}"))
                .quoted(Quote::runs("not stuck", Runs::NearlyAll))
                .measured(recovered(jittered(0.3, timeout, base))),
            Part::new(format!("share of runs recovered, load 0.35, timeout {timeout}, base {base}"))
                .quoted(Quote::runs("stuck", Runs::HardlyAny))
                .measured(recovered(jittered(0.35, timeout, base))),
        ]
    }))
}

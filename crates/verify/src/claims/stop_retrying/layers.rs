//! Layers that retry each other's failures: A07.

use retrylab_sim::calls::Calls;

use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::{Estimator, Experiment};
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![over_a_hundred()]
}

/// Attempts that are over 100.
const OVER: f64 = 101.0;
/// Most layers that are looked at: one retry each makes them enough.
const LAYERS_MAX: u32 = 7;

/// Attempts at the innermost of the layers when every call fails.
fn worst(retries: u32, layers: u32) -> f64 {
    f64::from(retries + 1).powi(layers as i32)
}

/// For each number of layers the fewest retries with which one request becomes over 100 attempts, unless fewer layers
/// need no more.
fn minimal() -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for layers in 1..=LAYERS_MAX {
        let enough = (1..=100).find(|&retries| worst(retries, layers) >= OVER);
        if let Some(retries) = enough
            && pairs.last().is_none_or(|&(fewest, _)| retries < fewest)
        {
            pairs.push((retries, layers));
        }
    }
    pairs
}

/// Attempts at the innermost layer, one request a replication: with certain failures another can say no more.
fn measured(retries: u32, layers: u32) -> Experiment {
    let calls = Calls::new(1.0, retries)
        .and_then(|calls| calls.with_tiers(layers))
        .and_then(|calls| calls.with_requests(1))
        .expect("the post's parameters are valid");
    let range = Estimator::RangedMean {
        low: 1.0,
        high: worst(retries, layers),
    };
    Experiment::calls(calls, "attempts at the innermost layer", range, |record| {
        (record.attempts_innermost() as f64, record.requests() as f64)
    })
}

fn over_a_hundred() -> Claim {
    let pairs = minimal();
    let listed: Vec<String> = pairs
        .iter()
        .map(|&(retries, layers)| format!("{layers} × {retries} ({})", worst(retries, layers)))
        .collect();
    Claim::new(
        "A07",
        Document::StopRetrying,
        "In the worst case layers of retries had made over 100 attempts of one request.",
    )
    .open_parameter(format!(
        "Number of layers and retries of each: searched. Layers × retries that suffice, none of which can do with a layer or \
         a retry less, and the attempts they make: {}. Layers with different numbers of retries multiply in the same way.",
        listed.join(", ")
    ))
    .parts(pairs.iter().map(|&(retries, layers)| {
        Part::new(format!("attempts of one request, retries: {retries}, layers: {layers}"))
            .quoted(Quote::range(
                "over 100",
                OVER,
                1_000.0,
                "whole numbers above 100; from 1,000 on one would speak of thousands",
            ))
            .computed(theory(
                "tiers",
                &[
                    ("failure_probability", 1.0),
                    ("retries", f64::from(retries)),
                    ("tiers", f64::from(layers)),
                ],
                "attempts_worst",
            ))
            .equivalent(
                measured(retries, layers),
                Margin::Relative(0.01),
                "replications may all give the same value, and the interval then says how often another could have gone \
                 unseen",
            )
    }))
    .parts(pairs.iter().map(|&(retries, layers)| {
        Part::new(format!("attempts of one request, retries: {}, layers: {layers}", retries - 1)).at_most(
            measured(retries - 1, layers),
            OVER,
            "one retry less is not enough",
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_needed_and_none_is_missing() {
        let pairs = minimal();
        let covered = |retries, layers| pairs.iter().any(|&(r, l)| r <= retries && l <= layers);
        for layers in 1..=LAYERS_MAX {
            for retries in 1..=100 {
                assert_eq!(
                    worst(retries, layers) > 100.0,
                    covered(retries, layers),
                    "{retries} {layers}"
                );
            }
        }
        for &(retries, layers) in &pairs {
            assert!(worst(retries - 1, layers) <= 100.0 && worst(retries, layers - 1) <= 100.0);
        }
        assert_eq!(pairs, [(100, 1), (10, 2), (4, 3), (3, 4), (2, 5), (1, 7)]);
    }
}

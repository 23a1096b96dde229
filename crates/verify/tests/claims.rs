//! The claims themselves: that all are there, that each can fail, and that their experiments can be repeated.

use std::collections::HashSet;

use retrylab_verify::statistics::Margin;
use retrylab_verify::{Claim, Criterion, Document, Estimator, claims};

/// Every claim that is checked, by document. A claim that disappears must be missed.
const IDS: [(Document, &[&str]); 2] = [
    (
        Document::Lesson,
        &[
            "L01", "L02", "L03", "L04", "L05", "L06", "L07", "L08", "L09", "L10", "L11", "L12", "L13", "L14",
            "L15", "L16", "L17", "L18",
        ],
    ),
    (
        Document::ThreeAttempts,
        &[
            "T01", "T02", "T03", "T04", "T05", "T06", "T07", "T08", "T09", "T11", "T12", "T14", "T15", "T16",
            "T18", "T19", "T20", "T21", "T22", "T23", "T24", "T27", "T29",
        ],
    ),
];

#[test]
fn every_claim_is_there_once_and_in_order() {
    let claims = claims::all();
    let found: Vec<(Document, &str)> = claims.iter().map(|claim| (claim.document, claim.id)).collect();
    let expected: Vec<(Document, &str)> = IDS
        .iter()
        .flat_map(|&(document, ids)| ids.iter().map(move |&id| (document, id)))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_number_is_compared_with_something() {
    for claim in claims::all() {
        assert!(!claim.parts.is_empty(), "{} has no numbers", claim.id);
        let mut labels = HashSet::new();
        for part in &claim.parts {
            let place = format!("{}, {}", claim.id, part.label);
            assert!(labels.insert(&part.label), "{place} is there twice");
            // Something that can be wrong: two of quoted, computed and measured, or a measurement against a bound.
            let sides = usize::from(part.quoted.is_some())
                + usize::from(part.computed.is_some())
                + usize::from(part.experiment.is_some());
            let bounded = matches!(
                part.criterion,
                Criterion::AtLeast { .. } | Criterion::AtMost { .. }
            );
            assert!(sides >= 2 || bounded, "{place} is compared with nothing");
            assert!(
                !matches!(part.criterion, Criterion::Equivalence { .. }) || part.computed.is_some(),
                "{place} has nothing to be equivalent to"
            );
            if part.computed.is_some() && part.experiment.is_some() {
                assert_ne!(
                    part.criterion,
                    Criterion::Quote,
                    "{place}: measured and computed are not compared"
                );
            }
        }
    }
}

#[test]
fn every_margin_has_a_reason_and_is_narrow() {
    for claim in claims::all() {
        for part in &claim.parts {
            let place = format!("{}, {}", claim.id, part.label);
            let reason = match &part.criterion {
                Criterion::Quote => continue,
                Criterion::Equivalence { margin, reason } => {
                    let computed = part
                        .computed
                        .as_ref()
                        .map_or(0.0, |computed| computed.value.abs());
                    let relative = match *margin {
                        Margin::Relative(fraction) => fraction,
                        Margin::Absolute(distance) if computed > 0.0 => distance / computed,
                        Margin::Absolute(_) => 0.0,
                    };
                    // Beyond this a formula that is off by a factor would pass.
                    assert!(relative <= 0.5, "{place}: the margin is {relative} of the number");
                    reason
                }
                Criterion::AtLeast { reason, .. } | Criterion::AtMost { reason, .. } => reason,
            };
            assert!(
                reason.split_whitespace().count() >= 4,
                "{place}: '{reason}' is no reason"
            );
        }
    }
}

#[test]
fn statements_are_sentences_in_plain_words() {
    for claim in claims::all() {
        let Claim { id, statement, .. } = claim;
        assert!(
            statement.ends_with('.') && statement.len() > 30,
            "{id}: {statement}"
        );
        assert!(!statement.contains("  "), "{id}: doubled space in {statement}");
        for text in claim
            .remarks
            .iter()
            .chain(&claim.open_parameters)
            .chain(&claim.beyond)
        {
            assert!(text.ends_with('.') && !text.contains("  "), "{id}: {text}");
        }
    }
}

#[test]
fn an_experiment_gives_the_same_observations_again() {
    for claim in claims::all() {
        // One cheap number of each claim; the rest share its machinery.
        let Some(experiment) = claim.parts.iter().find_map(|part| part.experiment.as_ref()) else {
            continue;
        };
        let whole = experiment.observe(11, 0..3).unwrap();
        let last = experiment.observe(11, 2..3).unwrap();
        assert_eq!(
            whole[2], last[0],
            "{}: replication 2 depends on those before it",
            claim.id
        );
        // Where nothing is random, as when every attempt fails, another seed gives the same.
        let certain = matches!(experiment.estimator, Estimator::RangedMean { .. });
        assert!(
            certain || experiment.observe(12, 0..3).unwrap() != whole,
            "{}: the seed changes nothing",
            claim.id
        );
    }
}

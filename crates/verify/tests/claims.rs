//! The claims themselves: that all are there, that each can fail, and that their experiments can be repeated.

use std::collections::HashSet;

use retrylab_verify::statistics::Margin;
use retrylab_verify::{Claim, Criterion, Document, Estimator, claims, figures};

/// Every claim: its document, the letter of its ids, and how many there are, numbered from 1.
const CLAIMS: [(Document, char, u32); 6] = [
    (Document::Lesson, 'L', 18),
    (Document::ThreeAttempts, 'T', 30),
    (Document::HelpingClients, 'H', 8),
    (Document::RetryStorms, 'R', 8),
    (Document::StopRetrying, 'A', 8),
    (Document::Beyond, 'X', 3),
];

#[test]
fn every_claim_of_the_documents_and_beyond_is_there_once_and_in_order() {
    let all: Vec<(Document, String)> = CLAIMS
        .iter()
        .flat_map(|&(document, letter, count)| {
            (1..=count).map(move |number| (document, format!("{letter}{number:02}")))
        })
        .collect();
    let beyond = all
        .iter()
        .filter(|(document, _)| *document == Document::Beyond)
        .count();
    assert_eq!((all.len() - beyond, beyond), (72, 3));
    let made: Vec<(Document, String)> = claims::all()
        .iter()
        .map(|claim| (claim.document, claim.id.to_owned()))
        .collect();
    assert_eq!(made, all);
}

#[test]
fn every_figure_illustrates_claims_of_its_document() {
    for sketch in figures::FIGURES {
        assert!(!sketch.claims.is_empty(), "{} illustrates nothing", sketch.id);
        let (_, letter, count) = CLAIMS
            .into_iter()
            .find(|(document, ..)| *document == sketch.document)
            .unwrap();
        for id in sketch.claims {
            let known = (1..=count).any(|number| *id == format!("{letter}{number:02}"));
            assert!(known, "{}: {id} is no claim of {}", sketch.id, sketch.document);
        }
    }
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

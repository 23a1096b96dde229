//! Total error under continuous looking, size and power of the equivalence decision, families of decisions.

use retrylab_verify::statistics::{
    Batches, Decision, ErrorRate, Interval, Margin, Moments, Spending, Successes, bonferroni, decide,
    detectable_difference, detectable_relative_error, equivalence_sample_size, holm_adjusted, mean_interval,
};

use crate::sample::{Source, assert_at_most, assert_caught, miss_rate, observed, rate};

const LOOKS: u32 = 14;

/// Whether any of the looks at a growing sample of standard normals has an interval that misses their mean.
fn any_look_misses(source: &mut Source, error_rate_at: impl Fn(u32) -> ErrorRate) -> bool {
    let batches = Batches::new(10, 1.3).unwrap();
    let mut sample = Moments::default();
    (1..=LOOKS).any(|look| {
        while sample.count() < batches.total_after(look) {
            sample.push(source.normal());
        }
        !mean_interval(&sample, error_rate_at(look)).unwrap().contains(0.0)
    })
}

#[test]
fn looking_again_and_again_does_not_exceed_the_total_error() {
    for (alpha, repetitions) in [(0.05, 20_000), (0.01, 30_000)] {
        let spending = Spending::new(rate(alpha));
        let misses = observed(repetitions, 51, |source| {
            any_look_misses(source, |look| spending.at_look(look))
        });
        assert_at_most("spending, continuous looking", &misses, alpha);
        assert!(
            misses.high() > 0.4 * alpha,
            "the design wastes most of its error: {misses:?}"
        );
    }
}

#[test]
fn spending_the_whole_rate_at_every_look_is_caught() {
    let misses = observed(5000, 52, |source| any_look_misses(source, |_| rate(0.05)));
    assert_caught("no spending", &misses, 0.05);
}

#[test]
fn exact_proportions_keep_the_total_error_too() {
    let (alpha, probability) = (0.02, 0.03);
    let (spending, batches) = (Spending::new(rate(alpha)), Batches::new(20, 1.5).unwrap());
    let misses = observed(20_000, 53, |source| {
        let mut sample = Successes::default();
        (1..=9).any(|look| {
            while sample.trials() < batches.total_after(look) {
                sample.push(source.bernoulli(probability));
            }
            !sample
                .clopper_pearson(spending.at_look(look))
                .unwrap()
                .contains(probability)
        })
    });
    assert_at_most("sequential proportions", &misses, alpha);
}

/// How often a fixed sample from N(`mean`, 1) gives each decision against 0 ± `margin`.
fn decisions(mean: f64, margin: f64, size: u64, alpha: f64, repetitions: u64, seed: u64) -> [Interval; 2] {
    let mut source = Source::new(seed);
    let reference = Interval::exact(0.0).unwrap();
    let mut counts = [0, 0];
    for _ in 0..repetitions {
        let sample: Moments = (0..size).map(|_| mean + source.normal()).collect();
        let interval = mean_interval(&sample, rate(alpha)).unwrap();
        match decide(&interval, &reference, Margin::Absolute(margin)).unwrap() {
            Decision::Equivalent => counts[0] += 1,
            Decision::Different => counts[1] += 1,
            Decision::Undecided => {}
        }
    }
    counts.map(|count| miss_rate(count, repetitions))
}

#[test]
fn equivalence_has_its_size_at_the_margin_and_its_power_within() {
    let (margin, alpha, power) = (0.3, 0.05, 0.99);
    let size = equivalence_sample_size(1.0, margin, 0.0, rate(alpha), power).unwrap();
    let [equivalent, different] = decisions(margin, margin, size, alpha, 20_000, 61);
    assert_at_most("equivalence at the margin", &equivalent, alpha / 2.0);
    assert_at_most("difference at the margin", &different, alpha / 2.0);
    // Student's t for the normal's z, and the outer envelope of two intervals, cost a little of the nominal
    // power.
    let [equivalent, different] = decisions(0.0, margin, size, alpha, 5000, 62);
    assert!(
        equivalent.high() > power - 0.01,
        "power {equivalent:?} of {power}"
    );
    assert_at_most("difference at the reference", &different, 1e-3);
}

#[test]
fn a_detectable_difference_is_detected_and_a_smaller_one_is_not() {
    let (margin, alpha, power, size) = (0.1, 0.001, 0.99, 400);
    let difference = detectable_difference(1.0 / 20.0, margin, rate(alpha), power).unwrap();
    let [_, different] = decisions(difference, margin, size, alpha, 5000, 63);
    assert!(
        different.high() > power - 0.005 && different.low() > 0.97,
        "{different:?}"
    );
    let [_, different] = decisions(
        -(margin + 0.5 * (difference - margin)),
        margin,
        size,
        alpha,
        5000,
        64,
    );
    assert!(different.high() < 0.5, "{different:?}");
}

#[test]
fn a_closed_form_off_by_its_detectable_error_is_called_different_both_ways() {
    let (truth, deviation, margin, alpha, power, size) = (2.0, 0.5, 0.01, 0.001, 0.99, 900_u32);
    let error = deviation / f64::from(size).sqrt();
    let detectable = detectable_relative_error(truth, error, margin, rate(alpha), power).unwrap();
    for (sign, seed) in [(1.0, 65), (-1.0, 66)] {
        let wrong = Interval::exact(truth * (1.0 + sign * detectable)).unwrap();
        let mut source = Source::new(seed);
        let caught = (0..2000)
            .filter(|_| {
                let sample: Moments = (0..size).map(|_| truth + deviation * source.normal()).collect();
                let interval = mean_interval(&sample, rate(alpha)).unwrap();
                decide(&interval, &wrong, Margin::Relative(margin)).unwrap() == Decision::Different
            })
            .count();
        let caught = miss_rate(caught as u64, 2000);
        assert!(
            caught.high() > power - 0.002 && caught.low() > 0.96,
            "{sign}: {caught:?}"
        );
    }
}

#[test]
fn a_family_errs_anywhere_as_rarely_as_one_decision() {
    let (members, alpha) = (10, 0.05);
    // p-values of true null hypotheses are uniform.
    let family = |source: &mut Source| -> Vec<f64> { (0..members).map(|_| source.uniform()).collect() };
    let holm = observed(20_000, 71, |source| {
        holm_adjusted(&family(source))
            .unwrap()
            .into_iter()
            .any(|adjusted| adjusted <= alpha)
    });
    assert_at_most("Holm", &holm, alpha);
    let share = bonferroni(rate(alpha), members).unwrap().value();
    let split = observed(20_000, 72, |source| {
        family(source).into_iter().any(|p| p <= share)
    });
    assert_at_most("Bonferroni", &split, alpha);
    let unadjusted = observed(20_000, 73, |source| {
        family(source).into_iter().any(|p| p <= alpha)
    });
    assert_caught("no adjustment", &unadjusted, alpha);
}

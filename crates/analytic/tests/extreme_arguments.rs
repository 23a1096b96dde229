//! Every quantity at the ends of its domains, in all combinations: a number that makes sense or a reason, never a panic.

use retrylab_analytic::quantity::{Domain, Parameter, Quantity};
use retrylab_analytic::{QUANTITIES, Value};

/// Results that are probabilities or long-run fractions, by name or by ending.
const FRACTIONS: [&str; 9] = [
    "success",
    "loss",
    "blocking",
    "utilization",
    "abandonment",
    "retry_share",
    "_probability",
    "_tail",
    "fits",
];

fn ends(domain: Domain) -> Vec<f64> {
    match domain {
        Domain::Probability => vec![0.0, 5e-324, 0.5, 1.0 - f64::EPSILON / 2.0, 1.0],
        Domain::OpenProbability => vec![5e-324, 0.5, 1.0 - f64::EPSILON / 2.0],
        Domain::Positive => vec![
            5e-324,
            1e-200,
            1e-9,
            1.0,
            1.0 + f64::EPSILON,
            3e7,
            1e200,
            f64::MAX,
        ],
        Domain::NonNegative => vec![
            0.0,
            5e-324,
            1e-200,
            1e-9,
            1.0,
            1.0 + f64::EPSILON,
            3e7,
            1e200,
            f64::MAX,
        ],
        Domain::Count { min, max, .. } => {
            vec![min as f64, min as f64 + 1.0, 40_f64.min(max as f64), max as f64]
        }
    }
}

/// Combinations that are tried of a quantity at most: with more, every so many of them.
const COMBINATIONS_MAX: usize = 25_000;

/// Combinations of the ends of the domains, evenly spread if there are too many; optional parameters are always given.
fn combinations(parameters: &[Parameter]) -> impl Iterator<Item = Vec<(&'static str, f64)>> {
    let ends: Vec<_> = parameters
        .iter()
        .map(|parameter| (parameter.name, ends(parameter.domain)))
        .collect();
    let all: usize = ends.iter().map(|(_, ends)| ends.len()).product();
    // A stride without a factor in common with the numbers of ends meets every end of every domain.
    let stride = (all.div_ceil(COMBINATIONS_MAX)..)
        .find(|stride| [2, 3, 5].iter().all(|factor| stride % factor != 0))
        .unwrap_or(1);
    (0..all).step_by(stride).map(move |mut index| {
        ends.iter()
            .map(|(name, ends)| {
                let end = ends[index % ends.len()];
                index /= ends.len();
                (*name, end)
            })
            .collect()
    })
}

/// The retry chain at its largest size takes a third of a second, so there it meets only the outermost ends of the other
/// domains; a fifth of that size meets all of them.
fn is_too_slow(quantity: &Quantity, given: &[(&'static str, f64)]) -> bool {
    let values = || quantity.parameters.iter().zip(given);
    let is_end = |parameter: &Parameter, value: f64| {
        let ends = ends(parameter.domain);
        [ends.first(), ends.last()].contains(&Some(&value))
    };
    let is_largest = |parameter: &Parameter, value: f64| ends(parameter.domain).last() == Some(&value);
    quantity.name == "retry-chain"
        && values().any(|(parameter, &(name, value))| name == "places" && is_largest(parameter, value))
        && !values().all(|(parameter, &(_, value))| is_end(parameter, value))
}

#[test]
fn every_combination_of_extremes_has_an_answer() {
    for quantity in QUANTITIES {
        for given in combinations(quantity.parameters) {
            if is_too_slow(quantity, &given) {
                continue;
            }
            let number = |name: &str| {
                given
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| *value)
            };
            if number("places")
                .zip(number("servers"))
                .is_some_and(|(places, servers)| places < servers)
            {
                assert!(
                    quantity.evaluate(&given).is_err(),
                    "{} accepts {given:?}",
                    quantity.name
                );
                continue;
            }
            let evaluation = quantity.evaluate(&given).unwrap();
            assert_eq!(
                evaluation.values.len(),
                quantity.results.len(),
                "{} {given:?}",
                quantity.name
            );
            for (name, value) in evaluation.values {
                let Value::Number(number) = value else { continue };
                let fraction = FRACTIONS
                    .iter()
                    .any(|known| name == *known || name.ends_with(known) && known.starts_with('_'));
                // A shrinking backlog grows at a negative rate.
                let least = if name.ends_with("growth_rate") {
                    f64::MIN
                } else {
                    0.0
                };
                let most = if fraction { 1.0 + 1e-12 } else { f64::MAX };
                assert!(
                    (least..=most).contains(&number),
                    "{} {given:?}: {name} is {number}",
                    quantity.name
                );
            }
        }
    }
}

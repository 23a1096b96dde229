//! Infinite series of positive terms.

use std::cmp::Ordering;
use std::iter::successors;

/// The sum of positive terms that rise at most once and then fall, up to the first that no longer changes it.
pub(crate) fn total(terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        let next = sum + term;
        if next.partial_cmp(&sum) != Some(Ordering::Greater) {
            break;
        }
        sum = next;
    }
    sum
}

/// The sum of a series given by its first term and by the ratio of the terms i + 1 and i, counted from i = 1.
pub(crate) fn by_ratio(first: f64, ratio: impl Fn(f64) -> f64) -> f64 {
    let terms = successors(Some((1.0, first)), |&(index, term)| {
        Some((index + 1.0, term * ratio(index)))
    });
    total(terms.map(|(_, term)| term))
}

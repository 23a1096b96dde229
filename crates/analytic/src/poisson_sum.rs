//! Weighted sums of Poisson probabilities, accurate far out in the tails.

use std::iter::successors;

use crate::poisson_probability::poisson;

/// Σ weight(j) · e^(−mean) meanʲ/j! over the whole numbers j from `first` to `last`, for weights of at most 1 such
/// that the terms rise to one peak near `start` and fall from there.
pub(crate) fn weighted_sum(mean: f64, first: f64, last: f64, start: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let peak = start.floor().clamp(first, last);
    let anchor = poisson(peak, mean, peak - mean);
    if anchor <= 0.0 {
        // The largest term is below the smallest double, and so are the others.
        return 0.0;
    }
    let counts = |step: f64| successors(Some(peak), move |count| Some(count + step)).skip(1);
    let above = counts(1.0)
        .take_while(|&count| count <= last)
        .map(|count| (count, mean / count));
    let below = counts(-1.0)
        .take_while(|&count| count >= first)
        .map(|count| (count, (count + 1.0) / mean));
    let total = anchor * weight(peak);
    let total = add_falling(total, anchor, above, &weight);
    add_falling(total, anchor, below, &weight)
}

/// Adds weighted probabilities to `total`, each the previous one times a factor, until they cannot change it.
fn add_falling(
    mut total: f64,
    mut probability: f64,
    steps: impl Iterator<Item = (f64, f64)>,
    weight: impl Fn(f64) -> f64,
) -> f64 {
    // So far below the sum that all further terms of a falling sequence are lost in its rounding.
    const NEGLIGIBLE: f64 = f64::EPSILON * 1e-4;
    let mut previous = f64::INFINITY;
    for (count, factor) in steps {
        probability *= factor;
        let term = probability * weight(count);
        total += term;
        if term <= previous && term <= NEGLIGIBLE * total {
            break;
        }
        previous = term;
    }
    total
}

//! Customers lost by an M/D/1/K queue: Poisson arrivals, constant service time, one server, K places.

use libm::exp;

use crate::poisson_probability::poisson;

/// From this load on the server is idle with a probability below e⁻⁷⁰⁰ where there are two places or more.
const LOAD_NEVER_IDLE: f64 = 700.0;

/// What is left of the idle server where it no longer changes the share of customers lost.
const IDLE_NEGLIGIBLE: f64 = 1e-18;

/// Probability that a customer finds all `places` taken, waiting and in service, at `load` ρ = arrival rate times service
/// time.
///
/// With A the Poisson number of arrivals in a service time, and x(j) in proportion to the probability that a service leaves
/// j customers behind, as many departures leave j + 1 and the next one j as go the other way past j:
/// x(j+1) P(A = 0) = x(0) P(A > j) + Σ_(1≤k≤j) x(k) P(A > j − k + 1). Per service one customer is served and
/// L = π(0) E max(A − (K − 1), 0) + Σ π(k) E max(A − (K − k), 0) = ρ − 1 + π(0) are lost, so that L/(1 + L) is the answer. All
/// terms are positive; the second form of L is taken where ρ > 1.
///
/// Source: the departure chain of M/G/1/K, as in Gross, Shortle, Thompson and Harris, *Fundamentals of Queueing Theory*,
/// 2008, chapter 5 (M/G/1 with finite capacity). The caller sees to 0 ≤ `load` < ∞ and `places` ≥ 1.
pub(crate) fn blocking(load: f64, places: u64) -> f64 {
    let lost = if places == 1 {
        load
    } else if load >= LOAD_NEVER_IDLE {
        load - 1.0
    } else if load > 1.0 {
        load - 1.0 + 1.0 / departures(&Arrivals::new(load), places, IDLE_NEGLIGIBLE / (load - 1.0)).1
    } else {
        lost_per_service(&Arrivals::new(load), places)
    };
    if lost.is_finite() {
        lost / (1.0 + lost)
    } else {
        1.0
    }
}

/// The Poisson number A of arrivals in a service time.
struct Arrivals {
    /// P(A = 0).
    none: f64,
    /// P(A > n), as far as it is above 0.
    above: Vec<f64>,
}

impl Arrivals {
    fn new(load: f64) -> Self {
        let mut probabilities = Vec::new();
        let mut count = 1.0;
        loop {
            let probability = poisson(count, load, count - load);
            if probability <= 0.0 && count > load {
                break;
            }
            probabilities.push(probability);
            count += 1.0;
        }
        Self {
            none: exp(-load),
            above: sums_from(probabilities),
        }
    }
}

/// The sums of what stands at each place and after it.
fn sums_from(mut terms: Vec<f64>) -> Vec<f64> {
    let mut sum = 0.0;
    for term in terms.iter_mut().rev() {
        sum += *term;
        *term = sum;
    }
    terms
}

/// x(0) = 1, x(1), … up to x(K−1), and their sum; no further than until 1 over the sum is below `negligible`.
fn departures(arrivals: &Arrivals, places: u64, negligible: f64) -> (Vec<f64>, f64) {
    let mut left = vec![1.0];
    let mut sum = 1.0;
    while (left.len() as u64) < places && 1.0 / sum >= negligible {
        let last = left.len() - 1;
        let first = arrivals.above.get(last).copied().unwrap_or(0.0);
        let others = left[1..].iter().rev().zip(arrivals.above.iter().skip(1));
        let up = first + others.map(|(left, above)| left * above).sum::<f64>();
        left.push(up / arrivals.none);
        sum += up / arrivals.none;
    }
    (left, sum)
}

/// L as the sum of what each state loses, for a load of at most 1.
fn lost_per_service(arrivals: &Arrivals, places: u64) -> f64 {
    let (left, sum) = departures(arrivals, places, 0.0);
    // E max(A − n, 0) is the sum of P(A > i) over i ≥ n.
    let excess = sums_from(arrivals.above.clone());
    let first = excess.get(left.len() - 1).copied().unwrap_or(0.0);
    let others = left[1..].iter().rev().zip(excess.iter().skip(1));
    (first + others.map(|(left, excess)| left * excess).sum::<f64>()) / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_places_have_a_short_formula() {
        // Left behind: nobody with probability e^(−ρ), one otherwise.
        for load in [1e-3, 0.5, 1.0, 1.5, 5.0, 300.0] {
            let lost = load - 1.0 + exp(-load);
            let expected = lost / (1.0 + lost);
            assert!((blocking(load, 2) / expected - 1.0).abs() < 1e-9, "{load}");
        }
    }

    #[test]
    fn both_forms_of_the_loss_agree() {
        for (load, places) in [(0.3, 3), (0.9, 25), (1.0, 25), (0.99, 200)] {
            let arrivals = Arrivals::new(load);
            let idle = 1.0 / departures(&arrivals, places, 0.0).1;
            let lost = lost_per_service(&arrivals, places);
            assert!((load - 1.0 + idle - lost).abs() < 1e-13, "{load} {places}");
        }
    }

    #[test]
    fn the_ends_are_met() {
        let same = |value: f64, expected: f64| assert_eq!(value.to_bits(), expected.to_bits());
        same(blocking(0.0, 5), 0.0);
        same(blocking(3.0, 1), 0.75);
        same(blocking(f64::MAX, 4), 1.0);
        assert!((blocking(1.25, 100_000) - 0.2).abs() < 1e-15);
        assert!((blocking(700.0, 2) - blocking(699.999_999, 2)).abs() < 1e-10);
    }
}

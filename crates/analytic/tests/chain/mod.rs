//! Markov chains in continuous time solved from their rates alone.

/// The stationary probabilities of a Markov chain, from its matrix of rates, by eliminating states one by one
/// (Grassmann, Taksar and Heyman, 1985): no formula for queues and no subtraction.
pub(crate) fn stationary(mut rates: Vec<Vec<f64>>) -> Vec<f64> {
    let states = rates.len();
    for last in (1..states).rev() {
        let leaving: f64 = rates[last][..last].iter().sum();
        for from in 0..last {
            rates[from][last] /= leaving;
            for to in 0..last {
                if to != from {
                    rates[from][to] += rates[from][last] * rates[last][to];
                }
            }
        }
    }
    let mut weights = vec![1.0];
    for state in 1..states {
        let arriving = weights
            .iter()
            .zip(&rates)
            .map(|(weight, leaving)| weight * leaving[state])
            .sum();
        weights.push(arriving);
    }
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

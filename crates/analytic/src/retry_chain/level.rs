//! The rates of the retry chain and what happens from a state until its level is left.
//!
//! A level is the number of attempts in the system. With n of them, n ≥ 1, the states are numbered w and n + w: w of the
//! n − 1 waiting attempts have a client who still waits, and the attempt in service has lost its client (state w) or
//! not (state n + w).

use nalgebra::DMatrix;

/// Rates in the time unit of one mean service time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    pub(super) arrival: f64,
    /// At which the client of one attempt gives up.
    pub(super) timeout: f64,
    pub(super) retry_probability: f64,
}

/// A state that has an attempt in service.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    /// Attempts in the system.
    pub(super) number: usize,
    /// Waiting attempts whose client still waits.
    pub(super) wanted: usize,
    /// Whether the client of the attempt in service still waits.
    pub(super) serves_wanted: bool,
}

impl State {
    /// Clients who still wait.
    pub(super) fn clients(self) -> f64 {
        self.wanted as f64 + if self.serves_wanted { 1.0 } else { 0.0 }
    }

    /// The state's number in its level.
    pub(super) fn index(self) -> usize {
        self.wanted + if self.serves_wanted { self.number } else { 0 }
    }

    fn with_arrival(self) -> Self {
        Self {
            number: self.number + 1,
            wanted: self.wanted + 1,
            ..self
        }
    }

    /// All states with `number` attempts, in the order of their numbers.
    pub(super) fn all(number: usize) -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(move |serves_wanted| {
            (0..number).map(move |wanted| Self {
                number,
                wanted,
                serves_wanted,
            })
        })
    }
}

/// How the next attempt in service is chosen among `waiting` ones of which `wanted` have a client: the states with that
/// many attempts that follow, by their numbers, and their probabilities.
pub(super) fn selection(wanted: usize, waiting: usize) -> impl Iterator<Item = (usize, f64)> {
    let total = waiting as f64;
    let lost = (wanted < waiting).then(|| (wanted, (waiting - wanted) as f64 / total));
    let live = (wanted > 0).then(|| (waiting + wanted - 1, wanted as f64 / total));
    lost.into_iter().chain(live)
}

/// target += factor · source, where a factor of 0 adds nothing.
pub(super) fn accumulate(target: &mut [f64], factor: f64, source: &[f64]) {
    if factor > 0.0 {
        for (target, source) in target.iter_mut().zip(source) {
            *target += factor * source;
        }
    }
}

/// From each state of a level (a column) until the level is left downwards or has been left upwards and come back.
///
/// Rows: the probabilities to come back from above with 0 … n wanted ones among the n attempts that then wait, the
/// probabilities to go down with 0 … n − 1 wanted ones among n − 1, and the sums collected on the way. `above` has the
/// latter two for the level above. `collected` says what a state collects per unit of time.
pub(super) fn excursions(
    rates: &Rates,
    number: usize,
    above: &DMatrix<f64>,
    collected: impl Fn(State, &mut [f64]),
) -> DMatrix<f64> {
    let sums = above.nrows() - (number + 1);
    let rows = number + 1 + number + sums;
    let mut excursions = DMatrix::zeros(rows, 2 * number);
    for state in State::all(number) {
        let wanted = state.wanted as f64;
        let (done, rest) = excursions.as_mut_slice().split_at_mut(state.index() * rows);
        let now = &mut rest[..rows];
        let mut up = |to: State, rate: f64| {
            let start = to.index() * above.nrows();
            let passage = &above.as_slice()[start..start + above.nrows()];
            let (back, collected) = passage.split_at(number + 1);
            accumulate(&mut now[..number + 1], rate, back);
            accumulate(&mut now[2 * number + 1..], rate, collected);
        };
        let retried = rates.timeout * rates.retry_probability;
        up(state.with_arrival(), rates.arrival);
        // The attempt that timed out stays without its client, and the client's next attempt joins.
        up(
            State {
                number: number + 1,
                ..state
            },
            wanted * retried,
        );
        let given_up = rates.timeout * (1.0 - rates.retry_probability);
        let before = |to: State| &done[to.index() * rows..(to.index() + 1) * rows];
        if state.serves_wanted {
            let served_lost = State {
                serves_wanted: false,
                ..state
            };
            up(served_lost.with_arrival(), retried);
            accumulate(now, given_up, before(served_lost));
        }
        if state.wanted > 0 {
            let one_less = State {
                wanted: state.wanted - 1,
                ..state
            };
            accumulate(now, wanted * given_up, before(one_less));
        }
        now[number + 1 + state.wanted] += 1.0;
        collected(state, &mut now[2 * number + 1..]);
        let leaving = 1.0 + rates.arrival + state.clients() * rates.timeout;
        for entry in now {
            *entry /= leaving;
        }
    }
    excursions
}

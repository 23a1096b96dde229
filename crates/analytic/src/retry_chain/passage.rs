//! First passages from each level of the retry chain to the one below it, computed from the top downwards without a
//! subtraction.

use nalgebra::DMatrix;

use super::level::{Rates, State, accumulate, excursions, selection};

/// Sums beyond this size are scaled down.
const LARGE: f64 = 1e100;

/// What happens from each state of a level until the level below is entered, or the chain ends above.
#[derive(Debug, Clone)]
pub(super) struct Passages {
    /// Attempts in the system.
    number: usize,
    /// A column for each state: the probabilities to go down with 0 … n − 1 wanted ones among the n − 1 attempts that
    /// then wait; sums of what is collected on the way, multiplied by `scale`; sums of what is collected where the chain
    /// ends, divided by `end_scale`, the first of them the probability that it ends.
    columns: DMatrix<f64>,
    scale: f64,
    end_scale: f64,
    /// Sums on the way.
    sums: usize,
}

impl Passages {
    /// The level with `number` attempts when nothing is known of it but `sums` sums on the way, all 0, and what is
    /// collected by ending in each state.
    pub(super) fn beyond(number: usize, sums: usize, ends: &DMatrix<f64>) -> Self {
        let mut columns = DMatrix::zeros(number + sums + ends.nrows(), 2 * number);
        columns.rows_mut(number + sums, ends.nrows()).copy_from(ends);
        Self {
            number,
            columns,
            scale: 1.0,
            end_scale: 1.0,
            sums,
        }
    }

    /// The level below this one, where a state collects `collected` per unit of time on the way.
    pub(super) fn below(&self, rates: &Rates, collected: impl Fn(State, &mut [f64])) -> Self {
        let number = self.number - 1;
        let scale = self.scale;
        let excursions = excursions(rates, number, &self.columns, |state, target| {
            let mut rate = vec![0.0; self.sums];
            collected(state, &mut rate);
            accumulate(&mut target[..self.sums], scale, &rate);
        });
        let returned = self.returned(number, &excursions);
        let below = number + 1;
        let height = excursions.nrows() - below;
        let mut columns = excursions.rows(below, height).into_owned();
        columns.gemm(
            1.0,
            &returned.rows(below, height),
            &excursions.rows(0, below),
            1.0,
        );
        let mut passages = Self {
            number,
            columns,
            ..*self
        };
        passages.rescale();
        passages
    }

    /// From each number of wanted ones among `number` waiting attempts, of which one is then chosen for service, to the
    /// level below: rows as in `excursions`, of which those after the first `number` + 1 have the result.
    ///
    /// The states are eliminated in order, each diagonal as the sum of what leads elsewhere (Grassmann, Taksar and
    /// Heyman, 1985).
    fn returned(&self, number: usize, excursions: &DMatrix<f64>) -> DMatrix<f64> {
        let rows = excursions.nrows();
        let states = number + 1;
        let down = states..states + number;
        let end = down.end + self.sums;
        let mut chosen = DMatrix::zeros(rows, states);
        let entries = chosen.as_mut_slice();
        for (wanted, column) in entries.chunks_exact_mut(rows).enumerate() {
            for (state, probability) in selection(wanted, number) {
                let start = state * rows;
                accumulate(column, probability, &excursions.as_slice()[start..start + rows]);
            }
        }
        let mut elsewhere = Vec::with_capacity(states);
        for state in 0..states {
            let (done, rest) = entries.split_at_mut((state + 1) * rows);
            let column = &done[state * rows..];
            let ending = column.get(end).map_or(0.0, |share| share * self.end_scale);
            let leaving = column[state + 1..down.end].iter().sum::<f64>() + ending;
            for other in rest.chunks_exact_mut(rows) {
                let factor = other[state] / leaving;
                accumulate(&mut other[state + 1..], factor, &column[state + 1..]);
            }
            elsewhere.push(leaving);
        }
        for state in (0..states).rev() {
            let (done, rest) = entries.split_at_mut((state + 1) * rows);
            let (inner, result) = done[state * rows..].split_at_mut(states);
            for (factor, other) in inner[state + 1..].iter().zip(rest.chunks_exact(rows)) {
                accumulate(result, *factor, &other[states..]);
            }
            for entry in result {
                *entry /= elsewhere[state];
            }
        }
        chosen
    }

    /// Keeps the sums within the range of double precision.
    fn rescale(&mut self) {
        let mut on_the_way = self.columns.rows_mut(self.number, self.sums);
        let largest = on_the_way.max();
        if largest > LARGE {
            on_the_way /= largest;
            self.scale /= largest;
        }
        let ends = self.columns.nrows() - self.number - self.sums;
        if ends > 0 {
            let mut at_the_end = self.columns.rows_mut(self.number + self.sums, ends);
            let largest = at_the_end.max();
            if largest > 0.0 {
                at_the_end /= largest;
                self.end_scale *= largest;
            }
        }
    }

    /// The sums collected from the state that follows an arrival at the empty system, for the level with one attempt:
    /// first those on the way, multiplied by [`Passages::scale`], then those at the end, divided by
    /// [`Passages::end_scale`].
    pub(super) fn sums_from_first_arrival(&self) -> &[f64] {
        let rows = self.columns.nrows();
        &self.columns.as_slice()[rows + 1..]
    }

    /// By which sums on the way are multiplied.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// By which sums at the end are divided.
    pub(super) fn end_scale(&self) -> f64 {
        self.end_scale
    }

    /// The first `count` of the sums on the way, added up from each state of this level until the system is empty, given
    /// the same for the level below.
    pub(super) fn until_empty(&self, count: usize, below: &[f64]) -> Vec<f64> {
        let waiting = self.number - 1;
        let after: Vec<f64> = (0..self.number)
            .map(|wanted| {
                selection(wanted, waiting)
                    .map(|(state, probability)| probability * below[state])
                    .sum()
            })
            .collect();
        let passed = |column: &[f64]| {
            let collected: f64 = column[self.number..self.number + count].iter().sum();
            // Times may be infinite, which counts only where it can happen.
            let rest: f64 = column
                .iter()
                .zip(&after)
                .filter(|(share, _)| **share > 0.0)
                .map(|(share, rest)| share * rest)
                .sum();
            collected / self.scale + rest
        };
        let rows = self.columns.nrows();
        self.columns.as_slice().chunks_exact(rows).map(passed).collect()
    }
}

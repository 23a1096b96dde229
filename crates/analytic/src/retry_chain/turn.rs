//! What the retry chain does between two moments when the system is empty, and on its way to the first moment when it is
//! full.

use nalgebra::{DMatrix, RowDVector};

use super::level::{Rates, State};
use super::passage::Passages;

/// What is collected on average from an arrival at the empty system until the system is empty again, in a common unit.
pub(super) struct Cycle {
    /// One, in this unit.
    pub(super) none: f64,
    pub(super) serving_wanted: f64,
    pub(super) serving_lost: f64,
    /// Integral of the number in the system.
    pub(super) number: f64,
    /// Attempts sent with places left.
    accepted: f64,
    /// First of the attempts sent at once when all places are taken.
    rejected: f64,
}

impl Cycle {
    /// With the expected time until the system is empty from every state in which all places are taken.
    pub(super) fn from_first_arrival(rates: &Rates, places: usize) -> (Self, Vec<f64>) {
        const SUMS: usize = 5;
        // With all places taken nothing leads upwards.
        let full = Rates {
            arrival: 0.0,
            retry_probability: 0.0,
            ..*rates
        };
        let collected = |state: State, sums: &mut [f64]| {
            sums[usize::from(!state.serves_wanted)] = 1.0;
            sums[2] = state.number as f64;
            let sent = rates.arrival + rates.retry_probability * rates.timeout * state.clients();
            sums[if state.number < places { 3 } else { 4 }] = sent;
        };
        let above = Passages::beyond(places + 1, SUMS, &DMatrix::zeros(0, 2 * (places + 1)));
        let mut levels = vec![above.below(&full, collected)];
        for number in 1..places {
            levels.push(levels[number - 1].below(rates, collected));
        }
        let lowest = &levels[places - 1];
        let sums = lowest.sums_from_first_arrival();
        let cycle = Self {
            none: lowest.scale(),
            serving_wanted: sums[0],
            serving_lost: sums[1],
            number: sums[2],
            accepted: lowest.scale() + sums[3],
            rejected: sums[4],
        };
        let until_empty = levels
            .iter()
            .rev()
            .fold(Vec::new(), |below, level| level.until_empty(2, &below));
        (cycle, until_empty)
    }

    /// Attempts sent. One that is rejected is followed by another with the retry probability, and so on.
    pub(super) fn attempts(&self, retry_probability: f64) -> f64 {
        if self.rejected > 0.0 {
            self.accepted + self.rejected / (1.0 - retry_probability)
        } else {
            self.accepted
        }
    }
}

/// What happens on average from an arrival at the empty system until all places are taken or the system is empty.
pub(super) struct Filling {
    /// That all places are taken before the system is empty.
    pub(super) probability: f64,
    pub(super) time: f64,
    /// Time from full to empty, averaged over the states in which all places are taken first.
    pub(super) until_empty: Option<f64>,
}

impl Filling {
    pub(super) fn from_first_arrival(rates: &Rates, places: usize, until_empty: &[f64]) -> Self {
        let longest = until_empty.iter().copied().fold(0.0, f64::max);
        let share = until_empty.iter().map(|time| time / longest);
        let ends = if longest.is_finite() {
            DMatrix::from_rows(&[
                RowDVector::repeat(2 * places, 1.0),
                RowDVector::from_iterator(2 * places, share),
            ])
        } else {
            DMatrix::repeat(2, 2 * places, 1.0)
        };
        let lowest = (1..places).fold(Passages::beyond(places, 1, &ends), |level, _| {
            level.below(rates, |_, sums| sums[0] = 1.0)
        });
        let [time, full, time_share] = lowest.sums_from_first_arrival() else {
            unreachable!("one sum on the way and two at the end");
        };
        let reached = rates.arrival > 0.0 && *full > 0.0;
        Self {
            probability: if reached { full * lowest.end_scale() } else { 0.0 },
            time: time / lowest.scale(),
            until_empty: reached.then(|| time_share / full * longest),
        }
    }
}

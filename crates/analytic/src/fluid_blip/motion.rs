//! How the state of a blip moves between two changes.

use super::course::{CHANGES_MAX, Course};
use super::sending::Sending;
use super::skipping::Skipping;

/// How the state moves until the next change.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) backlog: f64,
    pub(super) margin: f64,
    pub(super) bank: f64,
    /// What is taken in, by the number of the attempt.
    pub(super) accepted: Vec<f64>,
    /// All that is sent.
    pub(super) attempts: f64,
    pub(super) useful: f64,
    pub(super) is_rejecting: bool,
}

impl Course<'_> {
    /// The rates in the present state.
    pub(super) fn motion(&self) -> Motion {
        let blip = self.blip;
        let capacity = if self.backlog_at_end.is_some() {
            blip.capacity
        } else {
            blip.reduced_capacity
        };
        let timed_out = self.history.timed_out();
        let timed_out_rate: f64 = timed_out.iter().sum();
        let skips = blip.skipping != Skipping::Nothing;
        // While it skips, attempts leave the queue as fast as they came a timeout ago.
        let is_skipping = skips && self.is_failing && timed_out_rate > capacity;
        let leaving = if is_skipping { timed_out_rate } else { capacity };
        let useful = match (self.is_failing, is_skipping) {
            (true, true) => capacity * blip.skipping.useful_share(timed_out_rate / capacity),
            (true, false) if !skips => 0.0,
            _ => capacity,
        };
        let failed = if self.is_failing {
            let failed_share = if useful > 0.0 {
                (1.0 - useful / timed_out_rate).max(0.0)
            } else {
                1.0
            };
            self.retried(timed_out, failed_share)
        } else {
            Vec::new()
        };
        let room = (self.backlog >= blip.places).then_some(leaving);
        let sending = Sending::new(blip, &failed, self.bank > 0.0, room);
        let accepted: f64 = sending.accepted.iter().sum();
        let leaving = if self.backlog > 0.0 {
            leaving
        } else {
            leaving.min(accepted)
        };
        let bank_is_full = self.bank >= blip.bank && sending.tokens > 0.0;
        Motion {
            // Once rates have settled, what is left of their difference is rounding.
            backlog: if sending.is_rejecting || is_skipping && are_equal(accepted, leaving) {
                0.0
            } else {
                accepted - leaving
            },
            margin: if is_skipping || are_equal(leaving, timed_out_rate) {
                0.0
            } else {
                leaving - timed_out_rate
            },
            bank: if bank_is_full { 0.0 } else { sending.tokens },
            useful: if self.is_failing { useful } else { leaving },
            attempts: sending.attempts,
            is_rejecting: sending.is_rejecting,
            accepted: sending.accepted,
        }
    }

    /// The failures that another attempt may follow, by the number of the failed attempt.
    fn retried(&self, timed_out: &[f64], failed_share: f64) -> Vec<f64> {
        if self.blip.attempts - 1 > u64::from(CHANGES_MAX) {
            // A change adds one more attempt number at most: the last is never reached, the others are alike.
            return vec![failed_share * timed_out.iter().sum::<f64>()];
        }
        timed_out
            .iter()
            .take(self.blip.attempts as usize - 1)
            .map(|rate| failed_share * rate)
            .collect()
    }
}

/// Whether two rates differ by no more than the roundings of their sums.
fn are_equal(rate: f64, other: f64) -> bool {
    (rate - other).abs() <= 64.0 * f64::EPSILON * rate.max(other)
}

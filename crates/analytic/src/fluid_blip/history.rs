//! The rates at which attempts were sent, back to the moment a timeout ago.

use std::collections::VecDeque;

/// Attempts sent per unit of time since a moment: first attempts, second attempts and so on.
#[derive(Debug)]
struct Segment {
    from: f64,
    rates: Vec<f64>,
}

/// Piecewise constant rates of sending, of which only those since a timeout ago are kept.
#[derive(Debug)]
pub(super) struct History {
    segments: VecDeque<Segment>,
}

impl History {
    /// First attempts at a constant rate since long ago.
    pub(super) fn steady(arrival_rate: f64) -> Self {
        let segment = Segment {
            from: f64::NEG_INFINITY,
            rates: vec![arrival_rate],
        };
        Self {
            segments: VecDeque::from([segment]),
        }
    }

    /// What was sent per unit of time a timeout ago, by the number of the attempt.
    pub(super) fn timed_out(&self) -> &[f64] {
        &self.segments[0].rates
    }

    /// The moment at which the rates changed next after a timeout ago.
    pub(super) fn next_change(&self) -> Option<f64> {
        self.segments.get(1).map(|segment| segment.from)
    }

    /// Forgets the rates before [`History::next_change`], which now lies a timeout ago.
    pub(super) fn pass_change(&mut self) {
        self.segments.pop_front();
    }

    /// From `moment` on attempts are sent at these rates.
    pub(super) fn send(&mut self, moment: f64, rates: &[f64]) {
        match self.segments.back_mut() {
            Some(last) if are_alike(&last.rates, rates) => {}
            Some(last) if last.from >= moment => last.rates = rates.to_vec(),
            _ => self.segments.push_back(Segment {
                from: moment,
                rates: rates.to_vec(),
            }),
        }
    }

    /// Counts all moments from `origin` on.
    pub(super) fn count_from(&mut self, origin: f64) {
        self.segments
            .iter_mut()
            .for_each(|segment| segment.from -= origin);
    }

    /// The slowest sending since a timeout ago, in attempts per unit of time.
    pub(super) fn slowest(&self) -> f64 {
        self.segments
            .iter()
            .map(|segment| segment.rates.iter().sum())
            .fold(f64::INFINITY, f64::min)
    }
}

/// Whether rates differ by no more than roundings: shares of scarce tokens settle to within them and then flicker.
fn are_alike(rates: &[f64], others: &[f64]) -> bool {
    const ROUNDINGS: f64 = 4.0 * f64::EPSILON;
    rates.len() == others.len()
        && rates
            .iter()
            .zip(others)
            .all(|(rate, other)| (rate - other).abs() <= ROUNDINGS * rate.max(*other))
}

//! When a service counts as down: far fewer requests succeed than on a normal day.

use retrylab_sim::{Measure, Window};

use crate::normal_day::NormalDay;

/// A service is down while fewer than this share of what succeeds on a normal day succeeds.
const DOWN: f64 = 0.9;
/// Where a normal day has worse moments than that, it is down only while it is worse than in the worst of them, and in any case below
/// this share.
const DOWN_ALWAYS: f64 = 0.5;
/// Fewest requests that come to an end in a stretch of time whose outcomes tell how it is, as a share of those that are new in it.
const ENDED_MIN: f64 = 0.6;

/// What came of the requests of a stretch of time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ends {
    requests: f64,
    successes: f64,
    failures: f64,
}

impl Ends {
    /// Of windows that follow each other.
    pub(crate) fn of(windows: &[Window]) -> Self {
        windows.iter().fold(Self::default(), |sum, window| {
            let (successes, requests) = window.counts.measure(Measure::Success);
            let (failures, _) = window.counts.measure(Measure::Failure);
            Self {
                requests: sum.requests + requests,
                successes: sum.successes + successes,
                failures: sum.failures + failures,
            }
        })
    }

    /// Successes per new request.
    pub(crate) fn success(self) -> f64 {
        if self.requests > 0.0 {
            self.successes / self.requests
        } else {
            1.0
        }
    }

    /// Share that succeeds of the requests that come to an end. Where many wait without anything being wrong, as at a high load, what
    /// is new and what is answered differ by chance, and outcomes tell more. Where few come to an end they tell nothing: requests
    /// pile up.
    fn outcome(self) -> f64 {
        let ended = self.successes + self.failures;
        if ended >= ENDED_MIN * self.requests && ended > 0.0 {
            self.successes / ended
        } else {
            self.success()
        }
    }

    /// Whether the service was down, given below which share it is.
    pub(crate) fn is_down(self, limit: f64) -> bool {
        self.success() < limit && self.outcome() < limit
    }
}

/// Below which share of successes in stretches of a length a service is down, if `normal` is that of normal days.
pub(crate) fn limit(day: &NormalDay, normal: f64, length: f64) -> f64 {
    if day.is_down() {
        // It shows nothing of what is normal.
        return DOWN * normal;
    }
    let worst = day
        .stretches(length)
        .map(|ends| ends.success().max(ends.outcome()))
        .fold(f64::INFINITY, f64::min);
    (DOWN * normal).min(worst).max(DOWN_ALWAYS * normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_count_where_requests_come_to_an_end() {
        let of = |successes, failures| {
            Ends {
                requests: 100.0,
                successes,
                failures,
            }
            .outcome()
        };
        let shares = [of(85.0, 0.0), of(40.0, 60.0), of(20.0, 0.0), of(0.0, 0.0)];
        let expected = [1.0, 0.4, 0.2, 0.0];
        let differ = shares
            .iter()
            .zip(expected)
            .any(|(share, expected)| (share - expected).abs() > 1e-12);
        assert!(!differ, "{shares:?}");
    }
}

//! The smallest incident of a kind from which a service does not come back.

use std::ops::Range;

use retrylab_verify::statistics::{ErrorRate, Interval, StatisticsError, Successes};

use crate::error::AssessError;

/// Runs of each incident while the brink is looked for.
const SEARCH_RUNS: u64 = 6;
/// Runs of the two incidents on both sides of it, whose shares are reported.
const REPORT_RUNS: u64 = 20;
/// Halvings of the range at most.
const STEPS: u32 = 9;

/// How often a service came back from an incident of a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tried {
    /// Size of the incident.
    pub size: f64,
    /// Runs, and those of them in which it came back.
    pub back: Successes,
}

impl Tried {
    fn mostly_back(&self) -> bool {
        2 * self.back.successes() > self.back.trials()
    }

    /// Share of the runs in which it came back, with its exact interval.
    pub(crate) fn share(&self, alpha: ErrorRate) -> Result<(f64, Interval), StatisticsError> {
        let share = self.back.proportion().unwrap_or(0.0);
        Ok((share, self.back.clopper_pearson(alpha)?))
    }
}

/// Between which sizes the brink is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Brink {
    /// It comes back from the largest incident tried.
    Beyond(Tried),
    /// It does not come back even from the smallest.
    Below(Tried),
    /// Between the two: it mostly comes back from the first and mostly not from the second.
    Between(Tried, Tried),
}

impl Brink {
    /// The smallest size from which it mostly did not come back.
    #[must_use]
    pub fn smallest(&self) -> Option<Tried> {
        match self {
            Self::Beyond(_) => None,
            Self::Below(tried) | Self::Between(_, tried) => Some(*tried),
        }
    }
}

/// How the middle between two sizes is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    Linear,
    Geometric,
}

impl Spacing {
    fn middle(self, low: f64, high: f64) -> f64 {
        match self {
            Self::Linear => f64::midpoint(low, high),
            Self::Geometric => (low * high).sqrt(),
        }
    }
}

/// Looks for the brink among sizes from `smallest` to `largest`, until its ends are as near as `near` says. `came_back` runs an
/// incident of a size with the replications that it is told and says in which of them the service came back.
///
/// The runs that are reported are other ones than those that the search went by, so that the search does not colour them. Where
/// they disagree with the search, the size moves away from the brink.
pub(crate) fn find(
    (smallest, largest): (f64, f64),
    spacing: Spacing,
    near: impl Fn(f64, f64) -> bool,
    mut came_back: impl FnMut(f64, Range<u64>) -> Result<Vec<bool>, AssessError>,
) -> Result<Brink, AssessError> {
    let mut tried = |size: f64, runs: Range<u64>| -> Result<Tried, AssessError> {
        let size = said(size);
        let mut back = Successes::default();
        for success in came_back(size, runs)? {
            back.push(success);
        }
        Ok(Tried { size, back })
    };
    let search = 0..SEARCH_RUNS;
    let report = SEARCH_RUNS..SEARCH_RUNS + REPORT_RUNS;
    if tried(largest, search.clone())?.mostly_back() {
        let reported = tried(largest, report.clone())?;
        if reported.mostly_back() {
            return Ok(Brink::Beyond(reported));
        }
    }
    let mut sizes = vec![smallest];
    let mut failing = vec![largest];
    if !tried(smallest, search.clone())?.mostly_back() {
        let reported = tried(smallest, report.clone())?;
        if !reported.mostly_back() {
            return Ok(Brink::Below(reported));
        }
    }
    let (mut low, mut high) = (smallest, largest);
    for _ in 0..STEPS {
        if near(low, high) {
            break;
        }
        let middle = spacing.middle(low, high);
        if tried(middle, search.clone())?.mostly_back() {
            low = middle;
            sizes.push(middle);
        } else {
            high = middle;
            failing.push(middle);
        }
    }
    // From the brink outwards, the first size on each side on which the fresh runs agree.
    let mut last = None;
    while let Some(size) = sizes.pop() {
        let reported = tried(size, report.clone())?;
        if reported.mostly_back() {
            last = Some(reported);
            break;
        }
    }
    let mut first = None;
    while let Some(size) = failing.pop() {
        let reported = tried(size, report.clone())?;
        if !reported.mostly_back() {
            first = Some(reported);
            break;
        }
    }
    Ok(match (last, first) {
        (Some(last), Some(first)) => Brink::Between(last, first),
        (None, Some(first)) => Brink::Below(first),
        (Some(last), None) => Brink::Beyond(last),
        // Chance alone: fresh runs contradicted the search on both sides.
        (None, None) => Brink::Below(tried(smallest, report)?),
    })
}

/// A size as it is said, to three digits, so that what is said is what was run.
fn said(size: f64) -> f64 {
    format!("{size:.2e}").parse().unwrap_or(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(low: f64, high: f64) -> bool {
        high / low < 1.1
    }

    /// A service that comes back from everything smaller than a size.
    fn brink_at(size: f64) -> Brink {
        let came_back = |tried: f64, runs: Range<u64>| Ok(runs.map(|_| tried < size).collect());
        find((0.01, 60.0), Spacing::Geometric, near, came_back).unwrap()
    }

    #[test]
    fn a_brink_is_bracketed() {
        let Brink::Between(last, first) = brink_at(1.3) else {
            panic!("it is in the range");
        };
        assert!(last.size < 1.3 && first.size >= 1.3 && first.size / last.size < 1.1);
        assert_eq!((last.back.successes(), first.back.successes()), (REPORT_RUNS, 0));
    }

    #[test]
    fn outside_the_range_it_is_said_so() {
        assert!(matches!(brink_at(100.0), Brink::Beyond(tried) if (tried.size - 60.0).abs() < 1e-9));
        assert!(matches!(brink_at(0.001), Brink::Below(tried) if (tried.size - 0.01).abs() < 1e-9));
    }

    #[test]
    fn fresh_runs_overrule_the_search() {
        // The runs of the search come back from twice as much as the others.
        let came_back = |tried: f64, runs: Range<u64>| {
            Ok(runs
                .map(|run| tried < if run < SEARCH_RUNS { 2.0 } else { 1.0 })
                .collect())
        };
        match find((0.01, 60.0), Spacing::Geometric, near, came_back).unwrap() {
            Brink::Between(last, first) => assert!(last.size < 1.0 && first.size >= 2.0 && first.size < 2.2),
            other => panic!("{other:?}"),
        }
    }
}

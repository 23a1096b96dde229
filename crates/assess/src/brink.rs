//! The smallest incident of a kind from which a service does not come back.

use std::ops::Range;

use retrylab_verify::statistics::{ErrorRate, Interval, StatisticsError, Successes};

use crate::error::AssessError;

/// Runs of each incident while the brink is looked for: so many where they agree, and as many more again and again where not.
pub(crate) const SEARCH_BATCH: u64 = 2;
/// Runs of each incident at most while the brink is looked for.
const SEARCH_RUNS: u64 = 6;
/// Runs of the two incidents on both sides of it, whose shares are reported, at most.
pub(crate) const REPORT_RUNS: u64 = 16;
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
/// they disagree with the search, the size moves away from the brink, and the search goes on between the two sides by such runs.
pub(crate) fn find(
    (smallest, largest): (f64, f64),
    spacing: Spacing,
    near: impl Fn(f64, f64) -> bool,
    runs: u64,
    mut came_back: impl FnMut(f64, Range<u64>) -> Result<Vec<bool>, AssessError>,
) -> Result<Brink, AssessError> {
    let mut search = Search {
        came_back: &mut came_back,
        runs,
    };
    if search.expects(largest)? {
        let reported = search.reported(largest)?;
        if reported.mostly_back() {
            return Ok(Brink::Beyond(reported));
        }
    }
    if !search.expects(smallest)? {
        let reported = search.reported(smallest)?;
        if !reported.mostly_back() {
            return Ok(Brink::Below(reported));
        }
    }
    let (mut from, mut not_from) = (vec![smallest], vec![largest]);
    let (mut low, mut high) = (smallest, largest);
    for _ in 0..STEPS {
        if near(low, high) {
            break;
        }
        let middle = spacing.middle(low, high);
        if search.expects(middle)? {
            low = middle;
            from.push(middle);
        } else {
            high = middle;
            not_from.push(middle);
        }
    }
    // From the brink outwards, the first size on each side on which fresh runs agree.
    let (last, not_back) = search.first_of(from, Tried::mostly_back)?;
    let (first, back) = search.first_of(not_from, |tried| !tried.mostly_back())?;
    Ok(match (last, first) {
        // Where fresh runs contradicted the search on one side, the brink is beyond the last that did.
        (Some(last), Some(first)) => {
            let (last, first) = match (not_back, back) {
                (Some(not_back), None) => (last, not_back),
                (None, Some(back)) => (back, first),
                _ => (last, first),
            };
            let (last, first) = search.narrowed(last, first, spacing, near)?;
            Brink::Between(last, first)
        }
        (None, Some(first)) => Brink::Below(not_back.unwrap_or(first)),
        (Some(last), None) => Brink::Beyond(back.unwrap_or(last)),
        // Chance alone: fresh runs contradicted the search on both sides.
        (None, None) => Brink::Below(search.reported(smallest)?),
    })
}

/// Runs of incidents of any size.
struct Search<'a> {
    came_back: &'a mut dyn FnMut(f64, Range<u64>) -> Result<Vec<bool>, AssessError>,
    /// Runs of a size that is told.
    runs: u64,
}

impl Search<'_> {
    fn tried(&mut self, size: f64, runs: Range<u64>) -> Result<Tried, AssessError> {
        let size = said(size);
        let mut back = Successes::default();
        for success in (self.came_back)(size, runs)? {
            back.push(success);
        }
        Ok(Tried { size, back })
    }

    /// Whether the service mostly comes back from a size, by few runs: as soon as all of them agree, or by the majority.
    fn expects(&mut self, size: f64) -> Result<bool, AssessError> {
        let mut back = Successes::default();
        loop {
            let from = back.trials();
            back.merge(&self.tried(size, from..from + SEARCH_BATCH)?.back);
            let is_clear = back.successes() == 0 || back.successes() == back.trials();
            if is_clear || back.trials() >= SEARCH_RUNS {
                return Ok(2 * back.successes() > back.trials());
            }
        }
    }

    /// Runs of a size that are told.
    fn reported(&mut self, size: f64) -> Result<Tried, AssessError> {
        self.tried(size, SEARCH_RUNS..SEARCH_RUNS + self.runs)
    }

    /// The last of the sizes for which fresh runs show what is wanted, and the last before it for which they do not.
    fn first_of(
        &mut self,
        mut sizes: Vec<f64>,
        is_wanted: impl Fn(&Tried) -> bool,
    ) -> Result<(Option<Tried>, Option<Tried>), AssessError> {
        let mut contradicting = None;
        while let Some(size) = sizes.pop() {
            let reported = self.reported(size)?;
            if is_wanted(&reported) {
                return Ok((Some(reported), contradicting));
            }
            contradicting = Some(reported);
        }
        Ok((None, contradicting))
    }

    /// The two sides of the brink, brought as near to each other as they were before fresh runs moved one of them.
    fn narrowed(
        &mut self,
        mut last: Tried,
        mut first: Tried,
        spacing: Spacing,
        near: impl Fn(f64, f64) -> bool,
    ) -> Result<(Tried, Tried), AssessError> {
        for _ in 0..STEPS {
            if near(last.size, first.size) {
                break;
            }
            let middle = self.reported(spacing.middle(last.size, first.size))?;
            if middle.mostly_back() {
                last = middle;
            } else {
                first = middle;
            }
        }
        Ok((last, first))
    }
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
        find((0.01, 60.0), Spacing::Geometric, near, REPORT_RUNS, came_back).unwrap()
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
        match find((0.01, 60.0), Spacing::Geometric, near, REPORT_RUNS, came_back).unwrap() {
            Brink::Between(last, first) => {
                assert!(last.size < 1.0 && first.size >= 1.0, "{last:?} {first:?}");
                assert!(
                    first.size / last.size < 1.1,
                    "as near as asked: {last:?} {first:?}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

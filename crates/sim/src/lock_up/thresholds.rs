//! Where cycles are split.

/// A number of attempts in the system at which a cycle is split, and into how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// Attempts waiting and in service.
    pub in_system: u64,
    /// Branches.
    pub branches: u32,
}

/// Where cycles are split, from low to high.
///
/// The choice makes sampling quick or slow; the results are right with any. Sampling is quick where about as many branches
/// arrive at each threshold as cycles begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thresholds(Vec<Threshold>);

impl Thresholds {
    /// None: plain cycles.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// At every so many attempts in the system, into so many branches each, up to a top.
    #[must_use]
    pub fn spaced(spacing: u64, branches: u32, top: u64) -> Self {
        let spacing = spacing.max(1);
        let at = |index: u64| Threshold {
            in_system: index * spacing,
            branches: branches.max(1),
        };
        Self((1..=top / spacing).map(at).collect())
    }

    /// These, in increasing order.
    ///
    /// # Panics
    /// When they are in another order, or one of them has no branches.
    #[must_use]
    pub fn new(thresholds: Vec<Threshold>) -> Self {
        assert!(
            thresholds
                .windows(2)
                .all(|pair| pair[0].in_system < pair[1].in_system)
                && thresholds.iter().all(|threshold| threshold.branches > 0),
            "thresholds increase and have branches"
        );
        Self(thresholds)
    }

    /// One after the other.
    #[must_use]
    pub fn as_slice(&self) -> &[Threshold] {
        &self.0
    }

    /// Those below a number of attempts in the system.
    pub(super) fn below(mut self, in_system: u64) -> Self {
        self.0.retain(|threshold| threshold.in_system < in_system);
        self
    }
}

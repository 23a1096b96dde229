//! How much may be simulated before it is given up.

use std::sync::atomic::{AtomicU64, Ordering};

/// Events are taken from the allowance in parcels of so many.
pub(super) const PARCEL: u64 = 1 << 16;

/// Events that may be simulated, by all threads together.
///
/// Every event is counted, so that whether an amount of work fits does not depend on the number of threads.
#[derive(Debug)]
pub struct Allowance(AtomicU64);

impl Allowance {
    /// So many events.
    #[must_use]
    pub fn new(events: u64) -> Self {
        Self(AtomicU64::new(events))
    }

    /// As many events as it takes.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Events that are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes events; whether there were as many. Afterwards nothing is left if not.
    pub(super) fn take(&self, events: u64) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left.saturating_sub(events))
            })
            .is_ok_and(|before| before >= events)
    }
}

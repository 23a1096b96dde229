//! A number that goes up and down by one, and its integral over time.

/// The integral of a level n(t) from s to t is n(t) · t − n(s) · s − Σ Δn · u over its changes at times u, so that a change
/// costs one addition and time that passes costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Level {
    count: u64,
    /// Integral so far, less the present level times the present time.
    flow: i128,
}

impl Level {
    #[inline]
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    #[inline]
    pub(super) fn rise(&mut self, now: i64) {
        self.count += 1;
        self.flow -= i128::from(now);
    }

    #[inline]
    pub(super) fn fall(&mut self, now: i64) {
        self.count -= 1;
        self.flow += i128::from(now);
    }

    /// The integral since the last call, or since the start; begins another one.
    pub(super) fn take_area(&mut self, now: i64) -> u128 {
        let end = i128::from(self.count) * i128::from(now);
        let area = self.flow + end;
        self.flow = -end;
        area.unsigned_abs()
    }

    /// Moves the clock.
    pub(super) fn shift(&mut self, by: i64) {
        self.flow -= i128::from(self.count) * i128::from(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_level_times_length() {
        let mut level = Level::default();
        level.rise(10);
        level.rise(14);
        level.fall(20);
        // 1 · 4 + 2 · 6 + 1 · 5
        level.shift(-20);
        assert_eq!((level.take_area(5), level.count()), (21, 1));
        level.fall(8);
        assert_eq!((level.take_area(100), level.count()), (3, 0));
    }
}

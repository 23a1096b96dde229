//! Sums of squares that cannot overflow.

/// An exact sum of squares of 63-bit numbers: 192 bits, enough for 2^64 of them.
///
/// ```
/// let mut sum = retrylab_sim::WideSum::default();
/// sum.add_square(3);
/// sum.add_square(4);
/// assert_eq!(sum.to_f64(), 25.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WideSum {
    low: u128,
    high: u64,
}

impl WideSum {
    /// Adds the square of `value`.
    pub fn add_square(&mut self, value: u64) {
        let square = u128::from(value) * u128::from(value);
        let (low, carry) = self.low.overflowing_add(square);
        self.low = low;
        self.high += u64::from(carry);
    }

    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        let (low, carry) = self.low.overflowing_add(other.low);
        self.low = low;
        self.high += other.high + u64::from(carry);
    }

    /// The sum as the nearest floating-point number, give or take one rounding.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.high as f64 * libm::scalbn(1.0, 128) + self.low as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_beyond_128_bits() {
        let mut sum = WideSum::default();
        for _ in 0..5 {
            sum.add_square(u64::MAX);
        }
        let mut twice = sum;
        twice.add(&sum);
        // 5 (2^64 - 1)^2 = 5 · 2^128 - 5 · 2^65 + 5
        assert_eq!((sum.high, sum.low), (4, u128::MAX - (5 << 65) + 6));
        assert_eq!(twice.high, 9);
        assert!((sum.to_f64() / (5.0 * libm::scalbn(1.0, 128)) - 1.0).abs() < 1e-15);
    }
}

//! An estimate with its interval.

use std::fmt;

use super::{
    DIGITS_MAX, PLAIN, Rounding, magnitude, number, plain, power_of_ten, rounded, scaled, superscript,
};

/// An estimate and its interval, rounded alike.
///
/// ```
/// use retrylab_verify::report::numbers::Interval;
/// let success = Interval::new(0.863_11, 0.861_05, 0.865_17);
/// assert_eq!(success.to_string(), "0.8631 ± 0.0021");
/// assert_eq!(success.range(), "0.8610 to 0.8652");
/// let skewed = Interval::new(0.998, 0.991, 1.0);
/// assert_eq!(skewed.to_string(), "0.9980 (0.9910 to 1)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    estimate: String,
    low: String,
    high: String,
    half_width: Option<String>,
    power: Option<i32>,
}

impl Interval {
    /// Rounds an estimate and its interval.
    #[must_use]
    pub fn new(estimate: f64, low: f64, high: f64) -> Self {
        let reach = [high - estimate, estimate - low, (high - low) / 2.0]
            .into_iter()
            .filter(|reach| reach.is_finite() && *reach > 0.0)
            .fold(f64::INFINITY, f64::min);
        if !(reach.is_finite() && estimate.is_finite()) {
            return Self::without_width(estimate, low, high);
        }
        let half_width = if (high - low).is_finite() {
            (high - low) / 2.0
        } else {
            reach
        };
        let largest = [estimate, low, high].into_iter().filter(|end| end.is_finite());
        let top = magnitude(largest.fold(0.0, |top: f64, end| top.max(end.abs())), 1);
        let place = (magnitude(half_width, 2) - 1).max(top - DIGITS_MAX);
        let power = (!PLAIN.contains(&top)).then_some(top);
        let shift = power.unwrap_or(0);
        let (estimate, low, high) = (scaled(estimate, shift), scaled(low, shift), scaled(high, shift));
        let place = place - shift;
        Self {
            estimate: rounded(estimate, place, Rounding::Nearest),
            low: rounded(low, place, Rounding::Down),
            high: rounded(high, place, Rounding::Up),
            half_width: symmetric_half_width(estimate, low, high, place),
            power,
        }
    }

    fn without_width(estimate: f64, low: f64, high: f64) -> Self {
        Self {
            estimate: number(estimate),
            low: number(low),
            high: number(high),
            half_width: None,
            power: None,
        }
    }

    /// The estimate.
    #[must_use]
    pub fn estimate(&self) -> String {
        self.with_power(&self.estimate, false)
    }

    /// Both ends, such as `0.8609 to 0.8652`.
    #[must_use]
    pub fn range(&self) -> String {
        let range = if self.low == self.high {
            format!("exactly {}", self.low)
        } else {
            format!("{} to {}", self.low, self.high)
        };
        self.with_power(&range, true)
    }

    fn with_power(&self, text: &str, several: bool) -> String {
        match self.power {
            None => text.to_owned(),
            Some(power) if several => format!("({text}) × 10{}", superscript(power)),
            Some(power) => format!("{text} × 10{}", superscript(power)),
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.half_width {
            Some(half_width) => {
                f.write_str(&self.with_power(&format!("{} ± {half_width}", self.estimate), true))
            }
            None if self.low == self.high && self.estimate == self.low => f.write_str(&self.estimate()),
            None => write!(f, "{} ({})", self.estimate(), self.range()),
        }
    }
}

/// The half-width of an interval that is symmetric as far as its printed digits tell, rounded so that the printed
/// estimate plus or minus it covers the interval.
fn symmetric_half_width(estimate: f64, low: f64, high: f64, place: i32) -> Option<String> {
    let (below, above) = (estimate - low, high - estimate);
    let unit = power_of_ten(place);
    // A side up to a tenth wider than the other is printed for both.
    let slack = unit.max(0.1 * above.min(below));
    let symmetric = (above - below).abs() <= slack && below > 0.0 && above > 0.0;
    symmetric.then(|| {
        let printed = plain(estimate, place).parse().unwrap_or(estimate);
        let cover = (high - printed).max(printed - low);
        // Differences of decimal numbers are inexact in their last bits; that alone must not cost a whole unit.
        rounded(cover - unit * 1e-6, place, Rounding::Up)
    })
}

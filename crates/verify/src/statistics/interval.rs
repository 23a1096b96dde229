//! Intervals with the probability of error that they were built for.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{
    error::{StatisticsError, require},
    error_rate::ErrorRate,
};

/// A closed interval [low, high] that misses its target with probability at most `alpha`.
///
/// A computed value, or a range that is certain, has `alpha` 0. Serialised as low, high and confidence.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, Interval};
/// let interval = Interval::new(0.94, 0.96, ErrorRate::new(1e-3)?)?;
/// assert!(interval.contains(0.95) && !interval.contains(0.97));
/// assert_eq!(interval.confidence(), 0.999);
/// assert!((interval.width() - 0.02).abs() < 1e-15);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    alpha: f64,
}

impl Interval {
    /// The interval [low, high] with error probability at most `alpha`.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] unless both ends are finite and low ≤ high.
    pub fn new(low: f64, high: f64, alpha: ErrorRate) -> Result<Self, StatisticsError> {
        Ok(Self {
            alpha: alpha.value(),
            ..Self::certain(low, high)?
        })
    }

    /// The range [low, high] that holds for certain: the numbers that print alike, a proven bound.
    ///
    /// # Errors
    /// As [`Interval::new`].
    pub fn certain(low: f64, high: f64) -> Result<Self, StatisticsError> {
        require("lower end of an interval", low, "finite", true)?;
        require(
            "upper end of an interval",
            high,
            "finite and not below the lower end",
            low <= high,
        )?;
        Ok(Self {
            low,
            high,
            alpha: 0.0,
        })
    }

    /// The single point of a computed value.
    ///
    /// # Errors
    /// As [`Interval::new`].
    pub fn exact(value: f64) -> Result<Self, StatisticsError> {
        Self::certain(value, value)
    }

    /// Lower end.
    #[must_use]
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Upper end.
    #[must_use]
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Probability of missing the target: 0 when the interval is certain.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// 1 − alpha.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        1.0 - self.alpha
    }

    /// high − low.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// The point half-way between the ends.
    #[must_use]
    pub fn midpoint(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Whether low ≤ value ≤ high.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether every point of this interval is a point of `other`; common ends count as inside.
    #[must_use]
    pub fn inside(&self, other: &Self) -> bool {
        other.contains(self.low) && other.contains(self.high)
    }

    /// Whether the two have no point in common; a common end is a common point.
    #[must_use]
    pub fn disjoint(&self, other: &Self) -> bool {
        self.high < other.low || other.high < self.low
    }

    /// Both ends moved outwards by `distance` ≥ 0.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for a negative or non-finite distance.
    pub fn widened(&self, distance: f64) -> Result<Self, StatisticsError> {
        require("distance", distance, "finite and at least 0", distance >= 0.0)?;
        Ok(Self {
            low: self.low - distance,
            high: self.high + distance,
            alpha: self.alpha,
        })
    }

    /// The part within a range that the target is known to lie in. Where estimation went wholly beyond the
    /// range, its nearest end remains.
    #[must_use]
    pub fn within(&self, range: &Self) -> Self {
        Self {
            low: self.low.clamp(range.low, range.high),
            high: self.high.clamp(range.low, range.high),
            alpha: self.alpha,
        }
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Interval", 3)?;
        fields.serialize_field("low", &self.low)?;
        fields.serialize_field("high", &self.high)?;
        fields.serialize_field("confidence", &self.confidence())?;
        fields.end()
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the values compared are exact")]
mod tests {
    use super::*;

    fn certain(low: f64, high: f64) -> Interval {
        Interval::certain(low, high).unwrap()
    }

    #[test]
    fn ends_belong_to_the_interval() {
        let unit = certain(0.0, 1.0);
        assert!(unit.contains(0.0) && unit.contains(1.0));
        assert!(unit.inside(&unit));
        assert!(!unit.disjoint(&certain(1.0, 2.0)) && unit.disjoint(&certain(1.0 + f64::EPSILON, 2.0)));
        assert!(!unit.disjoint(&certain(-1.0, 0.0)) && unit.disjoint(&certain(-1.0, -f64::EPSILON)));
        assert!(!certain(0.5, 1.5).inside(&unit) && !certain(-0.5, 0.5).inside(&unit));
    }

    #[test]
    fn a_range_cuts_off_what_cannot_be() {
        let unit = certain(0.0, 1.0);
        assert_eq!(certain(-0.5, 0.5).within(&unit), certain(0.0, 0.5));
        assert_eq!(certain(1.25, 1.5).within(&unit), certain(1.0, 1.0));
        assert_eq!(certain(0.25, 0.5).widened(0.25).unwrap(), certain(0.0, 0.75));
        assert_eq!(certain(0.25, 0.75).midpoint(), 0.5);
    }

    #[test]
    fn disordered_and_non_finite_ends_are_refused() {
        assert!(Interval::certain(1.0, 0.0).is_err());
        assert!(Interval::certain(f64::NAN, 0.0).is_err());
        assert!(Interval::certain(0.0, f64::NAN).is_err());
        assert!(Interval::certain(0.0, f64::INFINITY).is_err());
        assert!(certain(0.0, 1.0).widened(-1.0).is_err());
    }

    #[test]
    fn serialises_low_high_and_confidence() {
        let interval = Interval::new(0.25, 0.5, ErrorRate::new(1e-9).unwrap()).unwrap();
        assert_eq!(
            serde_json::to_string(&interval).unwrap(),
            r#"{"low":0.25,"high":0.5,"confidence":0.999999999}"#
        );
        assert_eq!(interval.alpha(), 1e-9);
    }
}

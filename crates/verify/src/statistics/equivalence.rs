//! Decisions: shown to agree, shown to differ, or neither yet.

use serde::Serialize;

use super::{
    error::{StatisticsError, require},
    interval::Interval,
};

/// What an interval says about a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The whole interval meets the criterion: agreement within the margin, or the bound, was shown.
    Equivalent,
    /// No point of the interval meets the criterion: the difference was shown.
    Different,
    /// Some points do and some do not: the sample is too small to tell.
    Undecided,
}

/// How far a value may lie from its reference and still count as equal to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Margin {
    /// A distance in the quantity's own unit.
    Absolute(f64),
    /// A fraction of the reference's absolute value.
    Relative(f64),
}

/// The values that a criterion accepts: a closed interval, or a half-line.
///
/// ```
/// use retrylab_verify::statistics::{Decision, ErrorRate, Interval, Margin, Region};
/// let region = Region::around(&Interval::exact(5.0)?, Margin::Relative(0.01))?;
/// let measured = Interval::new(4.97, 5.02, ErrorRate::new(1e-4)?)?;
/// assert_eq!(region.judge(&measured), Decision::Equivalent);
/// assert_eq!(Region::at_least(5.0)?.judge(&measured), Decision::Undecided);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    low: f64,
    high: f64,
}

impl Region {
    /// All values within `margin` of some value of `reference`.
    ///
    /// A relative margin is taken of each end's own absolute value, so it is zero at a reference of zero.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for a negative or non-finite margin.
    pub fn around(reference: &Interval, margin: Margin) -> Result<Self, StatisticsError> {
        let accepted = "finite and at least 0";
        let (below, above) = match margin {
            Margin::Absolute(distance) => {
                require("absolute margin", distance, accepted, distance >= 0.0)?;
                (distance, distance)
            }
            Margin::Relative(fraction) => {
                require("relative margin", fraction, accepted, fraction >= 0.0)?;
                (
                    fraction * reference.low().abs(),
                    fraction * reference.high().abs(),
                )
            }
        };
        Ok(Self {
            low: reference.low() - below,
            high: reference.high() + above,
        })
    }

    /// All values of at least `bound`.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for a bound that is not finite.
    pub fn at_least(bound: f64) -> Result<Self, StatisticsError> {
        Ok(Self {
            low: require("bound", bound, "finite", true)?,
            high: f64::INFINITY,
        })
    }

    /// All values of at most `bound`.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for a bound that is not finite.
    pub fn at_most(bound: f64) -> Result<Self, StatisticsError> {
        Ok(Self {
            low: f64::NEG_INFINITY,
            high: require("bound", bound, "finite", true)?,
        })
    }

    /// Smallest accepted value, −∞ for [`Region::at_most`].
    #[must_use]
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Largest accepted value, ∞ for [`Region::at_least`].
    #[must_use]
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Equivalent when the interval lies inside the region, different when they have no point in common.
    ///
    /// For a region with two ends and an interval of error rate α this is the pair of one-sided tests of
    /// Schuirmann (1987), each at level α/2: agreement is concluded wrongly with probability at most α/2 at
    /// any true value outside the region, and a difference with probability at most α at any true value
    /// inside.
    #[must_use]
    pub fn judge(&self, interval: &Interval) -> Decision {
        if interval.high() < self.low || self.high < interval.low() {
            Decision::Different
        } else if self.low <= interval.low() && interval.high() <= self.high {
            Decision::Equivalent
        } else {
            Decision::Undecided
        }
    }
}

impl From<Interval> for Region {
    /// The values of an interval, all of them accepted.
    fn from(interval: Interval) -> Self {
        Self {
            low: interval.low(),
            high: interval.high(),
        }
    }
}

/// Whether `interval` shows agreement with `reference` within `margin`: [`Region::around`] and
/// [`Region::judge`].
///
/// # Errors
/// As [`Region::around`].
///
/// ```
/// use retrylab_verify::statistics::{Decision, ErrorRate, Interval, Margin, decide};
/// let measured = Interval::new(0.862, 0.866, ErrorRate::new(1e-3)?)?;
/// let closed_form = Interval::exact(1.0 - (-2.0_f64).exp())?;
/// assert_eq!(decide(&measured, &closed_form, Margin::Absolute(0.005))?, Decision::Equivalent);
/// assert_eq!(decide(&measured, &closed_form, Margin::Absolute(0.002))?, Decision::Undecided);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn decide(
    interval: &Interval,
    reference: &Interval,
    margin: Margin,
) -> Result<Decision, StatisticsError> {
    Ok(Region::around(reference, margin)?.judge(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certain(low: f64, high: f64) -> Interval {
        Interval::certain(low, high).unwrap()
    }

    #[test]
    fn touching_counts_as_common_and_ends_count_as_inside() {
        let reference = certain(0.0, 1.0);
        let judge = |low, high| decide(&certain(low, high), &reference, Margin::Absolute(0.5)).unwrap();
        assert_eq!(judge(-0.5, 1.5), Decision::Equivalent);
        assert_eq!(judge(-0.5625, 1.5), Decision::Undecided);
        assert_eq!(judge(-0.5, 1.5625), Decision::Undecided);
        assert_eq!(judge(1.5, 2.0), Decision::Undecided);
        assert_eq!(judge(1.5625, 2.0), Decision::Different);
        assert_eq!(judge(-2.0, -0.5), Decision::Undecided);
        assert_eq!(judge(-2.0, -0.5625), Decision::Different);
        assert_eq!(judge(-9.0, 9.0), Decision::Undecided);
    }

    #[test]
    fn a_relative_margin_scales_with_the_reference_of_either_sign() {
        for reference in [-8.0, 8.0] {
            let region =
                Region::around(&Interval::exact(reference).unwrap(), Margin::Relative(0.25)).unwrap();
            assert_eq!((region.low(), region.high()), (reference - 2.0, reference + 2.0));
        }
        let region = Region::around(&certain(-4.0, 8.0), Margin::Relative(0.25)).unwrap();
        assert_eq!((region.low(), region.high()), (-5.0, 10.0));
    }

    #[test]
    fn one_sided_bounds_are_met_at_the_bound() {
        let (least, most) = (Region::at_least(1.0).unwrap(), Region::at_most(1.0).unwrap());
        assert_eq!(least.judge(&certain(1.0, 9.0)), Decision::Equivalent);
        assert_eq!(least.judge(&certain(0.5, 9.0)), Decision::Undecided);
        assert_eq!(least.judge(&certain(0.5, 0.75)), Decision::Different);
        assert_eq!(most.judge(&certain(-9.0, 1.0)), Decision::Equivalent);
        assert_eq!(most.judge(&certain(-9.0, 1.5)), Decision::Undecided);
        assert_eq!(most.judge(&certain(1.25, 1.5)), Decision::Different);
    }

    #[test]
    fn margins_and_bounds_that_mean_nothing_are_refused() {
        let reference = certain(1.0, 1.0);
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(Region::around(&reference, Margin::Absolute(bad)).is_err());
            assert!(Region::around(&reference, Margin::Relative(bad)).is_err());
        }
        assert!(Region::at_least(f64::NAN).is_err() && Region::at_most(f64::INFINITY).is_err());
    }
}

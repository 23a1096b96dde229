//! A number that theory and simulation both give, and how far apart they may be.

use retrylab_sim::{Counts, Measure};
use retrylab_verify::statistics::{Interval, Margin, Region};

/// Relative margin of a mean: the relative error of a closed form from which on it is rejected.
const MEAN_MARGIN: f64 = 0.02;
/// Margin of a share, relative to the smaller of the share and its complement: 1 % more success at 99 % is no small matter.
const SHARE_MARGIN: f64 = 0.01;
/// As [`SHARE_MARGIN`], of a tail. An error of 1 % in a rate moves a tail by several percent.
const TAIL_MARGIN: f64 = 0.04;
/// Smallest margin of a share or tail, so that what hardly ever happens need not be simulated for ever.
const SHARE_MARGIN_MIN: f64 = 0.002;

/// Reads numerator and denominator from what one replication left behind.
pub(crate) type Read<R> = Box<dyn Fn(&R) -> (f64, f64) + Send + Sync>;

/// A number as theory gives it, and how replications of type `R` give it: the ratio of two expectations.
pub(crate) struct Number<R> {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    /// How far the simulated number may lie from the value.
    pub(crate) margin: f64,
    pub(crate) read: Read<R>,
}

impl<R> Number<R> {
    /// A mean.
    pub(crate) fn mean(name: &'static str, value: f64, read: Read<R>) -> Self {
        Self::moment(1, name, value, read)
    }

    /// A mean power of a time: an error of 1 % in times is one of `order` percent in it, and the margin is as much wider.
    pub(crate) fn moment(order: u32, name: &'static str, value: f64, read: Read<R>) -> Self {
        let margin = MEAN_MARGIN * f64::from(order) * value.abs();
        Self {
            name,
            value,
            margin,
            read,
        }
    }

    /// A share of time or of attempts, or a probability.
    pub(crate) fn share(name: &'static str, value: f64, read: Read<R>) -> Self {
        let margin = (SHARE_MARGIN * value.min(1.0 - value)).max(SHARE_MARGIN_MIN);
        Self {
            name,
            value,
            margin,
            read,
        }
    }

    /// The probability that a time is longer than another.
    pub(crate) fn tail(name: &'static str, value: f64, read: Read<R>) -> Self {
        let margin = (TAIL_MARGIN * value.min(1.0 - value)).max(SHARE_MARGIN_MIN);
        Self {
            name,
            value,
            margin,
            read,
        }
    }

    /// The values within the margin.
    pub(crate) fn region(&self) -> Region {
        let value = Interval::exact(self.value).unwrap();
        Region::around(&value, Margin::Absolute(self.margin)).unwrap()
    }
}

/// Reads a measure of the simulator.
pub(crate) fn of(measure: Measure) -> Read<Counts> {
    Box::new(move |counts| counts.measure(measure))
}

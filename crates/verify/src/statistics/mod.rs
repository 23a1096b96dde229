//! The statistics that verdicts stand on: estimates, intervals, decisions, and the error rates they share.
//!
//! Everything here is a pure function or a small value, without knowledge of claims or simulation.
//!
//! 1. **Collect.** [`Moments`], [`RatioMoments`] and [`Successes`] accumulate one observation per independent
//!    replication and merge in a fixed order, so that the same replications give the same bits.
//! 2. **Estimate.** Each kind of quantity has an interval: [`mean_interval`], [`RatioMoments::interval`],
//!    [`Successes::clopper_pearson`], [`quantile_interval`]; for observations in a known range
//!    [`ranged_mean_interval`] and, without any approximation, [`bounded_mean_interval`]. A sample that does
//!    not vary never gets a width of zero.
//! 3. **Look repeatedly.** [`Spending`] shares a claim's error rate among its looks, [`Batches`] says when to
//!    look, [`bonferroni`] shares a run's error rate among its claims.
//! 4. **Decide.** [`Region::judge`] and [`decide`]: equivalent within a margin, different, or undecided.
//!    [`Quoted`] is the range of values that a printed number can stand for.
//! 5. **Know what would have been caught.** [`detectable_relative_error`], [`equivalence_sample_size`].
//! 6. **Check the assumptions.** [`mm1_warm_up`], [`mser5`], [`autocorrelation`], [`effective_sample_size`].
//!
//! Coverage, size and power of all of it are measured in `tests/statistics_*.rs`.

mod bounded;
mod critical;
mod equivalence;
mod error;
mod error_rate;
mod interval;
mod mean;
mod moments;
mod multiplicity;
mod power;
mod proportion;
mod quantile;
mod quoted;
mod ratio;
mod series;
mod spectrum;
mod spending;
mod tails;
mod warm_up;

pub use bounded::{bounded_mean_interval, ranged_mean_interval};
pub use critical::{normal_critical_value, student_critical_value};
pub use equivalence::{Decision, Margin, Region, decide};
pub use error::StatisticsError;
pub use error_rate::ErrorRate;
pub use interval::Interval;
pub use mean::{SKEWNESS_MAX, mean_interval, skewness_of_mean_bound, student_interval};
pub use moments::Moments;
pub use multiplicity::{bonferroni, holm_adjusted};
pub use power::{detectable_difference, detectable_relative_error, equivalence_sample_size};
pub use proportion::Successes;
pub use quantile::quantile_interval;
pub use quoted::{Quoted, Reproduction};
pub use ratio::RatioMoments;
pub use series::{Cycle, autocorrelation, batch_means, batch_means_interval, cycle, effective_sample_size};
pub use spectrum::{band_power, periodogram};
pub use spending::{Batches, Spending};
pub use warm_up::{mm1_warm_up, mser5, relaxation_time};

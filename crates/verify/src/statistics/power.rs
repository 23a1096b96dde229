//! What a sample can show: sizes needed and differences detected, in the normal approximation.

use super::{
    critical::normal_critical_value,
    error::{StatisticsError, require},
    error_rate::ErrorRate,
};

/// The replications needed to show equivalence within ± `margin` with probability at least `power`.
///
/// `n = ⌈(σ (z_α + z_β)/(m − |δ|))²⌉`, with `z_α` the upper α/2 quantile of the interval's own error rate α,
/// `z_β` the upper (1 − power)/2 quantile (either end may fail), m the margin, δ the true difference and σ
/// one replication's standard deviation (Julious, "Sample sizes for clinical trials with normal data", 2004,
/// with both ends' failures charged equally). Exact at δ = 0 and safe elsewhere.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] unless σ ≥ 0, |δ| < m and ½ ≤ power < 1.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, equivalence_sample_size};
/// let alpha = ErrorRate::new(0.05)?;
/// // (1.95996 + 2.57583)² · 100 = 2057.3…
/// assert_eq!(equivalence_sample_size(1.0, 0.1, 0.0, alpha, 0.99)?, 2058);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn equivalence_sample_size(
    standard_deviation: f64,
    margin: f64,
    difference: f64,
    alpha: ErrorRate,
    power: f64,
) -> Result<u64, StatisticsError> {
    let accepted = "finite and at least 0";
    require(
        "standard deviation",
        standard_deviation,
        accepted,
        standard_deviation >= 0.0,
    )?;
    require("margin", margin, "finite and above 0", margin > 0.0)?;
    require(
        "difference",
        difference,
        "smaller than the margin",
        difference.abs() < margin,
    )?;
    let failure = failure_rate(power)?;
    let critical = normal_critical_value(alpha.halved()) + normal_critical_value(failure.halved());
    let ratio = standard_deviation * critical / (margin - difference.abs());
    Ok((ratio * ratio).ceil().max(1.0) as u64)
}

/// The smallest difference from the reference that an interval of error rate α shows to exceed ± `margin`,
/// with probability at least `power`: `m + s (z_α + z_β)`.
///
/// s is the standard error of the estimate, `z_α` the upper α/2 and `z_β` the upper (1 − power) quantile.
/// With s known from a run, this is the error that the run would have caught; divided by the reference's
/// absolute value, the relative error of a closed form that it would have caught
/// ([`detectable_relative_error`]).
///
/// # Errors
/// [`StatisticsError::OutOfRange`] for a negative margin or standard error, or a power outside [½, 1).
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, detectable_difference};
/// let difference = detectable_difference(0.01, 0.05, ErrorRate::new(0.05)?, 0.99)?;
/// assert!((difference - (0.05 + 0.01 * (1.959964 + 2.326348))).abs() < 1e-7);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn detectable_difference(
    standard_error: f64,
    margin: f64,
    alpha: ErrorRate,
    power: f64,
) -> Result<f64, StatisticsError> {
    let accepted = "finite and at least 0";
    require("standard error", standard_error, accepted, standard_error >= 0.0)?;
    require("margin", margin, accepted, margin >= 0.0)?;
    let failure = failure_rate(power)?;
    Ok(margin + standard_error * (normal_critical_value(alpha.halved()) + normal_critical_value(failure)))
}

/// The smallest relative error ε ≥ 0 of a closed form, true value `value` · (1 ± ε), that is detected with
/// probability `power` when the margin is ± `relative_margin` of the (wrong) closed form.
///
/// A closed form that is off by the factor 1 ± ε carries its margin with it, m (1 ± ε)|value|, so the
/// distance to show is ε|value| − m(1 + ε)|value| in the worse case: ε = (m + d)/(1 − m) with `d = s (z_α +
/// z_β)/|value|`.
///
/// # Errors
/// As [`detectable_difference`], and for a value of 0 or a relative margin that is not below 1.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, detectable_relative_error};
/// let error = detectable_relative_error(2.0, 0.002, 0.01, ErrorRate::new(0.05)?, 0.99)?;
/// assert!((error - (0.01 + 0.001 * (1.959964 + 2.326348)) / 0.99).abs() < 1e-8);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn detectable_relative_error(
    value: f64,
    standard_error: f64,
    relative_margin: f64,
    alpha: ErrorRate,
    power: f64,
) -> Result<f64, StatisticsError> {
    require("value", value, "finite and not 0", value.abs() > 0.0)?;
    let margin = require(
        "relative margin",
        relative_margin,
        "at least 0 and below 1",
        (0.0..1.0).contains(&relative_margin),
    )?;
    let beyond = detectable_difference(standard_error, 0.0, alpha, power)? / value.abs();
    Ok((margin + beyond) / (1.0 - margin))
}

/// The probability of not showing what is to be shown.
fn failure_rate(power: f64) -> Result<ErrorRate, StatisticsError> {
    require(
        "power",
        power,
        "at least 1/2 and below 1",
        (0.5..1.0).contains(&power),
    )?;
    ErrorRate::new(1.0 - power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(alpha: f64) -> ErrorRate {
        ErrorRate::new(alpha).unwrap()
    }

    #[test]
    fn half_the_room_needs_four_times_the_sample() {
        let size =
            |margin, difference| equivalence_sample_size(1.0, margin, difference, rate(1e-6), 0.9).unwrap();
        let (whole, half) = (size(0.01, 0.0), size(0.01, -0.005));
        assert!((half as f64 / whole as f64 - 4.0).abs() < 1e-4);
        assert_eq!(half, size(0.005, 0.0));
        assert_eq!(
            equivalence_sample_size(0.0, 0.1, 0.0, rate(0.05), 0.9).unwrap(),
            1
        );
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        assert!(equivalence_sample_size(1.0, 0.1, 0.1, rate(0.05), 0.9).is_err());
        assert!(equivalence_sample_size(1.0, 0.1, 0.0, rate(0.05), 1.0).is_err());
        assert!(equivalence_sample_size(f64::NAN, 0.1, 0.0, rate(0.05), 0.9).is_err());
        assert!(detectable_difference(-1.0, 0.1, rate(0.05), 0.9).is_err());
        assert!(detectable_relative_error(0.0, 0.1, 0.1, rate(0.05), 0.9).is_err());
        assert!(detectable_relative_error(1.0, 0.1, 1.0, rate(0.05), 0.9).is_err());
    }
}

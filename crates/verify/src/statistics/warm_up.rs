//! How long a system that starts empty must run before its observations count.

use super::error::{StatisticsError, require};

/// Observations that are averaged into one batch by [`mser5`].
const MSER_BATCH: usize = 5;

/// The relaxation time of M/M/1, 1/(√μ − √λ)²: the reciprocal of the spectral gap of its number in system.
///
/// Domain: 0 ≤ λ < μ; result in the unit of time of the rates. Source: Karlin & McGregor (1958); Abate &
/// Whitt, "Transient behavior of the M/M/1 queue: starting at the origin" (1987).
///
/// # Errors
/// [`StatisticsError::OutOfRange`] outside the domain.
///
/// ```
/// use retrylab_verify::statistics::relaxation_time;
/// assert!((relaxation_time(0.81, 1.0)? - 100.0).abs() < 1e-9);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn relaxation_time(arrival_rate: f64, service_rate: f64) -> Result<f64, StatisticsError> {
    require("service rate", service_rate, "above 0", service_rate > 0.0)?;
    let accepted = "at least 0 and below the service rate";
    require(
        "arrival rate",
        arrival_rate,
        accepted,
        arrival_rate >= 0.0 && arrival_rate < service_rate,
    )?;
    // (√μ − √λ)² = ((μ − λ)/(√μ + √λ))², which does not cancel near saturation.
    let gap = (service_rate - arrival_rate) / (service_rate.sqrt() + arrival_rate.sqrt());
    Ok(1.0 / (gap * gap))
}

/// A warm-up after which the mean number in system of M/M/1, started empty, is within a relative `bias` of
/// its limit.
///
/// The number in system is a reversible chain with spectral gap 1/τ, so started at 0 the expectation of any f
/// differs from its limit by at most sd(f) √(1/π₀ − 1) e^(−t/τ) (Diaconis & Stroock 1991, in its L² form).
/// With π₀ = 1 − ρ, and mean ρ/(1 − ρ) and standard deviation √ρ/(1 − ρ) of the number in system, the
/// relative bias at t is at most e^(−t/τ)/√(1 − ρ): the warm-up is τ ln(1/(bias √(1 − ρ))), 0 where that is
/// negative. The true bias decays faster, by a factor t^(−3/2): this is a bound, not an estimate.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] as [`relaxation_time`], or for a bias that is not above 0.
///
/// ```
/// use retrylab_verify::statistics::mm1_warm_up;
/// // τ = 1/(1 − √0.8)² = 89.7…; ln(1/(0.001 √0.2)) = 7.71…
/// assert!((mm1_warm_up(0.8, 1.0, 1e-3)? - 691.9).abs() < 0.1);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn mm1_warm_up(arrival_rate: f64, service_rate: f64, bias: f64) -> Result<f64, StatisticsError> {
    require("bias", bias, "above 0", bias > 0.0)?;
    let relaxation = relaxation_time(arrival_rate, service_rate)?;
    let idle = (service_rate - arrival_rate) / service_rate;
    Ok((relaxation * -(bias * idle.sqrt()).ln()).max(0.0))
}

/// The number of leading observations that the rule MSER-5 discards: a check of a chosen warm-up on a series.
///
/// Averages batches of five, then drops the d batches for which Σ(batch − mean)²/(kept)², the squared
/// standard error of the mean of what is kept, is smallest (White, "An effective truncation heuristic for
/// bias reduction in simulation output", 1997; Spratt 1998). d is sought in the first half only; none when it
/// lies at the end of that half, where the rule says that the series is too short to tell, or when there are
/// fewer than ten batches.
///
/// ```
/// use retrylab_verify::statistics::mser5;
/// let series: Vec<f64> = (0..500).map(|i| if i < 100 { 50.0 } else { f64::from(i % 3) }).collect();
/// assert_eq!(mser5(&series), Some(100));
/// ```
#[must_use]
pub fn mser5(series: &[f64]) -> Option<usize> {
    let batches: Vec<f64> = series
        .chunks_exact(MSER_BATCH)
        .map(|batch| batch.iter().sum::<f64>() / MSER_BATCH as f64)
        .collect();
    if batches.len() < 10 {
        return None;
    }
    let candidates = batches.len() / 2;
    // Backwards, so that each truncation adds one batch to the moments of the next.
    let mut moments = super::Moments::default();
    let mut best = (f64::INFINITY, 0);
    for (dropped, &batch) in batches.iter().enumerate().rev() {
        moments.push(batch);
        let error = moments.standard_error().unwrap_or(f64::INFINITY);
        if dropped <= candidates && error <= best.0 {
            best = (error, dropped);
        }
    }
    (best.1 < candidates).then_some(best.1 * MSER_BATCH)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the values compared are exact")]
mod tests {
    use super::*;

    /// E[number in system at t] of M/M/1 from empty, by uniformisation on enough states that none is missed.
    fn mean_number_at(arrival_rate: f64, service_rate: f64, time: f64) -> f64 {
        let states = 600;
        let total = arrival_rate + service_rate;
        let (up, down) = (arrival_rate / total, service_rate / total);
        let mut state = vec![0.0; states];
        state[0] = 1.0;
        let (mut mean, mut weight_left) = (0.0, 1.0);
        let jumps = total * time;
        let mut step = 0.0;
        while weight_left > 1e-12 && step < 2.0 * jumps + 100.0 {
            let ln_weight = step * jumps.ln() - jumps - statrs::function::gamma::ln_gamma(step + 1.0);
            let weight = ln_weight.exp();
            weight_left -= weight;
            mean += weight * state.iter().enumerate().map(|(n, p)| n as f64 * p).sum::<f64>();
            let mut next = vec![0.0; states];
            next[0] = down * (state[0] + state[1]);
            for n in 1..states - 1 {
                next[n] = up * state[n - 1] + down * state[n + 1];
            }
            next[states - 1] = up * (state[states - 2] + state[states - 1]);
            state = next;
            step += 1.0;
        }
        mean
    }

    #[test]
    fn the_bias_after_the_warm_up_is_below_what_was_asked() {
        for (load, bias) in [(0.3, 1e-2), (0.5, 1e-3), (0.8, 1e-2)] {
            let warm_up = mm1_warm_up(load, 1.0, bias).unwrap();
            let limit = load / (1.0 - load);
            let remaining = 1.0 - mean_number_at(load, 1.0, warm_up) / limit;
            assert!(remaining.abs() < bias, "{load}: {remaining} after {warm_up}");
            // A tenth of it would not do, so the bound is not idle.
            let early = 1.0 - mean_number_at(load, 1.0, 0.1 * warm_up) / limit;
            assert!(early > bias, "{load}: {early} after a tenth of {warm_up}");
        }
    }

    #[test]
    fn saturation_has_no_warm_up_and_no_traffic_needs_none() {
        assert!(relaxation_time(1.0, 1.0).is_err() && mm1_warm_up(0.5, 1.0, 0.0).is_err());
        assert!(relaxation_time(f64::NAN, 1.0).is_err() && relaxation_time(0.5, 0.0).is_err());
        assert_eq!(relaxation_time(0.0, 4.0).unwrap(), 0.25);
        assert_eq!(mm1_warm_up(0.0, 1.0, 1.0).unwrap(), 0.0);
        let near = relaxation_time(1.0 - 1e-12, 1.0).unwrap();
        assert!((near / 4e24 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_stationary_series_is_kept_and_a_trend_is_too_short_to_tell() {
        let alternating: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % 101)).collect();
        assert!(mser5(&alternating).unwrap() < 250);
        let trend: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(mser5(&trend), None);
        assert_eq!(mser5(&alternating[..49]), None);
    }
}

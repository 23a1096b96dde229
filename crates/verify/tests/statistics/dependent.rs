//! Dependent observations: autocorrelation, effective sample size, batch means, truncation of a transient.

use retrylab_verify::statistics::{
    Moments, autocorrelation, batch_means, batch_means_interval, cycle, effective_sample_size, mser5,
    normal_critical_value, student_interval,
};

use crate::sample::{Source, assert_at_most, assert_caught, observed, rate};

const COEFFICIENT: f64 = 0.8;

/// A stationary autoregressive series xₜ = φ xₜ₋₁ + noise with mean 0, started in its stationary
/// distribution.
fn autoregressive(source: &mut Source, length: usize) -> Vec<f64> {
    let mut value = source.normal() / (1.0 - COEFFICIENT * COEFFICIENT).sqrt();
    (0..length)
        .map(|_| {
            value = COEFFICIENT * value + source.normal();
            value
        })
        .collect()
}

#[test]
fn the_autocorrelation_of_an_autoregression_is_a_power_of_its_coefficient() {
    let series = autoregressive(&mut Source::new(81), 100_000);
    let values = autocorrelation(&series, 10).unwrap();
    for (lag, value) in values.into_iter().enumerate() {
        let exact = COEFFICIENT.powi(i32::try_from(lag).unwrap());
        // Bartlett's formula: standard errors up to √((1 + φ²)/(1 − φ²)/n) = 0.0067; five of them.
        assert!((value - exact).abs() < 0.034, "lag {lag}: {value} for {exact}");
    }
}

#[test]
fn the_effective_sample_size_of_an_autoregression_is_known() {
    let series = autoregressive(&mut Source::new(82), 100_000);
    let effective = effective_sample_size(&series).unwrap();
    let exact = 100_000.0 * (1.0 - COEFFICIENT) / (1.0 + COEFFICIENT);
    assert!((effective / exact - 1.0).abs() < 0.15, "{effective} for {exact}");
    let mut source = Source::new(83);
    let independent: Vec<f64> = (0..100_000).map(|_| source.normal()).collect();
    assert!(effective_sample_size(&independent).unwrap() > 95_000.0);
}

#[test]
fn batch_means_cover_and_a_standard_error_of_correlated_values_is_caught() {
    let alpha = 0.05;
    let batched = observed(4000, 84, |source| {
        let series = autoregressive(source, 4000);
        !batch_means_interval(&series, 20, rate(alpha))
            .unwrap()
            .contains(0.0)
    });
    // Neighbouring batches of 200 are correlated by 0.02, which adds half a percentage point to the error.
    assert_at_most("batch means", &batched, alpha + 0.006);
    let plain = observed(1000, 85, |source| {
        let sample: Moments = autoregressive(source, 4000).into_iter().collect();
        !student_interval(&sample, rate(alpha)).unwrap().contains(0.0)
    });
    assert_caught("Student over correlated values", &plain, 0.3);
}

#[test]
fn the_correlation_that_too_short_batches_leave_is_seen() {
    let series = autoregressive(&mut Source::new(86), 20_000);
    let lag_one = |batches| autocorrelation(&batch_means(&series, batches).unwrap(), 1).unwrap()[1];
    assert!(lag_one(10_000) > 0.5);
    assert!(lag_one(100).abs() < 5.0 / 10.0);
    assert!(lag_one(400).abs() < 5.0 / 20.0);
}

#[test]
fn a_cycle_under_noise_is_found_and_noise_alone_has_none() {
    let mut source = Source::new(87);
    let critical = normal_critical_value(rate(1e-3 / 200.0)) / 4000.0_f64.sqrt();
    // A sawtooth of period 60 with noise as large as itself: fill slowly, drain at once.
    let wave: Vec<f64> = (0..4000)
        .map(|t| f64::from(t % 60) / 60.0 + 0.3 * source.normal())
        .collect();
    let found = cycle(&autocorrelation(&wave, 200).unwrap()).unwrap();
    assert!(
        found.period.is_multiple_of(60) && found.strength > 5.0 * critical,
        "{found:?}"
    );
    let noise: Vec<f64> = (0..4000).map(|_| source.normal()).collect();
    let found = cycle(&autocorrelation(&noise, 200).unwrap()).unwrap();
    assert!(found.strength < critical, "{found:?} against {critical}");
}

#[test]
fn a_transient_is_truncated_near_its_end() {
    let mut source = Source::new(88);
    for _ in 0..20 {
        let series: Vec<f64> = (0..5000)
            .map(|t| 20.0 * (-f64::from(t) / 100.0).exp() + source.normal())
            .collect();
        let dropped = mser5(&series).unwrap();
        // The transient falls to the noise of the mean of the rest, 0.014, after 700; most of it is gone at
        // 250.
        assert!((250..2400).contains(&dropped), "{dropped}");
        let kept: Moments = series[dropped..].iter().copied().collect();
        assert!(kept.mean().abs() < 0.1, "{}", kept.mean());
    }
}

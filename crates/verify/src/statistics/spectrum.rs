//! The spectrum of one run: at which periods a series varies.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use super::error::{StatisticsError, require, require_count};

/// The periodogram of a series of length n at the frequency of `cycles` per series:
/// |Σ (xₜ − x̄) e^(−2πi·cycles·t/n)|²/n.
///
/// Summed over cycles 1, …, n − 1 it gives n times the sum of squares about the mean, over n (Parseval). For white noise
/// the values at different cycles up to n/2 are independent with mean σ², nearly exponential (Brockwell & Davis 1991,
/// section 10.3). The period is n/`cycles` steps of the series.
///
/// # Errors
/// [`StatisticsError::TooFewObservations`] for an empty series; [`StatisticsError::OutOfRange`] for a value that is not
/// finite.
///
/// ```
/// use retrylab_verify::statistics::periodogram;
/// // A cosine of amplitude 1 and period 2: all of the variance of four values at two cycles.
/// assert!((periodogram(&[1.0, -1.0, 1.0, -1.0], 2)? - 4.0).abs() < 1e-12);
/// assert!(periodogram(&[1.0, -1.0, 1.0, -1.0], 1)?.abs() < 1e-12);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn periodogram(series: &[f64], cycles: usize) -> Result<f64, StatisticsError> {
    require_count(series.len() as u64, 1)?;
    for &value in series {
        require("value of a series", value, "finite", true)?;
    }
    let length = series.len() as f64;
    let mean = series.iter().sum::<f64>() / length;
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (step, value) in series.iter().enumerate() {
        // The phase by whole numbers, so that it does not lose digits late in a long series.
        let turn = (cycles * step % series.len()) as f64 / length;
        let (sine, cosine) = (TAU * turn).sin_cos();
        real += (value - mean) * cosine;
        imaginary += (value - mean) * sine;
    }
    Ok((real * real + imaginary * imaginary) / length)
}

/// The mean of the periodogram over a band of cycles per series.
///
/// # Errors
/// As [`periodogram`]; [`StatisticsError::TooFewObservations`] for an empty band.
///
/// ```
/// use retrylab_verify::statistics::band_power;
/// let wave: Vec<f64> = (0..400).map(|i| (std::f64::consts::TAU * f64::from(i) / 25.0).sin()).collect();
/// // 16 cycles of 25 steps: power n/4 in one of the three frequencies of the band, none in the other band.
/// assert!((band_power(&wave, 15..=17)? - 100.0 / 3.0).abs() < 1e-9);
/// assert!(band_power(&wave, 1..=4)? < 1e-9);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn band_power(series: &[f64], band: RangeInclusive<usize>) -> Result<f64, StatisticsError> {
    let frequencies = band.clone().count();
    require_count(frequencies as u64, 1)?;
    let mut sum = 0.0;
    for cycles in band {
        sum += periodogram(series, cycles)?;
    }
    Ok(sum / frequencies as f64)
}

//! Single values, each against the equation that defines it.

use approx::assert_relative_eq;
use retrylab_verify::statistics::{
    Interval, Moments, Quoted, StatisticsError, Successes, equivalence_sample_size, mean_interval,
    quantile_interval, ranged_mean_interval, student_critical_value, student_interval,
};

use crate::sample::rate;

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-11;

/// g(T) of Hall's transformation, for the skewness γ of n observations.
fn halls_transform(t: f64, skewness: f64, n: f64) -> f64 {
    t + skewness * t * t / (3.0 * n.sqrt())
        + skewness * skewness * t * t * t / (27.0 * n)
        + skewness / (6.0 * n.sqrt())
}

#[test]
fn the_adjusted_end_solves_halls_equation() {
    let sample: Moments = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 9.0].into_iter().collect();
    let alpha = rate(0.05);
    let (adjusted, student) = (
        mean_interval(&sample, alpha).unwrap(),
        student_interval(&sample, alpha).unwrap(),
    );
    let t = (sample.mean() - adjusted.high()) / sample.standard_error().unwrap();
    let critical = student_critical_value(7.0, alpha.halved()).unwrap();
    let transformed = halls_transform(t, sample.skewness().unwrap(), 8.0);
    assert_relative_eq!(transformed, -critical, max_relative = ROUNDING);
    assert_relative_eq!(adjusted.low(), student.low(), max_relative = ROUNDING);
}

#[test]
fn a_constant_in_a_range_that_does_not_start_at_zero_can_be_wrong_by_what_is_left_of_the_range() {
    let range = Interval::certain(10.0, 18.0).unwrap();
    let sample: Moments = std::iter::repeat_n(12.0, 1001).collect();
    let interval = ranged_mean_interval(&sample, &range, rate(0.02)).unwrap();
    let unseen = 1.0 - (0.02_f64 / 6.0).powf(1.0 / 1000.0);
    assert_relative_eq!(interval.low(), 12.0 - 2.0 * unseen, max_relative = ROUNDING);
    assert_relative_eq!(interval.high(), 12.0 + 6.0 * unseen, max_relative = ROUNDING);
}

#[test]
fn three_observations_are_enough_for_a_skewness() {
    // Deviations −1/3, −1/3, 2/3: √6 · (2/27)/(2/9)^(3/2) = √3.
    let moments: Moments = [0.0, 0.0, 1.0].into_iter().collect();
    assert_relative_eq!(
        moments.skewness().unwrap(),
        3.0_f64.sqrt(),
        max_relative = ROUNDING
    );
}

#[test]
fn trials_are_counted_one_by_one() {
    let mut outcome = Successes::default();
    for success in [true, false, true] {
        outcome.push(success);
    }
    assert_eq!(outcome, Successes::new(2, 3).unwrap());
}

#[test]
fn what_is_out_of_range_is_named_rather_than_what_follows_from_it() {
    let sample: Vec<f64> = (0..50).map(f64::from).collect();
    for probability in [0.0, 1.0, -0.5, 1.5] {
        let error = quantile_interval(&sample, probability, rate(0.05)).unwrap_err();
        assert!(
            error.to_string().starts_with("probability of the quantile is"),
            "{error}"
        );
    }
    let error = equivalence_sample_size(1.0, 0.0, 0.0, rate(0.05), 0.9).unwrap_err();
    assert!(error.to_string().starts_with("margin is"), "{error}");
}

#[test]
fn a_quoted_number_keeps_its_sign_of_percent_and_has_up_to_fourteen_digits() {
    assert_eq!(Quoted::percent("9.91").unwrap().text(), "9.91 %");
    assert!(Quoted::parse("0.1234567890123").is_ok());
    assert_eq!(
        Quoted::parse("0.12345678901234"),
        Err(StatisticsError::NotDecimal {
            text: "0.12345678901234".to_owned()
        })
    );
}

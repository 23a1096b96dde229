//! Single values, each against the equation that defines it.

use approx::assert_relative_eq;
use retrylab_verify::statistics::{
    Cycle, Interval, Moments, Quoted, RatioMoments, StatisticsError, Successes, autocorrelation, batch_means,
    cycle, effective_sample_size, equivalence_sample_size, mean_interval, mm1_warm_up, mser5,
    quantile_interval, ranged_mean_interval, relaxation_time, student_critical_value, student_interval,
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
    let error = relaxation_time(0.0, 0.0).unwrap_err();
    assert!(error.to_string().starts_with("service rate is"), "{error}");
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

fn of(pairs: &[(f64, f64)]) -> RatioMoments {
    let mut moments = RatioMoments::default();
    for &(numerator, denominator) in pairs {
        moments.push(numerator, denominator);
    }
    moments
}

#[test]
fn a_ratio_has_the_units_of_its_members() {
    let pairs = [(3.0, 2.0), (5.0, 3.0), (4.0, 2.5), (4.5, 2.0), (6.0, 3.5)];
    let plain = of(&pairs);
    let expected = plain.interval(rate(0.05)).unwrap();
    assert_eq!((plain.count(), plain.denominator_mean()), (5, 2.6));
    for (numerator_unit, denominator_unit) in [
        (2.0_f64.powi(-40), 1.0),
        (2.0_f64.powi(-40), 2.0_f64.powi(-40)),
        (2.0_f64.powi(40), 2.0_f64.powi(40)),
        (1.0, 2.0_f64.powi(-100)),
        (1.0, 2.0_f64.powi(100)),
    ] {
        let scaled: Vec<_> = pairs
            .iter()
            .map(|(numerator, denominator)| (numerator * numerator_unit, denominator * denominator_unit))
            .collect();
        let interval = of(&scaled).interval(rate(0.05)).unwrap();
        let unit = numerator_unit / denominator_unit;
        assert_relative_eq!(interval.low() / unit, expected.low(), max_relative = ROUNDING);
        assert_relative_eq!(interval.high() / unit, expected.high(), max_relative = ROUNDING);
    }
}

#[test]
fn what_rounding_leaves_of_proportional_pairs_is_no_variation() {
    for unit in [1e-9, 1.0, 1e9] {
        let pairs = of(&[
            (0.1 * unit, 0.3 * unit),
            (0.2 * unit, 0.6 * unit),
            (0.7 * unit, 2.1 * unit),
        ]);
        assert!(matches!(
            pairs.interval(rate(0.05)),
            Err(StatisticsError::NoVariation { .. })
        ));
    }
}

#[test]
fn the_ends_of_a_ratio_may_lie_hundreds_of_standard_errors_away() {
    // Two pairs: one degree of freedom, whose critical value is 636.6.
    let ratio = of(&[(3.0, 2.0), (5.0, 2.0)]).interval(rate(0.001)).unwrap();
    let mean = mean_interval(&[1.5, 2.5].into_iter().collect(), rate(0.001)).unwrap();
    assert_relative_eq!(ratio.low(), mean.low(), max_relative = ROUNDING);
    assert_relative_eq!(ratio.high(), mean.high(), max_relative = ROUNDING);
}

#[test]
fn autocorrelations_are_sums_of_products_over_the_sum_of_squares() {
    // Deviations −1, 0, 2, −1; sum of squares 6.
    let values = autocorrelation(&[1.0, 2.0, 4.0, 1.0], 3).unwrap();
    for (value, expected) in values.into_iter().zip([1.0, -1.0 / 3.0, -1.0 / 3.0, 1.0 / 6.0]) {
        assert_relative_eq!(value, expected, max_relative = ROUNDING);
    }
}

#[test]
fn zero_is_neither_negative_nor_a_cycle() {
    assert_eq!(
        cycle(&[1.0, 0.0, 0.5, -0.2, 0.3]),
        Some(Cycle {
            period: 4,
            strength: 0.3
        })
    );
    assert_eq!(cycle(&[1.0, -0.5, 0.0, -0.1]), None);
}

/// n/2 zeros and as many equal values have r(h) = 1 − 3h/n up to lag n/2.
#[test]
fn the_effective_size_of_a_step_is_that_of_its_positive_pairs() {
    for (n, pairs) in [(6, 1), (1000, 167)] {
        let series: Vec<f64> = (0..n).map(|i| if i < n / 2 { 0.0 } else { 4.0 }).collect();
        let pair = |k: i32| 2.0 - 3.0 * f64::from(4 * k + 1) / f64::from(n);
        assert!(pair(pairs - 1) > 0.0 && pair(pairs) < 0.0);
        let sum: f64 = (0..pairs).map(pair).sum();
        let size = effective_sample_size(&series).unwrap();
        assert_relative_eq!(size, f64::from(n) / (2.0 * sum - 1.0), max_relative = ROUNDING);
    }
}

#[test]
fn batches_take_the_last_whole_multiple_of_their_number() {
    let means = batch_means(&[9.0, 1.0, 3.0, 5.0, 7.0, 2.0, 4.0], 3).unwrap();
    assert_eq!(means, [2.0, 6.0, 3.0]);
}

#[test]
fn ten_batches_of_five_tell_of_a_warm_up() {
    let series: Vec<f64> = (0..50)
        .map(|i| if i < 5 { 50.0 } else { f64::from(i % 3) })
        .collect();
    assert_eq!(mser5(&series), Some(5));
    assert_eq!(mser5(&series[..49]), None);
}

#[test]
fn a_warm_up_has_the_unit_of_the_rates() {
    let (slow, fast) = (
        mm1_warm_up(0.8, 1.0, 1e-3).unwrap(),
        mm1_warm_up(1.6, 2.0, 1e-3).unwrap(),
    );
    assert_relative_eq!(fast, slow / 2.0, max_relative = ROUNDING);
}

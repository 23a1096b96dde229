//! Numbers for people: what is printed is true.

use proptest::prelude::*;
use retrylab_verify::report::numbers::{Interval, confidence, count, number, tick};

/// The value of a printed number.
fn value(text: &str) -> f64 {
    let (mantissa, power) = text.split_once(" × 10").unwrap_or((text, ""));
    let power: String = power
        .chars()
        .map(|c| match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c) {
            Some(digit) => char::from_digit(u32::try_from(digit).unwrap(), 10).unwrap(),
            None => '-',
        })
        .collect();
    let mantissa = mantissa
        .trim_matches(['(', ')'])
        .replace('−', "-")
        .replace(',', "");
    let exponent = if power.is_empty() { "0" } else { &power };
    format!("{mantissa}e{exponent}")
        .parse()
        .unwrap_or_else(|_| panic!("{text}"))
}

/// The values of both ends of a printed range.
fn ends(range: &str) -> (f64, f64) {
    let (range, power) = match range.split_once(" × ") {
        Some((range, power)) => (range.trim_matches(['(', ')']), format!(" × {power}")),
        None => (range, String::new()),
    };
    if let Some(only) = range.strip_prefix("exactly ") {
        let only = value(&format!("{only}{power}"));
        return (only, only);
    }
    let (low, high) = range.split_once(" to ").unwrap();
    (value(&format!("{low}{power}")), value(&format!("{high}{power}")))
}

#[test]
fn numbers_have_no_noise() {
    let cases = [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (0.1 + 0.2, "0.3"),
        (1.0 / 3.0, "0.333333"),
        (2.9701, "2.9701"),
        (-0.5, "−0.5"),
        (555.0, "555"),
        (6000.0, "6,000"),
        (1_234_567.8, "1,234,568"),
        (0.000_125, "0.000125"),
        (1e-10, "1 × 10⁻¹⁰"),
        (6.02e23, "6.02 × 10²³"),
        (5e-324, "4.94066 × 10⁻³²⁴"),
        (f64::MAX, "1.79769 × 10³⁰⁸"),
        (0.999_999_75, "1 − 2.5 × 10⁻⁷"),
        (0.999_99, "0.99999"),
        (f64::NAN, "undefined"),
        (f64::INFINITY, "∞"),
        (f64::NEG_INFINITY, "−∞"),
    ];
    for (number_in, expected) in cases {
        assert_eq!(number(number_in), expected);
    }
    assert_eq!(
        [0, 999, 1000, u64::MAX].map(count),
        ["0", "999", "1,000", "18,446,744,073,709,551,615"]
    );
}

#[test]
fn confidence_shows_its_nines() {
    let cases = [
        (0.95, "95 %"),
        (0.975, "97.5 %"),
        (0.99, "99 %"),
        (0.999_993, "99.9993 %"),
        (0.999_999_98, "99.999998 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
        (1.0 - 1e-15, "over 99.9999999999 %"),
        (f64::NAN, "undefined %"),
    ];
    for (probability, expected) in cases {
        assert_eq!(confidence(probability), expected);
    }
}

#[test]
fn intervals_decide_the_digits() {
    let cases = [
        ((2.0004, 1.9973, 2.0035), "2.0004 ± 0.0031"),
        ((9.98, 9.909, 10.051), "9.980 ± 0.071"),
        ((2_034_512.0, 1_911_000.0, 2_158_000.0), "2,030,000 ± 130,000"),
        ((0.0, 0.0, 0.0298), "0 (0 to 0.030)"),
        ((1.0, 0.9702, 1.0), "1.000 (0.970 to 1)"),
        ((2.5e-6, 2.4e-6, 2.6e-6), "(2.50 ± 0.10) × 10⁻⁶"),
        ((5.0, 5.0, 5.0), "5"),
        ((5.0, 4.0, f64::INFINITY), "5.0 (4.0 to ∞)"),
        ((0.2, 0.1933, 0.2069), "0.2000 ± 0.0069"),
        ((0.804, 0.786, 0.818), "0.804 (0.786 to 0.818)"),
        ((-0.001, -0.004, 0.002), "−0.0010 ± 0.0030"),
    ];
    for ((estimate, low, high), expected) in cases {
        assert_eq!(Interval::new(estimate, low, high).to_string(), expected);
    }
}

#[test]
fn ticks_are_short() {
    assert_eq!(tick(0.2, -1), "0.2");
    assert_eq!(tick(20_000.0, 4), "20,000");
    assert_eq!(tick(1e-7, -7), "10⁻⁷");
    assert_eq!(tick(-2.5e9, 8), "−2.5×10⁹");
}

proptest! {
    #[test]
    fn a_number_is_right_to_six_digits(mantissa in -10.0..10.0f64, power in -300..300i32) {
        let exact = mantissa * 10f64.powi(power);
        let text = number(exact);
        if !text.starts_with("1 − ") {
            prop_assert!((value(&text) - exact).abs() <= 5.1e-6 * exact.abs(), "{exact:e}: {text}");
        }
        prop_assert!(text.chars().count() <= 20, "{text}");
    }

    #[test]
    fn the_printed_interval_contains_the_exact_one(
        mantissa in -10.0..10.0f64,
        power in -12..12i32,
        below in 1e-6..1.0f64,
        above in 1e-6..1.0f64,
    ) {
        let estimate = mantissa * 10f64.powi(power);
        let unit = 10f64.powi(power);
        let (low, high) = (estimate - below * unit, estimate + above * unit);
        let interval = Interval::new(estimate, low, high);
        let noise = 1e-14 * estimate.abs().max(unit);
        let (printed_low, printed_high) = ends(&interval.range());
        prop_assert!(printed_low <= low + noise && high - noise <= printed_high, "{low:e} to {high:e}: {interval}");
        prop_assert!(printed_high - printed_low <= 1.5 * (high - low), "{low:e} to {high:e}: {interval}");
        let text = interval.to_string();
        if let Some((estimate, half_width)) = text.split_once(" ± ") {
            let (half_width, scale) = half_width.split_once(") × ").unwrap_or((half_width, ""));
            let scale = if scale.is_empty() { String::new() } else { format!(" × {scale}") };
            let estimate = value(&format!("{}{scale}", estimate.trim_start_matches('(')));
            let half_width = value(&format!("{half_width}{scale}"));
            let slack = noise + 2e-6 * half_width;
            prop_assert!(estimate - half_width <= low + slack && high <= estimate + half_width + slack, "{text}");
        }
    }
}

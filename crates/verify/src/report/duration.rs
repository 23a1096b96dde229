//! Durations as people say them.

use crate::report::numbers;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;
const YEAR: f64 = 365.25 * DAY;

/// Units from long to short, each with the shortest duration in it.
const UNITS: [(f64, f64, &str); 9] = [
    (1e9 * YEAR, 2e9 * YEAR, "billion years"),
    (1e6 * YEAR, 2e6 * YEAR, "million years"),
    (YEAR, 2.0 * YEAR, "years"),
    (DAY, 2.0 * DAY, "days"),
    (HOUR, 2.0 * HOUR, "hours"),
    (MINUTE, 2.0 * MINUTE, "minutes"),
    // Decimal fractions of these read as well as thousands of the next.
    (1.0, 1.0, "seconds"),
    (1e-3, 1e-3, "milliseconds"),
    (1e-6, 0.0, "microseconds"),
];

/// A duration in the unit that reads best, to two digits.
///
/// ```
/// assert_eq!(retrylab_verify::report::duration::words(7.26e10), "2,300 years");
/// ```
#[must_use]
pub fn words(seconds: f64) -> String {
    let (unit, _, name) = UNITS
        .into_iter()
        .find(|&(_, from, _)| seconds >= from)
        .unwrap_or(UNITS[UNITS.len() - 1]);
    match two_digits(seconds / unit).as_str() {
        "1" => format!("1 {}", name.trim_end_matches('s')),
        count => format!("{count} {name}"),
    }
}

/// A number to two digits.
///
/// ```
/// assert_eq!(retrylab_verify::report::duration::two_digits(1234.0), "1,200");
/// ```
#[must_use]
pub fn two_digits(value: f64) -> String {
    numbers::number(format!("{value:.1e}").parse().unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_said_in_the_unit_of_which_there_are_a_few() {
        for (seconds, said) in [
            (0.0, "0 microseconds"),
            (0.0313, "31 milliseconds"),
            (1.94, "1.9 seconds"),
            (1.0, "1 second"),
            (0.002, "2 milliseconds"),
            (0.001_03, "1 millisecond"),
            (0.000_95, "950 microseconds"),
            (3e-8, "0.03 microseconds"),
            (100.0, "100 seconds"),
            (187.0, "3.1 minutes"),
            (1.04e6, "12 days"),
            (7.26e10, "2,300 years"),
            (4.4e18, "140 billion years"),
            (1e300, "3.2 × 10²⁸³ billion years"),
        ] {
            assert_eq!(words(seconds), said, "{seconds}");
        }
    }
}

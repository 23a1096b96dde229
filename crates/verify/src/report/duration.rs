//! Durations as people say them.

use crate::report::numbers;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;
const YEAR: f64 = 365.25 * DAY;

/// Units, from long to short.
const UNITS: [(f64, &str); 9] = [
    (1e9 * YEAR, "billion years"),
    (1e6 * YEAR, "million years"),
    (YEAR, "years"),
    (DAY, "days"),
    (HOUR, "hours"),
    (MINUTE, "minutes"),
    (1.0, "seconds"),
    (1e-3, "milliseconds"),
    (1e-6, "microseconds"),
];

/// A duration in the unit that reads best, to two digits.
///
/// ```
/// assert_eq!(retrylab_verify::report::duration::words(7.26e10), "2,300 years");
/// ```
#[must_use]
pub fn words(seconds: f64) -> String {
    let (unit, name) = UNITS
        .into_iter()
        .find(|(unit, _)| seconds >= 2.0 * unit)
        .unwrap_or((1e-6, "microseconds"));
    format!("{} {name}", two_digits(seconds / unit))
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
            (1.94, "1,900 milliseconds"),
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

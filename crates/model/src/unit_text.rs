//! Numbers with units as text.

use std::fmt;

/// Units of time with their length as a fraction of a second, `(name, numerator, denominator)`.
///
/// A fraction and not a factor, because `120.0 / 1000.0` rounds once while `120.0 * 0.001` rounds twice.
const UNITS: [(&str, f64, f64); 8] = [
    ("ns", 1.0, 1e9),
    ("us", 1.0, 1e6),
    ("µs", 1.0, 1e6),
    ("ms", 1.0, 1e3),
    ("min", 60.0, 1.0),
    ("s", 1.0, 1.0),
    ("h", 3600.0, 1.0),
    ("d", 86400.0, 1.0),
];

/// A number in the fewest digits that give it back when read, with an exponent where it is very large or very small.
pub(crate) struct Shortest(pub(crate) f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        if magnitude == 0.0 || (1e-5..1e16).contains(&magnitude) || !magnitude.is_finite() {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// Writes a time in the unit in which it reads best and is read back as exactly the same number.
pub(crate) fn write_time(seconds: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let candidates: &[&str] = match seconds.abs() {
        whole if whole >= 60.0 => &["d", "h", "min"],
        below if below < 1e-6 => &["ns"],
        below if below < 1e-3 => &["us"],
        below if below < 1.0 => &["ms"],
        _ => &[],
    };
    for &unit in candidates {
        let Some((_, numerator, denominator)) = split_unit(unit) else {
            continue;
        };
        let amount = seconds * denominator / numerator;
        let fits = if numerator < 60.0 {
            amount.abs() >= 1.0
        } else {
            // Long units are for round numbers: 90 s is not 1.5 min.
            amount.fract() == 0.0 && (1.0..1e6).contains(&amount.abs())
        };
        let same = (amount * numerator / denominator).to_bits() == seconds.to_bits();
        if same && fits {
            return write!(f, "{}{unit}", Shortest(amount));
        }
    }
    write!(f, "{}s", Shortest(seconds))
}

/// Writes a rate.
pub(crate) fn write_rate(per_second: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}/s", Shortest(per_second))
}

/// Splits a text that ends in a unit into what stands before it and the unit's length.
pub(crate) fn split_unit(text: &str) -> Option<(&str, f64, f64)> {
    UNITS.iter().find_map(|&(name, numerator, denominator)| {
        let number = text.strip_suffix(name)?;
        // "5m" + "s" must not be read as the number "5m": a unit follows a digit, a point, a space or nothing.
        let fits = number
            .chars()
            .last()
            .is_none_or(|c| c.is_ascii_digit() || c == '.' || c == ' ');
        fits.then_some((number, numerator, denominator))
    })
}

/// A decimal number and nothing else: not "inf", "nan" or an empty text.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    if plain { text.parse().ok() } else { None }
}

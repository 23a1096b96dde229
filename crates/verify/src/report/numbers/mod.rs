//! Numbers for people: as many digits as they deserve, proper minus signs, powers of ten where plain digits tire.
//!
//! An interval decides how many digits are shown: two of its half-width. Its printed ends are rounded outwards, so the
//! printed interval always contains the exact one.

mod interval;

pub use interval::Interval;

/// Significant digits of a number that has no interval.
const DIGITS: i32 = 6;
/// Digits after which a `f64` in a report says nothing more.
const DIGITS_MAX: i32 = 12;
/// Magnitudes (powers of ten) that are written without one.
const PLAIN: std::ops::Range<i32> = -4..9;

/// Direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Nearest,
    Down,
    Up,
}

/// A number with six significant digits, without trailing zeros.
///
/// ```
/// use retrylab_verify::report::numbers::number;
/// assert_eq!(number(0.1 + 0.2), "0.3");
/// assert_eq!(number(-2.0 / 3.0), "−0.666667");
/// assert_eq!(number(60_000.0), "60,000");
/// assert_eq!(number(2.5e-7), "2.5 × 10⁻⁷");
/// assert_eq!(number(1.0 - 2.5e-10), "1 − 2.5 × 10⁻¹⁰");
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    if let Some(special) = special(value) {
        return special;
    }
    let below_one = 1.0 - value;
    if below_one > 0.0 && below_one < 5e-7 {
        return format!("1 − {}", trimmed(below_one, 2));
    }
    trimmed(value, DIGITS)
}

/// A whole number with separators between thousands.
///
/// ```
/// assert_eq!(retrylab_verify::report::numbers::count(1_234_567), "1,234,567");
/// ```
#[must_use]
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A coverage probability as a percentage with as many nines as it has, and two digits of what is missing to 100.
///
/// ```
/// use retrylab_verify::report::numbers::confidence;
/// assert_eq!(confidence(0.95), "95 %");
/// assert_eq!(confidence(0.999_993), "99.9993 %");
/// ```
#[must_use]
pub fn confidence(probability: f64) -> String {
    let missing = 100.0 * (1.0 - probability);
    if !(missing > 0.0 && missing <= 100.0) {
        return format!("{} %", number(100.0 * probability));
    }
    if missing < 1e-10 {
        return "over 99.9999999999 %".to_owned();
    }
    let decimals = usize::try_from(1 - magnitude(missing, 2)).unwrap_or(0);
    let digits = format!("{:.decimals$}", 100.0 * probability);
    format!("{} %", without_trailing_zeros(&digits))
}

/// A label of an axis whose labels are `10^place` apart.
///
/// ```
/// use retrylab_verify::report::numbers::tick;
/// assert_eq!(tick(0.5, -1), "0.5");
/// assert_eq!(tick(2e7, 7), "2×10⁷");
/// ```
#[must_use]
pub fn tick(value: f64, place: i32) -> String {
    if let Some(special) = special(value) {
        return special;
    }
    if (-4..=6).contains(&place) && value.abs() < 1e6 {
        return rounded(value, place, Rounding::Nearest);
    }
    let digits = (magnitude(value, DIGITS_MAX) - place + 1).clamp(1, DIGITS_MAX);
    scientific(value, digits)
        .replace(" × ", "×")
        .trim_start_matches("1×")
        .to_owned()
}

/// Values that need no digits.
fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        Some("undefined".to_owned())
    } else if value.is_infinite() {
        Some(if value > 0.0 { "∞" } else { "−∞" }.to_owned())
    } else if value == 0.0 {
        Some("0".to_owned())
    } else {
        None
    }
}

/// A number rounded to a decimal place; 0 and ends at 1 without decimals where they are exact.
#[expect(clippy::float_cmp, reason = "exactly 1 is meant")]
fn rounded(value: f64, place: i32, rounding: Rounding) -> String {
    if let Some(special) = special(value) {
        return special;
    }
    if value == 1.0 && rounding != Rounding::Nearest {
        return "1".to_owned();
    }
    let nearest = plain(value, place);
    let parsed: f64 = nearest.parse().unwrap_or(value);
    let text = match rounding {
        Rounding::Down if parsed > value => plain(value - power_of_ten(place), place),
        Rounding::Up if parsed < value => plain(value + power_of_ten(place), place),
        _ => nearest,
    };
    tidy(&text)
}

/// A number rounded to significant digits, without trailing zeros.
fn trimmed(value: f64, digits: i32) -> String {
    let top = magnitude(value, digits);
    if PLAIN.contains(&top) {
        tidy(without_trailing_zeros(&plain(value, (top - digits + 1).min(0))))
    } else {
        scientific(value, digits)
    }
}

/// A number as a multiple of a power of ten, rounded to significant digits, without trailing zeros.
fn scientific(value: f64, digits: i32) -> String {
    let top = magnitude(value, digits);
    let mantissa = plain(scaled(value, top), 1 - digits);
    format!(
        "{} × 10{}",
        tidy(without_trailing_zeros(&mantissa)),
        superscript(top)
    )
}

/// Decimal digits of a number, rounded to the nearest multiple of `10^place`.
fn plain(value: f64, place: i32) -> String {
    match usize::try_from(-place) {
        Ok(decimals) => format!("{value:.decimals$}"),
        Err(_) => format!(
            "{:.0}",
            (value / power_of_ten(place)).round() * power_of_ten(place)
        ),
    }
}

/// The power of ten of a number's first digit, once it is rounded to so many digits.
fn magnitude(value: f64, digits: i32) -> i32 {
    let decimals = usize::try_from(digits - 1).unwrap_or(0);
    let text = format!("{value:.decimals$e}");
    text.rsplit_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// `value / 10^power` for every power that a `f64` can have.
fn scaled(value: f64, power: i32) -> f64 {
    let half = power / 2;
    value / power_of_ten(half) / power_of_ten(power - half)
}

fn power_of_ten(power: i32) -> f64 {
    10f64.powi(power)
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Proper minus sign, none before zero, and separators between thousands.
fn tidy(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) if digits.contains(|c: char| ('1'..='9').contains(&c)) => ("−", digits),
        Some(digits) => ("", digits),
        None => ("", text),
    };
    let (whole, fraction) = match digits.find('.') {
        Some(point) => digits.split_at(point),
        None => (digits, ""),
    };
    format!("{sign}{}{fraction}", grouped(whole))
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A power in superscript digits.
fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = power.unsigned_abs().to_string();
    let sign = if power < 0 { "⁻" } else { "" };
    let digits = digits
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .map(|digit| DIGITS[digit as usize]);
    sign.chars().chain(digits).collect()
}

/// The whole number nearest to a small `f64`, such as a power of ten.
pub(super) fn whole(value: f64) -> i32 {
    // The cast saturates; powers of ten are far from its ends.
    value.round() as i32
}

//! Ranges: values at equal distances or ratios between two ends.

use retrylab_model::{Rate, Time, Written};

use crate::axis::Spacing;

/// Significant digits of the values between the ends, so that 0.1 and 0.3 have 0.2 between them and not 0.20000000000000001.
const DIGITS: usize = 12;

/// What the ends of a range are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Number { value: f64, is_integer: bool },
    Time(Time),
    Rate(Rate),
}

impl End {
    fn new(written: &Written) -> Option<Self> {
        if let Some(value) = written.number() {
            let is_integer = written.is_integer();
            return Some(Self::Number { value, is_integer });
        }
        let text = written.text()?;
        let time = text.parse().map(Self::Time).ok();
        time.or_else(|| text.parse().map(Self::Rate).ok())
    }

    fn value(self) -> f64 {
        match self {
            Self::Number { value, .. } => value,
            Self::Time(time) => time.value(),
            Self::Rate(rate) => rate.value(),
        }
    }

    /// Another value of the same kind, in TOML.
    fn with_value(self, value: f64, as_integer: bool) -> String {
        match self {
            Self::Number { .. } if as_integer && value.fract() == 0.0 => format!("{value:.0}"),
            Self::Number { .. } => format!("{value:?}"),
            Self::Time(time) => format!("\"{}\"", time.with_value(value)),
            Self::Rate(rate) => format!("\"{}\"", rate.with_value(value)),
        }
    }
}

/// `count` values from one end to the other. A mistake is the key that it is in and a sentence that follows the axis.
pub(crate) fn between(
    from: &Written,
    to: &Written,
    count: u32,
    spacing: Spacing,
) -> Result<Vec<Written>, (&'static str, String)> {
    let end = |key, written: &Written| {
        End::new(written)
            .filter(|end| end.value().is_finite())
            .ok_or_else(|| {
                (
                    key,
                    format!("has {key} = {written}, but it must be a finite number, a time or a rate"),
                )
            })
    };
    let (low, high) = (end("from", from)?, end("to", to)?);
    if std::mem::discriminant(&low) != std::mem::discriminant(&high) {
        return Err((
            "to",
            format!("goes from {from} to {to}, which are not of one kind"),
        ));
    }
    if count < 2 {
        return Err((
            "steps",
            format!("has {count} step, but a range has at least 2, its ends"),
        ));
    }
    let (first, last) = (low.value(), high.value());
    if first.to_bits() == last.to_bits() {
        return Err(("to", format!("goes from {from} to {to}, which is no range")));
    }
    if spacing == Spacing::Logarithmic && !(first > 0.0 && last > 0.0) {
        return Err((
            "from",
            format!("goes from {from} to {to}, but a logarithmic range lies above 0"),
        ));
    }
    let as_integer = matches!(
        (low, high),
        (
            End::Number { is_integer: true, .. },
            End::Number { is_integer: true, .. }
        )
    );
    let steps = f64::from(count - 1);
    let values = (0..count).map(|index| {
        if index == 0 {
            return from.clone();
        }
        if index == count - 1 {
            return to.clone();
        }
        let share = f64::from(index) / steps;
        let value = match spacing {
            Spacing::Linear => first * (1.0 - share) + last * share,
            Spacing::Logarithmic => {
                // Of libm, so that a plan has the same points on every machine.
                libm::exp(libm::log(first) * (1.0 - share) + libm::log(last) * share)
            }
        };
        let text = low.with_value(rounded(value), as_integer);
        match text.parse() {
            Ok(written) => written,
            Err(error) => unreachable!("{text} is TOML: {error}"),
        }
    });
    Ok(values.collect())
}

/// The number with so many significant digits.
fn rounded(value: f64) -> f64 {
    // The standard library rounds decimal digits exactly, on every machine alike.
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

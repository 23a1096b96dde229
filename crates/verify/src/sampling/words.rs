//! How a verdict is reached, in words.

use super::sensitivity::{POWER, at_level, part_detectable_error};
use crate::claim::{Criterion, Part};
use crate::level::Level;
use crate::report::numbers::number;
use crate::statistics::Margin;

/// How the verdict is reached, in words.
pub(super) fn criterion_words(part: &Part, level: Level) -> String {
    let mut words = match &part.criterion {
        Criterion::Quote => String::new(),
        Criterion::Equivalence {
            margin: stated,
            reason,
        } => {
            let margin = match at_level(*stated, level) {
                Margin::Absolute(distance) => number(distance),
                Margin::Relative(fraction) => format!("{} %", number(100.0 * fraction)),
            };
            let mut words = format!("measured and computed are equivalent within {margin} ({reason})");
            if let Some(error) = part_detectable_error(part, level) {
                let value = part
                    .computed
                    .as_ref()
                    .map_or(0.0, |computed| computed.value.abs());
                let error = if value > 0.0 {
                    format!("{} %", number(100.0 * error / value))
                } else {
                    number(error)
                };
                words.push_str(&format!(
                    "; a closed form that is off by {error} is shown to differ with probability {POWER} at least"
                ));
            }
            words
        }
        Criterion::AtLeast { bound, reason } => format!("measured is at least {bound} ({reason})"),
        Criterion::AtMost { bound, reason } => format!("measured is at most {bound} ({reason})"),
    };
    if part.quoted.is_some() {
        let evidence = if part.computed.is_some() {
            "the computed number"
        } else {
            "the whole measured interval"
        };
        if !words.is_empty() {
            words.push_str("; ");
        }
        words.push_str(&format!(
            "{evidence} lies in the range that the quoted number stands for"
        ));
    }
    words
}

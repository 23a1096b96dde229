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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Estimator, Experiment};
    use crate::outcome::ComputedNumber;
    use crate::quote::Quote;

    #[test]
    fn an_error_is_a_share_of_what_it_is_an_error_of_unless_that_is_zero() {
        let calls = retrylab_sim::calls::Calls::new(0.5, 0).unwrap();
        let experiment = Experiment::calls(calls, "loss", Estimator::Ratio, |_| (1.0, 2.0));
        for (value, error) in [(2.0, "37.5 %"), (-2.0, "37.5 %"), (0.0, "0.75")] {
            let part = Part::new("x")
                .computed(ComputedNumber::arithmetic(value, "made up"))
                .equivalent(experiment.clone(), Margin::Absolute(0.5), "made up");
            let shown = format!(
                "measured and computed are equivalent within 0.5 (made up); a closed form that is off by {error} is shown \
                 to differ with probability 0.99 at least"
            );
            assert_eq!(criterion_words(&part, Level::Standard), shown);
            let range = "the computed number lies in the range that the quoted number stands for";
            let quoted = part.quoted(Quote::printed("2"));
            assert_eq!(
                criterion_words(&quoted, Level::Standard),
                format!("{shown}; {range}")
            );
            let alone = Part {
                criterion: Criterion::Quote,
                ..quoted
            };
            assert_eq!(criterion_words(&alone, Level::Standard), range);
        }
    }
}

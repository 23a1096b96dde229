//! What error of a closed form the sample would show.

use crate::claim::{Criterion, Part};
use crate::estimator::Estimate;
use crate::level::Level;
use crate::statistics::{ErrorRate, Margin, normal_critical_value};

/// The detectable error of a closed form in margins.
///
/// Nearer to one margin an error costs a sample that grows without limit: at one margin it must not be called a
/// difference. At one and a half it takes four times the sample that shows agreement.
const DETECTABLE: f64 = 1.5;
/// Probability with which an error of that size is shown as a difference.
pub(crate) const POWER: f64 = 0.99;

/// The margin of an equivalence at a level.
pub(crate) fn at_level(margin: Margin, level: Level) -> Margin {
    match margin {
        Margin::Absolute(distance) => Margin::Absolute(distance * level.margin_factor()),
        Margin::Relative(fraction) => Margin::Relative(fraction * level.margin_factor()),
    }
}

/// The distance by which a closed form must be off for the level to show it, with probability [`POWER`] at least.
///
/// A relative margin is a fraction f of the wrong value w: w is off by one and a half of its own margins when
/// |w − v| = 1.5 f|w|, which for a w that is too large is 1.5 f/(1 − 1.5 f) of v.
pub(crate) fn detectable_error(margin: Margin, computed: f64, level: Level) -> f64 {
    match at_level(margin, level) {
        Margin::Absolute(distance) => DETECTABLE * distance,
        Margin::Relative(fraction) => DETECTABLE * fraction / (1.0 - DETECTABLE * fraction) * computed.abs(),
    }
}

/// The detectable error of a number that is measured to be equivalent to a closed form; none of other numbers.
pub(crate) fn part_detectable_error(part: &Part, level: Level) -> Option<f64> {
    match (&part.criterion, &part.computed) {
        (Criterion::Equivalence { margin, .. }, Some(computed)) => {
            Some(detectable_error(*margin, computed.value, level))
        }
        _ => None,
    }
}

/// Whether a sample is so large that it would have shown the detectable error with probability [`POWER`].
///
/// An estimate strays from the truth by more than z s/√n on one side with probability 1 − [`POWER`]; the interval's
/// reach is added to it. When the two together are below half a margin, an error of one and a half margins has been
/// shown or there is none, and a number that is still undecided lies in between: more sampling is not owed to it.
pub(crate) fn would_have_shown(
    part: &Part,
    estimate: &Estimate,
    standard_deviation: f64,
    replications: u64,
    level: Level,
) -> bool {
    let (Criterion::Equivalence { margin, .. }, Some(computed)) = (&part.criterion, &part.computed) else {
        return false;
    };
    let margin = match at_level(*margin, level) {
        Margin::Absolute(distance) => distance,
        Margin::Relative(fraction) => fraction * computed.value.abs(),
    };
    let interval = estimate.interval;
    let reach = (interval.high() - estimate.value).max(estimate.value - interval.low());
    let stray = standard_deviation / (replications as f64).sqrt() * critical_value();
    reach + stray <= (DETECTABLE - 1.0) * margin
}

fn critical_value() -> f64 {
    normal_critical_value(ErrorRate::new(1.0 - POWER).expect("a power lies between 0 and 1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::ComputedNumber;
    use crate::statistics::Interval;

    /// Both the reach of the interval and the stray of the estimate count against half a margin.
    #[test]
    fn a_sample_would_have_shown_the_error_when_reach_and_stray_are_within_half_a_margin() {
        let part = Part {
            computed: Some(ComputedNumber::arithmetic(10.0, "made up")),
            criterion: Criterion::Equivalence {
                margin: Margin::Absolute(1.0),
                reason: "made up",
            },
            ..Part::new("x")
        };
        let judged = |reach: f64, standard_error: f64| {
            let estimate = Estimate {
                value: 10.0,
                interval: Interval::certain(10.0 - reach, 10.0 + 0.9 * reach).unwrap(),
            };
            would_have_shown(&part, &estimate, 10.0 * standard_error, 100, Level::Standard)
        };
        // 0.4 + 2.326 · 0.04 = 0.493 and 0.4 + 2.326 · 0.045 = 0.505.
        assert!(judged(0.4, 0.04) && !judged(0.4, 0.045));
        assert!(judged(0.49, 0.0) && !judged(0.51, 0.0));
    }

    #[test]
    fn a_smoke_run_has_margins_four_times_and_a_thorough_one_half_as_wide() {
        for (level, factor) in [
            (Level::Quick, 4.0),
            (Level::Standard, 1.0),
            (Level::Thorough, 0.5),
        ] {
            assert_eq!(
                at_level(Margin::Absolute(0.5), level),
                Margin::Absolute(0.5 * factor)
            );
            assert_eq!(
                at_level(Margin::Relative(0.125), level),
                Margin::Relative(0.125 * factor)
            );
        }
    }
}

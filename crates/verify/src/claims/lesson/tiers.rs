//! Chains of tiers that retry each other's failures: L08 and L15.

use super::experiments::{CERTAIN_MARGIN, CERTAIN_MARGIN_REASON, MARGIN, attempts_when_all_fail, innermost};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![healthy_chain(), failing_chain()]
}

fn chain(failure_probability: f64, retries: u32, tiers: u32, result: &str) -> ComputedNumber {
    theory(
        "tiers",
        &[
            ("failure_probability", failure_probability),
            ("retries", f64::from(retries)),
            ("tiers", f64::from(tiers)),
        ],
        result,
    )
}

fn healthy_chain() -> Claim {
    Claim::new(
        "L08",
        Document::Lesson,
        "Tiers multiply: with two retries at p = 0.1 each of three tiers multiplies the load by 1.11, so that the \
         innermost sees 1.368 attempts per request, 37 % more than one.",
    )
    .remark(
        "The text's model: an attempt at a tier is a request at the next, and each tier's attempts fail with \
         probability p by a coin of its own, whatever the inner tiers answered.",
    )
    .parts([(1, "1.11"), (2, "1.2321"), (3, "1.368")].map(|(tiers, text)| {
        Part::new(format!("attempts at tier {tiers} per request"))
            .quoted(Quote::printed(text))
            .computed(chain(0.1, 2, tiers, "attempts"))
            .equivalent(
                innermost(0.1, 2, tiers),
                MARGIN,
                "0.2 % tells products from sums of the surcharges (1.22 and 1.33) and from a tier more or less",
            )
    }))
    .part(
        Part::new("additional load on the innermost tier")
            .quoted(Quote::percent("37"))
            .computed(chain(0.1, 2, 3, "attempts").then(|x| x - 1.0, "x − 1"))
            .equivalent(
                innermost(0.1, 2, 3).shifted(-1.0, "attempts at the innermost tier beyond the first"),
                Margin::Relative(0.01),
                "1 % of 0.37 is less than half a unit in the last printed digit",
            ),
    )
}

fn failing_chain() -> Claim {
    Claim::new(
        "L15",
        Document::Lesson,
        "When every call of every tier fails, the product over the tiers arrives at the innermost: (r + 1) to the \
         power of the number of tiers.",
    )
    .parts([(1, 3), (2, 2), (2, 3), (3, 3)].map(|(retries, tiers)| {
        Part::new(format!("attempts at the innermost tier, r = {retries}, {tiers} tiers"))
            .computed(chain(1.0, retries, tiers, "attempts_worst"))
            .equivalent(attempts_when_all_fail(retries, tiers), CERTAIN_MARGIN, CERTAIN_MARGIN_REASON)
    }))
}

//! Chains of tiers that retry each other's failures: L08 and L15.

use retrylab_model::{Scenario, Tier};
use retrylab_sim::{Measure, TierMeasure};

use super::experiments::{
    CERTAIN_MARGIN, CERTAIN_MARGIN_REASON, MARGIN, attempts_when_all_fail, failing_service, innermost,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
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

/// A chain of services that can each serve 1000 attempts a second. An answer of the innermost is an error with one probability,
/// and that of every other tier with another, whatever came from behind.
fn chain_of_services(arrival_rate: f64, retries: u32, tiers: u32, innermost: f64, others: f64) -> Scenario {
    let front = failing_service(arrival_rate, 1000.0, others, retries);
    let mut behind = vec![
        Tier {
            service: front.service.clone(),
            server: front.server.clone(),
            client: front.client.clone(),
            ..Tier::default()
        };
        tiers as usize - 1
    ];
    if let Some(last) = behind.last_mut() {
        last.service.error_probability = innermost;
    }
    front
        .modified(|spec| spec.tiers = behind)
        .expect("the lesson's scenarios are valid")
}

/// Attempts per outermost request at a tier, counted from the outermost, 1.
fn attempts_at(tier: usize) -> Measure {
    match tier.checked_sub(2) {
        None => Measure::AttemptsPerRequest,
        Some(index) => Measure::Tier(index, TierMeasure::AttemptsPerRequest),
    }
}

fn healthy_chain() -> Claim {
    // A request at the next tier fails three times in a row with probability 0.001, so that with this chance of an error
    // of its own a tier fails its callers with probability 0.1 in all.
    let error_in_front = 1.0 - 0.9 / (1.0 - 0.1_f64.powi(3));
    let services = chain_of_services(100.0, 2, 3, 0.1, error_in_front);

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
    .remark(
        "In the queueing simulator three services call each other, and an attempt fails when the service behind has given up \
         its request or the answer is spoilt on the way back. The two outer tiers' own errors are set to 0.0991, which with \
         the 0.001 of requests that the tier behind gives up makes p = 0.1 as the caller sees it; with 0.1 at each tier, \
         the product would be larger by less than 0.3 %.",
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
    .parts([1, 2, 3].map(|tier| {
        Part::new(format!("attempts at tier {tier} per request, between services with queues"))
            .computed(chain(0.1, 2, tier, "attempts"))
            .equivalent(
                Experiment::measure(services.clone(), attempts_at(tier as usize)),
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
    .remark(
        "In the queueing simulator only the innermost of the services fails, every time: the tiers in front fail because what \
         they call does. Ten requests a second and 1000 attempts a second at each service leave room for all that arrives.",
    )
    .parts([(1, 3), (2, 2), (2, 3), (3, 3)].map(|(retries, tiers): (u32, u32)| {
        let services = chain_of_services(10.0, retries, tiers, 1.0, 0.0);
        Part::new(format!("attempts at the innermost of {tiers} services with queues, r = {retries}"))
            .computed(chain(1.0, retries, tiers, "attempts_worst"))
            .equivalent(
                Experiment::measure(services, attempts_at(tiers as usize)),
                CERTAIN_MARGIN,
                "1 % tells policies apart that differ by one retry; only what is under way at the ends of a run varies",
            )
    }))
}

//! Shedding load early: R07.

use retrylab_analytic::fluid_blip::Stretch;
use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::breaker;
use super::setting::{
    ARRIVAL_RATE, ATTEMPTS, CAPACITY, DURATION, POLICIES, TIMEOUT, blip, changed, every_run, fluid_blip,
    mean_rate, measured, up_again,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![shedding()]
}

/// Places that are a tenth of a second's work at full capacity and a third of one in the blip: less than the timeout.
const PLACES: u32 = 100;
/// Places that are more than the timeout's work at full capacity.
const TOO_MANY_PLACES: u32 = 2_000;
/// From a second after the start of the blip, when the queue is full, to its end.
const IN_THE_BLIP: (f64, f64) = (1.0 - DURATION, 0.0);

fn bounded(scenario: &Scenario, places: u32) -> Scenario {
    changed(scenario, |spec| spec.server.places = Some(places))
}

fn shedding() -> Claim {
    let base = bounded(&blip(TIMEOUT, 2.0), PLACES);
    let during = |measure: Measure| {
        let (from, to) = IN_THE_BLIP;
        Experiment::measure(measured(&base, from, to), measure)
    };
    let fluid = fluid_blip(TIMEOUT, ATTEMPTS)
        .with_places(f64::from(PLACES))
        .expect("a hundred places lie in the domain");
    let rate = |rate: fn(&Stretch) -> f64, words: &str| mean_rate(&fluid, rate, IN_THE_BLIP, words);
    let attempts = rate(|stretch| stretch.attempt_rate, "attempts");
    let useful = rate(|stretch| stretch.useful_rate, "answers in time");
    let answered = useful.value;
    let margin = Margin::Relative(0.03);
    let reason = "3 %, three times what the Poisson traffic moves four seconds of a single run";
    Claim::new(
        "R07",
        Document::RetryStorms,
        "A queue with a limit answers what is too much with a rejection at once, so that no backlog builds up, and a circuit \
         breaker limits what is sent in all.",
    )
    .open_parameter(
        "Places: 100, a third of a second's work in the blip. What counts is that they are less than what the full capacity serves \
         in a timeout, here 1,000: with 2,000 places whatever is served has expired, and the service stays down.",
    )
    .open_parameter(breaker::PARAMETERS)
    .parts(POLICIES.map(|(name, apply)| {
        Part::new(format!("share of runs up again within two seconds, {PLACES} places, {name}"))
            .quoted(every_run("no growing backlog"))
            .measured(up_again(&apply(&base), 0.0, 2.0))
    }))
    .part(
        Part::new(format!("attempts per second during the blip, {PLACES} places, three immediate retries"))
            .computed(attempts.clone())
            .equivalent(during(Measure::AttemptRate), margin, reason),
    )
    .part(
        Part::new(format!("share of the attempts rejected at once during the blip, {PLACES} places, three immediate retries"))
            .computed(attempts.then(|x| 1.0 - answered / x, "1 − 300/x, as 300 a second are taken in"))
            .equivalent(during(Measure::Blocking), Margin::Absolute(0.01), "a hundredth of the attempts"),
    )
    .part(
        Part::new(format!("success during the blip, {PLACES} places, three immediate retries"))
            .computed(useful.then(|x| x / ARRIVAL_RATE, "x/800"))
            .equivalent(during(Measure::Success), margin, reason),
    )
    .part(
        Part::new(format!("share of runs up again 8 s to 10 s after the blip, {TOO_MANY_PLACES} places, three immediate retries"))
            .at_most(
                up_again(&bounded(&blip(TIMEOUT, 10.0), TOO_MANY_PLACES), 8.0, 10.0),
                0.1,
                "a full queue is a wait of two timeouts",
            ),
    )
    .part(
        Part::new("share of runs up again 8 s to 10 s after the blip, 900 places, three immediate retries").at_least(
            up_again(&bounded(&blip(TIMEOUT, 10.0), 900), 8.0, 10.0),
            0.9,
            "a full queue is a wait of 0.9 timeouts at full capacity",
        ),
    )
    .beyond(format!(
        "The bound that helps is the capacity times the timeout, {} places here. Rejected clients that try again at once are \
         rejected again, so that during the blip {:.0} attempts a second are sent of which 300 are taken in: cheap only as \
         long as a rejection is.",
        CAPACITY * TIMEOUT,
        fluid.stretches(DURATION).last().map_or(0.0, |stretch| stretch.attempt_rate)
    ))
    .parts(breaker::parts())
    .beyond(
        "The breaker pays for its limit: while it is open no request is sent at all, so that nothing succeeds for seconds after the \
         capacity is back, where a bounded queue or a server that skips what it cannot answer is up at once.",
    )
}

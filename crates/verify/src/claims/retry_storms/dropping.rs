//! A server that drops work nobody waits for: R05.

use retrylab_analytic::fluid_blip::{FluidBlip, Stretch};
use retrylab_model::{Scenario, ServiceTime};
use retrylab_sim::Measure;

use super::setting::{
    ATTEMPTS, CAPACITY, POLICIES, TIMEOUT, backing_off, blip, changed, every_run, fluid, fluid_blip,
    mean_rate, measured, skipping_doomed, skipping_expired, up_again,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::verdict::Verdict;

pub(super) fn claims() -> Vec<Claim> {
    vec![every_policy()]
}

/// Seconds after the blip in which a service that recovers the moment capacity returns answers as much as it can.
const AT_ONCE: (f64, f64) = (0.0, 2.0);
/// When services that skip have settled.
const SETTLED: (f64, f64) = (30.0, 40.0);

fn goodput(scenario: &Scenario, (from, to): (f64, f64)) -> Experiment {
    Experiment::measure(measured(scenario, from, to), Measure::Goodput)
}

fn useful(stretch: &Stretch) -> f64 {
    stretch.useful_rate
}

/// Answers in time just after the blip, beside the fluid, for the policies that the fluid covers.
///
/// Where hardly an answer is in time, chance makes more of them so than the fluid knows, and by very different amounts from
/// run to run: there the measurement has to show no more than that the service is not back.
fn goodput_part(server: &str, policy: usize, scenario: &Scenario, fluid: &FluidBlip) -> Part {
    let (name, apply) = POLICIES[policy];
    let computed = mean_rate(fluid, useful, AT_ONCE, "answers in time");
    let is_back = computed.value > 0.5 * CAPACITY;
    let part = Part::new(format!(
        "answers in time per second in the first two seconds, {server}, {name}"
    ))
    .computed(computed);
    let measured = goodput(&apply(scenario), AT_ONCE);
    if is_back {
        part.equivalent(
            measured,
            Margin::Absolute(0.02 * CAPACITY),
            "2 % of the capacity; what waits at the end of the blip has a whole timeout to be served in",
        )
    } else {
        part.at_most(
            measured,
            0.25 * CAPACITY,
            "a quarter of the capacity: less than the blip itself left",
        )
    }
}

/// Four attempts at random moments and a server that skips what has expired.
fn settled_part(name: &str, service_scv: f64, time: ServiceTime) -> Part {
    let jittered = changed(
        &skipping_expired(&backing_off(&blip(TIMEOUT, 40.0), 1.0, Some(10.0))),
        |spec| spec.service.time = time,
    );
    Part::new(format!(
        "answers in time per second 30 s to 40 s after the blip, skipping expired work, backoff, {name}"
    ))
    .computed(fluid(
        TIMEOUT,
        ATTEMPTS,
        &[("skipping", 1.0), ("service_scv", service_scv)],
        "goodput_settled",
    ))
    .equivalent(
        goodput(&jittered, SETTLED),
        Margin::Absolute(0.015 * CAPACITY),
        "1.5 % of the capacity; the closed form takes attempts to come at random, which jitter sees to",
    )
}

fn every_policy() -> Claim {
    let base = blip(TIMEOUT, 2.0);
    let moment = || every_run("every policy recovers at once");
    let up_part = |server: &str, (name, apply): (&str, fn(&Scenario) -> Scenario), scenario: &Scenario| {
        let (from, to) = AT_ONCE;
        Part::new(format!(
            "share of runs up again within two seconds, {server}, {name}"
        ))
        .quoted(moment())
        .measured(up_again(&apply(scenario), from, to))
    };
    let expired = skipping_expired(&base);
    let doomed = skipping_doomed(&base);
    let budget = |blip: FluidBlip| blip.with_budget(0.1, 100.0);
    let fluids = |skip: fn(FluidBlip) -> FluidBlip| {
        [
            (0, skip(fluid_blip(TIMEOUT, 1))),
            (1, skip(fluid_blip(TIMEOUT, ATTEMPTS))),
            (
                3,
                budget(skip(fluid_blip(TIMEOUT, ATTEMPTS))).expect("a tenth and a hundred lie in the domain"),
            ),
        ]
    };
    Claim::new(
        "R05",
        Document::RetryStorms,
        "A server that drops requests whose clients have given up recovers the moment capacity returns, under every policy.",
    )
    .remark(
        "It depends on what is dropped. A server that looks, when it takes an attempt from the queue, whether its client has \
         given up already (as the code shown does) recovers at once without retries and with the budget, but not with immediate \
         retries or backoff. At overload it always takes the oldest attempt that has just not expired, and by the time it is done \
         the client has given up: it goes on working for nobody. A server that skips what it cannot answer in time recovers at \
         once under all four policies. It goes by the service time at full capacity, so that during the blip itself it mostly serves \
         what ends too late.",
    )
    .remark(
        "A simulator whose services take no time, or one that advances in steps longer than a service, cannot tell the two \
         apart. That may be how the document's playground comes to its statement; its source is not part of the text.",
    )
    .open_parameter(
        "Which attempts are dropped: both readings are tried. At the moment capacity returns means, in the parts, that within the \
         next two seconds more than nine requests in ten succeed.",
    )
    .open_parameter(
        "Service time: always 1 ms. With exponential service times a server that skips the expired settles at 397 answers in time \
         per second under backoff, in place of 52, and it may climb out of it by itself under immediate retries, because \
         attempts sent again at a fixed distance do not come at random.",
    )
    .open_parameter("Backoff: full jitter with a base of 1 s and a cap of 30 s, or of 10 s for the settled state.")
    .parts(POLICIES.iter().enumerate().map(|(index, &policy)| {
        let part = up_part("skipping what has expired", policy, &expired);
        if index == 1 || index == 2 {
            part.recorded(Verdict::NotReproduced)
        } else {
            part
        }
    }))
    .parts(POLICIES.map(|policy| up_part("skipping what cannot be answered in time", policy, &doomed)))
    .parts(
        fluids(|blip| blip.skipping_expired(0.0).expect("0 lies in the domain"))
            .map(|(policy, fluid)| goodput_part("skipping what has expired", policy, &expired, &fluid)),
    )
    .parts(fluids(FluidBlip::skipping_doomed).map(|(policy, fluid)| {
        goodput_part("skipping what cannot be answered in time", policy, &doomed, &fluid)
    }))
    .part(settled_part(
        "service always 1 ms",
        0.0,
        ServiceTime::Deterministic {
            value: (1.0 / CAPACITY).into(),
        },
    ))
    .part(settled_part(
        "exponential service",
        1.0,
        ServiceTime::Exponential {
            mean: (1.0 / CAPACITY).into(),
        },
    ))
    .beyond(
        "The state in which such a server stays has a closed form. At Λ attempts a second a share σ of what it serves is in time, \
         with σ = E e^(−Λ(1 − σ)S) and S the service time (σ = 1000/Λ if it is exponential), and Λ follows from how often \
         requests fail. One retry is too few to hold it there with a service time of 1 ms; two are not.",
    )
    .part(
        Part::new("share of runs up again 30 s to 40 s after the blip, skipping expired work, one immediate retry").at_least(
            up_again(
                &changed(&skipping_expired(&blip(TIMEOUT, 40.0)), |spec| spec.client.attempts = 2),
                SETTLED.0,
                SETTLED.1,
            ),
            0.9,
            "the fluid with two attempts recovers by itself",
        ),
    )
    .part(
        Part::new("answers in time per second 30 s to 40 s after the blip, skipping expired work, three immediate retries")
            .quoted(Quote::range(
                "recovers",
                0.9 * super::setting::ARRIVAL_RATE,
                1.1 * super::setting::ARRIVAL_RATE,
                "nine tenths of the traffic and more",
            ))
            .measured(goodput(&skipping_expired(&blip(TIMEOUT, 40.0)), SETTLED))
            .recorded(Verdict::NotReproduced),
    )
}

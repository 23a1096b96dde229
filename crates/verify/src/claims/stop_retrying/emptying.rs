//! How soon the pool is empty, and what comes back while it is: A01 and A02.

use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::api::{ANSWER_TIME, INSTANCES, RATES, REFILL_RATE, SIZE, api, measured, one_pool, standard_pool};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![emptying(), trickle()]
}

/// One instance of those that share a rate of requests.
fn instance(rate: f64, failure_probability: f64, retries: u32, from: f64, length: f64) -> Scenario {
    let share = rate / f64::from(INSTANCES);
    let spec = api(share, 1, failure_probability, retries, standard_pool());
    measured(
        spec,
        &format!("one instance of {INSTANCES} at {rate}/s"),
        from,
        length,
    )
}

/// Time from which on nothing succeeds until an instance has no token left: the fluid, later by the mean time from a
/// request's arrival to one of its retries.
fn empty_after(rate: f64, retries: u32) -> ComputedNumber {
    let delay = ANSWER_TIME * f64::from(retries + 1) / 2.0;
    one_pool(
        rate / f64::from(INSTANCES),
        1.0,
        retries,
        (SIZE, REFILL_RATE),
        "emptying_time",
    )
    .then(|x| x + delay, "x + answer time · (r + 1)/2")
}

fn emptying() -> Claim {
    let settings = RATES
        .into_iter()
        .flat_map(|rate| [1, 2].map(|retries| (rate, retries)));
    Claim::new(
        "A01",
        Document::StopRetrying,
        "When all requests fail, an instance's pool of 25 tokens is empty within a couple of seconds.",
    )
    .remark(
        "All requests fail from time 0 on, with a full pool, so nothing comes back. The four instances see a quarter of the \
         requests each, and each pool is on its own.",
    )
    .open_parameter(
        "Retries per request: 1 and 2. The time is inversely proportional to it. Two retries without a delay are the default \
         of Failsafe, the library that the post names.",
    )
    .open_parameter(
        "Mean time until an error is answered: 50 ms, exponential. It delays the first retries, and the pool is empty later by \
         about (r + 1)/2 of it.",
    )
    .parts(settings.map(|(rate, retries)| {
        Part::new(format!("seconds until the pool is empty, {rate} requests a second, r = {retries}"))
            .quoted(Quote::range(
                "a couple of seconds",
                0.0,
                3.0,
                "a couple is two, at most three; sooner is within it",
            ))
            .computed(empty_after(rate, retries))
            .equivalent(
                Experiment::passage(
                    instance(rate, 1.0, retries, 0.0, 60.0),
                    "seconds until the pool is empty",
                    0.0,
                    |simulation| simulation.tokens() < 1.0,
                ),
                Margin::Relative(0.1),
                "tells one retry from two, and allows for a last request whose retries the pool does not all pay for: one \
                 token in 25",
            )
    }))
}

/// Failure probability at which the API still has one success in ten attempts.
const MOSTLY_FAILING: f64 = 0.9;

fn trickle() -> Claim {
    let windows = (120.0, 1_000.0);
    Claim::new(
        "A02",
        Document::StopRetrying,
        "Once the pool is empty, occasional successes let each instance make about one retry a second.",
    )
    .parts(RATES.map(|rate| {
        let share = rate / f64::from(INSTANCES);
        Part::new(format!("retries a second of one instance, {rate} requests a second, 90 % of attempts fail"))
            .quoted(about_one())
            .computed(one_pool(share, MOSTLY_FAILING, 2, (SIZE, REFILL_RATE), "retry_rate"))
            .equivalent(
                Experiment::measure(instance(rate, MOSTLY_FAILING, 2, windows.0, windows.1), Measure::RetryRate),
                Margin::Relative(0.02),
                "the refill rate, to the token that may be left at the end of a minute",
            )
    }))
    .parts([(0.99, true), (0.999, false)].map(|(failure_probability, holds)| {
        let part = Part::new(format!(
            "retries a second of one instance, 40 requests a second, {} % of attempts fail",
            100.0 * failure_probability
        ));
        // Words about occasional successes are no words about hardly any.
        let part = if holds { part.quoted(about_one()) } else { part };
        part.computed(scarce(10.0, failure_probability)).equivalent(
            Experiment::measure(
                instance(40.0, failure_probability, 2, windows.0, 8.0 * windows.1),
                Measure::RetryRate,
            ),
            Margin::Relative(0.1),
            "a third of what the closed form says that a full pool loses at the higher of the two rates of success",
        )
    }))
    .beyond(format!(
        "Successes must not be too rare: what the rate earns between two of them is lost beyond a full pool. With successes \
         at a rate σ the retries made are g(1 − e^(−Nσ/g)) a second, which is {:.2} at 40 requests a second when 99 % of \
         attempts fail and {:.2} when 99.9 % do. So the harder the service is down, the less it is retried.",
        scarce(10.0, 0.99).value,
        scarce(10.0, 0.999).value,
    ))
}

fn about_one() -> Quote {
    Quote::range("about one a second", 0.9, 1.1, "one, to a tenth")
}

/// Retries a second where successes are rare: each brings what was earned since the last, a full pool at most, and all of
/// it is spent before the next.
///
/// With σ = (λ + x)(1 − p) successes a second as a Poisson process, x = g(1 − e^(−Nσ/g)) is a fixed point, reached from
/// above because the right side is concave in x.
fn scarce(rate: f64, failure_probability: f64) -> ComputedNumber {
    let mut retries = REFILL_RATE;
    for _ in 0..60 {
        let successes = (rate + retries) * (1.0 - failure_probability);
        retries = -REFILL_RATE * (-SIZE * successes / REFILL_RATE).exp_m1();
    }
    ComputedNumber::arithmetic(
        retries,
        "x = g(1 − e^(−Nσ/g)), σ = (λ + x)(1 − p): successes at a rate σ, each worth what g earned since the last, at most N",
    )
}

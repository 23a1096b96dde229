//! Dead work without retries: R01.

use super::setting::{
    ARRIVAL_RATE, CAPACITY, DURATION, POLICIES, REDUCED_CAPACITY, TIMEOUT, blip, changed, dead_time,
    every_run, fluid, measured, success_of,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::Quote;
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![nine_seconds()]
}

/// Half of the half second to which a whole number of seconds is rounded.
const MARGIN: Margin = Margin::Absolute(0.25);
const MARGIN_REASON: &str = "half of what rounding to a second leaves open; the fluid starts from an empty queue and \
     ends with the first useful answer, the runs from the 2.4 attempts of a healthy queue at load 0.8 and with late answers \
     here and there: 0.02 s together";

fn nine_seconds() -> Claim {
    let (_, no_retries) = POLICIES[0];
    let dead = |timeout: f64| dead_time(no_retries(&blip(timeout, 15.0)));
    let nine = || {
        Quote::range(
            "nine seconds",
            8.5,
            9.5,
            "what rounds to the printed number of seconds",
        )
    };
    let part = |timeout: f64| {
        Part::new(format!(
            "seconds without useful throughput after the blip, timeout {timeout} s"
        ))
        .computed(fluid(timeout, 1, &[], "dead_time"))
        .equivalent(dead(timeout), MARGIN, MARGIN_REASON)
    };
    let slope = ARRIVAL_RATE / (CAPACITY - ARRIVAL_RATE);
    // One run's curves of arrivals and services meet where arrivals say; their deviation over the way there moves it.
    let way = DURATION + fluid(TIMEOUT, 1, &[], "dead_time").value - TIMEOUT;
    let deviation = (ARRIVAL_RATE * way).sqrt() / (CAPACITY - ARRIVAL_RATE);
    Claim::new(
        "R01",
        Document::RetryStorms,
        "Clients that never retry get hardly a useful answer in the first nine seconds after the blip: the service works off \
         requests that nobody waits for any more.",
    )
    .open_parameter(format!(
        "Timeout T: the dead time is (λ(5 − T) − 300 · 5)/(1000 − λ) seconds with λ = 800, that is {slope} s less for each \
         second of timeout. It rounds to nine for timeouts from 0.75 s to 1 s; 0.875 s gives nine sharp, 1 s gives 8.5 s."
    ))
    .open_parameter(
        "Start of the blip: it makes no difference here. The document's 55 s of another statement fit a blip that starts at \
         30 s; the runs behind the claims start it at 2 s, long after the queue has forgotten that it began empty.",
    )
    .open_parameter(format!(
        "Chance: traffic is Poisson, the service time always the same. A single run's dead time then deviates from the fluid's \
         by {deviation:.2} s (standard deviation), the mean over runs by hundredths of a second. With exponential service \
         times the deviation is larger by a factor of about 1.4."
    ))
    .parts([0.875, TIMEOUT].map(|timeout| part(timeout).quoted(nine())))
    .parts([0.5, 0.75].map(part))
    .part(
        Part::new("share of runs with less than 1 % success in the first six seconds after the blip, timeout 1 s")
            .quoted(every_run("near zero"))
            .measured(Experiment::share_of_runs(
                measured(&no_retries(&blip(TIMEOUT, 15.0)), 0.0, 6.0),
                "share of runs with success below 1 % in the measured time",
                |run| success_of(run) < 0.01,
            )),
    )
    .part({
        let exponential = changed(&no_retries(&blip(TIMEOUT, 15.0)), |spec| {
            spec.service.time = retrylab_model::ServiceTime::Exponential {
                mean: (1.0 / CAPACITY).into(),
            };
        });
        Part::new("seconds of service spent on abandoned work after the blip, timeout 1 s, exponential service")
            .computed(fluid(TIMEOUT, 1, &[], "dead_time"))
            .equivalent(
                dead_time(exponential),
                Margin::Absolute(0.5),
                "what rounding to a second leaves open; the runs deviate more with exponential service",
            )
    })
    .beyond(format!(
        "A blip leaves no dead time at all if the timeout is at least {} s: then no attempt that waits at its end has expired by \
         the time it is served.",
        DURATION * (1.0 - REDUCED_CAPACITY / ARRIVAL_RATE)
    ))
}

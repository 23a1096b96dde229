//! The bad day: L12, L13, L14 and L16.

use retrylab_sim::Measure;

use super::experiments::{
    MARGIN, attempts, attempts_part, coins, failing_service, series, success, success_part,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![
        one_retry_more(),
        rehearsal(),
        deterministic_failure(),
        recomputation(),
    ]
}

fn one_retry_more() -> Claim {
    let claim = Claim::new(
        "L12",
        Document::Lesson,
        "At p = 0.9 a third retry raises success from 27.1 % to 34.39 %, and the ceiling from 6000 to 8000 attempts a \
         second for 2000 requests a second.",
    );
    [(2, "27.1", "6000"), (3, "34.39", "8000")].into_iter().fold(
        claim,
        |claim, (retries, percent, ceiling)| {
            claim
                .part(success_part(
                    Part::new(format!("success, r = {retries}"))
                        .quoted(Quote::percent(percent))
                        .computed(series(0.9, retries, "success")),
                    0.9,
                    retries,
                ))
                .part(
                    Part::new(format!("ceiling, r = {retries}"))
                        .quoted(Quote::printed(ceiling))
                        .computed(worst_load(retries, 10_000.0))
                        .equivalent(
                            Experiment::measure(
                                failing_service(2000.0, 10_000.0, 1.0, retries),
                                Measure::AttemptRate,
                            ),
                            Margin::Relative(0.005),
                            "0.5 % tells apart ceilings that differ by one retry",
                        ),
                )
        },
    )
}

fn worst_load(retries: u32, capacity: f64) -> crate::outcome::ComputedNumber {
    theory(
        "ceiling",
        &[
            ("arrival_rate", 2000.0),
            ("retries", f64::from(retries)),
            ("capacity", capacity),
        ],
        "worst_arrival_rate",
    )
}

/// The most retries, up to three, with which the service of the exercise still has idle time when every attempt fails.
fn most_retries_that_fit() -> Experiment {
    let scenarios = (0..=3)
        .map(|retries| failing_service(2000.0, 5000.0, 1.0, retries))
        .collect();
    Experiment::side_by_side(scenarios, "most retries with a utilisation below 99 %", |runs| {
        let fitting = runs.iter().take_while(|run| {
            let (busy, available) = run.measure(Measure::Utilization);
            busy < 0.99 * available
        });
        fitting.count() as f64 - 1.0
    })
    .within(-1.0, 3.0)
}

fn rehearsal() -> Claim {
    let utilization = |retries: u32| {
        Experiment::measure(
            failing_service(2000.0, 5000.0, 1.0, retries),
            Measure::Utilization,
        )
    };
    Claim::new(
        "L13",
        Document::Lesson,
        "For 2000 requests a second and a capacity of 5000, find the largest number of retries whose ceiling fits, and \
         the success it gives at p = 0.5 and p = 0.9.",
    )
    .remark(
        "The text sets the exercise and leaves the answer to the reader: one retry (4000 fits, 6000 does not), which \
         succeeds with probability 0.75 at p = 0.5 and 0.19 at p = 0.9.",
    )
    .part(
        Part::new("largest number of retries that fits")
            .computed(theory(
                "ceiling",
                &[("arrival_rate", 2000.0), ("retries", 1.0), ("capacity", 5000.0)],
                "retries_max",
            ))
            .equivalent(
                most_retries_that_fit(),
                Margin::Absolute(0.25),
                "a whole number: a quarter leaves no doubt which",
            ),
    )
    .part(
        Part::new("utilisation when every attempt fails, one retry")
            .computed(worst_load(1, 5000.0).then(|x| x / 5000.0, "x / 5000"))
            .equivalent(utilization(1), Margin::Relative(0.01), "1 % leaves no doubt that 0.8 fits"),
    )
    .part(Part::new("utilisation when every attempt fails, two retries").at_least(
        utilization(2).within(0.0, 1.0),
        0.95,
        "a server that gets 6000 for its 5000 has no idle time; at 0.95 it could serve all that arrives",
    ))
    .parts([0.5, 0.9].map(|p| {
        let part = Part::new(format!("success with one retry, p = {p}"));
        success_part(part.computed(series(p, 1, "success")), p, 1)
    }))
}

fn deterministic_failure() -> Claim {
    let correlated = |correlation: f64, result: &str| {
        theory(
            "correlated",
            &[
                ("failure_probability", 0.3),
                ("retries", 2.0),
                ("correlation", correlation),
            ],
            result,
        )
    };
    let calls = |correlation: f64| {
        coins(0.3, 2)
            .with_correlation(correlation)
            .expect("the lesson's parameters are valid")
    };
    let service = |correlation: f64| {
        failing_service(400.0, 1000.0, 0.3, 2)
            .modified(|spec| spec.service.error_correlation = correlation)
            .expect("the lesson's scenarios are valid")
    };
    Claim::new(
        "L14",
        Document::Lesson,
        "When a request that failed once fails every time, retries buy nothing and cost the full r + 1 attempts.",
    )
    .beyond(
        "Between independent and identical outcomes lies a range: here, with probability c all attempts of a request \
         share one outcome, and otherwise they are independent, so that c is the correlation between the outcomes of \
         any two attempts. Checked at p = 0.3 with two retries, by coins and in a service with a queue, which 400 requests a \
         second reach that could serve 1000 attempts.",
    )
    .part(
        attempts_part(
            Part::new("attempts of a request that fails every time, r = 2").computed(series(1.0, 2, "attempts")),
            1.0,
            2,
        ),
    )
    .parts([0.0, 0.25, 0.5, 0.75, 1.0].into_iter().flat_map(|c| {
        let measured = |measure| Experiment::measure(service(c), measure);
        [
            ("", success(calls(c)), attempts(calls(c))),
            (
                " in a service with a queue",
                measured(Measure::Success),
                measured(Measure::AttemptsPerRequest),
            ),
        ]
        .into_iter()
        .flat_map(move |(place, success, attempts)| {
            [
                Part::new(format!("success at correlation {c}{place}"))
                    .computed(correlated(c, "success"))
                    .equivalent(
                        success,
                        Margin::Relative(0.005),
                        "0.5 % is less than a tenth of what a step of the correlation changes",
                    ),
                Part::new(format!("attempts per request at correlation {c}{place}"))
                    .computed(correlated(c, "attempts"))
                    .equivalent(
                        attempts,
                        MARGIN,
                        "0.2 % is less than a tenth of what a step of the correlation changes",
                    ),
            ]
        })
    }))
}

fn recomputation() -> Claim {
    Claim::new(
        "L16",
        Document::Lesson,
        "The numbers that decide about a policy are those of a bad day, at p = 0.5 and p = 0.9, and they can be \
         recomputed for any policy.",
    )
    .remark("Checked for one to four retries; the text prints only some of these numbers.")
    .parts((1..=4).flat_map(|retries| {
        [0.5, 0.9].into_iter().flat_map(move |p| {
            [
                attempts_part(
                    Part::new(format!("attempts per request, r = {retries}, p = {p}"))
                        .computed(series(p, retries, "attempts")),
                    p,
                    retries,
                ),
                success_part(
                    Part::new(format!("success, r = {retries}, p = {p}"))
                        .computed(series(p, retries, "success")),
                    p,
                    retries,
                ),
            ]
        })
    }))
}

//! The series itself: L01–L07, L09 and L11.

use retrylab_analytic::amplification::Amplification;
use retrylab_sim::Measure;

use super::experiments::{
    attempts, attempts_part, coins, failing_service, loss_part, retry_share_part, series, success,
    success_part,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;

/// Policies over which the formulas are measured: failure probability and retries, the limit p = 1 included.
const POLICIES: [(f64, u32); 7] = [
    (0.05, 1),
    (0.2, 2),
    (0.5, 2),
    (0.5, 5),
    (0.9, 2),
    (0.99, 10),
    (1.0, 2),
];

pub(super) fn claims() -> Vec<Claim> {
    vec![
        attempts_formula(),
        success_formula(),
        healthy_day(),
        cost_of_failure(),
        directions(),
        benefit_of_retries(),
        duplicates(),
        retry_share(),
        fourth_attempt(),
    ]
}

fn attempts_formula() -> Claim {
    Claim::new(
        "L01",
        Document::Lesson,
        "With r retries and attempts that fail independently with probability p, a request makes 1 + p + … + pʳ \
         attempts on average, which is (1 − pʳ⁺¹)/(1 − p).",
    )
    .remark("At p = 1 the closed form is 0/0; its limit, r + 1, is what is computed and measured there.")
    .parts(POLICIES.map(|(p, r)| {
        let part = Part::new(format!("attempts per request, p = {p}, r = {r}"));
        attempts_part(part.computed(series(p, r, "attempts")), p, r)
    }))
}

fn success_formula() -> Claim {
    Claim::new(
        "L02",
        Document::Lesson,
        "With r retries and independent failures a request succeeds with probability 1 − pʳ⁺¹.",
    )
    .remark("What is measured is the complement, the loss pʳ⁺¹, because it is the small and therefore the sensitive side.")
    .parts(POLICIES.map(|(p, r)| {
        let part = Part::new(format!("loss, p = {p}, r = {r}"));
        loss_part(part.computed(series(p, r, "loss")), p, r)
    }))
}

fn healthy_day() -> Claim {
    let surcharge = attempts(coins(0.1, 2)).shifted(-1.0, "attempts per request beyond the first");
    Claim::new(
        "L03",
        Document::Lesson,
        "At a failure probability of 10 %, two retries lift success to 99.9 % at a cost of 1.11 attempts per request, \
         11 % more load for a loss that is a hundred times smaller.",
    )
    .part(
        Part::new("success").quoted(Quote::percent("99.9")).computed(series(0.1, 2, "success")).equivalent(
            success(coins(0.1, 2)),
            Margin::Absolute(0.0001),
            "a tenth of the loss that the number implies",
        ),
    )
    .part(attempts_part(
        Part::new("attempts per request").quoted(Quote::printed("1.11")).computed(series(0.1, 2, "attempts")),
        0.1,
        2,
    ))
    .part(
        Part::new("additional load")
            .quoted(Quote::percent("11"))
            .computed(series(0.1, 2, "duplicates"))
            .equivalent(
                surcharge,
                Margin::Relative(0.02),
                "2 % of 0.11 is less than half a unit in the last digit of 11 %",
            ),
    )
    .part(
        Part::new("factor by which two retries cut the loss")
            .quoted(Quote::printed("100"))
            .computed(series(0.1, 2, "loss").then(|loss| 0.1 / loss, "p / x")),
    )
}

fn cost_of_failure() -> Claim {
    Claim::new(
        "L04",
        Document::Lesson,
        "Two retries cost 2.71 attempts per request when nine attempts in ten fail, and 2.97 when 99 in 100 do.",
    )
    .parts([(0.9, "2.71"), (0.99, "2.97")].map(|(p, text)| {
        let part = Part::new(format!("attempts per request, p = {p}"));
        attempts_part(part.quoted(Quote::printed(text)).computed(series(p, 2, "attempts")), p, 2)
    }))
}

/// Neighbouring grid points at which attempts do not rise, success does not fall, or attempts pass r + 1.
///
/// Success is compared through the loss, which keeps its digits where success rounds to 1.
fn violations() -> f64 {
    let mut violations = 0_u32;
    for retries in 1..=50 {
        let policies: Vec<_> = (0..=1000)
            .map(|step| {
                Amplification::new(f64::from(step) / 1000.0, retries).expect("the grid lies in the domain")
            })
            .collect();
        for pair in policies.windows(2) {
            let attempts_rise = pair[1].attempts() > pair[0].attempts();
            let loss_rises = pair[1].loss() > pair[0].loss();
            violations += u32::from(!attempts_rise) + u32::from(!loss_rises && pair[1].loss() > 0.0);
        }
        let limit = policies[1000].attempts();
        violations += u32::from((limit - (retries as f64 + 1.0)).abs() > f64::EPSILON * limit);
    }
    f64::from(violations)
}

fn directions() -> Claim {
    let rise = |low: f64, high: f64, retries: u32| {
        (
            format!("attempts at p = {high} less those at p = {low}, r = {retries}"),
            series(high, retries, "attempts").then(
                |x| x - series(low, retries, "attempts").value,
                "x less the same at the smaller p",
            ),
            failing_pair(low, high, retries, |low, high| high.0 - low.0),
        )
    };
    let fall = |low: f64, high: f64, retries: u32| {
        (
            format!("success at p = {low} less that at p = {high}, r = {retries}"),
            series(high, retries, "loss").then(
                |x| x - series(low, retries, "loss").value,
                "x less the same at the smaller p",
            ),
            failing_pair(low, high, retries, |low, high| low.1 - high.1),
        )
    };
    let measured = [
        rise(0.1, 0.5, 2),
        rise(0.5, 0.9, 2),
        rise(0.9, 1.0, 2),
        fall(0.1, 0.5, 2),
        fall(0.5, 0.9, 2),
        fall(0.9, 1.0, 2),
    ];
    Claim::new(
        "L05",
        Document::Lesson,
        "Attempts per request rise with the failure probability towards r + 1, while success falls.",
    )
    .part(
        Part::new("exceptions on a grid of 1001 failure probabilities for each r from 1 to 50")
            .quoted(Quote::range("none", 0.0, 0.0, "the statement admits no exception"))
            .computed(ComputedNumber {
                value: violations(),
                formula: "count of grid neighbours where attempts do not rise, loss does not rise, or attempts at p = 1 differ from r + 1"
                    .to_owned(),
                source: "amplification, evaluated on the grid".to_owned(),
                command: String::new(),
            }),
    )
    .parts(measured.map(|(label, computed, experiment)| {
        Part::new(label).computed(computed).equivalent(
            experiment,
            Margin::Relative(0.05),
            "5 % of the difference leaves its sign in no doubt",
        )
    }))
}

/// A statistic of two failing services under the same traffic: attempts per request and success of each.
fn failing_pair(low: f64, high: f64, retries: u32, value: fn((f64, f64), (f64, f64)) -> f64) -> Experiment {
    let scenarios = [low, high]
        .map(|p| failing_service(1.0, 10.0, p, retries))
        .to_vec();
    Experiment::side_by_side(
        scenarios,
        "difference between two failure probabilities",
        move |runs| {
            let [low, high] = [0, 1].map(|index| {
                let ratio = |measure| {
                    let (numerator, denominator) = runs[index].measure(measure);
                    numerator / denominator
                };
                (ratio(Measure::AttemptsPerRequest), ratio(Measure::Success))
            });
            value(low, high)
        },
    )
}

fn benefit_of_retries() -> Claim {
    Claim::new(
        "L06",
        Document::Lesson,
        "With two retries, 27.1 % of requests succeed at p = 0.9 and about 3 % at p = 0.99.",
    )
    .parts([(0.9, "27.1"), (0.99, "3")].map(|(p, text)| {
        let part = Part::new(format!("success, p = {p}"));
        success_part(
            part.quoted(Quote::percent(text))
                .computed(series(p, 2, "success")),
            p,
            2,
        )
    }))
}

fn duplicates() -> Claim {
    Claim::new(
        "L07",
        Document::Lesson,
        "If an attempt that was served is retried all the same, every attempt after the first is duplicate work: \
         p + p² + … + pʳ per request, 0.11 at p = 0.1 with two retries, which is 9.91 % of the server's work.",
    )
    .part(
        Part::new("duplicate attempts per request")
            .quoted(Quote::printed("0.11"))
            .computed(series(0.1, 2, "duplicates"))
            .equivalent(
                Experiment::measure(failing_service(500.0, 1000.0, 0.1, 2), Measure::AttemptsPerRequest)
                    .shifted(-1.0, "attempts per request beyond the first"),
                Margin::Relative(0.02),
                "2 % tells retries per request apart from their share of all attempts (0.099) and from p (0.1)",
            ),
    )
    .part(
        Part::new("share of the server's work")
            .quoted(Quote::percent("9.91"))
            .computed(series(0.1, 2, "retry_share"))
            .equivalent(
                Experiment::measure(failing_service(500.0, 1000.0, 0.1, 2), Measure::RetryShare),
                Margin::Relative(0.01),
                "1 % tells the share of all attempts apart from retries per request (0.11), 11 % away",
            ),
    )
}

fn retry_share() -> Claim {
    Claim::new(
        "L09",
        Document::Lesson,
        "Retries are 9.91 % of all traffic at p = 0.1 with two retries, and 66.33 % at p = 0.99.",
    )
    .parts([(0.1, "9.91"), (0.99, "66.33")].map(|(p, text)| {
        let part = Part::new(format!("retry share, p = {p}"));
        retry_share_part(
            part.quoted(Quote::percent(text))
                .computed(series(p, 2, "retry_share")),
            p,
            2,
        )
    }))
}

fn fourth_attempt() -> Claim {
    Claim::new(
        "L11",
        Document::Lesson,
        "A third retry adds 0.000125 attempts per request when the service is healthy, and 0.729 when it is failing.",
    )
    .open_parameter(
        "Failure probabilities: a fourth attempt happens when three have failed, with \
         probability p³, so the two numbers belong to p = 0.05 and p = 0.9.",
    )
    .parts([(0.05, "0.000125"), (0.9, "0.729")].map(|(p, text)| {
        let part = Part::new(format!("share of requests that make a fourth attempt, p = {p}"));
        loss_part(part.quoted(Quote::printed(text)).computed(series(p, 2, "loss")), p, 2)
    }))
}

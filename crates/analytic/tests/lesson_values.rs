//! The numbers that the lesson on the geometric series prints, at the precision at which it prints them.

use retrylab_analytic::find;

/// Quantity, arguments, result, and the printed number.
type Printed = (
    &'static str,
    &'static [(&'static str, f64)],
    &'static str,
    &'static str,
);

const fn failing(failure_probability: f64, retries: f64) -> [(&'static str, f64); 2] {
    [("failure_probability", failure_probability), ("retries", retries)]
}

const HEALTHY: &[(&str, f64)] = &failing(0.1, 2.0);
const BAD: &[(&str, f64)] = &failing(0.9, 2.0);
const WORST: &[(&str, f64)] = &failing(0.99, 2.0);

const PRINTED: &[Printed] = &[
    ("amplification", HEALTHY, "attempts", "1.11"),
    ("amplification", HEALTHY, "success", "0.999"),
    ("amplification", HEALTHY, "duplicates", "0.11"),
    ("amplification", HEALTHY, "retry_share", "0.0991"),
    ("amplification", BAD, "attempts", "2.71"),
    ("amplification", BAD, "success", "0.271"),
    ("amplification", WORST, "attempts", "2.97"),
    ("amplification", WORST, "success", "0.03"),
    ("amplification", WORST, "retry_share", "0.6633"),
    ("amplification", &failing(0.9, 3.0), "success", "0.3439"),
    (
        "tiers",
        &[("failure_probability", 0.1), ("retries", 2.0), ("tiers", 2.0)],
        "attempts",
        "1.2321",
    ),
    (
        "tiers",
        &[("failure_probability", 0.1), ("retries", 2.0), ("tiers", 3.0)],
        "attempts",
        "1.368",
    ),
    (
        "ceiling",
        &[("arrival_rate", 2000.0), ("retries", 2.0), ("capacity", 5000.0)],
        "worst_arrival_rate",
        "6000",
    ),
    (
        "ceiling",
        &[("arrival_rate", 2000.0), ("retries", 3.0), ("capacity", 5000.0)],
        "worst_arrival_rate",
        "8000",
    ),
];

#[test]
fn printed_numbers_come_out() {
    for (name, arguments, result, printed) in PRINTED {
        let number = find(name)
            .unwrap()
            .evaluate(arguments)
            .unwrap()
            .number(result)
            .unwrap();
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        assert_eq!(
            format!("{number:.decimals$}"),
            *printed,
            "{result} of {name} {arguments:?} is {number}"
        );
    }
}

#[test]
fn the_fourth_attempt_costs_what_is_printed() {
    let attempts = |p: f64, r: f64| find("amplification").unwrap().evaluate(&failing(p, r)).unwrap();
    let cost =
        |p: f64| attempts(p, 3.0).number("attempts").unwrap() - attempts(p, 2.0).number("attempts").unwrap();
    assert_eq!(format!("{:.3}", cost(0.9)), "0.729");
    // The healthy day of this number has a failure probability of 0.05, not the 0.1 of the others.
    assert_eq!(format!("{:.6}", cost(0.05)), "0.000125");
    assert_eq!(format!("{:.6}", cost(0.1)), "0.001000");
}

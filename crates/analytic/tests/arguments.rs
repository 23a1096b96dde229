//! What `Quantity::evaluate` accepts and how it refuses the rest: in one sentence that names the cause.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use retrylab_analytic::quantity::{Domain, Requirement};
use retrylab_analytic::{QUANTITIES, Quantity, Value, find};

fn quantity(name: &str) -> &'static Quantity {
    find(name).unwrap()
}

fn refusal(name: &str, given: &[(&str, f64)]) -> String {
    quantity(name).evaluate(given).unwrap_err().to_string()
}

/// A value of the domain, away from its ends.
fn accepted_value(domain: Domain) -> f64 {
    match domain {
        Domain::Probability | Domain::OpenProbability => 0.25,
        Domain::Positive | Domain::NonNegative => 0.5,
        Domain::Count { min, .. } => min as f64 + 1.0,
    }
}

fn every_argument(quantity: &Quantity) -> Vec<(&'static str, f64)> {
    quantity
        .parameters
        .iter()
        .map(|parameter| (parameter.name, accepted_value(parameter.domain)))
        .collect()
}

#[test]
fn each_refusal_is_a_sentence_about_its_cause() {
    let p = ("failure_probability", 0.5);
    let r = ("retries", 2.0);
    let probability = "must be a number from 0 to 1";
    let count = "must be a whole number from 0 to 1000000000";
    for (given, expected) in [
        (
            vec![("failure_probability", 1.2), r],
            format!("failure_probability is 1.2, but {probability}"),
        ),
        (
            vec![("failure_probability", -0.1), r],
            format!("failure_probability is -0.1, but {probability}"),
        ),
        (
            vec![("failure_probability", f64::NAN), r],
            format!("failure_probability is NaN, but {probability}"),
        ),
        (vec![p, ("retries", 1.5)], format!("retries is 1.5, but {count}")),
        (vec![p, ("retries", -1.0)], format!("retries is -1, but {count}")),
        (
            vec![p, ("retries", 1e10)],
            format!("retries is 10000000000, but {count}"),
        ),
        (
            vec![p, ("retries", f64::INFINITY)],
            format!("retries is inf, but {count}"),
        ),
        (vec![p, r, r], "retries is given more than once".to_owned()),
        (
            vec![p],
            "amplification needs retries (retries after the first attempt, one less than the attempts)"
                .to_owned(),
        ),
        (
            vec![p, r, ("tiers", 3.0)],
            "amplification has no parameter tiers; it takes failure_probability, retries".to_owned(),
        ),
    ] {
        assert_eq!(refusal("amplification", &given), expected);
    }
    assert_eq!(
        refusal("mm1", &[("arrival_rate", 0.5), ("service_rate", 0.0)]),
        "service_rate is 0, but must be a finite number above 0"
    );
    assert_eq!(
        refusal("mm1", &[("arrival_rate", f64::INFINITY), ("service_rate", 1.0)]),
        "arrival_rate is inf, but must be a finite number of at least 0"
    );
    assert_eq!(
        refusal(
            "mm1",
            &[("arrival_rate", 0.5), ("service_rate", 1.0), ("probability", 1.0)]
        ),
        "probability is 1, but must be a number between 0 and 1, both excluded"
    );
}

#[test]
fn domains_accept_their_closed_ends_and_refuse_their_open_ones() {
    let count = Domain::Count {
        min: 1,
        max: 3,
        accepted: "from 1 to 3",
    };
    for (domain, inside, outside) in [
        (
            Domain::Probability,
            vec![0.0, 1.0],
            vec![-1e-300, 1.0 + f64::EPSILON],
        ),
        (
            Domain::OpenProbability,
            vec![1e-300, 1.0 - f64::EPSILON],
            vec![0.0, 1.0],
        ),
        (
            Domain::Positive,
            vec![1e-300, f64::MAX],
            vec![0.0, -1.0, f64::INFINITY],
        ),
        (
            Domain::NonNegative,
            vec![0.0, f64::MAX],
            vec![-1e-300, f64::INFINITY],
        ),
        (
            count,
            vec![1.0, 2.0, 3.0],
            vec![0.0, 4.0, 1.5, f64::INFINITY, f64::NEG_INFINITY],
        ),
    ] {
        for value in inside {
            assert!(domain.contains(value), "{domain:?} refuses {value}");
            assert_eq!(domain.check("x", value), Ok(value));
        }
        for value in outside.into_iter().chain([f64::NAN]) {
            assert!(!domain.contains(value), "{domain:?} accepts {value}");
            assert_eq!(
                domain.check("x", value).unwrap_err().to_string(),
                format!("x is {value}, but must be {}", domain.accepted())
            );
        }
    }
}

#[test]
fn a_value_shows_its_number_or_the_reason_why_there_is_none() {
    assert_eq!(Value::from(0.25).to_string(), "0.25");
    assert_eq!(Value::from(0.25).number(), Some(0.25));
    let absent = Value::Absent("the queue grows".to_owned());
    assert_eq!(absent.to_string(), "does not exist: the queue grows");
    assert_eq!(absent.number(), None);
}

#[test]
fn an_unstable_queue_says_why_it_has_no_mean() {
    let evaluation = quantity("mm1")
        .evaluate(&[("arrival_rate", 1.5), ("service_rate", 1.25)])
        .unwrap();
    let (_, mean) = evaluation
        .values
        .iter()
        .find(|(name, _)| *name == "sojourn_time_mean")
        .unwrap();
    assert_eq!(
        *mean,
        Value::Absent(
            "the arrival rate 1.5 is not below the service capacity 1.25, so the queue grows without bound"
                .to_owned()
        )
    );
    assert_eq!(evaluation.number("sojourn_time_mean"), None);
    assert_eq!(evaluation.number("utilization"), Some(1.0));
    assert_eq!(evaluation.number("no such result"), None);
}

#[test]
fn a_number_beyond_double_precision_is_said_to_be_so() {
    let arguments = [
        ("failure_probability", 1.0),
        ("retries", 999.0),
        ("tiers", 1000.0),
    ];
    let evaluation = quantity("tiers").evaluate(&arguments).unwrap();
    for (_, value) in evaluation.values {
        assert_eq!(
            value,
            Value::Absent("it is larger than the largest number of double precision".to_owned())
        );
    }
}

#[test]
fn ceilings_without_a_largest_policy_say_why() {
    let reason = |arrival_rate: f64| {
        let arguments = [
            ("arrival_rate", arrival_rate),
            ("retries", 0.0),
            ("capacity", 2.0),
        ];
        let values = quantity("ceiling").evaluate(&arguments).unwrap().values;
        values
            .into_iter()
            .find(|(name, _)| *name == "retries_max")
            .unwrap()
            .1
    };
    assert_eq!(
        reason(2.5),
        Value::Absent("even without retries the arrival rate 2.5 exceeds the capacity 2".to_owned())
    );
    assert_eq!(
        reason(0.0),
        Value::Absent("nothing arrives, so that any number of retries fits".to_owned())
    );
}

#[test]
fn names_are_unique_and_in_one_style() {
    let names: BTreeSet<_> = QUANTITIES.iter().map(|quantity| quantity.name).collect();
    assert_eq!(names.len(), QUANTITIES.len());
    for quantity in QUANTITIES {
        assert!(std::ptr::eq(find(quantity.name).unwrap(), *quantity));
        assert!(!quantity.summary.is_empty() && !quantity.formula.is_empty() && !quantity.source.is_empty());
        assert!(
            quantity
                .name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{}",
            quantity.name
        );
        let parameters: BTreeSet<_> = quantity
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        assert_eq!(parameters.len(), quantity.parameters.len(), "{}", quantity.name);
        let results: BTreeSet<_> = quantity.results.iter().map(|(name, _)| *name).collect();
        assert_eq!(results.len(), quantity.results.len(), "{}", quantity.name);
    }
    assert!(find("no-such-quantity").is_none());
}

#[test]
fn results_come_as_listed_and_only_those_of_absent_optional_parameters_are_left_out() {
    for quantity in QUANTITIES {
        let listed: Vec<_> = quantity.results.iter().map(|(name, _)| *name).collect();
        let every = every_argument(quantity);
        let evaluation = quantity.evaluate(&every).unwrap();
        let given: Vec<_> = evaluation.values.iter().map(|(name, _)| *name).collect();
        assert_eq!(given, listed, "{}", quantity.name);
        assert_eq!(evaluation.parameters, every, "{}", quantity.name);

        let required: Vec<_> = quantity
            .parameters
            .iter()
            .filter(|parameter| parameter.requirement == Requirement::Required)
            .map(|parameter| (parameter.name, accepted_value(parameter.domain)))
            .collect();
        let evaluation = quantity.evaluate(&required).unwrap();
        let mut given = evaluation.values.iter().map(|(name, _)| name).peekable();
        let left_out = listed
            .iter()
            .filter(|name| given.next_if_eq(name).is_none())
            .count();
        assert_eq!(
            given.next(),
            None,
            "{} gives results out of order or not listed",
            quantity.name
        );
        let optional = quantity
            .parameters
            .iter()
            .any(|p| p.requirement == Requirement::Optional);
        assert!(optional || left_out == 0, "{} leaves out results", quantity.name);
        for (index, (name, _)) in required.iter().enumerate() {
            let mut incomplete = required.clone();
            incomplete.remove(index);
            let message = quantity.evaluate(&incomplete).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("{} needs {name} (", quantity.name)),
                "{message}"
            );
        }
    }
}

#[test]
fn a_default_is_used_and_reported() {
    let given = [
        ("failure_probability", 0.5),
        ("retries", 1.0),
        ("arrival_rate", 2.0),
        ("capacity", 4.0),
    ];
    let evaluation = quantity("policy").evaluate(&given).unwrap();
    assert_eq!(evaluation.parameters.last(), Some(&("tiers", 1.0)));
    assert_eq!(evaluation.number("load"), Some(3.0));
}

#[test]
fn typed_constructors_refuse_what_the_domains_refuse() {
    use retrylab_analytic::{
        amplification, budget_line, capped, ceiling, mm1, mm1k, policy, stuck_line, tiers,
    };
    let refused = [
        amplification::Amplification::new(1.2, 1).err(),
        amplification::Amplification::new(0.5, 1_000_000_001).err(),
        tiers::Tiers::new(0.5, 1, 0).err(),
        tiers::Tiers::new(0.5, 1, 1001).err(),
        capped::Capped::by_ratio(0.5, 1, -0.1).err(),
        capped::Capped::by_share(0.5, 1, 1.1).err(),
        ceiling::Ceiling::new(-1.0, 1, 1.0).err(),
        ceiling::Ceiling::new(1.0, 1, 0.0).err(),
        policy::Policy::new(0.5, 1, f64::NAN, 1.0, 1).err(),
        policy::Policy::new(0.5, 1, 1.0, f64::INFINITY, 1).err(),
        stuck_line::load(0).err(),
        budget_line::load(f64::NAN).err(),
        mm1::Mm1::new(-1.0, 1.0).err(),
        mm1::Mm1::new(1.0, 0.0).err(),
        mm1k::Mm1k::new(1.0, 1.0, 0).err(),
        mm1k::Mm1k::new(1.0, 1.0, 100_001).err(),
    ];
    let parameters: Vec<_> = refused
        .into_iter()
        .map(|error| error.unwrap().parameter)
        .collect();
    let expected = [
        "failure_probability",
        "retries",
        "tiers",
        "tiers",
        "ratio",
        "share",
        "arrival_rate",
        "capacity",
        "arrival_rate",
        "capacity",
        "attempts",
        "ratio",
        "arrival_rate",
        "service_rate",
        "places",
        "places",
    ];
    assert_eq!(parameters, expected);
}

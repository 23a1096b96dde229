//! Every sentence of an assessment is backed by numbers in its JSON, and shows them truly.
#![expect(clippy::unwrap_used, reason = "tests stop at what is not there")]

use std::sync::OnceLock;

use retrylab_assess::{Service, assess, markdown, page};
use serde_json::Value;

/// Services of all kinds, small enough to be assessed in a moment.
const SERVICES: [(&str, &str); 5] = [
    (
        "at risk",
        "rate = \"30/s\"\ncapacity = \"50/s\"\ntimeout = \"500ms\"\nattempts = 3\n",
    ),
    (
        "safe",
        "rate = \"1200/min\"\ncapacity = \"60/s\"\ntimeout = \"2s\"\nattempts = 1\nqueue = 20\n",
    ),
    (
        "overloaded",
        "rate = \"60/s\"\ncapacity = \"50/s\"\ntimeout = \"500ms\"\nattempts = 2\n",
    ),
    (
        "called by retrying callers",
        "rate = \"20/s\"\nservers = 2\nlatency = { median = \"30ms\", p99 = \"200ms\" }\ntimeout = \"500ms\"\nattempts = 2\n\
         error_probability = 0.01\nincident = { capacity = 0.4, for = \"30s\" }\n[[callers]]\nattempts = 2\ntimeout = \"3s\"\n",
    ),
    (
        "waits for ever",
        "rate = \"20/s\"\ncapacity = \"50/s\"\nerror_probability = 0.1\nattempts = 3\nbudget = { ratio = { ratio = 0.1, bank = 5 } }\n\
         incident = { rate = \"100/s\" }\n",
    ),
];

struct Assessed {
    name: &'static str,
    json: Value,
    page: String,
    markdown: String,
}

fn assessments() -> &'static [Assessed] {
    static ASSESSED: OnceLock<Vec<Assessed>> = OnceLock::new();
    ASSESSED.get_or_init(|| {
        let each = SERVICES.iter().map(|(name, text)| {
            let service = Service::from_toml(text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
            let assessment =
                assess(&service, 1, &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
            Assessed {
                name,
                json: serde_json::to_value(&assessment).unwrap(),
                page: page(&assessment),
                markdown: markdown(&assessment),
            }
        });
        each.collect()
    })
}

/// The sentences of an assessment, without those that are only parts of others: what remedies are called.
fn sentences(json: &Value) -> Vec<&Value> {
    let sections = json["sections"].as_array().unwrap().iter();
    let sections = sections.flat_map(|section| section["sentences"].as_array().unwrap());
    let risks = json["risks"].as_array().unwrap().iter();
    sections.chain(risks).chain([&json["conclusion"]]).collect()
}

fn text(sentence: &Value) -> &str {
    sentence["text"].as_str().unwrap()
}

#[test]
fn every_sentence_has_numbers_and_no_digit_that_is_not_theirs() {
    for assessed in assessments() {
        for sentence in sentences(&assessed.json) {
            let numbers = sentence["numbers"].as_array().unwrap();
            assert!(!numbers.is_empty(), "{}: {}", assessed.name, text(sentence));
            let mut rest = text(sentence).to_owned();
            for number in numbers {
                let shown = number["shown"].as_str().unwrap();
                assert!(
                    rest.contains(shown),
                    "{}: {shown} is not in: {rest}",
                    assessed.name
                );
                rest = rest.replacen(shown, "", 1);
            }
            let strange = rest.contains(|c: char| c.is_ascii_digit());
            assert!(
                !strange,
                "{}: a number without evidence in: {rest}",
                assessed.name
            );
        }
    }
}

/// A number as it is shown, in the unit of the JSON, and half of its last digit's place in that unit.
fn read(text: &str, unit: &str) -> (f64, f64) {
    let digits: String = text
        .chars()
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '−'))
        .collect();
    let plain = digits.replace(',', "").replace('−', "-");
    let value: f64 = plain
        .parse()
        .unwrap_or_else(|_| panic!("{text:?} begins with no number"));
    // The place of the last digit that counts: zeros at the end of a whole number may be rounding.
    let place = match plain.split_once('.') {
        Some((_, decimals)) => 0.1_f64.powi(decimals.len() as i32),
        None => 10_f64.powi((plain.len() - plain.trim_end_matches('0').len()) as i32),
    };
    let rest = text[digits.len()..].trim();
    let scale = match (unit, rest) {
        ("share", "%") => 0.01,
        ("second", "µs") => 1e-6,
        ("second", "ms" | "milliseconds") => 1e-3,
        ("second", "s" | "seconds") | ("count" | "number", "") => 1.0,
        ("second", "min" | "minutes") | ("second per", _) => 60.0,
        ("second", "h" | "hours") => 3600.0,
        ("second", "days") => 86_400.0,
        ("second", "years") => 365.25 * 86_400.0,
        ("per second", "/s") => 1.0,
        ("per second", "/min") => 1.0 / 60.0,
        other => panic!("{text:?}: unit {other:?}"),
    };
    (value * scale, 0.5 * place * scale)
}

/// Asserts that a number with a magnitude of three digits or more is shown as it is, to the last digit that is shown.
fn assert_shown(what: &str, shown: &str, unit: &str, estimate: f64, rounding: f64) {
    let (value, half) = read(shown, unit);
    let tolerance = half.max(rounding * estimate.abs()) * (1.0 + 1e-9) + f64::MIN_POSITIVE;
    assert!(
        (value - estimate).abs() <= tolerance,
        "{what}: {shown} for {estimate}"
    );
}

#[test]
fn what_is_shown_is_what_the_numbers_are() {
    // Given numbers have four digits, human time two.
    let rounding = |shown: &str| match shown.rsplit(' ').next() {
        Some("hours" | "days" | "years" | "minutes" | "seconds" | "milliseconds") => 0.05,
        _ => 5e-4,
    };
    for assessed in assessments() {
        for sentence in sentences(&assessed.json) {
            for number in sentence["numbers"].as_array().unwrap() {
                let what = format!("{}, {}", assessed.name, number["name"]);
                let (shown, unit) = (
                    number["shown"].as_str().unwrap(),
                    number["unit"].as_str().unwrap(),
                );
                if shown.contains("billion") || shown.contains("million") || shown.contains('×') {
                    continue;
                }
                let estimate = number["estimate"].as_f64().unwrap();
                let Some((first, interval)) = shown.split_once(" (") else {
                    assert_shown(&what, shown, unit, estimate, rounding(shown));
                    continue;
                };
                assert_shown(&what, first, unit, estimate, rounding(first));
                let (low, high) = interval.trim_end_matches(')').split_once(" to ").unwrap();
                let name =
                    first.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '−'));
                // Times in words have a unit at each end, other numbers one for both.
                let has_unit = |end: &str| end.contains(|c: char| c.is_alphabetic() || c == '%');
                let named = |end: &str| {
                    if has_unit(end) {
                        end.to_owned()
                    } else {
                        format!("{end}{name}")
                    }
                };
                for (end, key) in [(low, "low"), (high, "high")] {
                    let exact = number[key].as_f64().unwrap();
                    let (value, half) = read(&named(end), unit);
                    let tolerance = (2.0 * half).max(rounding(&named(end)) * exact.abs()) * (1.0 + 1e-9);
                    assert!(
                        (value - exact).abs() <= tolerance,
                        "{what}: {end} for {key} {exact}"
                    );
                }
                let low = number["low"].as_f64().unwrap();
                let high = number["high"].as_f64().unwrap();
                assert!(
                    low <= estimate && estimate <= high,
                    "{what}: {low} {estimate} {high}"
                );
                let confidence = number["confidence"].as_f64().unwrap();
                assert!((confidence - 0.95).abs() < 1e-12, "{what}");
            }
        }
    }
}

#[test]
fn a_number_that_is_shown_wrongly_is_noticed() {
    let wrong = std::panic::catch_unwind(|| assert_shown("latency", "143 ms", "second", 0.1441, 5e-4));
    assert!(wrong.is_err());
    assert_shown("latency", "143 ms", "second", 0.1432, 5e-4);
}

#[test]
fn measured_numbers_have_intervals() {
    for assessed in assessments() {
        for sentence in sentences(&assessed.json) {
            for number in sentence["numbers"].as_array().unwrap() {
                let is_ratio = number["name"] == "timeout_over_median";
                if number["source"] == "simulation" && !is_ratio {
                    assert!(number["low"].is_number(), "{}: {}", assessed.name, number["name"]);
                }
            }
        }
    }
}

#[test]
fn the_page_and_the_text_say_every_sentence() {
    let plain = |text: &str| {
        text.replace('\u{a0}', " ")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    };
    for assessed in assessments() {
        let page = plain(&assessed.page);
        for sentence in sentences(&assessed.json) {
            let is_risk = sentence["id"].as_str().unwrap().starts_with("risk-");
            assert!(
                page.contains(text(sentence)),
                "{}: {}",
                assessed.name,
                text(sentence)
            );
            assert!(
                is_risk || assessed.markdown.contains(text(sentence)),
                "{}: {}",
                assessed.name,
                text(sentence)
            );
        }
    }
}

#[test]
fn the_verdicts_are_those_of_the_services() {
    let verdict = |index: usize| assessments()[index].json["verdict"].as_str().unwrap().to_owned();
    assert_eq!(
        [verdict(0), verdict(1), verdict(2)],
        ["at-risk", "safe", "at-risk"]
    );
    // What is recommended helps and does no harm, by its own numbers.
    for assessed in assessments() {
        for remedy in assessed.json["remedies"].as_array().unwrap() {
            if remedy["recommended"] == true {
                let find = |name: &str| {
                    remedy["numbers"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .find(|number| number["name"] == name)
                        .unwrap()
                };
                assert!(find("lost_difference")["high"].as_f64().unwrap() < 0.0);
                assert!(find("normal_success_difference")["estimate"].as_f64().unwrap() > -1e-4);
                assert_eq!(remedy["stays_up"], true);
            }
        }
    }
}

#[test]
fn shares_that_were_measured_are_shares() {
    for assessed in assessments() {
        for sentence in sentences(&assessed.json) {
            for number in sentence["numbers"].as_array().unwrap() {
                let is_of_a_whole = !["error_budget_spent", "normal_success_difference"]
                    .contains(&number["name"].as_str().unwrap());
                if number["source"] == "simulation" && number["unit"] == "share" && is_of_a_whole {
                    for key in ["low", "estimate", "high"] {
                        let value = number[key].as_f64().unwrap();
                        assert!(
                            (0.0..=1.0).contains(&value),
                            "{}: {key} of {number}",
                            assessed.name
                        );
                    }
                }
                if number["name"] == "attempts_per_request" {
                    assert!(
                        number["low"].as_f64().unwrap() >= 1.0,
                        "{}: {number}",
                        assessed.name
                    );
                }
            }
        }
    }
}

#[test]
fn nobody_times_out_where_there_is_no_timeout() {
    let waits_for_ever = &assessments()[4].json;
    let said: Vec<&str> = sentences(waits_for_ever).into_iter().map(text).collect();
    assert!(
        said.iter()
            .any(|sentence| sentence.contains("fail in the end for errors")),
        "{said:?}"
    );
}

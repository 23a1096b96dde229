//! Nothing that somebody writes makes reading panic.

use proptest::prelude::*;
use retrylab_model::{Scenario, Setting};

use crate::strategies::scenario;

/// Reads the text; whatever comes out, the sentence is one line and the span fits the text.
fn read(text: &str) -> Result<(), TestCaseError> {
    if let Err(error) = Scenario::from_toml(text) {
        let message = error.message();
        prop_assert!(!message.contains('\n') && !message.is_empty(), "{message:?}");
        prop_assert!(message.chars().count() < 400, "{message:?}");
        if let Some(span) = error.span() {
            prop_assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
        }
    }
    Ok(())
}

/// Fragments that mutations put into valid texts.
const FRAGMENTS: [&str; 24] = [
    "=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'''",
    "\n",
    ".",
    ",",
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "99999999999999999999",
    "0xffffffffffffffffffffffffffffffffffffffffffff",
    "1979-05-27",
    "true",
    "\u{feff}",
    "\0",
    "[[schedule]]",
    "traffic",
    "é",
];

fn mutated() -> impl Strategy<Value = String> {
    let mutation = (any::<prop::sample::Index>(), 0_usize..12, 0..FRAGMENTS.len());
    (scenario(), proptest::collection::vec(mutation, 1..5)).prop_map(|(scenario, mutations)| {
        let mut characters: Vec<char> = scenario.to_toml().chars().collect();
        for (place, removed, fragment) in mutations {
            let start = place.index(characters.len() + 1);
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, FRAGMENTS[fragment].chars());
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_text(text in any::<String>()) {
        read(&text)?;
    }

    #[test]
    fn fragments_of_the_language(parts in proptest::collection::vec(0..FRAGMENTS.len(), 0..20)) {
        let text: String = parts.into_iter().map(|part| FRAGMENTS[part]).collect();
        read(&text)?;
    }

    #[test]
    fn mutated_scenarios(text in mutated()) {
        read(&text)?;
    }

    #[test]
    fn arbitrary_settings(scenario in scenario(), key in "[a-z_.0-9]{0,24}", value in any::<String>()) {
        // Whether it is accepted does not matter here.
        let _ = scenario.with_setting(&key, &value);
        let _ = format!("{key}={value}").parse::<Setting>();
    }

    #[test]
    fn settings_of_known_keys(scenario in scenario(), key in 0..KEYS.len(), fragment in 0..FRAGMENTS.len()) {
        if let Err(error) = scenario.with_setting(KEYS[key], FRAGMENTS[fragment]) {
            prop_assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}

const KEYS: [&str; 17] = [
    "name",
    "traffic",
    "traffic.rate",
    "service.time",
    "service.time.exponential",
    "service.time.exponential.mean",
    "service.servers",
    "server.discipline",
    "client.timeout",
    "client.timeout.exponential.mean",
    "client.retry_probability",
    "client.budget.ratio",
    "schedule",
    "schedule.0",
    "schedule.0.at",
    "run.tail_times.0",
    "run.window",
];

#[test]
fn nesting_of_any_depth() {
    let deep = 200_000;
    let dotted = vec!["a"; deep].join(".");
    let long_path = vec!["a"; 70].join(".");
    for text in [
        format!("a = {}", "[".repeat(deep)),
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a = {}", "{ a = ".repeat(deep)),
        format!("[{dotted}]"),
        format!("{dotted} = 1"),
        format!(
            "[{long_path}]\n{}1{}",
            format!("{long_path} = {{ ").repeat(60),
            " }".repeat(60)
        ),
    ] {
        let error = Scenario::from_toml(&text).unwrap_err();
        assert!(error.message().len() < 400, "{error}");
    }
}

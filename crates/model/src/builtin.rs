//! Scenarios that come with the program: the settings of the documents whose claims are checked.

use crate::scenario::Scenario;
use crate::text_error::TextError;

/// A scenario that comes with the program, as a commented text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The scenario in TOML, with comments; the first line says what it shows.
    pub text: &'static str,
}

impl Builtin {
    /// What the scenario shows, in one line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches('#').trim()
    }

    /// The scenario itself.
    ///
    /// # Errors
    /// None in a released version: every text that comes with the program is a valid scenario.
    pub fn scenario(&self) -> Result<Scenario, TextError> {
        Scenario::from_toml(self.text)
    }
}

macro_rules! builtins {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../scenarios/", $name, ".toml")),
        }),*]
    };
}

/// Every scenario that comes with the program.
///
/// A name here and the file `scenarios/NAME.toml` are all that it takes to add one. The file begins with a comment of one
/// line that says what the scenario shows, and its `source` is the short name of the document that it comes from.
pub static ALL: &[Builtin] = builtins![
    "independent-failures",
    "persistent-failures",
    "three-tiers",
    "failing-chain",
    "healthy-single-server",
    "stuck-line",
    "short-stall",
    "tight-timeout-lockup",
    "backoff-full-jitter",
    "ratio-budget",
    "refund-budget",
    "lifo",
    "bounded-queue",
    "skip-expired",
    "skip-doomed",
    "budget-cycle",
    "fleet-of-budgets",
    "costly-rejections",
    "helping-clients-queue",
    "helping-clients-deadline",
    "helping-clients-cliff",
    "helping-clients-hysteresis",
    "helping-clients-budget",
    "blip-no-retries",
    "blip-immediate-retries",
    "blip-backoff",
    "blip-budget",
    "blip-skip-expired",
    "blip-skip-doomed",
    "blip-bounded-queue",
    "blip-breaker",
    "blip-recommended",
    "token-pool-normal-day",
    "token-pool-incident",
    "token-pool-shared",
    "token-pool-brownout",
    "token-pool-and-breaker",
    "circuit-breaker",
];

/// The scenario called `name`.
///
/// ```
/// use retrylab_model::builtin;
/// let scenario = builtin::find("stuck-line").expect("it comes with the program").scenario()?;
/// assert_eq!((scenario.client.attempts, scenario.offered_load()), (3, 0.35));
/// assert!(builtin::find("no-such-scenario").is_none());
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_valid_and_says_what_it_is() {
        for builtin in ALL {
            let scenario = builtin
                .scenario()
                .unwrap_or_else(|error| panic!("{}: {error}", builtin.name));
            assert_eq!(scenario.name, builtin.name);
            assert!(!scenario.source.is_empty(), "{}", builtin.name);
            assert!(builtin.text.starts_with("# "), "{}", builtin.name);
            assert!(builtin.summary().ends_with('.'), "{}", builtin.name);
            assert!(builtin.summary().chars().count() <= 110, "{}", builtin.name);
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        let mut listed: Vec<&str> = ALL.iter().map(|builtin| builtin.name).collect();
        files.sort_unstable();
        listed.sort_unstable();
        assert_eq!(files, listed);
    }
}

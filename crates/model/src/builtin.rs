//! Scenarios that come with the program: the settings of the documents whose claims are checked.

use crate::scenario::Scenario;
use crate::scenario_error::ScenarioError;

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
    pub fn scenario(&self) -> Result<Scenario, ScenarioError> {
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
    "blip-no-retries",
    "blip-immediate-retries",
    "blip-backoff",
    "blip-budget",
    "blip-skip-expired",
    "blip-skip-doomed",
    "blip-bounded-queue",
    "blip-recommended",

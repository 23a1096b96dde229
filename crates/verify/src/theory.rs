//! Numbers from the theory crate, with the formula, the source and the command that prints them.

use crate::outcome::ComputedNumber;

/// A result of a quantity that can be evaluated by name.
///
/// # Panics
/// If the quantity, a parameter or the result does not exist: a mistake in a claim, found by the test that builds all
/// claims.
pub(crate) fn theory(name: &str, parameters: &[(&str, f64)], result: &str) -> ComputedNumber {
    let quantity = retrylab_analytic::find(name).unwrap_or_else(|| panic!("no quantity is called {name}"));
    let evaluation = quantity
        .evaluate(parameters)
        .unwrap_or_else(|error| panic!("{name} {parameters:?}: {error}"));
    let value = evaluation
        .number(result)
        .unwrap_or_else(|| panic!("{name} {parameters:?} has no {result}"));
    let arguments: String = parameters
        .iter()
        .map(|(name, value)| format!(" {name}={value}"))
        .collect();
    ComputedNumber {
        value,
        formula: format!("{result} of {name}: {}", quantity.formula),
        source: quantity.source.to_owned(),
        command: format!("retrylab compute {name}{arguments}"),
    }
}

impl ComputedNumber {
    /// A number that follows from another by arithmetic, with the arithmetic in words.
    #[must_use]
    pub(crate) fn then(self, arithmetic: impl Fn(f64) -> f64, words: &str) -> Self {
        Self {
            value: arithmetic(self.value),
            formula: format!("{words}; x = {}", self.formula),
            ..self
        }
    }

    /// A number that follows from plain arithmetic alone.
    #[must_use]
    pub(crate) fn arithmetic(value: f64, formula: &str) -> Self {
        Self {
            value,
            formula: formula.to_owned(),
            source: "arithmetic".to_owned(),
            command: String::new(),
        }
    }
}

//! From a scenario to TOML.

use std::fmt::Write as _;

use toml::{Table, Value};

use crate::scenario::{Scenario, ScenarioSpec};

impl Scenario {
    /// The scenario in its TOML form: every value stated, defaults included. Reading it gives the same scenario, bit
    /// for bit. Where service times are measured, it names the file with its checksum, and the file has to be read again
    /// ([`Scenario::from_toml_reading`]).
    ///
    /// ```
    /// use retrylab_model::{Scenario, ScenarioSpec, Traffic};
    /// let scenario = ScenarioSpec::new(Traffic::with_rate(0.6)).validate()?;
    /// let text = scenario.to_toml();
    /// assert!(text.contains("time = { exponential = { mean = 1.0 } }"));
    /// assert_eq!(Scenario::from_toml(&text)?, scenario);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Never: every valid scenario has a TOML form.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut spec = self.spec().clone();
        for (_, measured) in spec.measured_mut() {
            measured.demand_checksum();
        }
        toml(&spec)
    }
}

/// A valid description in its TOML form. Of a file of measured times the checksum is there only if it was asked for.
pub(crate) fn toml(spec: &ScenarioSpec) -> String {
    let table = match Table::try_from(spec) {
        Ok(table) => table,
        Err(error) => panic!("a scenario has a TOML form, but: {error}"),
    };
    let mut text = String::new();
    for (key, value) in &table {
        match value {
            Value::Table(section) => write_section(&mut text, &format!("[{key}]"), section),
            Value::Array(sections) => {
                for section in sections.iter().filter_map(Value::as_table) {
                    write_section(&mut text, &format!("[[{key}]]"), section);
                }
            }
            scalar => write_entry(&mut text, key, scalar),
        }
    }
    text
}

fn write_section(text: &mut String, header: &str, section: &Table) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(header);
    text.push('\n');
    for (key, value) in section {
        write_entry(text, key, value);
    }
}

fn write_entry(text: &mut String, key: &str, value: &Value) {
    match writeln!(text, "{key} = {value}") {
        Ok(()) => {}
        Err(error) => panic!("writing to a string succeeds, but: {error}"),
    }
}

//! From TOML to a scenario.

use std::sync::Arc;

use crate::document::{Document, Source, Subject};
use crate::latencies::Latencies;
use crate::measured::Measured;
use crate::scenario::{Scenario, ScenarioSpec};
use crate::setting::Setting;
use crate::text_error::TextError;
use crate::wording::quotation;

/// Why a file of measured times could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Unreadable {
    /// The key of [`Measured`] that is to blame, such as `file`.
    pub key: &'static str,
    /// The sentence, which names the file.
    pub sentence: String,
}

/// Reads a file of measured times; where its name was written may decide where it is looked for. This crate reads no files.
pub type ReadLatencies<'r> = &'r dyn Fn(&Measured, Source) -> Result<Arc<Latencies>, Unreadable>;

/// Reads nothing.
fn unread(measured: &Measured, _: Source) -> Result<Arc<Latencies>, Unreadable> {
    Err(Unreadable {
        key: "file",
        sentence: format!(
            "the measured times in {} are in a file, and nothing here reads files",
            quotation(&measured.file)
        ),
    })
}

impl Scenario {
    /// Reads a scenario from its TOML form.
    ///
    /// ```
    /// use retrylab_model::Scenario;
    /// let scenario = Scenario::from_toml("[traffic]\nrate = 0.6\n[client]\ntimeout = 50\nattempts = 3\n")?;
    /// assert_eq!(scenario.offered_load(), 0.6);
    /// assert_eq!(scenario.client.attempts, 3);
    /// # Ok::<(), retrylab_model::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] for the first thing in the text that is not TOML, not part of the language or out of range.
    pub fn from_toml(text: &str) -> Result<Self, TextError> {
        Self::from_toml_with(text, &[])
    }

    /// Reads a scenario from its TOML form with settings put on top, in their order; only the result has to be valid.
    ///
    /// ```
    /// use retrylab_model::Scenario;
    /// let text = "[traffic]\nrate = 0.6\n";
    /// let scenario = Scenario::from_toml_with(text, &["client.attempts=3".parse()?])?;
    /// assert_eq!(scenario.client.attempts, 3);
    /// # Ok::<(), retrylab_model::TextError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scenario::from_toml`]; an error in a setting names the setting.
    pub fn from_toml_with(text: &str, settings: &[Setting]) -> Result<Self, TextError> {
        Self::from_toml_reading(text, settings, &unread)
    }

    /// As [`Scenario::from_toml_with`], with somebody who reads the files of measured times that it names.
    ///
    /// # Errors
    /// As [`Scenario::from_toml_with`]; the error about a file points at the key that names it.
    pub fn from_toml_reading(
        text: &str,
        settings: &[Setting],
        read: ReadLatencies<'_>,
    ) -> Result<Self, TextError> {
        let document = Document::parse(text, Subject::SCENARIO)?.with_settings(settings)?;
        let mut spec: ScenarioSpec = document.decode()?;
        for (path, measured) in spec.measured_mut() {
            let source = document.source_of(&format!("{path}.file"));
            let latencies = read(measured, source).map_err(|Unreadable { key, sentence }| {
                document.refuse_at(&format!("{path}.{key}"), sentence)
            })?;
            measured.latencies = Some(latencies);
        }
        spec.validate().map_err(|invalid| document.refuse(&invalid))
    }

    /// This scenario with settings put on top, in their order.
    ///
    /// # Errors
    /// [`TextError`] for a setting that the language does not have or that does not fit; only the setting is named,
    /// since there is no text to point into.
    pub fn with_settings(&self, settings: &[Setting]) -> Result<Self, TextError> {
        self.with_settings_reading(settings, &unread)
    }

    /// As [`Scenario::with_settings`], with somebody who reads a file of measured times that a setting names. One that has been read
    /// is not read again.
    ///
    /// # Errors
    /// As [`Scenario::with_settings`].
    pub fn with_settings_reading(
        &self,
        settings: &[Setting],
        read: ReadLatencies<'_>,
    ) -> Result<Self, TextError> {
        let read = |measured: &Measured, source| {
            let known = self.measured().find(|(_, known)| measured.is_read_like(known));
            match known.and_then(|(_, known)| known.latencies.clone()) {
                Some(latencies) => Ok(latencies),
                None => read(measured, source),
            }
        };
        let text = crate::writing::toml(self.spec());
        Self::from_toml_reading(&text, settings, &read).map_err(|error| match error.span() {
            Some(_) => error.at(None),
            None => error,
        })
    }

    /// This scenario with one setting put on top.
    ///
    /// ```
    /// use retrylab_model::{Scenario, ScenarioSpec, Traffic};
    /// let scenario = ScenarioSpec::new(Traffic::with_rate(0.6)).validate()?;
    /// let patient = scenario.with_setting("client.timeout", "50")?;
    /// assert_eq!(patient.client.timeout, Some(50.0.into()));
    /// assert!(scenario.with_setting("client.tiemout", "50").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scenario::with_settings`].
    pub fn with_setting(&self, key: &str, value: &str) -> Result<Self, TextError> {
        self.with_settings(&[Setting::new(key, value)?])
    }
}

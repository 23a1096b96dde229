//! From TOML to a scenario.

use crate::document::{Document, Subject};
use crate::scenario::{Scenario, ScenarioSpec};
use crate::setting::Setting;
use crate::text_error::TextError;

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
        let document = Document::parse(text, Subject::SCENARIO)?.with_settings(settings)?;
        let spec: ScenarioSpec = document.decode()?;
        spec.validate().map_err(|invalid| document.refuse(&invalid))
    }

    /// This scenario with settings put on top, in their order.
    ///
    /// # Errors
    /// [`TextError`] for a setting that the language does not have or that does not fit; only the setting is named,
    /// since there is no text to point into.
    pub fn with_settings(&self, settings: &[Setting]) -> Result<Self, TextError> {
        Self::from_toml_with(&self.to_toml(), settings).map_err(|error| match error.span() {
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

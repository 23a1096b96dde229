//! From TOML to a scenario.

use serde::Deserialize;

use crate::decode::Decoder;
use crate::document::Node;
use crate::scenario::{Scenario, ScenarioSpec};
use crate::scenario_error::ScenarioError;
use crate::setting::Setting;

impl Scenario {
    /// Reads a scenario from its TOML form.
    ///
    /// ```
    /// use retrylab_model::Scenario;
    /// let scenario = Scenario::from_toml("[traffic]\nrate = 0.6\n[client]\ntimeout = 50\nattempts = 3\n")?;
    /// assert_eq!(scenario.offered_load(), 0.6);
    /// assert_eq!(scenario.client.attempts, 3);
    /// # Ok::<(), retrylab_model::ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError`] for the first thing in the text that is not TOML, not part of the language or out of range.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        Self::from_toml_with(text, &[])
    }

    /// Reads a scenario from its TOML form with settings put on top, in their order; only the result has to be valid.
    ///
    /// ```
    /// use retrylab_model::Scenario;
    /// let text = "[traffic]\nrate = 0.6\n";
    /// let scenario = Scenario::from_toml_with(text, &["client.attempts=3".parse()?])?;
    /// assert_eq!(scenario.client.attempts, 3);
    /// # Ok::<(), retrylab_model::ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scenario::from_toml`]; an error in a setting names the setting.
    pub fn from_toml_with(text: &str, settings: &[Setting]) -> Result<Self, ScenarioError> {
        let mut document = Node::from_text(text)?;
        for (index, setting) in settings.iter().enumerate() {
            setting.apply(&mut document, index)?;
        }
        let spec = ScenarioSpec::deserialize(Decoder::new(&document))
            .map_err(|error| error.into_scenario_error(settings))?;
        spec.validate().map_err(|invalid| {
            ScenarioError::new(invalid.to_string()).originating(document.origin_of(&invalid.path), settings)
        })
    }

    /// This scenario with settings put on top, in their order.
    ///
    /// # Errors
    /// [`ScenarioError`] for a setting that the language does not have or that does not fit; only the setting is named,
    /// since there is no text to point into.
    pub fn with_settings(&self, settings: &[Setting]) -> Result<Self, ScenarioError> {
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
    pub fn with_setting(&self, key: &str, value: &str) -> Result<Self, ScenarioError> {
        self.with_settings(&[Setting::new(key, value)?])
    }
}

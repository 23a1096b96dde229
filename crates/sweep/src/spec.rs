//! What a plan's text says, before anything is made of it.

use retrylab_model::{Document, Subject, TextError, Written, schema_of};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::axis::AxisSpec;

/// A plan, as messages call it.
pub(crate) const PLAN: Subject = Subject {
    name: "a plan",
    is_in_tables: false,
};

/// The keys of a plan.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    /// What the plan is called.
    #[serde(default)]
    pub(crate) name: String,
    /// A built-in scenario, a file beside this one, or a scenario itself as a table.
    pub(crate) scenario: Written,
    /// Replications of each point.
    #[serde(default)]
    pub(crate) replications: Option<u32>,
    /// Share within which each point's measures are to be known, in place of a number of replications.
    #[serde(default)]
    pub(crate) precision: Option<Written>,
    /// Probability with which each interval covers.
    #[serde(default)]
    pub(crate) confidence: Option<f64>,
    /// Seed of every point.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// The measures to keep; all when absent.
    #[serde(default)]
    pub(crate) measures: Option<Vec<String>>,
    /// The directions of the grid.
    #[serde(default)]
    pub(crate) axis: Vec<AxisSpec>,
}

/// The JSON Schema of a plan.
#[must_use]
pub fn plan_schema() -> String {
    schema_of::<Spec>("A plan of retrylab sweep")
}

/// A plan's text, read as far as it can be without the scenario that it names.
///
/// ```
/// use retrylab_sweep::PlanText;
///
/// let text = "scenario = \"stuck-line\"\n[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2, 3]\n";
/// assert_eq!(PlanText::parse(text)?.scenario_name(), Some("stuck-line"));
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlanText {
    pub(crate) document: Document,
    pub(crate) spec: Spec,
}

impl PlanText {
    /// Reads a plan's text.
    ///
    /// # Errors
    /// [`TextError`] where it is not TOML, has keys that a plan does not have, or lacks some.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let document = Document::parse(text, PLAN)?;
        let spec: Spec = document.decode()?;
        if spec.scenario.text().is_none() && !spec.scenario.is_table() {
            return Err(document.refuse_at(
                "scenario",
                format!(
                    "scenario is {}, but must be the name of a built-in scenario, the name of a file, or a table",
                    spec.scenario
                ),
            ));
        }
        Ok(Self { document, spec })
    }

    /// The built-in scenario or file, relative to the plan's, that is varied; none where the plan itself has the scenario.
    #[must_use]
    pub fn scenario_name(&self) -> Option<&str> {
        self.spec.scenario.text()
    }

    /// An error about the scenario's name, such as that there is no such file.
    #[must_use]
    pub fn scenario_mistake(&self, sentence: impl Into<String>) -> TextError {
        self.document.refuse_at("scenario", sentence.into())
    }
}

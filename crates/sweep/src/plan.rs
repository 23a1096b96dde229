//! A plan whose every point is known to be valid.

use std::collections::HashMap;
use std::path::Path;

use retrylab_model::{Document, Scale, Scenario, ScenarioSpec, Setting, Subject, TextError, Unreadable};
use retrylab_verify::measures::{self, Effort};

use crate::axis::Axis;
use crate::checksum::Checksum;
use crate::error::PlanError;
use crate::files::Files;
use crate::settings::{axes, count, effort};
use crate::spec::PlanText;

/// Most points of a plan.
pub const POINTS_MAX: usize = 100_000;
/// Most axes of a plan.
pub const AXES_MAX: usize = 8;
/// Where the plan does not say otherwise.
const CONFIDENCE: f64 = 0.95;

/// A grid of scenarios, and how much of each is simulated.
#[derive(Debug)]
pub struct Plan {
    pub(crate) name: String,
    pub(crate) axes: Vec<Axis>,
    pub(crate) effort: Option<Effort>,
    pub(crate) confidence: f64,
    pub(crate) seed: u64,
    pub(crate) measures: Option<Vec<String>>,
    pub(crate) scale: Scale,
    pub(crate) checksum: String,
    base: Document,
    points: u64,
    files: Files,
}

impl Plan {
    /// Makes a plan of its text and of the scenario that it names, where it names one, and checks every point.
    ///
    /// `seed` applies where the plan has none.
    ///
    /// ```
    /// use retrylab_sweep::{Plan, PlanText};
    ///
    /// let text = "[scenario.traffic]\nrate = 0.5\n[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2, 3]\n";
    /// let plan = Plan::new(&PlanText::parse(text)?, None, 1)?;
    /// assert_eq!((plan.points(), plan.scenario(2).client.attempts), (3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError`] for the first mistake.
    pub fn new(text: &PlanText, named_scenario: Option<&str>, seed: u64) -> Result<Self, PlanError> {
        Self::beside(text, named_scenario, seed, Path::new(""), Path::new(""))
    }

    /// As [`Plan::new`]; files of measured times are looked for in these directories, where the scenario names them and where an
    /// axis does.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn beside(
        text: &PlanText,
        named_scenario: Option<&str>,
        seed: u64,
        scenario_directory: &Path,
        plan_directory: &Path,
    ) -> Result<Self, PlanError> {
        let PlanText { document, spec } = text;
        let mistake = |path: &str, sentence: String| PlanError::InPlan(document.refuse_at(path, sentence));
        let base = match named_scenario {
            Some(scenario) => Document::parse(scenario, Subject::SCENARIO).map_err(PlanError::InScenario)?,
            None => document
                .part("scenario", Subject::SCENARIO)
                .ok_or_else(|| mistake("scenario", "the plan has no table [scenario]".to_owned()))?,
        };
        let effort = effort(text)?;
        let confidence = spec.confidence.unwrap_or(CONFIDENCE);
        if !(confidence > 0.0 && confidence < 1.0) {
            let sentence = format!("confidence is {confidence}, but must be between 0 and 1");
            return Err(mistake("confidence", sentence));
        }
        if spec.measures.as_ref().is_some_and(Vec::is_empty) {
            let sentence =
                "measures is empty; name at least one, or leave the key out to keep all".to_owned();
            return Err(mistake("measures", sentence));
        }
        let axes = axes(text)?;
        let points = count(&axes).ok_or_else(|| {
            let sizes: Vec<String> = axes.iter().map(|axis| axis.positions.len().to_string()).collect();
            let sentence = format!(
                "the axes make {} points, but a plan has at most {POINTS_MAX}",
                sizes.join(" × ")
            );
            mistake("axis", sentence)
        })?;
        let mut plan = Self {
            name: spec.name.clone(),
            axes,
            effort,
            confidence,
            seed: spec.seed.unwrap_or(seed),
            measures: spec.measures.clone(),
            scale: Scale::Dimensionless,
            checksum: String::new(),
            base,
            points,
            files: Files::new(scenario_directory, plan_directory),
        };
        plan.check(document, named_scenario.is_some())?;
        Ok(plan)
    }

    /// Number of points.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }

    /// The axes; the last one varies fastest from point to point.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Seed of the random streams of every point.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What tells the plan's results from those of any other plan and version of the program.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// Replications of each point, where the plan states them.
    #[must_use]
    pub fn replications(&self) -> Option<u64> {
        match self.effort {
            Some(Effort::Replications(replications)) => Some(replications),
            _ => None,
        }
    }

    /// The scenario of a point.
    ///
    /// # Panics
    /// When there is no such point.
    #[must_use]
    pub fn scenario(&self, point: u64) -> Scenario {
        match self.resolve(point) {
            Ok(scenario) => scenario,
            Err(error) => panic!("point {point} was valid, but now: {error}"),
        }
    }

    fn resolve(&self, point: u64) -> Result<Scenario, TextError> {
        let document = self.base.clone().with_settings(&self.settings(point))?;
        let mut spec: ScenarioSpec = document.decode()?;
        for (path, measured) in spec.measured_mut() {
            let source = document.source_of(&format!("{path}.file"));
            let latencies =
                self.files
                    .latencies(measured, source)
                    .map_err(|Unreadable { key, sentence }| {
                        document.refuse_at(&format!("{path}.{key}"), sentence)
                    })?;
            measured.latencies = Some(latencies);
        }
        spec.validate().map_err(|invalid| document.refuse(&invalid))
    }

    /// Where a point lies on each axis.
    #[must_use]
    pub fn positions(&self, point: u64) -> Vec<usize> {
        let sizes: Vec<usize> = self.axes.iter().map(|axis| axis.positions.len()).collect();
        positions(&sizes, point)
    }

    fn settings(&self, point: u64) -> Vec<Setting> {
        let values = self.axes.iter().zip(self.positions(point));
        values
            .flat_map(|(axis, position)| axis.positions[position].iter().map(|value| value.setting.clone()))
            .collect()
    }

    /// The point in words: its number and the value of every key.
    fn described(&self, point: u64) -> String {
        let settings: Vec<String> = self
            .axes
            .iter()
            .zip(self.positions(point))
            .flat_map(|(axis, position)| {
                let values = axis.keys.iter().zip(&axis.positions[position]);
                values.map(|(key, value)| {
                    format!("{key} = {}", retrylab_model::wording::quotation(&value.label))
                })
            })
            .collect();
        format!("point {} of {} ({})", point + 1, self.points, settings.join(", "))
    }

    /// Resolves every point, and sees that each is valid and unlike the others; the checksum is made of them.
    fn check(&mut self, plan: &Document, is_named: bool) -> Result<(), PlanError> {
        let mut checksum = Checksum::new(self);
        let mut seen = HashMap::new();
        for point in 0..self.points {
            let scenario = self
                .resolve(point)
                .map_err(|error| self.misplaced(plan, &error, point, is_named))?;
            let mistake = |path: &str, sentence: String| {
                PlanError::InPlan(plan.refuse_at(path, format!("{}: {sentence}", self.described(point))))
            };
            if let Err(error) = retrylab_sim::Clock::for_scenario(&scenario) {
                return Err(mistake("axis", error.to_string()));
            }
            if let Some(unknown) = self.unknown_measure(&scenario) {
                let names = measures::names(&scenario);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let name = &self.measures.as_deref().unwrap_or_default()[unknown];
                let sentence = format!(
                    "there is no measure \"{}\"; {}",
                    retrylab_model::wording::quotation(name),
                    retrylab_model::wording::expected(name, &names)
                );
                return Err(mistake(&format!("measures.{unknown}"), sentence));
            }
            let scale = scenario.traffic.rate.scale();
            if point == 0 {
                self.scale = scale;
            } else if scale != self.scale {
                let sentence = "it has times with units and other points have not, or the reverse".to_owned();
                return Err(PlanError::InPlan(
                    plan.refuse_at("axis", format!("{}: {sentence}", self.described(point))),
                ));
            }
            let toml = scenario.to_toml();
            if let Some(other) = seen.insert(Checksum::of(&toml), point) {
                let sentence = format!(
                    "{} is the same as {}",
                    self.described(point),
                    self.described(other)
                );
                return Err(PlanError::InPlan(plan.refuse_at("axis", sentence)));
            }
            checksum.add(&toml);
            for latencies in scenario
                .measured()
                .filter_map(|(_, measured)| measured.latencies.as_ref())
            {
                checksum.add(latencies.sha256());
            }
        }
        self.checksum = checksum.finish();
        Ok(())
    }

    /// The first of the measures to be kept that a scenario does not have.
    fn unknown_measure(&self, scenario: &Scenario) -> Option<usize> {
        let asked = self.measures.as_ref()?;
        let names = measures::names(scenario);
        asked.iter().position(|name| !names.contains(name))
    }

    /// An error of a point, said of the place in the plan or in the scenario's text that it is about.
    fn misplaced(&self, plan: &Document, error: &TextError, point: u64, is_named: bool) -> PlanError {
        let sentence = format!("{}: {}", self.described(point), error.message());
        if let Some(setting) = error.setting() {
            let found = self
                .axes
                .iter()
                .position(|axis| axis.keys.iter().any(|key| key == setting.key()));
            let path = found.map_or_else(
                || "axis".to_owned(),
                |axis| format!("axis.{axis}.values.{}", self.positions(point)[axis]),
            );
            return PlanError::InPlan(plan.refuse_at(&path, sentence));
        }
        // What the scenario's text says is wrong at every point alike; the sentence alone has the place.
        if is_named {
            PlanError::InScenario(error.clone())
        } else {
            PlanError::InPlan(error.clone())
        }
    }
}

/// Where a point lies on axes of the given sizes, of which the last varies fastest.
pub(crate) fn positions(sizes: &[usize], point: u64) -> Vec<usize> {
    let mut rest = point as usize;
    let mut positions: Vec<usize> = sizes
        .iter()
        .rev()
        .map(|size| {
            let position = rest % size;
            rest /= size;
            position
        })
        .collect();
    positions.reverse();
    positions
}

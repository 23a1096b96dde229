//! The axes of a plan, and how much is simulated of each point.

use retrylab_model::Written;
use retrylab_verify::measures::Effort;

use crate::axis::{Axis, AxisMistake};
use crate::error::PlanError;
use crate::plan::{AXES_MAX, POINTS_MAX};
use crate::spec::PlanText;

/// Most replications of a point.
const REPLICATIONS_MAX: u32 = 100_000_000;

/// How many points the axes make, unless they are too many.
pub(crate) fn count(axes: &[Axis]) -> Option<u64> {
    let product = axes
        .iter()
        .try_fold(1usize, |product, axis| product.checked_mul(axis.positions.len()));
    product
        .filter(|&points| points <= POINTS_MAX)
        .map(|points| points as u64)
}

/// The axes, no two of which vary the same key.
pub(crate) fn axes(text: &PlanText) -> Result<Vec<Axis>, PlanError> {
    let mistake = |path: &str, sentence: String| PlanError::InPlan(text.document.refuse_at(path, sentence));
    let specs = &text.spec.axis;
    if specs.is_empty() {
        let sentence = "a plan needs at least one axis, such as [[axis]] with key = \"client.timeout\" and values = [10, 20]";
        return Err(mistake("axis", sentence.to_owned()));
    }
    if specs.len() > AXES_MAX {
        return Err(mistake(
            "axis",
            format!(
                "the plan has {} axes, but at most {AXES_MAX} are accepted",
                specs.len()
            ),
        ));
    }
    let mut axes: Vec<Axis> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let called = format!("axis {}", index + 1);
        let axis = Axis::new(spec, &called, POINTS_MAX).map_err(|(key, sentence): AxisMistake| {
            let dot = if key.is_empty() { "" } else { "." };
            mistake(&format!("axis.{index}{dot}{key}"), sentence)
        })?;
        for (earlier, other) in axes.iter().enumerate() {
            if let Some(key) = axis.keys.iter().find(|key| other.keys.contains(key)) {
                let sentence = format!("{called} varies {key}, and so does axis {}", earlier + 1);
                return Err(mistake(&format!("axis.{index}"), sentence));
            }
        }
        axes.push(axis);
    }
    Ok(axes)
}

/// How much is simulated of each point; none where each scenario has its own number of replications.
pub(crate) fn effort(text: &PlanText) -> Result<Option<Effort>, PlanError> {
    let spec = &text.spec;
    let mistake = |path: &str, sentence: String| PlanError::InPlan(text.document.refuse_at(path, sentence));
    match (spec.replications, &spec.precision) {
        (Some(_), Some(_)) => Err(mistake(
            "precision",
            "the plan has both replications and a precision; give one of them".to_owned(),
        )),
        (Some(replications), None) if (1..=REPLICATIONS_MAX).contains(&replications) => {
            Ok(Some(Effort::Replications(u64::from(replications))))
        }
        (Some(replications), None) => Err(mistake(
            "replications",
            format!(
                "replications is {replications}, but must be a whole number from 1 to {REPLICATIONS_MAX}"
            ),
        )),
        (None, Some(precision)) => share(precision)
            .map(|share| Some(Effort::Precision(share)))
            .ok_or_else(|| {
                let sentence =
                    format!("precision is {precision}, but must be between 0 and 1, such as \"1%\" or 0.01");
                mistake("precision", sentence)
            }),
        (None, None) => Ok(None),
    }
}

/// A number between 0 and 1, as such or as a text in percent.
fn share(written: &Written) -> Option<f64> {
    let share = match written.text() {
        Some(text) => text.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0,
        None => written.number()?,
    };
    (share > 0.0 && share < 1.0).then_some(share)
}

//! Holm's step-down over the numbers of a run.

use super::{Sampled, Standing};
use crate::claim::Part;
use crate::level::Level;
use crate::statistics::{ErrorRate, StatisticsError, bonferroni};

/// Judges the undecided numbers again with the error rate that the numbers already shown leave to them.
///
/// Each number is first sampled at α/m, m the numbers of the family. Let the hypothesis of a number be that it is *not*
/// what it must be; showing it rejects that. Holm's procedure (1979) allows α/(m − k) to the rest once k are rejected: at
/// the first wrong rejection all earlier ones were right, so at least as many numbers remain as there are true
/// hypotheses, and these together err with probability at most α. The looks of the sequential design each scale with
/// that rate, so the smallest rate at which a number is shown at its last look is a p-value that holds for them all.
/// Nothing is refuted here: alarms are raised at α/m only.
///
/// # Errors
/// [`StatisticsError`] when a criterion makes no sense.
pub(crate) fn step_down(
    parts: &[&Part],
    sampled: &mut [Sampled],
    family: ErrorRate,
    numbers: u32,
    level: Level,
) -> Result<(), StatisticsError> {
    loop {
        let shown = sampled
            .iter()
            .filter(|sampled| matches!(sampled.standing, Standing::Shown))
            .count();
        let remaining = numbers
            .saturating_sub(u32::try_from(shown).unwrap_or(u32::MAX))
            .max(1);
        let alpha = bonferroni(family, remaining)?;
        let mut any = false;
        for (part, sampled) in parts.iter().zip(sampled.iter_mut()) {
            let Standing::Undecided(evidence) = &sampled.standing else {
                continue;
            };
            if let Some(outcome) = evidence.shown_at(part, alpha, level)? {
                sampled.outcome = outcome;
                sampled.standing = Standing::Shown;
                any = true;
            }
        }
        if !any {
            return Ok(());
        }
    }
}

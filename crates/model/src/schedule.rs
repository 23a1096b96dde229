//! Changes in the course of a run.

use serde::{Deserialize, Serialize};

use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// Something that happens to the service at a moment of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When.
    pub at: Time,
    /// For how long all servers freeze: work in progress pauses and nothing starts.
    pub stall: Time,
}

impl Change {
    pub(crate) fn check_all(changes: &[Self], validator: &mut Validator) -> Result<(), Invalid> {
        let mut previous_end: Option<f64> = None;
        for (index, change) in changes.iter().enumerate() {
            let at = format!("schedule.{index}.at");
            validator.non_negative_time(&at, change.at)?;
            validator.positive_time(&format!("schedule.{index}.stall"), change.stall)?;
            if let Some(end) = previous_end
                && change.at.value() < end
            {
                return Err(Invalid::new(
                    &at,
                    change.at,
                    format!(
                        "no earlier than {}, when the stall before it ends",
                        change.at.with_value(end)
                    ),
                ));
            }
            previous_end = Some(change.at.value() + change.stall.value());
        }
        Ok(())
    }
}

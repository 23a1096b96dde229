//! Changes in the course of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::client::{ATTEMPTS_MAX, check_retries_per_failure};
use crate::server::Discipline;
use crate::traffic::one;
use crate::unit::{Rate, Time};
use crate::validation::{Invalid, Validator};

/// What happens at a moment of a run: a stall, new values of some settings, or both.
///
/// ```
/// use retrylab_model::Change;
/// let blip = Change { capacity: Some(0.3), duration: Some(5.0.into()), ..Change::at(30.0) };
/// assert_eq!(Change::stall(30.0, 5.0), Change { stall: Some(5.0.into()), ..Change::at(30.0) });
/// assert_ne!(blip, Change::stall(30.0, 5.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When.
    pub at: Time,
    /// At which tier, counted from the outermost, 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub tier: u32,
    /// For how long all servers freeze: work in progress pauses and nothing starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stall: Option<Time>,
    /// Speed of all servers, as a multiple of the one that [`Service`](crate::Service) describes. What remains of work in
    /// progress takes accordingly more or less time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
    /// New requests per unit of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Probability that an attempt whose service starts from now on is answered with an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_probability: Option<f64>,
    /// Most attempts of a request. What fails from now on is held against it; a retry that waits for its backoff to pass is
    /// sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Probability that an attempt that fails from now on is followed by another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_probability: Option<f64>,
    /// How many further attempts an attempt brings that fails from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries_per_failure: Option<f64>,
    /// Which waiting attempt is served next. Those that wait stay in the line as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// What limits retries. It begins anew: what clients had saved is lost, and they have what they would have at the start of a
    /// run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// For how long the settings above hold before they go back to what they were; for good when absent.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub duration: Option<Time>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_one(value: &u32) -> bool {
    *value == one()
}

/// Settings that can change.
const SETTINGS: usize = 8;

/// When each kind of change is free to happen again at a tier.
#[derive(Debug, Clone, Default)]
struct Taken {
    stall: f64,
    settings: [f64; SETTINGS],
}

impl Change {
    /// A change of nothing yet, to be filled in.
    #[must_use]
    pub fn at(at: impl Into<Time>) -> Self {
        Self {
            at: at.into(),
            tier: 1,
            stall: None,
            capacity: None,
            rate: None,
            error_probability: None,
            attempts: None,
            retry_probability: None,
            retries_per_failure: None,
            discipline: None,
            budget: None,
            duration: None,
        }
    }

    /// A stall.
    #[must_use]
    pub fn stall(at: impl Into<Time>, length: impl Into<Time>) -> Self {
        Self {
            stall: Some(length.into()),
            ..Self::at(at)
        }
    }

    /// When the settings go back to what they were, if they do.
    #[must_use]
    pub fn settings_end(&self) -> Option<f64> {
        self.duration.map(|duration| self.at.value() + duration.value())
    }

    /// The names of all settings, and whether each of them changes.
    fn settings(&self) -> [(&'static str, bool); SETTINGS] {
        [
            ("capacity", self.capacity.is_some()),
            ("rate", self.rate.is_some()),
            ("error_probability", self.error_probability.is_some()),
            ("attempts", self.attempts.is_some()),
            ("retry_probability", self.retry_probability.is_some()),
            ("retries_per_failure", self.retries_per_failure.is_some()),
            ("discipline", self.discipline.is_some()),
            ("budget", self.budget.is_some()),
        ]
    }

    pub(crate) fn check_all(
        changes: &[Self],
        inner_tiers: usize,
        validator: &mut Validator,
    ) -> Result<(), Invalid> {
        let mut taken = vec![Taken::default(); inner_tiers + 1];
        let mut previous = 0.0;
        for (index, change) in changes.iter().enumerate() {
            let path = format!("schedule.{index}");
            change.check(&path, validator)?;
            let tier = (change.tier as usize)
                .checked_sub(1)
                .and_then(|index| taken.get_mut(index));
            let Some(taken) = tier else {
                let accepted = format!(
                    "a whole number from 1, the outermost tier, to {}",
                    inner_tiers + 1
                );
                return Err(Invalid::new(&format!("{path}.tier"), change.tier, accepted));
            };
            change.check_turn(&path, previous, taken)?;
            previous = change.at.value();
        }
        Ok(())
    }

    /// Checks each value by itself.
    fn check(&self, path: &str, validator: &mut Validator) -> Result<(), Invalid> {
        validator.non_negative_time(&format!("{path}.at"), self.at)?;
        if let Some(stall) = self.stall {
            validator.positive_time(&format!("{path}.stall"), stall)?;
        }
        if let Some(capacity) = self.capacity {
            Validator::positive(&format!("{path}.capacity"), capacity)?;
        }
        if let Some(rate) = self.rate {
            validator.positive_rate(&format!("{path}.rate"), rate)?;
            if self.tier != one() {
                let accepted = "absent behind the outermost tier, at which new requests arrive";
                return Err(Invalid::new(&format!("{path}.rate"), rate, accepted));
            }
        }
        if let Some(probability) = self.error_probability {
            Validator::probability(&format!("{path}.error_probability"), probability)?;
        }
        if let Some(attempts) = self.attempts {
            Validator::count(&format!("{path}.attempts"), attempts, 1..=ATTEMPTS_MAX)?;
        }
        if let Some(probability) = self.retry_probability {
            Validator::probability(&format!("{path}.retry_probability"), probability)?;
        }
        if let Some(retries) = self.retries_per_failure {
            check_retries_per_failure(&format!("{path}.retries_per_failure"), retries)?;
        }
        if let Some(budget) = self.budget {
            budget.check(&format!("{path}.budget"), validator)?;
        }
        let sets = self.settings().iter().any(|&(_, is_set)| is_set);
        if let Some(duration) = self.duration {
            let path = format!("{path}.for");
            validator.positive_time(&path, duration)?;
            if !sets {
                let accepted = "absent where no setting changes; a stall states its own length";
                return Err(Invalid::new(&path, duration, accepted));
            }
        }
        if sets || self.stall.is_some() {
            Ok(())
        } else {
            let names = self.settings().map(|(name, _)| name);
            let (last, others) = (names[SETTINGS - 1], names[..SETTINGS - 1].join(", "));
            let accepted = format!("one or more of stall, {others} and {last}");
            Err(Invalid::new(path, "no change at all", accepted))
        }
    }

    /// Checks that the change comes after those before it and does not interrupt one of its own kind.
    fn check_turn(&self, path: &str, previous: f64, taken: &mut Taken) -> Result<(), Invalid> {
        let (path, at) = (format!("{path}.at"), self.at.value());
        let refuse = |moment: f64, reason: String| {
            let accepted = format!("no earlier than {}, {reason}", self.at.with_value(moment));
            Err(Invalid::new(&path, self.at, accepted))
        };
        if at < previous {
            return refuse(previous, "because changes stand in the order of time".to_owned());
        }
        if let Some(stall) = self.stall {
            if at < taken.stall {
                return refuse(taken.stall, "when the stall before it ends".to_owned());
            }
            taken.stall = at + stall.value();
        }
        for ((name, _), taken) in self
            .settings()
            .into_iter()
            .zip(&mut taken.settings)
            .filter(|&((_, is_set), _)| is_set)
        {
            if at < *taken {
                return refuse(*taken, format!("when {name} goes back to what it was"));
            }
            *taken = self.settings_end().unwrap_or(at);
        }
        Ok(())
    }
}

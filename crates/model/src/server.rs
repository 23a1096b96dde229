//! What the server does with attempts that wait.

use serde::{Deserialize, Serialize};

use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// Queue discipline, admission and deadline check.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Which waiting attempt is served next.
    pub discipline: Discipline,
    /// Places for attempts, waiting and in service; an attempt that finds all taken is rejected at once.
    /// Unbounded when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
    /// What the server checks when it takes an attempt from the queue.
    pub deadline_check: DeadlineCheck,
}

/// Which waiting attempt is served next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Discipline {
    /// First in, first out.
    #[default]
    Fifo,
    /// Last in, first out, without preemption.
    Lifo,
    /// Any of those that wait, each with the same probability.
    Random,
    /// First in, first out while few wait; last in, first out while more do than a threshold.
    AdaptiveLifo {
        /// Most attempts that wait while the first of them is served next.
        threshold: u32,
    },
}

/// What the server checks when it takes an attempt from the queue. A skipped attempt costs the server nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum DeadlineCheck {
    /// Nothing: every attempt is served, wanted or not.
    #[default]
    #[serde(rename = "none")]
    None,
    /// Skip an attempt whose client has given up.
    #[serde(rename = "skip-expired")]
    SkipExpired,
    /// Skip an attempt whose client has given up or will within the given expected service time.
    #[serde(rename = "skip_doomed")]
    SkipDoomed {
        /// Expected service time.
        service: Time,
    },
}

impl Server {
    pub(crate) fn check(&self, validator: &mut Validator, servers: u32) -> Result<(), Invalid> {
        if let Some(places) = self.places
            && places < servers
        {
            let accepted = format!("at least the number of servers, which is {servers}");
            return Err(Invalid::new("server.places", places, accepted));
        }
        if let DeadlineCheck::SkipDoomed { service } = self.deadline_check {
            validator.positive_time("server.deadline_check.skip_doomed.service", service)?;
        }
        Ok(())
    }
}

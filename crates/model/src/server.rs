//! What the server does with attempts that wait.

use schemars::JsonSchema;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use crate::service::Service;
use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// Queues, their discipline, admission and deadline check.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Which waiting attempt is served next.
    pub discipline: Discipline,
    /// Where attempts wait: all in one queue, or each in the queue of the server to which it is sent.
    pub queues: Queues,
    /// Places for attempts, waiting and in service, in all or, with a queue for each server, at each of them; an attempt that
    /// finds all taken is rejected at once. Unbounded when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
    /// What the server checks when it takes an attempt from the queue.
    pub deadline_check: DeadlineCheck,
    /// Server time that a rejection takes. The next server that is free spends it, on all rejections so far together, before it
    /// takes an attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejection_cost: Option<Time>,
    /// Server time that skipping an attempt takes: the server that finds it expired takes the next one so much later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_cost: Option<Time>,
}

/// Which waiting attempt is served next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
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
        #[serde(deserialize_with = "count_from_zero")]
        threshold: u32,
    },
}

/// A count that may be zero, which the decoder tells from others by its length.
fn count_from_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    u32::try_from(u64::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// A count that may be zero or left out, for keys of other texts than scenarios.
///
/// # Errors
/// Whatever the deserializer says of what is no whole number from 0.
pub fn optional_count_from_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    struct Count(u32);
    impl<'de> Deserialize<'de> for Count {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            count_from_zero(deserializer).map(Self)
        }
    }
    Ok(Option::<Count>::deserialize(deserializer)?.map(|Count(count)| count))
}

/// Where attempts wait, and to which server each is sent where every server has a queue of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Queues {
    /// In one queue, from which every server takes.
    #[default]
    Common,
    /// At any server, each with the same probability.
    Random,
    /// At one server after the other.
    RoundRobin,
    /// At the server with the fewest attempts, waiting and in service; the first of them where there are several.
    Shortest,
}

/// What the server checks when it takes an attempt from the queue.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
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
    pub(crate) fn check(&self, validator: &mut Validator, service: &Service) -> Result<(), Invalid> {
        let (least, meaning) = match self.queues {
            Queues::Common if service.concurrency == 1 => (service.servers, "the number of servers"),
            Queues::Common => (
                service.slots(),
                "the number of attempts that all servers serve at once",
            ),
            Queues::Random | Queues::RoundRobin | Queues::Shortest => (
                service.concurrency,
                "the number of attempts that a server serves at once",
            ),
        };
        if let Some(places) = self.places
            && places < least
        {
            let accepted = format!("at least {meaning}, which is {least}");
            return Err(Invalid::new("server.places", places, accepted));
        }
        if let DeadlineCheck::SkipDoomed { service } = self.deadline_check {
            validator.positive_time("server.deadline_check.skip_doomed.service", service)?;
        }
        if let Some(cost) = self.rejection_cost {
            validator.non_negative_time("server.rejection_cost", cost)?;
        }
        if let Some(cost) = self.skip_cost {
            validator.non_negative_time("server.skip_cost", cost)?;
        }
        Ok(())
    }
}

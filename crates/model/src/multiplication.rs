//! Retries that multiply: whether anything keeps a failure that brings more than one further attempt from flooding a run.

use crate::client::Client;
use crate::scenario::ScenarioSpec;
use crate::schedule::Change;
use crate::server::{DeadlineCheck, Server};
use crate::timeout::Timeout;
use crate::unit_text::Shortest;
use crate::validation::Invalid;

impl ScenarioSpec {
    /// Checks that retries per failure do not make attempts without end, at no tier, and that the schedule speaks of retries in
    /// the words that the clients of the tier do.
    pub(crate) fn check_multiplication(&self) -> Result<(), Invalid> {
        self.house(0, &self.server, &self.client).check("")?;
        for (index, tier) in self.tiers.iter().enumerate() {
            let path = format!("tiers.{index}.");
            self.house(index + 1, &tier.server, &tier.client).check(&path)?;
        }
        Ok(())
    }

    fn house<'a>(&'a self, tier: usize, server: &'a Server, client: &'a Client) -> House<'a> {
        let changes = self.schedule.iter().enumerate();
        House {
            server,
            client,
            changes: changes
                .filter(|(_, change)| change.tier as usize == tier + 1)
                .collect(),
        }
    }
}

/// A server, its clients, and what the schedule changes about them, with the numbers of the changes.
struct House<'a> {
    server: &'a Server,
    client: &'a Client,
    changes: Vec<(usize, &'a Change)>,
}

impl House<'_> {
    fn check(&self, path: &str) -> Result<(), Invalid> {
        let first = self.client.retries_per_failure;
        if let Some(retries) = first {
            self.check_retries(&format!("{path}client.retries_per_failure"), retries)?;
        }
        for (index, change) in &self.changes {
            change.check_words(&format!("schedule.{index}"), first.is_some())?;
            if let Some(retries) = change.retries_per_failure {
                self.check_retries(&format!("schedule.{index}.retries_per_failure"), retries)?;
            }
        }
        Ok(())
    }

    fn check_retries(&self, path: &str, retries: f64) -> Result<(), Invalid> {
        if self.asks_a_full_server_without_end() && retries >= 1.0 {
            let accepted = "below 1 where an attempt that a full queue rejects is retried at once, because the \
                            retries would never end at one and the same moment; set client.retry_rejected = false";
            return Err(Invalid::new(path, Shortest(retries), accepted));
        }
        if retries > 1.0 && !self.limits_attempts() {
            let accepted = "at most 1 where nothing limits the attempts that fail at a time, because their number \
                            would grow without bound; set server.places and client.retry_rejected = false, or \
                            client.budget";
            return Err(Invalid::new(path, Shortest(retries), accepted));
        }
        Ok(())
    }

    /// Whether clients retry rejected attempts at once and no budget stops them.
    fn asks_a_full_server_without_end(&self) -> bool {
        self.server.places.is_some()
            && self.client.retry_rejected
            && self.client.backoff.is_immediate()
            && !self.limits_retries()
    }

    /// Whether failures cannot come faster and faster for ever. With a budget, retries cannot. Without one, failures after
    /// service come as fast as the server works, rejections bring nothing where they are not retried, and timeouts come no
    /// faster than the places of the attempts that time out turn over.
    fn limits_attempts(&self) -> bool {
        let rejections_end = self.server.places.is_none() || !self.client.retry_rejected;
        let timeouts_end = match self.client.timeout {
            None => true,
            Some(timeout) => self.server.places.is_some() && self.server.deadline_check.leaves_time(timeout),
        };
        self.limits_retries() || (rejections_end && timeouts_end)
    }

    /// Whether a budget limits the number of retries at all times.
    fn limits_retries(&self) -> bool {
        let scheduled = self.changes.iter().filter_map(|(_, change)| change.budget);
        scheduled
            .chain([self.client.budget])
            .all(|budget| budget.limits_retries())
    }
}

impl Change {
    /// Attempts and their probability, or retries per failure: what the client is described by is what can change.
    fn check_words(&self, path: &str, spawns: bool) -> Result<(), Invalid> {
        let accepted = if spawns {
            "absent where the client has retries_per_failure"
        } else {
            "absent where the client has no retries_per_failure to change"
        };
        let strange = if spawns {
            let attempts = self.attempts.map(|attempts| ("attempts", f64::from(attempts)));
            attempts.or(self.retry_probability.map(|value| ("retry_probability", value)))
        } else {
            self.retries_per_failure
                .map(|value| ("retries_per_failure", value))
        };
        match strange {
            None => Ok(()),
            Some((key, value)) => Err(Invalid::new(&format!("{path}.{key}"), Shortest(value), accepted)),
        }
    }
}

impl DeadlineCheck {
    /// Whether an attempt that is skipped has always been in the queue for some time, and kept its place for that long.
    fn leaves_time(self, timeout: Timeout) -> bool {
        match (self, timeout) {
            (Self::None | Self::SkipExpired, _) => true,
            (Self::SkipDoomed { service }, Timeout::Constant(timeout)) => service.value() < timeout.value(),
            (Self::SkipDoomed { .. }, Timeout::Exponential { .. }) => false,
        }
    }
}

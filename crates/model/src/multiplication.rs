//! Retries that multiply: whether anything keeps a failure that brings more than one further attempt from flooding a run.

use crate::client::Budget;
use crate::scenario::ScenarioSpec;
use crate::server::DeadlineCheck;
use crate::timeout::Timeout;
use crate::unit_text::Shortest;
use crate::validation::Invalid;

/// What costs less than this share of a token is as good as free.
const COST_MIN: f64 = 1e-6;

impl ScenarioSpec {
    /// Checks that retries per failure do not make attempts without end.
    pub(crate) fn check_multiplication(&self) -> Result<(), Invalid> {
        let Some(first) = self.client.retries_per_failure else {
            return Ok(());
        };
        let (path, most) = ("client.retries_per_failure", first);
        if self.asks_a_full_server_without_end() && most >= 1.0 {
            let accepted = "below 1 where an attempt that a full queue rejects is retried at once, because the \
                            retries would never end at one and the same moment; set client.retry_rejected = false";
            return Err(Invalid::new(path, Shortest(most), accepted));
        }
        if most > 1.0 && !self.limits_attempts() {
            let accepted = "at most 1 where nothing limits the attempts that fail at a time, because their number \
                            would grow without bound; set server.places and client.retry_rejected = false, or \
                            client.budget";
            return Err(Invalid::new(path, Shortest(most), accepted));
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

    /// Whether a budget limits the number of retries.
    fn limits_retries(&self) -> bool {
        self.client.budget.limits_retries()
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

impl Budget {
    /// Whether retries run out of tokens when nothing succeeds, or earn them no faster than requests come.
    fn limits_retries(&self) -> bool {
        match *self {
            Self::None => false,
            Self::Ratio { .. } | Self::Pool { .. } => true,
            Self::Refund {
                cost, timeout_cost, ..
            } => cost.min(timeout_cost) >= COST_MIN,
        }
    }
}

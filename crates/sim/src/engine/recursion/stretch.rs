//! Stretches of a run in which nothing happens but the usual: requests arrive, clients give up and try again at once, and
//! windows, schedule and error replies leave them alone. Here all that changes is at hand, in registers or next to each
//! other, and is put down at the end of the stretch.

use super::Recursion;
use super::line::{Line, Served};
use super::sums::{Last, Sums};
use crate::engine::attempt::{Attempt, Fate};
use crate::engine::backoff::BackoffPlan;
use crate::engine::budget::Failure;
use crate::engine::plan::{NEVER, Plan};

/// What has to be left to the slower way: an attempt sent at present and, if it has begun, its service.
struct Unusual {
    attempt: Attempt,
    served: Option<Served>,
}

impl Recursion {
    /// Whether there are stretches: one server with exponential service, one client, nobody who reacts to successes, and no
    /// tail times.
    pub(super) fn has_stretches(plan: &Plan, line: &Line, successes_matter: bool) -> bool {
        plan.slots == 1
            && line.has_exponential_service()
            && plan.clients == 1
            && plan.shared_outcome.is_none()
            && plan.tail_times.is_empty()
            && !successes_matter
    }

    /// Whether whoever gives up and may try again does so at once.
    #[inline]
    pub(super) fn retries_at_once(&self) -> bool {
        matches!(self.plan.backoff, BackoffPlan::Immediate) && self.plan.retry.is_none()
    }

    /// Goes on as long as nothing but the usual happens.
    pub(super) fn stretch(&mut self) {
        let unusual = if self.windows.ends_in_another() {
            self.usual::<true>()
        } else {
            self.usual::<false>()
        };
        if let Some(Unusual { attempt, served }) = unusual {
            match served {
                None => self.join(attempt, false),
                Some(served) => self.settle(attempt, served),
            }
        }
    }

    /// `SPANS` where services end in another window than the present one.
    fn usual<const SPANS: bool>(&mut self) -> Option<Unusual> {
        // Answers, changes, retries after a backoff and edges of windows end a stretch.
        let quiet = self.next_but_expiry();
        let retries_at_once =
            matches!(self.plan.backoff, BackoffPlan::Immediate) && self.plan.retry.is_none();
        let (timeout, attempts) = (self.timeout, self.plan.attempts);
        let (mut now, mut next_arrival) = (self.now, self.next_arrival);
        let mut expiry = self.due.expiry;
        let mut sums = Sums::<SPANS>::default();
        let mut server = self.line.at_hand()?;
        let end = self.windows.end();
        let start_limit = server.next_change.min(self.windows.start_end());
        let finish_limit = server.next_change.min(self.windows.finish_end());
        let unusual = loop {
            let attempt = if next_arrival < expiry.min(quiet) {
                now = next_arrival;
                next_arrival += self.arrivals.sample();
                sums.requests += 1;
                self.budgets.on_request(0);
                Attempt::first(0, Fate::Open)
            } else if expiry < quiet && retries_at_once {
                now = expiry;
                let Some((_, tag)) = self.expiring.pop_front() else {
                    break None;
                };
                expiry = self.expiring.front().map_or(NEVER, |&(at, _)| at);
                sums.timeouts += 1;
                let failed = Attempt::from_tag(tag);
                if failed.ordinal >= attempts {
                    sums.failed_requests += 1;
                    continue;
                }
                if !self.budgets.spend(0, Failure::TimedOut) {
                    sums.failed_requests += 1;
                    sums.budget_denied += 1;
                    continue;
                }
                sums.retries += 1;
                failed.next()
            } else {
                break None;
            };
            let start = server.free_at.max(now);
            if start < start_limit {
                let served = server.serve(start);
                sums.count_start(start - now);
                if served.error || served.finish >= finish_limit {
                    break Some(Unusual {
                        attempt,
                        served: Some(served),
                    });
                }
                server.free_at = served.finish;
                let late = served.finish - now > timeout;
                sums.count_finish(now, &served, late);
                self.windows.collect(now, served.finish);
                if !late {
                    continue;
                }
            } else if server.free_at >= end {
                // It is not served within the run.
                sums.count_unserved(now);
                if timeout == NEVER {
                    continue;
                }
            } else {
                break Some(Unusual {
                    attempt,
                    served: None,
                });
            }
            let at = now + timeout;
            self.expiring.push_back((at, attempt.to_tag()));
            expiry = expiry.min(at);
        };
        server.put_down();
        (self.now, self.next_arrival) = (now, next_arrival);
        self.due.expiry = expiry;
        self.due.any = quiet.min(expiry);
        let last = match &unusual {
            None => Last::Whole,
            Some(Unusual { served: None, .. }) => Last::Sent,
            Some(Unusual {
                served: Some(served), ..
            }) => Last::Begun {
                waiting_time: served.start - now,
            },
        };
        self.windows.add(&sums, last);
        unusual
    }
}

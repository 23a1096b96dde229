//! When the server begins and ends each service: Lindley's recursion, with stalls and changes of speed.

use super::windows::Windows;
use crate::engine::changes::scaled;
use crate::engine::plan::Plan;
use crate::engine::schedule::Change;
use crate::random::{Bernoulli, Streams};

/// A service, begun within the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Served {
    pub(super) finish: i64,
    /// Service time.
    pub(super) work: i64,
    /// Whether the answer is an error.
    pub(super) error: bool,
}

/// The server as the attempt that was sent last will find it.
#[derive(Debug)]
pub(super) struct Line {
    /// When the last service ends.
    free_at: i64,
    /// Changes of the server after those that count before `free_at`, soonest last.
    changes: Vec<(i64, Change)>,
    /// When the stall began that lasts, if one does.
    stalled_since: Option<i64>,
    /// Parameters as they are when the last service ends; those of the clients are not looked at.
    plan: Plan,
}

impl Line {
    /// An idle server; `changes` are those of a whole run, soonest last.
    pub(super) fn new(plan: &Plan, changes: &[(i64, Change)]) -> Self {
        let concerns_server = |change: &Change| {
            matches!(
                change,
                Change::StallBegins | Change::StallEnds | Change::Capacity(_) | Change::ErrorProbability(_)
            )
        };
        Self {
            free_at: -1,
            changes: changes
                .iter()
                .filter(|(_, change)| concerns_server(change))
                .copied()
                .collect(),
            stalled_since: None,
            plan: plan.clone(),
        }
    }

    /// An attempt joins the line: its service, and what of it the windows count; none when it begins after the run.
    #[inline]
    pub(super) fn join(
        &mut self,
        sent: i64,
        on_answer: bool,
        streams: &mut Streams,
        windows: &mut Windows,
    ) -> Option<Served> {
        // A service that ends now has ended before anything else happens now, except what its own answer causes.
        let waits = self.free_at > sent || (self.free_at == sent && on_answer);
        let start = if waits {
            self.free_at
        } else if self.changes.is_empty() {
            sent
        } else {
            self.begin_idle(sent)
        };
        if start >= windows.end() {
            self.free_at = start;
            windows.count_unserved(sent);
            return None;
        }
        let work = self.plan.service_time.sample(&mut streams.service);
        let error = self.plan.error.sample(&mut streams.errors);
        let mut served = Served {
            finish: start + work,
            work,
            error,
        };
        windows.count_start(start, start - sent);
        if !self.changes.is_empty() {
            self.pass_changes(start, &mut served, windows);
        }
        self.free_at = served.finish;
        windows.count_service(sent, start, &served);
        Some(served)
    }

    /// When the idle server begins to serve what arrives now: at once, or at the end of the stall that lasts.
    fn begin_idle(&mut self, now: i64) -> i64 {
        let mut begin = now;
        while let Some(&(at, change)) = self.changes.last()
            && (at <= now || self.stalled_since.is_some())
        {
            self.changes.pop();
            match change {
                Change::StallBegins => self.stalled_since = Some(at),
                Change::StallEnds => {
                    self.stalled_since = None;
                    begin = now.max(at);
                    if at > now {
                        return begin;
                    }
                }
                Change::Capacity(capacity) => {
                    self.plan.set_capacity(capacity);
                }
                Change::ErrorProbability(probability) => self.plan.error = Bernoulli::new(probability),
                _ => {}
            }
        }
        begin
    }

    /// What happens in the course of a service puts off its end or brings it on.
    #[cold]
    fn pass_changes(&mut self, start: i64, served: &mut Served, windows: &mut Windows) {
        while let Some(&(at, change)) = self.changes.last()
            && (at < served.finish || self.stalled_since.is_some())
        {
            self.changes.pop();
            match change {
                Change::StallBegins => self.stalled_since = Some(at),
                Change::StallEnds => {
                    if let Some(since) = self.stalled_since.take() {
                        served.finish += at - since;
                        windows.count_stalled(since.max(start), at);
                    }
                }
                Change::Capacity(capacity) => {
                    let factor = self.plan.set_capacity(capacity);
                    let since = self.stalled_since.unwrap_or(at);
                    let finish = since + scaled(served.finish - since, factor);
                    served.work += finish - served.finish;
                    served.finish = finish;
                }
                Change::ErrorProbability(probability) => self.plan.error = Bernoulli::new(probability),
                _ => {}
            }
        }
    }
}

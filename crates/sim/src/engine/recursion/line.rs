//! When the servers begin and end each service: Lindley's recursion, with several servers that of Kiefer and Wolfowitz,
//! with one also stalls and changes of speed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::windows::Windows;
use crate::engine::changes::scaled;
use crate::engine::plan::{NEVER, Plan};
use crate::engine::schedule::Change;
use crate::random::{Bernoulli, ExponentialsAhead, ServiceAhead, Stream};

/// A service, begun within the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Served {
    pub(super) start: i64,
    pub(super) finish: i64,
    /// Service time.
    pub(super) work: i64,
    /// Whether the answer is an error.
    pub(super) error: bool,
}

/// When servers are free to serve the next attempt.
#[derive(Debug)]
enum Free {
    One(i64),
    /// Of each server, the first to be free on top.
    Many(BinaryHeap<Reverse<i64>>),
}

/// The servers as the attempt that was sent last will find them.
#[derive(Debug)]
pub(super) struct Line {
    free: Free,
    /// Changes of the server after those that count before it is free, soonest last.
    changes: Vec<(i64, Change)>,
    /// When the next of these is due: at once in a stall.
    next_change: i64,
    /// When the stall began that lasts, if one does.
    stalled_since: Option<i64>,
    service: ServiceAhead,
    errors: Stream,
    /// Parameters as they are when the server is free; those of the clients are not looked at.
    plan: Plan,
}

/// Whether a change concerns the servers.
pub(super) fn concerns_servers(change: &Change) -> bool {
    matches!(
        change,
        Change::StallBegins | Change::StallEnds | Change::Capacity(_) | Change::ErrorProbability(_)
    )
}

/// One server with exponential service, between two changes.
#[derive(Debug)]
pub(super) struct AtHand<'a> {
    pub(super) free_at: i64,
    pub(super) next_change: i64,
    error: Bernoulli,
    errors: Stream,
    service: &'a mut ExponentialsAhead,
    home: (&'a mut i64, &'a mut Stream),
}

impl AtHand<'_> {
    /// A service begins.
    #[inline(always)]
    pub(super) fn serve(&mut self, start: i64) -> Served {
        let work = self.service.sample();
        Served {
            start,
            finish: start + work,
            work,
            error: self.error.sample(&mut self.errors),
        }
    }

    /// Puts everything back in its place.
    pub(super) fn put_down(self) {
        let (free_at, errors) = self.home;
        *free_at = self.free_at;
        *errors = self.errors;
    }
}

impl Line {
    /// Whether services are exponential.
    pub(super) fn has_exponential_service(&self) -> bool {
        matches!(self.service, ServiceAhead::Exponential(_))
    }

    /// The server, if there is one alone with exponential service.
    #[inline]
    pub(super) fn at_hand(&mut self) -> Option<AtHand<'_>> {
        match (&mut self.free, &mut self.service) {
            (Free::One(free_at), ServiceAhead::Exponential(service)) => Some(AtHand {
                free_at: *free_at,
                next_change: self.next_change,
                error: self.plan.error,
                errors: self.errors.clone(),
                service,
                home: (free_at, &mut self.errors),
            }),
            _ => None,
        }
    }

    /// Idle servers; `changes` are those of a whole run, soonest last.
    pub(super) fn new(plan: &Plan, changes: &[(i64, Change)], service: Stream, errors: Stream) -> Self {
        let mut line = Self {
            free: if plan.slots == 1 {
                Free::One(0)
            } else {
                Free::Many((0..plan.slots).map(|_| Reverse(0)).collect())
            },
            changes: changes
                .iter()
                .filter(|(_, change)| concerns_servers(change))
                .copied()
                .collect(),
            next_change: NEVER,
            stalled_since: None,
            service: ServiceAhead::new(&plan.service_time, service),
            errors,
            plan: plan.clone(),
        };
        line.refresh_next_change();
        line
    }

    /// An attempt joins the line: its service, of which its start is counted; none when it begins after the run.
    #[inline]
    pub(super) fn join(&mut self, sent: i64, on_answer: bool, windows: &mut Windows) -> Option<Served> {
        let free_at = match &self.free {
            Free::One(at) => *at,
            Free::Many(times) => times.peek().map_or(0, |&Reverse(at)| at),
        };
        let mut start = free_at.max(sent);
        // A service that ends now has ended before anything else happens now, except what its own answer causes.
        if self.next_change <= start && (free_at < sent || (free_at == sent && !on_answer)) {
            start = self.begin_idle(sent);
        }
        if start >= windows.end() {
            // Nobody is served before it, should it have waited for the end of a stall.
            self.is_free_at(start);
            windows.count_unserved(sent);
            return None;
        }
        let work = self.service.sample();
        let served = Served {
            start,
            finish: start + work,
            work,
            error: self.plan.error.sample(&mut self.errors),
        };
        windows.count_start(start, start - sent);
        Some(self.end(served, windows))
    }

    /// The end of a service that has begun and been counted, with what happens in its course.
    #[inline]
    pub(super) fn end(&mut self, mut served: Served, windows: &mut Windows) -> Served {
        if served.finish > self.next_change {
            self.pass_changes(&mut served, windows);
        }
        self.is_free_at(served.finish);
        served
    }

    /// The server that was free first will be free again at this time.
    #[inline]
    fn is_free_at(&mut self, time: i64) {
        match &mut self.free {
            Free::One(at) => *at = time,
            Free::Many(times) => {
                if let Some(mut first) = times.peek_mut() {
                    *first = Reverse(time);
                }
            }
        }
    }

    fn refresh_next_change(&mut self) {
        self.next_change = match self.changes.last() {
            None => NEVER,
            Some(_) if self.stalled_since.is_some() => i64::MIN,
            Some(&(at, _)) => at,
        };
    }

    /// When the idle server begins to serve what arrives now: at once, or at the end of the stall that lasts.
    #[cold]
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
                        break;
                    }
                }
                Change::Capacity(capacity) => {
                    self.set_capacity(capacity);
                }
                Change::ErrorProbability(probability) => self.plan.error = Bernoulli::new(probability),
                _ => {}
            }
        }
        self.refresh_next_change();
        begin
    }

    /// The servers work faster or slower; returns the factor on the time that work in progress still needs.
    fn set_capacity(&mut self, capacity: f64) -> f64 {
        let factor = self.plan.set_capacity(capacity);
        self.service.set_sampler(&self.plan.service_time);
        factor
    }

    /// What happens in the course of a service puts off its end or brings it on.
    #[cold]
    fn pass_changes(&mut self, served: &mut Served, windows: &mut Windows) {
        while let Some(&(at, change)) = self.changes.last()
            && (at < served.finish || self.stalled_since.is_some())
        {
            self.changes.pop();
            match change {
                Change::StallBegins => self.stalled_since = Some(at),
                Change::StallEnds => {
                    if let Some(since) = self.stalled_since.take() {
                        served.finish += at - since;
                        windows.count_stalled(since.max(served.start), at);
                    }
                }
                Change::Capacity(capacity) => {
                    let factor = self.set_capacity(capacity);
                    let since = self.stalled_since.unwrap_or(at);
                    let finish = since + scaled(served.finish - since, factor);
                    served.work += finish - served.finish;
                    served.finish = finish;
                }
                Change::ErrorProbability(probability) => self.plan.error = Bernoulli::new(probability),
                _ => {}
            }
        }
        self.refresh_next_change();
    }
}

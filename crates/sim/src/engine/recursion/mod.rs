//! The one-pass recursion: a whole run of servers that serve first in, first out, without an event for a completion and
//! without a stored line.
//!
//! Where nothing but the order of arrival decides who is served, an attempt's fate is known when it is sent: its service
//! starts when a server is free of those before it (Lindley's recursion), and whether its client still waits then is a comparison.
//! What is left to keep are the clients that wait, for at most a timeout: those whose time will run out, in the order in
//! which they sent, and those whose answer changes what somebody does, in the order of service. Memory does not depend
//! on the backlog. Under the same streams the records are those of the event-driven engine, to the last tick.

mod answers;
mod line;
mod stretch;
mod sums;
mod windows;

use std::collections::VecDeque;

use retrylab_model::{Budget, DeadlineCheck, Discipline, Queues, Scenario, Timeout};

use super::attempt::Attempt;
use super::backoff::{BackoffPlan, PendingRetries};
use super::budget::{Budgets, Failure};
use super::changes::scaled;
use super::plan::{NEVER, Plan, ordinal, retry};
use super::schedule::{Change, Schedule};
use crate::clock::Clock;
use crate::counts::Counts;
use crate::error::SimulationError;
use crate::histogram::Histogram;
use crate::random::{Bernoulli, ExponentialsAhead, Stream, Streams};

use self::answers::{Answer, Answers};
use self::line::{Line, Served, concerns_servers};
use self::windows::{Ending, Windows};

/// Times are local to the run's start and never set back, so a run may last for so many ticks.
const UNTIL_MAX: i128 = 1 << 60;

/// What a whole run left behind.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// What happened between the moments, in their order.
    pub(crate) counts: Vec<Counts>,
    /// Sojourn times of the completions from the moment from which they were to be collected.
    pub(crate) sojourn_times: Histogram,
    /// When the last success happened, in the scenario's unit of time.
    pub(crate) last_success: Option<f64>,
}

/// Why the recursion cannot simulate a scenario; none when it can.
pub(crate) fn obstacle(scenario: &Scenario, clock: &Clock) -> Option<&'static str> {
    let (server, client) = (&scenario.server, &scenario.client);
    if !scenario.tiers.is_empty() {
        Some("there is more than one tier")
    } else if scenario.service.slots() > 1 && scenario.schedule.iter().any(changes_servers) {
        Some("the schedule changes servers of which there are several")
    } else if server.queues != Queues::Common {
        Some("servers have queues of their own")
    } else if server.discipline != Discipline::Fifo {
        Some("the discipline is not first in, first out")
    } else if server.places.is_some() {
        Some("the queue is bounded")
    } else if server.deadline_check != DeadlineCheck::None {
        Some("the server skips attempts")
    } else if matches!(client.timeout, Some(Timeout::Exponential { .. })) {
        Some("timeouts are random")
    } else if client.retries_per_failure.is_some() {
        Some("a failure may bring several retries")
    } else if client.breaker.is_some() {
        Some("clients have a circuit breaker")
    } else if scenario
        .schedule
        .iter()
        .any(|change| change.discipline.is_some() || change.budget.is_some())
    {
        Some("the schedule changes the discipline or the budget")
    } else if clock.moment(scenario.until()) > UNTIL_MAX {
        Some("the run is too long for a clock that is never set back")
    } else {
        None
    }
}

/// Runs one replication from time 0, and counts between the `moments`; sojourn times are collected from the given moment.
///
/// # Errors
/// As [`Simulation::new`](super::Simulation::new); [`SimulationError::RecursionDoesNotApply`] where there is an obstacle.
pub(crate) fn run(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    moments: &[f64],
    collect_from: Option<f64>,
) -> Result<Recorded, SimulationError> {
    let clock = Clock::for_scenario(scenario)?;
    if let Some(reason) = obstacle(scenario, &clock) {
        return Err(SimulationError::RecursionDoesNotApply { reason });
    }
    let plan = Plan::new(scenario, clock);
    let Streams {
        arrivals,
        service,
        errors,
        backoff,
        clients,
        retries,
        fates,
        ..
    } = Streams::new(seed, replication);
    let schedule = Schedule::new(scenario, &clock, 0);
    // Moments within the limit fit, and what comes after it does not matter.
    let local = |moment: i128| moment.min(UNTIL_MAX + 1) as i64;
    let changes: Vec<(i64, Change)> = schedule
        .into_changes()
        .into_iter()
        .map(|(at, change)| (local(at), change))
        .collect();
    let edges: Vec<i64> = moments
        .iter()
        .map(|&moment| local(clock.moment(moment)))
        .collect();
    let collect_from = collect_from.map(|moment| local(clock.moment(moment)));
    let successes_matter = matches!(
        scenario.client.budget,
        Budget::Refund { .. } | Budget::Pool { .. }
    );
    let line = Line::new(&plan, &changes, service, errors);
    let mut recursion = Recursion {
        has_stretches: Recursion::has_stretches(&plan, &line, successes_matter),
        now: 0,
        next_arrival: 0,
        arrivals: ExponentialsAhead::new(plan.interarrival_time, arrivals),
        timeout: match scenario.client.timeout {
            Some(Timeout::Constant(time)) => clock.duration(time.value()).max(1),
            _ => NEVER,
        },
        successes_matter,
        line,
        windows: Windows::new(&plan, &edges, collect_from),
        changes: changes
            .into_iter()
            .filter(|(_, change)| concerns_clients(*change))
            .collect(),
        expiring: VecDeque::new(),
        answers: Answers::new(plan.slots),
        retries: PendingRetries::new(&plan.backoff),
        due: Due::default(),
        budgets: Budgets::new(&scenario.client.budget, plan.clients, &clock, 0),
        draws: Draws {
            backoff,
            clients,
            retries,
            fates,
        },
        plan,
    };
    recursion.run();
    let (counts, sojourn_times, last_success) = recursion.windows.finish();
    Ok(Recorded {
        counts,
        sojourn_times,
        last_success: last_success.map(|at| clock.time(at.into())),
    })
}

/// Whether a change of the schedule concerns what the servers do.
fn changes_servers(change: &retrylab_model::Change) -> bool {
    change.stall.is_some() || change.capacity.is_some() || change.error_probability.is_some()
}

/// Whether a change concerns what clients do; errors concern both sides, because of fates.
fn concerns_clients(change: Change) -> bool {
    !concerns_servers(&change) || matches!(change, Change::ErrorProbability(_))
}

/// Streams of which a number is drawn now and then.
#[derive(Debug)]
struct Draws {
    backoff: Stream,
    clients: Stream,
    retries: Stream,
    fates: Stream,
}

/// When the next of each kind of event is due, new requests apart.
#[derive(Debug, Clone, Copy)]
struct Due {
    answer: i64,
    expiry: i64,
    /// The first of all, or an earlier time: then nothing happens.
    any: i64,
}

impl Default for Due {
    fn default() -> Self {
        Self {
            answer: NEVER,
            expiry: NEVER,
            any: 0,
        }
    }
}

/// A run in progress.
#[derive(Debug)]
struct Recursion {
    plan: Plan,
    draws: Draws,
    now: i64,
    next_arrival: i64,
    arrivals: ExponentialsAhead,
    timeout: i64,
    /// Whether a success changes what a client may do later.
    successes_matter: bool,
    has_stretches: bool,
    line: Line,
    windows: Windows,
    /// Changes that concern clients, soonest last.
    changes: Vec<(i64, Change)>,
    /// Attempts whose answer will be late: when their clients give up and their tags.
    expiring: VecDeque<(i64, u64)>,
    /// Answers in time that somebody reacts to.
    answers: Answers,
    retries: PendingRetries,
    due: Due,
    budgets: Budgets,
}

impl Recursion {
    fn run(&mut self) {
        self.await_arrival();
        loop {
            if self.has_stretches && (self.retries_at_once() || self.next_arrival < self.due.any) {
                self.stretch();
            }
            if self.next_arrival < self.due.any {
                self.now = self.next_arrival;
                self.arrive();
            } else if !self.react() {
                return;
            }
        }
    }

    /// When the next change that concerns clients is due.
    #[inline]
    fn next_change(&self) -> i64 {
        self.changes.last().map_or(NEVER, |&(at, _)| at)
    }

    /// When the next event is due that is neither an arrival nor a client's giving up.
    #[inline]
    fn next_but_expiry(&self) -> i64 {
        self.due
            .answer
            .min(self.retries.next_at())
            .min(self.next_change())
            .min(self.windows.present_end())
    }

    /// What is due before the next arrival happens; false at the end of the run.
    fn react(&mut self) -> bool {
        let change = self.next_change();
        let retry = self.retries.next_at();
        let Due { answer, expiry, .. } = self.due;
        let edge = self.windows.present_end();
        let next = answer.min(expiry).min(retry).min(change);
        if edge <= next.min(self.next_arrival) {
            if !self.windows.next_window() {
                return false;
            }
        } else if next <= self.next_arrival {
            self.now = next;
            // The order of the event-driven engine.
            if answer == next {
                self.hear();
            } else if change == next {
                self.change();
            } else if expiry == next {
                self.give_up();
            } else if let Some(tag) = self.retries.pop() {
                self.send(Attempt::from_tag(tag), false);
            }
        }
        self.due.any = self.next_but_expiry().min(self.due.expiry);
        true
    }

    /// The next request will be new after an interarrival time.
    #[inline]
    fn await_arrival(&mut self) {
        self.next_arrival = self.now + self.arrivals.sample();
    }

    fn arrive(&mut self) {
        self.await_arrival();
        let client = self.plan.draw_client(&mut self.draws.clients);
        self.windows.present().requests += 1;
        self.budgets.on_request(client);
        let fate = self.plan.fate(&mut self.draws.fates);
        self.send(Attempt::first(client, fate), false);
    }

    /// A client sends an attempt, on hearing an answer or at another time.
    #[inline]
    fn send(&mut self, attempt: Attempt, on_answer: bool) {
        let counts = self.windows.present();
        counts.attempts += 1;
        counts.retries += u64::from(attempt.ordinal > 1);
        self.join(attempt, on_answer);
    }

    /// An attempt sent at present, and counted as such, joins the line.
    #[inline]
    fn join(&mut self, attempt: Attempt, on_answer: bool) {
        let Some(served) = self.line.join(self.now, on_answer, &mut self.windows) else {
            // It is not served within the run.
            if self.timeout != NEVER {
                self.let_expire(attempt);
            }
            return;
        };
        self.hope_for(attempt, served);
    }

    /// An attempt sent at present has a service that has begun and been counted.
    fn settle(&mut self, attempt: Attempt, served: Served) {
        let served = self.line.end(served, &mut self.windows);
        self.hope_for(attempt, served);
    }

    /// An attempt sent at present is served so.
    #[inline]
    fn hope_for(&mut self, attempt: Attempt, served: Served) {
        if served.finish - self.now > self.timeout {
            self.windows.count_service(self.now, &served, Ending::Late);
            return self.let_expire(attempt);
        }
        let error = attempt.errs(served.error);
        if error || self.successes_matter {
            self.windows.count_service(self.now, &served, Ending::Heard);
            self.answers.push(served.finish, Answer { attempt, error });
            self.due.answer = self.due.answer.min(served.finish);
            self.due.any = self.due.any.min(served.finish);
        } else {
            self.windows.count_service(self.now, &served, Ending::Success);
        }
    }

    /// An attempt sent at present will have no answer in time.
    #[inline]
    fn let_expire(&mut self, attempt: Attempt) {
        let at = self.now + self.timeout;
        self.expiring.push_back((at, attempt.to_tag()));
        self.due.expiry = self.due.expiry.min(at);
        self.due.any = self.due.any.min(at);
    }

    /// A client hears an answer in time.
    fn hear(&mut self) {
        let answer = self.answers.pop();
        self.due.answer = self.answers.next_at();
        match answer {
            None => {}
            Some(Answer { attempt, error: true }) => {
                self.windows.present().errors += 1;
                self.fail(attempt, Failure::Answered);
            }
            Some(Answer { attempt, .. }) => {
                self.windows.count_success(self.now);
                let now = self.now;
                self.budgets.on_success(attempt.owner(), || now.into());
            }
        }
    }

    /// The client that has waited longest for an answer that will be late gives up.
    fn give_up(&mut self) {
        let expired = self.expiring.pop_front();
        self.due.expiry = self.expiring.front().map_or(NEVER, |&(at, _)| at);
        if let Some((_, tag)) = expired {
            self.windows.present().timeouts += 1;
            self.fail(Attempt::from_tag(tag), Failure::TimedOut);
        }
    }

    fn fail(&mut self, attempt: Attempt, failure: Failure) {
        if attempt.ordinal >= self.plan.attempts {
            self.windows.present().failed_requests += 1;
            return;
        }
        if let Some(retry) = self.plan.retry
            && !retry.sample(&mut self.draws.retries)
        {
            self.windows.present().failed_requests += 1;
            return;
        }
        if !self.budgets.spend(attempt.owner(), failure) {
            self.windows.present().budget_denied += 1;
            self.windows.present().failed_requests += 1;
            return;
        }
        let next = attempt.next();
        match self.plan.backoff {
            BackoffPlan::Immediate => self.send(next, failure == Failure::Answered),
            BackoffPlan::Constant { delay } => self.retries.push(self.now + delay, next.to_tag()),
            BackoffPlan::FullJitter(ref jitter) => {
                if let Some(delay) = jitter.delay(attempt.ordinal, &mut self.draws.backoff) {
                    self.retries.push(self.now + delay, next.to_tag());
                }
            }
        }
    }

    fn change(&mut self) {
        match self.changes.pop() {
            Some((_, Change::Rate(rate))) => {
                let factor = self.plan.set_rate(rate);
                self.arrivals.set_time(self.plan.interarrival_time);
                self.next_arrival = self.now + scaled(self.next_arrival - self.now, factor);
            }
            Some((_, Change::ErrorProbability(probability))) => self.plan.error = Bernoulli::new(probability),
            Some((_, Change::Attempts(attempts))) => self.plan.attempts = ordinal(attempts),
            Some((_, Change::RetryProbability(probability))) => self.plan.retry = retry(probability),
            _ => {}
        }
    }
}

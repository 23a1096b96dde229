//! The one-pass recursion: a whole run of one server that serves first in, first out, without an event for a completion
//! and without a stored line.
//!
//! Where nothing but the order of arrival decides who is served, an attempt's fate is known when it is sent: its service
//! starts when the one before it ends (Lindley's recursion), and whether its client still waits then is a comparison.
//! What is left to keep are the clients that wait, for at most a timeout: those whose time will run out, in the order in
//! which they sent, and those whose answer changes what somebody does, in the order of service. Memory does not depend
//! on the backlog. Under the same streams the records are those of the event-driven engine, to the last tick.

mod line;
mod windows;

use retrylab_model::{Budget, DeadlineCheck, Discipline, Queues, Scenario, Timeout};

use super::attempt::{Attempt, Fate};
use super::backoff::{BackoffPlan, PendingRetries, full_jitter};
use super::budget::{Budgets, Failure};
use super::changes::scaled;
use super::plan::{NEVER, Plan, ordinal, retry};
use super::schedule::{Change, Schedule};
use crate::chunked::Chunked;
use crate::clock::Clock;
use crate::counts::Counts;
use crate::error::SimulationError;
use crate::histogram::Histogram;
use crate::random::{Bernoulli, Streams};

use self::line::Line;
use self::windows::Windows;

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
    } else if scenario.service.slots() > 1 {
        Some("more than one attempt is served at once")
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
    let mut streams = Streams::new(seed, replication);
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
    let budgets = Budgets::new(&scenario.client.budget, plan.clients, &clock, 0);
    let mut recursion = Recursion {
        next_arrival: plan.interarrival_time.sample(&mut streams.arrivals),
        timeout: match scenario.client.timeout {
            Some(Timeout::Constant(time)) => clock.duration(time.value()).max(1),
            _ => NEVER,
        },
        successes_matter: matches!(
            scenario.client.budget,
            Budget::Refund { .. } | Budget::Pool { .. }
        ),
        line: Line::new(&plan, &changes),
        windows: Windows::new(&plan, &edges, collect_from),
        changes: changes
            .into_iter()
            .filter(|(_, change)| concerns_clients(*change))
            .collect(),
        expiring: Chunked::new(),
        answered: Chunked::new(),
        retries: PendingRetries::new(),
        budgets,
        now: 0,
        plan,
        streams,
    };
    recursion.run(edges.last().copied().unwrap_or(0));
    let Recursion { windows, .. } = recursion;
    let (counts, sojourn_times, last_success) = windows.finish();
    Ok(Recorded {
        counts,
        sojourn_times,
        last_success: last_success.map(|at| clock.time(at.into())),
    })
}

/// Whether a change concerns what clients do; errors concern both sides, because of fates.
fn concerns_clients(change: Change) -> bool {
    !matches!(
        change,
        Change::StallBegins | Change::StallEnds | Change::Capacity(_)
    )
}

/// An answer that somebody reacts to.
#[derive(Debug, Clone, Copy)]
struct Answer {
    at: i64,
    attempt: Attempt,
    error: bool,
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            at: NEVER,
            attempt: Attempt::first(0, Fate::Open),
            error: false,
        }
    }
}

/// A run in progress.
#[derive(Debug)]
struct Recursion {
    plan: Plan,
    streams: Streams,
    now: i64,
    next_arrival: i64,
    timeout: i64,
    /// Whether a success changes what a client may do later.
    successes_matter: bool,
    line: Line,
    windows: Windows,
    /// Changes that concern clients, soonest last.
    changes: Vec<(i64, Change)>,
    /// Attempts whose answer will be late: when they were sent and their tags.
    expiring: Chunked<(i64, u64)>,
    /// Answers in time that somebody reacts to.
    answered: Chunked<Answer>,
    retries: PendingRetries,
    budgets: Budgets,
}

impl Recursion {
    fn run(&mut self, end: i64) {
        loop {
            let answer = self.answered.front().map_or(NEVER, |answer| answer.at);
            let expiry = self
                .expiring
                .front()
                .map_or(NEVER, |(sent, _)| sent + self.timeout);
            let retry = self.retries.next_at();
            let change = self.changes.last().map_or(NEVER, |&(at, _)| at);
            let next = answer.min(expiry).min(retry).min(change).min(self.next_arrival);
            if next >= end {
                return;
            }
            self.now = next;
            self.windows.go_to(next);
            // The order of the event-driven engine.
            if answer == next {
                self.hear();
            } else if change == next {
                self.change();
            } else if expiry == next {
                self.give_up();
            } else if retry == next {
                if let Some(tag) = self.retries.pop() {
                    self.send(Attempt::from_tag(tag), false);
                }
            } else {
                self.arrive();
            }
        }
    }

    fn arrive(&mut self) {
        self.next_arrival = self.now + self.plan.interarrival_time.sample(&mut self.streams.arrivals);
        let client = self.plan.draw_client(&mut self.streams.clients);
        self.windows.present().requests += 1;
        self.budgets.on_request(client);
        let fate = self.plan.fate(&mut self.streams.fates);
        self.send(Attempt::first(client, fate), false);
    }

    /// A client sends an attempt, on hearing an answer or at another time.
    #[inline]
    fn send(&mut self, attempt: Attempt, on_answer: bool) {
        let counts = self.windows.present();
        counts.attempts += 1;
        counts.retries += u64::from(attempt.ordinal > 1);
        let served = self
            .line
            .join(self.now, on_answer, &mut self.streams, &mut self.windows);
        let Some(served) = served else {
            // It is not served within the run.
            if self.timeout != NEVER {
                self.expiring.push_back((self.now, attempt.to_tag()));
            }
            return;
        };
        let sojourn_time = served.finish - self.now;
        if sojourn_time > self.timeout {
            self.windows.count_late(&served);
            self.expiring.push_back((self.now, attempt.to_tag()));
            return;
        }
        let error = attempt.errs(served.error);
        if error || self.successes_matter {
            self.answered.push_back(Answer {
                at: served.finish,
                attempt,
                error,
            });
        } else {
            self.windows.count_success(served.finish);
        }
    }

    /// A client hears an answer in time.
    fn hear(&mut self) {
        let Some(Answer { attempt, error, .. }) = self.answered.pop_front() else {
            return;
        };
        if error {
            self.windows.present().errors += 1;
            self.fail(attempt, Failure::Answered, true);
        } else {
            self.windows.count_success(self.now);
            self.budgets.on_success(attempt.owner(), self.now.into());
        }
    }

    fn give_up(&mut self) {
        if let Some((_, tag)) = self.expiring.pop_front() {
            self.windows.present().timeouts += 1;
            self.fail(Attempt::from_tag(tag), Failure::TimedOut, false);
        }
    }

    fn fail(&mut self, attempt: Attempt, failure: Failure, on_answer: bool) {
        if attempt.ordinal >= self.plan.attempts {
            self.windows.present().failed_requests += 1;
            return;
        }
        if let Some(retry) = self.plan.retry
            && !retry.sample(&mut self.streams.retries)
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
            BackoffPlan::Immediate => self.send(next, on_answer),
            BackoffPlan::Constant { delay } => self.retries.push_in_order(self.now + delay, next.to_tag()),
            BackoffPlan::FullJitter { base, cap } => {
                if let Some(delay) = full_jitter(base, cap, attempt.ordinal, &mut self.streams.backoff) {
                    self.retries.push(self.now + delay, next.to_tag());
                }
            }
        }
    }

    fn change(&mut self) {
        match self.changes.pop() {
            Some((_, Change::Rate(rate))) => {
                let factor = self.plan.set_rate(rate);
                self.next_arrival = self.now + scaled(self.next_arrival - self.now, factor);
            }
            Some((_, Change::ErrorProbability(probability))) => self.plan.error = Bernoulli::new(probability),
            Some((_, Change::Attempts(attempts))) => self.plan.attempts = ordinal(attempts),
            Some((_, Change::RetryProbability(probability))) => self.plan.retry = retry(probability),
            _ => {}
        }
    }
}

//! One tier of the naive simulator: one object per request and attempt, one heap of all its events, a log of everything that
//! happens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use retrylab_model::{Backoff, Budget, DeadlineCheck, Discipline, Queues, Scenario, Time, Timeout};
use retrylab_sim::Clock;
use retrylab_sim::random::{Bernoulli, ExponentialTicks, ServiceSampler, Streams};

use super::breaker::Breaker;
use super::settings::Settings;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Completion { attempt: usize },
    ChoreDone { chore: usize },
    Settings,
    StallBegins,
    StallEnds { length: i128 },
    Timeout { attempt: usize },
    Retry { request: usize, ordinal: u32 },
    Arrival,
}

impl Kind {
    fn priority(self) -> u8 {
        match self {
            Self::Completion { .. } | Self::ChoreDone { .. } => 0,
            Self::Settings | Self::StallBegins | Self::StallEnds { .. } => 1,
            Self::Timeout { .. } => 2,
            Self::Retry { .. } => 3,
            Self::Arrival => 4,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Happening {
    Request,
    Attempt {
        is_retry: bool,
    },
    Rejected,
    Skipped,
    Started {
        waiting_time: i128,
    },
    Completed {
        sojourn_time: i128,
        work: i128,
        late: bool,
    },
    Error,
    Timeout,
    Success,
    Duplicate,
    /// The tier behind has answered too late.
    LateAnswer,
    Failed,
    Denied,
    KeptByBreaker {
        is_first: bool,
    },
}

/// What becomes of an attempt at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Kept,
    Rejected,
    TakenIn { queue: usize },
}

/// Why an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Error,
    Rejection,
    Timeout,
}

#[derive(Debug)]
struct Request {
    client: usize,
    /// The attempt of the tier in front that the request comes from.
    caller: Option<usize>,
    /// Attempts that may still succeed: their client waits for an answer or for the time to send them.
    hopes: u32,
    has_succeeded: bool,
    /// Whether every attempt is answered with an error, or none, where they share one outcome.
    shared_error: Option<bool>,
}

#[derive(Debug)]
struct Attempt {
    request: usize,
    ordinal: u32,
    queue: usize,
    sent: i128,
    /// When its client gives up, if ever.
    deadline: Option<i128>,
    client_waits: bool,
    /// Whether the answer is an error whatever the tier behind says.
    error: bool,
    /// Once in service: (end, order of the event, service time, error).
    service: Option<(i128, u64, i128, bool)>,
}

/// What a tier leaves for its neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) enum Message {
    /// An attempt of this tier has been served, and is a request to the tier behind.
    Call { attempt: usize },
    /// What has become of the request that came from this attempt of the tier in front.
    Reply { attempt: usize, good: bool },
}

pub(super) struct Tier {
    pub(super) scenario: Scenario,
    /// Whether another tier makes the requests, and whether attempts call another.
    is_called: bool,
    calls: bool,
    pub(super) messages: Vec<Message>,
    pub(super) clock: Clock,
    streams: Streams,
    pub(super) now: i128,
    events: BinaryHeap<Reverse<(i128, u8, u64, Kind)>>,
    events_made: u64,
    requests: Vec<Request>,
    attempts: Vec<Attempt>,
    /// Of each queue: the attempts that wait, first come first.
    lines: Vec<Vec<usize>>,
    in_service: Vec<usize>,
    /// The queue at whose head a client is just hearing an answer.
    hearing: Option<usize>,
    routed: usize,
    /// What servers do beside serving: queue, end and order of the event, until it is done.
    chores: Vec<Option<(usize, i128, u64)>>,
    /// Of each queue.
    rejections_due: Vec<u32>,
    stalled: bool,
    stalled_at: i128,
    settings: Settings,
    next_arrival: (i128, u64),
    tokens: Vec<f64>,
    /// Of each client, when it last succeeded.
    last_successes: Vec<i128>,
    /// One of each client, or one of all.
    breakers: Vec<Breaker>,
    open_requests: u64,
    pub(super) log: Vec<(i128, Happening)>,
    /// From when on how many were in the system, in service, and being served.
    pub(super) levels: Vec<(i128, u64, u64, u64)>,
}

/// Tokens are counted in multiples of 2^-32; what is earned is rounded up and what is spent or held down.
const UNIT: f64 = 4_294_967_296.0;

impl Tier {
    /// A tier, given as a scenario of its own.
    pub(super) fn new(
        scenario: Scenario,
        clock: Clock,
        streams: Streams,
        is_called: bool,
        calls: bool,
    ) -> Self {
        let queues = match scenario.server.queues {
            Queues::Common => 1,
            Queues::Random | Queues::RoundRobin | Queues::Shortest => scenario.service.servers as usize,
        };
        let mut tier = Self {
            is_called,
            calls,
            messages: Vec::new(),
            clock,
            streams,
            now: 0,
            events: BinaryHeap::new(),
            events_made: 0,
            requests: Vec::new(),
            attempts: Vec::new(),
            lines: vec![Vec::new(); queues],
            in_service: Vec::new(),
            hearing: None,
            routed: 0,
            chores: Vec::new(),
            rejections_due: vec![0; queues],
            stalled: false,
            stalled_at: 0,
            settings: Settings::at(&scenario, &clock, -1),
            next_arrival: (0, 0),
            tokens: Vec::new(),
            last_successes: Vec::new(),
            breakers: Breaker::of(&scenario, &clock),
            open_requests: 0,
            log: Vec::new(),
            levels: Vec::new(),
            scenario,
        };
        tier.endow();
        tier.start();
        tier
    }

    /// Gives every client what it starts with under the budget of the moment.
    fn endow(&mut self) {
        let clients = self.scenario.traffic.clients as usize;
        let tokens = match self.settings.budget {
            Budget::Refund { capacity, .. } => (capacity * UNIT).floor() / UNIT,
            Budget::Pool { size, .. } => (size * UNIT).floor() / UNIT,
            Budget::None | Budget::Ratio { .. } => 0.0,
        };
        self.tokens = vec![tokens; clients];
        self.last_successes = vec![self.now; clients];
    }

    /// Where a client's tokens are.
    fn purse(&self, client: usize) -> usize {
        if self.settings.budget.is_per_client() {
            client
        } else {
            0
        }
    }

    fn start(&mut self) {
        for change in self.scenario.schedule.clone() {
            let at = change.at.value();
            self.event(self.clock.moment(at), Kind::Settings);
            if let Some(duration) = change.duration {
                let end = self.clock.moment(at + duration.value());
                self.event(end, Kind::Settings);
            }
        }
        let mut free = 0;
        for change in self.scenario.schedule.clone() {
            let Some(stall) = change.stall else { continue };
            let at = self.clock.moment(change.at.value());
            let end = at + i128::from(self.clock.duration(stall.value()));
            let begin = at.max(free);
            self.event(begin, Kind::StallBegins);
            self.event(end, Kind::StallEnds { length: end - begin });
            free = end;
        }
        if !self.is_called {
            self.next_arrival();
        }
    }

    /// When the next event happens.
    pub(super) fn next_event(&self) -> Option<i128> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    pub(super) fn next_happens(&mut self) {
        let Reverse((at, _, order, kind)) = self.events.pop().unwrap();
        self.now = at;
        self.happen(kind, order);
        self.note_levels();
    }

    /// An attempt of the tier in front is a new request.
    pub(super) fn called_by(&mut self, attempt: usize, now: i128) {
        self.now = now;
        self.begin_request(Some(attempt));
        self.note_levels();
    }

    /// The tier behind has answered an attempt.
    pub(super) fn answered(&mut self, attempt: usize, good: bool, now: i128) {
        self.now = now;
        if self.attempts[attempt].client_waits {
            let Attempt {
                request,
                ordinal,
                error,
                ..
            } = self.attempts[attempt];
            self.attempts[attempt].client_waits = false;
            if error || !good {
                self.note(Happening::Error);
                self.fail(request, ordinal, Cause::Error);
            } else {
                self.succeed(request);
            }
        } else {
            self.note(Happening::LateAnswer);
        }
        self.note_levels();
    }

    fn event(&mut self, at: i128, kind: Kind) -> u64 {
        self.events_made += 1;
        self.events
            .push(Reverse((at, kind.priority(), self.events_made, kind)));
        self.events_made
    }

    fn note(&mut self, happening: Happening) {
        self.log.push((self.now, happening));
    }

    fn note_levels(&mut self) {
        let in_service = self.in_service.len() as u64;
        let served = if self.stalled {
            0
        } else {
            in_service + self.all_chores()
        };
        self.levels.push((
            self.now,
            in_service + self.lines.iter().map(Vec::len).sum::<usize>() as u64,
            in_service,
            served,
        ));
    }

    fn happen(&mut self, kind: Kind, order: u64) {
        match kind {
            Kind::Completion { attempt } => {
                // A stall may have moved the end, or stopped the work.
                if !self.stalled
                    && self.attempts[attempt]
                        .service
                        .is_some_and(|s| (s.0, s.1) == (self.now, order))
                {
                    self.complete(attempt);
                }
            }
            Kind::ChoreDone { chore } => {
                if let Some((queue, end, of)) = self.chores[chore]
                    && !self.stalled
                    && (end, of) == (self.now, order)
                {
                    self.chores[chore] = None;
                    self.serve(queue);
                }
            }
            Kind::Settings => self.set(),
            Kind::StallBegins => {
                self.stalled = true;
                self.stalled_at = self.now;
            }
            Kind::StallEnds { length } => self.resume(length),
            Kind::Timeout { attempt } => {
                if self.attempts[attempt].client_waits {
                    self.attempts[attempt].client_waits = false;
                    self.note(Happening::Timeout);
                    let Attempt { request, ordinal, .. } = self.attempts[attempt];
                    self.fail(request, ordinal, Cause::Timeout);
                }
            }
            Kind::Retry { request, ordinal } => self.send(request, ordinal),
            Kind::Arrival => {
                // A change of the rate may have moved it.
                if self.next_arrival == (self.now, order) {
                    self.arrive();
                }
            }
        }
    }

    /// Looks up what the schedule says about the present.
    fn set(&mut self) {
        let settings = Settings::at(&self.scenario, &self.clock, self.now);
        let before = std::mem::replace(&mut self.settings, settings);
        if settings.rate.to_bits() != before.rate.to_bits() {
            let (at, _) = self.next_arrival;
            let at = self.now + scaled(at - self.now, before.rate / settings.rate);
            self.next_arrival = (at, self.event(at, Kind::Arrival));
        }
        if settings.budget != before.budget {
            self.endow();
        }
        if settings.capacity.to_bits() != before.capacity.to_bits() {
            // Where the work stands: in a stall, where it stood before.
            let present = if self.stalled { self.stalled_at } else { self.now };
            for &attempt in &self.in_service {
                if let Some((end, order, work, _)) = &mut self.attempts[attempt].service {
                    let other = present + scaled(*end - present, before.capacity / settings.capacity);
                    *work += other - *end;
                    *end = other;
                    if !self.stalled {
                        self.events
                            .push(Reverse((other, 0, *order, Kind::Completion { attempt })));
                    }
                }
            }
            for (chore, entry) in self.chores.iter_mut().enumerate() {
                if let Some((_, end, order)) = entry {
                    *end = present + scaled(*end - present, before.capacity / settings.capacity);
                    if !self.stalled {
                        self.events
                            .push(Reverse((*end, 0, *order, Kind::ChoreDone { chore })));
                    }
                }
            }
        }
    }

    fn next_arrival(&mut self) {
        let mean = 1.0 / self.settings.rate;
        let time = ExponentialTicks::new(mean, &self.clock).sample(&mut self.streams.arrivals);
        let at = self.now + i128::from(time);
        self.next_arrival = (at, self.event(at, Kind::Arrival));
    }

    fn arrive(&mut self) {
        self.next_arrival();
        self.begin_request(None);
    }

    fn begin_request(&mut self, caller: Option<usize>) {
        let clients = self.scenario.traffic.clients;
        let scheduled = self.scenario.schedule.iter().filter_map(|change| change.budget);
        let mut budgets = scheduled.chain([self.scenario.client.budget]);
        let breaker = self.scenario.client.breaker;
        let apart =
            budgets.any(|budget| budget.is_per_client()) || breaker.is_some_and(|breaker| !breaker.shared);
        let client = if clients > 1 && apart {
            self.streams.clients.below(u64::from(clients)) as usize
        } else {
            0
        };
        if let Budget::Ratio { ratio, bank, .. } = self.settings.budget {
            let earned = (ratio * UNIT).ceil() / UNIT;
            let purse = self.purse(client);
            self.tokens[purse] = (self.tokens[purse] + earned).min((bank * UNIT).floor() / UNIT);
        }
        self.note(Happening::Request);
        self.open_requests += 1;
        let correlation = self.scenario.service.error_correlation;
        let fates = &mut self.streams.fates;
        let shares = correlation > 0.0 && Bernoulli::new(correlation).sample(fates);
        let shared_error = shares.then(|| Bernoulli::new(self.settings.error_probability).sample(fates));
        self.requests.push(Request {
            client,
            caller,
            hopes: 1,
            has_succeeded: false,
            shared_error,
        });
        self.send(self.requests.len() - 1, 1);
    }

    fn send(&mut self, request: usize, ordinal: u32) {
        match self.sent(request, ordinal) {
            Sent::Kept => {}
            Sent::Rejected => self.fail(request, ordinal, Cause::Rejection),
            Sent::TakenIn { queue } => self.serve(queue),
        }
    }

    /// An attempt is sent, if the breaker lets it pass, and comes to the server.
    fn sent(&mut self, request: usize, ordinal: u32) -> Sent {
        let is_retry = ordinal > 1;
        let now = self.now;
        if self.breaker(request).is_some_and(|breaker| breaker.keeps(now)) {
            self.note(Happening::KeptByBreaker { is_first: !is_retry });
            self.lose_hope(request);
            return Sent::Kept;
        }
        self.note(Happening::Attempt { is_retry });
        let places = self
            .scenario
            .server
            .places
            .map_or(usize::MAX, |places| places as usize);
        let queue = self.route();
        if self.at(queue) >= places {
            self.note(Happening::Rejected);
            self.rejections_due[queue] += 1;
            return Sent::Rejected;
        }
        let attempt = self.attempts.len();
        let deadline = self.timeout().map(|timeout| self.now + timeout);
        self.attempts.push(Attempt {
            request,
            ordinal,
            queue,
            sent: self.now,
            deadline,
            client_waits: true,
            error: false,
            service: None,
        });
        if let Some(deadline) = deadline {
            self.event(deadline, Kind::Timeout { attempt });
        }
        self.lines[queue].push(attempt);
        Sent::TakenIn { queue }
    }

    /// The queue that the next attempt joins.
    fn route(&mut self) -> usize {
        let queues = self.lines.len();
        self.routed += 1;
        match self.scenario.server.queues {
            Queues::Common => 0,
            Queues::Random if queues == 1 => 0,
            Queues::Random => self.streams.routing.below(queues as u64) as usize,
            Queues::RoundRobin => (self.routed - 1) % queues,
            Queues::Shortest => (0..queues).min_by_key(|&queue| self.at(queue)).unwrap(),
        }
    }

    /// Attempts of a queue that are being served.
    fn served_from(&self, queue: usize) -> usize {
        let served = self
            .in_service
            .iter()
            .filter(|&&attempt| self.attempts[attempt].queue == queue);
        served.count()
    }

    /// Attempts of a queue, waiting and in service.
    fn at(&self, queue: usize) -> usize {
        self.lines[queue].len() + self.served_from(queue)
    }

    fn breaker(&mut self, request: usize) -> Option<&mut Breaker> {
        let shared = self.scenario.client.breaker?.shared;
        let client = if shared { 0 } else { self.requests[request].client };
        self.breakers.get_mut(client)
    }

    /// How long the client of the next attempt waits.
    fn timeout(&mut self) -> Option<i128> {
        let ticks = match self.scenario.client.timeout? {
            Timeout::Constant(time) => self.clock.duration(time.value()),
            Timeout::Exponential { mean } => {
                ExponentialTicks::new(mean.value(), &self.clock).sample(&mut self.streams.patience)
            }
        };
        Some(i128::from(ticks.max(1)))
    }

    /// A server is busy for some time without an attempt, unless that takes no time.
    fn begin_chore(&mut self, queue: usize, cost: Option<Time>, times: u32) {
        let cost = cost.map_or(0.0, |cost| self.clock.ticks(cost.value()));
        let length = (f64::from(times) * cost / self.settings.capacity + 0.5).floor() as i128;
        if length > 0 {
            let chore = self.chores.len();
            let end = self.now + length;
            let order = self.event(end, Kind::ChoreDone { chore });
            self.chores.push(Some((queue, end, order)));
        }
    }

    /// What the servers of a queue are busy with beside attempts.
    fn chores_of(&self, queue: usize) -> usize {
        let chores = self.chores.iter().flatten();
        chores.filter(|&&(of, ..)| of == queue).count()
    }

    fn all_chores(&self) -> u64 {
        self.chores.iter().flatten().count() as u64
    }

    fn serve(&mut self, queue: usize) {
        let service = &self.scenario.service;
        let servers = service.servers as usize / self.lines.len();
        let at_once = servers * service.concurrency as usize;
        while !self.stalled
            && self.hearing != Some(queue)
            && self.served_from(queue) + self.chores_of(queue) < at_once
        {
            if self.rejections_due[queue] > 0 {
                let rejections = std::mem::take(&mut self.rejections_due[queue]);
                self.begin_chore(queue, self.scenario.server.rejection_cost, rejections);
                continue;
            }
            let line = &mut self.lines[queue];
            if line.is_empty() {
                return;
            }
            let attempt = match self.settings.discipline {
                Discipline::Fifo => line.remove(0),
                Discipline::Lifo => line.pop().unwrap(),
                Discipline::AdaptiveLifo { threshold } => {
                    if line.len() <= threshold as usize {
                        line.remove(0)
                    } else {
                        line.pop().unwrap()
                    }
                }
                // Nothing is drawn where there is no choice.
                Discipline::Random if line.len() == 1 => line.remove(0),
                Discipline::Random => {
                    let place = self.streams.order.below(line.len() as u64);
                    line.swap_remove(place as usize)
                }
            };
            let sent = self.attempts[attempt].sent;
            if self.is_skipped(attempt) {
                self.note(Happening::Skipped);
                self.begin_chore(queue, self.scenario.server.skip_cost, 1);
                continue;
            }
            let time = self.scenario.service.time.scaled(1.0 / self.settings.capacity);
            let work = ServiceSampler::new(&time, &self.clock).sample(&mut self.streams.service);
            let error = Bernoulli::new(self.settings.error_probability).sample(&mut self.streams.errors);
            let request = &self.requests[self.attempts[attempt].request];
            let error = request.shared_error.unwrap_or(error);
            let end = self.now + i128::from(work);
            let order = self.event(end, Kind::Completion { attempt });
            self.attempts[attempt].service = Some((end, order, i128::from(work), error));
            self.in_service.push(attempt);
            self.note(Happening::Started {
                waiting_time: self.now - sent,
            });
        }
    }

    fn is_skipped(&self, attempt: usize) -> bool {
        let Some(deadline) = self.attempts[attempt].deadline else {
            return false;
        };
        let time_left = deadline - self.now;
        match self.scenario.server.deadline_check {
            DeadlineCheck::None => false,
            DeadlineCheck::SkipExpired => time_left <= 0,
            DeadlineCheck::SkipDoomed { service } => {
                time_left < i128::from(self.clock.duration(service.value()).max(1))
            }
        }
    }

    fn complete(&mut self, attempt: usize) {
        self.in_service.retain(|&other| other != attempt);
        let (_, _, work, error) = self.attempts[attempt].service.take().unwrap();
        let sojourn_time = self.now - self.attempts[attempt].sent;
        let late = !self.attempts[attempt].client_waits;
        let queue = self.attempts[attempt].queue;
        self.note(Happening::Completed {
            sojourn_time,
            work,
            late,
        });
        if self.calls {
            self.attempts[attempt].error = error;
            self.messages.push(Message::Call { attempt });
        } else if !late {
            self.attempts[attempt].client_waits = false;
            let Attempt { request, ordinal, .. } = self.attempts[attempt];
            if error {
                self.note(Happening::Error);
                // The server takes the next attempt only when the client has heard.
                self.hear_error(request, ordinal, queue);
            } else {
                self.succeed(request);
            }
        }
        self.serve(queue);
    }

    /// A good answer has come in time.
    fn succeed(&mut self, request: usize) {
        if self.requests[request].has_succeeded {
            self.note(Happening::Duplicate);
        } else {
            self.requests[request].has_succeeded = true;
            self.note(Happening::Success);
            self.open_requests -= 1;
            let client = self.purse(self.requests[request].client);
            let tokens = &mut self.tokens[client];
            if let Budget::Refund { capacity, refund, .. } = self.settings.budget {
                *tokens = (*tokens + (refund * UNIT).ceil() / UNIT).min((capacity * UNIT).floor() / UNIT);
            }
            if let Budget::Pool { size, rate, .. } = self.settings.budget {
                let elapsed = (self.now - self.last_successes[client]) as f64;
                let earned = (elapsed * (rate.value() * self.clock.tick() * UNIT)).ceil() / UNIT;
                *tokens = (*tokens + earned).min((size * UNIT).floor() / UNIT);
            }
            self.last_successes[client] = self.now;
            self.reply(request, true);
        }
        self.hear(request, true);
        self.requests[request].hopes -= 1;
    }

    fn reply(&mut self, request: usize, good: bool) {
        if let Some(attempt) = self.requests[request].caller {
            self.messages.push(Message::Reply { attempt, good });
        }
    }

    /// While a client hears, its server is still taken for the line, but not for the count of places.
    fn while_nobody_is_served(&mut self, happen: impl FnOnce(&mut Self)) {
        let stalled = std::mem::replace(&mut self.stalled, true);
        happen(self);
        self.stalled = stalled;
    }

    fn hear_error(&mut self, request: usize, ordinal: u32, queue: usize) {
        if self.scenario.client.retries_per_failure.is_some() {
            self.while_nobody_is_served(|tier| tier.fail(request, ordinal, Cause::Error));
            self.serve_all();
        } else {
            // Servers with other queues serve what comes to them.
            self.hearing = Some(queue);
            self.fail(request, ordinal, Cause::Error);
            self.hearing = None;
        }
    }

    fn hear(&mut self, request: usize, good: bool) {
        let now = self.now;
        if let Some(breaker) = self.breaker(request) {
            breaker.hear(now, good);
        }
    }

    fn fail(&mut self, request: usize, ordinal: u32, cause: Cause) {
        self.hear(request, false);
        let is_given_up = cause == Cause::Rejection && !self.scenario.client.retry_rejected;
        if self.scenario.client.retries_per_failure.is_some() {
            return self.spawn(request, ordinal, cause);
        }
        if is_given_up || ordinal >= self.settings.attempts {
            return self.lose(request);
        }
        let probability = self.settings.retry_probability;
        if probability < 1.0 && !Bernoulli::new(probability).sample(&mut self.streams.retries) {
            return self.lose(request);
        }
        if !self.is_paid_for(request, cause) {
            return self.lose(request);
        }
        if self.is_due_at_once(request, ordinal) {
            self.send(request, ordinal + 1);
        }
    }

    /// A failure brings any number of attempts, and those that are rejected bring others.
    fn spawn(&mut self, request: usize, ordinal: u32, cause: Cause) {
        self.while_nobody_is_served(|tier| {
            let mut due = tier.offspring(request, ordinal, cause);
            while !due.is_empty() {
                let (request, ordinal) = due.remove(0);
                if tier.sent(request, ordinal) == Sent::Rejected {
                    tier.hear(request, false);
                    due.extend(tier.offspring(request, ordinal, Cause::Rejection));
                }
            }
        });
        self.serve_all();
    }

    /// The attempts after a failed one that are to be sent at once.
    fn offspring(&mut self, request: usize, ordinal: u32, cause: Cause) -> Vec<(usize, u32)> {
        let retries = self.settings.retries_per_failure.unwrap();
        let mut number = 0;
        if cause != Cause::Rejection || self.scenario.client.retry_rejected {
            number = retries as u32;
            let chance = retries - f64::from(number);
            if chance > 0.0 && Bernoulli::new(chance).sample(&mut self.streams.retries) {
                number += 1;
            }
        }
        let mut due = Vec::new();
        for _ in 0..number {
            if self.is_paid_for(request, cause) {
                self.requests[request].hopes += 1;
                if self.is_due_at_once(request, ordinal) {
                    due.push((request, ordinal + 1));
                }
            }
        }
        self.lose_hope(request);
        due
    }

    /// One attempt less may succeed.
    fn lose_hope(&mut self, request: usize) {
        self.requests[request].hopes -= 1;
        if self.requests[request].hopes == 0 && !self.requests[request].has_succeeded {
            self.lose(request);
        }
    }

    fn serve_all(&mut self) {
        (0..self.lines.len()).for_each(|queue| self.serve(queue));
    }

    /// Asks the budget for a retry.
    fn is_paid_for(&mut self, request: usize, cause: Cause) -> bool {
        let purse = self.purse(self.requests[request].client);
        let tokens = &mut self.tokens[purse];
        let cost = match self.settings.budget {
            Budget::None => 0.0,
            Budget::Ratio { .. } | Budget::Pool { .. } => 1.0,
            Budget::Refund { timeout_cost, .. } if cause == Cause::Timeout => timeout_cost,
            Budget::Refund { cost, .. } => cost,
        };
        let cost = (cost * UNIT).floor() / UNIT;
        if *tokens < cost {
            self.note(Happening::Denied);
            return false;
        }
        *tokens -= cost;
        true
    }

    /// Whether the attempt after a failed one is sent at once; if not, it is sent when the time comes.
    fn is_due_at_once(&mut self, request: usize, ordinal: u32) -> bool {
        let delay = match self.scenario.client.backoff {
            Backoff::None => 0,
            Backoff::Constant { delay } => i128::from(self.clock.duration(delay.value())),
            Backoff::FullJitter { base, cap } => {
                let base = self.clock.ticks(base.value());
                let cap = cap.map_or(f64::MAX, |cap| self.clock.ticks(cap.value()));
                if base == 0.0 || cap == 0.0 {
                    0
                } else {
                    let limit = (base * 2_f64.powi(ordinal as i32 - 1)).min(cap).floor();
                    1 + (self.streams.backoff.uniform() * limit) as i128
                }
            }
        };
        if delay > 0 {
            let ordinal = ordinal + 1;
            self.event(self.now + delay, Kind::Retry { request, ordinal });
        }
        delay == 0
    }

    fn lose(&mut self, request: usize) {
        self.note(Happening::Failed);
        self.open_requests -= 1;
        self.reply(request, false);
    }

    fn resume(&mut self, length: i128) {
        self.stalled = false;
        for &attempt in &self.in_service {
            if let Some(service) = &mut self.attempts[attempt].service {
                service.0 += length;
                self.events
                    .push(Reverse((service.0, 0, service.1, Kind::Completion { attempt })));
            }
        }
        for (chore, entry) in self.chores.iter_mut().enumerate() {
            if let Some((_, end, order)) = entry {
                *end += length;
                self.events
                    .push(Reverse((*end, 0, *order, Kind::ChoreDone { chore })));
            }
        }
        self.serve_all();
    }
}

/// A length of time after a change of speed, to the nearest tick.
fn scaled(ticks: i128, factor: f64) -> i128 {
    (ticks as f64 * factor).round() as i128
}

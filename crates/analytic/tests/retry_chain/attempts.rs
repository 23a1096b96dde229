//! A simulation of single attempts, each with the moment at which its client gives it up.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Setting;

/// What a free server does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Server {
    /// Takes any waiting attempt.
    Random,
    /// A fault: takes the oldest.
    Fifo,
    /// A fault: attempts without a client vanish from the queue.
    SkipsExpired,
    /// A fault: one retry in twenty is forgotten.
    OneInTwentyLost,
}

/// What happens between two moments at which the system becomes empty after it was full.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    requests: f64,
    successes: f64,
    attempts: f64,
    busy: f64,
    late: f64,
    number: f64,
    to_full: f64,
    to_empty: f64,
}

struct Simulation {
    setting: Setting,
    server: Server,
    random: Xoshiro256PlusPlus,
    now: f64,
    next_request: f64,
    /// When the client of each waiting attempt gives up; infinite when that has happened.
    waiting: Vec<f64>,
    service: Option<Service>,
    turn: Turn,
}

#[derive(Debug, Clone, Copy)]
struct Service {
    start: f64,
    end: f64,
    gives_up: f64,
    gave_up: bool,
}

impl Simulation {
    fn uniform(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (-self.uniform()).ln_1p()
    }

    fn size(&self) -> usize {
        self.waiting.len() + usize::from(self.service.is_some())
    }

    /// A client sends an attempt, and others while they are rejected.
    fn send(&mut self) {
        loop {
            self.turn.attempts += 1.0;
            if self.size() < self.setting.places {
                let gives_up = self.now + self.exponential(self.setting.patience_mean);
                if self.service.is_none() {
                    self.serve(gives_up);
                } else {
                    self.waiting.push(gives_up);
                }
                return;
            }
            if !self.retries() {
                return;
            }
        }
    }

    fn retries(&mut self) -> bool {
        let forgotten = self.server == Server::OneInTwentyLost && self.uniform() < 0.05;
        self.uniform() < self.setting.retry_probability && !forgotten
    }

    fn serve(&mut self, gives_up: f64) {
        self.service = Some(Service {
            start: self.now,
            end: self.now + self.exponential(1.0),
            gives_up,
            gave_up: gives_up.is_infinite(),
        });
    }

    fn end_service(&mut self, service: Service) {
        let duration = service.end - service.start;
        self.turn.busy += duration;
        if service.gave_up {
            self.turn.late += duration;
        } else {
            self.turn.successes += 1.0;
        }
        self.service = None;
        if !self.waiting.is_empty() {
            let chosen = if self.server == Server::Fifo {
                0
            } else {
                (self.uniform() * self.waiting.len() as f64) as usize
            };
            let gives_up = self.waiting.remove(chosen);
            self.serve(gives_up);
        }
    }

    /// The next event.
    fn step(&mut self) {
        let end = self.service.map_or(f64::INFINITY, |service| service.end);
        let in_service = self
            .service
            .filter(|service| !service.gave_up)
            .map_or(f64::INFINITY, |service| service.gives_up);
        let first = (0..self.waiting.len()).min_by(|a, b| self.waiting[*a].total_cmp(&self.waiting[*b]));
        let in_queue = first.map_or(f64::INFINITY, |first| self.waiting[first]);
        let next = self.next_request.min(end).min(in_service).min(in_queue);
        self.turn.number += self.size() as f64 * (next - self.now);
        self.now = next;
        if next < end.min(in_service).min(in_queue) {
            self.next_request = next + self.exponential(1.0 / self.setting.arrival_rate);
            self.turn.requests += 1.0;
            self.send();
        } else if let Some(service) = self.service.filter(|_| next < in_service.min(in_queue)) {
            self.end_service(service);
        } else {
            if let Some(service) = self.service.as_mut().filter(|_| in_service < in_queue) {
                service.gave_up = true;
            } else if let Some(first) = first {
                self.waiting[first] = f64::INFINITY;
                if self.server == Server::SkipsExpired {
                    self.waiting.remove(first);
                }
            }
            if self.retries() {
                self.send();
            }
        }
    }

    /// From empty until full and from full until empty.
    fn turn(&mut self) -> Turn {
        self.turn = Turn::default();
        let start = self.now;
        while self.size() < self.setting.places {
            self.step();
        }
        let full = self.now;
        while self.size() > 0 {
            self.step();
        }
        Turn {
            to_full: full - start,
            to_empty: self.now - full,
            ..self.turn
        }
    }
}

/// A ratio of means and its standard error, by linearization.
fn ratio(turns: &[Turn], numerator: impl Fn(&Turn) -> f64, denominator: impl Fn(&Turn) -> f64) -> (f64, f64) {
    let total: f64 = turns.iter().map(&denominator).sum();
    let ratio = turns.iter().map(&numerator).sum::<f64>() / total;
    let squares: f64 = turns
        .iter()
        .map(|turn| (numerator(turn) - ratio * denominator(turn)).powi(2))
        .sum();
    (ratio, squares.sqrt() / total)
}

/// The results in the quantity's order, each with its standard error. The turns are independent, because nobody waits
/// when the system is empty.
pub(crate) fn simulated(setting: Setting, server: Server, turns: u32, seed: u64) -> [(f64, f64); 6] {
    let mut simulation = Simulation {
        setting,
        server,
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        now: 0.0,
        next_request: 0.0,
        waiting: Vec::new(),
        service: None,
        turn: Turn::default(),
    };
    simulation.next_request = simulation.exponential(1.0 / setting.arrival_rate);
    let turns: Vec<Turn> = (0..turns).map(|_| simulation.turn()).collect();
    [
        ratio(&turns, |turn| turn.successes, |turn| turn.requests),
        ratio(&turns, |turn| turn.attempts, |turn| turn.requests),
        ratio(&turns, |turn| turn.late, |turn| turn.busy),
        ratio(&turns, |turn| turn.number, |turn| turn.to_full + turn.to_empty),
        ratio(&turns, |turn| turn.to_full, |_| 1.0),
        ratio(&turns, |turn| turn.to_empty, |_| 1.0),
    ]
}

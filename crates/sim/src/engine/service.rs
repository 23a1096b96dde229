//! Attempts in service.

use super::heap::EventHeap;
use super::plan::{NEVER, shift_sent};

/// An attempt in service.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Service {
    /// When the attempt was sent.
    pub(super) sent: i64,
    /// Names the attempt to the clients.
    pub(super) ticket: u64,
    /// Service time.
    pub(super) work: i64,
    /// Whether the answer is an error.
    pub(super) error: bool,
    /// Which server it is, where each has a queue of its own.
    pub(super) server: u32,
}

/// Takes the place of the ticket where a server is busy without an attempt.
const OVERHEAD: u64 = u64::MAX;

impl Service {
    /// A server is busy without an attempt.
    pub(super) fn overhead(server: u32) -> Self {
        Self {
            ticket: OVERHEAD,
            server,
            ..Self::default()
        }
    }

    #[inline]
    pub(super) fn is_overhead(&self) -> bool {
        self.ticket == OVERHEAD
    }
}

/// The servers and what they serve.
#[derive(Debug, Clone)]
pub(super) struct Servers {
    /// When the next service ends; [`NEVER`] while the servers stall.
    next_finish: i64,
    kind: Kind,
}

// As with clients, a tag that is quick to read.
#[repr(u8)]
#[derive(Debug, Clone)]
enum Kind {
    One {
        service: Service,
        finish: i64,
    },
    Many {
        /// Ends of services by slot. That of a service which has just ended stays in its place for the next one.
        finishes: EventHeap,
        slots: Vec<Service>,
        free: Vec<u32>,
        /// Whether the first end belongs to a service that has ended.
        ended: bool,
    },
}

impl Servers {
    pub(super) fn new(servers: u32) -> Self {
        let kind = if servers == 1 {
            Kind::One {
                service: Service::default(),
                finish: NEVER,
            }
        } else {
            Kind::Many {
                finishes: EventHeap::default(),
                slots: Vec::new(),
                free: Vec::new(),
                ended: false,
            }
        };
        Self {
            next_finish: NEVER,
            kind,
        }
    }

    /// When the next service ends; the end of time while the servers stall.
    #[inline]
    pub(super) fn next_finish(&self) -> i64 {
        self.next_finish
    }

    /// A server that is free begins to serve; the caller counts how many are.
    #[inline(always)]
    pub(super) fn start(&mut self, service: Service, end: i64) {
        match &mut self.kind {
            Kind::One {
                service: current,
                finish,
            } => {
                *current = service;
                *finish = end;
                self.next_finish = end;
            }
            Kind::Many {
                finishes,
                slots,
                free,
                ended,
            } => {
                if *ended && let Some(slot) = finishes.first() {
                    *ended = false;
                    slots[slot as usize] = service;
                    finishes.replace_first(end, slot);
                } else {
                    let slot = free.pop().unwrap_or_else(|| {
                        slots.push(Service::default());
                        (slots.len() - 1) as u32
                    });
                    slots[slot as usize] = service;
                    finishes.push(end, u64::from(slot));
                }
                self.next_finish = finishes.next_at();
            }
        }
    }

    /// Takes the service that ends next. Until [`settle`](Self::settle) is called, its server may only begin another.
    #[inline(always)]
    pub(super) fn finish(&mut self) -> Option<Service> {
        self.next_finish = NEVER;
        match &mut self.kind {
            Kind::One { service, finish } => {
                *finish = NEVER;
                Some(*service)
            }
            Kind::Many {
                finishes,
                slots,
                ended,
                ..
            } => {
                let slot = finishes.first()?;
                *ended = true;
                Some(slots[slot as usize])
            }
        }
    }

    /// The server whose service ended last stays idle if it has not begun another.
    #[inline]
    pub(super) fn settle(&mut self) {
        if let Kind::Many {
            finishes,
            free,
            ended,
            ..
        } = &mut self.kind
            && *ended
        {
            *ended = false;
            free.extend(finishes.pop().map(|slot| slot as u32));
            self.next_finish = finishes.next_at();
        }
    }

    /// All servers stop.
    pub(super) fn pause(&mut self) {
        self.next_finish = NEVER;
    }

    /// All servers go on after a stall of this length.
    pub(super) fn resume(&mut self, length: i64) {
        match &mut self.kind {
            Kind::One { finish, .. } => {
                if *finish != NEVER {
                    *finish += length;
                }
                self.next_finish = *finish;
            }
            Kind::Many { finishes, .. } => {
                finishes.shift(length);
                self.next_finish = finishes.next_at();
            }
        }
    }

    /// Gives every service another end in place of its own, and as much more or less work.
    pub(super) fn reschedule(&mut self, mut end: impl FnMut(&Service, i64) -> i64) {
        let paused = self.next_finish == NEVER;
        match &mut self.kind {
            Kind::One { service, finish } => {
                if *finish != NEVER {
                    let other = end(service, *finish);
                    service.work += other - *finish;
                    *finish = other;
                    self.next_finish = other;
                }
            }
            Kind::Many { finishes, slots, .. } => {
                finishes.reschedule(|slot, finish| {
                    let service = &mut slots[slot as usize];
                    let other = end(service, finish);
                    service.work += other - finish;
                    other
                });
                self.next_finish = finishes.next_at();
            }
        }
        if paused {
            self.pause();
        }
    }

    /// Moves everything in time.
    pub(super) fn shift(&mut self, by: i64) {
        let paused = self.next_finish == NEVER;
        self.resume(by);
        if paused {
            self.pause();
        }
        match &mut self.kind {
            Kind::One { service, .. } => shift_sent(&mut service.sent, by),
            Kind::Many { slots, .. } => {
                for service in slots {
                    shift_sent(&mut service.sent, by);
                }
            }
        }
    }
}

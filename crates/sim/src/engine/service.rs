//! Attempts in service.

use super::heap::EventHeap;
use super::plan::NEVER;

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
}

/// The servers and what they serve.
#[derive(Debug, Clone)]
pub(super) enum Servers {
    /// One server.
    One { service: Service, finish: i64 },
    /// Many servers.
    Many {
        /// Ends of services by slot.
        finishes: EventHeap,
        slots: Vec<Service>,
        free: Vec<u32>,
    },
}

impl Servers {
    pub(super) fn new(servers: u32) -> Self {
        if servers == 1 {
            Self::One {
                service: Service::default(),
                finish: NEVER,
            }
        } else {
            Self::Many {
                finishes: EventHeap::default(),
                slots: Vec::new(),
                free: Vec::new(),
            }
        }
    }

    /// When the next service ends, unless the servers stall.
    #[inline]
    pub(super) fn next_finish(&self) -> i64 {
        match self {
            Self::One { finish, .. } => *finish,
            Self::Many { finishes, .. } => finishes.next_at(),
        }
    }

    /// A server that is free begins to serve; the caller counts how many are.
    #[inline]
    pub(super) fn start(&mut self, service: Service, finish: i64) {
        match self {
            Self::One {
                service: current,
                finish: end,
            } => {
                *current = service;
                *end = finish;
            }
            Self::Many {
                finishes,
                slots,
                free,
            } => {
                let slot = free.pop().unwrap_or_else(|| {
                    slots.push(Service::default());
                    (slots.len() - 1) as u32
                });
                slots[slot as usize] = service;
                finishes.push(finish, u64::from(slot));
            }
        }
    }

    /// Takes the service that ends next.
    #[inline]
    pub(super) fn finish(&mut self) -> Option<Service> {
        match self {
            Self::One { service, finish } => {
                *finish = NEVER;
                Some(*service)
            }
            Self::Many {
                finishes,
                slots,
                free,
            } => {
                let slot = finishes.pop()?;
                free.push(slot as u32);
                Some(slots[slot as usize])
            }
        }
    }

    /// Moves the ends of services, as a stall does.
    pub(super) fn delay(&mut self, by: i64) {
        match self {
            Self::One { finish, .. } => {
                if *finish != NEVER {
                    *finish += by;
                }
            }
            Self::Many { finishes, .. } => finishes.shift(by),
        }
    }

    /// Moves everything in time.
    pub(super) fn shift(&mut self, by: i64) {
        self.delay(by);
        match self {
            Self::One { service, .. } => service.sent = service.sent.saturating_add(by),
            Self::Many { slots, .. } => {
                for service in slots {
                    service.sent = service.sent.saturating_add(by);
                }
            }
        }
    }
}

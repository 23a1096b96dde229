//! Delays between a failure and the next attempt, and the attempts that wait for theirs to pass.

use retrylab_model::Backoff;

use super::heap::EventHeap;
use super::plan::NEVER;
use crate::chunked::Chunked;
use crate::clock::Clock;
use crate::random::Stream;

/// Delays from here on are never over in any run: 2^62 ticks, some 10^9 of the shortest time scale.
const REACH: f64 = (1_u64 << 62) as f64;

/// How long to wait before a retry, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) enum BackoffPlan {
    Immediate,
    Constant { delay: i64 },
    FullJitter(Jitter),
}

impl BackoffPlan {
    pub(super) fn new(backoff: &Backoff, clock: &Clock) -> Self {
        match *backoff {
            Backoff::None => Self::Immediate,
            Backoff::Constant { delay } => match clock.duration(delay.value()) {
                0 => Self::Immediate,
                delay => Self::Constant { delay },
            },
            Backoff::FullJitter { base, cap } => {
                let base = clock.ticks(base.value());
                let cap = cap.map_or(f64::INFINITY, |cap| clock.ticks(cap.value()));
                // Without a whole tick to choose from there is no delay.
                if base > 0.0 && cap >= 1.0 {
                    Self::FullJitter(Jitter::new(base, cap))
                } else {
                    Self::Immediate
                }
            }
        }
    }
}

/// Retries whose limits are worked out beforehand.
const LIMITS: usize = 8;

/// Full jitter: delays uniform on the whole ticks up to a limit that doubles from retry to retry, up to a cap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jitter {
    base: f64,
    cap: f64,
    /// Limits of the first retries.
    limits: [f64; LIMITS],
}

impl Jitter {
    fn new(base: f64, cap: f64) -> Self {
        let limits = std::array::from_fn(|retry| limit(base, cap, retry));
        Self { base, cap, limits }
    }

    /// Delay before attempt `failed` + 1: uniform on the whole ticks from 1 to min(cap, base · 2^(failed − 1)). `None` when
    /// the delay is out of any run's reach.
    #[inline]
    pub(super) fn delay(&self, failed: u16, stream: &mut Stream) -> Option<i64> {
        let retry = usize::from(failed) - 1;
        let limit = match self.limits.get(retry) {
            Some(&limit) => limit,
            None => limit(self.base, self.cap, retry),
        };
        // A limit below a tick, or none at all, still takes one draw: the stream then does not depend on rounding.
        let delay = stream.uniform() * limit;
        if limit < 1.0 {
            Some(0)
        } else if delay < REACH {
            Some(delay as i64 + 1)
        } else {
            None
        }
    }
}

/// Largest delay before a retry, counted from 0.
fn limit(base: f64, cap: f64, retry: usize) -> f64 {
    // scalbn overflows to infinity, which the cap or the reach bounds.
    libm::floor(cap.min(libm::scalbn(base, retry as i32)))
}

/// Retries that wait for their backoff to pass. Those with a constant delay stand in line; those with jitter need a heap.
#[derive(Debug, Clone)]
pub(super) struct PendingRetries {
    pending: Pending,
    next_at: i64,
}

#[derive(Debug, Clone)]
enum Pending {
    InOrder(Chunked<(i64, u64)>),
    ByTime(EventHeap),
}

impl PendingRetries {
    pub(super) fn new(backoff: &BackoffPlan) -> Self {
        Self {
            pending: match backoff {
                BackoffPlan::FullJitter(_) => Pending::ByTime(EventHeap::default()),
                BackoffPlan::Immediate | BackoffPlan::Constant { .. } => Pending::InOrder(Chunked::new()),
            },
            next_at: NEVER,
        }
    }

    /// When the next retry is due.
    #[inline]
    pub(super) fn next_at(&self) -> i64 {
        self.next_at
    }

    /// Adds a retry; where delays are constant, it is due no earlier than any added before.
    #[inline]
    pub(super) fn push(&mut self, at: i64, tag: u64) {
        match &mut self.pending {
            Pending::InOrder(line) => line.push_back((at, tag)),
            Pending::ByTime(heap) => heap.push(at, tag),
        }
        self.next_at = self.next_at.min(at);
    }

    /// Takes the next retry.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let tag = match &mut self.pending {
            Pending::InOrder(line) => line.pop_front().map(|(_, tag)| tag),
            Pending::ByTime(heap) => heap.pop(),
        };
        self.refresh();
        tag
    }

    pub(super) fn shift(&mut self, by: i64) {
        match &mut self.pending {
            Pending::InOrder(line) => line.for_each_mut(|(at, _)| *at += by),
            Pending::ByTime(heap) => heap.shift(by),
        }
        self.refresh();
    }

    #[inline]
    fn refresh(&mut self) {
        self.next_at = match &self.pending {
            Pending::InOrder(line) => line.front().map_or(NEVER, |(at, _)| at),
            Pending::ByTime(heap) => heap.next_at(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn jitter_never_overflows_and_never_passes_its_cap() {
        let mut stream = Stream::new(1, 0, Purpose::Backoff);
        for failed in [1, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, u16::MAX - 1] {
            for _ in 0..100 {
                let delay = Jitter::new(1000.0, 1e6).delay(failed, &mut stream).unwrap();
                let limit = if failed < 11 {
                    1000_i64 << (failed - 1)
                } else {
                    1_000_000
                };
                assert!(
                    (1..=limit.min(1_000_000)).contains(&delay),
                    "{delay} after {failed}"
                );
            }
            if let Some(delay) = Jitter::new(1000.0, f64::INFINITY).delay(failed, &mut stream) {
                assert!((1..=1 << 62).contains(&delay), "{delay} after {failed}");
            }
        }
        assert_eq!(Jitter::new(0.25, 10.0).delay(1, &mut stream), Some(0));
        assert_eq!(Jitter::new(1.0, 10.0).delay(1, &mut stream), Some(1));
        assert_eq!(Jitter::new(1.0, f64::INFINITY).delay(u16::MAX, &mut stream), None);
    }

    #[test]
    fn jitter_is_uniform_up_to_the_limit() {
        let mut stream = Stream::new(2, 0, Purpose::Backoff);
        let mut seen = [0_u32; 8];
        for _ in 0..80_000 {
            let delay = Jitter::new(2.0, 100.0).delay(3, &mut stream).unwrap();
            seen[usize::try_from(delay).unwrap() - 1] += 1;
        }
        // Chi-square with 7 degrees of freedom; 29.9 has probability 1e-4.
        let statistic: f64 = seen
            .iter()
            .map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4)
            .sum();
        assert!(statistic < 29.9, "{statistic}: {seen:?}");
    }

    #[test]
    fn retries_wait_until_each_is_due() {
        let jitter = BackoffPlan::FullJitter(Jitter::new(10.0, 100.0));
        let constant = BackoffPlan::Constant { delay: 10 };
        // Only those of a constant delay are added in the order in which they are due.
        for (plan, added) in [
            (jitter, [(30, 3), (10, 1), (20, 2)]),
            (constant, [(10, 1), (20, 2), (30, 3)]),
        ] {
            let mut pending = PendingRetries::new(&plan);
            assert_eq!((pending.next_at(), pending.pop()), (NEVER, None));
            for (at, tag) in added {
                pending.push(at, tag);
            }
            assert_eq!((pending.next_at(), pending.pop()), (10, Some(1)));
            pending.shift(-5);
            assert_eq!((pending.next_at(), pending.pop()), (15, Some(2)));
            assert_eq!((pending.next_at(), pending.pop()), (25, Some(3)));
            assert_eq!((pending.next_at(), pending.pop()), (NEVER, None));
        }
    }
}

//! One independent stream of random numbers per seed, replication and purpose.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Rounds of mixing; four already pass the usual test batteries, the rest is margin.
const ROUNDS: usize = 8;
/// Fourth word of every seed, so that seed 0, replication 0, purpose 0 does not start from zeros: the fraction of the
/// golden ratio.
const TAG: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a stream's numbers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Interarrival times of new requests.
    Arrivals = 0,
    /// Service times.
    Service = 1,
    /// Whether a served attempt is answered with an error.
    Errors = 2,
    /// Backoff delays.
    Backoff = 3,
    /// Which client instance a new request belongs to.
    Clients = 4,
    /// Outcomes of the calls of [`calls`](crate::calls).
    Calls = 5,
    /// Which waiting attempt is served next in random order.
    Order = 6,
    /// How long a client waits, where that is random.
    Patience = 7,
    /// Whether a failed attempt is followed by another.
    Retries = 8,
    /// Whether the attempts of a request share one outcome, and which.
    Fates = 9,
    /// To which server an attempt is sent, where each has a queue of its own.
    Routing = 10,
}

/// A stream of random numbers: xoshiro256++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of a seed, a replication and a purpose. Different triples start from different states, because the
    /// mixing that makes the state is a bijection.
    ///
    /// ```
    /// use retrylab_sim::random::{Purpose, Stream};
    /// let first = |replication| Stream::new(1, replication, Purpose::Service).next_u64();
    /// assert_eq!(first(0), first(0));
    /// assert_ne!(first(0), first(1));
    /// ```
    #[must_use]
    pub fn new(seed: u64, replication: u64, purpose: Purpose) -> Self {
        Self::of_tier(seed, replication, purpose, 0)
    }

    /// The stream of a tier, counted from the outermost, 0, whose streams are those of [`Stream::new`].
    #[must_use]
    pub fn of_tier(seed: u64, replication: u64, purpose: Purpose, tier: u32) -> Self {
        let purpose = u64::from(tier) << 32 | purpose as u64;
        let mut state = [seed, replication, purpose, TAG];
        for _ in 0..ROUNDS {
            mix(&mut state);
        }
        let mut bytes = [0; 32];
        for (target, word) in bytes.chunks_exact_mut(8).zip(state) {
            target.copy_from_slice(&word.to_le_bytes());
        }
        Self(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// The next number uniform on the multiples of 2^-53 in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        unit_interval(self.next_u64())
    }

    /// The next whole number uniform on 0 to `bound` − 1, up to a bias below bound · 2^-64.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}

/// The upper 53 bits as a number in [0, 1).
#[inline]
pub(super) fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// One round of the permutation of `SipHash`: additions, rotations and exclusive ors, each of them invertible.
fn mix(v: &mut [u64; 4]) {
    v[0] = v[0].wrapping_add(v[1]);
    v[2] = v[2].wrapping_add(v[3]);
    v[1] = v[1].rotate_left(13) ^ v[0];
    v[3] = v[3].rotate_left(16) ^ v[2];
    v[0] = v[0].rotate_left(32);
    v[2] = v[2].wrapping_add(v[1]);
    v[0] = v[0].wrapping_add(v[3]);
    v[1] = v[1].rotate_left(17) ^ v[2];
    v[3] = v[3].rotate_left(21) ^ v[0];
    v[2] = v[2].rotate_left(32);
}

/// The streams of one tier in one replication of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streams {
    /// For [`Purpose::Arrivals`].
    pub arrivals: Stream,
    /// For [`Purpose::Service`].
    pub service: Stream,
    /// For [`Purpose::Errors`].
    pub errors: Stream,
    /// For [`Purpose::Backoff`].
    pub backoff: Stream,
    /// For [`Purpose::Clients`].
    pub clients: Stream,
    /// For [`Purpose::Order`].
    pub order: Stream,
    /// For [`Purpose::Patience`].
    pub patience: Stream,
    /// For [`Purpose::Retries`].
    pub retries: Stream,
    /// For [`Purpose::Fates`].
    pub fates: Stream,
    /// For [`Purpose::Routing`].
    pub routing: Stream,
}

impl Streams {
    /// The streams of a seed and a replication.
    #[must_use]
    pub fn new(seed: u64, replication: u64) -> Self {
        Self::of_tier(seed, replication, 0)
    }

    /// The streams of a tier, counted from the outermost, 0.
    #[must_use]
    pub fn of_tier(seed: u64, replication: u64, tier: u32) -> Self {
        let stream = |purpose| Stream::of_tier(seed, replication, purpose, tier);
        Self {
            arrivals: stream(Purpose::Arrivals),
            service: stream(Purpose::Service),
            errors: stream(Purpose::Errors),
            backoff: stream(Purpose::Backoff),
            clients: stream(Purpose::Clients),
            order: stream(Purpose::Order),
            patience: stream(Purpose::Patience),
            retries: stream(Purpose::Retries),
            fates: stream(Purpose::Fates),
            routing: stream(Purpose::Routing),
        }
    }
}

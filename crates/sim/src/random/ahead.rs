//! Times that are drawn ahead of their use.

use super::distribution::{ExponentialTicks, ServiceSampler};
use super::stream::Stream;
use super::ziggurat::Exponential;

/// Most times drawn at once: the stream's state stays in registers meanwhile, which it does not where other things happen
/// between two draws.
const DEPTH: usize = 128;
/// Times drawn at first, and then twice as many each time, so that a run that needs few does not pay for many.
const FIRST: usize = 4;

/// The exponential times of a stream that nothing else draws from.
#[derive(Debug)]
pub(crate) struct ExponentialsAhead {
    stream: Stream,
    time: ExponentialTicks,
    /// Variates of mean 1, and what they are as times, at the end of which stand those that are drawn.
    units: [f64; DEPTH],
    times: [i64; DEPTH],
    /// Index of the next.
    next: usize,
    /// How many are drawn next time.
    batch: usize,
}

impl ExponentialsAhead {
    pub(crate) fn new(time: ExponentialTicks, stream: Stream) -> Self {
        Self {
            stream,
            time,
            units: [0.0; DEPTH],
            times: [0; DEPTH],
            next: DEPTH,
            batch: FIRST,
        }
    }

    /// The next time.
    #[inline(always)]
    pub(crate) fn sample(&mut self) -> i64 {
        let time = if let Some(&time) = self.times.get(self.next) {
            time
        } else {
            self.refill()
        };
        self.next += 1;
        time
    }

    /// Times have another mean from now on.
    pub(crate) fn set_time(&mut self, time: ExponentialTicks) {
        self.time = time;
        self.scale();
    }

    #[inline(never)]
    fn refill(&mut self) -> i64 {
        self.next = DEPTH - self.batch;
        Exponential::default().fill(&mut self.units[self.next..], &mut self.stream);
        self.batch = (2 * self.batch).min(DEPTH);
        self.scale();
        self.times[self.next]
    }

    /// Works out the times that are still to come.
    fn scale(&mut self) {
        let coming = self.times[self.next..].iter_mut();
        for (time, &unit) in coming.zip(&self.units[self.next..]) {
            *time = self.time.times(unit);
        }
    }
}

/// The service times of a stream that nothing else draws from, ahead where they are exponential.
#[derive(Debug)]
pub(crate) enum ServiceAhead {
    Exponential(Box<ExponentialsAhead>),
    Other(ServiceSampler, Stream),
}

impl ServiceAhead {
    pub(crate) fn new(sampler: &ServiceSampler, stream: Stream) -> Self {
        match sampler.exponential() {
            Some(time) => Self::Exponential(Box::new(ExponentialsAhead::new(time, stream))),
            None => Self::Other(sampler.clone(), stream),
        }
    }

    /// The next service time.
    #[inline]
    pub(crate) fn sample(&mut self) -> i64 {
        match self {
            Self::Exponential(ahead) => ahead.sample(),
            Self::Other(sampler, stream) => sampler.sample(stream),
        }
    }

    /// The servers work at another speed from now on, which changes the mean of service times and not their kind.
    pub(crate) fn set_sampler(&mut self, sampler: &ServiceSampler) {
        match self {
            Self::Exponential(ahead) => sampler
                .exponential()
                .into_iter()
                .for_each(|time| ahead.set_time(time)),
            Self::Other(present, _) => present.clone_from(sampler),
        }
    }
}

//! Samplers that return whole ticks.

use std::sync::Arc;

use retrylab_model::{Latencies, Measured, ServiceTime};

use super::stream::Stream;
use super::ziggurat::{Exponential, Normal};
use crate::clock::{Clock, round_duration};

/// Samples an event of a given probability, exact to 2^-53.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bernoulli {
    /// The event happens when 53 random bits are below this.
    threshold: u64,
}

impl Bernoulli {
    /// An event of a probability from 0 to 1.
    ///
    /// # Panics
    /// When the probability is outside this range; a validated scenario has none such.
    #[must_use]
    pub fn new(probability: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&probability),
            "{probability} is not a probability"
        );
        Self {
            threshold: libm::ceil(libm::scalbn(probability, 53)) as u64,
        }
    }

    /// Whether the event happens. Draws nothing when it is impossible.
    #[inline]
    pub fn sample(&self, stream: &mut Stream) -> bool {
        self.threshold != 0 && (stream.next_u64() >> 11) < self.threshold
    }
}

/// Samples exponential times of a given mean in whole ticks.
#[derive(Debug, Clone, Copy)]
pub struct ExponentialTicks {
    unit: Exponential,
    mean: f64,
}

impl ExponentialTicks {
    /// A mean in the scenario's unit of time.
    #[must_use]
    pub fn new(mean: f64, clock: &Clock) -> Self {
        Self {
            unit: Exponential::default(),
            mean: clock.ticks(mean),
        }
    }

    /// The next time.
    #[inline]
    pub fn sample(&self, stream: &mut Stream) -> i64 {
        self.times(self.unit.sample(stream))
    }

    /// So many times the mean.
    #[inline]
    pub(crate) fn times(&self, unit: f64) -> i64 {
        round_duration(unit * self.mean)
    }
}

/// Samples service times in whole ticks.
#[derive(Debug, Clone)]
pub struct ServiceSampler {
    kind: Kind,
}

/// All lengths in ticks.
#[derive(Debug, Clone)]
enum Kind {
    Exponential(ExponentialTicks),
    Deterministic {
        value: i64,
    },
    Erlang {
        unit: Exponential,
        stages: u32,
        stage_mean: f64,
    },
    Hyperexponential {
        unit: Exponential,
        longer: Bernoulli,
        shorter_mean: f64,
        longer_mean: f64,
    },
    Uniform {
        low: f64,
        width: f64,
    },
    Lognormal {
        unit: Normal,
        log_mean: f64,
        log_deviation: f64,
    },
    /// Each measurement with the same probability.
    Measured {
        latencies: Arc<Latencies>,
        /// Ticks in a measured unit of time.
        ticks: f64,
    },
}

impl ServiceSampler {
    /// The sampler of a distribution.
    ///
    /// ```
    /// use retrylab_model::{ScenarioSpec, ServiceTime, Traffic};
    /// use retrylab_sim::Clock;
    /// use retrylab_sim::random::{Purpose, ServiceSampler, Stream};
    /// let clock = Clock::for_scenario(&ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?)?;
    /// let sampler = ServiceSampler::new(&ServiceTime::Deterministic { value: 1.0.into() }, &clock);
    /// assert_eq!(sampler.sample(&mut Stream::new(1, 0, Purpose::Service)), clock.duration(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When measured times have not been read; those of a validated scenario have been.
    #[must_use]
    pub fn new(time: &ServiceTime, clock: &Clock) -> Self {
        let kind = match *time {
            ServiceTime::Exponential { mean } => {
                Kind::Exponential(ExponentialTicks::new(mean.value(), clock))
            }
            ServiceTime::Deterministic { value } => Kind::Deterministic {
                value: clock.duration(value.value()),
            },
            ServiceTime::Erlang { stages, mean } => Kind::Erlang {
                unit: Exponential::default(),
                stages,
                stage_mean: clock.ticks(mean.value()) / f64::from(stages),
            },
            ServiceTime::Hyperexponential { mean, scv } => {
                // Balanced means: probabilities (1 ± s) / 2 with s² = (scv − 1) / (scv + 1), each branch contributing half
                // of the mean. 1 − s is written without cancellation.
                let s = libm::sqrt((scv - 1.0) / (scv + 1.0));
                let longer_probability = 1.0 / ((scv + 1.0) * (1.0 + s));
                let half_mean = clock.ticks(mean.value()) / 2.0;
                Kind::Hyperexponential {
                    unit: Exponential::default(),
                    longer: Bernoulli::new(longer_probability),
                    shorter_mean: half_mean / f64::midpoint(1.0, s),
                    longer_mean: half_mean / longer_probability,
                }
            }
            ServiceTime::Uniform { low, high } => Kind::Uniform {
                low: clock.ticks(low.value()),
                width: clock.ticks(high.value() - low.value()),
            },
            ServiceTime::Lognormal { mean, scv } => {
                let log_variance = libm::log1p(scv);
                Kind::Lognormal {
                    unit: Normal::default(),
                    log_mean: libm::log(clock.ticks(mean.value())) - log_variance / 2.0,
                    log_deviation: libm::sqrt(log_variance),
                }
            }
            ServiceTime::Measured(ref measured) => Kind::of_measured(measured, clock),
        };
        Self { kind }
    }

    /// The sampler itself, where service is exponential.
    #[inline]
    pub(crate) fn exponential(&self) -> Option<ExponentialTicks> {
        match &self.kind {
            Kind::Exponential(exponential) => Some(*exponential),
            _ => None,
        }
    }

    /// The next service time.
    #[inline(always)]
    pub fn sample(&self, stream: &mut Stream) -> i64 {
        match &self.kind {
            Kind::Exponential(exponential) => exponential.sample(stream),
            _ => self.sample_other(stream),
        }
    }

    /// As above; out of line, so that the most frequent case stays short.
    #[inline(never)]
    fn sample_other(&self, stream: &mut Stream) -> i64 {
        match self.kind {
            Kind::Measured { ref latencies, ticks } => {
                round_duration(latencies.sorted(stream.below(latencies.count())) * ticks)
            }
            Kind::Exponential(exponential) => exponential.sample(stream),
            Kind::Deterministic { value } => value,
            Kind::Erlang {
                unit,
                stages,
                stage_mean,
            } => {
                let sum: f64 = (0..stages).map(|_| unit.sample(stream)).sum();
                round_duration(sum * stage_mean)
            }
            Kind::Hyperexponential {
                unit,
                longer,
                shorter_mean,
                longer_mean,
            } => {
                let mean = if longer.sample(stream) {
                    longer_mean
                } else {
                    shorter_mean
                };
                round_duration(unit.sample(stream) * mean)
            }
            Kind::Uniform { low, width } => round_duration(low + stream.uniform() * width),
            Kind::Lognormal {
                unit,
                log_mean,
                log_deviation,
            } => round_duration(libm::exp(log_mean + log_deviation * unit.sample(stream))),
        }
    }
}

impl Kind {
    fn of_measured(measured: &Measured, clock: &Clock) -> Self {
        match &measured.latencies {
            Some(latencies) => Self::Measured {
                latencies: Arc::clone(latencies),
                ticks: clock.ticks(measured.factor),
            },
            None => panic!("{} has been read, or the scenario is not valid", measured.file),
        }
    }
}

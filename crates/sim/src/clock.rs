//! Whole ticks in place of floating-point time.

use retrylab_model::{Backoff, Change, DeadlineCheck, Rate, Scenario, ServiceTime, Time, Timeout};

use crate::error::SimulationError;

/// Longest duration in ticks: a clock below 2^61 plus a few of these stays far from the end of `i64`.
pub(crate) const DURATION_MAX: i64 = 1 << 59;
/// Moments are clamped to this, so that their differences never overflow; no run gets there.
const MOMENT_MAX: i128 = 1 << 120;
/// Binary digits below the shortest time scale that a tick has where the longest time leaves room.
const RESOLUTION: i32 = 32;
/// Fewest such digits that are accepted.
const RESOLUTION_MIN: i32 = 12;
/// A timeout or delay shorter than the mean service and interarrival time refines the tick by at most so many digits.
const REFINEMENT_MAX: i32 = 16;
/// An exponential time of more than so many means has a probability below e^-60.
const EXPONENTIAL_REACH: f64 = 64.0;
/// A normal variate beyond so many standard deviations has a probability below 10^-32.
const NORMAL_REACH: f64 = 12.0;

/// Converts between the scenario's unit of time and ticks.
///
/// A tick is 2^e units, with e chosen so that the shortest time scale (mean service time, mean interarrival time,
/// timeout, delay) has about 2^32 ticks, or fewer where the longest time of the scenario (timeouts, delays, stalls, the
/// reach of the distributions) would not fit into 2^59 ticks otherwise.
///
/// ```
/// use retrylab_model::{ScenarioSpec, Traffic};
/// let scenario = ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?;
/// let clock = retrylab_sim::Clock::for_scenario(&scenario)?;
/// assert_eq!(clock.tick(), 2.0_f64.powi(-32));
/// assert_eq!(clock.duration(1.5), 3 << 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    tick: f64,
    ticks_per_unit: f64,
}

impl Clock {
    /// The clock that suits a scenario.
    ///
    /// # Errors
    /// [`SimulationError::TimesTooFarApart`] when a tick that holds the longest time is above 2^-12 of the shorter of mean
    /// service and interarrival time; [`SimulationError::UnitOutOfReach`] when times are near the ends of `f64`.
    pub fn for_scenario(scenario: &Scenario) -> Result<Self, SimulationError> {
        let outermost = Needs::of(&scenario.tier(0));
        (1..scenario.tier_count())
            .fold(outermost, |needs, index| {
                needs.and(Needs::of(&scenario.tier(index)))
            })
            .clock()
    }

    /// Length of a tick in the scenario's unit of time; a power of two.
    #[must_use]
    pub fn tick(&self) -> f64 {
        self.tick
    }

    /// A length of time in ticks, to the nearest, at most 2^59.
    #[must_use]
    pub fn duration(&self, time: f64) -> i64 {
        round_duration(self.ticks(time))
    }

    /// A moment in ticks, to the nearest, between -2^120 and 2^120.
    #[must_use]
    pub fn moment(&self, time: f64) -> i128 {
        (libm::round(self.ticks(time)) as i128).clamp(-MOMENT_MAX, MOMENT_MAX)
    }

    /// A length of time in ticks and fractions of a tick.
    #[must_use]
    pub fn ticks(&self, time: f64) -> f64 {
        time * self.ticks_per_unit
    }

    /// A moment or length of time in the scenario's unit.
    #[must_use]
    pub fn time(&self, ticks: i128) -> f64 {
        ticks as f64 * self.tick
    }
}

/// What a clock has to hold for one tier.
#[derive(Debug, Clone, Copy)]
struct Needs {
    /// The shorter of mean service and interarrival time.
    shortest: f64,
    /// Longest time that is added to the clock in one step.
    longest: f64,
    /// Shortest time of the client's policy; infinite without any.
    policy: f64,
}

impl Needs {
    /// What a scenario without tiers behind it needs.
    fn of(scenario: &Scenario) -> Self {
        let rates = || {
            values(scenario, scenario.traffic.rate.value(), |change| {
                change.rate.map(Rate::value)
            })
        };
        let capacities = || values(scenario, 1.0, |change| change.capacity);
        let shortest = (scenario.service.time.mean() / capacities().fold(0.0, f64::max))
            .min(1.0 / rates().fold(0.0, f64::max));
        let longest = longest_time(
            scenario,
            1.0 / rates().fold(f64::INFINITY, f64::min),
            capacities().fold(f64::INFINITY, f64::min),
        );
        Self {
            shortest,
            longest,
            policy: policy_times(scenario).fold(f64::INFINITY, f64::min),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            shortest: self.shortest.min(other.shortest),
            longest: self.longest.max(other.longest),
            policy: self.policy.min(other.policy),
        }
    }

    fn clock(self) -> Result<Clock, SimulationError> {
        let Self {
            shortest,
            longest,
            policy,
        } = self;
        let scale = |value: f64| libm::ilogb(value);
        let in_reach = |value: f64| value.is_finite() && (-900..900).contains(&scale(value));
        if !in_reach(shortest) {
            return Err(SimulationError::UnitOutOfReach { scale: shortest });
        }
        if !in_reach(longest) {
            return Err(SimulationError::TimesTooFarApart { shortest, longest });
        }
        let finest = scale(shortest)
            .min(scale(policy))
            .max(scale(shortest) - REFINEMENT_MAX);
        let reach = DURATION_MAX.ilog2() as i32;
        let exponent = (finest - RESOLUTION).max(scale(longest) + 1 - reach);
        if exponent > scale(shortest) - RESOLUTION_MIN {
            return Err(SimulationError::TimesTooFarApart { shortest, longest });
        }
        Ok(Clock {
            tick: libm::scalbn(1.0, exponent),
            ticks_per_unit: libm::scalbn(1.0, -exponent),
        })
    }
}

/// A non-negative length in ticks to the nearest whole tick, at most [`DURATION_MAX`].
pub(crate) fn round_duration(ticks: f64) -> i64 {
    // The cast drops the fraction and saturates.
    ((ticks + 0.5) as i64).min(DURATION_MAX)
}

/// The values of a setting in the course of a run: at first, and then by the schedule.
fn values(
    scenario: &Scenario,
    first: f64,
    change: impl Fn(&Change) -> Option<f64>,
) -> impl Iterator<Item = f64> {
    std::iter::once(first).chain(scenario.schedule.iter().filter_map(change))
}

/// Times of the client's policy that a tick must resolve.
fn policy_times(scenario: &Scenario) -> impl Iterator<Item = f64> {
    let delay = match scenario.client.backoff {
        Backoff::None => None,
        Backoff::Constant { delay } => Some(delay),
        Backoff::FullJitter { base, .. } => Some(base),
    };
    let timeout = scenario.client.timeout.map(|timeout| timeout.mean());
    [timeout, delay.map(Time::value)]
        .into_iter()
        .flatten()
        .filter(|&time| time > 0.0)
}

/// Longest time that is added to the clock in one step. A backoff with jitter is not among them: it has its own limit.
fn longest_time(scenario: &Scenario, interarrival_mean_max: f64, capacity_min: f64) -> f64 {
    let service = match scenario.service.time.scaled(1.0 / capacity_min) {
        ServiceTime::Deterministic { value } => value.value(),
        ServiceTime::Uniform { high, .. } => high.value(),
        ServiceTime::Measured(measured) => measured.max(),
        ServiceTime::Exponential { mean } | ServiceTime::Erlang { mean, .. } => {
            EXPONENTIAL_REACH * mean.value()
        }
        // The rarer branch has a mean below (scv + 1) / 2 · mean · 2.
        ServiceTime::Hyperexponential { mean, scv } => EXPONENTIAL_REACH * mean.value() * (scv + 1.0),
        ServiceTime::Lognormal { mean, scv } => {
            // Beyond this deviation the mean itself is out of the samples' reach.
            let deviation = libm::sqrt(libm::log1p(scv)).min(NORMAL_REACH);
            mean.value() * libm::exp(deviation * (NORMAL_REACH - deviation / 2.0))
        }
    };
    let expected_service = match scenario.server.deadline_check {
        DeadlineCheck::SkipDoomed { service } => service.value(),
        DeadlineCheck::None | DeadlineCheck::SkipExpired => 0.0,
    };
    let cost = |time: Option<Time>| time.map_or(0.0, Time::value) / capacity_min;
    let constant_delay = match scenario.client.backoff {
        Backoff::Constant { delay } => delay.value(),
        Backoff::None | Backoff::FullJitter { .. } => 0.0,
    };
    let timeout = match scenario.client.timeout {
        None => 0.0,
        Some(Timeout::Constant(time)) => time.value(),
        Some(Timeout::Exponential { mean }) => EXPONENTIAL_REACH * mean.value(),
    };
    let stalls = values(scenario, 0.0, |change| change.stall.map(Time::value));
    [
        service,
        expected_service,
        cost(scenario.server.rejection_cost),
        cost(scenario.server.skip_cost),
        constant_delay,
        timeout,
        EXPONENTIAL_REACH * interarrival_mean_max,
    ]
    .into_iter()
    .chain(stalls)
    .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use retrylab_model::{ScenarioSpec, Traffic};

    use super::*;

    fn clock_with(change: impl FnOnce(&mut ScenarioSpec)) -> Result<Clock, SimulationError> {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
        change(&mut spec);
        Clock::for_scenario(&spec.validate().unwrap())
    }

    #[test]
    fn a_tick_follows_the_shortest_time_scale() {
        let tick_exponent = |change: fn(&mut ScenarioSpec)| libm::ilogb(clock_with(change).unwrap().tick());
        assert_eq!(tick_exponent(|_| {}), -32);
        assert_eq!(tick_exponent(|spec| spec.traffic.rate = 1000.0.into()), -42);
        assert_eq!(tick_exponent(|spec| spec.client.timeout = Some(0.25.into())), -34);
        // A timeout without length does not take the reach away: the tick refines by 16 digits at most.
        assert_eq!(
            tick_exponent(|spec| spec.client.timeout = Some(1e-200.into())),
            -48
        );
        // The longest time must fit into 2^59 ticks.
        assert_eq!(
            tick_exponent(|spec| spec.client.timeout = Some(1e12.into())),
            40 - 59
        );
    }

    #[test]
    fn times_too_far_apart_are_refused() {
        for timeout in [1e15, 1e300] {
            let error = clock_with(|spec| spec.client.timeout = Some(timeout.into())).unwrap_err();
            assert_eq!(
                error,
                SimulationError::TimesTooFarApart {
                    shortest: 1.0,
                    longest: timeout
                }
            );
        }
        for time in [
            ServiceTime::Hyperexponential {
                mean: 1.0.into(),
                scv: 1e300,
            },
            ServiceTime::Lognormal {
                mean: 1.0.into(),
                scv: 1e7,
            },
            ServiceTime::Lognormal {
                mean: 1.0.into(),
                scv: 1e300,
            },
        ] {
            let error = clock_with(|spec| spec.service.time = time.clone()).unwrap_err();
            assert!(
                matches!(error, SimulationError::TimesTooFarApart { .. }),
                "{time:?}: {error}"
            );
        }
        let tiny = clock_with(|spec| {
            spec.service.time = ServiceTime::Deterministic { value: 1e-300.into() };
        });
        assert!(matches!(tiny, Err(SimulationError::UnitOutOfReach { .. })));
    }

    #[test]
    fn conversions_saturate() {
        let clock = clock_with(|_| {}).unwrap();
        assert_eq!(clock.duration(f64::MAX), DURATION_MAX);
        assert_eq!(clock.moment(f64::INFINITY), MOMENT_MAX);
        assert_eq!(clock.moment(f64::NAN), 0);
        assert_eq!(clock.moment(1e12), 1_000_000_000_000_i128 << 32);
    }
}

//! How long until the service locks up by itself.

use retrylab_sim::Goal;
use retrylab_verify::lock_up::{self, Measured, Outcome, time_to_lock_up};
use retrylab_verify::statistics::{ErrorRate, Interval, Successes};

use crate::error::AssessError;
use crate::evidence::{Evidence, Source, Unit};
use crate::normal_day::NormalDay;
use crate::plan::CONFIDENCE;
use crate::sentence::Sentence;
use crate::service::Service;

/// Events that the question may take: some seconds.
const EVENTS_MAX: u64 = 150_000_000;
/// How far the ends of the interval may be from the estimate, as a share of it.
const PRECISION: f64 = 0.3;

/// What is known about the mean time to lock up, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub enum LockUpTime {
    /// It does not lock up, or comes back by itself.
    Never,
    /// The queue is such that some requests always succeed, so that there is no lock-up to wait for.
    Undefined,
    /// An estimate with its interval.
    About(f64, Interval),
    /// Only a lower bound.
    AtLeast(f64),
    /// It is overloaded from the start on.
    AtOnce,
}

/// Measures the time: by split cycles where they apply, and else from the runs of a normal day.
pub(crate) fn measure(
    service: &Service,
    day: &NormalDay,
    seed: u64,
    alpha: ErrorRate,
) -> Result<(LockUpTime, u64), AssessError> {
    if day.down() > 0 {
        return Ok((from_runs(day, alpha)?, 0));
    }
    let plan = lock_up::Plan {
        precision: PRECISION,
        seed,
        alpha: alpha.value(),
        events_max: EVENTS_MAX,
        ..lock_up::Plan::default()
    };
    // Loops further out make more attempts than the service's own clients: there are no cycles that know them.
    if service.spec().callers.is_empty() {
        match time_to_lock_up(&service.scenario()?, &plan, &|_| {}) {
            Ok(Outcome::Never(_)) => return Ok((LockUpTime::Never, 0)),
            Ok(Outcome::AtOnce(_)) => return Ok((LockUpTime::AtOnce, 0)),
            // A full queue that empties again is no lock-up; the runs of normal days tell about that.
            Ok(Outcome::Measured(measured)) if matches!(measured.goal, Goal::LockUp { .. }) => {
                if let Some(time) = known(&measured, alpha)? {
                    return Ok((time, measured.attempts));
                }
            }
            Ok(Outcome::AtLeast(measured)) => {
                if let Some(low) = measured.time.low {
                    return Ok((LockUpTime::AtLeast(low), measured.attempts));
                }
            }
            Err(lock_up::LockUpError::Undefined(_)) => return Ok((LockUpTime::Undefined, 0)),
            Ok(Outcome::Measured(_) | Outcome::Unknown(_)) | Err(_) => {}
        }
    }
    Ok((from_runs(day, alpha)?, 0))
}

/// The estimate, or the lower bound where nothing bounds it from above.
fn known(measured: &Measured, alpha: ErrorRate) -> Result<Option<LockUpTime>, AssessError> {
    Ok(match (measured.time.low, measured.time.high) {
        (Some(low), Some(high)) => Some(LockUpTime::About(
            measured.time.value,
            Interval::new(low, high, alpha)?,
        )),
        (Some(low), None) => Some(LockUpTime::AtLeast(low)),
        (None, _) => None,
    })
}

/// From how many runs of a length went down. A time that remembers nothing has P(down within L) = 1 − exp(−L ÷ mean), which gives
/// the mean from the share, end by end.
fn from_runs(day: &NormalDay, alpha: ErrorRate) -> Result<LockUpTime, AssessError> {
    let down = Successes::new(day.down(), day.runs())?;
    let share = down.clopper_pearson(alpha)?;
    let mean = |share: f64| {
        if share < 1.0 {
            -day.length / (-share).ln_1p()
        } else {
            0.0
        }
    };
    let low = mean(share.high());
    Ok(match day.down() {
        0 => LockUpTime::AtLeast(low),
        _ if day.is_down() => LockUpTime::AtOnce,
        down => {
            let interval = Interval::new(low, mean(share.low()), alpha)?;
            LockUpTime::About(mean(down as f64 / day.runs() as f64), interval)
        }
    })
}

/// What it says.
pub(crate) fn sentence(service: &Service, time: &LockUpTime) -> Sentence {
    let load = Evidence::exact("load", service.utilization(), Unit::Share, Source::ClosedForm);
    let sentence = Sentence::new("lock-up");
    match time {
        LockUpTime::Never => sentence
            .say("It does not lock up by itself: at a load of ")
            .give(load)
            .say(" a line that chance has made is worked off even while everything fails."),
        LockUpTime::Undefined => sentence
            .say("It does not lock up by itself: at a load of ")
            .give(load)
            .say(" some requests are answered in time however many wait."),
        LockUpTime::AtOnce => sentence
            .say("It does not stay up even on a normal day: at a load of ")
            .give(load)
            .say(" it goes down by itself at once."),
        LockUpTime::About(mean, interval) => sentence
            .say("Left alone it locks up by chance after ")
            .give(Evidence::measured(
                "time_to_lock_up",
                *mean,
                interval,
                Unit::HumanTime,
            ))
            .say(" on average."),
        LockUpTime::AtLeast(low) => sentence
            .say("Left alone it does not lock up by chance before ")
            .give(Evidence::at_least(
                "time_to_lock_up",
                *low,
                CONFIDENCE,
                Unit::HumanTime,
            ))
            .say(" have passed on average; how much longer it takes is out of reach."),
    }
}

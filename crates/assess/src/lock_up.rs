//! How long until the service locks up by itself.

use retrylab_sim::Goal;
use retrylab_verify::lock_up::{self, Measured, Outcome, time_to_lock_up};
use retrylab_verify::statistics::{ErrorRate, Interval, Successes};

use crate::error::AssessError;
use crate::evidence::{Evidence, Source, Unit};
use crate::incident::MINUTE;
use crate::normal_day::NormalDay;
use crate::plan::CONFIDENCE;
use crate::sentence::Sentence;
use crate::service::Service;
use crate::worst_case::{self, Side};

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
    // Where some runs went down and others did not, their share says it best. Where all did, it may take a small part of a run.
    if day.down() > 0 && !day.is_down() {
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
            Ok(Outcome::Never(_)) if !day.is_down() => return Ok((LockUpTime::Never, 0)),
            Ok(Outcome::AtOnce(_)) => return Ok((LockUpTime::AtOnce, 0)),
            // A full queue that empties again is no lock-up; the runs of normal days tell about that.
            Ok(Outcome::Measured(measured)) if matches!(measured.goal, Goal::LockUp { .. }) => {
                if let Some(time) = known(&measured, alpha)? {
                    let time = if day.is_down() && is_at_once(&time) {
                        LockUpTime::AtOnce
                    } else {
                        time
                    };
                    return Ok((time, measured.attempts));
                }
            }
            Ok(Outcome::AtLeast(measured)) if !day.is_down() => {
                if let Some(low) = measured.time.low {
                    return Ok((LockUpTime::AtLeast(low), measured.attempts));
                }
            }
            Err(lock_up::LockUpError::Undefined(_))
                if !day.is_down() && worst_case::side(service) != Side::Stuck =>
            {
                return Ok((LockUpTime::Undefined, 0));
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok((from_runs(day, alpha)?, 0))
}

/// Whether a service goes down within a minute, so that there is no time before in which it is up.
fn is_at_once(time: &LockUpTime) -> bool {
    matches!(time, LockUpTime::About(_, interval) if interval.high() < MINUTE)
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
        LockUpTime::Never | LockUpTime::Undefined => sentence
            .say("It does not lock up by itself: at a load of ")
            .give(load)
            .say(if worst_case::side(service) == Side::Safe {
                " a line that chance has made is worked off even while everything fails."
            } else if service.spec().timeout.is_none() {
                " a line that chance has made is worked off, and nobody gives up and tries again meanwhile."
            } else {
                " some requests are answered in time however many come."
            }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal_day::{REQUESTS, scenario};

    fn measured(text: &str) -> (Service, LockUpTime) {
        let service = Service::from_toml(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        let day = NormalDay::run(&scenario(&service, REQUESTS).unwrap(), 1, 0..8).unwrap();
        let time = measure(&service, &day, 1, crate::plan::alpha().unwrap())
            .unwrap()
            .0;
        (service, time)
    }

    #[test]
    fn a_service_that_stays_up_for_less_than_a_run_does_not_go_down_at_once() {
        // A run takes 3.7 hours. A plain simulation of another kind, a hundred lines of C, locked up after 2,170 s with a standard error
        // of 240 s over 60 runs: within four of them, and of its own 30 %.
        let fragile = "rate = \"30/s\"\ncapacity = \"60/s\"\ntimeout = \"250ms\"\nattempts = 3\n";
        let (_, time) = measured(fragile);
        let LockUpTime::About(mean, interval) = time else {
            panic!("{time:?}");
        };
        assert!(
            interval.low() < 2_170.0 + 960.0 && interval.high() > 2_170.0 - 960.0,
            "{interval:?}"
        );
        assert!((1_200.0..3_200.0).contains(&mean), "{mean}");
    }

    #[test]
    fn a_service_that_is_up_for_seconds_goes_down_at_once() {
        let (_, time) = measured("rate = \"10/s\"\ncapacity = \"20/s\"\ntimeout = \"60ms\"\nattempts = 3\n");
        assert_eq!(time, LockUpTime::AtOnce);
    }

    #[test]
    fn why_it_does_not_lock_up_is_said_truly() {
        let said = |text: &str| {
            let (service, time) = measured(text);
            sentence(&service, &time).to_string()
        };
        let load = "rate = \"30/s\"\ncapacity = \"50/s\"\n";
        let forever = said(&format!("{load}attempts = 3\n"));
        assert!(forever.contains("nobody gives up"), "{forever}");
        let bounded = said(&format!("{load}attempts = 3\ntimeout = \"1s\"\nqueue = 5\n"));
        assert!(bounded.contains("answered in time"), "{bounded}");
        let once = said(&format!("{load}timeout = \"1s\"\n"));
        assert!(once.contains("even while everything fails"), "{once}");
        // In random order hardly anybody is served in time once the line is long: it may lock up like any other.
        let random = said(&format!(
            "{load}attempts = 3\ntimeout = \"2s\"\ndiscipline = \"random\"\n"
        ));
        assert!(random.starts_with("Left alone it "), "{random}");
    }
}

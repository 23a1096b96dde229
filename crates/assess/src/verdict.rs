//! Whether a service is at risk, and why.

use retrylab_verify::statistics::ErrorRate;

use crate::aftermath::{Incidents, clause};
use crate::brink::Brink;
use crate::course::Course;
use crate::error::AssessError;
use crate::evidence::{Evidence, Source, Unit};
use crate::hazard::{Hazard, Kind};
use crate::incident::MINUTE;
use crate::lock_up::LockUpTime;
use crate::normal_day::NormalDay;
use crate::plan::CONFIDENCE;
use crate::sentence::Sentence;
use crate::service::Service;
use crate::worst_case::{self, Side};

/// A service that locks up by itself more often than once in so many seconds, a year, is at risk.
const YEAR: f64 = 365.25 * 86_400.0;
/// A service that a loss of so much of its capacity for a minute keeps down is at risk.
const LOST: f64 = 0.5;
/// A service that so many times its load for a minute keeps down is at risk.
const FACTOR: f64 = 2.0;

/// What the verdict rests on.
pub(crate) struct Known<'a> {
    pub(crate) service: &'a Service,
    pub(crate) days: &'a NormalDay,
    pub(crate) lock_up: &'a LockUpTime,
    pub(crate) hazards: &'a [Hazard],
    pub(crate) incidents: &'a Incidents,
    pub(crate) alpha: ErrorRate,
}

/// Why the service is at risk.
pub(crate) fn risks(known: &Known<'_>) -> Result<Vec<Sentence>, AssessError> {
    let mut risks = Vec::new();
    risks.extend(overload(known));
    risks.extend(error_budget(known)?);
    risks.extend(lock_up(known));
    risks.extend(
        known
            .hazards
            .iter()
            .filter_map(|hazard| risk_of(hazard, known.service)),
    );
    if known
        .hazards
        .iter()
        .all(|hazard| hazard.kind != Kind::Stall || hazard.brink.smallest().is_none())
    {
        risks.extend(incident(known)?);
    }
    Ok(risks)
}

fn overload(known: &Known<'_>) -> Option<Sentence> {
    let load = known.service.utilization();
    (load >= 1.0).then(|| {
        Sentence::new("risk-overload")
            .say("it is overloaded without any retry, at ")
            .give(Evidence::exact("load", load, Unit::Share, Source::ClosedForm))
            .say(" of its capacity")
    })
}

fn error_budget(known: &Known<'_>) -> Result<Option<Sentence>, AssessError> {
    let allowed = 1.0 - known.service.spec().objective;
    let Some((failure, interval)) = known.days.failure(known.alpha)? else {
        return Ok(None);
    };
    if interval.low() <= allowed {
        return Ok(None);
    }
    Ok(Some(
        Sentence::new("risk-error-budget")
            .say("on a normal day ")
            .give(Evidence::measured("failure", failure, &interval, Unit::Share))
            .say(" of the requests fail, more than the ")
            .give(Evidence::given("error_budget", allowed, Unit::Share))
            .say(" of its objective"),
    ))
}

fn lock_up(known: &Known<'_>) -> Option<Sentence> {
    let sentence = Sentence::new("risk-lock-up");
    match known.lock_up {
        LockUpTime::About(mean, interval) if interval.low() < YEAR => Some(
            sentence
                .say("it locks up by itself after ")
                .give(Evidence::measured(
                    "time_to_lock_up",
                    *mean,
                    interval,
                    Unit::HumanTime,
                ))
                .say(" on average"),
        ),
        LockUpTime::AtOnce => Some(
            sentence
                .say("it goes down by itself at once, at a load of ")
                .give(Evidence::exact(
                    "load",
                    known.service.utilization(),
                    Unit::Share,
                    Source::ClosedForm,
                )),
        ),
        _ => None,
    }
}

/// The sentence about a hazard that is near.
fn risk_of(hazard: &Hazard, service: &Service) -> Option<Sentence> {
    let tried = hazard.brink.smallest()?;
    let is_below = matches!(hazard.brink, Brink::Below(_));
    let most = if is_below { "even " } else { "" };
    let minute = Evidence::given("length", MINUTE, Unit::Seconds);
    let sentence = match hazard.kind {
        Kind::Stall => Sentence::new("risk-stall")
            .say(format!("{most}a stall of "))
            .give(Evidence::given("stall", tried.size, Unit::Seconds)),
        Kind::Capacity if tried.size <= LOST => Sentence::new("risk-capacity")
            .say(format!("{most}losing "))
            .give(Evidence::given("lost_capacity", tried.size, Unit::Share))
            .say(" of its capacity for ")
            .give(minute),
        Kind::Load if tried.size <= FACTOR => Sentence::new("risk-load")
            .say(format!("{most}a load "))
            .give(Evidence::given("factor", tried.size, Unit::Number))
            .say(" times as high for ")
            .give(minute),
        Kind::Capacity | Kind::Load => return None,
    };
    // It mostly stayed down, not always.
    let is_certain = tried.back.successes() == 0;
    if worst_case::side(service) != Side::Safe {
        return Some(sentence.say(if is_certain {
            " leaves it down"
        } else {
            " may leave it down"
        }));
    }
    // It works off any line in the end, only not while it was watched.
    let course = Course::of(service, &hazard.kind.incident(tried.size));
    let within = Evidence::given("back_within", course.back_within(), Unit::Seconds);
    let keeps = if is_certain { " keeps" } else { " may keep" };
    Some(
        sentence
            .say(format!("{keeps} it down for more than "))
            .give(within),
    )
}

fn incident(known: &Known<'_>) -> Result<Option<Sentence>, AssessError> {
    if known.incidents.always_back() {
        return Ok(None);
    }
    let sentence = clause(
        Sentence::new("risk-incident").say("after an incident in which "),
        &known.incidents.incident,
    );
    Ok(Some(
        sentence
            .say(" it comes back in ")
            .give(known.incidents.back_evidence(known.alpha)?)
            .say(" of the runs only"),
    ))
}

/// The verdict in one sentence.
pub(crate) fn sentence(service: &Service, lock_up: &LockUpTime, risks: &[Sentence]) -> Sentence {
    let mut sentence = Sentence::new("verdict");
    if risks.is_empty() {
        let minute = |name| Evidence::given(name, MINUTE, Unit::Seconds);
        sentence = sentence
            .say("Safe: no stall of up to ")
            .give(minute("stall"))
            .say(", no loss of up to ")
            .give(Evidence::given("lost_capacity", LOST, Unit::Share))
            .say(" of its capacity and no load of up to ")
            .give(Evidence::given("factor", FACTOR, Unit::Number))
            .say(" times as much for ")
            .give(minute("length"))
            .say(" keeps it down, at a load of ")
            .give(Evidence::exact(
                "load",
                service.utilization(),
                Unit::Share,
                Source::ClosedForm,
            ));
        // Nothing says that it goes down more often than that is at risk, and nothing that it does not.
        if let LockUpTime::AtLeast(low) = lock_up
            && *low < YEAR
        {
            sentence = sentence
                .say("; by itself it stays up for ")
                .give(Evidence::at_least(
                    "time_to_lock_up",
                    *low,
                    CONFIDENCE,
                    Unit::HumanTime,
                ))
                .say(" at least on average, and whether for a year was not seen");
        }
        return sentence.say(".");
    }
    sentence = sentence.say("At risk: ");
    for (index, risk) in risks.iter().enumerate() {
        if index > 0 {
            sentence = sentence.say("; ");
        }
        sentence = sentence.join(risk);
    }
    sentence.say(".")
}

#[cfg(test)]
mod tests {
    use retrylab_verify::statistics::Successes;

    use super::*;
    use crate::brink::Tried;

    fn service(attempts: u32) -> Service {
        let text =
            format!("rate = \"80/s\"\ncapacity = \"100/s\"\ntimeout = \"1s\"\nattempts = {attempts}\n");
        Service::from_toml(&text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn safe_says_from_what() {
        // Ten times the load may well keep a safe service down: what is safe is what the verdict asks for.
        let numbers = |lock_up| -> Vec<f64> {
            sentence(&service(1), &lock_up, &[])
                .numbers()
                .map(|number| number.estimate)
                .collect()
        };
        let tried = [MINUTE, LOST, FACTOR, MINUTE, 0.8];
        assert_eq!(numbers(LockUpTime::Never), tried);
        assert_eq!(numbers(LockUpTime::AtLeast(2.0 * YEAR)), tried);
        // A bound below a year leaves it open whether it locks up more often than is safe.
        assert_eq!(
            numbers(LockUpTime::AtLeast(86_400.0)),
            [&tried[..], &[86_400.0]].concat()
        );
    }

    #[test]
    fn what_is_worked_off_in_the_end_only_takes_long() {
        let tried = |size, successes| Tried {
            size,
            back: Successes::new(successes, 16).unwrap(),
        };
        let risk = |attempts, successes| {
            let hazard = Hazard {
                kind: Kind::Stall,
                brink: Brink::Between(tried(40.0, 16), tried(43.0, successes)),
            };
            risk_of(&hazard, &service(attempts)).unwrap().to_string()
        };
        assert_eq!(risk(2, 0), "a stall of 43 s leaves it down");
        assert_eq!(risk(2, 8), "a stall of 43 s may leave it down");
        let slow = risk(1, 0);
        assert!(
            slow.starts_with("a stall of 43 s keeps it down for more than "),
            "{slow}"
        );
    }
}

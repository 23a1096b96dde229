//! The load while everything fails, against the capacity.

use retrylab_analytic::ceiling::Ceiling;
use retrylab_model::{Budget, DeadlineCheck, Discipline};

use crate::evidence::{Evidence, Source, Unit};
use crate::sentence::Sentence;
use crate::service::Service;

/// What a retry that costs no more than this share of a token is: free.
const FREE: f64 = 1e-6;

/// Attempts per request while all fail, in the long run: the attempts of every loop multiplied, each held to its budget.
pub(crate) fn attempts_when_all_fail(service: &Service) -> f64 {
    let spec = service.spec();
    let callers = spec
        .callers
        .iter()
        .map(|caller| (caller.attempts, &caller.budget));
    callers
        .chain([(spec.attempts, &spec.budget)])
        .map(|(attempts, budget)| held_to_budget(f64::from(attempts), budget))
        .product()
}

/// Attempts per request of one loop.
fn held_to_budget(attempts: f64, budget: &Budget) -> f64 {
    match *budget {
        Budget::None => attempts,
        Budget::Ratio { ratio, .. } => attempts.min(1.0 + ratio),
        Budget::Refund { timeout_cost, .. } if timeout_cost <= FREE => attempts,
        // What only successes refill runs dry while nothing succeeds.
        Budget::Refund { .. } | Budget::Pool { .. } => 1.0,
    }
}

/// Whether a long line of requests is served to nobody's use: in its order, or in random order.
fn serves_the_dead(service: &Service) -> bool {
    let spec = service.spec();
    let serves_in_order = match spec.discipline {
        Discipline::Fifo => true,
        // The longer the line is, the fewer are served in time by chance.
        Discipline::Random => spec.queue.is_none(),
        Discipline::Lifo | Discipline::AdaptiveLifo { .. } => false,
    };
    serves_in_order
        && spec.deadline_check == DeadlineCheck::None
        && spec.timeout.is_some()
        && full_line(service).is_none_or(|wait| spec.timeout.is_some_and(|timeout| wait > timeout.value()))
}

/// How long the last request in a full queue waits.
fn full_line(service: &Service) -> Option<f64> {
    service
        .spec()
        .queue
        .map(|queue| f64::from(queue) / service.capacity())
}

/// Which side of the stuck line the service is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Even if everything fails, the load fits.
    Safe,
    /// If everything fails, the load does not fit, and the server works for nobody.
    Stuck,
    /// If everything fails, the load does not fit, but the queue is such that some are answered in time.
    Held,
}

/// The load that holds a collapsed service down: 1 over the attempts per request.
pub(crate) fn stuck_line(service: &Service) -> f64 {
    1.0 / attempts_when_all_fail(service)
}

/// Which side of it the service is on.
pub(crate) fn side(service: &Service) -> Side {
    if service.utilization() <= stuck_line(service) {
        Side::Safe
    } else if serves_the_dead(service) {
        Side::Stuck
    } else {
        Side::Held
    }
}

/// The largest number of attempts, of all loops together, whose worst load fits.
pub(crate) fn attempts_that_fit(service: &Service) -> Option<f64> {
    let worst = Ceiling::new(service.rate(), service.attempts_worst() - 1, service.capacity()).ok()?;
    worst.retries_max().ok().map(|retries| retries + 1.0)
}

/// The sentences about the worst case.
pub(crate) fn sentences(service: &Service) -> Vec<Sentence> {
    let mut sentences = vec![ceiling(service), attempts_max(service)];
    sentences.push(line(service));
    sentences.extend(queue(service));
    sentences
}

fn per(service: &Service) -> Unit {
    Unit::Rate(service.spec().rate.per().to_owned(), service.spec().rate.unit())
}

fn ceiling(service: &Service) -> Sentence {
    let most = service.attempts_worst() as f64;
    let worst = service.rate() * most;
    let fits = worst <= service.capacity();
    let sentence = Sentence::new("ceiling").say("While everything fails, each request is sent ");
    let sentence = match most {
        most if most < 2.0 => sentence
            .give(Evidence::given("attempts_worst", most, Unit::Count))
            .say(" time"),
        most => sentence
            .say("up to ")
            .give(Evidence::given("attempts_worst", most, Unit::Count))
            .say(" times"),
    };
    sentence
        .say(": ")
        .give(Evidence::exact(
            "worst_rate",
            worst,
            per(service),
            Source::ClosedForm,
        ))
        .say(" arrive, ")
        .give(Evidence::exact(
            "worst_load",
            worst / service.capacity(),
            Unit::Share,
            Source::ClosedForm,
        ))
        .say(if fits {
            " of the capacity, which fits."
        } else {
            " of the capacity, which does not fit."
        })
}

fn attempts_max(service: &Service) -> Sentence {
    let sentence = Sentence::new("attempts-max");
    match attempts_that_fit(service) {
        Some(most) => {
            let name = if service.spec().callers.is_empty() {
                "attempts"
            } else {
                "attempts of all loops together"
            };
            sentence
                .say(format!("The largest number of {name} that would fit is "))
                .give(Evidence::exact(
                    "attempts_that_fit",
                    most,
                    Unit::Count,
                    Source::ClosedForm,
                ))
                .say(".")
        }
        None => sentence
            .say("No number of attempts fits: first attempts alone use ")
            .give(Evidence::exact(
                "load",
                service.utilization(),
                Unit::Share,
                Source::ClosedForm,
            ))
            .say(" of the capacity."),
    }
}

fn line(service: &Service) -> Sentence {
    let attempts = attempts_when_all_fail(service);
    let budgeted = attempts < service.attempts_worst() as f64;
    let sentence = Sentence::new("stuck-line").say(if budgeted {
        "Budgets hold that in the long run to "
    } else {
        "In the long run that is "
    });
    let sentence = sentence
        .give(Evidence::exact(
            "attempts_when_all_fail",
            attempts,
            Unit::Number,
            Source::ClosedForm,
        ))
        .say(" per request, so that above a load of ")
        .give(Evidence::exact(
            "stuck_line",
            stuck_line(service),
            Unit::Share,
            Source::ClosedForm,
        ))
        .say(" a service that has collapsed can stay so; at ")
        .give(Evidence::exact(
            "load",
            service.utilization(),
            Unit::Share,
            Source::ClosedForm,
        ));
    sentence.say(match side(service) {
        Side::Safe => " this one is on the safe side of that line.",
        Side::Stuck => " this one is on the wrong side of that line.",
        Side::Held if service.spec().timeout.is_none() => {
            " this one is beyond that line, and what keeps it from collapsing is that its clients wait for ever."
        }
        Side::Held => {
            " this one is beyond that line, and what keeps it from collapsing is how its queue is served."
        }
    })
}

/// What a bounded queue means for the timeout.
fn queue(service: &Service) -> Option<Sentence> {
    // Where nobody may wait there is no wait to tell.
    let places = service.spec().queue.filter(|&places| places > 0)?;
    let wait = full_line(service)?;
    let sentence = Sentence::new("queue")
        .say("The queue of ")
        .give(Evidence::given("queue", f64::from(places), Unit::Count))
        .say(" is served within ")
        .give(Evidence::exact(
            "queue_wait",
            wait,
            Unit::Seconds,
            Source::ClosedForm,
        ));
    Some(match service.spec().timeout {
        None => sentence.say(" when it is full."),
        Some(timeout) => sentence
            .say(if wait > timeout.value() {
                " when it is full, which is longer than the timeout of "
            } else {
                " when it is full, which is within the timeout of "
            })
            .give(Evidence::given("timeout", timeout.value(), Unit::Seconds))
            .say("."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a service whose retries do not fit is said to be, with more keys.
    fn said(more: &str) -> String {
        let text = format!("rate = \"80/s\"\ncapacity = \"100/s\"\nattempts = 3\n{more}");
        let service = Service::from_toml(&text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        line(&service).to_string()
    }

    #[test]
    fn what_keeps_a_service_from_collapsing_is_said_truly() {
        for (more, end) in [
            ("", "that its clients wait for ever."),
            ("timeout = \"1s\"\n", "on the wrong side of that line."),
            (
                "timeout = \"1s\"\ndiscipline = \"random\"\n",
                "on the wrong side of that line.",
            ),
            (
                "timeout = \"1s\"\ndiscipline = \"lifo\"\n",
                "how its queue is served.",
            ),
            ("timeout = \"1s\"\nqueue = 20\n", "how its queue is served."),
        ] {
            let line = said(more);
            assert!(line.ends_with(end), "{more}: {line}");
        }
    }
}

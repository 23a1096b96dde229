//! What could be changed about a service.

use retrylab_model::{Budget, DeadlineCheck, Discipline, Invalid, Time};

use crate::evidence::{Evidence, Unit};
use crate::sentence::Sentence;
use crate::service::Service;
use crate::worst_case;

/// Kinds of remedies, what takes least to do first. Of each kind the best variant is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Fewer attempts.
    Attempts,
    /// No retries in the loops further out.
    Callers,
    /// A bounded queue.
    Queue,
    /// A budget for retries.
    Budget,
    /// Last in, first out while the line is long.
    AdaptiveLifo,
    /// Last in, first out.
    Lifo,
    /// Servers that skip what nobody waits for.
    DeadlineCheck,
    /// A longer timeout.
    Timeout,
    /// More capacity.
    Capacity,
}

impl Kind {
    /// The id.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Attempts => "fewer-attempts",
            Self::Callers => "retries-in-one-place",
            Self::Budget => "budget",
            Self::Lifo => "lifo",
            Self::AdaptiveLifo => "adaptive-lifo",
            Self::Queue => "bounded-queue",
            Self::DeadlineCheck => "deadline-check",
            Self::Timeout => "longer-timeout",
            Self::Capacity => "more-capacity",
        }
    }
}

/// A variant of a service.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) kind: Kind,
    /// What to do, as an imperative.
    pub(crate) what: Sentence,
    /// What it is called in a table.
    pub(crate) name: Sentence,
    /// Times as much capacity as today.
    pub(crate) capacity: f64,
    pub(crate) service: Service,
}

/// Tokens per request of the budgets that are tried.
const RATIO: f64 = 0.1;
/// Tokens that each client may save.
const BANKS: [f64; 3] = [1.0, 10.0, 100.0];
/// Bounds of the queue, as shares of what is served within the timeout.
const QUEUE_SHARES: [f64; 3] = [0.2, 0.5, 0.8];
/// Length of the line from which the newest are served first, as a share of what is served within the timeout.
const ADAPTIVE_SHARE: f64 = 0.25;
/// Times as long a timeout.
const TIMEOUTS: [f64; 3] = [2.0, 5.0, 20.0];
/// Times as much capacity.
const CAPACITIES: [f64; 3] = [1.25, 1.5, 2.0];
/// Margin above the capacity at which the worst case just fits.
const CAPACITY_MARGIN: f64 = 1.05;
/// Places and thresholds at most.
const LINE_MAX: f64 = 1e7;

/// Every variant that is worth a try.
pub(crate) fn all(service: &Service) -> Result<Vec<Candidate>, Invalid> {
    let mut list = Vec::new();
    attempts(service, &mut list)?;
    budgets(service, &mut list)?;
    order(service, &mut list)?;
    queues(service, &mut list)?;
    deadlines(service, &mut list)?;
    timeouts(service, &mut list)?;
    capacities(service, &mut list);
    // Rounding may make two variants the same, or one the same as today.
    let mut different: Vec<Candidate> = Vec::new();
    for candidate in list {
        if candidate.service != *service && different.iter().all(|known| known.service != candidate.service) {
            different.push(candidate);
        }
    }
    Ok(different)
}

fn candidate(kind: Kind, name: Sentence, what: Sentence, service: Service) -> Candidate {
    Candidate {
        kind,
        what,
        name,
        capacity: 1.0,
        service,
    }
}

/// Words about a remedy that end with a number.
fn words(kind: Kind, words: &str, number: &Evidence) -> Sentence {
    Sentence::new(kind.id()).say(words).give(number.clone())
}

fn attempts(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    let now = service.spec().attempts;
    let fit = worst_case::attempts_that_fit(service).map_or(1, |most| most.clamp(1.0, f64::from(now)) as u32);
    let mut fewer: Vec<u32> = [1, fit, now.saturating_sub(1)]
        .into_iter()
        .filter(|&attempts| (1..now).contains(&attempts))
        .collect();
    fewer.sort_unstable();
    fewer.dedup();
    for attempts in fewer {
        let number = Evidence::given("attempts", f64::from(attempts), Unit::Count);
        list.push(candidate(
            Kind::Attempts,
            words(Kind::Attempts, "attempts lowered to ", &number),
            words(Kind::Attempts, "lower the number of attempts to ", &number),
            service.modified(|spec| spec.attempts = attempts)?,
        ));
    }
    if service.spec().callers.iter().any(|caller| caller.attempts > 1) {
        let once = Evidence::given("callers_attempts", 1.0, Unit::Count);
        list.push(candidate(
            Kind::Callers,
            words(Kind::Callers, "callers' attempts lowered to ", &once),
            words(
                Kind::Callers,
                "retry next to the service only, and lower the attempts of all callers further out to ",
                &once,
            ),
            service.modified(|spec| spec.callers.iter_mut().for_each(|caller| caller.attempts = 1))?,
        ));
    }
    Ok(())
}

fn budgets(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    if service.spec().attempts == 1 {
        return Ok(());
    }
    let ratio = Evidence::given("ratio", RATIO, Unit::Number);
    for bank in BANKS {
        let budget = Budget::Ratio {
            ratio: RATIO,
            bank,
            shared: false,
        };
        let bank = Evidence::given("bank", bank, Unit::Count);
        list.push(candidate(
            Kind::Budget,
            words(Kind::Budget, "retry budget of ", &ratio)
                .say(", bank ")
                .give(bank.clone()),
            words(Kind::Budget, "give each client a retry budget of ", &ratio)
                .say(" tokens per request and a bank of ")
                .give(bank),
            service.modified(|spec| spec.budget = budget)?,
        ));
    }
    Ok(())
}

/// Requests that are served within the timeout.
fn served_in_time(service: &Service) -> Option<f64> {
    service
        .spec()
        .timeout
        .map(|timeout| service.capacity() * timeout.value())
}

fn whole(value: f64) -> u32 {
    // Two digits, and within the range of a count.
    let round: f64 = format!("{value:.1e}").parse().unwrap_or(value);
    round.round().clamp(1.0, LINE_MAX) as u32
}

fn order(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    if service.spec().discipline != Discipline::Lifo {
        list.push(candidate(
            Kind::Lifo,
            Sentence::new(Kind::Lifo.id()).say("LIFO"),
            Sentence::new(Kind::Lifo.id()).say("serve the newest request first (LIFO)"),
            service.modified(|spec| spec.discipline = Discipline::Lifo)?,
        ));
    }
    if let Some(served) = served_in_time(service)
        && !matches!(service.spec().discipline, Discipline::AdaptiveLifo { .. })
    {
        let threshold = whole(ADAPTIVE_SHARE * served);
        let discipline = Discipline::AdaptiveLifo { threshold };
        let number = Evidence::given("threshold", f64::from(threshold), Unit::Count);
        list.push(candidate(
            Kind::AdaptiveLifo,
            words(Kind::AdaptiveLifo, "adaptive LIFO above ", &number),
            words(
                Kind::AdaptiveLifo,
                "serve the newest request first while more wait than ",
                &number,
            ),
            service.modified(|spec| spec.discipline = discipline)?,
        ));
    }
    Ok(())
}

fn queues(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    let Some(served) = served_in_time(service) else {
        return Ok(());
    };
    for share in QUEUE_SHARES {
        let queue = whole(share * served);
        // A bound may also be too tight.
        let is_longer = service.spec().queue.is_some_and(|now| now < queue);
        let (name, what) = if is_longer {
            ("queue lengthened to ", "lengthen the queue to ")
        } else {
            ("queue bounded to ", "bound the queue to ")
        };
        let number = Evidence::given("queue", f64::from(queue), Unit::Count);
        list.push(candidate(
            Kind::Queue,
            words(Kind::Queue, name, &number),
            words(Kind::Queue, what, &number).say(" waiting requests and reject the rest at once"),
            service.modified(|spec| spec.queue = Some(queue))?,
        ));
    }
    Ok(())
}

fn deadlines(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    let Some(timeout) = service.spec().timeout else {
        return Ok(());
    };
    let timeout = Evidence::given("timeout", timeout.value(), Unit::Seconds);
    let kind = Kind::DeadlineCheck;
    if service.spec().deadline_check == DeadlineCheck::None {
        list.push(candidate(
            kind,
            words(kind, "deadline check: skip what is older than ", &timeout),
            words(
                kind,
                "skip requests whose client has given up, which are those older than ",
                &timeout,
            ),
            service.modified(|spec| spec.deadline_check = DeadlineCheck::SkipExpired)?,
        ));
    }
    if !matches!(service.spec().deadline_check, DeadlineCheck::SkipDoomed { .. }) {
        let mean = service.time().mean();
        let check = DeadlineCheck::SkipDoomed {
            service: Time::in_seconds(mean),
        };
        list.push(candidate(
            kind,
            words(kind, "deadline check: skip what cannot be done within ", &timeout),
            words(kind, "skip requests that cannot be answered within ", &timeout)
                .say(" of being sent, a service taking ")
                .give(Evidence::given("service_time", mean, Unit::Seconds)),
            service.modified(|spec| spec.deadline_check = check)?,
        ));
    }
    Ok(())
}

fn timeouts(service: &Service, list: &mut Vec<Candidate>) -> Result<(), Invalid> {
    let Some(timeout) = service.spec().timeout else {
        return Ok(());
    };
    for factor in TIMEOUTS {
        let longer = Time::in_seconds(factor * timeout.value());
        let number = Evidence::given("timeout", longer.value(), Unit::Seconds);
        list.push(candidate(
            Kind::Timeout,
            words(Kind::Timeout, "timeout raised to ", &number),
            words(Kind::Timeout, "raise the timeout to ", &number),
            service.modified(|spec| spec.timeout = Some(longer))?,
        ));
    }
    Ok(())
}

fn capacities(service: &Service, list: &mut Vec<Candidate>) {
    let fits = CAPACITY_MARGIN * service.utilization() * worst_case::attempts_when_all_fail(service);
    let mut factors = CAPACITIES.to_vec();
    if fits > 1.0 {
        factors.push(fits);
    }
    let unit = || Unit::Rate(service.spec().rate.per().to_owned(), service.spec().rate.unit());
    for factor in factors {
        let larger = service.with_capacity(factor);
        let factor = larger.capacity() / service.capacity();
        let number = Evidence::given("capacity", larger.capacity(), unit());
        list.push(Candidate {
            capacity: factor,
            ..candidate(
                Kind::Capacity,
                words(Kind::Capacity, "capacity raised to ", &number),
                words(Kind::Capacity, "raise the capacity to ", &number)
                    .say(", which is ")
                    .give(Evidence::given("factor", factor, Unit::Number))
                    .say(" times today's"),
                larger,
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let service = Service::from_toml(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        all(&service)
            .unwrap()
            .iter()
            .map(|candidate| candidate.kind)
            .collect()
    }

    fn count(kinds: &[Kind], kind: Kind) -> usize {
        kinds.iter().filter(|known| **known == kind).count()
    }

    #[test]
    fn every_variant_is_tried_once() {
        // The worst case fits 1.9 times the capacity, for which eight servers become sixteen, as for twice of it.
        let eight = "rate = \"242/s\"\nservers = 8\nlatency = { mean = \"20ms\" }\ntimeout = \"250ms\"\nattempts = 3\n";
        assert_eq!(count(&kinds(eight), Kind::Capacity), 3);
        // One server becomes 1.7 times as fast, which two servers are not: all four are there.
        let one = "rate = \"220/s\"\ncapacity = \"400/s\"\ntimeout = \"250ms\"\nattempts = 3\n";
        assert_eq!(count(&kinds(one), Kind::Capacity), 4);
        // Three bounds of a line of one request.
        let short = "rate = \"2/s\"\ncapacity = \"4/s\"\ntimeout = \"200ms\"\nattempts = 2\n";
        assert_eq!(count(&kinds(short), Kind::Queue), 1);
        // Within the timeout 100 are served: 20, 50 and 80 may wait, shorter or longer than today's line.
        let bounded = "rate = \"60/s\"\ncapacity = \"100/s\"\ntimeout = \"1s\"\n";
        for (now, variants) in [(5, 3), (50, 2), (500, 3)] {
            let with_queue = format!("{bounded}queue = {now}\n");
            assert_eq!(count(&kinds(&with_queue), Kind::Queue), variants, "{now}");
        }
    }

    #[test]
    fn what_a_service_has_is_not_proposed() {
        let kinds = kinds("rate = \"20/s\"\ncapacity = \"40/s\"\ndiscipline = \"lifo\"\n");
        assert!(
            kinds.iter().all(|kind| matches!(kind, Kind::Capacity)),
            "{kinds:?}"
        );
    }
}

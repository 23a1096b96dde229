//! How long to watch an incident, and what came of it.

use std::ops::Range;

use retrylab_model::{DeadlineCheck, Discipline, Invalid, Scenario, Time};
use retrylab_sim::{Measure, Options, RunRecord, replicate};

use crate::down::Ends;
use crate::error::AssessError;
use crate::incident::{Incident, MINUTE};
use crate::service::Service;

/// Mean service times that a service without a timeout takes as its pace.
const PACE_SERVICES: f64 = 20.0;
/// Paces, and requests, before an incident begins.
const WARM_UP: (f64, f64) = (20.0, 2_000.0);
/// Paces that are watched after an incident at least.
const AFTER_PACES: f64 = 12.0;
/// How many times as long as its backlog takes to drain an incident is watched.
const AFTER_DRAINS: f64 = 4.0;
/// Longest time that is watched after an incident, unless the pace asks for more, in seconds.
const AFTER_MAX: f64 = 1_800.0;
/// Requests in a window at least, so that the share that succeeds is not noise.
const WINDOW_REQUESTS: f64 = 400.0;
/// Windows after an incident at least.
const WINDOWS: f64 = 24.0;
/// Attempts that one run may take if nothing succeeds, and how many times as dear one is where the simulator goes from event to event
/// and at each tier of a chain.
const ATTEMPTS_MAX: f64 = 8e6;
const EVENTS_DEARER: f64 = 2.5;
const TIERS_DEARER: f64 = 8.0;
/// Attempts, at best, that all runs of one incident of a minute may take.
const COST_MAX: f64 = 4e7;
/// Fewest runs of which a median has an interval.
const RUNS_MIN: u64 = 6;
/// Share of the time that is watched at least which is watched even if that takes more attempts.
const AFTER_SHARE: f64 = 0.4;
/// Last part of the watched time in which no window may be bad if the service is to count as back.
const QUIET: f64 = 0.25;

/// A time to two digits, so that it can be said.
fn two_digits(time: f64) -> f64 {
    format!("{time:.1e}").parse().unwrap_or(time)
}

impl Service {
    /// How many times as dear an attempt is to simulate as at best.
    fn dearness(&self) -> f64 {
        let spec = self.spec();
        let is_in_order = spec.discipline == Discipline::Fifo
            && spec.deadline_check == DeadlineCheck::None
            && spec.queue.is_none();
        match (spec.callers.is_empty(), is_in_order) {
            (true, true) => 1.0,
            (true, false) => EVENTS_DEARER,
            (false, _) => TIERS_DEARER,
        }
    }

    /// How many runs of an incident of a minute to make: fewer where one is dear, and large services, whose runs are, differ less from
    /// run to run.
    pub(crate) fn runs(&self, most: u64) -> u64 {
        let cost = self.rate() * self.attempts_worst() as f64 * self.dearness() * 2.0 * MINUTE;
        // Within the range, which is small.
        ((COST_MAX / cost) as u64).clamp(RUNS_MIN, most)
    }

    /// The time scale on which things change: the longest timeout, or some service times.
    pub(crate) fn pace(&self) -> f64 {
        let timeouts = self.spec().callers.iter().map(|caller| caller.timeout);
        timeouts
            .chain([self.spec().timeout])
            .flatten()
            .map(Time::value)
            .fold(PACE_SERVICES * self.time().mean(), f64::max)
    }

    /// Width of a window that tells whether it is down.
    pub(crate) fn window(&self) -> f64 {
        (self.pace() / 2.0).max(WINDOW_REQUESTS / self.rate())
    }
}

/// When things happen in a run with an incident, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// When the incident begins.
    pub begins: f64,
    /// When it ends.
    pub ends: f64,
    /// When the run does.
    pub until: f64,
    /// Width of a window of the time series.
    pub window: f64,
}

impl Course {
    /// The course of an incident of a service.
    pub(crate) fn of(service: &Service, incident: &Incident) -> Self {
        let rate = service.rate();
        let pace = service.pace();
        let begins = (WARM_UP.0 * pace).max(WARM_UP.1 / rate);
        let ends = begins + incident.length();
        let utilization = service.utilization();
        let worst = service.attempts_worst() as f64;
        // With all attempts of everybody where those still drain, else with first attempts alone.
        let amplified = if utilization * worst < 1.0 { worst } else { 1.0 };
        let backlog = incident.backlog(utilization) * amplified;
        let drain = backlog / (1.0 - (utilization * amplified).min(1.0 - 1e-9));
        let least = (AFTER_PACES * pace).max(WINDOWS * WINDOW_REQUESTS / rate);
        let after = (AFTER_DRAINS * drain).clamp(least, AFTER_MAX.max(least));
        let affordable = ATTEMPTS_MAX / (rate * worst * service.dearness()) - ends;
        let after = two_digits(after.min(affordable.max(AFTER_SHARE * least)));
        let until = ends + after;
        // A whole number of windows, so that none is cut short at the end.
        let window = service.window().min(after / WINDOWS);
        let window = until / (until / window).ceil();
        Self {
            begins,
            ends,
            until,
            window,
        }
    }

    /// How long the service is watched after the incident.
    #[must_use]
    pub fn after(&self) -> f64 {
        self.until - self.ends
    }

    /// After how long at the latest the last bad window must end for the service to count as back.
    pub(crate) fn back_within(&self) -> f64 {
        (1.0 - QUIET) * self.after()
    }

    /// The scenario in which a service goes through the incident.
    pub(crate) fn scenario(&self, service: &Service, incident: &Incident) -> Result<Scenario, Invalid> {
        let change = incident.change(self.begins, service.tier(), service.rate());
        service.scenario()?.modified(|spec| {
            spec.schedule = vec![change];
            spec.run.until = Some(Time::in_seconds(self.until));
            spec.run.measure_from = Some(Time::in_seconds(self.begins));
            spec.run.window = Some(Time::in_seconds(self.window));
        })
    }

    /// Runs a service through the incident. Below a share of successes of `limit` it is down.
    pub(crate) fn run(
        &self,
        service: &Service,
        incident: &Incident,
        limit: f64,
        seed: u64,
        replications: Range<u64>,
    ) -> Result<Vec<Aftermath>, AssessError> {
        let scenario = self.scenario(service, incident)?;
        let options = Options {
            windows: true,
            ..Options::default()
        };
        let records = replicate(&scenario, seed, replications, &options)?;
        Ok(records
            .iter()
            .map(|record| Aftermath::new(record, self, limit))
            .collect())
    }
}

/// What came of an incident in one run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aftermath {
    /// Time from the end of the incident until success was back for good; none where it was not.
    pub recovery: Option<f64>,
    /// New requests from the beginning of the incident on.
    pub requests: f64,
    /// Those of them that did not succeed by the end.
    pub lost: f64,
    /// Success per new request in each window of the run.
    pub success: Vec<f64>,
    /// Attempts simulated.
    pub attempts: u64,
}

impl Aftermath {
    fn new(record: &RunRecord, course: &Course, limit: f64) -> Self {
        let ends = || {
            record
                .windows
                .iter()
                .map(|window| Ends::of(std::slice::from_ref(window)))
        };
        let success: Vec<f64> = ends().map(Ends::success).collect();
        let last_bad = record
            .windows
            .iter()
            .zip(ends())
            // Rounding may leave a sliver at the end, in which a share says nothing.
            .filter(|(window, _)| window.to > course.begins && window.to - window.from > 0.5 * course.window)
            .filter(|(_, ends)| ends.is_down(limit))
            .map(|(window, _)| window.to)
            .next_back()
            .unwrap_or(course.ends);
        let is_back = last_bad <= course.until - QUIET * course.after();
        let (successes, requests) = record.measure(Measure::Success);
        Self {
            recovery: is_back.then(|| (last_bad - course.ends).max(0.0)),
            requests,
            lost: (requests - successes).max(0.0),
            success,
            attempts: record.attempts_simulated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::down;
    use crate::normal_day::{self, NormalDay, REQUESTS};

    /// Which of eight runs of an incident came back to what is normal.
    fn back(text: &str, incident: &Incident) -> Vec<bool> {
        let service = Service::from_toml(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        let course = Course::of(&service, incident);
        let day = NormalDay::run(&normal_day::scenario(&service, REQUESTS).unwrap(), 1, 0..8).unwrap();
        let limit = down::limit(&day, 1.0, service.window());
        let runs = course.run(&service, incident, limit, 1, 0..8).unwrap();
        runs.iter().map(|run| run.recovery.is_some()).collect()
    }

    #[test]
    fn a_busy_service_is_not_down_because_answers_come_in_clusters() {
        // At 97 % of the capacity, windows of 485 requests in which no request fails have up to a fifth fewer answers than new requests.
        // A stall of 0.4 s makes nobody wait for longer than the timeout.
        let busy = "rate = \"970/s\"\ncapacity = \"1000/s\"\ntimeout = \"1s\"\n";
        assert_eq!(back(busy, &Incident::Stall { length: 0.4 }), [true; 8]);
    }

    #[test]
    fn bursts_of_rejections_are_no_outage_where_they_are_usual() {
        // At 95 % of the capacity and with 50 places 0.4 % of the requests are rejected, most of them in bursts, in which it is more than a
        // tenth of a window.
        let bounded = "rate = \"95/s\"\ncapacity = \"100/s\"\nqueue = 50\ntimeout = \"2s\"\n";
        assert_eq!(back(bounded, &Incident::Stall { length: 60.0 }), [true; 8]);
    }

    #[test]
    fn a_service_that_is_down_before_an_incident_does_not_come_back() {
        let overloaded = "rate = \"200/s\"\ncapacity = \"100/s\"\ntimeout = \"1s\"\n";
        assert_eq!(back(overloaded, &Incident::Stall { length: 1.0 }), [false; 8]);
    }

    #[test]
    fn a_stall_beyond_the_brink_leaves_a_service_down() {
        let stuck = "rate = \"800/s\"\ncapacity = \"1000/s\"\ntimeout = \"1s\"\nattempts = 4\n";
        assert_eq!(back(stuck, &Incident::Stall { length: 2.0 }), [false; 8]);
    }
}

//! Whether a service can be simulated at all, and what that takes at least.

use retrylab_model::{Invalid, Scenario, Time};
use retrylab_sim::Clock;
use retrylab_verify::report::duration;

use crate::aftermath::RUNS;
use crate::brink::{REPORT_RUNS, SEARCH_BATCH};
use crate::course::Course;
use crate::hazard::Kind;
use crate::incident::{Incident, MINUTE};
use crate::service::Service;

/// Requests of one run of a given incident at most: that takes a minute, and an assessment has hundreds of runs.
const REQUESTS_MAX: f64 = 1e9;
/// Sizes of each kind of incident that are tried at least before its brink is known.
const SIZES: u64 = 6;
/// Variants that are tried at least.
const VARIANTS: u64 = 10;

/// Refuses a service before anything is simulated, in its own words: those of a scenario would be about keys that nobody wrote.
pub(crate) fn check(service: &Service) -> Result<(), Invalid> {
    let fits = |scenario: Result<Scenario, Invalid>| {
        scenario.is_ok_and(|scenario| Clock::for_scenario(&scenario).is_ok())
    };
    let usual = Incident::Stall { length: MINUTE };
    if !fits(Course::of(service, &usual).scenario(service, &usual))
        && let Some((key, timeout)) = longest_timeout(service)
    {
        let mean = duration::words(service.time().mean());
        let accepted = format!("short enough to be simulated beside service times of {mean} on average");
        return Err(Invalid::new(&key, timeout, accepted));
    }
    let Some(given) = &service.spec().incident else {
        return Ok(());
    };
    let incident = given.incident(service.rate());
    let course = Course::of(service, &incident);
    if !fits(course.scenario(service, &incident)) || requests(service, &incident, course) > REQUESTS_MAX {
        return Err(given.cannot_be_simulated());
    }
    Ok(())
}

/// New requests of a run.
fn requests(service: &Service, incident: &Incident, course: Course) -> f64 {
    let more = match *incident {
        Incident::Load { factor, length } => (factor - 1.0) * length,
        Incident::Stall { .. } | Incident::Capacity { .. } => 0.0,
    };
    service.rate() * (course.until + more)
}

/// The key of the longest timeout, and what it is.
fn longest_timeout(service: &Service) -> Option<(String, Time)> {
    let spec = service.spec();
    let callers = spec.callers.iter().enumerate();
    callers
        .filter_map(|(index, caller)| Some((format!("callers.{index}.timeout"), caller.timeout?)))
        .chain(spec.timeout.map(|timeout| ("timeout".to_owned(), timeout)))
        .max_by(|one, other| one.1.value().total_cmp(&other.1.value()))
}

impl Service {
    /// Attempts that an assessment simulates at least, about: those of its incidents, in a minute of which nobody is answered and
    /// everybody tries again who gives up.
    #[must_use]
    pub fn attempts_least(&self) -> f64 {
        let course = Course::of(self, &Incident::Stall { length: MINUTE });
        let of_a_request = longest_timeout(self).map_or(1.0, |_| self.attempts_worst() as f64);
        let variants = self.runs(RUNS) * (1 + VARIANTS);
        let of_a_kind = SIZES * SEARCH_BATCH + 2 * self.runs(REPORT_RUNS);
        let runs = variants + Kind::ALL.len() as u64 * of_a_kind;
        runs as f64 * self.rate() * (course.begins + of_a_request * MINUTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(keys: &str) -> Result<Service, String> {
        let text = format!("rate = \"30/s\"\ncapacity = \"60/s\"\n{keys}\n");
        Service::from_toml(&text, &[]).map_err(|error| error.to_string())
    }

    #[test]
    fn what_cannot_be_simulated_is_refused_by_its_own_key() {
        for (keys, sentence) in [
            (
                "timeout = \"1e30s\"",
                "timeout is 1e30s, but must be short enough",
            ),
            (
                "timeout = \"1s\"\n[[callers]]\nattempts = 2\ntimeout = \"1e30s\"",
                "callers.0.timeout is 1e30s, but must be short enough",
            ),
            (
                "incident = { rate = \"1e9/s\" }",
                "incident.rate is 1000000000/s, but must be near enough",
            ),
            ("incident = { stall = \"1e20s\" }", "incident.stall is 1e20s"),
        ] {
            let error = service(keys).unwrap_err();
            assert!(error.contains(sentence), "{keys}: {error}");
        }
        assert!(service("timeout = \"1h\"\nincident = { rate = \"3000/s\" }").is_ok());
    }

    #[test]
    fn a_run_of_many_requests_takes_many_attempts() {
        let least = service("timeout = \"1s\"").unwrap().attempts_least();
        let faster = Service::from_toml(
            "rate = \"30000/s\"\ncapacity = \"60000/s\"\ntimeout = \"1s\"\n",
            &[],
        );
        let ratio = faster.unwrap().attempts_least() / least;
        // A thousand times the requests, in half as many runs.
        assert!((100.0..1000.0).contains(&ratio), "{ratio}");
    }
}

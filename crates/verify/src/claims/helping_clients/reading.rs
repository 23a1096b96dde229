//! The reading under which the document's numbers fit together, and its experiments as scenarios.

use retrylab_model::{Change, Scenario, ScenarioSpec, builtin};
use retrylab_sim::{Measure, RunRecord};

use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::theory::theory;

/// New requests per second.
pub(crate) const ARRIVAL_RATE: f64 = 10_500.0;
/// Attempts that the service completes per second when all slots are busy.
pub(crate) const CAPACITY: f64 = 12_000.0;
/// Eight servers of 60 slots.
pub(crate) const SLOTS: f64 = 480.0;
/// Completions of one slot per second.
pub(crate) const SERVICE_RATE: f64 = 25.0;
/// Seconds that a client waits.
pub(crate) const TIMEOUT: f64 = 0.12;
/// Most attempts that wait: the places less the slots.
pub(crate) const WAITING_MAX: f64 = 1_520.0;

/// Why the scenario is what it is, for every claim that measures something of it.
pub(super) const READING: &str = "Offered load, slots, the distribution of service and the queue limit: 10,500 requests a second, eight servers of 60 slots that \
     take from one queue, exponential service of mean 40 ms, and 2,000 places, waiting and in service. 480 slots of 40 ms are \
     the 12,000 a second of the text. The timeout of 120 ms covers the whole latency, a failed attempt spawns R further ones \
     on average, each of which may fail and spawn in turn, and a rejected attempt is not retried, because at R of 1 and more \
     retries of rejections would never end.";

/// A scenario that comes with the program.
///
/// # Panics
/// If there is no valid one of that name: a mistake in a claim, found by the test that builds all claims.
fn named(name: &str) -> Scenario {
    builtin::find(name)
        .unwrap_or_else(|| panic!("no scenario is called {name}"))
        .scenario()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A copy with changes.
///
/// # Panics
/// If the result is not valid: a mistake in a claim, found by the test that builds all claims.
pub(crate) fn changed(scenario: &Scenario, change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    scenario
        .modified(change)
        .unwrap_or_else(|invalid| panic!("{}: {invalid}", scenario.name))
}

/// The service without timeouts at a number of requests per second.
pub(crate) fn queue(arrival_rate: f64) -> Scenario {
    offering(&named("helping-clients-queue"), arrival_rate)
}

/// The service without retries past its capacity.
pub(crate) fn deadline() -> Scenario {
    named("helping-clients-deadline")
}

/// The service at so many retries per failure.
pub(crate) fn retrying(retries: f64) -> Scenario {
    changed(&named("helping-clients-cliff"), |spec| {
        spec.client.retries_per_failure = Some(retries);
    })
}

/// The service that was driven to four retries per failure for two seconds and brought back to so many.
pub(crate) fn brought_back(retries: f64) -> Scenario {
    changed(&named("helping-clients-hysteresis"), |spec| {
        spec.client.retries_per_failure = Some(retries);
    })
}

/// The service that died of 2.5 retries per failure, and a budget that comes into force at four seconds.
pub(crate) fn budgeted() -> Scenario {
    named("helping-clients-budget")
}

/// The moment at which the schedules let go, in seconds.
pub(crate) const RELEASE: f64 = 4.0;

/// A scenario with other new requests per second.
pub(crate) fn offering(scenario: &Scenario, arrival_rate: f64) -> Scenario {
    changed(scenario, |spec| spec.traffic.rate = per_second(arrival_rate))
}

fn per_second(rate: f64) -> retrylab_model::Rate {
    format!("{rate}/s")
        .parse()
        .unwrap_or_else(|error| panic!("{rate}/s: {error}"))
}

/// A length of time in seconds.
pub(crate) fn seconds(time: f64) -> retrylab_model::Time {
    format!("{time}s")
        .parse()
        .unwrap_or_else(|error| panic!("{time}s: {error}"))
}

/// A scenario that ends at `until` and is measured over the last second.
pub(crate) fn ending(scenario: &Scenario, until: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.run.until = Some(seconds(until));
        spec.run.measure_from = Some(seconds(until - 1.0));
    })
}

/// A scenario with retries spread over so many seconds and more.
pub(crate) fn spread(scenario: &Scenario, base: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.client.backoff = retrylab_model::Backoff::FullJitter {
            base: seconds(base),
            cap: None,
        };
    })
}

/// A scenario in which new requests change to so many per second at a moment.
pub(crate) fn then_offering(scenario: &Scenario, at: f64, arrival_rate: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.schedule.push(Change {
            rate: Some(per_second(arrival_rate)),
            ..Change::at(seconds(at))
        });
    })
}

/// A service so many times as large at the same utilisation.
pub(crate) fn enlarged(scenario: &Scenario, factor: u32) -> Scenario {
    let arrival_rate = scenario.traffic.rate.value() * f64::from(factor);
    changed(&offering(scenario, arrival_rate), |spec| {
        spec.service.concurrency *= factor;
        spec.server.places = spec.server.places.map(|places| places * factor);
    })
}

/// A result of the fold of a service so many times as large.
pub(crate) fn fold(factor: u32, result: &str) -> ComputedNumber {
    let factor = f64::from(factor);
    theory(
        "fold",
        &[
            ("arrival_rate", factor * ARRIVAL_RATE),
            ("servers", factor * SLOTS),
            ("service_rate", SERVICE_RATE),
            ("timeout", TIMEOUT),
        ],
        result,
    )
}

/// A result of the queue of all slots under so many attempts per second.
pub(crate) fn slots(attempt_rate: f64, result: &str) -> ComputedNumber {
    theory(
        "mmc",
        &[
            ("arrival_rate", attempt_rate),
            ("service_rate", SERVICE_RATE),
            ("servers", SLOTS),
            ("time", TIMEOUT),
        ],
        result,
    )
}

/// The retries per failure at which so many attempts per second are in balance: (1 − λ/x)/P(x).
pub(crate) fn retries_in_balance(attempt_rate: f64) -> f64 {
    (1.0 - ARRIVAL_RATE / attempt_rate) / slots(attempt_rate, "sojourn_time_tail").value
}

/// Whether fewer than half of the requests succeed in the measured window. A service is near all of them or near none.
pub(crate) fn is_dead(run: &RunRecord) -> bool {
    let (successes, requests) = run.measure(Measure::Success);
    successes < 0.5 * requests
}

/// The share of runs whose service is dead in the measured window.
pub(crate) fn dead(scenario: Scenario) -> Experiment {
    Experiment::share_of_runs(
        scenario,
        "share of runs in which fewer than half of the requests succeed at the end",
        is_dead,
    )
}

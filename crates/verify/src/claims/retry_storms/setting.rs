//! The blip as scenarios, the fluid beside them, and what is read off a run.

use retrylab_analytic::fluid_blip::FluidBlip;
use retrylab_model::{Backoff, Budget, Change, DeadlineCheck, Scenario, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::{Measure, RunRecord};

use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::theory::theory;

/// New requests per second.
pub(crate) const ARRIVAL_RATE: f64 = 800.0;
/// Attempts that the service can serve per second.
pub(crate) const CAPACITY: f64 = 1_000.0;
/// The same during the blip.
pub(crate) const REDUCED_CAPACITY: f64 = 300.0;
/// Length of the blip.
pub(crate) const DURATION: f64 = 5.0;
/// The timeout that we read into the document.
pub(crate) const TIMEOUT: f64 = 1.0;
/// When the blip begins in our reading of the document.
pub(crate) const BEGIN_READ: f64 = 30.0;
/// Attempts with "three retries".
pub(crate) const ATTEMPTS: u32 = 4;

/// When the blip begins in the runs behind the claims.
///
/// Nothing depends on it beyond some relaxation times of the healthy queue, some 0.1 s, and the 1.25 s in which a budget of
/// a tenth saves its 100 tokens; so the runs do not last longer than they must.
const BEGIN: f64 = 2.0;
/// When the blip ends in them.
pub(super) const END: f64 = BEGIN + DURATION;

/// A change of the scenario, by name.
pub(crate) type Policy = (&'static str, fn(&Scenario) -> Scenario);

/// The four policies of the document, on the client's side.
pub(crate) const POLICIES: [Policy; 4] = [
    ("no retries", |base| {
        changed(base, |spec| spec.client.attempts = 1)
    }),
    ("three immediate retries", Scenario::clone),
    ("backoff with jitter", |base| backing_off(base, 1.0, Some(30.0))),
    ("10 % budget", |base| budgeted(base, 100.0)),
];

/// The blip at `begin` with three immediate retries, in a run that ends `after` it and measures from its end on.
///
/// The service time is always the same, so that what chance does is the Poisson traffic's alone, and the server as close to
/// the fluid as traffic allows.
pub(crate) fn blip_at(begin: f64, timeout: f64, after: f64) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(ARRIVAL_RATE));
    spec.name = "blip".to_owned();
    spec.source = "retry-storms".to_owned();
    spec.service.time = ServiceTime::Deterministic {
        value: (1.0 / CAPACITY).into(),
    };
    spec.client.timeout = Some(timeout.into());
    spec.client.attempts = ATTEMPTS;
    spec.schedule.push(Change {
        capacity: Some(REDUCED_CAPACITY / CAPACITY),
        duration: Some(DURATION.into()),
        ..Change::at(begin)
    });
    spec.run.until = Some((begin + DURATION + after).into());
    spec.run.measure_from = Some((begin + DURATION).into());
    spec.validate().expect("the blip is a valid scenario")
}

/// The blip as early as it may be.
pub(crate) fn blip(timeout: f64, after: f64) -> Scenario {
    blip_at(BEGIN, timeout, after)
}

pub(crate) fn changed(scenario: &Scenario, change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    scenario.modified(change).expect("the blip is a valid scenario")
}

/// With measuring from `from` to `to`, counted from the end of the blip.
pub(super) fn measured(scenario: &Scenario, from: f64, to: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.run.measure_from = Some((END + from).into());
        spec.run.until = Some((END + to).into());
    })
}

/// Full jitter.
pub(super) fn backing_off(scenario: &Scenario, base: f64, cap: Option<f64>) -> Scenario {
    changed(scenario, |spec| {
        spec.client.backoff = Backoff::FullJitter {
            base: base.into(),
            cap: cap.map(Into::into),
        };
    })
}

/// A budget of a tenth.
pub(crate) fn budgeted(scenario: &Scenario, bank: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.client.budget = Budget::Ratio {
            ratio: 0.1,
            bank,
            shared: false,
        }
    })
}

/// A server that skips what has expired.
pub(crate) fn skipping_expired(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.server.deadline_check = DeadlineCheck::SkipExpired;
    })
}

/// A server that skips what it cannot answer in time, knowing how long a service takes.
pub(crate) fn skipping_doomed(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| {
        spec.server.deadline_check = DeadlineCheck::SkipDoomed {
            service: (1.0 / CAPACITY).into(),
        };
    })
}

/// The parameters of the fluid with `attempts` attempts.
fn parameters(timeout: f64, attempts: u32) -> Vec<(&'static str, f64)> {
    vec![
        ("arrival_rate", ARRIVAL_RATE),
        ("capacity", CAPACITY),
        ("reduced_capacity", REDUCED_CAPACITY),
        ("duration", DURATION),
        ("timeout", timeout),
        ("attempts", f64::from(attempts)),
    ]
}

/// A result of the fluid, with more parameters.
pub(super) fn fluid(
    timeout: f64,
    attempts: u32,
    more: &[(&'static str, f64)],
    result: &str,
) -> ComputedNumber {
    let mut all = parameters(timeout, attempts);
    all.extend(more);
    theory("fluid-blip", &all, result)
}

/// The fluid itself.
pub(crate) fn fluid_blip(timeout: f64, attempts: u32) -> FluidBlip {
    FluidBlip::new(
        ARRIVAL_RATE,
        CAPACITY,
        REDUCED_CAPACITY,
        DURATION,
        timeout,
        u64::from(attempts),
    )
    .expect("the blip lies in the domain of the fluid")
}

/// Mean of a rate of the fluid from `from` to `to`, counted from the end of the blip, with what it is in words.
pub(super) fn mean_rate(
    blip: &FluidBlip,
    rate: fn(&retrylab_analytic::fluid_blip::Stretch) -> f64,
    (from, to): (f64, f64),
    words: &str,
) -> ComputedNumber {
    let (from, to) = (DURATION + from, DURATION + to);
    let sum: f64 = blip
        .stretches(to)
        .iter()
        .map(|stretch| rate(stretch) * (stretch.to - stretch.from.max(from)).max(0.0))
        .sum();
    ComputedNumber {
        value: sum / (to - from),
        formula: format!(
            "mean of the {words} of fluid-blip from {from} s to {to} s after the start of the blip"
        ),
        source: "the fluid of the blip, followed from one change of its rates to the next".to_owned(),
        command: String::new(),
    }
}

/// Mean time after the blip that the server spends on attempts whose client has given up.
///
/// Where everything is served in turn, this is the time without useful throughput.
pub(crate) fn dead_time(scenario: Scenario) -> Experiment {
    Experiment::side_by_side(
        vec![scenario],
        "mean time that the server spends on abandoned work after the blip",
        |runs| runs[0].measure(Measure::AbandonedWork).0,
    )
}

/// Width of the windows in which the first idle moment is looked for.
const IDLE_WINDOW: f64 = 0.05;

/// Mean time from the end of the blip until the server is idle for the first time, to half a window.
pub(crate) fn drained_after(scenario: &Scenario) -> Experiment {
    let scenario = changed(scenario, |spec| spec.run.window = Some(IDLE_WINDOW.into()));
    Experiment::time_series(
        scenario,
        "mean time from the end of the blip until the server is idle, to half a window of 0.05 s",
        |run| {
            let is_after = |window: &&retrylab_sim::Window| window.from >= END - IDLE_WINDOW / 2.0;
            let is_idle = |window: &&retrylab_sim::Window| window.counts.busy_time < window.counts.duration;
            let last = run.windows.last();
            let first = run.windows.iter().filter(is_after).find(is_idle).or(last);
            first.map_or(0.0, |window| f64::midpoint(window.from, window.to) - END)
        },
    )
}

/// Successes per new request over the measured time of a run.
pub(super) fn success_of(run: &RunRecord) -> f64 {
    let (successes, requests) = run.measure(Measure::Success);
    if requests > 0.0 { successes / requests } else { 0.0 }
}

/// The share of runs that are up again from `from` to `to` after the blip: more than nine requests in ten succeed.
///
/// Stuck services are at zero, or at half of the traffic and less where they skip; recovered ones at 1, or above it while a
/// backlog clears.
pub(super) fn up_again(scenario: &Scenario, from: f64, to: f64) -> Experiment {
    Experiment::share_of_runs(
        measured(scenario, from, to),
        "share of runs with success above 0.9 in the measured time",
        |run| success_of(run) > 0.9,
    )
}

/// Words of the document that mean recovery, or none, in every run.
pub(super) fn every_run(words: &str) -> Quote {
    Quote::runs(words, Runs::NearlyAll)
}

/// Words that mean that it happens in no run.
pub(super) fn no_run(words: &str) -> Quote {
    Quote::runs(words, Runs::HardlyAny)
}

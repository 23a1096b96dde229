//! Planted errors: what a reader is shown when something is wrong.

use proptest::prelude::*;
use retrylab_model::{Backoff, Budget, DeadlineCheck, Discipline, Scenario, ServiceTime};
use retrylab_sim::{Counts, Measure};
use retrylab_verify::statistics::ErrorRate;

use crate::comparison::{Comparison, Tally};
use crate::computed::compute;
use crate::draw::{hundredths, scenario, seed, service_time};
use crate::error_budget::FALSE_ALARM_RATE;
use crate::runner::{plainest_failure, simplest_failure};
use crate::whole_language::anything;

/// The scenario in what is printed, from its first table on, read back.
fn printed_scenario(report: &str) -> Scenario {
    let start = report.find("# random numbers of seed").unwrap();
    let end = report.find("The same cases again:").unwrap();
    Scenario::from_toml(&report[start..end]).unwrap()
}

/// A wrong law about the whole language, "no attempt is ever turned away", shrinks to a scenario in which everything else is
/// as simple as can be.
#[test]
fn a_wrong_law_shrinks_to_the_one_thing_that_breaks_it() {
    let failure = plainest_failure("planted law", 300, &anything(), |drawn| {
        let mut simulation = drawn.start();
        simulation.run_to(drawn.scenario.until());
        prop_assert_eq!(simulation.take_counts().rejected, 0, "an attempt was turned away");
        Ok(())
    })
    .expect("limited places turn attempts away");
    let report = failure.report();
    let scenario = printed_scenario(&report);
    assert_eq!(scenario, failure.case.scenario, "{report}");
    assert_eq!(scenario.server.places, Some(scenario.service.servers), "{report}");
    assert_eq!(scenario.service.servers, 1, "{report}");
    assert_eq!(scenario.client.attempts, 1, "{report}");
    assert_eq!(scenario.client.timeout, None, "{report}");
    assert_eq!(scenario.client.backoff, Backoff::None, "{report}");
    assert_eq!(scenario.client.budget, Budget::None, "{report}");
    assert_eq!(scenario.server.discipline, Discipline::Fifo, "{report}");
    assert_eq!(scenario.server.deadline_check, DeadlineCheck::None, "{report}");
    assert!(
        matches!(scenario.service.time, ServiceTime::Exponential { .. }),
        "{report}"
    );
    assert!(scenario.schedule.is_empty(), "{report}");
    assert!(
        report.contains("an attempt was turned away") && report.contains("cargo test"),
        "{report}"
    );
    assert!(report.lines().count() < 50, "{report}");
}

/// A wrong closed form, the wait of exponential service for every kind of service, is found out by the statistical rule and
/// shrinks to the simplest service that is not exponential.
#[test]
fn a_wrong_closed_form_shrinks_to_the_simplest_service() {
    let strategy = (hundredths(20..=60), service_time(), seed()).prop_map(|(load, time, seed)| {
        let scenario = scenario(load, time.clone(), 1, |_| {});
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", 1.0 / time.mean()),
        ];
        Comparison::<Counts>::of_cycles(scenario, seed, &parameters, |parameters| {
            vec![compute("mm1", parameters).mean("waiting_time_mean", Measure::WaitingTimeMean)]
        })
    });
    let rate = ErrorRate::new(FALSE_ALARM_RATE).unwrap();
    let failure = simplest_failure("planted closed form", 20, &strategy, |comparison| {
        comparison.holds(rate, &Tally::default())
    })
    .expect("service that is not exponential is drawn");
    let report = failure.report();
    let scenario = printed_scenario(&report);
    assert_eq!(
        scenario.service.time,
        ServiceTime::Deterministic { value: 1.0.into() },
        "{report}"
    );
    assert!((scenario.traffic.rate.value() - 0.2).abs() < 1e-12, "{report}");
    assert!(report.contains("waiting_time_mean: theory says 0.25"), "{report}");
}

//! When measured times are said to include waiting, and how much that would be.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_analytic::mg1::Mg1;
use retrylab_latencies::{WAITING_SHARE_MAX, queueing_notes, waiting};
use retrylab_model::{Latencies, Measured, Scale, Scenario, ScenarioSpec, ServiceTime, Tier, Traffic};

/// Mean 2, squared coefficient of variation 1/4.
fn measured() -> Measured {
    let latencies = Latencies::of_values(vec![1.0, 3.0], Scale::Dimensionless, "").unwrap();
    Measured::of("times.csv", latencies)
}

fn scenario(load: f64, change: impl FnOnce(&mut Measured)) -> Scenario {
    let mut measured = measured();
    change(&mut measured);
    let mut spec = ScenarioSpec::new(Traffic::with_rate(load / 2.0));
    spec.service.time = ServiceTime::Measured(measured);
    spec.validate().unwrap()
}

#[test]
fn the_wait_at_one_server_is_that_of_the_formula() {
    for load in [0.01, 0.5, 0.9] {
        let expected = Mg1::new(load / 2.0, 2.0, 0.25)
            .unwrap()
            .waiting_time_mean()
            .unwrap()
            / 2.0;
        let share = waiting(&measured(), load, 1).unwrap().share;
        assert!((share / expected - 1.0).abs() < 1e-12, "{share} and {expected}");
    }
    assert!(waiting(&measured(), 1.0, 1).unwrap().share.is_infinite());
    assert!(waiting(&measured(), 0.0, 1).unwrap().share.abs() < f64::MIN_POSITIVE);
    // Many servers keep nobody waiting, also more than the formula is computed for.
    assert!(waiting(&measured(), 0.5, 10_000_000).unwrap().share < 1e-9);
}

/// 0.625 ρ / (1 − ρ) is 0.05 at ρ = 2/27.
#[test]
fn there_is_a_note_where_the_wait_is_above_the_limit() {
    let limit = 2.0 / 27.0;
    assert!((WAITING_SHARE_MAX - 0.625 * limit / (1.0 - limit)).abs() < 1e-15);
    assert!(queueing_notes(&scenario(limit * 0.999, |_| {})).is_empty());
    let notes = queueing_notes(&scenario(limit * 1.001, |_| {}));
    assert_eq!(notes.len(), 1);
    let (path, note) = &notes[0];
    assert_eq!(path, "service.time");
    assert!(
        note.contains("times.csv probably include waiting") && note.contains("load of 0.07"),
        "{note}"
    );
}

#[test]
fn what_is_said_about_the_measurements_counts() {
    let notes = |change: fn(&mut Measured)| queueing_notes(&scenario(0.8, change));
    assert_eq!(notes(|_| {}).len(), 1);
    assert!(notes(|measured| measured.includes_queueing = Some(false)).is_empty());
    assert_eq!(notes(|measured| measured.includes_queueing = Some(true)).len(), 1);
    assert!(notes(|measured| measured.measured_at_load = Some(0.05)).is_empty());
    let stated = notes(|measured| measured.measured_at_load = Some(0.5));
    assert!(
        stated[0]
            .1
            .contains("at the stated load of 0.50 attempts that need so long would wait 62 %"),
        "{stated:?}"
    );
    let overload = queueing_notes(&scenario(1.5, |_| {}));
    assert!(
        overload[0].1.contains("would never all be served"),
        "{overload:?}"
    );
}

#[test]
fn tiers_have_notes_of_their_own() {
    let mut spec = scenario(0.02, |_| {}).spec().clone();
    spec.tiers = vec![Tier::default()];
    spec.tiers[0].service.time = ServiceTime::Measured(measured()).scaled(40.0);
    let notes = queueing_notes(&spec.validate().unwrap());
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].0, "tiers.0.service.time");
}

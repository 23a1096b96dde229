//! Axes: what values they have, and what points they make.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

use proptest::prelude::*;
use retrylab_sweep::{Plan, PlanText};

/// A plan with these axes over a scenario that nothing has to be added to.
fn plan(axes: &str) -> Plan {
    let text = format!("[scenario.traffic]\nrate = 0.5\n[scenario.client]\ntimeout = 10\n{axes}");
    let read = PlanText::parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    Plan::new(&read, None, 1).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn range(from: &str, to: &str, steps: u32, scale: &str) -> Plan {
    plan(&format!(
        "[[axis]]\nkey = \"client.timeout\"\nfrom = {from}\nto = {to}\nsteps = {steps}\nscale = \"{scale}\"\n"
    ))
}

fn labels(plan: &Plan) -> Vec<String> {
    plan.axes()[0]
        .positions
        .iter()
        .map(|values| values[0].label.clone())
        .collect()
}

#[test]
fn ranges_have_round_values_of_the_kind_of_their_ends() {
    assert_eq!(
        labels(&range("0.1", "0.5", 5, "linear")),
        ["0.1", "0.2", "0.3", "0.4", "0.5"]
    );
    assert_eq!(labels(&range("1", "100", 3, "logarithmic")), ["1", "10", "100"]);
    assert_eq!(labels(&range("1.0", "2", 3, "linear")), ["1.0", "1.5", "2"]);
}

#[test]
fn ranges_have_units_too() {
    let text = "[scenario.traffic]\nrate = \"5/s\"\n[scenario.service]\ntime = { exponential = { mean = \"100ms\" } }\n\
                [[axis]]\nkey = \"client.timeout\"\nfrom = \"50ms\"\nto = \"5s\"\nsteps = 3\nscale = \"logarithmic\"\n";
    let plan = Plan::new(&PlanText::parse(text).unwrap(), None, 1).unwrap();
    assert_eq!(labels(&plan), ["50ms", "500ms", "5s"]);
    let numbers: Vec<f64> = plan.axes()[0]
        .positions
        .iter()
        .filter_map(|values| values[0].number)
        .collect();
    assert_eq!(numbers, [0.05, 0.5, 5.0]);
}

#[test]
fn several_keys_move_together_and_an_empty_text_takes_a_key_away() {
    let plan = plan(
        "[[axis]]\nname = \"policy\"\nkeys = [\"client.attempts\", \"client.backoff\", \"server.places\"]\n\
         values = [[1, \"none\", \"\"], [3, { full_jitter = { base = 1.0, cap = 100.0 } }, 20]]\n",
    );
    assert_eq!(plan.points(), 2);
    let (first, second) = (plan.scenario(0), plan.scenario(1));
    assert_eq!((first.client.attempts, first.server.places), (1, None));
    assert_eq!((second.client.attempts, second.server.places), (3, Some(20)));
    assert_ne!(first.client.backoff, second.client.backoff);
}

#[test]
fn the_last_axis_varies_fastest() {
    let plan = plan(
        "[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2]\n[[axis]]\nkey = \"client.timeout\"\nvalues = [5, 6, 7]\n",
    );
    let found: Vec<(u32, f64)> = (0..plan.points())
        .map(|point| plan.scenario(point))
        .map(|scenario| {
            let timeout = scenario.client.timeout.map(|timeout| timeout.mean());
            (scenario.client.attempts, timeout.unwrap())
        })
        .collect();
    assert_eq!(
        found,
        [(1, 5.0), (1, 6.0), (1, 7.0), (2, 5.0), (2, 6.0), (2, 7.0)]
    );
}

#[test]
fn the_checksum_is_of_the_meaning_and_not_of_the_text() {
    let one = plan("[[axis]]\nkey = \"client.timeout\"\nvalues = [5, 6]\n");
    let same = plan("# The same.\n[[axis]]\nvalues = [ 5,\n 6 ]\nkey = 'client.timeout'\n");
    let other = plan("[[axis]]\nkey = \"client.timeout\"\nvalues = [5, 7]\n");
    assert_eq!(one.checksum(), same.checksum());
    assert_ne!(one.checksum(), other.checksum());
}

proptest! {
    #[test]
    fn ranges_begin_and_end_where_they_say_and_never_turn_back(
        low in 0.001f64..10.0, factor in 1.01f64..1000.0, steps in 2u32..40, logarithmic in any::<bool>()
    ) {
        let scale = if logarithmic { "logarithmic" } else { "linear" };
        let plan = range(&format!("{low:?}"), &format!("{:?}", low * factor), steps, scale);
        let values: Vec<f64> = plan.axes()[0].positions.iter().filter_map(|values| values[0].number).collect();
        prop_assert_eq!(values.len(), steps as usize);
        prop_assert_eq!((values[0], values[values.len() - 1]), (low, low * factor));
        prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", values);
        // Twelve digits are kept: a value is off by at most 5e-12 of itself, and two steps have four ends.
        let step = |pair: &[f64]| if logarithmic { (pair[1] / pair[0]).ln() } else { pair[1] - pair[0] };
        let steps: Vec<f64> = values.windows(2).map(step).collect();
        let slack = if logarithmic { 2e-11 } else { 2e-11 * low * factor };
        prop_assert!(steps.iter().all(|other| (other - steps[0]).abs() <= slack), "{:?}", steps);
    }

    #[test]
    fn points_are_all_combinations(sizes in prop::collection::vec(1usize..5, 1..4)) {
        let keys = ["client.timeout", "service.time.exponential.mean", "traffic.rate"];
        let axes: String = sizes.iter().zip(keys).map(|(size, key)| {
            let values: Vec<String> = (1..=*size).map(|value| format!("{value}.5")).collect();
            format!("[[axis]]\nkey = \"{key}\"\nvalues = [{}]\n", values.join(", "))
        }).collect();
        let plan = plan(&axes);
        prop_assert_eq!(plan.points() as usize, sizes.iter().product::<usize>());
        let positions: std::collections::BTreeSet<Vec<usize>> =
            (0..plan.points()).map(|point| plan.positions(point)).collect();
        prop_assert_eq!(positions.len() as u64, plan.points());
        prop_assert!(positions.iter().all(|one| one.iter().zip(&sizes).all(|(position, size)| position < size)));
    }
}

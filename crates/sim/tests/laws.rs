//! What must hold exactly on every path of every scenario, whatever the random numbers.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod strategy;

use std::iter;

use proptest::prelude::*;
use retrylab_model::{Backoff, DeadlineCheck, Discipline, Queues, Scenario};
use retrylab_sim::{Counts, Simulation};

/// Runs for 300 units of time and from there until the system is empty, if it is by 3000. What is pending is drawn anew on
/// the way so many times.
fn run_to_empty(scenario: &Scenario, seed: u64, redraws: u32) -> Option<(Simulation, Counts)> {
    let mut simulation = Simulation::new(scenario, seed, 0).unwrap();
    for redraw in 1..=redraws {
        simulation.run_to(300.0 * f64::from(redraw) / f64::from(redraws));
        simulation.redraw();
    }
    simulation.run_to(300.0);
    let timed_out = simulation.run_while(3000.0, |state| state.in_system() > 0);
    let counts = simulation.take_counts();
    (!timed_out).then_some((simulation, counts))
}

fn costs_nothing(scenario: &Scenario) -> bool {
    scenario.server.rejection_cost.is_none() && scenario.server.skip_cost.is_none()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn flows_balance(scenario in strategy::scenario(), seed in 0_u64..1000) {
        let mut simulation = Simulation::new(&scenario, seed, 0).unwrap();
        simulation.run_to(500.0);
        let counts = simulation.take_counts();
        prop_assert_eq!(
            counts.attempts,
            counts.completions + counts.skipped + counts.rejected + counts.in_system_at_end
        );
        prop_assert_eq!(counts.services_started - counts.completions, simulation.in_system() - simulation.in_queue());
        let heard = |counts: &Counts| counts.successes + counts.duplicate_answers + counts.errors + counts.late_answers;
        let chain: Vec<&Counts> = iter::once(&counts).chain(&counts.inner).collect();
        for pair in chain.windows(2) {
            prop_assert_eq!(pair[0].completions, pair[1].requests);
            prop_assert_eq!(heard(pair[0]), pair[1].successes + pair[1].failed_requests);
        }
        let innermost = chain[chain.len() - 1];
        prop_assert_eq!(innermost.late_answers, 0);
        prop_assert_eq!(innermost.completions, heard(innermost) + innermost.late_completions);
        prop_assert_eq!(counts.requests, counts.successes + counts.failed_requests + simulation.open_requests());
        prop_assert_eq!(counts.attempts + counts.unsent_requests, counts.requests + counts.retries);
        prop_assert!(counts.unsent_requests <= counts.breaker_denied);
        prop_assert!(counts.successes + counts.failed_requests <= counts.requests);
        if scenario.client.retries_per_failure.is_some() {
            // A request has any number of attempts at a time.
            let failures = counts.errors + counts.timeouts + counts.rejected;
            let changes = scenario.schedule.iter().map(|change| change.retries_per_failure);
            let most = changes.chain([scenario.client.retries_per_failure]).flatten().fold(0.0, f64::max);
            prop_assert!(counts.retries + counts.budget_denied <= failures * most.ceil() as u64);
            prop_assert!(counts.failed_requests <= failures + counts.breaker_denied);
            return Ok(());
        }
        prop_assert_eq!(counts.duplicate_answers, 0);
        let changes = scenario.schedule.iter();
        let attempts_max = changes.clone().filter_map(|change| change.attempts).fold(scenario.client.attempts, u32::max);
        prop_assert!(counts.attempts <= counts.requests * u64::from(attempts_max));
        prop_assert!(counts.budget_denied + counts.breaker_denied <= counts.failed_requests);
        let mut probabilities = changes.filter_map(|change| change.retry_probability);
        if scenario.client.retry_probability <= 0.0 && probabilities.all(|probability| probability <= 0.0) {
            prop_assert_eq!(counts.retries + counts.budget_denied, 0);
        }
        // Every failure of an attempt is followed by a retry or is final, unless its backoff is still under way; requests are
        // lost without one where the first attempt is never sent.
        let failures = counts.errors + counts.timeouts + counts.rejected;
        let decided = counts.retries + counts.failed_requests - counts.unsent_requests;
        prop_assert!(decided <= failures && failures - decided <= simulation.open_requests());
        if scenario.client.backoff == Backoff::None {
            prop_assert_eq!(failures, decided);
        }
    }

    #[test]
    fn time_is_accounted_for(scenario in strategy::scenario(), seed in 0_u64..1000) {
        let mut simulation = Simulation::new(&scenario, seed, 0).unwrap();
        simulation.run_to(500.0);
        let counts = simulation.take_counts();
        prop_assert_eq!(counts.duration, simulation.clock().moment(500.0).unsigned_abs());
        prop_assert!(counts.busy_time <= u128::from(scenario.service.slots()) * counts.duration);
        if costs_nothing(&scenario) {
            prop_assert!(counts.busy_time <= counts.in_service_area);
        }
        prop_assert!(counts.in_service_area <= counts.in_system_area);
        prop_assert!(counts.in_service_area <= u128::from(scenario.service.slots()) * counts.duration);
        prop_assert!(counts.late_service_time <= counts.service_time);
        if let Some(places) = scenario.server.places {
            let rooms = match scenario.server.queues {
                Queues::Common => 1,
                Queues::Random | Queues::RoundRobin | Queues::Shortest => scenario.service.servers,
            };
            prop_assert!(counts.in_system_area <= u128::from(rooms) * u128::from(places) * counts.duration);
        }
    }

    /// Little's law on a path that begins and ends empty: the number in system integrated over time is the sum of the
    /// sojourn times, the number in queue that of the waiting times, and the busy time that of the service times, as long as
    /// skips and rejections take none.
    #[test]
    fn littles_law_holds_on_every_path(scenario in strategy::scenario(), seed in 0_u64..1000, redraws in 0_u32..100) {
        let served_in_full = scenario.server.deadline_check == DeadlineCheck::None;
        if let Some((_, counts)) = run_to_empty(&scenario, seed, redraws) {
            prop_assert_eq!(counts.in_system_at_end, 0);
            prop_assert!(counts.busy_time >= counts.service_time);
            if costs_nothing(&scenario) {
                prop_assert_eq!(counts.busy_time, counts.service_time);
            }
            if served_in_full {
                prop_assert_eq!(counts.in_system_area, counts.sojourn_time_sum);
                prop_assert_eq!(counts.in_system_area - counts.in_service_area, counts.waiting_time_sum);
            }
        }
    }

    /// The order of service changes neither when the servers work nor how many wait, where clients neither give up
    /// nor try again nor stop sending: service times belong to the starts of services and not to attempts.
    #[test]
    fn work_is_conserved_in_any_order(scenario in strategy::scenario(), seed in 0_u64..1000) {
        let busy = |discipline| {
            let scenario = scenario.modified(|spec| {
                spec.server.discipline = discipline;
                spec.client.timeout = None;
                spec.client.attempts = 1;
                spec.client.retries_per_failure = spec.client.retries_per_failure.map(|_| 0.0);
                spec.client.breaker = None;
                spec.tiers = Vec::new();
                spec.schedule.retain(|change| change.tier == 1);
                for change in &mut spec.schedule {
                    change.attempts = change.attempts.map(|_| 1);
                    change.retries_per_failure = change.retries_per_failure.map(|_| 0.0);
                }
            }).unwrap();
            let mut simulation = Simulation::new(&scenario, seed, 0).unwrap();
            simulation.run_to(300.0);
            let counts = simulation.take_counts();
            (counts.busy_time, counts.in_system_area, counts.completions, counts.rejected)
        };
        let first = busy(Discipline::Fifo);
        prop_assert_eq!(first, busy(Discipline::Lifo));
        prop_assert_eq!(first, busy(Discipline::Random));
        prop_assert_eq!(first, busy(Discipline::AdaptiveLifo { threshold: 3 }));
    }

    #[test]
    fn adjacent_windows_add_up(scenario in strategy::scenario(), seed in 0_u64..1000, edges in prop::collection::vec(0.0..400.0_f64, 1..5)) {
        let mut edges = edges;
        edges.sort_by(f64::total_cmp);
        let mut whole = Simulation::new(&scenario, seed, 0).unwrap();
        whole.run_to(400.0);
        let mut parts = Simulation::new(&scenario, seed, 0).unwrap();
        parts.run_to(edges[0]);
        let mut sum = parts.take_counts();
        for &edge in edges[1..].iter().chain(&[400.0]) {
            parts.run_to(edge);
            sum.append(&parts.take_counts());
        }
        prop_assert_eq!(sum, whole.take_counts());
    }

    #[test]
    fn a_clone_continues_like_the_original(scenario in strategy::scenario(), seed in 0_u64..1000, events in 1_u32..2000) {
        let mut whole = Simulation::new(&scenario, seed, 0).unwrap();
        whole.run_to(400.0);
        // Stop after an event, wherever that is, and go on with a clone.
        let mut events = events;
        let mut original = Simulation::new(&scenario, seed, 0).unwrap();
        original.run_while(400.0, |_| {
            events -= 1;
            events > 0
        });
        let mut clone = original.clone();
        clone.run_to(400.0);
        original.reseed(seed + 1, 7);
        original.run_to(400.0);
        prop_assert_eq!(clone.take_counts(), whole.take_counts());
        prop_assert_eq!(clone.last_success(), whole.last_success());
    }
}

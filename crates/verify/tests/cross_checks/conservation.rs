//! Conservation laws, exact on every path of every scenario.

use std::cell::Cell;

use proptest::prelude::*;
use retrylab_model::{Budget, DeadlineCheck, Discipline, Timeout};
use retrylab_sim::{Counts, Options, simulate_one};

use crate::runner::check_plainly;
use crate::whole_language::{anything, with_spawned_retries, without_retries};

/// Scenarios of each test.
const SCENARIOS: u32 = 400;

/// In every window what was there and what came in is what went out and what is there; windows follow on one another without
/// a gap, and together they are the run.
#[test]
fn flows_balance_in_every_window() {
    let scenarios = prop_oneof![2 => anything(), 1 => with_spawned_retries()];
    check_plainly("flow balance", SCENARIOS, &scenarios, |drawn| {
        let options = Options {
            windows: true,
            ..Options::default()
        };
        let record = simulate_one(&drawn.scenario, drawn.seed, 0, &options).unwrap();
        let mut in_system = 0;
        for window in &record.windows {
            let counts = &window.counts;
            let out = counts.completions + counts.skipped + counts.rejected;
            prop_assert_eq!(counts.in_system_at_start, in_system);
            prop_assert_eq!(in_system + counts.attempts, out + counts.in_system_at_end);
            prop_assert_eq!(counts.attempts, counts.requests + counts.retries);
            prop_assert_eq!(
                counts.completions,
                counts.successes + counts.duplicate_answers + counts.errors + counts.late_completions
            );
            in_system = counts.in_system_at_end;
        }
        let mut run = record.windows[0].counts.clone();
        for window in &record.windows[1..] {
            run.append(&window.counts);
        }
        let mut simulation = drawn.start();
        simulation.run_to(drawn.scenario.until());
        prop_assert_eq!(simulation.in_system(), in_system);
        prop_assert_eq!(
            run.requests,
            run.successes + run.failed_requests + simulation.open_requests()
        );
        prop_assert_eq!(run, simulation.take_counts());
        Ok(())
    });
}

/// Little's law from window to window: by the time that a system is empty, the number in system integrated over all windows
/// is the sum of all sojourn times, and the number in queue that of all waits. Throughput times mean sojourn is the mean
/// number in system, with nothing left over.
///
/// Attempts that a deadline check drops have no sojourn time. What is left for them is at least the age from which on they
/// are dropped, each.
#[test]
fn littles_law_holds_over_windows() {
    let emptied = Cell::new(0);
    check_plainly("Little's law", SCENARIOS, &anything(), |drawn| {
        let mut simulation = drawn.start();
        let mut sum: Option<Counts> = None;
        for end in 1..=20 {
            let full = simulation.run_while(f64::from(50 * end), |state| state.in_system() > 0);
            let window = simulation.take_counts();
            match &mut sum {
                Some(sum) => sum.append(&window),
                None => sum = Some(window),
            }
            if !full && end > 8 {
                break;
            }
        }
        let sum = sum.unwrap();
        if sum.in_system_at_end > 0 {
            return Ok(());
        }
        emptied.set(emptied.get() + 1);
        let unexplained = sum.in_system_area - sum.sojourn_time_sum;
        let unexplained_in_queue = sum.in_system_area - sum.in_service_area - sum.waiting_time_sum;
        prop_assert_eq!(unexplained, unexplained_in_queue);
        prop_assert_eq!(sum.busy_time, sum.service_time);
        if drawn.scenario.server.deadline_check == DeadlineCheck::None || sum.skipped == 0 {
            prop_assert_eq!(unexplained, 0);
        }
        if let (Some(Timeout::Constant(timeout)), DeadlineCheck::SkipExpired) = (
            drawn.scenario.client.timeout,
            drawn.scenario.server.deadline_check,
        ) {
            let age = simulation.clock().duration(timeout.value()).unsigned_abs();
            prop_assert!(unexplained >= u128::from(sum.skipped) * u128::from(age));
        }
        Ok(())
    });
    assert!(
        emptied.get() > SCENARIOS / 3,
        "only {} runs ended empty",
        emptied.get()
    );
}

/// A server that is never idle while somebody waits does the same work in every order: with the same random numbers the same
/// number of attempts is in the system at any time. Only who waits differs, and therefore which clients are in time.
///
/// True of any number of servers, limited places and stalls, as long as nobody retries and nothing is dropped, because then
/// the order changes neither what comes nor how much work the next service is.
#[test]
fn every_order_does_the_same_work() {
    check_plainly("work conservation", SCENARIOS, &without_retries(), |drawn| {
        let orders = [Discipline::Fifo, Discipline::Lifo, Discipline::Random];
        let mut runs = orders.map(|order| drawn.changed(|spec| spec.server.discipline = order));
        for end in 1..=8 {
            let mut windows = Vec::new();
            for run in &mut runs {
                run.run_to(f64::from(50 * end));
                windows.push(run.take_counts());
            }
            for window in &windows[1..] {
                let in_order = &windows[0];
                prop_assert_eq!(window.busy_time, in_order.busy_time);
                prop_assert_eq!(window.in_system_area, in_order.in_system_area);
                prop_assert_eq!(window.in_system_at_end, in_order.in_system_at_end);
                prop_assert_eq!(window.completions, in_order.completions);
                prop_assert_eq!(window.service_time, in_order.service_time);
                prop_assert_eq!(window.rejected, in_order.rejected);
            }
        }
        Ok(())
    });
}

/// Tokens are neither made nor lost: what retries spend was there at the start or has been earned.
///
/// A balance is counted in units of 2⁻³² token. What is earned rounds up and what is spent rounds down to a unit, which the
/// tolerance allows for.
#[test]
fn retries_spend_what_was_earned() {
    let bound = Cell::new(0);
    let scenarios = prop_oneof![2 => anything(), 1 => with_spawned_retries()];
    check_plainly("budgets", SCENARIOS, &scenarios, |drawn| {
        let mut simulation = drawn.start();
        simulation.run_to(400.0);
        let counts = simulation.take_counts();
        let clients = f64::from(drawn.scenario.traffic.clients);
        let (earned, cost) = match drawn.scenario.client.budget {
            Budget::None => return Ok(()),
            Budget::Ratio { ratio, .. } => (ratio * counts.requests as f64, 1.0),
            Budget::Refund {
                capacity,
                cost,
                timeout_cost,
                refund,
                ..
            } => (
                capacity * clients + refund * counts.successes as f64,
                cost.min(timeout_cost),
            ),
            Budget::Pool { size, rate, shared } => {
                let pools = if shared { 1.0 } else { clients };
                (pools * (size + rate.value() * 400.0), 1.0)
            }
        };
        let rounding = 2.0_f64.powi(-32) * (counts.attempts + counts.requests) as f64;
        prop_assert!(
            counts.retries as f64 * cost <= earned + rounding,
            "{} retries, {earned} tokens",
            counts.retries
        );
        bound.set(bound.get() + u32::from(counts.budget_denied > 0));
        Ok(())
    });
    assert!(
        bound.get() > SCENARIOS / 10,
        "budgets denied a retry in only {} runs",
        bound.get()
    );
}

//! Whole runs, one or many.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use retrylab_model::Scenario;

use crate::clock::Clock;
use crate::counts::Counts;
use crate::engine::{Simulation, recursion};
use crate::error::SimulationError;
use crate::fault::Fault;
use crate::record::{RunRecord, Window};

/// Which algorithm simulates. Where both apply, the records are the same, to the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The recursion where it applies, otherwise the general engine.
    #[default]
    Auto,
    /// Event by event; simulates every scenario.
    General,
    /// One pass over the attempts in the order in which they are sent: first in, first out, where an attempt's fate is known
    /// when it is sent. Faster, and its memory does not depend on the backlog.
    Recursion,
}

/// What a record holds beside the counts, how it is made, and whether the simulator is to be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which algorithm simulates.
    pub engine: Engine,
    /// The time series of the whole run in windows of width `run.window`.
    pub windows: bool,
    /// The histogram of sojourn times, for quantiles.
    pub histogram: bool,
    /// A fault to plant in the simulator, for tests of what should notice it.
    pub fault: Option<Fault>,
}

/// Runs one replication of a scenario from time 0 to `run.until`.
///
/// # Errors
/// When the scenario's times do not fit one clock, see [`Clock::for_scenario`](crate::Clock::for_scenario), and when the
/// recursion is asked for and does not apply.
pub fn simulate_one(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    options: &Options,
) -> Result<RunRecord, SimulationError> {
    let recursion = match options.engine {
        Engine::General => false,
        Engine::Recursion => true,
        Engine::Auto => {
            options.fault.is_none()
                && recursion::obstacle(scenario, &Clock::for_scenario(scenario)?).is_none()
        }
    };
    if recursion {
        by_recursion(scenario, seed, replication, options)
    } else {
        by_events(scenario, seed, replication, options)
    }
}

fn by_events(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    options: &Options,
) -> Result<RunRecord, SimulationError> {
    let mut simulation = begin(scenario, seed, replication, options.fault)?;
    let mut series = Series::new(scenario, options);
    let warm_up = series.run_to(scenario.measure_from(), |moment| simulation.counts_to(moment));
    if options.histogram {
        simulation.collect_sojourn_times();
    }
    let counts = series.run_to(scenario.until(), |moment| simulation.counts_to(moment));
    Ok(RunRecord {
        replication,
        attempts_simulated: warm_up.attempts_at_all_tiers() + counts.attempts_at_all_tiers(),
        counts,
        sojourn_times: simulation.take_sojourn_times(),
        last_success: simulation.last_success(),
        windows: series.windows,
    })
}

fn by_recursion(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    options: &Options,
) -> Result<RunRecord, SimulationError> {
    let (measure_from, until) = (scenario.measure_from(), scenario.until());
    // The recursion knows what happens before it happens, so it has to know the edges beforehand: the same series over
    // nothing asks for them.
    let mut moments = Vec::new();
    let mut series = Series::new(scenario, options);
    for moment in [measure_from, until] {
        series.run_to(moment, |edge| {
            moments.push(edge);
            Counts::new(1.0, 1, 0)
        });
    }
    let collect_from = options.histogram.then_some(measure_from);
    let recorded = recursion::run(scenario, seed, replication, &moments, collect_from)?;
    let mut counted = recorded.counts.into_iter();
    let mut next = |_| counted.next().expect("the same series asks for the same edges");
    let mut series = Series::new(scenario, options);
    let warm_up = series.run_to(measure_from, &mut next);
    let counts = series.run_to(until, &mut next);
    Ok(RunRecord {
        replication,
        attempts_simulated: warm_up.attempts + counts.attempts,
        counts,
        sojourn_times: recorded.sojourn_times,
        last_success: recorded.last_success,
        windows: series.windows,
    })
}

/// A simulation by the general engine at time 0, with or without a fault.
pub(crate) fn begin(
    scenario: &Scenario,
    seed: u64,
    replication: u64,
    fault: Option<Fault>,
) -> Result<Simulation, SimulationError> {
    match fault {
        None => Simulation::new(scenario, seed, replication),
        Some(fault) => Simulation::with_fault(scenario, seed, replication, fault),
    }
}

/// Runs replications in parallel on rayon's current thread pool. The records come in the order of the replications and do
/// not depend on the number of threads.
///
/// # Errors
/// As [`simulate_one`].
pub fn replicate(
    scenario: &Scenario,
    seed: u64,
    replications: Range<u64>,
    options: &Options,
) -> Result<Vec<RunRecord>, SimulationError> {
    replicate_with_progress(scenario, seed, replications, options, &|_| {})
}

/// As [`replicate`], and calls `progress` with the number of replications done so far after each of them, from whichever
/// thread finished it.
///
/// # Errors
/// As [`simulate_one`].
pub fn replicate_with_progress(
    scenario: &Scenario,
    seed: u64,
    replications: Range<u64>,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<RunRecord>, SimulationError> {
    replicate_unless_stopped(scenario, seed, replications, options, progress, &|| false)
}

/// As [`replicate_with_progress`], and begins no further replication once `should_stop`, asked from any thread, says so. The records
/// are those of the replications that had begun by then, in their order.
///
/// # Errors
/// As [`simulate_one`].
pub fn replicate_unless_stopped(
    scenario: &Scenario,
    seed: u64,
    replications: Range<u64>,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<RunRecord>, SimulationError> {
    let done = AtomicU64::new(0);
    replications
        .into_par_iter()
        .filter(|_| !should_stop())
        .map(|replication| {
            let record = simulate_one(scenario, seed, replication, options)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            Ok(record)
        })
        .collect()
}

/// The time series that is filled while a run goes on, or nothing.
struct Series {
    windows: Vec<Window>,
    /// Width of a window; infinite without a time series.
    width: f64,
    until: f64,
    /// What happened in the present window up to the last edge of measuring.
    partial: Option<Counts>,
}

impl Series {
    fn new(scenario: &Scenario, options: &Options) -> Self {
        let until = scenario.until();
        let width = if options.windows {
            scenario.window()
        } else {
            f64::INFINITY
        };
        Self {
            windows: Vec::new(),
            width,
            until,
            partial: None,
        }
    }

    /// Runs to a moment, stopping at the edges of windows on the way; returns what happened. `counts_to` runs to an edge and
    /// returns what happened since the one before.
    fn run_to(&mut self, moment: f64, mut counts_to: impl FnMut(f64) -> Counts) -> Counts {
        let mut sum: Option<Counts> = None;
        loop {
            let from = self.windows.last().map_or(0.0, |window| window.to);
            // Edges are multiples and not sums, so that they do not drift.
            let to = ((self.windows.len() + 1) as f64 * self.width).min(self.until);
            let counts = counts_to(to.min(moment));
            if self.width.is_finite() {
                let window = joined(self.partial.take(), &counts);
                if to <= moment {
                    self.windows.push(Window {
                        from,
                        to,
                        counts: window,
                    });
                } else {
                    self.partial = Some(window);
                }
            }
            let total = joined(sum.take(), &counts);
            if to >= moment {
                return total;
            }
            sum = Some(total);
        }
    }
}

/// The record of a window that may have a part before `next`.
fn joined(before: Option<Counts>, next: &Counts) -> Counts {
    match before {
        Some(mut counts) => {
            counts.append(next);
            counts
        }
        None => next.clone(),
    }
}

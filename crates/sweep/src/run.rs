//! Computing the points that are missing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use retrylab_model::Scenario;
use retrylab_sim::Engine;
use retrylab_verify::measures::{self, Effort, SurveyError, survey};

use crate::error::SweepError;
use crate::plan::Plan;
use crate::results::PointResult;
use crate::store::Store;

/// How far a sweep has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advance {
    /// Points that are in the file.
    pub points: u64,
    /// Replications simulated by this process so far, of points in flight too.
    pub replications: u64,
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every point is there.
    Complete,
    /// It was asked to stop before.
    Stopped,
}

/// Who goes on with what.
struct Lanes<'a> {
    plan: &'a Plan,
    missing: &'a [u64],
    next: AtomicUsize,
    halt: AtomicBool,
    written: AtomicU64,
    replications: AtomicU64,
    should_stop: &'a (dyn Fn() -> bool + Sync),
    progress: &'a (dyn Fn(Advance) + Sync),
    failure: Mutex<Option<SweepError>>,
}

/// Computes the points that a results file lacks, and writes each as soon as it is there.
///
/// The replications of a point run in parallel on rayon's global pool, and as many points are in flight as it takes to keep
/// its threads busy: that many are lost when the process is killed. `should_stop` is asked from any thread after every few
/// replications; `progress` hears from any thread how far it is.
///
/// # Errors
/// [`SweepError`] when a point cannot be simulated or not be written; the points before it are kept.
pub fn run(
    plan: &Plan,
    store: &mut Store,
    should_stop: &(dyn Fn() -> bool + Sync),
    progress: &(dyn Fn(Advance) + Sync),
) -> Result<Ending, SweepError> {
    let missing = store.missing();
    let lanes = Lanes {
        plan,
        missing: &missing,
        next: AtomicUsize::new(0),
        halt: AtomicBool::new(false),
        written: AtomicU64::new(store.points_done()),
        replications: AtomicU64::new(0),
        should_stop,
        progress,
        failure: Mutex::new(None),
    };
    let count = lane_count(plan, rayon::current_num_threads()).min(missing.len());
    // Without a buffer: whoever has a point waits until it is being written, so that few are ever in memory alone.
    let (sender, receiver) = sync_channel::<PointResult>(0);
    let written = std::thread::scope(|scope| {
        for _ in 0..count {
            let (lanes, sender) = (&lanes, sender.clone());
            scope.spawn(move || {
                while let Some(result) = lanes.next_result() {
                    if sender.send(result).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for result in receiver {
            if let Err(error) = store.insert(&result) {
                lanes.halt.store(true, Ordering::Relaxed);
                return Err(error);
            }
            lanes.written.store(store.points_done(), Ordering::Relaxed);
            lanes.tell();
        }
        Ok(())
    });
    let failure = lanes
        .failure
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    match (written, failure) {
        (Err(error), _) | (Ok(()), Some(error)) => Err(error),
        (Ok(()), None) if store.missing().is_empty() => Ok(Ending::Complete),
        (Ok(()), None) => Ok(Ending::Stopped),
    }
}

/// How many points are in flight: one where one thread computes; otherwise enough that the threads have work while one of
/// the points waits for its last replication or is summed up.
fn lane_count(plan: &Plan, threads: usize) -> usize {
    let replications = plan.replications().unwrap_or(1).max(1);
    match threads {
        0 | 1 => 1,
        _ => (threads as u64).div_ceil(replications) as usize + 1,
    }
}

impl Lanes<'_> {
    fn is_over(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || (self.should_stop)()
    }

    /// The next point's result; none when there is none to compute any more.
    fn next_result(&self) -> Option<PointResult> {
        if self.is_over() {
            return None;
        }
        let &point = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed))?;
        match self.compute(point, &self.plan.scenario(point)) {
            Ok(result) => result,
            Err(reason) => {
                self.halt.store(true, Ordering::Relaxed);
                let mut failure = self
                    .failure
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                failure.get_or_insert(SweepError::Point { point, reason });
                None
            }
        }
    }

    /// The point's result, or none when it was asked to stop on the way.
    fn compute(&self, point: u64, scenario: &Scenario) -> Result<Option<PointResult>, String> {
        let replications = u64::from(scenario.run.replications);
        let plan = measures::Plan {
            effort: self.plan.effort.unwrap_or(Effort::Replications(replications)),
            // One seed for all: points are compared under common random numbers.
            seed: self.plan.seed,
            alpha: (1.0 - self.plan.confidence).max(f64::MIN_POSITIVE),
            windows: false,
            engine: Engine::Auto,
        };
        let heard = |_| {
            self.replications.fetch_add(1, Ordering::Relaxed);
            self.tell();
        };
        let mut receive = |_: &_| if self.is_over() { Err(()) } else { Ok(()) };
        match survey(scenario, &plan, &heard, &mut receive) {
            Ok(survey) => Ok(Some(PointResult::new(
                point,
                &survey,
                self.plan.measures.as_deref(),
            ))),
            Err(SurveyError::Receiver(())) => Ok(None),
            Err(SurveyError::Simulation(error)) => Err(error.to_string()),
            Err(SurveyError::Statistics(error)) => Err(error.to_string()),
        }
    }

    fn tell(&self) {
        (self.progress)(Advance {
            points: self.written.load(Ordering::Relaxed),
            replications: self.replications.load(Ordering::Relaxed),
        });
    }
}

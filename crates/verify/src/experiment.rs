//! How a number is measured: what is simulated and which statistic of a replication is observed.

mod lock_up;
mod windows;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use retrylab_model::Scenario;
use retrylab_sim::calls::{CallRecord, Calls};
use retrylab_sim::{Fault, Measure, Options, RunRecord, Simulation, SimulationError, simulate_one};

/// What one replication contributes to an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// The value, or the numerator of a ratio, or the number of successes.
    pub numerator: f64,
    /// 1, or the denominator of a ratio, or the number of trials.
    pub denominator: f64,
    /// Simulated attempts, the cost of the replication.
    pub attempts: u64,
}

/// How observations become an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimator {
    /// Ratio of sums over independent replications.
    Ratio,
    /// Mean over independent replications.
    Mean,
    /// Mean over independent replications of values that cannot leave a range. Needed where all replications may give
    /// the same value, so that their spread says nothing.
    RangedMean {
        /// Smallest possible value.
        low: f64,
        /// Largest possible value.
        high: f64,
    },
    /// Proportion of independent trials, counted over all replications.
    Proportion,
}

type Observe = dyn Fn(u64, Range<u64>, Option<Fault>) -> Result<Vec<Observed>, SimulationError> + Send + Sync;

/// A reproducible source of independent replications of one statistic.
#[derive(Clone)]
pub struct Experiment {
    /// The statistic in words.
    pub statistic: String,
    /// What is simulated: a scenario in TOML, or words where it is no queue.
    pub subject: String,
    /// How observations become an estimate.
    pub estimator: Estimator,
    observe: Arc<Observe>,
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment")
            .field("statistic", &self.statistic)
            .field("subject", &self.subject)
            .field("estimator", &self.estimator)
            .finish_non_exhaustive()
    }
}

impl Experiment {
    /// Observes the replications of a range.
    ///
    /// # Errors
    /// [`SimulationError`] when the scenario cannot be simulated.
    pub fn observe(&self, seed: u64, replications: Range<u64>) -> Result<Vec<Observed>, SimulationError> {
        self.observe_with(seed, replications, None)
    }

    /// Observes the replications of a range in a simulator with a fault; calls without a queue have none.
    ///
    /// # Errors
    /// [`SimulationError`] when the scenario cannot be simulated.
    pub fn observe_with(
        &self,
        seed: u64,
        replications: Range<u64>,
        fault: Option<Fault>,
    ) -> Result<Vec<Observed>, SimulationError> {
        (self.observe)(seed, replications, fault)
    }

    /// A measure of a scenario that is a ratio of two sums, such as successes per new request.
    #[must_use]
    pub fn measure(scenario: Scenario, measure: Measure) -> Self {
        let statistic = measure.name(&scenario);
        Self::runs(vec![scenario], statistic, Estimator::Ratio, move |runs| {
            runs[0].measure(measure)
        })
    }

    /// The mean over runs of a value that is read off the run's time series, in windows of the scenario's width.
    #[must_use]
    pub fn time_series(
        scenario: Scenario,
        statistic: &str,
        value: impl Fn(&RunRecord) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let options = Options {
            windows: true,
            ..Options::default()
        };
        Self::runs_with(
            options,
            vec![scenario],
            statistic.to_owned(),
            Estimator::Mean,
            move |runs| (value(&runs[0]), 1.0),
        )
    }

    /// The share of runs of a scenario for which `holds`.
    #[must_use]
    pub fn share_of_runs(
        scenario: Scenario,
        statistic: &str,
        holds: impl Fn(&RunRecord) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::runs(
            vec![scenario],
            statistic.to_owned(),
            Estimator::Proportion,
            move |runs| (f64::from(u8::from(holds(&runs[0]))), 1.0),
        )
    }

    /// The mean time, from a moment of a run of a scenario, until something is `reached`; the end of the run if it is not.
    #[must_use]
    pub fn passage(
        scenario: Scenario,
        statistic: &str,
        from: f64,
        reached: impl Fn(&Simulation) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::each(
            statistic.to_owned(),
            scenario.to_toml(),
            Estimator::Mean,
            move |seed, replication, options| {
                let mut simulation = match options.fault {
                    None => Simulation::new(&scenario, seed, replication),
                    Some(fault) => Simulation::with_fault(&scenario, seed, replication, fault),
                }?;
                simulation.run_to(from);
                simulation.run_while(scenario.until(), |simulation| !reached(simulation));
                Ok(Observed {
                    numerator: simulation.now() - from,
                    denominator: 1.0,
                    attempts: simulation.take_counts().attempts,
                })
            },
        )
    }

    /// A statistic of several scenarios run side by side with the same random streams.
    #[must_use]
    pub fn side_by_side(
        scenarios: Vec<Scenario>,
        statistic: &str,
        value: impl Fn(&[RunRecord]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self::runs(scenarios, statistic.to_owned(), Estimator::Mean, move |runs| {
            (value(runs), 1.0)
        })
    }

    /// The same mean, of values that cannot leave a range.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self {
            estimator: Estimator::RangedMean { low, high },
            ..self
        }
    }

    /// The same experiment with a constant added to the statistic.
    #[must_use]
    pub fn shifted(self, by: f64, statistic: &str) -> Self {
        self.mapped(statistic, move |observed| Observed {
            numerator: observed.numerator + by * observed.denominator,
            ..observed
        })
    }

    /// The same experiment with the statistic multiplied by a constant.
    #[must_use]
    pub fn scaled(self, factor: f64, statistic: &str) -> Self {
        self.mapped(statistic, move |observed| Observed {
            numerator: factor * observed.numerator,
            ..observed
        })
    }

    /// The same experiment with 1 less the statistic.
    #[must_use]
    pub fn complement(self, statistic: &str) -> Self {
        self.mapped(statistic, |observed| Observed {
            numerator: observed.denominator - observed.numerator,
            ..observed
        })
    }

    /// The same experiment with so many replications added up to one observation.
    ///
    /// # Panics
    /// With none.
    #[must_use]
    pub fn batched(self, replications: u64) -> Self {
        let inner = Arc::clone(&self.observe);
        let observe = move |seed, batches: Range<u64>, fault| {
            let each = inner(
                seed,
                batches.start * replications..batches.end * replications,
                fault,
            )?;
            let sum = |batch: &[Observed]| Observed {
                numerator: batch.iter().map(|observed| observed.numerator).sum(),
                denominator: batch.iter().map(|observed| observed.denominator).sum(),
                attempts: batch.iter().map(|observed| observed.attempts).sum(),
            };
            Ok(each.chunks(replications as usize).map(sum).collect())
        };
        Self {
            observe: Arc::new(observe),
            ..self
        }
    }

    fn mapped(self, statistic: &str, map: impl Fn(Observed) -> Observed + Send + Sync + 'static) -> Self {
        let inner = Arc::clone(&self.observe);
        let observe = move |seed, replications, fault| {
            Ok(inner(seed, replications, fault)?.into_iter().map(&map).collect())
        };
        Self {
            statistic: statistic.to_owned(),
            observe: Arc::new(observe),
            ..self
        }
    }

    /// One observation from the runs of all scenarios under one seed.
    fn runs(
        scenarios: Vec<Scenario>,
        statistic: String,
        estimator: Estimator,
        value: impl Fn(&[RunRecord]) -> (f64, f64) + Send + Sync + 'static,
    ) -> Self {
        Self::runs_with(Options::default(), scenarios, statistic, estimator, value)
    }

    /// The same, with what the records hold; the fault is that of the observation.
    fn runs_with(
        records: Options,
        scenarios: Vec<Scenario>,
        statistic: String,
        estimator: Estimator,
        value: impl Fn(&[RunRecord]) -> (f64, f64) + Send + Sync + 'static,
    ) -> Self {
        let subject = side_by_side(&scenarios);
        Self::each(
            statistic,
            subject,
            estimator,
            move |seed, replication, options| {
                let options = Options {
                    fault: options.fault,
                    ..records
                };
                let row: Vec<RunRecord> = scenarios
                    .iter()
                    .map(|scenario| simulate_one(scenario, seed, replication, &options))
                    .collect::<Result<_, _>>()?;
                let (numerator, denominator) = value(&row);
                Ok(Observed {
                    numerator,
                    denominator,
                    attempts: row.iter().map(|run| run.attempts_simulated).sum(),
                })
            },
        )
    }

    /// The general form: a function that observes the replication of a number under a seed, called in parallel.
    fn each(
        statistic: String,
        subject: String,
        estimator: Estimator,
        observe: impl Fn(u64, u64, &Options) -> Result<Observed, SimulationError> + Send + Sync + 'static,
    ) -> Self {
        let observe = move |seed, replications: Range<u64>, fault| {
            let options = Options {
                fault,
                ..Options::default()
            };
            replications
                .into_par_iter()
                .map(|replication| observe(seed, replication, &options))
                .collect()
        };
        Self {
            statistic,
            subject,
            estimator,
            observe: Arc::new(observe),
        }
    }

    /// A statistic of requests whose calls fail with a probability that is handed in from outside: no queue.
    #[must_use]
    pub fn calls(
        calls: Calls,
        statistic: &str,
        estimator: Estimator,
        value: impl Fn(&CallRecord) -> (f64, f64) + Send + Sync + 'static,
    ) -> Self {
        let subject = calls.to_string();
        let observe = move |seed, replications: Range<u64>, _| {
            Ok(retrylab_sim::calls::replicate(&calls, seed, replications)
                .into_iter()
                .map(|record| {
                    let (numerator, denominator) = value(&record);
                    Observed {
                        numerator,
                        denominator,
                        attempts: record.attempts_simulated(),
                    }
                })
                .collect())
        };
        Self {
            statistic: statistic.to_owned(),
            subject,
            estimator,
            observe: Arc::new(observe),
        }
    }
}

/// Scenarios as one text.
fn side_by_side(scenarios: &[Scenario]) -> String {
    scenarios
        .iter()
        .map(Scenario::to_toml)
        .collect::<Vec<_>>()
        .join("\n# side by side with\n\n")
}

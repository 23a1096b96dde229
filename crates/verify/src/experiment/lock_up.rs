//! Experiments about the time until a service locks up.

use retrylab_model::Scenario;
use retrylab_sim::{LockUp, LockUpCycles, LockUpWatch, Options, SimulationError, run_until_lock_up};

use super::{Estimator, Experiment, Observed, side_by_side};

/// Cycles that make one observation, so that sums of rare and heavy weights are not too skewed.
const CYCLES: u64 = 100;

impl Experiment {
    /// The mean time to lock up, from cycles that are split on their way: time at risk per lock-up.
    #[must_use]
    pub fn lock_up_time(scenario: &Scenario, cycles: LockUpCycles) -> Self {
        Self::time_to(
            scenario,
            cycles,
            "mean time until the last success before lock-up, from split cycles",
        )
    }

    /// The mean time to the goal of cycles that are split on their way, called by its name: time at risk per arrival.
    #[must_use]
    pub fn time_to(scenario: &Scenario, cycles: LockUpCycles, statistic: &str) -> Self {
        Self::each(
            statistic.to_owned(),
            scenario.to_toml(),
            Estimator::Ratio,
            move |seed, replication, options| {
                let sums = cycles.run(seed, replication * CYCLES..(replication + 1) * CYCLES, options)?;
                Ok(Observed {
                    numerator: sums.time,
                    denominator: sums.lock_ups,
                    attempts: sums.attempts_simulated,
                })
            },
        )
    }

    /// The mean of a value of the lock-up, in runs that are followed until they lock up.
    ///
    /// A run that has not locked up by the end of its scenario counts with the length of the run and as no lock-up, so that
    /// times to lock up are not underestimated.
    #[must_use]
    pub fn lock_ups(
        scenario: Scenario,
        watch: LockUpWatch,
        statistic: &str,
        value: impl Fn(&LockUp) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self::followed(scenario, watch, statistic, move |lock_up, until| match lock_up {
            Some(lock_up) => (value(lock_up), 1.0),
            None => (until, 0.0),
        })
    }

    /// The mean of a time of the lock-up over that of the last success, in the same runs, each followed until it locks up.
    ///
    /// Runs count with their whole length, in both, if they have not locked up by the end of their scenario.
    #[must_use]
    pub fn lock_up_ratio(
        scenario: Scenario,
        watch: LockUpWatch,
        statistic: &str,
        value: impl Fn(&LockUp) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self::followed(scenario, watch, statistic, move |lock_up, until| match lock_up {
            Some(lock_up) => (value(lock_up), lock_up.last_success),
            None => (until, until),
        })
    }

    /// Runs that are followed until they lock up: what each counts, from its lock-up, if it has one, and its length.
    fn followed(
        scenario: Scenario,
        watch: LockUpWatch,
        statistic: &str,
        counted: impl Fn(Option<&LockUp>, f64) -> (f64, f64) + Send + Sync + 'static,
    ) -> Self {
        Self::each(
            statistic.to_owned(),
            scenario.to_toml(),
            Estimator::Ratio,
            move |seed, replication, options| {
                let followed = run_until_lock_up(&scenario, seed, replication, watch, options)?;
                let (numerator, denominator) = counted(followed.lock_up.as_ref(), scenario.until());
                Ok(Observed {
                    numerator,
                    denominator,
                    attempts: followed.attempts_simulated,
                })
            },
        )
    }

    /// The factor between the mean times to lock up of two scenarios, the first over the second, each a scenario and what
    /// counts as locked up in it, run with the same random streams.
    ///
    /// Runs count with their whole length if they have not locked up by the end of their scenario, which therefore has to
    /// be so long that this does not happen.
    #[must_use]
    pub fn lock_up_factor(first: (Scenario, LockUpWatch), second: (Scenario, LockUpWatch)) -> Self {
        let subject = side_by_side(&[first.0.clone(), second.0.clone()]);
        Self::each(
            "mean time until the last success before lock-up, the first over the second".to_owned(),
            subject,
            Estimator::Ratio,
            move |seed, replication, options| {
                let (numerator, attempts) = last_success(&first, seed, replication, options)?;
                let (denominator, more) = last_success(&second, seed, replication, options)?;
                Ok(Observed {
                    numerator,
                    denominator,
                    attempts: attempts + more,
                })
            },
        )
    }

    /// The factor between the mean times to lock up of the scenarios of two experiments, with independent random numbers.
    ///
    /// With times X and lock-ups Y the factor is E\[X₁\]E\[Y₂\]/(E\[Y₁\]E\[X₂\]), and with independent observations these
    /// products are the expectations of X₁Y₂ and Y₁X₂.
    #[must_use]
    pub fn quotient(self, other: Self, statistic: &str) -> Self {
        /// Far from every seed that is in use otherwise.
        const OTHER_SEED: u64 = 0x5851_f42d_4c95_7f2d;
        let subject = format!("{}\n# divided by that of\n\n{}", self.subject, other.subject);
        Self {
            statistic: statistic.to_owned(),
            subject,
            estimator: Estimator::Ratio,
            observe: std::sync::Arc::new(move |seed, replications, fault| {
                let first = self.observe_with(seed, replications.clone(), fault)?;
                let second = other.observe_with(seed ^ OTHER_SEED, replications, fault)?;
                Ok(first
                    .into_iter()
                    .zip(second)
                    .map(|(first, second)| Observed {
                        numerator: first.numerator * second.denominator,
                        denominator: first.denominator * second.numerator,
                        attempts: first.attempts + second.attempts,
                    })
                    .collect())
            }),
        }
    }
}

/// The time of the last success before lock-up, or the length of the run without one, and what the run cost.
fn last_success(
    (scenario, watch): &(Scenario, LockUpWatch),
    seed: u64,
    replication: u64,
    options: &Options,
) -> Result<(f64, u64), SimulationError> {
    let followed = run_until_lock_up(scenario, seed, replication, *watch, options)?;
    let time = followed
        .lock_up
        .map_or_else(|| scenario.until(), |lock_up| lock_up.last_success);
    Ok((time, followed.attempts_simulated))
}

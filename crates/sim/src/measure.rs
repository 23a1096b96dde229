//! Measures: ratios of what was counted.

use retrylab_model::Scenario;

use crate::counts::Counts;

/// A measure of a tier behind the outermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TierMeasure {
    /// Attempts sent to the tier per new request at the outermost.
    AttemptsPerRequest,
    /// Share of the tier's requests that succeeded.
    Success,
    /// Share of the time of the tier's servers that they were serving.
    Utilization,
    /// Share of the service time completed at the tier that was spent on attempts whose client had given up.
    AbandonedWork,
}

impl TierMeasure {
    /// All of them.
    const ALL: [Self; 4] = [
        Self::AttemptsPerRequest,
        Self::Success,
        Self::Utilization,
        Self::AbandonedWork,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::AttemptsPerRequest => "attempts_per_request",
            Self::Success => "success",
            Self::Utilization => "utilization",
            Self::AbandonedWork => "abandoned_work",
        }
    }
}

/// A measure of a window. Each is a numerator over a denominator, see [`Counts::measure`], so that replications can be
/// combined by the ratio of their means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Requests that succeeded in the window per new request in it. Can exceed 1 after a backlog.
    Success,
    /// Attempts sent per new request.
    AttemptsPerRequest,
    /// Attempts sent per unit of time.
    AttemptRate,
    /// Share of the service time completed in the window that was spent on attempts whose client had given up.
    AbandonedWork,
    /// Share of the servers' time that they were busy; where a server serves many attempts at once, of those that it could.
    Utilization,
    /// Mean time from sending to the end of service of the attempts served, late ones included.
    SojournTimeMean,
    /// Mean square of that time.
    SojournTimeSecondMoment,
    /// Mean time from sending to the start of service of the attempts of which service started.
    WaitingTimeMean,
    /// Mean square of that time.
    WaitingTimeSecondMoment,
    /// Share of the services started that had to wait.
    WaitingProbability,
    /// Successes per unit of time.
    Goodput,
    /// Good answers that came in time per unit of time, those to requests that had succeeded already included.
    UsefulAnswers,
    /// Completions per unit of time.
    Throughput,
    /// Time average of the number of attempts waiting and in service.
    NumberInSystem,
    /// Time average of the number of attempts waiting.
    NumberInQueue,
    /// Growth of the number in system per unit of time.
    GrowthRate,
    /// Share of the attempts that were rejected.
    Blocking,
    /// Share of the attempts that the deadline check dropped.
    SkippedShare,
    /// Share of the attempts that were retries.
    RetryShare,
    /// Retries sent per unit of time.
    RetryRate,
    /// Share of the completions that came after the client had given up.
    LateShare,
    /// Requests given up for good in the window per new request in it.
    Failure,
    /// Retries that the budget denied, per new request.
    BudgetDenied,
    /// Share of the retries asked of the budget that it denied: those sent and those denied make the whole. With a
    /// backoff or a breaker a retry counts when it is sent and not when the budget allowed it.
    DeniedShare,
    /// Attempts that the breaker kept from being sent, per new request.
    BreakerDenied,
    /// Requests of which the breaker kept even the first attempt from being sent, per new request.
    UnsentRequests,
    /// Share of the completions with a sojourn time above the tail time of this index in `run.tail_times`.
    SojournTimeTail(usize),
    /// Share of the services started after a waiting time above the tail time of this index.
    WaitingTimeTail(usize),
    /// A measure of a tier behind the outermost, by its index in the scenario's `tiers`.
    Tier(usize, TierMeasure),
}

/// The measures without a parameter.
const UNPARAMETERISED: [Measure; 26] = [
    Measure::Success,
    Measure::AttemptsPerRequest,
    Measure::AttemptRate,
    Measure::AbandonedWork,
    Measure::Utilization,
    Measure::SojournTimeMean,
    Measure::SojournTimeSecondMoment,
    Measure::WaitingTimeMean,
    Measure::WaitingTimeSecondMoment,
    Measure::WaitingProbability,
    Measure::Goodput,
    Measure::UsefulAnswers,
    Measure::Throughput,
    Measure::NumberInSystem,
    Measure::NumberInQueue,
    Measure::GrowthRate,
    Measure::Blocking,
    Measure::SkippedShare,
    Measure::RetryShare,
    Measure::RetryRate,
    Measure::LateShare,
    Measure::Failure,
    Measure::BudgetDenied,
    Measure::DeniedShare,
    Measure::BreakerDenied,
    Measure::UnsentRequests,
];

impl Measure {
    /// Every measure of a scenario, those of tails at its `run.tail_times` and of its tiers last.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Vec<Self> {
        let tails = 0..scenario.run.tail_times.len();
        UNPARAMETERISED
            .into_iter()
            .chain(tails.clone().map(Self::SojournTimeTail))
            .chain(tails.map(Self::WaitingTimeTail))
            .chain((0..scenario.tiers.len()).flat_map(|tier| {
                let measures = TierMeasure::ALL.into_iter();
                measures.map(move |measure| Self::Tier(tier, measure))
            }))
            .collect()
    }

    /// The measure's name, such as `success`, `sojourn_time_tail@10` or, of the tier behind the outermost,
    /// `tier_2_utilization`.
    ///
    /// ```
    /// use retrylab_model::{ScenarioSpec, Traffic};
    /// use retrylab_sim::Measure;
    /// let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
    /// spec.run.tail_times = vec![10.0.into()];
    /// let scenario = spec.validate()?;
    /// assert_eq!(Measure::AbandonedWork.name(&scenario), "abandoned_work");
    /// assert_eq!(Measure::SojournTimeTail(0).name(&scenario), "sojourn_time_tail@10");
    /// # Ok::<(), retrylab_model::Invalid>(())
    /// ```
    ///
    /// # Panics
    /// When the index of a tail is beyond the scenario's tail times.
    #[must_use]
    pub fn name(self, scenario: &Scenario) -> String {
        let tail_time = |index: usize| scenario.run.tail_times[index];
        let name = match self {
            Self::Success => "success",
            Self::AttemptsPerRequest => "attempts_per_request",
            Self::AttemptRate => "attempt_rate",
            Self::AbandonedWork => "abandoned_work",
            Self::Utilization => "utilization",
            Self::SojournTimeMean => "sojourn_time_mean",
            Self::SojournTimeSecondMoment => "sojourn_time_second_moment",
            Self::WaitingTimeMean => "waiting_time_mean",
            Self::WaitingTimeSecondMoment => "waiting_time_second_moment",
            Self::WaitingProbability => "waiting_probability",
            Self::Goodput => "goodput",
            Self::UsefulAnswers => "useful_answers",
            Self::Throughput => "throughput",
            Self::NumberInSystem => "number_in_system",
            Self::NumberInQueue => "number_in_queue",
            Self::GrowthRate => "growth_rate",
            Self::Blocking => "blocking",
            Self::SkippedShare => "skipped_share",
            Self::RetryShare => "retry_share",
            Self::RetryRate => "retry_rate",
            Self::LateShare => "late_share",
            Self::Failure => "failure",
            Self::BudgetDenied => "budget_denied",
            Self::DeniedShare => "denied_share",
            Self::BreakerDenied => "breaker_denied",
            Self::UnsentRequests => "unsent_requests",
            Self::SojournTimeTail(index) => return format!("sojourn_time_tail@{}", tail_time(index)),
            Self::WaitingTimeTail(index) => return format!("waiting_time_tail@{}", tail_time(index)),
            Self::Tier(index, measure) => return format!("tier_{}_{}", index + 2, measure.name()),
        };
        name.to_owned()
    }
}

impl Counts {
    /// Numerator and denominator of a measure, times in the scenario's unit. Both are 0 where nothing happened that the
    /// measure is about.
    ///
    /// # Panics
    /// When the index of a tail is beyond the scenario's tail times, or that of a tier beyond its tiers.
    #[must_use]
    pub fn measure(&self, measure: Measure) -> (f64, f64) {
        let count = |value: u64| value as f64;
        let time = |ticks: u128| ticks as f64 * self.tick;
        let duration = time(self.duration);
        match measure {
            Measure::Success => (count(self.successes), count(self.requests)),
            Measure::AttemptsPerRequest => (count(self.attempts), count(self.requests)),
            Measure::AttemptRate => (count(self.attempts), duration),
            Measure::AbandonedWork => (time(self.late_service_time), time(self.service_time)),
            Measure::Utilization => (time(self.busy_time), duration * f64::from(self.slots)),
            Measure::SojournTimeMean => (time(self.sojourn_time_sum), count(self.completions)),
            Measure::SojournTimeSecondMoment => {
                let square = self.sojourn_time_square_sum.to_f64() * self.tick * self.tick;
                (square, count(self.completions))
            }
            Measure::WaitingTimeMean => (time(self.waiting_time_sum), count(self.services_started)),
            Measure::WaitingTimeSecondMoment => {
                let square = self.waiting_time_square_sum.to_f64() * self.tick * self.tick;
                (square, count(self.services_started))
            }
            Measure::WaitingProbability => (count(self.waited), count(self.services_started)),
            Measure::Goodput => (count(self.successes), duration),
            Measure::UsefulAnswers => (count(self.successes) + count(self.duplicate_answers), duration),
            Measure::Throughput => (count(self.completions), duration),
            Measure::NumberInSystem => (time(self.in_system_area), duration),
            Measure::NumberInQueue => (time(self.in_system_area - self.in_service_area), duration),
            Measure::GrowthRate => (
                count(self.in_system_at_end) - count(self.in_system_at_start),
                duration,
            ),
            Measure::Blocking => (count(self.rejected), count(self.attempts)),
            Measure::SkippedShare => (count(self.skipped), count(self.attempts)),
            Measure::RetryShare => (count(self.retries), count(self.attempts)),
            Measure::RetryRate => (count(self.retries), duration),
            Measure::LateShare => (count(self.late_completions), count(self.completions)),
            Measure::Failure => (count(self.failed_requests), count(self.requests)),
            Measure::BudgetDenied => (count(self.budget_denied), count(self.requests)),
            Measure::DeniedShare => (
                count(self.budget_denied),
                count(self.retries + self.budget_denied),
            ),
            Measure::BreakerDenied => (count(self.breaker_denied), count(self.requests)),
            Measure::UnsentRequests => (count(self.unsent_requests), count(self.requests)),
            Measure::SojournTimeTail(index) => {
                (count(self.sojourn_time_above[index]), count(self.completions))
            }
            Measure::WaitingTimeTail(index) => (
                count(self.waiting_time_above[index]),
                count(self.services_started),
            ),
            Measure::Tier(index, measure) => {
                let tier = &self.inner[index];
                match measure {
                    TierMeasure::AttemptsPerRequest => (count(tier.attempts), count(self.requests)),
                    TierMeasure::Success => tier.measure(Measure::Success),
                    TierMeasure::Utilization => tier.measure(Measure::Utilization),
                    TierMeasure::AbandonedWork => tier.measure(Measure::AbandonedWork),
                }
            }
        }
    }
}

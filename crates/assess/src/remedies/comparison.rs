//! A variant of the service beside the service as it is, under the same traffic.

use retrylab_sim::Measure;
use retrylab_verify::statistics::{ErrorRate, Interval, Moments, ranged_mean_interval};

use crate::aftermath::{Incidents, Moment};
use crate::course::Course;
use crate::error::AssessError;
use crate::evidence::{Evidence, Unit};
use crate::normal_day::{self, NormalDay};
use crate::service::Service;

/// Share of the lost requests that a remedy must save at least.
const WORTH_IT: f64 = 0.05;
/// Independent runs of a normal day for each variant.
const DAYS: u64 = 12;

/// The two things that are run with every variant.
#[derive(Debug)]
pub(crate) struct Trial {
    days: NormalDay,
    incidents: Incidents,
}

impl Trial {
    /// Runs a variant through the same normal days and the same incident as others.
    pub(crate) fn run(
        service: &Service,
        like: &Incidents,
        limit: f64,
        seed: u64,
    ) -> Result<Self, AssessError> {
        Self::of(
            service,
            Incidents::run(
                service,
                like.incident,
                (like.course, like.runs.len() as u64),
                limit,
                seed,
            )?,
            seed,
        )
    }

    /// Runs normal days beside incidents that were run before.
    pub(crate) fn of(service: &Service, incidents: Incidents, seed: u64) -> Result<Self, AssessError> {
        let days = NormalDay::run(
            &normal_day::scenario(service, normal_day::REQUESTS_COMPARED)?,
            seed,
            0..DAYS,
        )?;
        Ok(Self { days, incidents })
    }

    pub(crate) fn series(&self) -> Vec<Moment> {
        self.incidents.series()
    }

    pub(crate) fn attempts(&self) -> u64 {
        self.days.attempts + self.incidents.attempts()
    }

    /// The numbers of the variant beside those of the service as it is.
    pub(crate) fn against(
        &self,
        today: &Self,
        capacity: f64,
        alpha: ErrorRate,
    ) -> Result<Comparison, AssessError> {
        let success = self.days.success(alpha)?;
        let utilization = self.days.ratio(Measure::Utilization, (0.0, 1.0), alpha)?;
        let evidence = |name, measured: Option<normal_day::Measured>| {
            measured.map(|(value, interval)| Evidence::measured(name, value, &interval, Unit::Share))
        };
        Ok(Comparison {
            normal_success: evidence("normal_success", success),
            normal_difference: difference(&self.days, &today.days, alpha)?,
            stays_up: self.days.down() == 0,
            comes_back: self.incidents.back_evidence(alpha)?,
            always_back: self.incidents.always_back(),
            is_rescue: self.incidents.always_back() && today.incidents.never_back(),
            time_to_recover: self.incidents.recovery_evidence(alpha)?,
            lost: self.incidents.lost_evidence(alpha)?,
            lost_difference: {
                let pairs = self
                    .incidents
                    .lost_of_each()
                    .into_iter()
                    .zip(today.incidents.lost_of_each());
                let differences: Vec<f64> = pairs.map(|(variant, today)| variant - today).collect();
                Evidence::median("lost_difference", &differences, 0.0, alpha, Unit::Share)?
            },
            utilization: evidence("utilization", utilization),
            capacity: Evidence::given("capacity_factor", capacity, Unit::Number),
        })
    }
}

/// The difference in success on a normal day: the mean of the differences run by run, since both saw the same traffic, within what
/// the two shares by themselves allow.
fn difference(variant: &NormalDay, today: &NormalDay, alpha: ErrorRate) -> Result<Evidence, AssessError> {
    let pairs = variant.success_of_each().into_iter().zip(today.success_of_each());
    let sample: Moments = pairs.map(|(variant, today)| variant - today).collect();
    let share = alpha.halved();
    let paired = ranged_mean_interval(&sample, &Interval::certain(-1.0, 1.0)?, share)?;
    let apart = match (variant.success(share.halved())?, today.success(share.halved())?) {
        (Some((_, variant)), Some((_, today))) => {
            Interval::new(variant.low() - today.high(), variant.high() - today.low(), share)?
        }
        _ => paired,
    };
    let low = paired.low().max(apart.low()).min(sample.mean());
    let high = paired.high().min(apart.high()).max(sample.mean());
    let interval = Interval::new(low, high, alpha)?;
    Ok(Evidence::measured(
        "normal_success_difference",
        sample.mean(),
        &interval,
        Unit::Share,
    ))
}

/// What a variant does, and what that is against the service as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Share of requests that succeed on a normal day.
    pub normal_success: Option<Evidence>,
    /// That share minus today's.
    pub normal_difference: Evidence,
    /// Whether no normal day ended with the service down.
    pub stays_up: bool,
    /// Share of the runs in which it came back from the incident.
    pub comes_back: Evidence,
    /// Whether it came back in all of them.
    pub always_back: bool,
    /// Whether it came back in all of them, where the service as it is did in none.
    pub is_rescue: bool,
    /// Median time that this took.
    pub time_to_recover: Option<Evidence>,
    /// Share of the requests lost, from the beginning of the incident on; median of the runs.
    pub lost: Evidence,
    /// That share minus today's, median of the differences run by run.
    pub lost_difference: Evidence,
    /// Utilization on a normal day.
    pub utilization: Option<Evidence>,
    /// Times as much capacity as today.
    pub capacity: Evidence,
}

impl Comparison {
    /// Whether fewer requests are lost in the incident, beyond chance and by a share of today's that is worth it. What brings back a
    /// service that never came back is worth it however few of the watched requests that saves: most may be those of the incident itself.
    pub(crate) fn helps(&self) -> bool {
        let today = self.lost.estimate - self.lost_difference.estimate;
        let least = if self.is_rescue { 0.0 } else { WORTH_IT * today };
        self.lost_difference.high.is_some_and(|high| high < -least)
    }

    /// Whether the service goes down on a normal day, or fewer requests succeed by more than a tenth of the error budget. That need not
    /// be beyond chance: what may do harm is not recommended.
    pub(crate) fn harms(&self, error_budget: f64) -> bool {
        !self.stays_up || self.normal_difference.estimate < -0.1 * error_budget
    }

    /// What stands in place of the time to come back where it did not always: for how long it was watched, since it may come back later.
    #[must_use]
    pub fn not_back(&self, course: &Course) -> String {
        let watched = Evidence::given("watched", course.after(), Unit::Seconds);
        let often = if self.comes_back.estimate > 0.0 {
            "not always"
        } else {
            "not"
        };
        format!("{often} in {}", watched.shown.replace(' ', "\u{a0}"))
    }

    /// The numbers, in a fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = &Evidence> {
        let Self {
            normal_success,
            normal_difference,
            comes_back,
            time_to_recover,
            lost,
            lost_difference,
            utilization,
            capacity,
            ..
        } = self;
        let always = [normal_difference, comes_back, lost, lost_difference, capacity];
        normal_success
            .iter()
            .chain(always)
            .chain(time_to_recover)
            .chain(utilization)
    }
}

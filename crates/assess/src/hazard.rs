//! The smallest incidents from which the service does not come back.

use retrylab_verify::statistics::ErrorRate;

use crate::brink::{self, Brink, REPORT_RUNS, Spacing, Tried};
use crate::course::Course;
use crate::error::AssessError;
use crate::evidence::{Evidence, Unit};
use crate::incident::{Incident, MINUTE};
use crate::sentence::Sentence;
use crate::service::Service;

/// Stalls that are tried, the shortest as a share of the timeout or of some service times.
const STALL_SHARE_MIN: f64 = 0.02;
/// Shares of the capacity that are taken away.
const LOST: (f64, f64) = (0.02, 0.98);
/// Times as many requests as on a normal day.
const FACTORS: (f64, f64) = (1.02, 10.0);

/// A kind of incident whose size is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All servers stand still; the size is the time.
    Stall,
    /// Capacity is lost for a minute; the size is the share that is lost.
    Capacity,
    /// More requests come for a minute; the size is how many times as many.
    Load,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Stall, Self::Capacity, Self::Load];

    /// The incident of a size.
    #[must_use]
    pub fn incident(self, size: f64) -> Incident {
        let length = MINUTE;
        match self {
            Self::Stall => Incident::Stall { length: size },
            Self::Capacity => Incident::Capacity {
                share: 1.0 - size,
                length,
            },
            Self::Load => Incident::Load { factor: size, length },
        }
    }

    fn sizes(self, service: &Service) -> (f64, f64) {
        match self {
            Self::Stall => {
                let timeout = service
                    .spec()
                    .timeout
                    .map_or(0.0, |timeout| STALL_SHARE_MIN * timeout.value());
                (timeout.max(service.time().mean()).min(MINUTE / 2.0), MINUTE)
            }
            Self::Capacity => LOST,
            Self::Load => FACTORS,
        }
    }

    fn spacing(self) -> Spacing {
        match self {
            Self::Stall | Self::Load => Spacing::Geometric,
            Self::Capacity => Spacing::Linear,
        }
    }

    /// Whether two sizes are near enough.
    fn is_near(self, low: f64, high: f64) -> bool {
        match self {
            Self::Stall => high < 1.1 * low,
            Self::Capacity => high - low < 0.02,
            Self::Load => high < 1.03 * low,
        }
    }

    /// The id of its sentence.
    fn id(self) -> &'static str {
        match self {
            Self::Stall => "stall",
            Self::Capacity => "capacity-step",
            Self::Load => "load-step",
        }
    }

    fn evidence(self, name: &str, size: f64) -> Evidence {
        let unit = match self {
            Self::Stall => Unit::Seconds,
            Self::Capacity => Unit::Share,
            Self::Load => Unit::Number,
        };
        Evidence::given(name, size, unit)
    }
}

/// The brink of one kind of incident.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hazard {
    /// The kind.
    pub kind: Kind,
    /// Between which sizes.
    pub brink: Brink,
}

impl Hazard {
    /// Looks for it by simulation; `attempts` counts what that took.
    pub(crate) fn find(
        service: &Service,
        kind: Kind,
        limit: f64,
        seed: u64,
        attempts: &mut u64,
    ) -> Result<Self, AssessError> {
        let came_back = |size: f64, runs: std::ops::Range<u64>| {
            let incident = kind.incident(size);
            let runs = Course::of(service, &incident).run(service, &incident, limit, seed, runs)?;
            *attempts += runs.iter().map(|run| run.attempts).sum::<u64>();
            Ok(runs.iter().map(|run| run.recovery.is_some()).collect())
        };
        let brink = brink::find(
            kind.sizes(service),
            kind.spacing(),
            |low, high| kind.is_near(low, high),
            service.runs(REPORT_RUNS),
            came_back,
        )?;
        Ok(Self { kind, brink })
    }

    /// What it says.
    pub(crate) fn sentence(&self, service: &Service, alpha: ErrorRate) -> Result<Sentence, AssessError> {
        let sentence = Sentence::new(self.kind.id());
        let minute = || Evidence::given("length", MINUTE, Unit::Seconds);
        let named = |sentence: Sentence, name: &str, tried: &Tried| match self.kind {
            Kind::Stall => sentence
                .say("a stall of ")
                .give(self.kind.evidence(name, tried.size)),
            Kind::Capacity => sentence
                .say("losing ")
                .give(self.kind.evidence(name, tried.size))
                .say(" of the capacity for ")
                .give(minute()),
            Kind::Load => sentence
                .say("a load ")
                .give(self.kind.evidence(name, tried.size))
                .say(" times as high for ")
                .give(minute()),
        };
        let back = |sentence: Sentence, name: &str, tried: &Tried| -> Result<Sentence, AssessError> {
            let (share, interval) = tried.share(alpha)?;
            Ok(sentence.give(Evidence::measured(
                &format!("{name}_back"),
                share,
                &interval,
                Unit::Share,
            )))
        };
        let watched = |tried: &Tried| {
            let course = Course::of(service, &self.kind.incident(tried.size));
            Evidence::given("watched", course.after(), Unit::Seconds)
        };
        Ok(match &self.brink {
            Brink::Beyond(tried) => {
                let sentence = named(sentence.say("It comes back from "), "largest_tried", tried)
                    .say(", the most that was tried, in ");
                back(sentence, "largest_tried", tried)?.say(" of the runs.")
            }
            Brink::Below(tried) => {
                let sentence = named(sentence.say("Even "), "smallest_tried", tried)
                    .say(", the least that was tried, keeps it down: it comes back in ");
                back(sentence, "smallest_tried", tried)?
                    .say(" of the runs within ")
                    .give(watched(tried))
                    .say(".")
            }
            Brink::Between(last, first) => {
                let sentence =
                    named(sentence.say("It comes back from "), "comes_back_from", last).say(" in ");
                let sentence = back(sentence, "comes_back_from", last)?.say(" of the runs, and from ");
                let sentence = named(sentence, "does_not_come_back_from", first).say(" in ");
                back(sentence, "does_not_come_back_from", first)?
                    .say(" of them, within ")
                    .give(watched(first))
                    .say(" after it.")
            }
        })
    }
}

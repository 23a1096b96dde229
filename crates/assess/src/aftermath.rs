//! What happens after an incident, looked at closely.

use retrylab_verify::statistics::{ErrorRate, Successes};
use serde::Serialize;

use crate::course::{Aftermath, Course};
use crate::error::AssessError;
use crate::evidence::{Evidence, Unit};
use crate::incident::Incident;
use crate::sentence::Sentence;
use crate::service::Service;

/// Runs of the incident, and of each remedy through it, at most.
pub(crate) const RUNS: u64 = 12;
/// Signs of a line of blocks that draws success over time.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Blocks in the line.
const LINE: usize = 48;

/// A moment of the time series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moment {
    /// Seconds since the incident began, the middle of a window; negative before.
    pub time: f64,
    /// Success per new request, mean of the runs.
    pub success: f64,
    /// Least of the runs.
    pub least: f64,
    /// Most of the runs.
    pub most: f64,
}

/// Runs of an incident.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Incidents {
    pub(crate) incident: Incident,
    pub(crate) course: Course,
    pub(crate) runs: Vec<Aftermath>,
}

impl Incidents {
    /// Runs a service through an incident along a course, so that variants of the service are watched for the same time.
    pub(crate) fn run(
        service: &Service,
        incident: Incident,
        (course, runs): (Course, u64),
        limit: f64,
        seed: u64,
    ) -> Result<Self, AssessError> {
        let runs = course.run(service, &incident, limit, seed, 0..runs)?;
        Ok(Self {
            incident,
            course,
            runs,
        })
    }

    pub(crate) fn attempts(&self) -> u64 {
        self.runs.iter().map(|run| run.attempts).sum()
    }

    /// In how many of the runs the service came back.
    pub(crate) fn back(&self) -> Successes {
        let mut back = Successes::default();
        for run in &self.runs {
            back.push(run.recovery.is_some());
        }
        back
    }

    pub(crate) fn always_back(&self) -> bool {
        self.runs.iter().all(|run| run.recovery.is_some())
    }

    pub(crate) fn never_back(&self) -> bool {
        self.runs.iter().all(|run| run.recovery.is_none())
    }

    pub(crate) fn back_evidence(&self, alpha: ErrorRate) -> Result<Evidence, AssessError> {
        let back = self.back();
        let share = back.proportion().unwrap_or(0.0);
        Ok(Evidence::measured(
            "comes_back",
            share,
            &back.clopper_pearson(alpha)?,
            Unit::Share,
        ))
    }

    /// Median time to come back, where it always does.
    pub(crate) fn recovery_evidence(&self, alpha: ErrorRate) -> Result<Option<Evidence>, AssessError> {
        let times: Option<Vec<f64>> = self.runs.iter().map(|run| run.recovery).collect();
        let Some(times) = times else {
            return Ok(None);
        };
        // A time is the end of a window: it is known to within one.
        let time = Evidence::median(
            "time_to_recover",
            &times,
            self.course.window,
            alpha,
            Unit::Seconds,
        )?;
        Ok(Some(time.not_negative()))
    }

    /// Share of the requests of each run, from the beginning of the incident on, that did not succeed.
    pub(crate) fn lost_of_each(&self) -> Vec<f64> {
        self.runs
            .iter()
            .map(|run| {
                if run.requests > 0.0 {
                    (run.lost / run.requests).min(1.0)
                } else {
                    0.0
                }
            })
            .collect()
    }

    pub(crate) fn lost_evidence(&self, alpha: ErrorRate) -> Result<Evidence, AssessError> {
        Ok(Evidence::median(
            "lost",
            &self.lost_of_each(),
            0.0,
            alpha,
            Unit::Share,
        )?)
    }

    /// Success over time.
    pub(crate) fn series(&self) -> Vec<Moment> {
        let windows = self.runs.iter().map(|run| run.success.len()).min().unwrap_or(0);
        (0..windows)
            .map(|window| {
                let values = || self.runs.iter().map(|run| run.success[window]);
                Moment {
                    time: (window as f64 + 0.5) * self.course.window - self.course.begins,
                    success: values().sum::<f64>() / self.runs.len() as f64,
                    least: values().fold(f64::INFINITY, f64::min),
                    most: values().fold(f64::NEG_INFINITY, f64::max),
                }
            })
            .collect()
    }

    pub(crate) fn sentences(&self, alpha: ErrorRate) -> Result<Vec<Sentence>, AssessError> {
        let watched = Evidence::given("watched", self.course.after(), Unit::Seconds);
        let back = clause(
            Sentence::new("recovery").say("After an incident in which "),
            &self.incident,
        )
        .say(", it comes back in ");
        let back = back.give(self.back_evidence(alpha)?).say(" of the runs");
        let back = match self.recovery_evidence(alpha)? {
            Some(time) => back.say(", after a median of ").give(time).say("."),
            None => back.say(", watched for ").give(watched).say(" after its end."),
        };
        let lost = Sentence::new("lost")
            .say("Of the requests from its beginning on, ")
            .give(self.lost_evidence(alpha)?)
            .say(" are lost, in the median run.");
        Ok(vec![back, lost, self.line()])
    }

    /// Success over time as a line of blocks.
    fn line(&self) -> Sentence {
        let series: Vec<Moment> = self
            .series()
            .into_iter()
            .filter(|moment| moment.time >= 0.0)
            .collect();
        let count = series.len().clamp(1, LINE);
        let blocks: String = (0..count)
            .map(|block| {
                let part = &series
                    [block * series.len() / count..((block + 1) * series.len() / count).min(series.len())];
                let mean = part.iter().map(|moment| moment.success).sum::<f64>() / part.len().max(1) as f64;
                let level = (mean.clamp(0.0, 1.0) * (BLOCKS.len() - 1) as f64).round();
                BLOCKS[level as usize]
            })
            .collect();
        let end = self.course.until - self.course.begins;
        Sentence::new("success-over-time")
            .say("Success from the beginning of the incident to ")
            .give(Evidence::given("end", end, Unit::Seconds))
            .say(format!(" later: {blocks}"))
    }
}

/// Says what an incident is.
pub(crate) fn clause(sentence: Sentence, incident: &Incident) -> Sentence {
    match *incident {
        Incident::Stall { length } => sentence.say("all servers stand still for ").give(Evidence::given(
            "length",
            length,
            Unit::Seconds,
        )),
        Incident::Capacity { share, length } => sentence
            .give(Evidence::given("lost_capacity", 1.0 - share, Unit::Share))
            .say(" of the capacity is lost for ")
            .give(Evidence::given("length", length, Unit::Seconds)),
        Incident::Load { factor, length } => sentence
            .say("the load is ")
            .give(Evidence::given("factor", factor, Unit::Number))
            .say(" times as high for ")
            .give(Evidence::given("length", length, Unit::Seconds)),
    }
}

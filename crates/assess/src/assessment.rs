//! The whole assessment, section by section.

use retrylab_model::ServiceTime;
use retrylab_verify::statistics::ErrorRate;
use serde::Serialize;

use crate::aftermath::{Incidents, Moment, RUNS};
use crate::course::Course;
use crate::down;
use crate::error::AssessError;
use crate::hazard::{self, Hazard};
use crate::incident::{Incident, MINUTE};
use crate::lock_up::{self, LockUpTime};
use crate::normal_day::{self, NormalDay};
use crate::plan::{CONFIDENCE, alpha};
use crate::remedies::{self, Remedy};
use crate::sentence::Sentence;
use crate::service::Service;
use crate::today::{self, Today};
use crate::verdict;
use crate::worst_case;

/// A part of an assessment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Id that stays the same.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// What it says.
    pub sentences: Vec<Sentence>,
}

/// What is known about a service.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The service.
    pub service: Service,
    /// Seed of the random streams.
    pub seed: u64,
    /// Why it is at risk; empty where it is safe.
    pub risks: Vec<Sentence>,
    /// The verdict in one sentence.
    pub verdict: Sentence,
    /// What was found, in the order in which it was.
    pub sections: Vec<Section>,
    /// The incident that was looked at closely.
    pub incident: Incident,
    /// When things happened in it.
    pub course: Course,
    /// Success over time through it.
    pub series: Vec<Moment>,
    /// Success over time through it with the remedy to do first, where there is one.
    pub series_of_first: Vec<Moment>,
    /// The smallest incidents from which it does not come back; none where it is down on a normal day.
    pub hazards: Vec<Hazard>,
    /// The mean time to lock up.
    pub lock_up: LockUpTime,
    /// Remedies, the one to do first at the top.
    pub remedies: Vec<Remedy>,
    /// Attempts simulated.
    pub attempts: u64,
}

/// What an assessment tells while it goes on.
#[derive(Debug)]
pub enum Step<'a> {
    /// A section is complete.
    Section(&'a Section),
    /// Something that takes a while begins.
    Working(&'a str),
}

impl Assessment {
    /// Whether the service is at risk.
    #[must_use]
    pub fn is_at_risk(&self) -> bool {
        !self.risks.is_empty()
    }
}

/// Share of requests that succeed while a service is down on every normal day: what it is to come back to is near this.
const NORMAL_UNKNOWN: f64 = 0.99;

/// Assesses a service. `step` hears of each section as soon as it is complete.
///
/// # Errors
/// [`AssessError`] when the service cannot be simulated.
pub fn assess(
    service: &Service,
    seed: u64,
    step: &mut dyn FnMut(Step<'_>),
) -> Result<Assessment, AssessError> {
    let alpha = alpha()?;
    let mut work = Work {
        service,
        seed,
        alpha,
        attempts: 0,
        sections: Vec::new(),
        step,
    };
    let mut known = vec![today::load(service)];
    known.extend(today::measured(service));
    known.extend(worst_case::sentences(service));
    work.finish("worst-case", "Load, and the worst case", known);

    let (days, limit) = work.today()?;
    let lock_up = work.lock_up(&days)?;
    let hazards = if days.is_down() {
        Vec::new()
    } else {
        work.hazards(limit)?
    };
    let incidents = work.incident(limit)?;
    let (remedies, series_of_first) = work.remedies(&incidents, limit)?;
    let risks = verdict::risks(&verdict::Known {
        service,
        days: &days,
        lock_up: &lock_up,
        hazards: &hazards,
        incidents: &incidents,
        alpha,
    })?;
    Ok(Assessment {
        service: service.clone(),
        seed,
        verdict: verdict::sentence(service, &lock_up, &risks),
        risks,
        sections: work.sections,
        incident: incidents.incident,
        course: incidents.course,
        series: incidents.series(),
        series_of_first,
        hazards,
        lock_up,
        remedies,
        attempts: work.attempts,
    })
}

/// An assessment that goes on.
struct Work<'a> {
    service: &'a Service,
    seed: u64,
    alpha: ErrorRate,
    attempts: u64,
    sections: Vec<Section>,
    step: &'a mut dyn FnMut(Step<'_>),
}

impl Work<'_> {
    fn finish(&mut self, id: &'static str, title: &'static str, sentences: Vec<Sentence>) {
        let section = Section { id, title, sentences };
        (self.step)(Step::Section(&section));
        self.sections.push(section);
    }

    /// A normal day, and the share of successes below which the service is down.
    fn today(&mut self) -> Result<(NormalDay, f64), AssessError> {
        (self.step)(Step::Working("normal days"));
        let runs = 0..normal_day::RUNS;
        let whole = NormalDay::run(
            &normal_day::scenario(self.service, normal_day::REQUESTS)?,
            self.seed,
            runs.clone(),
        )?;
        self.attempts += whole.attempts;
        // What the service itself does is measured without the loops further out, whose latency is not its own.
        let own = if self.service.spec().callers.is_empty() {
            None
        } else {
            let alone = self.service.modified(|spec| spec.callers.clear())?;
            let own = NormalDay::run(
                &normal_day::scenario(&alone, normal_day::REQUESTS)?,
                self.seed,
                runs,
            )?;
            self.attempts += own.attempts;
            Some(own)
        };
        let today = Today {
            service: self.service,
            whole: &whole,
            own: own.as_ref().unwrap_or(&whole),
            alpha: self.alpha,
        };
        let sentences = today.sentences()?;
        let normal = if whole.is_down() {
            NORMAL_UNKNOWN
        } else {
            today::success(&whole, self.alpha)?
        };
        self.finish("today", "Today", sentences);
        let limit = down::limit(&whole, normal, self.service.window());
        Ok((whole, limit))
    }

    fn lock_up(&mut self, days: &NormalDay) -> Result<LockUpTime, AssessError> {
        (self.step)(Step::Working("the time until it locks up by itself"));
        let (time, attempts) = lock_up::measure(self.service, days, self.seed, self.alpha)?;
        self.attempts += attempts;
        let sentence = lock_up::sentence(self.service, &time);
        self.finish("lock-up", "Left alone", vec![sentence]);
        Ok(time)
    }

    fn hazards(&mut self, limit: f64) -> Result<Vec<Hazard>, AssessError> {
        let mut hazards = Vec::new();
        let mut sentences = Vec::new();
        for kind in hazard::Kind::ALL {
            (self.step)(Step::Working(
                "the smallest incidents from which it does not come back",
            ));
            let hazard = Hazard::find(self.service, kind, limit, self.seed, &mut self.attempts)?;
            sentences.push(hazard.sentence(self.service, self.alpha)?);
            hazards.push(hazard);
        }
        self.finish("hazards", "One bad minute", sentences);
        Ok(hazards)
    }

    fn incident(&mut self, limit: f64) -> Result<Incidents, AssessError> {
        let given = self.service.spec().incident.as_ref();
        let incident = given.map_or(Incident::Stall { length: MINUTE }, |given| {
            given.incident(self.service.rate())
        });
        let course = Course::of(self.service, &incident);
        let runs = self.service.runs(RUNS);
        let incidents = Incidents::run(self.service, incident, (course, runs), limit, self.seed)?;
        self.attempts += incidents.attempts();
        let sentences = incidents.sentences(self.alpha)?;
        self.finish("incident", "After an incident", sentences);
        Ok(incidents)
    }

    fn remedies(
        &mut self,
        incidents: &Incidents,
        limit: f64,
    ) -> Result<(Vec<Remedy>, Vec<Moment>), AssessError> {
        let step = &mut self.step;
        let mut tried =
            |done: usize, of: usize| step(Step::Working(&format!("remedies, {done} of {of} tried")));
        let compared = remedies::compare(self.service, incidents, limit, self.seed, self.alpha, &mut tried)?;
        self.attempts += compared.attempts;
        let sentences = remedies::sentences(&compared.remedies, incidents, self.alpha)?;
        self.finish("remedies", "What would help", sentences);
        Ok((compared.remedies, compared.series_of_first))
    }
}

impl Serialize for Assessment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Assessment", 12)?;
        object.serialize_field("verdict", if self.is_at_risk() { "at-risk" } else { "safe" })?;
        object.serialize_field("conclusion", &self.verdict)?;
        object.serialize_field("risks", &self.risks)?;
        object.serialize_field("sections", &self.sections)?;
        object.serialize_field("remedies", &self.remedies)?;
        object.serialize_field("series", &self.series)?;
        object.serialize_field("series_of_first_remedy", &self.series_of_first)?;
        object.serialize_field("service", &self.service.to_json())?;
        object.serialize_field("measured_latencies", &measured(&self.service))?;
        object.serialize_field("confidence", &CONFIDENCE)?;
        object.serialize_field("seed", &self.seed)?;
        object.serialize_field("attempts", &self.attempts)?;
        object.end()
    }
}

/// Which file service times come from, by its checksum.
fn measured(service: &Service) -> Option<serde_json::Value> {
    let ServiceTime::Measured(measured) = service.time() else {
        return None;
    };
    let latencies = measured.latencies.as_ref()?;
    Some(serde_json::json!({
        "file": measured.file,
        "sha256": latencies.sha256(),
        "count": latencies.count(),
        "mean": measured.mean(),
        "scv": measured.scv(),
    }))
}

//! What would prevent it: variants of the service, compared under the same traffic, and which of them to do first.

mod candidates;
mod comparison;

use retrylab_verify::statistics::ErrorRate;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use candidates::Kind;
pub use comparison::Comparison;

use crate::aftermath::{Incidents, Moment};
use crate::error::AssessError;
use crate::evidence::{Evidence, Unit};
use crate::sentence::Sentence;
use crate::service::Service;

use self::comparison::Trial;

/// A remedy that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Remedy {
    /// What kind of remedy it is.
    pub kind: Kind,
    /// What to do, as an imperative.
    pub what: Sentence,
    /// What it is called in a table.
    pub name: Sentence,
    /// What it did.
    pub comparison: Comparison,
    /// Whether the simulation showed that the service always comes back with it, that it helps, and that it does no harm.
    pub is_recommended: bool,
    /// Whether it is the best of its kind.
    pub is_best_of_kind: bool,
}

impl Serialize for Remedy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Remedy", 7)?;
        object.serialize_field("kind", self.kind.id())?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("what", &self.what)?;
        object.serialize_field("recommended", &self.is_recommended)?;
        object.serialize_field("best_of_kind", &self.is_best_of_kind)?;
        object.serialize_field("stays_up", &self.comparison.stays_up)?;
        object.serialize_field("numbers", &self.comparison.numbers().collect::<Vec<_>>())?;
        object.end()
    }
}

/// What was compared.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) remedies: Vec<Remedy>,
    /// Success over time through the incident with the remedy to do first, where one is recommended.
    pub(crate) series_of_first: Vec<Moment>,
    pub(crate) attempts: u64,
}

/// Tries every candidate through the incident and normal days; the best first. `tried` hears after each how many of how many are
/// done.
pub(crate) fn compare(
    service: &Service,
    today: &Incidents,
    limit: f64,
    seed: u64,
    alpha: ErrorRate,
    tried: &mut dyn FnMut(usize, usize),
) -> Result<Compared, AssessError> {
    let candidates = candidates::all(service)?;
    let count = candidates.len();
    let base = Trial::of(service, today.clone(), seed)?;
    let mut attempts = base.attempts() - today.attempts();
    let error_budget = 1.0 - service.spec().objective;
    let mut compared = Vec::new();
    for (index, candidate) in candidates.into_iter().enumerate() {
        let trial = Trial::run(&candidate.service, today, limit, seed)?;
        attempts += trial.attempts();
        let comparison = trial.against(&base, candidate.capacity, alpha)?;
        let remedy = Remedy {
            kind: candidate.kind,
            what: candidate.what,
            name: candidate.name,
            is_recommended: comparison.always_back && comparison.helps() && !comparison.harms(error_budget),
            is_best_of_kind: false,
            comparison,
        };
        compared.push((remedy, trial.series()));
        tried(index + 1, count);
    }
    rank(&mut compared);
    let first = compared.first().filter(|(remedy, _)| remedy.is_recommended);
    Ok(Compared {
        series_of_first: first.map_or_else(Vec::new, |(_, series)| series.clone()),
        remedies: compared.into_iter().map(|(remedy, _)| remedy).collect(),
        attempts,
    })
}

/// Sorts remedies, the one to do first at the top: those that are recommended; then those after which the service always came back; of
/// each those that need neither more capacity nor more patience, since a success that takes longer than today's timeout is not the same
/// success; then by the share of requests lost, to whole percents, and what takes least to do.
fn rank(remedies: &mut [(Remedy, Vec<Moment>)]) {
    let key = |remedy: &Remedy| {
        (
            !remedy.is_recommended,
            !remedy.comparison.always_back,
            remedy.comparison.capacity.estimate > 1.0 || remedy.kind == Kind::Timeout,
        )
    };
    remedies.sort_by(|(one, _), (other, _)| {
        let lost = |remedy: &Remedy| remedy.comparison.lost.estimate;
        let percents = |remedy: &Remedy| (100.0 * lost(remedy)).round();
        key(one)
            .cmp(&key(other))
            .then_with(|| percents(one).total_cmp(&percents(other)))
            .then_with(|| one.kind.cmp(&other.kind))
            .then_with(|| lost(one).total_cmp(&lost(other)))
    });
    let mut seen = Vec::new();
    for (remedy, _) in remedies {
        remedy.is_best_of_kind = !seen.contains(&remedy.kind);
        seen.push(remedy.kind);
    }
}

/// What they say, the one to do first at the top.
pub(crate) fn sentences(
    remedies: &[Remedy],
    today: &Incidents,
    alpha: ErrorRate,
) -> Result<Vec<Sentence>, AssessError> {
    let tried = Evidence::given("variants_tried", remedies.len() as f64, Unit::Count);
    let Some(first) = remedies.first().filter(|remedy| remedy.is_recommended) else {
        let sentence = Sentence::new("no-remedy").say("Of the ").give(tried).say(if today.always_back() {
            " variants that were tried, none saves a share of the lost requests that is worth it, without harm on a normal day. It always comes back as it is."
        } else {
            " variants that were tried, none always brings it back and saves a share of the lost requests that is worth it, without harm on a normal day."
        });
        return Ok(vec![sentence]);
    };
    let recommended = remedies.iter().filter(|remedy| remedy.is_recommended).count();
    let mut effect = Sentence::new("first-remedy")
        .say("Do first: ")
        .join(&first.what)
        .say(". Then it comes back in ")
        .give(first.comparison.comes_back.clone())
        .say(" of the runs");
    if let Some(time) = &first.comparison.time_to_recover {
        effect = effect.say(", after a median of ").give(time.clone());
    }
    let effect = effect
        .say(", and ")
        .give(first.comparison.lost.clone())
        .say(" of the requests are lost instead of ")
        .give(today.lost_evidence(alpha)?)
        .say(".");
    let mut sentences = vec![effect];
    if let Some(success) = &first.comparison.normal_success {
        sentences.push(
            Sentence::new("first-remedy-normal")
                .say("On a normal day ")
                .give(success.clone())
                .say(" of the requests succeed with it, a difference of ")
                .give(first.comparison.normal_difference.clone())
                .say(" of the requests against today under the same traffic."),
        );
    }
    sentences.push(
        Sentence::new("remedies-tried")
            .say("Of the ")
            .give(tried)
            .say(" variants that were tried, ")
            .give(Evidence::given(
                "variants_recommended",
                recommended as f64,
                Unit::Count,
            ))
            .say(" always bring it back and save lost requests to a degree that is worth it, without harm on a normal day."),
    );
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;

    fn number(value: f64) -> Evidence {
        Evidence::given("number", value, Unit::Share)
    }

    /// A remedy that always brings a service back with so many requests lost.
    fn remedy(kind: Kind, capacity: f64, lost: f64) -> (Remedy, Vec<Moment>) {
        let comparison = Comparison {
            normal_success: None,
            normal_difference: number(0.0),
            stays_up: true,
            comes_back: number(1.0),
            always_back: true,
            is_rescue: true,
            time_to_recover: None,
            lost: number(lost),
            lost_difference: Evidence {
                low: Some(lost - 1.0),
                high: Some(lost - 1.0),
                ..number(lost - 1.0)
            },
            utilization: None,
            capacity: number(capacity),
        };
        let remedy = Remedy {
            kind,
            what: Sentence::new("what"),
            name: Sentence::new("name"),
            is_recommended: comparison.helps(),
            is_best_of_kind: false,
            comparison,
        };
        (remedy, Vec::new())
    }

    #[test]
    fn more_patience_is_not_what_to_do_first() {
        // With a timeout of minutes everybody is answered, in minutes.
        let mut remedies = [
            remedy(Kind::Timeout, 1.0, 0.0),
            remedy(Kind::Capacity, 2.0, 0.1),
            remedy(Kind::Attempts, 1.0, 0.3),
            remedy(Kind::Lifo, 1.0, 0.2),
        ];
        rank(&mut remedies);
        let kinds = remedies.map(|(remedy, _)| remedy.kind);
        assert_eq!(kinds, [Kind::Lifo, Kind::Attempts, Kind::Timeout, Kind::Capacity]);
    }

    #[test]
    fn what_brings_a_service_back_helps_even_where_the_incident_itself_costs_most() {
        // All but the last second of a minute is lost either way.
        let (mut rescue, _) = remedy(Kind::Lifo, 1.0, 0.99);
        assert!(rescue.is_recommended);
        rescue.comparison.is_rescue = false;
        assert!(
            !rescue.comparison.helps(),
            "a hundredth is not worth it by itself"
        );
    }

    #[test]
    fn what_is_not_back_yet_may_come_back_later() {
        let course = Course {
            begins: 10.0,
            ends: 70.0,
            until: 440.0,
            window: 2.0,
        };
        let (Remedy { mut comparison, .. }, _) = remedy(Kind::Capacity, 2.0, 1.0);
        for (share, said) in [(0.0, "not in 370\u{a0}s"), (0.58, "not always in 370\u{a0}s")] {
            comparison.comes_back = number(share);
            assert_eq!(comparison.not_back(&course), said);
        }
    }
}

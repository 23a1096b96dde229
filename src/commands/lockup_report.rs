//! What `retrylab lockup` prints: sentences for people, one object for programs.

use retrylab_model::{Scale, Scenario};
use retrylab_sim::Goal;
use retrylab_verify::lock_up::{CYCLES, EVENTS_MAX, Measured, Outcome, Plan, Until};
use retrylab_verify::report::duration;
use retrylab_verify::report::numbers::{self, Interval};
use serde_json::{Value, json};

use crate::{measured_times, text_table};

/// How a time is found.
const METHOD: &str = "regenerative cycles between idle moments, split on the number of attempts in the system; ratio of means over \
                      independent observations, Fieller's interval corrected for skewness, error rate spent over looks";
/// Mean service time with which a scenario without a unit is put into words, in seconds.
const ORIENTATION: f64 = 1e-3;

/// The answer about a scenario.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    outcome: &'a Outcome,
    confidence: f64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(scenario: &'a Scenario, plan: &'a Plan, outcome: &'a Outcome, confidence: f64) -> Self {
        Self {
            scenario,
            plan,
            outcome,
            confidence,
        }
    }

    pub(crate) fn json(&self) -> Value {
        let (name, reason) = match self.outcome {
            Outcome::Measured(_) => ("measured", None),
            Outcome::AtLeast(measured) => ("at-least", Some(self.out_of_reach(measured))),
            Outcome::Never(reason) => ("never", Some(reason.clone())),
            Outcome::AtOnce(reason) => ("at-once", Some(reason.clone())),
            Outcome::Unknown(reason) => ("unknown", Some(reason.clone())),
        };
        let measured = self.measured();
        let estimate = match self.outcome {
            Outcome::Measured(measured) => Some(measured.time.value),
            _ => None,
        };
        let low = measured.and_then(|measured| measured.time.low);
        let high = match self.outcome {
            Outcome::Measured(measured) => measured.time.high,
            _ => None,
        };
        let said = estimate.or(low);
        json!({
            "scenario": measured_times::scenario_json(self.scenario),
            "outcome": name,
            "reason": reason,
            "estimate": estimate,
            "low": low,
            "high": high,
            "confidence": measured.map(|_| self.confidence),
            "time_unit": match self.scale() {
                Scale::Seconds => "second",
                Scale::Dimensionless => "the scenario's own",
            },
            "mean_services": estimate.map(|time| self.services(time)),
            "human_time": said.map(|time| duration::words(self.seconds(time))),
            "human_time_assumes": match self.scale() {
                Scale::Seconds => Value::Null,
                Scale::Dimensionless => json!("a mean service time of one millisecond"),
            },
            "definition": measured.map(|measured| self.definition(measured.goal)),
            "backlog": measured.map(|measured| measured.goal.in_system()),
            "method": measured.map(|_| METHOD),
            "thresholds": measured.map(|measured| {
                let threshold = |threshold: &retrylab_sim::Threshold| json!({
                    "in_system": threshold.in_system,
                    "branches": threshold.branches,
                });
                measured.thresholds.as_slice().iter().map(threshold).collect::<Vec<_>>()
            }),
            "seed": self.plan.seed,
            "cycles": measured.map(|measured| measured.cycles),
            "replications": measured.map(|measured| measured.time.replications),
            "looks": measured.map(|measured| measured.looks),
            "attempts": measured.map(|measured| measured.attempts),
            "precision": { "asked": self.plan.precision, "reached": measured.map(|measured| measured.is_precise) },
            "notes": measured_times::notes(self.scenario),
        })
    }

    pub(crate) fn text(&self) -> String {
        let mut lines = Vec::new();
        if !self.scenario.name.is_empty() {
            lines.push(self.scenario.name.clone());
        }
        match self.outcome {
            Outcome::Measured(measured) => lines.extend(self.measured_lines(measured)),
            Outcome::AtLeast(measured) => {
                let low = measured.time.low.unwrap_or(0.0);
                lines.push(format!("{}: at least {}", self.asked(), self.time(low)));
                lines.push(format!("that is at least {}", self.human(low)));
                lines.push(self.out_of_reach(measured));
                lines.extend(self.effort(measured));
            }
            Outcome::Never(reason) => lines.push(format!("does not lock up by itself: {reason}")),
            Outcome::AtOnce(reason) => lines.push(format!("locks up at once: {reason}")),
            Outcome::Unknown(reason) => lines.push(format!("no answer: {reason}")),
        }
        lines.extend(measured_times::lines(self.scenario));
        let mut table = text_table::plain();
        for line in lines {
            table.add_row([line]);
        }
        text_table::text(&table)
    }

    fn measured(&self) -> Option<&Measured> {
        match self.outcome {
            Outcome::Measured(measured) | Outcome::AtLeast(measured) => Some(measured),
            Outcome::Never(_) | Outcome::AtOnce(_) | Outcome::Unknown(_) => None,
        }
    }

    fn measured_lines(&self, measured: &Measured) -> Vec<String> {
        let time = measured.time;
        let interval = Interval::new(
            time.value,
            time.low.unwrap_or(0.0),
            time.high.unwrap_or(f64::INFINITY),
        );
        let unit = self.unit();
        let mut lines = vec![
            format!("{}: {}{unit}", self.question(measured.goal), interval.estimate()),
            format!(
                "{} interval: {}{unit}",
                numbers::confidence(self.confidence),
                interval.range()
            ),
            format!("that is {}", self.human(time.value)),
            self.definition(measured.goal),
        ];
        if !measured.is_precise {
            lines.push(format!(
                "the precision of {} was not reached within {} events",
                numbers::confidence(self.plan.precision),
                numbers::count(EVENTS_MAX)
            ));
        }
        lines.extend(self.effort(measured));
        lines
    }

    /// What time was measured: where there are too few places for a lock-up that lasts, that until all are taken.
    fn question(&self, goal: Goal) -> String {
        match (self.plan.until, goal) {
            (Until::LockUp, Goal::InSystem(places)) => {
                format!("mean time until all {} places are taken", numbers::count(places))
            }
            _ => self.asked(),
        }
    }

    /// What time was asked for.
    fn asked(&self) -> String {
        match self.plan.until {
            Until::LockUp => "mean time to lock up".to_owned(),
            Until::Full => "mean time until all places are taken".to_owned(),
            Until::InSystem(1) => "mean time until 1 is in the system".to_owned(),
            Until::InSystem(count) => format!("mean time until {} are in the system", numbers::count(count)),
        }
    }

    /// What is counted as having got there.
    fn definition(&self, goal: Goal) -> String {
        match (goal, self.plan.until) {
            (Goal::LockUp { backlog }, _) => format!(
                "from an idle service to the last success before there is none any more; known once {} attempts are in the \
                 system, from where it comes back with a probability of about 10⁻⁹",
                numbers::count(backlog)
            ),
            (Goal::InSystem(count), Until::LockUp)
                if self.scenario.server.places.map(u64::from) == Some(count) =>
            {
                format!(
                    "from an idle service until all {} places are taken, in a line that is not served within the timeout; these \
                     are so few that by chance it may come back",
                    numbers::count(count)
                )
            }
            (Goal::InSystem(1), _) => "from an idle service until 1 attempt is in it".to_owned(),
            (Goal::InSystem(count), _) => format!(
                "from an idle service until {} attempts are in the system, waiting and in service",
                numbers::count(count)
            ),
        }
    }

    fn out_of_reach(&self, measured: &Measured) -> String {
        format!(
            "the time itself is out of reach: the bound is the lower end of the {} interval of the mean time until {} attempts \
             are in the system, which comes before",
            numbers::confidence(self.confidence),
            numbers::count(measured.goal.in_system())
        )
    }

    fn effort(&self, measured: &Measured) -> Vec<String> {
        let thresholds = measured.thresholds.as_slice();
        let split = match thresholds {
            [] => "not split".to_owned(),
            [only] => format!("split at {}", only.in_system),
            [first, .., last] => format!(
                "split at {} thresholds from {} to {} in the system",
                thresholds.len(),
                numbers::count(first.in_system),
                numbers::count(last.in_system)
            ),
        };
        vec![format!(
            "{} cycles between idle moments in observations of {CYCLES}, {split}; {} attempts, seed {}",
            numbers::count(measured.cycles),
            numbers::count(measured.attempts),
            self.plan.seed
        )]
    }

    fn scale(&self) -> Scale {
        self.scenario.traffic.rate.scale()
    }

    fn unit(&self) -> &'static str {
        match self.scale() {
            Scale::Seconds => " s",
            Scale::Dimensionless => "",
        }
    }

    fn time(&self, time: f64) -> String {
        format!("{}{}", duration::two_digits(time), self.unit())
    }

    /// A time in mean service times.
    fn services(&self, time: f64) -> f64 {
        time / self.scenario.service.time.mean()
    }

    /// A time in seconds, of a mean service time of a millisecond where the scenario has no unit.
    fn seconds(&self, time: f64) -> f64 {
        match self.scale() {
            Scale::Seconds => time,
            Scale::Dimensionless => ORIENTATION * self.services(time),
        }
    }

    fn human(&self, time: f64) -> String {
        let words = duration::words(self.seconds(time));
        let services = duration::two_digits(self.services(time));
        match self.scale() {
            Scale::Seconds => format!("{words}, or {services} mean service times"),
            Scale::Dimensionless => {
                format!(
                    "{services} mean service times, or {words} if a service takes a millisecond on average"
                )
            }
        }
    }
}

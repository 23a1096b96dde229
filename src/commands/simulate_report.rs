//! What `retrylab simulate` prints: a table for people, one object for programs.

use retrylab_model::{Client, Scale, Scenario, Service};
use retrylab_sim::Measure;
use retrylab_verify::measures::{Dimension, Effort, MeasureEstimate, Plan, Survey};
use retrylab_verify::report::numbers::{self, Interval};
use serde_json::{Map, Value, json};

use crate::{measured_times, text_table};

/// Measures that serve calculations and not people.
const HIDDEN: [Measure; 2] = [Measure::SojournTimeSecondMoment, Measure::WaitingTimeSecondMoment];

/// The results of a simulation.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    survey: &'a Survey,
    confidence: f64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(scenario: &'a Scenario, plan: &'a Plan, survey: &'a Survey, confidence: f64) -> Self {
        Self {
            scenario,
            plan,
            survey,
            confidence,
        }
    }

    pub(crate) fn json(&self) -> Value {
        let mut measures = Map::new();
        let mut notes = measured_times::notes(self.scenario);
        for measure in &self.survey.measures {
            let estimate = measure.estimate.map_or(Value::Null, |mut number| {
                number.confidence = self.confidence;
                json!(number)
            });
            measures.insert(measure.name.clone(), estimate);
            if let Some(note) = &measure.note {
                notes.insert(measure.name.clone(), json!(note));
            }
        }
        let precision = match self.plan.effort {
            Effort::Precision(asked) => json!({ "asked": asked, "reached": self.survey.is_precise }),
            Effort::Replications(_) => Value::Null,
        };
        json!({
            "scenario": measured_times::scenario_json(self.scenario),
            "time_unit": match self.scenario.traffic.rate.scale() {
                Scale::Seconds => "second",
                Scale::Dimensionless => "the scenario's own",
            },
            "seed": self.plan.seed,
            "replications": self.survey.replications,
            "looks": self.survey.looks,
            "attempts": self.survey.attempts,
            "precision": precision,
            "interrupted": self.survey.is_stopped,
            "measures": measures,
            "notes": notes,
        })
    }

    pub(crate) fn text(&self) -> String {
        let mut table = text_table::plain();
        let interval = format!("{} interval", numbers::confidence(self.confidence));
        table.set_header(["measure", "estimate", &interval]);
        let hidden = HIDDEN.map(|measure| measure.name(self.scenario));
        for measure in &self.survey.measures {
            if !measure.is_trivial && !hidden.contains(&measure.name) {
                table.add_row(row(measure, self.unit(measure.dimension)));
            }
        }
        format!("{}\n{}", self.heading(), text_table::text(&table))
    }

    /// What stands behind an estimate: nothing where the scenario gives times without a unit.
    fn unit(&self, dimension: Dimension) -> &'static str {
        match (self.scenario.traffic.rate.scale(), dimension) {
            (Scale::Dimensionless, _) | (_, Dimension::Number) => "",
            (Scale::Seconds, Dimension::Time) => " s",
            (Scale::Seconds, Dimension::TimeSquared) => " s²",
            (Scale::Seconds, Dimension::Rate) => " /s",
        }
    }

    /// What was simulated.
    fn heading(&self) -> String {
        let scenario = self.scenario;
        let mut traits = vec![
            new_requests(scenario),
            format!("load {}", text_table::number(scenario.offered_load())),
            servers(&scenario.service),
            retrying(&scenario.client),
        ];
        if let Some(timeout) = scenario.client.timeout {
            traits.push(format!("timeout {timeout}"));
        }
        if scenario.tier_count() > 1 {
            traits.push(format!("outermost of {} tiers", scenario.tier_count()));
        }
        let unit = match scenario.traffic.rate.scale() {
            Scale::Seconds => " seconds",
            Scale::Dimensionless => "",
        };
        let effort = format!(
            "measured from {} to {}{unit} in {}, {} attempts, seed {}",
            text_table::number(scenario.measure_from()),
            text_table::number(scenario.until()),
            plural(self.survey.replications, "replication"),
            numbers::count(self.survey.attempts),
            self.plan.seed
        );
        let mut table = text_table::plain();
        if !scenario.name.is_empty() {
            table.add_row([scenario.name.clone()]);
        }
        table.add_row([traits.join(", ")]);
        table.add_row([effort]);
        for line in measured_times::lines(scenario) {
            table.add_row([line]);
        }
        text_table::text(&table)
    }
}

fn new_requests(scenario: &Scenario) -> String {
    let rate = scenario.traffic.rate;
    match rate.scale() {
        Scale::Seconds => format!("{rate} new requests"),
        Scale::Dimensionless => format!("{rate} new requests per unit of time"),
    }
}

fn servers(service: &Service) -> String {
    let servers = plural(u64::from(service.servers), "server");
    match service.concurrency {
        1 => servers,
        concurrency => format!(
            "{servers} of {} attempts each",
            numbers::count(u64::from(concurrency))
        ),
    }
}

/// How often clients try: a number of retries per failure takes the place of a number of attempts.
fn retrying(client: &Client) -> String {
    match client.retries_per_failure {
        Some(retries) => format!("{} retries per failure", text_table::number(retries)),
        None => plural(u64::from(client.attempts), "attempt"),
    }
}

fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", numbers::count(count))
}

fn row(measure: &MeasureEstimate, unit: &str) -> [String; 3] {
    let note = measure.note.clone().unwrap_or_default();
    match measure.estimate {
        None => [measure.name.clone(), "none".to_owned(), note],
        Some(number) => match (number.low, number.high) {
            (Some(low), Some(high)) => {
                let interval = Interval::new(number.value, low, high);
                let is_end = number.value <= low || number.value >= high;
                // An end of its own interval is a number that every replication gave: all its digits count.
                let estimate = if is_end {
                    numbers::number(number.value)
                } else {
                    interval.estimate()
                };
                [
                    measure.name.clone(),
                    format!("{estimate}{unit}"),
                    format!("{}{unit}", interval.range()),
                ]
            }
            _ => [
                measure.name.clone(),
                format!("{}{unit}", numbers::number(number.value)),
                note,
            ],
        },
    }
}

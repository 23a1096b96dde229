//! `retrylab compute`: closed forms and numerical solutions by name.

use std::process::ExitCode;

use clap::Args;
use retrylab_analytic::{QUANTITIES, Quantity, Value, find};
use retrylab_model::wording::{closest, quotation};
use serde::Serialize;
use serde_json::{Map, Number, json};

use crate::arguments::Options;
use crate::commands::compute_list;
use crate::failure::Failure;
use crate::{output, text_table};

const EXAMPLES: &str = "Examples:
  retrylab compute --list
  retrylab compute amplification failure_probability=0.1 retries=2
  retrylab compute mm1 arrival_rate=0.8 service_rate=1 time=10 probability=0.99 --json

Rates are per unit of time, any unit as long as all agree. A result that does
not exist for the given parameters is null in JSON, with the reason under \"notes\".";

/// Compute a quantity in closed form or numerically.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compute {
    /// Name of the quantity.
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    quantity: Option<String>,
    /// Its parameters, such as retries=2.
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// List every quantity with its parameters, their domains, its results and its source.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(command: &Compute, options: &Options) -> Result<ExitCode, Failure> {
    match &command.quantity {
        None => compute_list::run(options)?,
        Some(name) => {
            let quantity = find(name).ok_or_else(|| unknown(name))?;
            let report = Report::new(quantity, &command.parameters)?;
            if options.json {
                output::print_json(&report)?;
            } else {
                output::print(&report.text())?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str) -> Failure {
    let near = closest(name, QUANTITIES.iter().map(|quantity| quantity.name));
    let suggestion = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
    Failure::new(format!(
        "there is no quantity called \"{}\"; {suggestion}\"retrylab compute --list\" lists them all",
        quotation(name)
    ))
}

/// An evaluated quantity, in the shape of its JSON form.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(serialize_with = "serialize_name")]
    quantity: &'static Quantity,
    parameters: Map<String, serde_json::Value>,
    values: Map<String, serde_json::Value>,
    formula: &'static str,
    source: &'static str,
    notes: Map<String, serde_json::Value>,
}

fn serialize_name<S: serde::Serializer>(
    quantity: &&'static Quantity,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(quantity.name)
}

impl Report {
    fn new(quantity: &'static Quantity, arguments: &[String]) -> Result<Self, Failure> {
        let arguments: Vec<(&str, f64)> = arguments
            .iter()
            .map(|argument| parse_argument(argument, quantity))
            .collect::<Result<_, _>>()?;
        let evaluation = quantity.evaluate(&arguments)?;
        let mut report = Self {
            quantity,
            parameters: Map::new(),
            values: Map::new(),
            formula: quantity.formula,
            source: quantity.source,
            notes: Map::new(),
        };
        for (name, value) in evaluation.parameters {
            report.parameters.insert(name.to_owned(), number(value));
        }
        for (name, value) in evaluation.values {
            let shown = match value {
                Value::Number(value) => number(value),
                Value::Absent(reason) => {
                    report.notes.insert(name.to_owned(), reason.into());
                    json!(null)
                }
            };
            report.values.insert(name.to_owned(), shown);
        }
        Ok(report)
    }

    fn text(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut values = text_table::plain();
        for (name, meaning) in self.quantity.results {
            if let Some(value) = self.values.get(*name) {
                let shown = value
                    .as_f64()
                    .map_or_else(|| "none".to_owned(), text_table::number);
                values.add_row([(*name).to_owned(), shown, (*meaning).to_owned()]);
            }
        }
        let mut explanations = text_table::plain();
        for reason in self.reasons() {
            explanations.add_row(["none:", reason]);
        }
        explanations.add_row(["formula:", self.formula]);
        explanations.add_row(["source:", self.source]);
        format!(
            " {} {}\n\n{}\n{}",
            self.quantity.name,
            parameters.join(" "),
            text_table::text(&values),
            text_table::text(&explanations)
        )
    }

    /// Why results do not exist, each reason once.
    fn reasons(&self) -> Vec<&str> {
        let mut reasons: Vec<&str> = self
            .notes
            .values()
            .filter_map(serde_json::Value::as_str)
            .collect();
        reasons.dedup();
        reasons
    }
}

/// A whole number is written as one, since counts are parameters too.
fn number(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        Number::from_f64(value).map_or(json!(null), serde_json::Value::Number)
    }
}

fn parse_argument<'a>(argument: &'a str, quantity: &Quantity) -> Result<(&'a str, f64), Failure> {
    let known = || {
        let names: Vec<&str> = quantity
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        names.join(", ")
    };
    let Some((name, value)) = argument.split_once('=') else {
        return Err(Failure::new(format!(
            "\"{}\" is not name=value; {} takes {}",
            quotation(argument),
            quantity.name,
            known()
        )));
    };
    let value = value.trim().parse().map_err(|_| {
        Failure::new(format!(
            "{} is \"{}\", but must be a number such as 0.5 or 1e-3",
            quotation(name),
            quotation(value)
        ))
    })?;
    Ok((name.trim(), value))
}

//! `retrylab compute --list`: every quantity with its parameters, their domains, its results and its source.

use retrylab_analytic::quantity::{Parameter, Requirement};
use retrylab_analytic::{QUANTITIES, Quantity};
use serde_json::{Value, json};

use crate::arguments::Options;
use crate::failure::Failure;
use crate::{output, text_table};

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.json {
        let quantities: Vec<Value> = QUANTITIES.iter().map(|quantity| as_json(quantity)).collect();
        output::print_json(&json!({ "quantities": quantities }))
    } else {
        let entries: Vec<String> = QUANTITIES.iter().map(|quantity| as_text(quantity)).collect();
        output::print(&entries.join("\n"))
    }
}

fn as_json(quantity: &Quantity) -> Value {
    let parameters: Vec<Value> = quantity
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "meaning": parameter.meaning,
                "accepted": parameter.domain.accepted(),
                "required": matches!(parameter.requirement, Requirement::Required),
                "default": match parameter.requirement {
                    Requirement::Default(default) => Some(default),
                    Requirement::Required | Requirement::Optional => None,
                },
            })
        })
        .collect();
    let results: Vec<Value> = quantity
        .results
        .iter()
        .map(|(name, meaning)| json!({ "name": name, "meaning": meaning }))
        .collect();
    json!({
        "name": quantity.name,
        "summary": quantity.summary,
        "parameters": parameters,
        "results": results,
        "formula": quantity.formula,
        "source": quantity.source,
    })
}

fn as_text(quantity: &Quantity) -> String {
    let mut table = text_table::plain();
    table.add_row([quantity.name, quantity.summary]);
    for parameter in quantity.parameters {
        table.add_row([format!("  {}=", parameter.name), describe(parameter)]);
    }
    let results: Vec<&str> = quantity.results.iter().map(|(name, _)| *name).collect();
    table.add_row(["  gives".to_owned(), results.join(", ")]);
    table.add_row(["  source", quantity.source]);
    text_table::text(&table)
}

fn describe(parameter: &Parameter) -> String {
    let requirement = match parameter.requirement {
        Requirement::Required => String::new(),
        Requirement::Default(default) => format!("; {default} if absent"),
        Requirement::Optional => "; optional".to_owned(),
    };
    format!(
        "{} ({}{requirement})",
        parameter.meaning,
        parameter.domain.accepted()
    )
}

//! Results as one JSON object.

use serde_json::{Map, Value, json};

use crate::error::SweepError;
use crate::reading::Results;
use crate::results::{Heading, PointResult};

/// The results: what they are of, and every point.
///
/// # Errors
/// [`SweepError`] when the results cannot be read.
pub fn json(results: &Results) -> Result<Map<String, Value>, SweepError> {
    let heading = results.heading();
    let mut points = Vec::new();
    for &point in results.points() {
        points.push(point_json(heading, &results.point(point)?));
    }
    let (part, parts) = heading.shard.part_of();
    let axes = heading.axes.iter().map(|axis| {
        let values: Vec<Value> = (0..axis.positions.len())
            .map(|position| json!(axis.label(position)))
            .collect();
        json!({ "name": axis.name, "keys": axis.keys, "values": values })
    });
    let mut object = Map::new();
    for (key, value) in [
        ("name", json!(heading.name)),
        ("program", json!(heading.program)),
        ("checksum", json!(heading.checksum)),
        ("seed", json!(heading.seed)),
        ("effort", json!(heading.effort)),
        ("confidence", json!(heading.confidence)),
        ("time_unit", json!(heading.time_unit)),
        ("shard", json!({ "part": part, "parts": parts })),
        ("axes", Value::Array(axes.collect())),
        ("points_in_grid", json!(heading.points)),
        ("finished", json!(results.is_finished())),
        ("points", Value::Array(points)),
    ] {
        object.insert(key.to_owned(), value);
    }
    Ok(object)
}

fn point_json(heading: &Heading, result: &PointResult) -> Value {
    let mut settings = Map::new();
    for (key, label, number) in heading.settings(result.point) {
        settings.insert(key.to_owned(), json!({ "value": label, "number": number }));
    }
    let mut measures = Map::new();
    let mut notes = Map::new();
    for one in &result.estimates {
        let number = match one.estimate {
            Some(estimate) => json!({ "estimate": estimate, "low": one.low, "high": one.high }),
            None => Value::Null,
        };
        measures.insert(one.measure.clone(), number);
        if let Some(note) = &one.note {
            notes.insert(one.measure.clone(), json!(note));
        }
    }
    json!({
        "point": result.point,
        "settings": settings,
        "replications": result.replications,
        "looks": result.looks,
        "attempts": result.attempts,
        "is_precise": result.is_precise,
        "measures": measures,
        "notes": notes,
    })
}

//! Results as drawings: a curve where the grid has one axis, heat maps where it has more.

use retrylab_verify::report::{numbers, svg_standalone};
use retrylab_verify::{Axis, Cells, Figure, Panel, Point, Series, SeriesKind};

use crate::error::SweepError;
use crate::reading::Results;
use crate::results::{AxisHeading, Heading, PointResult};

/// The measures that are shown where the plan does not name any.
pub const MAIN_MEASURES: [&str; 4] = [
    "success",
    "attempts_per_request",
    "abandoned_work",
    "sojourn_time_mean",
];
/// Most drawings that are made at once.
const DRAWINGS_MAX: usize = 500;
/// Most characters of a label in a drawing.
const LABEL_LENGTH_MAX: usize = 14;

/// A drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Name of its file.
    pub file: String,
    /// The SVG document.
    pub svg: String,
}

/// A drawing of each measure that the plan names, or of the main ones: with one axis a curve with intervals, with two a heat
/// map, and with more a heat map for each combination of the others.
///
/// # Errors
/// [`SweepError`] when the results cannot be read, are a part of a grid, or make too many drawings.
pub fn drawings(results: &Results) -> Result<Vec<Drawing>, SweepError> {
    let heading = results.heading();
    if !heading.shard.is_whole() {
        return Err(SweepError::Export(
            "a part of a grid is not drawn; merge the parts and draw the whole".to_owned(),
        ));
    }
    let measures: Vec<String> = heading
        .measures
        .clone()
        .unwrap_or_else(|| MAIN_MEASURES.iter().map(|&name| name.to_owned()).collect());
    let mut points = Vec::new();
    for &point in results.points() {
        let mut result = results.point(point)?;
        result
            .estimates
            .retain(|estimate| measures.contains(&estimate.measure));
        points.push(result);
    }
    let slice: usize = heading
        .axes
        .iter()
        .rev()
        .take(2)
        .map(|axis| axis.positions.len())
        .product();
    let slices = (heading.points as usize).div_ceil(slice.max(1));
    if slices * measures.len() > DRAWINGS_MAX {
        return Err(SweepError::Export(format!(
            "the axes beyond two make {slices} drawings of each measure, and more than {DRAWINGS_MAX} in all; name fewer \
             measures in the plan"
        )));
    }
    let mut drawings = Vec::new();
    for measure in &measures {
        for index in 0..slices {
            let number = if slices > 1 {
                format!("-{}", index + 1)
            } else {
                String::new()
            };
            let first = (index * slice) as u64;
            let within = |result: &&PointResult| result.point / slice as u64 == index as u64;
            let found: Vec<&PointResult> = points.iter().filter(within).collect();
            drawings.push(Drawing {
                file: format!("{measure}{number}.svg"),
                svg: draw(heading, measure, first, &found),
            });
        }
    }
    Ok(drawings)
}

fn draw(heading: &Heading, measure: &str, first: u64, points: &[&PointResult]) -> String {
    let dimension = points
        .iter()
        .find_map(|point| Some(point.find(measure)?.dimension.as_str()));
    let unit = match (heading.time_unit.as_str(), dimension) {
        ("second", Some("time")) => " (s)",
        ("second", Some("rate")) => " (/s)",
        ("second", Some("time squared")) => " (s²)",
        _ => "",
    };
    let label = format!("{}{unit}", measure.replace('_', " "));
    let panel = match heading.axes.as_slice() {
        [axis] => curve(axis, heading, measure, &label, points),
        [.., rows, columns] => heat_map(rows, columns, measure, &label, points),
        [] => unreachable!("a plan has an axis"),
    };
    let others = heading.axes.len().saturating_sub(2);
    let fixed: Vec<String> = heading
        .axes
        .iter()
        .zip(heading.positions(first))
        .take(others)
        .map(|(axis, position)| format!("{} = {}", axis.name, axis.label(position)))
        .collect();
    let name = if heading.name.is_empty() {
        "Sweep"
    } else {
        heading.name.as_str()
    };
    let mut title = format!("{name}: {label}");
    if !fixed.is_empty() {
        title = format!("{title}, {}", fixed.join(", "));
    }
    let caption = format!("{} of each point, seed {}.", heading.effort, heading.seed);
    svg_standalone(&Figure {
        id: measure.to_owned(),
        title,
        caption,
        panels: vec![panel],
    })
}

fn curve(
    axis: &AxisHeading,
    heading: &Heading,
    measure: &str,
    label: &str,
    points: &[&PointResult],
) -> Panel {
    let numbers = axis.numbers();
    // Values that are no numbers are counted, and named in the axis's label.
    let x_label = if numbers.is_some() {
        axis.name.clone()
    } else {
        let names: Vec<String> = (0..axis.positions.len())
            .map(|at| format!("{} = {}", at + 1, axis.label(at)))
            .collect();
        format!("{}: {}", axis.name, names.join("; "))
    };
    let x = |point: &PointResult| {
        let position = point.point as usize;
        numbers
            .as_ref()
            .map_or((position + 1) as f64, |numbers| numbers[position])
    };
    let mut measured: Vec<Point> = points
        .iter()
        .filter_map(|point| {
            let found = point.find(measure)?;
            let y = found.estimate?;
            Some(Point {
                x: x(point),
                y,
                low: found.low.unwrap_or(y),
                high: found.high.unwrap_or(y),
            })
        })
        .collect();
    measured.sort_by(|one, other| one.x.total_cmp(&other.x));
    let line = measured.iter().map(|point| (point.x, point.y)).collect();
    let xs = || points.iter().map(|point| x(point));
    let logarithmic = axis.logarithmic && numbers.is_some() && xs().all(|x| x > 0.0);
    let low = measured.iter().map(|point| point.low).fold(0.0, f64::min);
    let high = measured
        .iter()
        .map(|point| point.high)
        .fold(f64::NEG_INFINITY, f64::max);
    let series = |name: String, kind| Series { name, color: 0, kind };
    Panel {
        title: String::new(),
        x: Axis {
            label: x_label,
            low: xs().fold(f64::INFINITY, f64::min),
            high: xs().fold(f64::NEG_INFINITY, f64::max),
            logarithmic,
        },
        y: Axis {
            label: label.to_owned(),
            low,
            high: if high > low { high } else { 1.0 },
            logarithmic: false,
        },
        series: vec![
            series("between measured points".to_owned(), SeriesKind::Line(line)),
            series(
                format!(
                    "measured, with {} intervals",
                    numbers::confidence(heading.confidence)
                ),
                SeriesKind::Points(measured),
            ),
        ],
        marks: Vec::new(),
    }
}

fn heat_map(
    rows: &AxisHeading,
    columns: &AxisHeading,
    measure: &str,
    label: &str,
    points: &[&PointResult],
) -> Panel {
    let size = rows.positions.len() * columns.positions.len();
    let mut values = vec![None; size];
    for point in points {
        // Points are numbered row by row.
        values[point.point as usize % size] = point.find(measure).and_then(|found| found.estimate);
    }
    let labels = |axis: &AxisHeading| {
        (0..axis.positions.len())
            .map(|at| short(&axis.label(at)))
            .collect()
    };
    let axis = |axis: &AxisHeading| Axis {
        label: axis.name.clone(),
        low: 0.0,
        high: axis.positions.len() as f64,
        logarithmic: false,
    };
    Panel {
        title: String::new(),
        x: axis(columns),
        y: axis(rows),
        series: vec![Series {
            name: label.to_owned(),
            color: 0,
            kind: SeriesKind::Cells(Cells {
                columns: labels(columns),
                rows: labels(rows),
                values,
            }),
        }],
        marks: Vec::new(),
    }
}

/// A label that has room beside a drawing.
fn short(label: &str) -> String {
    if label.chars().count() <= LABEL_LENGTH_MAX {
        return label.to_owned();
    }
    let kept: String = label.chars().take(LABEL_LENGTH_MAX - 1).collect();
    format!("{kept}…")
}

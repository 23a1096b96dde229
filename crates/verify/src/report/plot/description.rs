//! A panel in words, for those who do not see it.

use crate::figure::{Axis, Cells, Panel, SeriesKind};
use crate::report::numbers::number;

use super::heat_map::cells;

/// What a panel shows: its axes, series and marks.
pub(super) fn described(panel: &Panel) -> String {
    let is_heat_map = cells(panel).is_some();
    let axis = |axis: &Axis| {
        if is_heat_map {
            return axis.label.clone();
        }
        let kind = if axis.logarithmic { ", logarithmic" } else { "" };
        format!(
            "{} from {} to {}{kind}",
            axis.label,
            number(axis.low),
            number(axis.high)
        )
    };
    let series: Vec<String> = panel
        .series
        .iter()
        .map(|series| match &series.kind {
            SeriesKind::Line(_) => format!("{} (line)", series.name),
            SeriesKind::Points(_) => format!("{} (points with intervals)", series.name),
            SeriesKind::Cells(cells) => heat_map(&series.name, cells),
        })
        .collect();
    let marks: Vec<&str> = panel.marks.iter().map(|mark| mark.label.as_str()).collect();
    let marks = if marks.is_empty() {
        String::new()
    } else {
        format!(" Vertical lines: {}.", marks.join("; "))
    };
    format!(
        "Horizontal axis: {}. Vertical axis: {}. Shown: {}.{marks}",
        axis(&panel.x),
        axis(&panel.y),
        if series.is_empty() {
            "nothing".to_owned()
        } else {
            series.join("; ")
        }
    )
}

/// A heat map's size, labels and extremes.
fn heat_map(name: &str, cells: &Cells) -> String {
    let ends = |labels: &[String]| match labels {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} to {last}"),
    };
    let values = || cells.values.iter().flatten().copied();
    let range = values().next().map_or_else(
        || "without values".to_owned(),
        |any| {
            let (low, high) = (values().fold(any, f64::min), values().fold(any, f64::max));
            format!("values from {} to {}", number(low), number(high))
        },
    );
    format!(
        "{name} (heat map of {} columns, {}, and {} rows, {}; {range})",
        cells.columns.len(),
        ends(&cells.columns),
        cells.rows.len(),
        ends(&cells.rows)
    )
}

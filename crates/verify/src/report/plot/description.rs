//! A panel in words, for those who do not see it.

use crate::figure::{Axis, Panel, SeriesKind};
use crate::report::numbers::number;

/// What a panel shows: its axes, series and marks.
pub(super) fn described(panel: &Panel) -> String {
    let axis = |axis: &Axis| {
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
        .map(|series| match series.kind {
            SeriesKind::Line(_) => format!("{} (line)", series.name),
            SeriesKind::Points(_) => format!("{} (points with intervals)", series.name),
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

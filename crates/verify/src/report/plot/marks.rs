//! Where the labels of vertical lines go: above the plot, in as many rows as it takes to keep them legible.

use crate::figure::Mark;

use super::panel::{FONT_SIZE, WIDTH};
use super::text;

/// Room between neighbours.
const GAP: f64 = 6.0;

/// The label of a vertical line, in units of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    /// Position of the line itself.
    pub(super) line: f64,
    /// Row above the plot; row 0 is next to it.
    pub(super) row: usize,
    /// Left end of the text.
    pub(super) left: f64,
    right: f64,
}

impl Label {
    fn covers(&self, line: f64) -> bool {
        self.left - GAP / 2.0 < line && line < self.right + GAP / 2.0
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.row == other.row && self.left < other.right + GAP && other.left < self.right + GAP
    }
}

/// A label for every mark of which `place` knows the line, such that none overlaps another and, if possible, no line
/// crosses a label: centred on its line, or right or left of it, in the lowest row where that works.
pub(super) fn labels(marks: &[Mark], place: impl Fn(f64) -> Option<f64>) -> Vec<Option<Label>> {
    let lines: Vec<Option<f64>> = marks.iter().map(|mark| place(mark.x)).collect();
    let mut labels: Vec<Option<Label>> = vec![None; marks.len()];
    for (index, mark) in marks.iter().enumerate() {
        let Some(line) = lines[index] else { continue };
        let width = text::width(&mark.label, FONT_SIZE);
        let candidate = |row: usize, left: f64| {
            let left = left.min(WIDTH - width).max(0.0);
            Label {
                line,
                row,
                left,
                right: left + width,
            }
        };
        let fits = |label: &Label| {
            (0..marks.len()).filter(|other| *other != index).all(|other| {
                match (&labels[other], lines[other]) {
                    (Some(placed), other_line) => {
                        let crossed =
                            placed.row > label.row && other_line.is_some_and(|line| label.covers(line));
                        let crosses = placed.row < label.row && placed.covers(line);
                        !(crossed || crosses || label.overlaps(placed))
                    }
                    (None, Some(other_line)) => !label.covers(other_line),
                    (None, None) => true,
                }
            })
        };
        let sides = [line - width / 2.0, line + GAP, line - width - GAP];
        let best = (0..=index)
            .flat_map(|row| sides.map(|left| candidate(row, left)))
            .find(fits)
            // A row of its own is free of other labels, if not of lines.
            .unwrap_or_else(|| candidate(index, sides[0]));
        labels[index] = Some(best);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(marks: &[(f64, &str)]) -> Vec<Label> {
        let marks: Vec<Mark> = marks
            .iter()
            .map(|(x, label)| Mark {
                x: *x,
                label: (*label).to_owned(),
            })
            .collect();
        labels(&marks, Some).into_iter().flatten().collect()
    }

    #[test]
    fn labels_far_apart_are_centred_in_one_row() {
        let labels = placed(&[(100.0, "1/3"), (300.0, "1/1.1")]);
        assert!(labels.iter().all(|label| label.row == 0));
        assert!((f64::midpoint(labels[0].left, labels[0].right) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn close_lines_have_their_labels_on_either_side() {
        let labels = placed(&[(100.0, "stall"), (108.0, "stall ends")]);
        assert!(labels.iter().all(|label| label.row == 0), "{labels:?}");
        assert!(labels[0].right < 100.0 && labels[1].left > 108.0, "{labels:?}");
    }

    #[test]
    fn labels_never_overlap_however_many_crowd() {
        let labels = placed(&[(100.0, "one mark"); 6]);
        for (index, one) in labels.iter().enumerate() {
            assert!(
                labels[..index].iter().all(|other| !one.overlaps(other)),
                "{labels:?}"
            );
        }
    }
}

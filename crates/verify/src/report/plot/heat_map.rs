//! Heat maps: cells of one size whose colours stand for ranges of values with round ends.

use crate::figure::{Axis, Cells, Panel, SeriesKind};
use crate::report::numbers;

use super::palette::HEATS;
use super::scale::{Scale, Tick};
use super::text;

/// Largest ratio of values at which the ranges are of equal width; beyond it they are of equal ratio.
const LINEAR_RATIO_MAX: f64 = 100.0;
/// No range ends this close to the lowest or the highest value, as a share of the whole.
const END: f64 = 0.05;
/// Significant digits of the numbers in cells.
const DIGITS: usize = 3;

/// The heat map of a panel, where it has one.
pub(super) fn cells(panel: &Panel) -> Option<&Cells> {
    panel.series.iter().find_map(|series| match &series.kind {
        SeriesKind::Cells(cells) => Some(cells),
        SeriesKind::Line(_) | SeriesKind::Points(_) => None,
    })
}

/// The ranges of values that have a colour each.
#[derive(Debug, Clone)]
pub(super) struct Ranges {
    scale: Scale,
    /// Where one range ends and the next begins.
    bounds: Vec<Tick>,
    /// Some value, which is all there is where there are no bounds.
    any: f64,
}

impl Ranges {
    /// The ranges for values; none where there is no value, or none that has a place on a scale.
    pub(super) fn new(cells: &Cells) -> Option<Self> {
        let values = || {
            cells
                .values
                .iter()
                .flatten()
                .copied()
                .filter(|value| value.is_finite())
        };
        let any = values().next()?;
        let (low, high) = (values().fold(any, f64::min), values().fold(any, f64::max));
        let axis = Axis {
            label: String::new(),
            low,
            high,
            logarithmic: low > 0.0 && high / low > LINEAR_RATIO_MAX,
        };
        let scale = Scale::new(&axis).ok()?;
        // A bound close to an end would make a range of next to nothing; a single value has no ends, and one colour.
        let mut bounds = scale.ticks();
        bounds.retain(|tick| low < high && (END..=1.0 - END).contains(&tick.position));
        Some(Self { scale, bounds, any })
    }

    /// The colour of a value.
    pub(super) fn heat(&self, value: f64) -> Option<usize> {
        let position = self.scale.position(value)?;
        Some(
            self.heat_of(
                self.bounds
                    .iter()
                    .filter(|bound| bound.position <= position)
                    .count(),
            ),
        )
    }

    /// The colour of a range: they are spread over all that there are.
    fn heat_of(&self, range: usize) -> usize {
        match self.bounds.len() {
            0 => HEATS / 2,
            last => range * (HEATS - 1) / last,
        }
    }

    /// Every range in words, with its colour.
    pub(super) fn described(&self) -> Vec<(usize, String)> {
        let labels: Vec<&str> = self.bounds.iter().map(|bound| bound.label.as_str()).collect();
        let words = match labels.as_slice() {
            [] => vec![numbers::number(self.any)],
            [first, .., last] | [first @ last] => {
                let between = labels
                    .windows(2)
                    .map(|pair| format!("{} to {}", pair[0], pair[1]));
                let mut words = vec![format!("below {first}")];
                words.extend(between);
                words.push(format!("{last} and above"));
                words
            }
        };
        words
            .into_iter()
            .enumerate()
            .map(|(range, words)| (self.heat_of(range), words))
            .collect()
    }
}

/// The number that is written into a cell.
pub(super) fn cell_text(value: f64) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    numbers::number(rounded)
}

/// Ticks in the middle of cells, as many of them as there is room for: each takes `room` of `length`.
pub(super) fn middles(labels: &[String], length: f64, room: impl Fn(&str) -> f64) -> Vec<Tick> {
    let count = labels.len() as f64;
    let widest = labels.iter().map(|label| room(label)).fold(0.0, f64::max);
    let stride = (widest * count / length).ceil().max(1.0) as usize;
    labels
        .iter()
        .enumerate()
        .step_by(stride)
        .map(|(index, label)| Tick {
            position: (index as f64 + 0.5) / count,
            label: label.clone(),
        })
        .collect()
}

/// The largest of the given font sizes at which every number fits into a cell.
pub(super) fn fitting_size(cells: &Cells, sizes: &[f64], width: f64, height: f64) -> Option<f64> {
    let texts: Vec<String> = cells
        .values
        .iter()
        .flatten()
        .map(|&value| cell_text(value))
        .collect();
    sizes.iter().copied().find(|&size| {
        let fits = |text: &String| text::width(text, size) + size / 2.0 <= width;
        size * 1.2 <= height && texts.iter().all(fits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(values: &[f64]) -> Ranges {
        Ranges::new(&Cells {
            columns: Vec::new(),
            rows: Vec::new(),
            values: values.iter().copied().map(Some).collect(),
        })
        .unwrap()
    }

    #[test]
    fn ranges_have_round_ends_and_the_ends_have_the_outermost_colours() {
        let ranges = ranges(&[0.05, 0.5, 0.95]);
        let words: Vec<String> = ranges.described().into_iter().map(|(_, words)| words).collect();
        assert_eq!(
            words,
            [
                "below 0.2",
                "0.2 to 0.4",
                "0.4 to 0.6",
                "0.6 to 0.8",
                "0.8 and above"
            ]
        );
        assert_eq!((ranges.heat(0.05), ranges.heat(0.95)), (Some(0), Some(HEATS - 1)));
        // What lies on a bound belongs to the range that begins there.
        assert_eq!(ranges.heat(0.2), ranges.heat(0.3));
        assert!(ranges.heat(0.19) < ranges.heat(0.2));
    }

    #[test]
    fn values_of_many_magnitudes_have_ranges_of_equal_ratio() {
        let words: Vec<String> = ranges(&[0.02, 3.0, 500.0])
            .described()
            .into_iter()
            .map(|(_, words)| words)
            .collect();
        assert_eq!(
            words,
            ["below 0.1", "0.1 to 1", "1 to 10", "10 to 100", "100 and above"]
        );
    }

    #[test]
    fn one_value_has_one_colour_and_none_has_no_ranges() {
        assert_eq!(
            ranges(&[0.25, 0.25]).described(),
            [(HEATS / 2, "0.25".to_owned())]
        );
        for values in [vec![], vec![None], vec![Some(f64::NAN)]] {
            let (columns, rows) = (Vec::new(), Vec::new());
            assert!(
                Ranges::new(&Cells {
                    columns,
                    rows,
                    values
                })
                .is_none()
            );
        }
    }

    #[test]
    fn labels_that_have_no_room_are_left_out_evenly() {
        let labels: Vec<String> = (0..10).map(|index| index.to_string()).collect();
        let ticks = middles(&labels, 100.0, |_| 25.0);
        let shown: Vec<&str> = ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(shown, ["0", "3", "6", "9"]);
        assert_eq!(middles(&labels, 100.0, |_| 5.0).len(), 10);
    }
}

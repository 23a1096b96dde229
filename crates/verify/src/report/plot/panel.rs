//! One system of coordinates.

use crate::figure::{Axis, Cells, Mark, Panel, Point, Series, SeriesKind};

use super::canvas::{Anchor, Canvas, Svg, drawing};
use super::clip::{segment, visible_pieces};
use super::description::described;
use super::heat_map::{Ranges, cell_text, cells, fitting_size, middles};
use super::marks::{Label, labels};
use super::palette::{Ink, Theme};
use super::scale::{Scale, Tick};
use super::style::{Dash, Look, LookKind, looks};
use super::text;

/// Width of a panel in units of about a pixel.
pub(super) const WIDTH: f64 = 420.0;
const PLOT_HEIGHT: f64 = 240.0;
/// Height without a plot, where there is only a sentence.
const MESSAGE_HEIGHT: f64 = 100.0;
pub(super) const FONT_SIZE: f64 = 14.0;
pub(super) const LINE_HEIGHT: f64 = 18.0;
const GAP: f64 = 8.0;
const LINE_WIDTH: f64 = 1.9;
const BAR_WIDTH: f64 = 1.5;
const HAIRLINE: f64 = 1.0;
/// Half the width of the caps at the ends of an interval.
const CAP: f64 = 3.0;
/// Sizes of the numbers in a heat map's cells, of which the largest that fits is taken.
const CELL_FONT_SIZES: [f64; 3] = [13.0, 11.0, 9.0];
/// Half the room between cells.
const CELL_INSET: f64 = 0.5;

/// A drawn panel.
#[derive(Debug, Clone)]
pub(in crate::report) struct Drawing {
    /// The picture.
    pub(in crate::report) svg: Svg,
    /// What the picture shows, for those who do not see it.
    pub(in crate::report) description: String,
    /// What could not be drawn, in sentences.
    pub(in crate::report) notes: Vec<String>,
}

/// Draws panels that stand side by side, their plots at one height. Whatever cannot be drawn is left out and noted.
pub(in crate::report) fn draw(panels: &[Panel], theme: Theme) -> Vec<Drawing> {
    let layouts: Vec<Result<Layout, String>> = panels.iter().map(Layout::new).collect();
    let top = layouts
        .iter()
        .flatten()
        .map(|layout| layout.top)
        .fold(0.0, f64::max);
    let layouts = layouts
        .into_iter()
        .map(|layout| layout.map(|layout| layout.lowered_to(top)));
    panels
        .iter()
        .zip(layouts)
        .map(|(panel, layout)| draw_panel(panel, layout, theme))
        .collect()
}

fn draw_panel(panel: &Panel, layout: Result<Layout, String>, theme: Theme) -> Drawing {
    let description = described(panel);
    match layout {
        Ok(layout) => {
            let svg = drawing(WIDTH, layout.height, theme, |canvas| layout.draw(panel, canvas));
            let notes = panel
                .series
                .iter()
                .filter_map(|series| layout.omitted(series))
                .collect();
            Drawing {
                svg,
                description,
                notes,
            }
        }
        Err(reason) => {
            let sentence = format!("This panel cannot be drawn: {reason}.");
            let svg = drawing(WIDTH, MESSAGE_HEIGHT, theme, |canvas| message(canvas, &sentence));
            Drawing {
                svg,
                description,
                notes: vec![sentence],
            }
        }
    }
}

fn message(canvas: &mut Canvas<'_>, sentence: &str) {
    for (line, y) in text::wrapped(sentence, FONT_SIZE, WIDTH - 2.0 * GAP)
        .iter()
        .zip(1u8..)
    {
        let y = f64::from(y) * LINE_HEIGHT;
        canvas.text(line, (WIDTH / 2.0, y), Anchor::Center, FONT_SIZE, Ink::Text);
    }
}

/// Where everything in a panel goes.
struct Layout {
    is_heat_map: bool,
    x: Scale,
    y: Scale,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    x_label: Vec<String>,
    y_label: Vec<String>,
    /// Labels of the marks; none for marks beyond the axis.
    labels: Vec<Option<Label>>,
    left: f64,
    right: f64,
    /// Where the label of the vertical axis begins.
    head: f64,
    top: f64,
    bottom: f64,
    height: f64,
}

impl Layout {
    /// The layout of a panel, or why there is none.
    fn new(panel: &Panel) -> Result<Self, String> {
        let cells = cells(panel);
        let (x, y) = match cells {
            Some(cells) => (count_scale(cells.columns.len())?, count_scale(cells.rows.len())?),
            None => (Scale::new(&panel.x)?, Scale::new(&panel.y)?),
        };
        let y_ticks = match cells {
            Some(cells) => middles(&cells.rows, PLOT_HEIGHT, |_| LINE_HEIGHT),
            None => y.ticks(),
        };
        let widths = y_ticks.iter().map(|tick| text::width(&tick.label, FONT_SIZE));
        let left = widths.fold(20.0, f64::max) + GAP + 2.0;
        let x_ticks = match cells {
            Some(cells) => middles(&cells.columns, WIDTH - left - GAP, |label| {
                text::width(label, FONT_SIZE) + GAP
            }),
            None => x.ticks(),
        };
        let last = x_ticks
            .last()
            .map_or(0.0, |tick| text::width(&tick.label, FONT_SIZE) / 2.0);
        let right = WIDTH - last.max(GAP) - 2.0;
        let x_label = text::wrapped(&panel.x.label, FONT_SIZE, right - left);
        let y_label = text::wrapped(&panel.y.label, FONT_SIZE, WIDTH - GAP);
        let labels = labels(&panel.marks, |mark| {
            Some(left + inside(x.position(mark)?)? * (right - left))
        });
        let rows = labels
            .iter()
            .flatten()
            .map(|label| label.row + 1)
            .max()
            .unwrap_or(0);
        let top = lines_height(y_label.len() + rows) + GAP;
        let bottom = top + PLOT_HEIGHT;
        let height = bottom + LINE_HEIGHT + lines_height(x_label.len()) + GAP;
        Ok(Self {
            is_heat_map: cells.is_some(),
            x,
            y,
            x_ticks,
            y_ticks,
            x_label,
            y_label,
            labels,
            left,
            right,
            head: 0.0,
            top,
            bottom,
            height,
        })
    }

    /// The same with the plot further down, as far as that of a neighbour.
    fn lowered_to(self, top: f64) -> Self {
        let by = top - self.top;
        Self {
            head: self.head + by,
            top,
            bottom: self.bottom + by,
            height: self.height + by,
            ..self
        }
    }

    /// From a position on the square paper to a place in the picture.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            self.left + x * (self.right - self.left),
            self.bottom - y * (self.bottom - self.top),
        )
    }

    fn position(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((self.x.position(x)?, self.y.position(y)?))
    }

    fn draw(&self, panel: &Panel, canvas: &mut Canvas<'_>) {
        self.draw_grid(canvas);
        self.draw_marks(&panel.marks, canvas);
        self.draw_axes(canvas);
        let looks = looks(&panel.series);
        for (series, look) in panel.series.iter().zip(&looks) {
            self.draw_series(series, *look, canvas);
        }
        if panel.series.iter().all(is_empty) {
            let middle = self.place((0.5, 0.5));
            canvas.text("no data", middle, Anchor::Center, FONT_SIZE, Ink::Text);
        }
    }

    fn draw_grid(&self, canvas: &mut Canvas<'_>) {
        for tick in &self.y_ticks {
            let (from, to) = (self.place((0.0, tick.position)), self.place((1.0, tick.position)));
            if !self.is_heat_map {
                canvas.line(from, to, Ink::Grid, HAIRLINE);
            }
            canvas.text(
                &tick.label,
                (from.0 - GAP, from.1),
                Anchor::Right,
                FONT_SIZE,
                Ink::Text,
            );
        }
        for tick in &self.x_ticks {
            let (from, to) = (self.place((tick.position, 0.0)), self.place((tick.position, 1.0)));
            if !self.is_heat_map {
                canvas.line(from, to, Ink::Grid, HAIRLINE);
            }
            let below = from.1 + GAP / 2.0 + LINE_HEIGHT / 2.0;
            canvas.text(&tick.label, (from.0, below), Anchor::Center, FONT_SIZE, Ink::Text);
        }
    }

    fn draw_axes(&self, canvas: &mut Canvas<'_>) {
        let corner = self.place((0.0, 0.0));
        canvas.line(self.place((0.0, 1.0)), corner, Ink::Axis, HAIRLINE);
        canvas.line(corner, self.place((1.0, 0.0)), Ink::Axis, HAIRLINE);
        let mut y = self.head + LINE_HEIGHT / 2.0;
        for line in &self.y_label {
            canvas.text(line, (2.0, y), Anchor::Left, FONT_SIZE, Ink::Text);
            y += LINE_HEIGHT;
        }
        let mut y = self.bottom + GAP / 2.0 + LINE_HEIGHT * 1.5;
        for line in &self.x_label {
            let middle = f64::midpoint(self.left, self.right);
            canvas.text(line, (middle, y), Anchor::Center, FONT_SIZE, Ink::Text);
            y += LINE_HEIGHT;
        }
    }

    fn draw_marks(&self, marks: &[Mark], canvas: &mut Canvas<'_>) {
        for (mark, label) in marks.iter().zip(&self.labels) {
            let Some(label) = label else { continue };
            let bottom = self.top - GAP / 2.0 - lines_height(label.row);
            canvas.line(
                (label.line, self.bottom),
                (label.line, bottom - 1.0),
                Ink::Mark,
                HAIRLINE * 1.4,
            );
            let middle = (label.left, bottom - LINE_HEIGHT / 2.0);
            canvas.text(&mark.label, middle, Anchor::Left, FONT_SIZE, Ink::Mark);
        }
    }

    fn draw_series(&self, series: &Series, look: Look, canvas: &mut Canvas<'_>) {
        match (&series.kind, look.kind) {
            (SeriesKind::Line(curve), LookKind::Line(dash)) => {
                let ink = Ink::Series {
                    color: look.color,
                    dash,
                };
                let curve: Vec<_> = curve.iter().map(|(x, y)| self.position(*x, *y)).collect();
                for piece in visible_pieces(&curve) {
                    let piece: Vec<_> = piece.into_iter().map(|position| self.place(position)).collect();
                    canvas.path(&piece, ink, LINE_WIDTH);
                }
            }
            (SeriesKind::Points(points), LookKind::Points(shape)) => {
                let ink = Ink::Series {
                    color: look.color,
                    dash: Dash::SOLID,
                };
                for point in points {
                    self.draw_interval(point, ink, canvas);
                    if let Some(position) = self.visible(point) {
                        canvas.point(self.place(position), shape, ink);
                    }
                }
            }
            (SeriesKind::Cells(cells), _) => self.draw_cells(cells, canvas),
            // A look is made from its series.
            (SeriesKind::Line(_) | SeriesKind::Points(_), _) => {}
        }
    }

    /// The cells of a heat map, with their numbers where all have room.
    fn draw_cells(&self, cells: &Cells, canvas: &mut Canvas<'_>) {
        let (columns, rows) = (cells.columns.len(), cells.rows.len());
        let width = (self.right - self.left) / columns as f64;
        let height = (self.bottom - self.top) / rows as f64;
        if columns == 0 || rows == 0 {
            return;
        }
        let ranges = Ranges::new(cells);
        let size = fitting_size(cells, &CELL_FONT_SIZES, width, height);
        for (index, value) in cells.values.iter().take(columns * rows).enumerate() {
            let left = self.left + (index % columns) as f64 * width;
            let bottom = self.bottom - (index / columns) as f64 * height;
            let middle = (left + width / 2.0, bottom - height / 2.0);
            let heat = value.and_then(|value| ranges.as_ref()?.heat(value));
            let Some((value, heat)) = value.zip(heat) else {
                canvas.text("–", middle, Anchor::Center, FONT_SIZE, Ink::Text);
                continue;
            };
            let from = (left + CELL_INSET, bottom - height + CELL_INSET);
            canvas.rectangle(
                from,
                (left + width - CELL_INSET, bottom - CELL_INSET),
                Ink::Heat(heat),
            );
            if let Some(size) = size {
                canvas.text(
                    &cell_text(value),
                    middle,
                    Anchor::Center,
                    size,
                    Ink::HeatText(heat),
                );
            }
        }
    }

    /// The interval of a point, with caps at those of its ends that lie on the paper.
    fn draw_interval(&self, point: &Point, ink: Ink, canvas: &mut Canvas<'_>) {
        let end = |y: f64| Some((self.x.position(point.x)?, self.y.position_or_beyond(y)?));
        let (Some(low), Some(high)) = (end(point.low), end(point.high)) else {
            return;
        };
        let Some((from, to)) = segment(low, high) else {
            return;
        };
        canvas.line(self.place(from), self.place(to), ink, BAR_WIDTH);
        for (end, drawn) in [(low, from), (high, to)] {
            if end == drawn {
                let (x, y) = self.place(drawn);
                canvas.line((x - CAP, y), (x + CAP, y), ink, BAR_WIDTH);
            }
        }
    }

    /// Where a point lies, if it lies on the paper.
    fn visible(&self, point: &Point) -> Option<(f64, f64)> {
        self.position(point.x, point.y)
            .filter(|position| segment(*position, *position).is_some())
    }

    /// A sentence about the values of a series that are not in the picture, if there are any.
    fn omitted(&self, series: &Series) -> Option<String> {
        let (omitted, why) = match &series.kind {
            SeriesKind::Line(curve) => {
                let undrawable = curve.iter().filter(|(x, y)| self.position(*x, *y).is_none());
                (undrawable.count(), "undefined on these axes")
            }
            SeriesKind::Points(points) => {
                let invisible = points.iter().filter(|point| self.visible(point).is_none());
                (invisible.count(), "undefined or outside these axes")
            }
            SeriesKind::Cells(cells) => {
                let undefined = cells
                    .values
                    .iter()
                    .filter(|value| !value.is_some_and(f64::is_finite));
                (undefined.count(), "undefined")
            }
        };
        let values = if omitted == 1 { "value is" } else { "values are" };
        (omitted > 0).then(|| format!("{}: {omitted} {values} not shown, being {why}.", series.name))
    }
}

fn is_empty(series: &Series) -> bool {
    match &series.kind {
        SeriesKind::Line(curve) => curve.is_empty(),
        SeriesKind::Points(points) => points.is_empty(),
        SeriesKind::Cells(cells) => {
            cells.values.is_empty() || cells.columns.is_empty() || cells.rows.is_empty()
        }
    }
}

/// The scale of so many cells.
fn count_scale(count: usize) -> Result<Scale, String> {
    Scale::new(&Axis {
        label: String::new(),
        low: 0.0,
        high: count.max(1) as f64,
        logarithmic: false,
    })
}

/// A position if it lies on the axis.
fn inside(position: f64) -> Option<f64> {
    (0.0..=1.0).contains(&position).then_some(position)
}

fn lines_height(lines: usize) -> f64 {
    f64::from(u32::try_from(lines).unwrap_or(u32::MAX)) * LINE_HEIGHT
}

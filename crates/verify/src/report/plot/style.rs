//! How series differ besides their colours: dashes of lines and shapes of points.

use crate::figure::{Series, SeriesKind};

use super::palette::COLORS;

/// Patterns of dashes, in units of the drawing; none for a solid line.
pub(super) const DASHES: [Option<&str>; 5] = [
    None,
    Some("75 40"),
    Some("20 32"),
    Some("90 32 20 32"),
    Some("140 50"),
];

/// Index of a pattern of dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dash(u8);

impl Dash {
    /// A solid line.
    pub(super) const SOLID: Self = Self(0);

    /// The pattern with this index; the patterns repeat.
    pub(super) fn new(index: usize) -> Self {
        Self(u8::try_from(index % DASHES.len()).unwrap_or(0))
    }

    /// Its index.
    pub(super) fn index(self) -> u8 {
        self.0
    }
}

/// Shape of a measured point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Cross,
    Bar,
}

/// One for each colour, so that shapes alone tell the series of a panel apart.
const SHAPES: [Shape; COLORS] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
    Shape::TriangleDown,
    Shape::Cross,
    Shape::Bar,
];

/// How a series looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// Index of the colour.
    pub(super) color: usize,
    /// What tells it from others.
    pub(super) kind: LookKind,
}

/// A line, points or a heat map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookKind {
    /// A line.
    Line(Dash),
    /// Points with intervals.
    Points(Shape),
    /// A heat map, whose colours are those of its values.
    Cells,
}

/// The looks of several series: a colour has its dash and shape, and a second line of a colour is dashed otherwise.
pub(super) fn looks(series: &[Series]) -> Vec<Look> {
    series
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let earlier = series[..index].iter().filter(|other| alike(one, other)).count();
            let color = one.color % COLORS;
            // Where the colours repeat, dash and shape go on.
            let variant = color + one.color / COLORS + earlier;
            let kind = match one.kind {
                SeriesKind::Line(_) => LookKind::Line(Dash::new(variant)),
                SeriesKind::Points(_) => LookKind::Points(SHAPES[variant % SHAPES.len()]),
                SeriesKind::Cells(_) => LookKind::Cells,
            };
            Look { color, kind }
        })
        .collect()
}

/// Whether two series have the same colour and are of one kind.
fn alike(one: &Series, other: &Series) -> bool {
    one.color == other.color && std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
}

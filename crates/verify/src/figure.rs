//! Figures as data: theory as lines, measurements as points with intervals. Drawing them is the report's business.

use std::ops::Deref;

use crate::document::Document;

/// A figure with one or more panels side by side.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Identifier for links and file names, in lower case with hyphens.
    pub id: String,
    /// Title.
    pub title: String,
    /// What it shows, how it was made and what to look for, in a sentence or two.
    pub caption: String,
    /// The panels, left to right.
    pub panels: Vec<Panel>,
}

/// A figure that belongs to claims of a document.
#[derive(Debug, Clone)]
pub struct Illustration {
    /// What is drawn.
    pub figure: Figure,
    /// The document to whose section it belongs.
    pub document: Document,
    /// Ids of the claims that it illustrates; the report shows it beside the first of them.
    pub claims: &'static [&'static str],
}

impl Deref for Illustration {
    type Target = Figure;

    fn deref(&self) -> &Figure {
        &self.figure
    }
}

/// One system of coordinates.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Title of the panel; may be empty where the figure has only one.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, in the order of the legend.
    pub series: Vec<Series>,
    /// Vertical lines at values of x, with labels, such as the stuck line 1/k.
    pub marks: Vec<Mark>,
}

/// One axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Label, with its unit.
    pub label: String,
    /// Smallest value shown.
    pub low: f64,
    /// Largest value shown.
    pub high: f64,
    /// Whether the scale is logarithmic.
    pub logarithmic: bool,
}

/// One curve or set of points.
#[derive(Debug, Clone)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Colour: series of one number belong together (a curve and the points measured on it).
    pub color: usize,
    /// How it is drawn.
    pub kind: SeriesKind,
}

/// How a series is drawn.
#[derive(Debug, Clone)]
pub enum SeriesKind {
    /// A line through points `(x, y)`: theory, or a time series.
    Line(Vec<(f64, f64)>),
    /// Measured points with intervals.
    Points(Vec<Point>),
    /// A heat map, which is alone in its panel and of whose axes only the labels count.
    Cells(Cells),
}

/// A value for each column and row.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// Labels of the columns, left to right.
    pub columns: Vec<String>,
    /// Labels of the rows, from the bottom up.
    pub rows: Vec<String>,
    /// The values, row by row from the bottom up; none where there is nothing to show.
    pub values: Vec<Option<f64>>,
}

/// A measured point with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Horizontal position.
    pub x: f64,
    /// Estimate.
    pub y: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// A vertical line with a label.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Position.
    pub x: f64,
    /// Label.
    pub label: String,
}

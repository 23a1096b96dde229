//! Paper to draw on: the SVG backend of `plotters`, in units of about a pixel instead of whole numbers.

use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontStyle, ShapeStyle, TextStyle};

use super::palette::{Ink, Theme, themed};
use super::style::Shape;
use super::text::printable;

/// The backend's coordinates are whole numbers: so many of them make one unit.
const RESOLUTION: f64 = 10.0;
/// The backend writes a font's size divided by this.
const FONT_SIZE_FACTOR: f64 = 1.24;
/// Radius of a measured point.
const POINT_RADIUS: f64 = 4.0;

/// Where text stands relative to its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Center,
    Right,
}

/// A finished drawing: the contents of an `svg` element and the size of its view box.
#[derive(Debug, Clone)]
pub(in crate::report) struct Svg {
    /// Elements, with the colours of a theme.
    pub(in crate::report) body: String,
    /// The value of `viewBox`.
    pub(in crate::report) view_box: String,
    /// Width in units.
    pub(in crate::report) width: f64,
    /// Height in units.
    pub(in crate::report) height: f64,
}

/// A drawing in progress.
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
}

/// Draws on paper of the given size and returns the drawing in a theme.
pub(super) fn drawing(width: f64, height: f64, theme: Theme, draw: impl FnOnce(&mut Canvas<'_>)) -> Svg {
    let mut text = String::new();
    let size = (fine(width).unsigned_abs(), fine(height).unsigned_abs());
    let mut canvas = Canvas {
        backend: SVGBackend::with_string(&mut text, size),
    };
    draw(&mut canvas);
    drawn(&canvas.backend.present());
    drop(canvas);
    // The element itself is the caller's: its role, name and size depend on where it goes.
    let body = text.split_once('>').map_or("", |(_, body)| body).trim_end();
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    Svg {
        body: themed(body, theme),
        view_box: format!("0 0 {} {}", size.0, size.1),
        width,
        height,
    }
}

impl Canvas<'_> {
    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        drawn(&self.backend.draw_line(at(from), at(to), &stroke(ink, width)));
    }

    /// A line through points; a dot where there is only one.
    pub(super) fn path(&mut self, points: &[(f64, f64)], ink: Ink, width: f64) {
        if let [only] = *points {
            let radius = fine(width).unsigned_abs();
            drawn(
                &self
                    .backend
                    .draw_circle(at(only), radius, &stroke(ink, width).filled(), true),
            );
            return;
        }
        let mut path: Vec<(i32, i32)> = points.iter().copied().map(at).collect();
        path.dedup();
        drawn(&self.backend.draw_path(path, &stroke(ink, width)));
    }

    /// A measured point.
    pub(super) fn point(&mut self, (x, y): (f64, f64), shape: Shape, ink: Ink) {
        let r = POINT_RADIUS;
        let corners: &[(f64, f64)] = match shape {
            Shape::Circle => {
                let radius = fine(r).unsigned_abs();
                drawn(
                    &self
                        .backend
                        .draw_circle(at((x, y)), radius, &stroke(ink, 0.0).filled(), true),
                );
                return;
            }
            Shape::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Shape::Triangle => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            Shape::Diamond => &[(0.0, -1.3), (1.2, 0.0), (0.0, 1.3), (-1.2, 0.0)],
            Shape::TriangleDown => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
            Shape::Cross => &[
                (0.0, -0.4),
                (0.8, -1.2),
                (1.2, -0.8),
                (0.4, 0.0),
                (1.2, 0.8),
                (0.8, 1.2),
                (0.0, 0.4),
                (-0.8, 1.2),
                (-1.2, 0.8),
                (-0.4, 0.0),
                (-1.2, -0.8),
                (-0.8, -1.2),
            ],
            Shape::Bar => &[(-1.4, -0.5), (1.4, -0.5), (1.4, 0.5), (-1.4, 0.5)],
        };
        let corners: Vec<(i32, i32)> = corners
            .iter()
            .map(|(dx, dy)| at((x + r * dx, y + r * dy)))
            .collect();
        drawn(&self.backend.fill_polygon(corners, &stroke(ink, 0.0).filled()));
    }

    /// A filled rectangle between two corners.
    pub(super) fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        drawn(
            &self
                .backend
                .draw_rect(at(from), at(to), &stroke(ink, 0.0).filled(), true),
        );
    }

    /// A line of text; `y` is the middle of its lower-case letters.
    pub(super) fn text(&mut self, text: &str, (x, y): (f64, f64), anchor: Anchor, size: f64, ink: Ink) {
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Center => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let font = (
            FontFamily::SansSerif,
            size * RESOLUTION * FONT_SIZE_FACTOR,
            FontStyle::Normal,
        );
        let color = ink.reserved();
        let style = TextStyle::from(font)
            .color(&color)
            .pos(Pos::new(horizontal, VPos::Center));
        drawn(&self.backend.draw_text(&printable(text), &style, at((x, y))));
    }
}

fn stroke(ink: Ink, width: f64) -> ShapeStyle {
    ink.reserved().stroke_width(fine(width).unsigned_abs())
}

fn at((x, y): (f64, f64)) -> (i32, i32) {
    (fine(x), fine(y))
}

/// Units in the backend's whole numbers.
fn fine(units: f64) -> i32 {
    // The cast saturates; what is drawn lies on the paper.
    (units * RESOLUTION).round() as i32
}

/// Drawing into a string has nothing to fail at.
fn drawn<E: std::fmt::Debug>(result: &Result<(), E>) {
    assert!(result.is_ok(), "drawing into a string failed: {result:?}");
}

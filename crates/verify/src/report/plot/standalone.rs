//! A figure as an SVG file of its own.

use maud::{Markup, PreEscaped, html};

use crate::figure::{Figure, Panel};

use super::canvas::Svg;
use super::legend::{LegendEntry, legend, shared_legend};
use super::palette::Theme;
use super::panel::{Drawing, FONT_SIZE, LINE_HEIGHT, WIDTH, draw};
use super::text::{printable, wrapped};

const MARGIN: f64 = 20.0;
const TITLE_SIZE: f64 = 18.0;
const TEXT_COLOR: &str = "#23272e";

/// The figure as an SVG document with fixed colours on white, its title, panels, legends and notes included.
///
/// ```
/// use retrylab_verify::{Figure, report};
///
/// let figure = Figure {
///     id: "cost".to_owned(),
///     title: "Attempts & success".to_owned(),
///     caption: String::new(),
///     panels: vec![],
/// };
/// assert!(report::svg_standalone(&figure).contains("Attempts &amp; success"));
/// ```
#[must_use]
pub fn svg_standalone(figure: &Figure) -> String {
    let shared = shared_legend(figure);
    let mut rows = Rows {
        body: Vec::new(),
        bottom: MARGIN,
    };
    let columns = figure.panels.len().max(1);
    let across = f64::from(u32::try_from(columns).unwrap_or(u32::MAX));
    let width = across * WIDTH + (across + 1.0) * MARGIN;
    for line in wrapped(&figure.title, TITLE_SIZE, width - 2.0 * MARGIN) {
        rows.text(&line, MARGIN, TITLE_SIZE, true);
    }
    let top = rows.bottom + MARGIN / 2.0;
    let mut left = MARGIN;
    let mut bottom = top;
    for (panel, drawing) in figure.panels.iter().zip(draw(&figure.panels, Theme::File)) {
        rows.bottom = top;
        column(&mut rows, panel, &drawing, left, !shared);
        bottom = bottom.max(rows.bottom);
        left += WIDTH + MARGIN;
    }
    rows.bottom = bottom;
    if let Some(panel) = figure.panels.first().filter(|_| shared) {
        rows.legend(&legend(panel, Theme::File), MARGIN);
    }
    let height = rows.bottom + MARGIN;
    let view_box = format!("0 0 {width} {height}");
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(view_box) role="img"
            font-family="sans-serif" {
            title { (printable(&figure.title)) }
            desc { (printable(&figure.caption)) }
            rect width="100%" height="100%" fill="#ffffff" {}
            @for piece in &rows.body { (piece) }
        }
    };
    svg.into_string()
}

/// A panel with its title, notes and, unless all share one, its legend.
fn column(rows: &mut Rows, panel: &Panel, drawing: &Drawing, left: f64, with_legend: bool) {
    for line in wrapped(&panel.title, FONT_SIZE, WIDTH) {
        rows.text(&line, left, FONT_SIZE + 1.0, true);
    }

    rows.bottom += 6.0;
    rows.svg(&drawing.svg, left);
    for line in drawing
        .notes
        .iter()
        .flat_map(|note| wrapped(note, FONT_SIZE, WIDTH))
    {
        rows.text(&line, left, FONT_SIZE, false);
    }
    if with_legend {
        rows.legend(&legend(panel, Theme::File), left);
    }
}

/// Pieces of a drawing from top to bottom.
struct Rows {
    body: Vec<Markup>,
    bottom: f64,
}

impl Rows {
    fn text(&mut self, text: &str, left: f64, size: f64, strong: bool) {
        self.bottom += LINE_HEIGHT.max(size * 1.3);
        let weight = if strong { "600" } else { "400" };
        let baseline = self.bottom - 5.0;
        self.body.push(html! {
            text x=(left) y=(baseline) font-size=(size) font-weight=(weight) fill=(TEXT_COLOR) { (printable(text)) }
        });
    }

    fn svg(&mut self, svg: &Svg, left: f64) {
        self.nested(svg, left, self.bottom);
        self.bottom += svg.height;
    }

    fn nested(&mut self, svg: &Svg, left: f64, top: f64) {
        self.body.push(html! {
            svg x=(left) y=(top) width=(svg.width) height=(svg.height) viewBox=(svg.view_box) {
                (PreEscaped(&svg.body))
            }
        });
    }

    /// Entries one below the other.
    fn legend(&mut self, entries: &[LegendEntry], left: f64) {
        for entry in entries {
            let top = self.bottom + 1.0;
            self.nested(&entry.sample, left, top);
            let indent = left + entry.sample.width + MARGIN / 2.0;
            for line in wrapped(&entry.name, FONT_SIZE, WIDTH - (indent - left)) {
                self.text(&line, indent, FONT_SIZE, false);
            }
        }
    }
}

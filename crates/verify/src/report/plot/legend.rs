//! What the lines and points of a panel stand for.

use crate::figure::{Figure, Panel, Series, SeriesKind};

use super::canvas::{Svg, drawing};
use super::heat_map::{Ranges, cells};
use super::palette::{Ink, Theme};
use super::style::{Dash, Look, LookKind, looks};

const WIDTH: f64 = 36.0;
const HEIGHT: f64 = 16.0;

/// One line of a legend.
#[derive(Debug, Clone)]
pub(in crate::report) struct LegendEntry {
    /// How the series looks.
    pub(in crate::report) sample: Svg,
    /// Its name.
    pub(in crate::report) name: String,
}

/// The legend of a panel.
pub(in crate::report) fn legend(panel: &Panel, theme: Theme) -> Vec<LegendEntry> {
    let looks = looks(&panel.series);
    panel
        .series
        .iter()
        .zip(looks)
        .flat_map(|(series, look)| {
            let entry = |sample, name| LegendEntry { sample, name };
            let mut entries = vec![entry(sample(look, theme), series.name.clone())];
            if let SeriesKind::Cells(cells) = &series.kind {
                let ranges = Ranges::new(cells).map_or_else(Vec::new, |ranges| ranges.described());
                entries.extend(
                    ranges
                        .into_iter()
                        .map(|(heat, words)| entry(swatch(heat, theme), words)),
                );
            }
            entries
        })
        .collect()
}

/// Whether one legend serves all panels of a figure.
pub(in crate::report) fn shared_legend(figure: &Figure) -> bool {
    let names = |series: &[Series]| series.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let same = |pair: &[Panel]| {
        let (one, other) = (&pair[0].series, &pair[1].series);
        names(one) == names(other) && looks(one) == looks(other)
    };
    // The ranges of a heat map are its own.
    let is_heat_map = |panel: &Panel| cells(panel).is_some();
    let panels = &figure.panels;
    panels.windows(2).all(same) && !(panels.len() > 1 && panels.iter().any(is_heat_map))
}

fn sample(look: Look, theme: Theme) -> Svg {
    let middle = HEIGHT / 2.0;
    drawing(WIDTH, HEIGHT, theme, |canvas| match look.kind {
        LookKind::Line(dash) => {
            let ink = Ink::Series {
                color: look.color,
                dash,
            };
            canvas.path(&[(1.0, middle), (WIDTH - 1.0, middle)], ink, 2.0);
        }
        LookKind::Points(shape) => {
            let ink = Ink::Series {
                color: look.color,
                dash: Dash::SOLID,
            };
            canvas.line((WIDTH / 2.0, 0.5), (WIDTH / 2.0, HEIGHT - 0.5), ink, 1.5);
            canvas.point((WIDTH / 2.0, middle), shape, ink);
        }
        // Nothing stands for the whole; its ranges of values follow.
        LookKind::Cells => {}
    })
}

/// The colour of a range of values.
fn swatch(heat: usize, theme: Theme) -> Svg {
    drawing(WIDTH, HEIGHT, theme, |canvas| {
        canvas.rectangle((1.0, 1.0), (WIDTH - 1.0, HEIGHT - 1.0), Ink::Heat(heat));
    })
}

//! Colours: told apart by people with any colour vision, on white paper and on dark.
//!
//! `plotters` knows only fixed colours. Each meaning is drawn in a reserved colour of its own, which is replaced in the
//! finished text: by a custom property of CSS on a page, by a fixed colour in a file. A reserved colour also says how a
//! line is dashed.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::style::{DASHES, Dash};

/// Number of different colours of series.
pub(super) const COLORS: usize = 7;
/// Number of different colours of cells of a heat map.
pub(super) const HEATS: usize = 9;

/// What something is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Labels and titles.
    Text,
    /// The two axes.
    Axis,
    /// Lines at the ticks.
    Grid,
    /// Vertical lines at remarkable values.
    Mark,
    /// Whatever belongs to a series.
    Series {
        /// Index of the colour.
        color: usize,
        /// How a line is dashed.
        dash: Dash,
    },
    /// A cell of a heat map, from 0 for the lowest values on.
    Heat(usize),
    /// Text in such a cell.
    HeatText(usize),
}

/// Where a drawing will be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Theme {
    /// On a page that sets the custom properties.
    Page,
    /// In a file of its own, on white.
    File,
}

/// Fixed colours for one background.
struct Colors {
    text: &'static str,
    axis: &'static str,
    grid: &'static str,
    mark: &'static str,
    /// After Okabe and Ito (2008), with lightness adapted to the background.
    series: [&'static str; COLORS],
    /// The higher, the farther from the paper's own lightness: after viridis (Smith and van der Walt 2015), whose lightness
    /// alone tells its colours apart.
    heats: [&'static str; HEATS],
    /// Text on each of them.
    heat_texts: [&'static str; HEATS],
}

/// Text on light and on dark cells.
const DARK_TEXT: &str = "#0c0f13";
const LIGHT_TEXT: &str = "#ffffff";

const ON_LIGHT: Colors = Colors {
    text: "#3d434b",
    axis: "#8a919b",
    grid: "#e6e8eb",
    mark: "#6b727c",
    series: [
        "#0072b2", "#d55e00", "#008a63", "#b5568f", "#a87400", "#2f8fc4", "#4a4f57",
    ],
    heats: [
        "#fde725", "#addc30", "#5ec962", "#28ae80", "#21918c", "#2c728e", "#3b528b", "#472d7b", "#440154",
    ],
    heat_texts: [
        DARK_TEXT, DARK_TEXT, DARK_TEXT, DARK_TEXT, DARK_TEXT, LIGHT_TEXT, LIGHT_TEXT, LIGHT_TEXT, LIGHT_TEXT,
    ],
};

const ON_DARK: Colors = Colors {
    text: "#c3c9d1",
    axis: "#79818c",
    grid: "#2c3138",
    mark: "#9aa2ad",
    series: [
        "#56b4e9", "#ff8c42", "#2cc295", "#e59ac6", "#e6b422", "#8fd0f5", "#d5d9de",
    ],
    heats: [
        "#46327e", "#3d4e8a", "#31688e", "#257f8b", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
    ],
    heat_texts: [
        LIGHT_TEXT, LIGHT_TEXT, LIGHT_TEXT, LIGHT_TEXT, DARK_TEXT, DARK_TEXT, DARK_TEXT, DARK_TEXT, DARK_TEXT,
    ],
};

impl Ink {
    /// The reserved colour: first byte 1 for a series (then its dash and colour), 3 for a cell, 2 for anything else.
    pub(super) fn reserved(self) -> RGBColor {
        match self {
            Self::Series { color, dash } => RGBColor(1, dash.index(), byte(color, COLORS)),
            Self::Heat(heat) => RGBColor(3, 0, byte(heat, HEATS)),
            Self::HeatText(heat) => RGBColor(3, 1, byte(heat, HEATS)),
            Self::Text => RGBColor(2, 0, 0),
            Self::Axis => RGBColor(2, 0, 1),
            Self::Grid => RGBColor(2, 0, 2),
            Self::Mark => RGBColor(2, 0, 3),
        }
    }

    fn from_reserved(code: &str) -> Option<Self> {
        let byte = |at: usize| u8::from_str_radix(code.get(at..at + 2)?, 16).ok();
        match (byte(0)?, byte(2)?, byte(4)?) {
            (1, dash, color) if usize::from(color) < COLORS => Some(Self::Series {
                color: color.into(),
                dash: Dash::new(dash.into()),
            }),
            (3, 0, heat) if usize::from(heat) < HEATS => Some(Self::Heat(heat.into())),
            (3, 1, heat) if usize::from(heat) < HEATS => Some(Self::HeatText(heat.into())),
            (2, 0, 0) => Some(Self::Text),
            (2, 0, 1) => Some(Self::Axis),
            (2, 0, 2) => Some(Self::Grid),
            (2, 0, 3) => Some(Self::Mark),
            _ => None,
        }
    }

    /// Name of the custom property.
    fn property(self) -> String {
        match self {
            Self::Text => "--plot-text".to_owned(),
            Self::Axis => "--plot-axis".to_owned(),
            Self::Grid => "--plot-grid".to_owned(),
            Self::Mark => "--plot-mark".to_owned(),
            Self::Series { color, .. } => format!("--plot-{color}"),
            Self::Heat(heat) => format!("--plot-heat-{heat}"),
            Self::HeatText(heat) => format!("--plot-heat-text-{heat}"),
        }
    }

    fn in_theme(self, theme: Theme) -> String {
        match theme {
            Theme::Page => format!("var({})", self.property()),
            Theme::File => ON_LIGHT.of(self).to_owned(),
        }
    }
}

impl Colors {
    fn of(&self, ink: Ink) -> &'static str {
        match ink {
            Ink::Text => self.text,
            Ink::Axis => self.axis,
            Ink::Grid => self.grid,
            Ink::Mark => self.mark,
            Ink::Series { color, .. } => self.series[color % COLORS],
            Ink::Heat(heat) => self.heats[heat % HEATS],
            Ink::HeatText(heat) => self.heat_texts[heat % HEATS],
        }
    }
}

/// Definitions of the custom properties for use in a rule of CSS, on light or on dark paper.
pub(in crate::report) fn css_variables(dark: bool) -> String {
    let colors = if dark { &ON_DARK } else { &ON_LIGHT };
    let series = (0..COLORS).map(|color| Ink::Series {
        color,
        dash: Dash::SOLID,
    });
    let mut css = String::new();
    for ink in [Ink::Text, Ink::Axis, Ink::Grid, Ink::Mark]
        .into_iter()
        .chain(series)
        .chain((0..HEATS).map(Ink::Heat))
        .chain((0..HEATS).map(Ink::HeatText))
    {
        // Writing to a string cannot fail.
        let _ = write!(css, "{}:{};", ink.property(), colors.of(ink));
    }
    css
}

/// The drawing with every reserved colour replaced, and dashes where the colour stands for them.
pub(super) fn themed(svg: &str, theme: Theme) -> String {
    let mut themed = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("=\"#") {
        let (before, from) = rest.split_at(at);
        let code = from.get(3..9).unwrap_or_default();
        let closed = from.get(9..10) == Some("\"");
        themed.push_str(before);
        match Ink::from_reserved(code).filter(|_| closed) {
            Some(ink) => {
                // Writing to a string cannot fail.
                let _ = write!(themed, "=\"{}\"", ink.in_theme(theme));
                if let Ink::Series { dash, .. } = ink
                    && before.ends_with("stroke")
                    && let Some(pattern) = DASHES[usize::from(dash.index())]
                {
                    let _ = write!(themed, " stroke-dasharray=\"{pattern}\"");
                }
                rest = &from[10..];
            }
            None => {
                themed.push_str(&from[..3]);
                rest = &from[3..];
            }
        }
    }
    themed.push_str(rest);
    themed
}

fn byte(index: usize, count: usize) -> u8 {
    u8::try_from(index % count).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast ratio after WCAG 2.2.
    fn luminance(color: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn series_stand_out_from_the_paper_and_text_is_readable() {
        for (colors, paper) in [(&ON_LIGHT, "#ffffff"), (&ON_DARK, "#1b1f24")] {
            for series in colors.series {
                assert!(
                    contrast(series, paper) >= 3.0,
                    "{series} on {paper}: {}",
                    contrast(series, paper)
                );
            }
            assert!(contrast(colors.text, paper) >= 7.0);
            assert!(contrast(colors.mark, paper) >= 4.5);
        }
    }

    #[test]
    fn cells_are_told_apart_by_lightness_and_their_text_is_readable() {
        for (colors, paper) in [(&ON_LIGHT, "#ffffff"), (&ON_DARK, "#1b1f24")] {
            for pair in colors.heats.windows(2) {
                let (low, high) = (contrast(pair[0], paper), contrast(pair[1], paper));
                assert!(high > 1.1 * low, "{pair:?} on {paper}: {low} and {high}");
            }
            for (heat, text) in colors.heats.iter().zip(colors.heat_texts) {
                assert!(
                    contrast(heat, text) >= 4.5,
                    "{text} on {heat}: {}",
                    contrast(heat, text)
                );
            }
        }
    }

    #[test]
    fn every_ink_comes_back_from_its_reserved_colour() {
        let series = (0..COLORS).map(|color| Ink::Series {
            color,
            dash: Dash::new(color),
        });
        for ink in [Ink::Text, Ink::Axis, Ink::Grid, Ink::Mark]
            .into_iter()
            .chain(series)
            .chain((0..HEATS).map(Ink::Heat))
            .chain((0..HEATS).map(Ink::HeatText))
        {
            let RGBColor(red, green, blue) = ink.reserved();
            assert_eq!(
                Ink::from_reserved(&format!("{red:02X}{green:02X}{blue:02X}")),
                Some(ink)
            );
        }
    }

    #[test]
    fn only_reserved_colours_in_attributes_are_replaced() {
        let svg = "<path stroke=\"#010101\"/><text fill=\"#020000\">=&quot;#020000&quot; \"#020000\"</text>";
        let themed = themed(svg, Theme::Page);
        assert!(
            themed.starts_with("<path stroke=\"var(--plot-1)\" stroke-dasharray="),
            "{themed}"
        );
        assert!(themed.ends_with("<text fill=\"var(--plot-text)\">=&quot;#020000&quot; \"#020000\"</text>"));
        assert_eq!(super::themed("fill=\"#02", Theme::Page), "fill=\"#02");
    }
}

//! Figures as SVG: panels drawn by the `plotters` backend, for a page that styles them or as files on their own.

mod canvas;
mod clip;
mod description;
mod heat_map;
mod legend;
mod marks;
mod palette;
mod panel;
mod scale;
mod standalone;
mod style;
mod text;

pub(super) use canvas::Svg;
pub(super) use legend::{LegendEntry, legend, shared_legend};
pub(super) use palette::{Theme, css_variables};
pub(super) use panel::{Drawing, draw};
pub use standalone::svg_standalone;

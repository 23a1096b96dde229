//! Figures within the page.

use maud::{Markup, PreEscaped, html};

use crate::figure::{Figure, SeriesKind};
use crate::report::numbers::{Interval, number};
use crate::report::plot::{self, Drawing, LegendEntry, Svg, Theme};

/// A figure: panels side by side where there is room, legends, caption, and the measured points as a table.
#[must_use]
pub fn figure(figure: &Figure) -> Markup {
    let shared = plot::shared_legend(figure);
    html! {
        figure.single[figure.panels.len() == 1] id={ "figure-" (figure.id) } {
            h3 { (figure.title) }
            div.panels {
                @for (index, drawing) in plot::draw(&figure.panels, Theme::Page).iter().enumerate() {
                    (panel(figure, index, drawing, !shared))
                }
            }
            figcaption {
                @if let Some(panel) = figure.panels.first().filter(|_| shared) {
                    (legend(&plot::legend(panel, Theme::Page)))
                }
                p.caption { (figure.caption) }
                (points(figure))
            }
        }
    }
}

fn panel(figure: &Figure, index: usize, drawing: &Drawing, with_legend: bool) -> Markup {
    let panel = &figure.panels[index];
    let name = if panel.title.is_empty() {
        &figure.title
    } else {
        &panel.title
    };
    let id = format!("figure-{}-{index}", figure.id);
    html! {
        div.panel {
            @if !panel.title.is_empty() { p.panel-title { (panel.title) } }
            svg viewBox=(drawing.svg.view_box) role="img" aria-labelledby={ (id) "-title " (id) "-description" } {
                title id={ (id) "-title" } { (name) }
                desc id={ (id) "-description" } { (drawing.description) }
                (PreEscaped(&drawing.svg.body))
            }
            @for note in &drawing.notes { p.note { (note) } }
            @if with_legend { (legend(&plot::legend(panel, Theme::Page))) }
        }
    }
}

fn legend(entries: &[LegendEntry]) -> Markup {
    html! {
        @if !entries.is_empty() {
            ul.legend { @for entry in entries { li { (sample(&entry.sample)) span { (entry.name) } } } }
        }
    }
}

fn sample(svg: &Svg) -> Markup {
    html! {
        svg aria-hidden="true" width=(svg.width) height=(svg.height) viewBox=(svg.view_box) {
            (PreEscaped(&svg.body))
        }
    }
}

/// The measured points in numbers.
fn points(figure: &Figure) -> Markup {
    let rows = figure.panels.iter().flat_map(|panel| {
        panel.series.iter().filter_map(move |series| match &series.kind {
            SeriesKind::Points(points) => Some((panel, series, points)),
            SeriesKind::Line(_) | SeriesKind::Cells(_) => None,
        })
    });
    let rows: Vec<_> = rows
        .flat_map(|(panel, series, points)| points.iter().map(move |point| (panel, series, point)))
        .collect();
    let titled = figure.panels.iter().any(|panel| !panel.title.is_empty());
    html! {
        @if !rows.is_empty() {
            details {
                summary { "Measured points in numbers" }
                div.scroll tabindex="0" role="region" aria-label={ "Measured points: " (figure.title) } {
                    table.points {
                        thead {
                            tr {
                                @if titled { th scope="col" { "Panel" } }
                                th scope="col" { "Series" }
                                th.number scope="col" { "x" }
                                th.number scope="col" { "Estimate" }
                                th.number scope="col" { "Interval" }
                            }
                        }
                        tbody {
                            @for (panel, series, point) in rows {
                                @let interval = Interval::new(point.y, point.low, point.high);
                                tr {
                                    @if titled { td { (panel.title) } }
                                    td { (series.name) }
                                    td.number { (number(point.x)) }
                                    td.number { (interval.estimate()) }
                                    td.number { (interval.range()) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

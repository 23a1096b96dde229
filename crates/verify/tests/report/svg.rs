//! Figures, the degenerate ones included.

use retrylab_verify::{Axis, Document, Illustration, Mark, Panel, Point, Series, SeriesKind, report};

use crate::sample;
use crate::tags::balanced;

fn figure(x: (f64, f64), y: (f64, f64), logarithmic: bool, series: Vec<Series>) -> Illustration {
    let axis = |(low, high): (f64, f64)| Axis {
        label: "load".to_owned(),
        low,
        high,
        logarithmic,
    };
    let marks = vec![Mark {
        x: 0.5,
        label: "half".to_owned(),
    }];
    let panel = Panel {
        title: String::new(),
        x: axis(x),
        y: axis(y),
        series,
        marks,
    };
    Illustration {
        figure: retrylab_verify::Figure {
            id: "sample".to_owned(),
            title: "A figure".to_owned(),
            caption: String::new(),
            panels: vec![panel],
        },
        document: Document::Lesson,
        claims: &[],
    }
}

fn with_points(points: &[(f64, f64, f64, f64)]) -> Series {
    let points = points.iter().map(|(x, y, low, high)| Point {
        x: *x,
        y: *y,
        low: *low,
        high: *high,
    });
    Series {
        name: "simulated".to_owned(),
        color: 0,
        kind: SeriesKind::Points(points.collect()),
    }
}

fn with_line(curve: &[(f64, f64)]) -> Series {
    Series {
        name: "theory".to_owned(),
        color: 1,
        kind: SeriesKind::Line(curve.to_vec()),
    }
}

/// The drawing, checked to be balanced.
fn drawn(figure: &Illustration) -> String {
    let svg = report::svg_standalone(figure);
    balanced(&svg);
    svg
}

#[test]
fn a_file_stands_alone() {
    for figure in sample::figures() {
        let svg = drawn(&figure);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
        assert!(svg.contains(&figure.title) && svg.contains("<desc>"));
        assert!(!svg.contains("var("), "fixed colours");
        assert!(
            !svg.contains("\"#01") && !svg.contains("\"#02"),
            "no reserved colour is left"
        );
        assert!(!svg.contains("not shown"), "{svg}");
        for series in &figure.panels[0].series {
            assert!(svg.contains(&series.name), "{}", series.name);
        }
    }
}

#[test]
fn points_lie_where_their_numbers_say() {
    let series = with_points(&[(0.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.4, 0.6), (1.0, 1.0, 1.0, 1.0)]);
    let svg = drawn(&figure((0.0, 1.0), (0.0, 1.0), false, vec![series]));
    let circles: Vec<(f64, f64)> = balanced(&svg)
        .iter()
        .filter(|(name, _)| name == "circle")
        .map(|(_, attributes)| {
            let number = |name: &str| -> f64 {
                attributes
                    .split(name)
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap()
            };
            (number("cx=\""), number("cy=\""))
        })
        .collect();
    // Three points and the sample in the legend.
    assert_eq!(circles.len(), 4);
    let [(x0, y0), (x1, y1), (x2, y2)] = [circles[0], circles[1], circles[2]];
    assert!(x0 < x1 && x1 < x2 && y0 > y1 && y1 > y2);
    assert!((x0 + x2 - 2.0 * x1).abs() <= 1.0 && (y0 + y2 - 2.0 * y1).abs() <= 1.0);
}

#[test]
fn empty_figures_say_so() {
    assert!(drawn(&figure((0.0, 1.0), (0.0, 1.0), false, vec![])).contains("no data"));
    let empty = vec![with_line(&[]), with_points(&[])];
    assert!(drawn(&figure((0.0, 1.0), (0.0, 1.0), false, empty)).contains("no data"));
}

#[test]
fn what_cannot_be_drawn_is_counted() {
    let nan = f64::NAN;
    let series = vec![
        with_line(&[(0.0, 0.0), (0.5, nan), (1.0, 1.0)]),
        with_points(&[(0.1, nan, 0.0, 1.0), (0.2, 0.2, nan, nan), (7.0, 0.5, 0.4, 0.6)]),
    ];
    let svg = drawn(&figure((0.0, 1.0), (0.0, 1.0), false, series));
    assert!(svg.contains("theory: 1 value is not shown"), "{svg}");
    assert!(svg.contains("simulated: 2 values are not shown"), "{svg}");
    assert!(!svg.contains("NaN"));
}

#[test]
fn an_impossible_axis_is_refused_in_words() {
    for (range, logarithmic) in [
        ((f64::NAN, 1.0), false),
        ((0.0, f64::INFINITY), false),
        ((0.0, 1.0), true),
    ] {
        let svg = drawn(&figure(
            range,
            (0.1, 1.0),
            logarithmic,
            vec![with_line(&[(0.5, 0.5)])],
        ));
        assert!(svg.contains("This panel cannot be drawn"), "{range:?}");
    }
}

#[test]
fn an_interval_that_reaches_zero_on_a_logarithmic_axis_is_drawn_to_the_edge() {
    let figure = figure(
        (0.1, 1.0),
        (1e-4, 1.0),
        true,
        vec![with_points(&[(0.5, 1e-3, 0.0, 1e-2)])],
    );
    let svg = drawn(&figure);
    let bars = |svg: &str| svg.matches("stroke-width=\"15\"").count();
    // The interval and one cap; the legend's sample has a bar of its own.
    assert_eq!(bars(&svg), 3, "{svg}");
}

#[test]
fn series_differ_without_their_colours() {
    let mut series = vec![
        with_line(&[(0.0, 0.0), (1.0, 1.0)]),
        with_line(&[(0.0, 1.0), (1.0, 0.0)]),
    ];
    series[0].color = 0;
    let svg = drawn(&figure((0.0, 1.0), (0.0, 1.0), false, series));
    // The second line and its sample in the legend.
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
}

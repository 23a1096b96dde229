//! A figure as files: the drawing, an image of it, and its data.

use retrylab_verify::{Illustration, SeriesKind, report};

use crate::failure::Failure;
use crate::raster::Raster;

const COLUMNS: [&str; 7] = ["panel", "series", "kind", "x", "y", "low", "high"];

/// A file that belongs to a figure.
#[derive(Debug)]
pub(crate) struct FigureFile {
    pub(crate) name: String,
    pub(crate) contents: Vec<u8>,
}

/// The figure as SVG, as PNG and as CSV.
pub(crate) fn files(figure: &Illustration, raster: &Raster) -> Result<[FigureFile; 3], Failure> {
    let svg = report::svg_standalone(figure);
    let png = raster.png(&svg)?;
    let file = |extension: &str, contents| FigureFile {
        name: format!("{}.{extension}", figure.id),
        contents,
    };
    Ok([
        file("svg", svg.into_bytes()),
        file("png", png),
        file("csv", data(figure)?),
    ])
}

/// Everything that is drawn, a row for each point of a line (`line`), each measured point (`point`), each cell of a heat map
/// (`cell`, x being its column and y its value) and each vertical line (`mark`, with its label for a name). What a row does
/// not have is empty, and so is a number that is not finite.
fn data(figure: &Illustration) -> Result<Vec<u8>, Failure> {
    let failed =
        |reason: String| Failure::new(format!("the data of {} cannot be written: {reason}", figure.id));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut rows: Vec<[String; 7]> = vec![COLUMNS.map(str::to_owned)];
    for panel in &figure.panels {
        let row = |series: &str, kind: &str, numbers: [Option<f64>; 4]| {
            let [x, y, low, high] = numbers.map(cell);
            [
                panel.title.clone(),
                series.to_owned(),
                kind.to_owned(),
                x,
                y,
                low,
                high,
            ]
        };
        for series in &panel.series {
            match &series.kind {
                SeriesKind::Line(points) => rows.extend(
                    points
                        .iter()
                        .map(|&(x, y)| row(&series.name, "line", [Some(x), Some(y), None, None])),
                ),
                SeriesKind::Points(points) => rows.extend(points.iter().map(|point| {
                    let numbers = [point.x, point.y, point.low, point.high].map(Some);
                    row(&series.name, "point", numbers)
                })),
                // A cell is named after its column and row.
                SeriesKind::Cells(cells) => {
                    rows.extend(cells.values.iter().enumerate().map(|(index, value)| {
                        let (column, line) = (
                            index % cells.columns.len().max(1),
                            index / cells.columns.len().max(1),
                        );
                        let label =
                            |labels: &[String], at: usize| labels.get(at).cloned().unwrap_or_default();
                        let name = format!(
                            "{}: {}; {}",
                            series.name,
                            label(&cells.columns, column),
                            label(&cells.rows, line)
                        );
                        row(&name, "cell", [Some(column as f64), *value, None, None])
                    }));
                }
            }
        }
        for mark in &panel.marks {
            rows.push(row(&mark.label, "mark", [Some(mark.x), None, None, None]));
        }
    }
    for row in &rows {
        writer
            .write_record(row)
            .map_err(|error| failed(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}

/// A number with as many digits as it takes to read the same one again.
fn cell(number: Option<f64>) -> String {
    number
        .filter(|number| number.is_finite())
        .map_or_else(String::new, |number| number.to_string())
}

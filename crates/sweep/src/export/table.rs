//! Results as one table with a row for each measure of each point: what CSV and Parquet have in common.

use crate::error::SweepError;
use crate::reading::Results;
use crate::results::{Heading, PointResult, StoredEstimate};

/// What is in the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Number,
    Text,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Integer(u64),
    /// None where there is no such number.
    Number(Option<f64>),
    /// None where there is nothing to say.
    Text(Option<String>),
}

/// The columns: the point, a column for every key (a number where all its values are numbers), and the estimate.
pub(super) fn columns(heading: &Heading) -> Vec<(String, Kind)> {
    let fixed = |name: &str, kind| (name.to_owned(), kind);
    let keys = heading
        .numeric_keys()
        .into_iter()
        .map(|(key, is_numeric)| fixed(key, if is_numeric { Kind::Number } else { Kind::Text }));
    let mut columns = vec![fixed("point", Kind::Integer)];
    columns.extend(keys);
    columns.extend([
        fixed("measure", Kind::Text),
        fixed("estimate", Kind::Number),
        fixed("low", Kind::Number),
        fixed("high", Kind::Number),
        fixed("replications", Kind::Integer),
        fixed("note", Kind::Text),
    ]);
    columns
}

/// Gives the rows of every point to `receive`, in order.
pub(super) fn for_each_point(
    results: &Results,
    receive: &mut dyn FnMut(Vec<Vec<Cell>>) -> Result<(), SweepError>,
) -> Result<(), SweepError> {
    let is_numeric: Vec<bool> = results
        .heading()
        .numeric_keys()
        .into_iter()
        .map(|(_, is_numeric)| is_numeric)
        .collect();
    for &point in results.points() {
        let result = results.point(point)?;
        let settings = results.heading().settings(point);
        let keys: Vec<Cell> = settings
            .into_iter()
            .zip(&is_numeric)
            .map(|((_, label, number), is_numeric)| {
                if *is_numeric {
                    Cell::Number(number)
                } else {
                    Cell::Text(Some(label.to_owned()))
                }
            })
            .collect();
        receive(
            result
                .estimates
                .iter()
                .map(|estimate| row(&result, &keys, estimate))
                .collect(),
        )?;
    }
    Ok(())
}

fn row(result: &PointResult, keys: &[Cell], estimate: &StoredEstimate) -> Vec<Cell> {
    let mut row = vec![Cell::Integer(result.point)];
    row.extend_from_slice(keys);
    row.extend([
        Cell::Text(Some(estimate.measure.clone())),
        Cell::Number(estimate.estimate),
        Cell::Number(estimate.low),
        Cell::Number(estimate.high),
        Cell::Integer(result.replications),
        Cell::Text(estimate.note.clone()),
    ]);
    row
}

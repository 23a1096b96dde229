//! Results as CSV.

use std::io::Write;

use super::table::{Cell, columns, for_each_point};
use crate::error::SweepError;
use crate::reading::Results;

/// Writes results as CSV: a row for each measure of each point. A number has as many digits as it takes to read the same one
/// again; what there is not is empty.
///
/// # Errors
/// [`SweepError`] when the results cannot be read or `writer` fails.
pub fn csv(results: &Results, writer: impl Write) -> Result<(), SweepError> {
    let failed = |error: csv::Error| SweepError::Export(format!("the CSV file cannot be written: {error}"));
    let mut writer = csv::Writer::from_writer(writer);
    let header = columns(results.heading()).into_iter().map(|(name, _)| name);
    writer.write_record(header).map_err(failed)?;
    for_each_point(results, &mut |rows| {
        for row in rows {
            writer.write_record(row.iter().map(text)).map_err(failed)?;
        }
        Ok(())
    })?;
    writer.flush().map_err(|error| failed(error.into()))
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Integer(integer) => integer.to_string(),
        Cell::Number(number) => number.map(|number| number.to_string()).unwrap_or_default(),
        Cell::Text(text) => text.clone().unwrap_or_default(),
    }
}

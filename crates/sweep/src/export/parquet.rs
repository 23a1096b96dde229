//! Results as Parquet.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::table::{Cell, Kind, columns, for_each_point};
use crate::error::SweepError;
use crate::reading::Results;

/// Rows that are held in memory and written together.
const ROWS_HELD: usize = 100_000;

/// Writes results as Parquet, the same table as [`csv`](super::csv()), with what they are of in the file's metadata.
///
/// # Errors
/// [`SweepError`] when the results cannot be read or `writer` fails.
pub fn parquet(results: &Results, writer: impl Write + Send) -> Result<(), SweepError> {
    let columns = columns(results.heading());
    let fields = columns
        .iter()
        .map(|(name, kind)| field(name, *kind).map(Arc::new));
    let schema = fields
        .collect::<Result<Vec<_>, _>>()
        .and_then(|fields| Type::group_type_builder("results").with_fields(fields).build())
        .map_err(failed)?;
    let heading = results.heading();
    let metadata = [
        ("plan", heading.name.clone()),
        ("program", heading.program.clone()),
        ("checksum", heading.checksum.clone()),
        ("seed", heading.seed.to_string()),
        ("effort", heading.effort.clone()),
        ("confidence", heading.confidence.to_string()),
        ("time_unit", heading.time_unit.clone()),
    ];
    let metadata = metadata.map(|(key, value)| KeyValue::new(format!("retrylab.{key}"), value));
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(metadata.to_vec()))
        .build();
    let mut writer =
        SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    let mut held: Vec<Vec<Cell>> = Vec::new();
    for_each_point(results, &mut |rows| {
        held.extend(rows);
        if held.len() >= ROWS_HELD {
            write_group(&mut writer, &columns, &held).map_err(failed)?;
            held.clear();
        }
        Ok(())
    })?;
    if !held.is_empty() {
        write_group(&mut writer, &columns, &held).map_err(failed)?;
    }
    writer.close().map(|_| ()).map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: ParquetError) -> SweepError {
    SweepError::Export(format!("the Parquet file cannot be written: {error}"))
}

fn field(name: &str, kind: Kind) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match kind {
        Kind::Integer => (PhysicalType::INT64, None, Repetition::REQUIRED),
        Kind::Number => (PhysicalType::DOUBLE, None, Repetition::OPTIONAL),
        Kind::Text => (
            PhysicalType::BYTE_ARRAY,
            Some(LogicalType::String),
            Repetition::OPTIONAL,
        ),
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

/// Writes rows as a row group, column by column.
fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[(String, Kind)],
    rows: &[Vec<Cell>],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (index, (_, kind)) in columns.iter().enumerate() {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("a column is missing".to_owned()));
        };
        let cells = rows.iter().map(|row| &row[index]);
        match kind {
            Kind::Integer => {
                let values: Vec<i64> = cells
                    .filter_map(|cell| match cell {
                        Cell::Integer(integer) => Some(*integer as i64),
                        Cell::Number(_) | Cell::Text(_) => None,
                    })
                    .collect();
                column.typed::<Int64Type>().write_batch(&values, None, None)?;
            }
            Kind::Number => {
                let numbers = cells.map(|cell| match cell {
                    Cell::Number(number) => *number,
                    Cell::Integer(_) | Cell::Text(_) => None,
                });
                let (levels, values) = optional(numbers);
                column
                    .typed::<DoubleType>()
                    .write_batch(&values, Some(&levels), None)?;
            }
            Kind::Text => {
                let texts = cells.map(|cell| match cell {
                    Cell::Text(text) => text.as_deref().map(ByteArray::from),
                    Cell::Integer(_) | Cell::Number(_) => None,
                });
                let (levels, values) = optional(texts);
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, Some(&levels), None)?;
            }
        }
        column.close()?;
    }
    group.close().map(|_| ())
}

/// Values that may be missing as Parquet has them: for each whether it is there, and those that are.
fn optional<T>(cells: impl Iterator<Item = Option<T>>) -> (Vec<i16>, Vec<T>) {
    let mut levels = Vec::new();
    let values = cells
        .inspect(|cell| levels.push(i16::from(cell.is_some())))
        .flatten()
        .collect();
    (levels, values)
}

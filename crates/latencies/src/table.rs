//! Tables: a line for each measurement.

use csv::{ReaderBuilder, StringRecord, Trim};
use retrylab_model::wording::{alternatives, expected, quotation};
use retrylab_model::{Latencies, LatenciesError, Measured, Scale, Time, TimeUnit, Unreadable};

use crate::file::FileText;
use crate::unreadable;

/// Columns that a message lists.
const COLUMNS_LISTED: usize = 12;

/// Reads the times in a table.
pub(crate) fn read(file: &FileText, measured: &Measured, shown: &str) -> Result<Latencies, Unreadable> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .comment(Some(b'#'))
        .delimiter(delimiter(&file.text))
        .from_reader(file.text.as_bytes());
    let mut times = Times::new(measured.unit, shown);
    let mut column = None;
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return Err(unreadable(format!("{shown} is not a table: {error}"))),
        }
        let line = || line_of(&record, &file.text);
        let column: &Column = match &column {
            Some(column) => column,
            None => {
                let chosen = Column::choose(&record, measured.column.as_deref(), shown)?;
                let is_header = chosen.is_header;
                let column = column.insert(chosen);
                if is_header {
                    continue;
                }
                column
            }
        };
        let Some(cell) = record.get(column.index) else {
            return Err(unreadable(format!(
                "{shown}, line {} ends before column {}",
                line(),
                column.name
            )));
        };
        times.push(cell, &line)?;
    }
    times
        .finish(&file.sha256)
        .map_err(|error| match (error, &column) {
            (LatenciesError::Empty, Some(column)) if column.is_header => unreadable(format!(
                "{shown} holds no values, only the header of column {}",
                column.name
            )),
            (error, _) => unreadable(format!("{shown}: {error}")),
        })
}

/// The line of a record. Its position is where the one before it ended, in front of blank lines and comments.
fn line_of(record: &StringRecord, text: &str) -> u64 {
    let Some(position) = record.position() else {
        return 0;
    };
    let ahead = text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = ahead
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with('#'));
    position.line() + skipped.count() as u64
}

/// What separates columns: the first of these that the first line of the table has.
fn delimiter(text: &str) -> u8 {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let separators = [b'\t', b';'].into_iter();
    separators
        .clone()
        .find(|&separator| first.is_some_and(|line| line.as_bytes().contains(&separator)))
        .unwrap_or(b',')
}

/// The column that has the times.
struct Column {
    index: usize,
    name: String,
    /// Whether the first line has names and no times.
    is_header: bool,
}

impl Column {
    /// The column that is asked for, or the only one, as the first line shows. Without a header, columns are called by number.
    fn choose(first: &StringRecord, asked: Option<&str>, shown: &str) -> Result<Self, Unreadable> {
        let names: Vec<String> = first.iter().map(str::to_owned).collect();
        // A line of blanks names nothing.
        let is_header =
            !names.iter().any(|name| is_number(name)) && names.iter().any(|name| !name.is_empty());
        let names = if is_header {
            names
        } else {
            (1..=names.len()).map(|number| number.to_string()).collect()
        };
        let refuse = |sentence| {
            Err(Unreadable {
                key: "column",
                sentence,
            })
        };
        let index = match asked {
            None if names.len() == 1 => 0,
            None => {
                let listed = listed(&names);
                let place = if is_header {
                    "columns"
                } else {
                    "columns without names"
                };
                return Err(unreadable(format!(
                    "{shown} has {} {place}; say which has the times, as in column = \"{}\": {listed}",
                    names.len(),
                    quotation(&names[names.len() - 1])
                )));
            }
            Some(asked) => {
                let mut matching = (0..names.len()).filter(|&index| names[index] == asked);
                match (matching.next(), matching.next()) {
                    (Some(index), None) => index,
                    (Some(_), Some(_)) => {
                        return refuse(format!(
                            "{shown} has more than one column called \"{}\"",
                            quotation(asked)
                        ));
                    }
                    (None, _) => {
                        let known: Vec<&str> =
                            names.iter().take(COLUMNS_LISTED).map(String::as_str).collect();
                        let quoted: Vec<String> = known.iter().map(|name| quotation(name)).collect();
                        let quoted: Vec<&str> = quoted.iter().map(String::as_str).collect();
                        return refuse(format!(
                            "{shown} has no column called \"{}\"; {}",
                            quotation(asked),
                            expected(asked, &quoted)
                        ));
                    }
                }
            }
        };
        Ok(Self {
            index,
            name: format!("\"{}\"", quotation(&names[index])),
            is_header,
        })
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(COLUMNS_LISTED)
        .map(|name| quotation(name))
        .collect();
    alternatives(quoted.iter().map(String::as_str))
}

/// Whether a cell of the first line is a number or a time and so no name.
fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok() || cell.parse::<Time>().is_ok()
}

/// The times that were read so far.
struct Times<'s> {
    values: Vec<f64>,
    unit: Option<TimeUnit>,
    /// Whether the first cell has a unit.
    in_cells: Option<bool>,
    shown: &'s str,
}

impl<'s> Times<'s> {
    fn new(unit: Option<TimeUnit>, shown: &'s str) -> Self {
        Self {
            values: Vec::new(),
            unit,
            in_cells: None,
            shown,
        }
    }

    fn push(&mut self, cell: &str, line: &dyn Fn() -> u64) -> Result<(), Unreadable> {
        let shown = self.shown;
        let at = |what: String| unreadable(format!("{shown}, line {}: {what}", line()));
        let (value, has_unit) = match (cell.parse::<f64>(), cell.parse::<Time>()) {
            (Ok(value), _) => (value, false),
            (_, Ok(time)) => (time.value(), true),
            _ if cell.is_empty() => return Err(at("the cell of the time is empty".to_owned())),
            _ => {
                return Err(at(format!(
                    "\"{}\" is not a number, but a measured time is one, without thousands separators",
                    quotation(cell)
                )));
            }
        };
        if has_unit && let Some(unit) = self.unit {
            return Err(at(format!(
                "{} has a unit of its own, but unit = \"{}\" is given",
                quotation(cell),
                unit.name()
            )));
        }
        if *self.in_cells.get_or_insert(has_unit) != has_unit {
            let (this, others) = if has_unit { ("a", "none") } else { ("no", "one") };
            return Err(at(format!(
                "{} has {this} unit, but those before it have {others}",
                quotation(cell)
            )));
        }
        let value = match self.unit {
            Some(unit) => unit.seconds(value),
            None => value,
        };
        if !(value > 0.0 && value.is_finite()) {
            let hint = if value == 0.0 {
                "; a service takes some time, so what was rounded to 0 needs a finer unit"
            } else {
                ""
            };
            return Err(at(format!(
                "{} is not a finite time above 0{hint}",
                quotation(cell)
            )));
        }
        if self.values.len() == retrylab_model::LATENCIES_MAX {
            return Err(unreadable(format!("{shown}: {}", LatenciesError::TooMany)));
        }
        self.values.push(value);
        Ok(())
    }

    fn finish(self, sha256: &str) -> Result<Latencies, LatenciesError> {
        let has_unit = self.unit.is_some() || self.in_cells == Some(true);
        let scale = if has_unit {
            Scale::Seconds
        } else {
            Scale::Dimensionless
        };
        Latencies::of_values(self.values, scale, sha256)
    }
}

//! The time series of a simulation as a CSV file: one row per window and replication.

use std::path::Path;

use retrylab_sim::{Measure, RunRecord, Window};

use crate::failure::Failure;
use crate::output_file::OutputFile;

/// Columns that are ratios; the cell is empty where nothing happened that the measure is about.
const RATIOS: [(&str, Measure); 8] = [
    ("success", Measure::Success),
    ("attempts_per_request", Measure::AttemptsPerRequest),
    ("goodput", Measure::Goodput),
    ("utilization", Measure::Utilization),
    ("abandoned_work", Measure::AbandonedWork),
    ("sojourn_time_mean", Measure::SojournTimeMean),
    ("waiting_time_mean", Measure::WaitingTimeMean),
    ("number_in_system", Measure::NumberInSystem),
];

/// Columns that are counts.
const COUNTS: [&str; 11] = [
    "requests",
    "attempts",
    "retries",
    "rejected",
    "skipped",
    "completions",
    "late_completions",
    "errors",
    "timeouts",
    "successes",
    "in_system_at_end",
];

/// A CSV file that is being written.
pub(crate) struct Trace {
    writer: csv::Writer<OutputFile>,
}

impl Trace {
    /// Begins a file at `path`, or says now why there could be none.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let mut writer = csv::Writer::from_writer(OutputFile::create(path)?);
        let header = ["replication", "from", "to"]
            .into_iter()
            .chain(COUNTS)
            .chain(RATIOS.map(|(name, _)| name));
        writer.write_record(header).map_err(|error| failed(&error))?;
        Ok(Self { writer })
    }

    /// Adds the windows of a replication.
    pub(crate) fn write(&mut self, record: &RunRecord) -> Result<(), Failure> {
        for window in &record.windows {
            self.writer
                .write_record(cells(record.replication, window))
                .map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Gives the complete file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.writer.into_inner() {
            Ok(file) => file.finish(),
            Err(error) => Err(failed(error.error())),
        }
    }
}

fn failed(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("the trace cannot be written: {error}"))
}

fn cells(replication: u64, window: &Window) -> Vec<String> {
    let counts = &window.counts;
    let numbers = [
        counts.requests,
        counts.attempts,
        counts.retries,
        counts.rejected,
        counts.skipped,
        counts.completions,
        counts.late_completions,
        counts.errors,
        counts.timeouts,
        counts.successes,
        counts.in_system_at_end,
    ];
    let ratios = RATIOS.map(|(_, measure)| {
        let (numerator, denominator) = counts.measure(measure);
        if denominator > 0.0 {
            (numerator / denominator).to_string()
        } else {
            String::new()
        }
    });
    [
        replication.to_string(),
        window.from.to_string(),
        window.to.to_string(),
    ]
    .into_iter()
    .chain(numbers.map(|number| number.to_string()))
    .chain(ratios)
    .collect()
}

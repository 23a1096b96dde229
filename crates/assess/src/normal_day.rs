//! The service on a normal day, from independent runs.

use std::ops::Range;

use retrylab_model::{Scenario, Time};
use retrylab_sim::{Histogram, Measure, Options, RunRecord, replicate};
use retrylab_verify::statistics::{
    ErrorRate, Interval, Moments, RatioMoments, StatisticsError, bounded_mean_interval, mean_interval,
};

use crate::down::Ends;
use crate::error::AssessError;
use crate::service::Service;

/// Requests of one run where the service as it is is measured, and where a variant is compared with it.
pub(crate) const REQUESTS: f64 = 400_000.0;
pub(crate) const REQUESTS_COMPARED: f64 = 60_000.0;
/// Share of a run before measuring begins.
const WARM_UP: f64 = 0.1;
/// Independent runs.
pub(crate) const RUNS: u64 = 24;
/// A run has gone down by itself when fewer than this share of its last requests succeed.
const DOWN: f64 = 0.5;
/// Windows of a run. Each is much longer than it takes the service to forget, and counts as independent of the others where a number
/// is the same in all runs.
const WINDOWS: std::ops::RangeInclusive<f64> = 100.0..=4_000.0;
/// Paces of a window at least.
const WINDOW_PACES: f64 = 0.5;
/// Share of a run at its end that tells whether it has gone down.
const LAST: f64 = 0.05;

/// A number and its interval.
pub(crate) type Measured = (f64, Interval);

/// Records of a scenario without incidents.
#[derive(Debug)]
pub(crate) struct NormalDay {
    records: Vec<RunRecord>,
    /// Which of them stayed up.
    stayed_up: Vec<bool>,
    /// Length of a run in seconds.
    pub(crate) length: f64,
    /// Attempts simulated.
    pub(crate) attempts: u64,
}

/// The scenario of a normal day that is as long as is measured.
pub(crate) fn scenario(service: &Service, requests: f64) -> Result<Scenario, AssessError> {
    let length = requests / service.rate();
    let windows = (length / (WINDOW_PACES * service.pace())).clamp(*WINDOWS.start(), *WINDOWS.end());
    let timeout = service.spec().timeout;
    Ok(service.scenario()?.modified(|spec| {
        spec.run.until = Some(Time::in_seconds(length));
        spec.run.measure_from = Some(Time::in_seconds(WARM_UP * length));
        spec.run.window = Some(Time::in_seconds(length / windows));
        spec.run.tail_times = timeout.into_iter().collect();
    })?)
}

impl NormalDay {
    /// Simulates it.
    pub(crate) fn run(scenario: &Scenario, seed: u64, runs: Range<u64>) -> Result<Self, AssessError> {
        let options = Options {
            windows: true,
            histogram: true,
            ..Options::default()
        };
        let records = replicate(scenario, seed, runs, &options)?;
        Ok(Self {
            stayed_up: records.iter().map(|record| !has_gone_down(record)).collect(),
            attempts: records.iter().map(|record| record.attempts_simulated).sum(),
            records,
            length: scenario.until(),
        })
    }

    /// Number of runs.
    pub(crate) fn runs(&self) -> u64 {
        self.records.len() as u64
    }

    /// Number of runs that went down by themselves.
    pub(crate) fn down(&self) -> u64 {
        self.stayed_up.iter().filter(|up| !**up).count() as u64
    }

    /// Whether no run stayed up.
    pub(crate) fn is_down(&self) -> bool {
        self.down() == self.runs()
    }

    /// The runs that stayed up, or all where none did: what a normal day is like while it is normal.
    fn normal(&self) -> impl Iterator<Item = &RunRecord> {
        let all = self.is_down();
        self.records
            .iter()
            .zip(&self.stayed_up)
            .filter(move |(_, up)| all || **up)
            .map(|(record, _)| record)
    }

    /// A measure that lies in a known range. What a run counts may leave it by the few requests that are open at its ends, and an
    /// interval by what is not known: neither is said.
    pub(crate) fn ratio(
        &self,
        measure: Measure,
        range: (f64, f64),
        alpha: ErrorRate,
    ) -> Result<Option<Measured>, StatisticsError> {
        let mut ratios = RatioMoments::default();
        for record in self.normal() {
            let (numerator, denominator) = record.measure(measure);
            if denominator > 0.0 {
                ratios.push(numerator, denominator);
            }
        }
        let Some(value) = ratios.ratio() else {
            return Ok(None);
        };
        // Fieller's interval where runs differ enough for one, else one that knows only the range, from the windows of all runs.
        let interval = match ratios.interval(alpha) {
            Ok(interval) if interval.high().is_finite() => interval,
            _ => bounded_mean_interval(
                &self.windows(measure, range),
                &Interval::certain(range.0, range.1)?,
                alpha,
            )?,
        };
        let within = |number: f64| number.clamp(range.0, range.1);
        let interval = Interval::new(within(interval.low()), within(interval.high()), alpha)?;
        Ok(Some((within(value), interval)))
    }

    /// A measure in every measured window of the normal runs.
    fn windows(&self, measure: Measure, (least, most): (f64, f64)) -> Moments {
        self.normal()
            .flat_map(|record| &record.windows)
            .filter(|window| window.from >= WARM_UP * self.length)
            .filter_map(|window| {
                let (numerator, denominator) = window.counts.measure(measure);
                (denominator > 0.0).then(|| (numerator / denominator).clamp(least, most))
            })
            .collect()
    }

    /// What came of the requests in stretches of about a length, one after another through the normal runs.
    pub(crate) fn stretches(&self, length: f64) -> impl Iterator<Item = Ends> {
        self.normal().flat_map(move |record| {
            let from = record
                .windows
                .partition_point(|window| window.from < WARM_UP * self.length);
            let windows = &record.windows[from..];
            let width = windows.first().map_or(length, |window| window.to - window.from);
            // A window at least, and all of them at most.
            let count = (length / width).round().clamp(1.0, windows.len().max(1) as f64);
            windows.chunks_exact(count as usize).map(Ends::of)
        })
    }

    /// Share of requests that are given up for good.
    pub(crate) fn failure(&self, alpha: ErrorRate) -> Result<Option<Measured>, StatisticsError> {
        self.ratio(Measure::Failure, (0.0, 1.0), alpha)
    }

    /// Share of requests that succeed: all that are not given up.
    pub(crate) fn success(&self, alpha: ErrorRate) -> Result<Option<Measured>, StatisticsError> {
        let Some((failure, interval)) = self.failure(alpha)? else {
            return Ok(None);
        };
        let (low, high) = ((1.0 - interval.high()).max(0.0), (1.0 - interval.low()).min(1.0));
        Ok(Some(((1.0 - failure).max(0.0), Interval::new(low, high, alpha)?)))
    }

    /// A quantile of the sojourn time: the mean of the runs' own.
    pub(crate) fn sojourn_time(
        &self,
        probability: f64,
        alpha: ErrorRate,
    ) -> Result<Option<Measured>, StatisticsError> {
        let sample: Moments = self
            .normal()
            .filter_map(|record| record.sojourn_time_quantile(probability))
            .collect();
        if sample.count() == 0 {
            return Ok(None);
        }
        let resolution = Histogram::RELATIVE_ERROR;
        let (low, high) = match mean_interval(&sample, alpha) {
            Ok(interval) => (interval.low(), interval.high()),
            // Every run's quantile is in the same bucket: what varies is hidden in it.
            Err(StatisticsError::NoVariation { value }) => (value, value),
            Err(error) => return Err(error),
        };
        let interval = Interval::new(
            low.max(0.0) * (1.0 - resolution),
            high * (1.0 + resolution),
            alpha,
        )?;
        Ok(Some((sample.mean(), interval)))
    }

    /// Share of requests of each run that succeed, for comparisons run by run.
    pub(crate) fn success_of_each(&self) -> Vec<f64> {
        self.records
            .iter()
            .map(|record| {
                let (failed, requests) = record.measure(Measure::Failure);
                if requests > 0.0 {
                    1.0 - (failed / requests).min(1.0)
                } else {
                    1.0
                }
            })
            .collect()
    }
}

/// Whether a run ended with hardly a success.
fn has_gone_down(record: &RunRecord) -> bool {
    let count = (LAST * record.windows.len() as f64).ceil() as usize;
    let last = record.windows.iter().rev().take(count);
    let (successes, requests) = last.fold((0.0, 0.0), |(successes, requests), window| {
        let (more, new) = window.counts.measure(Measure::Success);
        (successes + more, requests + new)
    });
    successes < DOWN * requests
}

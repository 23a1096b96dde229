//! Numbers that sentences rest on, and how they are shown.

use retrylab_verify::report::duration;
use retrylab_verify::report::numbers::{self, Interval};
use retrylab_verify::statistics::{self, ErrorRate, StatisticsError, quantile_interval};
use serde::{Serialize, Serializer};

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// It was given, or follows from what was given by arithmetic.
    Given,
    /// A formula.
    ClosedForm,
    /// The simulator.
    Simulation,
}

/// What a number is a number of.
#[derive(Debug, Clone, PartialEq)]
pub enum Unit {
    /// A share of a whole, shown in percent.
    Share,
    /// A time in seconds, shown in the unit that reads best.
    Seconds,
    /// A time in seconds of which the size matters, shown in words such as "2,300 years".
    HumanTime,
    /// A rate per second, shown per another unit of time: its name and how many per second one per unit is.
    Rate(String, f64),
    /// How many.
    Count,
    /// A plain number.
    Number,
}

impl Unit {
    fn name(&self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Seconds | Self::HumanTime => "second",
            Self::Rate(..) => "per second",
            Self::Count => "count",
            Self::Number => "number",
        }
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A number behind a sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Its name.
    pub name: String,
    /// Its value.
    pub estimate: f64,
    /// Lower end of its interval; none where it is exact.
    pub low: Option<f64>,
    /// Upper end of its interval; none where it is exact, or where nothing bounds it.
    pub high: Option<f64>,
    /// Probability with which the interval covers; none where there is none.
    pub confidence: Option<f64>,
    /// What it is a number of.
    pub unit: Unit,
    /// Where it comes from.
    pub source: Source,
    /// How the sentence shows it.
    pub shown: String,
}

impl Evidence {
    /// A number without an interval.
    #[must_use]
    pub fn exact(name: &str, value: f64, unit: Unit, source: Source) -> Self {
        Self {
            name: name.to_owned(),
            estimate: value,
            low: None,
            high: None,
            confidence: None,
            shown: one(value, &unit),
            unit,
            source,
        }
    }

    /// A number that was given, or follows from what was given.
    #[must_use]
    pub fn given(name: &str, value: f64, unit: Unit) -> Self {
        Self::exact(name, value, unit, Source::Given)
    }

    /// A measured number with its interval.
    #[must_use]
    pub fn measured(name: &str, estimate: f64, interval: &statistics::Interval, unit: Unit) -> Self {
        let (low, high) = (interval.low(), interval.high());
        Self {
            name: name.to_owned(),
            estimate,
            low: Some(low),
            high: high.is_finite().then_some(high),
            confidence: Some(interval.confidence()),
            shown: with_interval(estimate, low, high, &unit),
            unit,
            source: Source::Simulation,
        }
    }

    /// The median of a sample with its distribution-free interval; a value that is only known to within `resolution` widens it.
    pub(crate) fn median(
        name: &str,
        sample: &[f64],
        resolution: f64,
        alpha: ErrorRate,
        unit: Unit,
    ) -> Result<Self, StatisticsError> {
        let interval = quantile_interval(sample, 0.5, alpha)?;
        let mut sorted = sample.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        } else {
            sorted[middle]
        };
        Ok(Self::measured(name, median, &interval.widened(resolution)?, unit))
    }

    /// The same number, which cannot be negative.
    #[must_use]
    pub(crate) fn not_negative(mut self) -> Self {
        self.low = self.low.map(|low| low.max(0.0));
        if let (Some(low), Some(high)) = (self.low, self.high) {
            self.shown = with_interval(self.estimate, low, high, &self.unit);
        }
        self
    }

    /// A lower bound: the number is at least so much, with a confidence.
    pub(crate) fn at_least(name: &str, low: f64, confidence: f64, unit: Unit) -> Self {
        Self {
            low: Some(low),
            confidence: Some(confidence),
            ..Self::exact(name, low, unit, Source::Simulation)
        }
    }

    /// The same number, shown without its interval, which JSON has.
    #[must_use]
    pub fn plainly(mut self) -> Self {
        if let (Some(low), Some(high)) = (self.low, self.high)
            && low < high
        {
            let (scale, unit) = scale(self.estimate, &self.unit);
            let rounded = Interval::new(self.estimate / scale, low / scale, high / scale);
            self.shown = format!("{}{unit}", rounded.estimate());
        }
        self
    }
}

/// What values are divided by to be shown, and what stands behind them.
fn scale(value: f64, unit: &Unit) -> (f64, String) {
    match unit {
        Unit::Share => (0.01, " %".to_owned()),
        Unit::Rate(per, unit) => (*unit, format!("/{per}")),
        Unit::Count | Unit::Number => (1.0, String::new()),
        Unit::Seconds | Unit::HumanTime => {
            let units = [
                (365.25 * 86_400.0, " years", 2.0 * 365.25 * 86_400.0),
                (86_400.0, " days", 2.0 * 86_400.0),
                (3600.0, " h", 7200.0),
                (60.0, " min", 600.0),
                (1.0, " s", 1.0),
                (1e-3, " ms", 1e-3),
                (1e-6, " µs", 0.0),
            ];
            let found = units
                .into_iter()
                .find(|(_, _, from)| value.abs() >= *from || *from <= 0.0);
            match found {
                Some((scale, name, _)) if value.abs() > 0.0 => (scale, name.to_owned()),
                _ => (1.0, " s".to_owned()),
            }
        }
    }
}

/// A value by itself.
fn one(value: f64, unit: &Unit) -> String {
    if let Unit::HumanTime = unit {
        return duration::words(value);
    }
    let (scale, name) = scale(value, unit);
    // Four digits: what was given in a file has no more.
    let rounded: f64 = match unit {
        Unit::Count => value,
        _ => format!("{:.3e}", value / scale).parse().unwrap_or(value / scale),
    };
    format!("{}{name}", numbers::number(rounded))
}

/// A value with its interval.
fn with_interval(estimate: f64, low: f64, high: f64, unit: &Unit) -> String {
    if let Unit::HumanTime = unit {
        return if high.is_finite() {
            format!(
                "{} ({} to {})",
                duration::words(estimate),
                duration::words(low),
                duration::words(high)
            )
        } else {
            format!(
                "{} (at least {})",
                duration::words(estimate),
                duration::words(low)
            )
        };
    }
    if low >= high {
        // The same in every run.
        return one(estimate, unit);
    }
    let (scale, name) = scale(estimate, unit);
    let interval = Interval::new(estimate / scale, low / scale, high / scale);
    format!("{}{name} ({}{name})", interval.estimate(), interval.range())
}

#[cfg(test)]
mod tests {
    use retrylab_verify::statistics::Interval;

    use super::*;

    #[test]
    fn numbers_are_shown_in_the_unit_that_reads_best() {
        for (value, unit, shown) in [
            (0.8, Unit::Share, "80 %"),
            (0.143, Unit::Seconds, "143 ms"),
            (90.0, Unit::Seconds, "90 s"),
            (240.0, Unit::Seconds, "240 s"),
            (660.0, Unit::Seconds, "11 min"),
            (100_000.0, Unit::Seconds, "27.78 h"),
            (864_000.0, Unit::Seconds, "10 days"),
            (7.3188e7, Unit::Seconds, "2.319 years"),
            (0.0, Unit::Seconds, "0 s"),
            (800.0, Unit::Rate("min".to_owned(), 1.0 / 60.0), "48,000/min"),
            (3e9, Unit::HumanTime, "95 years"),
            (24.0, Unit::Count, "24"),
        ] {
            assert_eq!(Evidence::given("value", value, unit).shown, shown);
        }
    }

    #[test]
    fn a_measured_number_shows_its_interval() {
        let interval = Interval::new(0.1411, 0.1459, ErrorRate::new(0.05).unwrap()).unwrap();
        let shown = Evidence::measured("latency", 0.1431, &interval, Unit::Seconds);
        assert_eq!(shown.shown, "143.1 ms (141.1 to 145.9 ms)");
        assert_eq!(shown.plainly().shown, "143.1 ms");
    }
}

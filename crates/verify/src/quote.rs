//! Numbers and words of a document, with what they can mean.

use crate::level::Level;
use crate::statistics::{Interval, Quoted};

/// A number as a document quotes it, with what it can mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// The number as printed and the range that the printing allows.
    pub number: Quoted,
    /// Why the range is that wide.
    pub reason: String,
    /// The sample behind the number, where the document measured it.
    pub sample: Option<AuthorSample>,
    /// Set where the words stand for all runs or for none: how many exceptions are tolerated is then a matter of the
    /// level.
    pub runs: Option<Runs>,
}

/// What words such as "every run" and "never" say about the share of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// All runs but few exceptions.
    NearlyAll,
    /// None but few exceptions.
    HardlyAny,
}

impl Runs {
    /// The shares that the words stand for when a share `exceptions` is tolerated.
    fn range(self, exceptions: f64) -> Interval {
        let (low, high) = match self {
            Self::NearlyAll => (1.0 - exceptions, 1.0),
            Self::HardlyAny => (0.0, exceptions),
        };
        Interval::certain(low, high).expect("a share of exceptions lies between 0 and 1")
    }
}

/// The sample behind a number that a document measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuthorSample {
    /// Independent runs behind the number.
    pub runs: u32,
    /// The span of time measured in one of our replications, divided by that measured in one run of the author's.
    ///
    /// The variance of a time average falls with the inverse of its span, so the author's standard deviation per run
    /// is ours times the square root of this ratio.
    pub span_ratio: f64,
}

const ROUNDING: &str = "what rounds to the printed number";

/// Share of exceptions that makes "every run" of a document's 40 or "none" of them a safe statement.
///
/// If one run in ten differed, 40 runs would have shown one with probability 1 − 0.9⁴⁰ = 0.985.
const EXCEPTIONS: f64 = 0.1;
const EXCEPTIONS_REASON: &str =
    "if one run in ten differed, the document's 40 runs would have shown one with probability 0.985";

impl Quote {
    /// A number printed in decimal, which stands for everything that rounds to it.
    ///
    /// # Panics
    /// If `text` is no decimal number: a mistake in a claim, found by the test that builds all claims.
    #[must_use]
    pub fn printed(text: &str) -> Self {
        Self::new(Quoted::parse(text).expect("quoted numbers are decimal"), ROUNDING)
    }

    /// A number printed as a percentage; the range is that of the fraction.
    ///
    /// # Panics
    /// As [`Quote::printed`].
    #[must_use]
    pub fn percent(text: &str) -> Self {
        Self::new(
            Quoted::percent(text).expect("quoted numbers are decimal"),
            ROUNDING,
        )
    }

    /// A statement that stands for a range, with the reason why.
    ///
    /// # Panics
    /// If the ends are not finite and in order: a mistake in a claim, found by the test that builds all claims.
    #[must_use]
    pub fn range(text: &str, low: f64, high: f64, reason: &str) -> Self {
        let range = Interval::certain(low, high).expect("ranges of quoted statements are in order");
        Self::new(Quoted::words(text, range), reason)
    }

    fn new(number: Quoted, reason: &str) -> Self {
        Self {
            number,
            reason: reason.to_owned(),
            sample: None,
            runs: None,
        }
    }

    /// Words that stand for every run, or for none, of the document's 40.
    #[must_use]
    pub fn runs(text: &str, runs: Runs) -> Self {
        Self {
            runs: Some(runs),
            ..Self::new(Quoted::words(text, runs.range(EXCEPTIONS)), EXCEPTIONS_REASON)
        }
    }

    /// Whether it is a decimal number, which says by itself what it can mean.
    pub(crate) fn is_decimal(&self) -> bool {
        self.reason == ROUNDING
    }

    /// The number with what it can mean, and why, at a level.
    pub(crate) fn at_level(&self, level: Level) -> (Quoted, String) {
        let factor = level.exceptions_factor();
        match self.runs {
            Some(runs) if factor > 1.0 => (
                Quoted::words(self.number.text(), runs.range(factor * EXCEPTIONS)),
                format!(
                    "{}; the {level} level tolerates {factor} times as many",
                    self.reason
                ),
            ),
            _ => (self.number.clone(), self.reason.clone()),
        }
    }

    /// States that the document measured the number in so many runs, each as long as one of our replications.
    #[must_use]
    pub fn measured_in(self, runs: u32) -> Self {
        self.measured_in_shorter(runs, 1.0)
    }

    /// States that the document measured the number in so many runs, when our replications are longer by a factor.
    #[must_use]
    pub fn measured_in_shorter(mut self, runs: u32, span_ratio: f64) -> Self {
        self.sample = Some(AuthorSample { runs, span_ratio });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_and_no_run_stand_for_few_exceptions_and_for_four_times_as_many_in_a_smoke_run() {
        for (runs, few, more) in [
            (Runs::NearlyAll, (0.9, 1.0), (0.6, 1.0)),
            (Runs::HardlyAny, (0.0, 0.1), (0.0, 0.4)),
        ] {
            let quote = Quote::runs("so it is", runs);
            for level in [Level::Standard, Level::Thorough] {
                let (number, reason) = quote.at_level(level);
                let range = number.range();
                assert_eq!((range.low(), range.high()), few);
                assert_eq!((number.text(), reason.as_str()), ("so it is", EXCEPTIONS_REASON));
            }
            let (number, reason) = quote.at_level(Level::Quick);
            let range = number.range();
            assert_eq!((range.low(), range.high()), more);
            assert_eq!(
                (number.text(), reason),
                (
                    "so it is",
                    format!("{EXCEPTIONS_REASON}; the quick level tolerates 4 times as many")
                )
            );
        }
    }

    #[test]
    fn only_what_is_printed_in_digits_says_by_itself_what_it_means() {
        assert!(Quote::printed("1.75").is_decimal() && Quote::percent("17.5").is_decimal());
        assert!(!Quote::range("about two", 1.5, 2.5, "made up").is_decimal());
        assert!(!Quote::runs("never", Runs::HardlyAny).is_decimal());
        // Nor does a smoke run tolerate more where it is no matter of runs.
        let (number, reason) = Quote::printed("1.75").at_level(Level::Quick);
        assert_eq!((number.range().low(), reason.as_str()), (1.745, ROUNDING));
    }
}

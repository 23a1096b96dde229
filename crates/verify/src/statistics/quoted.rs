//! Numbers as printed in a document: what they can mean, and whether evidence reproduces them.

use serde::Serialize;

use super::{
    critical::normal_critical_value,
    equivalence::{Decision, Region},
    error::{StatisticsError, require},
    error_rate::ErrorRate,
    interval::Interval,
};

/// Largest number of digits for which a decimal's ends are exact quotients of floating-point integers.
const DIGITS_MAX: usize = 14;

/// A number as printed, with the interval of values that it can stand for.
///
/// A number printed as 0.95 stands for every value that rounds to it, 0.945 to 0.955. When it was measured
/// from a sample of its author's, the author's sampling error widens that interval.
///
/// ```
/// use retrylab_verify::statistics::{Interval, Quoted, Reproduction};
/// let quoted = Quoted::parse("0.95")?;
/// assert_eq!((quoted.range().low(), quoted.range().high()), (0.945, 0.955));
/// assert_eq!(quoted.reproduced_by(&Interval::exact(0.9502)?), Reproduction::Reproduced);
/// assert_eq!(quoted.reproduced_by(&Interval::certain(0.93, 0.94)?), Reproduction::NotReproduced);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Quoted {
    text: String,
    value: f64,
    range: Interval,
}

/// Whether evidence reproduces a quoted number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reproduction {
    /// All that the evidence allows is what the quoted number can stand for.
    Reproduced,
    /// Nothing that the evidence allows is what the quoted number can stand for.
    NotReproduced,
    /// The evidence allows both.
    Undecided,
}

impl Quoted {
    /// A plain decimal number, rounded to the last digit printed: `0.95`, `-1.5`, `6000` (to the nearest 1).
    ///
    /// # Errors
    /// [`StatisticsError::NotDecimal`] for anything else, exponents, separators and more than 14 digits
    /// included.
    pub fn parse(text: &str) -> Result<Self, StatisticsError> {
        Self::parse_fraction(text, 1.0)
    }

    /// A percentage, as a fraction: `99.9` stands for 0.9985 to 0.9995.
    ///
    /// # Errors
    /// As [`Quoted::parse`].
    ///
    /// ```
    /// use retrylab_verify::statistics::Quoted;
    /// let quoted = Quoted::percent("9.91")?;
    /// assert_eq!((quoted.range().low(), quoted.range().high()), (0.09905, 0.09915));
    /// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
    /// ```
    pub fn percent(text: &str) -> Result<Self, StatisticsError> {
        let parsed = Self::parse_fraction(text, 100.0)?;
        Ok(Self {
            text: format!("{text} %"),
            ..parsed
        })
    }

    /// A statement in words that stands for a range of values, such as "none" for shares of up to one in
    /// twenty.
    #[must_use]
    pub fn words(text: &str, range: Interval) -> Self {
        Self {
            text: text.to_owned(),
            value: range.midpoint(),
            range,
        }
    }

    /// The printed decimal divided by `whole`.
    fn parse_fraction(text: &str, whole: f64) -> Result<Self, StatisticsError> {
        let not_decimal = || StatisticsError::NotDecimal {
            text: text.to_owned(),
        };
        let (sign, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, text),
        };
        let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = format!("{integer}{fraction}");
        let ends_in_point = unsigned.ends_with('.');
        if integer.is_empty() || ends_in_point || digits.len() > DIGITS_MAX {
            return Err(not_decimal());
        }
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(not_decimal());
        }
        let units: f64 = digits.parse().map_err(|_| not_decimal())?;
        // Integers below 2⁵³ over a power of ten: each end is the floating-point number nearest to its
        // decimal.
        let scale = (0..fraction.len()).fold(10.0 * whole, |scale, _| scale * 10.0);
        let centre = sign * units * 10.0;
        Ok(Self {
            text: text.to_owned(),
            value: centre / scale,
            range: Interval::certain((centre - 5.0) / scale, (centre + 5.0) / scale)?,
        })
    }

    /// A number printed to the nearest multiple of `unit`: `6000` to the nearest 1000, "about 20,000" to the
    /// nearest 10,000.
    ///
    /// # Errors
    /// [`StatisticsError::NotDecimal`] as [`Quoted::parse`]; [`StatisticsError::OutOfRange`] for a unit that
    /// is not positive.
    ///
    /// ```
    /// use retrylab_verify::statistics::Quoted;
    /// let quoted = Quoted::with_unit("6000", 1000.0)?;
    /// assert_eq!((quoted.range().low(), quoted.range().high()), (5500.0, 6500.0));
    /// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
    /// ```
    pub fn with_unit(text: &str, unit: f64) -> Result<Self, StatisticsError> {
        require("unit of a quoted number", unit, "above 0", unit > 0.0)?;
        let parsed = Self::parse(text)?;
        let range = Interval::exact(parsed.value)?.widened(0.5 * unit)?;
        Ok(Self { range, ..parsed })
    }

    /// The same number as the mean of its author's `runs` independent runs, whose standard deviation was
    /// measured by us.
    ///
    /// The author's mean differs from the true one by at most z s/√runs except with probability α, z the
    /// normal's upper α/2 quantile: the range widens by that. (s comes from our many runs, so that no t
    /// quantile is needed.)
    ///
    /// # Errors
    /// [`StatisticsError::OutOfRange`] for no runs or a standard deviation that is negative or not finite.
    ///
    /// ```
    /// use retrylab_verify::statistics::{ErrorRate, Quoted};
    /// let quoted = Quoted::parse("0.83")?.sampled(40, 0.02, ErrorRate::new(0.01)?)?;
    /// assert!((quoted.range().low() - (0.825 - 2.575829 * 0.02 / 40.0_f64.sqrt())).abs() < 1e-8);
    /// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
    /// ```
    pub fn sampled(
        self,
        runs: u32,
        standard_deviation: f64,
        alpha: ErrorRate,
    ) -> Result<Self, StatisticsError> {
        require("runs of the author", f64::from(runs), "at least 1", runs >= 1)?;
        let accepted = "finite and at least 0";
        require(
            "standard deviation",
            standard_deviation,
            accepted,
            standard_deviation >= 0.0,
        )?;
        let critical = normal_critical_value(alpha.halved());
        let range = self
            .range
            .widened(critical * standard_deviation / f64::from(runs).sqrt())?;
        Ok(Self { range, ..self })
    }

    /// The number as printed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The printed number's value.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The values that the number can stand for: those that round to it, widened by its author's sampling
    /// error if [`Quoted::sampled`] told it.
    #[must_use]
    pub fn range(&self) -> Interval {
        self.range
    }

    /// Whether a measured interval, or an exactly computed value, reproduces the number.
    #[must_use]
    pub fn reproduced_by(&self, evidence: &Interval) -> Reproduction {
        match Region::from(self.range).judge(evidence) {
            Decision::Equivalent => Reproduction::Reproduced,
            Decision::Different => Reproduction::NotReproduced,
            Decision::Undecided => Reproduction::Undecided,
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the values compared are exact")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(text: &str) -> (f64, f64) {
        let range = Quoted::parse(text).unwrap().range();
        (range.low(), range.high())
    }

    #[test]
    fn ends_are_the_nearest_floating_point_numbers() {
        assert_eq!(range("0.95"), (0.945, 0.955));
        assert_eq!(range("1.11"), (1.105, 1.115));
        assert_eq!(range("99.9"), (99.85, 99.95));
        assert_eq!(range("6000"), (5999.5, 6000.5));
        assert_eq!(range("0.000125"), (0.000_124_5, 0.000_125_5));
        assert_eq!(range("0"), (-0.5, 0.5));
        assert_eq!(range("-1.5"), (-1.55, -1.45));
        assert_eq!(range("2.0"), (1.95, 2.05));
        let quoted = Quoted::parse("66.33").unwrap();
        assert_eq!((quoted.text(), quoted.value()), ("66.33", 66.33));
    }

    #[test]
    fn what_is_not_a_plain_decimal_is_refused() {
        for text in [
            "",
            "-",
            ".5",
            "5.",
            "1e3",
            "1,000",
            "NaN",
            "+1",
            "1.2.3",
            " 1",
            "--1",
            "0.950000000000000",
            "١",
        ] {
            assert_eq!(
                Quoted::parse(text),
                Err(StatisticsError::NotDecimal {
                    text: text.to_owned()
                })
            );
        }
        assert!(Quoted::with_unit("6000", 0.0).is_err());
        assert!(Quoted::with_unit("6000", f64::NAN).is_err());
    }

    #[test]
    fn the_authors_sample_widens_what_a_number_can_mean() {
        let alpha = ErrorRate::new(0.05).unwrap();
        let quoted = Quoted::parse("0.83").unwrap();
        let measured = Interval::new(0.838, 0.842, alpha).unwrap();
        assert_eq!(quoted.reproduced_by(&measured), Reproduction::NotReproduced);
        let sampled = quoted.clone().sampled(40, 0.05, alpha).unwrap();
        assert_eq!(sampled.reproduced_by(&measured), Reproduction::Reproduced);
        let barely = quoted.clone().sampled(40, 0.017, alpha).unwrap();
        assert_eq!(barely.reproduced_by(&measured), Reproduction::Undecided);
        assert_eq!(quoted.clone().sampled(1, 0.0, alpha).unwrap(), quoted);
        assert!(quoted.clone().sampled(0, 0.1, alpha).is_err());
        assert!(quoted.sampled(40, -0.1, alpha).is_err());
    }

    proptest! {
        #[test]
        fn every_printed_value_lies_in_the_range_of_its_print(
            value in -1e4..1e4_f64,
            decimals in 0..7_usize,
        ) {
            let text = format!("{value:.decimals$}");
            let quoted = Quoted::parse(&text).unwrap();
            prop_assert!(quoted.range().contains(value));
            prop_assert_eq!(quoted.value(), text.parse::<f64>().unwrap());
            let unit = 10.0_f64.powi(-i32::try_from(decimals).unwrap());
            prop_assert!(!quoted.range().contains(value + 1.001 * unit));
            prop_assert!(!quoted.range().contains(value - 1.001 * unit));
        }
    }
}

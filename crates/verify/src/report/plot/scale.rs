//! Linear and logarithmic scales and where their ticks go.

use crate::figure::Axis;
use crate::report::numbers;

/// Positions are kept this near to the axis, so that differences of positions stay finite.
const POSITION_MAX: f64 = 1e6;
/// Most labelled ticks on one axis.
const TICKS_MAX: i32 = 7;
/// Ranges narrower than this, relative to their ends, are as good as empty.
const WIDTH_MIN: f64 = 1e-12;

/// A labelled place on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// From 0 at the low end to 1 at the high end.
    pub(super) position: f64,
    /// What is written there.
    pub(super) label: String,
}

/// A mapping from values to positions between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Low end, as a power of ten on a logarithmic scale.
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Scale {
    /// The scale of an axis, or why it has none. An empty range is widened.
    pub(super) fn new(axis: &Axis) -> Result<Self, String> {
        // The width is not a number either if an end is not.
        if !(axis.high - axis.low).is_finite() {
            return Err(format!("the range of the axis “{}” is not finite", axis.label));
        }
        let (low, high) = (axis.low.min(axis.high), axis.low.max(axis.high));
        if axis.logarithmic && low <= 0.0 {
            return Err(format!(
                "the logarithmic axis “{}” begins at or below zero",
                axis.label
            ));
        }
        let (low, high) = if axis.logarithmic {
            (low.log10(), high.log10())
        } else {
            (low, high)
        };
        let (low, high) = if high - low > WIDTH_MIN * low.abs().max(high.abs()) {
            (low, high)
        } else {
            let margin = if axis.logarithmic {
                0.5
            } else if low.abs() < f64::MIN_POSITIVE {
                1.0
            } else {
                low.abs() / 2.0
            };
            (low - margin, high + margin)
        };
        // Widening the largest numbers leads beyond them.
        if !(high - low).is_finite() {
            return Err(format!("the range of the axis “{}” is not finite", axis.label));
        }
        Ok(Self {
            low,
            high,
            logarithmic: axis.logarithmic,
        })
    }

    /// Where a value lies: between 0 and 1 on the axis, beyond them outside; none where the scale has no place for it.
    pub(super) fn position(self, value: f64) -> Option<f64> {
        let value = if self.logarithmic { value.log10() } else { value };
        let position = self.position_of(value);
        // Rounding must not push the ends of the axis off it.
        let position = if (position - position.round()).abs() < 1e-9 {
            position.round()
        } else {
            position
        };
        position
            .is_finite()
            .then(|| position.clamp(-POSITION_MAX, POSITION_MAX))
    }

    /// As [`Scale::position`], but infinite values, and zero on a logarithmic scale, lie beyond the axis: an interval may
    /// reach there. None for NaN only.
    pub(super) fn position_or_beyond(self, value: f64) -> Option<f64> {
        let beyond = if value > 0.0 { 2.0 } else { -1.0 };
        self.position(value)
            .or_else(|| (!value.is_nan()).then_some(beyond))
    }

    fn position_of(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// The places to label.
    pub(super) fn ticks(self) -> Vec<Tick> {
        if !self.logarithmic {
            return self.linear_ticks(self.low, self.high);
        }
        let decades = self.high - self.low;
        if decades >= 2.0 {
            // From 14 decades on only every second, third, … is labelled.
            let stride = (decades / f64::from(TICKS_MAX)).ceil().max(1.0);
            return self.logarithmic_ticks(&[1.0], stride);
        }
        let ticks = self.logarithmic_ticks(&[1.0, 2.0, 5.0], 1.0);
        if ticks.len() > 2 {
            ticks
        } else {
            self.linear_ticks(10f64.powf(self.low), 10f64.powf(self.high))
        }
    }

    /// Multiples of 1, 2 or 5 times a power of ten between two values.
    fn linear_ticks(self, low: f64, high: f64) -> Vec<Tick> {
        // A logarithmic scale can reach where powers of ten are no numbers any more.
        if !(high - low).is_finite() {
            return Vec::new();
        }
        let rough = (high - low) / f64::from(TICKS_MAX - 1);
        let place = numbers::whole(rough.log10().floor());
        let (step, place) = [(1.0, place), (2.0, place), (5.0, place), (1.0, place + 1)]
            .map(|(factor, place)| (factor * 10f64.powi(place), place))
            .into_iter()
            .find(|(step, _)| *step >= rough * (1.0 - 1e-9))
            .unwrap_or((rough, place));
        let first = (low / step - 1e-9).ceil();
        (0..=TICKS_MAX)
            .map(|index| (first + f64::from(index)) * step)
            .take_while(|value| *value <= high + step * 1e-9)
            .filter_map(|value| {
                let label = numbers::tick(if value.abs() < step * 1e-6 { 0.0 } else { value }, place);
                self.position(value).map(|position| Tick {
                    position: position.clamp(0.0, 1.0),
                    label,
                })
            })
            .collect()
    }

    /// The given multiples of every power of ten, or of every so many.
    fn logarithmic_ticks(self, multiples: &[f64], stride: f64) -> Vec<Tick> {
        let first = (self.low.floor() / stride).floor() * stride;
        let powers = (0..)
            .map(|index| first + f64::from(index) * stride)
            .take_while(|power| *power <= self.high);
        powers
            .flat_map(|power| multiples.iter().map(move |multiple| (power, *multiple)))
            .filter_map(|(power, multiple)| {
                let position = self.position_of(power + multiple.log10());
                let label = numbers::tick(multiple * 10f64.powf(power), numbers::whole(power));
                (-1e-9..=1.0 + 1e-9).contains(&position).then_some(Tick {
                    position: position.clamp(0.0, 1.0),
                    label,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(low: f64, high: f64, logarithmic: bool) -> Scale {
        Scale::new(&Axis {
            label: "load".to_owned(),
            low,
            high,
            logarithmic,
        })
        .unwrap()
    }

    fn labels(low: f64, high: f64, logarithmic: bool) -> Vec<String> {
        scale(low, high, logarithmic)
            .ticks()
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn the_largest_numbers_are_refused_or_have_ticks_that_are_numbers() {
        for logarithmic in [false, true] {
            for (low, high) in [
                (f64::MAX, f64::MAX),
                (1e308, f64::MAX),
                (f64::MAX / 2.0, f64::MAX),
            ] {
                let axis = Axis {
                    label: String::new(),
                    low,
                    high,
                    logarithmic,
                };
                if let Ok(scale) = Scale::new(&axis) {
                    assert!(
                        scale
                            .ticks()
                            .iter()
                            .all(|tick| (0.0..=1.0).contains(&tick.position))
                    );
                }
            }
        }
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 1.0, false), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(-0.3, 0.3, false),
            ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(labels(0.0, 60_000.0, false)[1], "10,000");
        assert_eq!(labels(0.0, 5.0, false), ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_or_their_simple_multiples() {
        assert_eq!(labels(1e-3, 1.0, true), ["0.001", "0.01", "0.1", "1"]);
        assert_eq!(labels(1.0, 30.0, true), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(1e3, 1e8, true)[3..], ["10⁶", "10⁷", "10⁸"]);
    }

    #[test]
    fn an_axis_without_a_range_is_refused_by_name() {
        for (low, high, logarithmic) in [
            (f64::NAN, 1.0, false),
            (0.0, f64::INFINITY, false),
            (-1e308, 1e308, false),
            (0.0, 1.0, true),
        ] {
            let axis = Axis {
                label: "load".to_owned(),
                low,
                high,
                logarithmic,
            };
            assert!(Scale::new(&axis).unwrap_err().contains("load"), "{low} to {high}");
        }
    }

    #[test]
    fn an_empty_range_is_widened() {
        for value in [0.0, 1.0, -3.0, 1e-300, 1e300] {
            let position = scale(value, value, false).position(value).unwrap();
            assert!((position - 0.5).abs() < 1e-12, "{value:e}: {position}");
        }
        assert_eq!(scale(10.0, 10.0, true).position(10.0), Some(0.5));
    }

    proptest! {
        #[test]
        fn ticks_are_few_ordered_and_on_the_axis(low in -1e12..1e12f64, width in 1e-9..1e12f64) {
            let ticks = scale(low, low + width, false).ticks();
            prop_assert!(ticks.len() <= 8);
            prop_assert!(ticks.windows(2).all(|pair| pair[0].position <= pair[1].position));
            prop_assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.position)));
        }

        #[test]
        fn logarithmic_ticks_are_few_ordered_and_on_the_axis(low in -300.0..0.0f64, width in 0.01..300.0f64) {
            let ticks = scale(10f64.powf(low), 10f64.powf(low + width), true).ticks();
            prop_assert!(!ticks.is_empty() && ticks.len() <= 9, "{}", ticks.len());
            prop_assert!(ticks.windows(2).all(|pair| pair[0].position <= pair[1].position));
        }
    }
}

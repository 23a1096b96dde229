//! Closed forms by the names under which `retrylab compute` lists them.

use retrylab_analytic::{Evaluation, find};
use retrylab_sim::{Counts, Measure};

use crate::number::{Number, Read, of};

/// The results of a quantity.
pub(crate) struct Computed(Evaluation);

/// Evaluates a quantity.
pub(crate) fn compute(quantity: &str, arguments: &[(&str, f64)]) -> Computed {
    Computed(find(quantity).unwrap().evaluate(arguments).unwrap())
}

impl Computed {
    /// A result.
    pub(crate) fn value(&self, result: &str) -> f64 {
        self.0.number(result).unwrap()
    }

    /// A mean, beside the measure that it is about.
    pub(crate) fn mean(&self, result: &'static str, measure: Measure) -> Number<Counts> {
        self.mean_read(result, of(measure))
    }

    /// A mean, beside what it is about.
    pub(crate) fn mean_read<R>(&self, result: &'static str, read: Read<R>) -> Number<R> {
        Number::mean(result, self.value(result), read)
    }

    /// A mean power of a time.
    pub(crate) fn moment<R>(&self, order: u32, result: &'static str, read: Read<R>) -> Number<R> {
        Number::moment(order, result, self.value(result), read)
    }

    /// A share of time or of attempts.
    pub(crate) fn share(&self, result: &'static str, measure: Measure) -> Number<Counts> {
        self.share_read(result, of(measure))
    }

    /// A share of what is read.
    pub(crate) fn share_read<R>(&self, result: &'static str, read: Read<R>) -> Number<R> {
        Number::share(result, self.value(result), read)
    }

    /// The probability that a time is longer than another.
    pub(crate) fn tail(&self, result: &'static str, measure: Measure) -> Number<Counts> {
        Number::tail(result, self.value(result), of(measure))
    }
}

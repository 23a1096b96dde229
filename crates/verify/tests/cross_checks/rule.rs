//! The statistical rule: theory's number is accepted or rejected, at a stated error rate, by a sample that grows until one
//! of them can be said.
//!
//! At look j = 1, 2, … at a growing sample of independent replications, a number has an interval whose error rates sum to at
//! most α over all looks ([`Spending`]). With v theory's value and m its margin, the number is
//! - **accepted** when the whole interval lies within v ± m (equivalence, Schuirmann 1987),
//! - **rejected** when the interval has no point in common with v ± m, or when it is at most 0.8 m wide and not accepted. An
//!   interval so narrow that contains a value within 0.2 m of v lies within v ± m, so this says that it contains none.
//!
//! Where v is right, or off by a bias of the experiment of at most 0.2 m, it is rejected only if some interval misses the true
//! value: probability at most α. Where v is off by more than m it is accepted only if some interval misses the true value:
//! probability at most α too. Widths tend to zero, so every number is decided. Replications are regenerative
//! ([`cycles`](crate::cycles)) where not said otherwise, so that there is no bias and no warm-up; they are independent, so
//! correlated waiting times do not enter.

use rayon::prelude::*;
use retrylab_verify::statistics::{
    Batches, Decision, ErrorRate, Interval, RatioMoments, Spending, StatisticsError,
};

use crate::error_budget::split;
use crate::number::Number;

/// Replications before the first look.
const FIRST_BATCH: u32 = 64;
/// Growth of the sample from look to look.
const GROWTH: f64 = 1.5;
/// Width of an interval, in margins, that decides a number in any case; see above.
const DECISIVE_WIDTH: f64 = 0.8;
/// Looks after which a test's design, not chance, is at fault: a sample of 64 · 1.5^16 replications.
const LOOKS_MAX: u32 = 17;

/// What the rule says.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Every number was accepted.
    Accepted,
    /// A number was rejected; the evidence in words.
    Rejected(String),
}

/// A growing sample of replications, kept as it was at every look, so that several theories can be judged by it.
pub(crate) struct Sample<'a, R> {
    observe: &'a (dyn Fn(u64) -> R + Sync),
    numbers: Vec<Number<R>>,
    batches: Batches,
    looks: Vec<Vec<RatioMoments>>,
}

impl<'a, R> Sample<'a, R> {
    /// An empty sample of replications from which `numbers` are read; their values do not matter.
    pub(crate) fn new(observe: &'a (dyn Fn(u64) -> R + Sync), numbers: Vec<Number<R>>) -> Self {
        Self {
            observe,
            numbers,
            batches: Batches::new(FIRST_BATCH, GROWTH).unwrap(),
            looks: Vec::new(),
        }
    }

    /// Replications made so far.
    pub(crate) fn replications(&self) -> u64 {
        match self.looks.len() {
            0 => 0,
            looks => self.batches.total_after(looks as u32),
        }
    }

    /// Judges a theory's values of the numbers, which err together with a probability of at most `rate`.
    pub(crate) fn judge(&mut self, theory: &[Number<R>], rate: ErrorRate) -> Verdict {
        let spending = Spending::new(split(rate, theory.len() as u32));
        let mut open: Vec<usize> = (0..theory.len()).collect();
        for look in 1..=LOOKS_MAX {
            let mut undecided = Vec::new();
            for index in open {
                let number = &theory[index];
                let moments = self.at_look(look)[index];
                let interval = moments.interval(spending.at_look(look));
                match decision(number, &moments, &interval) {
                    Decision::Equivalent => {}
                    Decision::Undecided => undecided.push(index),
                    Decision::Different => {
                        return Verdict::Rejected(words(number, &moments, &interval, spending.total()));
                    }
                }
            }
            if undecided.is_empty() {
                return Verdict::Accepted;
            }
            open = undecided;
        }
        let names: Vec<&str> = open.iter().map(|&index| theory[index].name).collect();
        panic!(
            "{} replications are too few for {}: the test draws scenarios that cost too much",
            self.replications(),
            names.join(", ")
        );
    }

    /// The moments of every number at a look, simulated if need be.
    pub(crate) fn at_look(&mut self, look: u32) -> &[RatioMoments] {
        while self.looks.len() < look as usize {
            let from = self.replications();
            let to = self.batches.total_after(self.looks.len() as u32 + 1);
            let rows: Vec<Vec<(f64, f64)>> = (from..to)
                .into_par_iter()
                .map(|replication| {
                    let record = (self.observe)(replication);
                    self.numbers.iter().map(|number| (number.read)(&record)).collect()
                })
                .collect();
            let mut moments = self
                .looks
                .last()
                .cloned()
                .unwrap_or_else(|| vec![RatioMoments::default(); self.numbers.len()]);
            for row in rows {
                for (moments, (numerator, denominator)) in moments.iter_mut().zip(row) {
                    moments.push(numerator, denominator);
                }
            }
            self.looks.push(moments);
        }
        &self.looks[look as usize - 1]
    }
}

fn decision<R>(
    number: &Number<R>,
    moments: &RatioMoments,
    interval: &Result<Interval, StatisticsError>,
) -> Decision {
    // What theory says never happens, such as waiting without a place to wait, must never have happened.
    if number.margin <= 0.0 {
        return match moments.ratio() {
            Some(0.0) => Decision::Equivalent,
            _ => Decision::Different,
        };
    }
    let Ok(interval) = interval else {
        return Decision::Undecided;
    };
    match number.region().judge(interval) {
        Decision::Undecided if interval.width() <= DECISIVE_WIDTH * number.margin => Decision::Different,
        decision => decision,
    }
}

fn words<R>(
    number: &Number<R>,
    moments: &RatioMoments,
    interval: &Result<Interval, StatisticsError>,
    rate: ErrorRate,
) -> String {
    let simulated = match (moments.ratio(), interval) {
        (Some(ratio), Ok(interval)) => {
            format!(
                "simulated {ratio} (between {} and {})",
                interval.low(),
                interval.high()
            )
        }
        (ratio, _) => format!("simulated {ratio:?}"),
    };
    format!(
        "{}: theory says {} and accepts ± {}; {simulated}; {} replications, error rate {:e}",
        number.name,
        number.value,
        number.margin,
        moments.count(),
        rate.value()
    )
}

//! One error rate for all statistical tests of this target.

use retrylab_verify::statistics::{ErrorRate, bonferroni};

/// Probability that one run of all quick tests, or of all thorough ones, fails although theory and simulator are right.
///
/// It is split equally among the statistical tests, then among the scenarios of each, and then among the statements about a
/// scenario; the sum over all of them is a bound whatever their dependence (Bonferroni).
pub(crate) const FALSE_ALARM_RATE: f64 = 1e-6;

/// The tests that decide by statistics. Each makes use of its share once in the quick and once in the thorough run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatisticalTest {
    Mm1,
    Md1,
    Mg1,
    Mmc,
    ErlangB,
    Mm1k,
    Mmck,
    Lifo,
    LifoOverload,
    Patience,
    ErlangA,
    BusyPeriod,
    Amplification,
    Capped,
    RetryChain,
    StuckLine,
    PoissonArrivals,
    MoreAttempts,
    MoreErrors,
}

impl StatisticalTest {
    /// Number of tests: one more than the last.
    const COUNT: u32 = Self::MoreErrors as u32 + 1;

    /// The error rate of each of `scenarios` scenarios.
    pub(crate) fn error_rate(self, scenarios: u32) -> ErrorRate {
        let run = ErrorRate::new(FALSE_ALARM_RATE).unwrap();
        split(split(run, Self::COUNT), scenarios)
    }
}

/// An equal share among `members`.
pub(crate) fn split(rate: ErrorRate, members: u32) -> ErrorRate {
    bonferroni(rate, members).unwrap()
}

/// How much a test draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Part of `cargo test`.
    Quick,
    /// By the command in the documentation of this target.
    Thorough,
}

impl Effort {
    /// The number of scenarios of a test that draws `quick` of them in the quick run.
    pub(crate) fn scenarios(self, quick: u32) -> u32 {
        match self {
            Self::Quick => quick,
            Self::Thorough => 15 * quick,
        }
    }

    /// The larger end of a range that is shorter in the quick run.
    pub(crate) fn up_to<T>(self, quick: T, thorough: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Thorough => thorough,
        }
    }
}

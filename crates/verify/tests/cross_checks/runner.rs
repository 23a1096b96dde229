//! Runs a property over random cases and says in plain text which one failed and how to repeat it.

use std::fmt::Debug;
use std::thread;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestError, TestRunner};

use crate::simplify::Simplify;

/// Steps of shrinking: a scenario has a few dozen numbers to simplify.
const SHRINK_STEPS_MAX: u32 = 1000;
/// Time for shrinking where every step simulates a lot.
const SHRINK_MILLISECONDS_MAX: u32 = 60_000;

/// The simplest case found for which a property fails, and why it does.
#[derive(Debug)]
pub(crate) struct Failure<V> {
    pub(crate) reason: String,
    pub(crate) case: V,
}

/// Draws cases until the property fails for one, and simplifies that one as long as it does. The name makes the cases of
/// every property its own.
pub(crate) fn simplest_failure<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Option<Failure<S::Value>> {
    let seed = Config::default().rng_seed;
    let config = Config {
        cases,
        rng_seed: match seed {
            RngSeed::Fixed(seed) => RngSeed::Fixed(seed ^ fingerprint(name)),
            RngSeed::Random => RngSeed::Random,
        },
        max_shrink_iters: SHRINK_STEPS_MAX,
        max_shrink_time: SHRINK_MILLISECONDS_MAX,
        // The seed repeats a failure; a file of failures would only repeat it in one place.
        failure_persistence: None,
        ..Config::default()
    };
    match TestRunner::new(config).run(strategy, property) {
        Ok(()) => None,
        Err(TestError::Fail(reason, case)) => Some(Failure {
            reason: reason.message().to_owned(),
            case,
        }),
        Err(TestError::Abort(reason)) => panic!("{name}: no cases were drawn: {reason}"),
    }
}

/// As [`simplest_failure`], and then takes away from the case whatever the failure does not need.
pub(crate) fn plainest_failure<S: Strategy<Value: Clone + Simplify>>(
    name: &str,
    cases: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Option<Failure<S::Value>> {
    let mut failure = simplest_failure(name, cases, strategy, &property)?;
    let still_fails = |case| simplest_failure(name, 1, &Just(case), &property);
    while let Some(simpler) = failure.case.simpler().into_iter().find_map(still_fails) {
        failure = simpler;
    }
    Some(failure)
}

/// Fails with the simplest case for which the property fails.
pub(crate) fn check<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) {
    if let Some(failure) = simplest_failure(name, cases, strategy, property) {
        panic!("{}", failure.report());
    }
}

/// Fails with the plainest case for which the property fails.
pub(crate) fn check_plainly<S: Strategy<Value: Clone + Simplify>>(
    name: &str,
    cases: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) {
    if let Some(failure) = plainest_failure(name, cases, strategy, property) {
        panic!("{}", failure.report());
    }
}

impl<V: Debug> Failure<V> {
    /// What is printed: why it failed, the case, and the command that repeats it.
    pub(crate) fn report(&self) -> String {
        let Self { reason, case } = self;
        let command = command();
        format!(
            "{reason}\n\nThe simplest case found that fails:\n\n{case:?}\nThe same cases again:\n\n    {command}\n"
        )
    }
}

/// The command that repeats the present test with the same cases.
fn command() -> String {
    let seed = Config::default().rng_seed;
    let thread = thread::current();
    // With one thread the tests run in that of the program, which does not have the test's name.
    let test = thread.name().filter(|&name| name != "main").unwrap_or_default();
    format!(
        "PROPTEST_RNG_SEED={seed} cargo test -p retrylab-verify --test cross_checks {test} -- --include-ignored"
    )
}

/// FNV-1a of the name's bytes (Fowler, Noll & Vo), which is the same everywhere.
fn fingerprint(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

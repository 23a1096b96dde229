//! A scenario beside the closed forms that apply to it.

use std::cell::Cell;
use std::fmt;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use retrylab_model::Scenario;
use retrylab_sim::Counts;
use retrylab_verify::statistics::ErrorRate;

use crate::cycles::{self, cycles_per_replication};
use crate::draw::printed;
use crate::error_budget::{Effort, StatisticalTest, split};
use crate::number::Number;
use crate::rule::{Sample, Verdict};
use crate::runner::check;

/// How far a parameter of a closed form is moved to see that the comparison notices.
const PARAMETER_ERROR: f64 = 0.03;
/// How many margins a wrong parameter must move some number at least, so that its rejection proves something.
const VISIBLE: f64 = 1.2;

/// A parameter of a closed form and its value.
pub(crate) type Parameter = (&'static str, f64);
/// Theory: the numbers at given values of its parameters.
type Theory<R> = Box<dyn Fn(&[Parameter]) -> Vec<Number<R>>>;
/// Simulation: one replication.
type Observe<R> = Box<dyn Fn(&Scenario, u64, u64) -> R + Sync>;

/// A scenario, the closed forms that apply to it, and how it is simulated.
pub(crate) struct Comparison<R> {
    pub(crate) scenario: Scenario,
    pub(crate) seed: u64,
    /// The parameters of the closed forms whose errors must be noticed.
    parameters: Vec<Parameter>,
    theory: Theory<R>,
    observe: Observe<R>,
}

impl Comparison<Counts> {
    /// The counts of a scenario over regenerative cycles.
    pub(crate) fn of_cycles(
        scenario: Scenario,
        seed: u64,
        parameters: &[Parameter],
        theory: impl Fn(&[Parameter]) -> Vec<Number<Counts>> + 'static,
    ) -> Self {
        let cycles = cycles_per_replication(&scenario, seed);
        Self::new(
            scenario,
            seed,
            parameters,
            theory,
            move |scenario, seed, replication| cycles::run(scenario, seed, replication, cycles),
        )
    }
}

impl<R> Comparison<R> {
    pub(crate) fn new(
        scenario: Scenario,
        seed: u64,
        parameters: &[Parameter],
        theory: impl Fn(&[Parameter]) -> Vec<Number<R>> + 'static,
        observe: impl Fn(&Scenario, u64, u64) -> R + Sync + 'static,
    ) -> Self {
        Self {
            scenario,
            seed,
            parameters: parameters.to_vec(),
            theory: Box::new(theory),
            observe: Box::new(observe),
        }
    }

    /// The closed forms with one parameter too large or too small, and which.
    fn wrong_theories(&self) -> Vec<(String, Vec<Number<R>>)> {
        let factors = [1.0 + PARAMETER_ERROR, 1.0 / (1.0 + PARAMETER_ERROR)];
        let mut theories = Vec::new();
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            for factor in factors {
                let mut parameters = self.parameters.clone();
                parameters[index].1 *= factor;
                let label = format!("{name} = {} in place of {value}", parameters[index].1);
                theories.push((label, (self.theory)(&parameters)));
            }
        }
        theories
    }

    /// Fails unless the closed forms are accepted and those with wrong parameters are not.
    pub(crate) fn holds(&self, rate: ErrorRate, tally: &Tally) -> TestCaseResult {
        let right = (self.theory)(&self.parameters);
        let wrong = self.wrong_theories();
        let (observe, scenario, seed) = (&self.observe, &self.scenario, self.seed);
        let observe = |replication| observe(scenario, seed, replication);
        let mut sample = Sample::new(&observe, (self.theory)(&self.parameters));
        let rate = split(rate, 1 + wrong.len() as u32);
        if let Verdict::Rejected(evidence) = sample.judge(&right, rate) {
            return Err(TestCaseError::fail(evidence));
        }
        for (label, theory) in &wrong {
            let moved = right.iter().zip(theory).any(|(right, wrong)| {
                (right.value - wrong.value).abs() >= VISIBLE * wrong.margin.max(right.margin)
            });
            prop_assert!(moved, "{label} moves no number by more than its margin");
            prop_assert!(
                sample.judge(theory, rate) != Verdict::Accepted,
                "the closed forms were accepted with {label}"
            );
        }
        tally.scenarios.update(|count| count + 1);
        tally.numbers.update(|count| count + right.len());
        tally.wrong_theories.update(|count| count + wrong.len());
        tally.replications.update(|count| count + sample.replications());
        Ok(())
    }
}

impl<R> fmt::Debug for Comparison<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(&self.scenario, self.seed))
    }
}

/// Draws scenarios of every kind and checks each against its closed forms.
pub(crate) fn check_comparisons<R, S: Strategy<Value = Comparison<R>>>(
    test: StatisticalTest,
    effort: Effort,
    quick_scenarios: u32,
    kinds: impl IntoIterator<Item = S>,
) {
    let kinds: Vec<S> = kinds.into_iter().collect();
    let scenarios = effort.scenarios(quick_scenarios);
    let rate = test.error_rate(scenarios * kinds.len() as u32);
    let tally = Tally::default();
    for (index, strategy) in kinds.iter().enumerate() {
        check(&format!("{test:?} {index}"), scenarios, strategy, |comparison| {
            comparison.holds(rate, &tally)
        });
    }
    println!("{test:?}: {tally}");
}

/// What a test has done.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    scenarios: Cell<usize>,
    numbers: Cell<usize>,
    wrong_theories: Cell<usize>,
    replications: Cell<u64>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} scenarios, {} numbers agree, {} wrong closed forms rejected, {} replications",
            self.scenarios.get(),
            self.numbers.get(),
            self.wrong_theories.get(),
            self.replications.get()
        )
    }
}

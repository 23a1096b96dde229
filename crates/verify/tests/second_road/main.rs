//! Retries with abandoned work by two roads: the Markov chain of `retry-chain`, solved, and the simulator of single
//! attempts, measured. They share no code; every result must be shown equivalent within one percent.
//!
//! The whole grid takes some minutes and prints both sides of every number:
//! `cargo test --release -p retrylab-verify --test second_road -- --ignored --nocapture`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod comparison;
mod splitting;

use comparison::{NAMES, compare};
use retrylab_analytic::retry_chain::RetryChain;
use retrylab_model::{ATTEMPTS_MAX, Discipline, Scenario, ScenarioSpec, ServiceTime, Timeout, Traffic};
use retrylab_verify::statistics::Decision;

/// A service and its clients.
#[derive(Debug, Clone, Copy)]
struct Setting {
    arrival_rate: f64,
    service_rate: f64,
    patience_mean: f64,
    retry_probability: f64,
    places: u32,
}

impl Setting {
    const fn new(
        arrival_rate: f64,
        service_rate: f64,
        patience_mean: f64,
        retry_probability: f64,
        places: u32,
    ) -> Self {
        Self {
            arrival_rate,
            service_rate,
            patience_mean,
            retry_probability,
            places,
        }
    }

    fn chain_with(self, places: u32) -> RetryChain {
        RetryChain::new(
            self.arrival_rate,
            self.service_rate,
            self.patience_mean,
            self.retry_probability,
            u64::from(places),
        )
        .unwrap()
    }

    /// The six results of the chain, in the order of [`NAMES`].
    fn solved(self) -> [f64; NAMES.len()] {
        let chain = self.chain_with(self.places);
        [
            chain.success(),
            chain.attempts_per_request(),
            chain.abandoned_work(),
            chain.number_in_system(),
            chain.time_to_full(),
            chain.time_to_empty().unwrap(),
        ]
    }

    /// The same for the simulator. The chain's clients have no limit of attempts; the largest that a scenario can have
    /// differs from none by less than 10^-28.
    fn scenario(self) -> Scenario {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(self.arrival_rate));
        spec.service.time = ServiceTime::Exponential {
            mean: (1.0 / self.service_rate).into(),
        };
        spec.server.discipline = Discipline::Random;
        spec.server.places = Some(self.places);
        spec.client.timeout = Some(Timeout::Exponential {
            mean: self.patience_mean.into(),
        });
        spec.client.attempts = ATTEMPTS_MAX;
        spec.client.retry_probability = self.retry_probability;
        spec.validate().unwrap()
    }
}

/// Small systems, which turn from empty to full and back often.
const QUICK: [Setting; 4] = [
    Setting::new(0.7, 1.0, 1.5, 0.5, 1),
    Setting::new(1.8, 3.0, 1.0, 0.8, 3),
    Setting::new(0.4, 1.0, 3.0, 0.7, 5),
    Setting::new(0.6, 1.0, 6.0, 0.9, 6),
];

/// Light loads: full is rare, in the third setting but one busy period in 400,000 gets there.
const GOOD: [Setting; 5] = [
    Setting::new(0.2, 1.0, 8.0, 0.9, 20),
    Setting::new(0.3, 1.0, 10.0, 0.95, 30),
    Setting::new(0.2, 1.0, 10.0, 0.95, 30),
    Setting::new(1.0, 5.0, 1.0, 0.9, 10),
    Setting::new(0.5, 1.0, 4.0, 0.1, 10),
];

/// Neither full nor empty is rare; one of them with a long patience and few retries, one in another unit of time.
const BETWEEN: [Setting; 6] = [
    Setting::new(0.4, 1.0, 5.0, 0.9, 10),
    Setting::new(0.6, 1.0, 5.0, 0.9, 10),
    Setting::new(0.5, 1.0, 8.0, 0.9, 20),
    Setting::new(4.0, 8.0, 1.0, 0.5, 12),
    Setting::new(0.9, 1.0, 20.0, 0.3, 15),
    Setting::new(0.05, 0.1, 30.0, 0.8, 8),
];

/// Metastable: it takes some hundred to two thousand mean service times both to fall into the bad state and to get out of it, where
/// clients wait for ten or fifteen.
const METASTABLE: [Setting; 3] = [
    Setting::new(0.5, 1.0, 10.0, 0.95, 30),
    Setting::new(0.5, 1.0, 12.0, 0.9, 30),
    Setting::new(0.5, 1.0, 15.0, 0.98, 40),
];

/// Overload: empty is rare.
const BAD: [Setting; 3] = [
    Setting::new(0.7, 1.0, 8.0, 0.9, 20),
    Setting::new(0.9, 1.0, 5.0, 0.9, 10),
    Setting::new(1.5, 1.0, 3.0, 0.6, 8),
];

/// Fails unless every number of every setting is shown equivalent.
fn assert_agreement(settings: &[Setting]) {
    let mut unproven = Vec::new();
    for (&setting, seed) in settings.iter().zip(1..) {
        let comparison = compare(setting, &setting.scenario(), seed, |decisions| {
            !decisions.contains(&Decision::Undecided)
        });
        println!("{comparison}");
        for (name, decision) in NAMES.iter().zip(comparison.decisions()) {
            if decision != Decision::Equivalent {
                unproven.push(format!("{setting:?}: {name} is {decision:?}"));
            }
        }
    }
    assert!(unproven.is_empty(), "{}", unproven.join("\n"));
}

#[test]
fn chain_and_simulator_agree() {
    assert_agreement(&QUICK);
}

#[test]
#[ignore = "takes minutes; the command is at the top of this file"]
fn chain_and_simulator_agree_where_full_is_rare() {
    assert_agreement(&GOOD);
}

#[test]
#[ignore = "takes minutes; the command is at the top of this file"]
fn chain_and_simulator_agree_where_neither_is_rare() {
    assert_agreement(&BETWEEN);
}

#[test]
#[ignore = "takes minutes; the command is at the top of this file"]
fn chain_and_simulator_agree_where_both_states_stay() {
    assert_agreement(&METASTABLE);
}

#[test]
#[ignore = "takes minutes; the command is at the top of this file"]
fn chain_and_simulator_agree_where_empty_is_rare() {
    assert_agreement(&BAD);
}

/// A deviation from what the chain describes.
type Plant = fn(&mut ScenarioSpec);

/// What the comparison must not let pass: a simulator that does something a little different.
#[test]
fn a_simulator_that_does_otherwise_is_caught() {
    let setting = QUICK[3];
    let faults: [(&str, Plant); 4] = [
        ("first in, first out", |spec| {
            spec.server.discipline = Discipline::Fifo;
        }),
        ("patience 4 % longer", |spec| {
            spec.client.timeout = Some(Timeout::Exponential { mean: 6.24.into() });
        }),
        ("a retry more in a hundred failures", |spec| {
            spec.client.retry_probability = 0.91;
        }),
        ("a place more", |spec| spec.server.places = Some(7)),
    ];
    for (fault, plant) in faults {
        let scenario = setting.scenario().modified(plant).unwrap();
        let caught = |decisions: &[Decision]| decisions.contains(&Decision::Different);
        let comparison = compare(setting, &scenario, 1, caught);
        assert!(caught(&comparison.decisions()), "{fault}: {comparison}");
    }
}

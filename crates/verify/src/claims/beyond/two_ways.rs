//! Split cycles against plain runs and against a Markov chain: X01 and X02.

use retrylab_analytic::retry_chain::RetryChain;
use retrylab_model::{ATTEMPTS_MAX, Discipline, Scenario, ScenarioSpec, Timeout, Traffic};
use retrylab_sim::{Goal, LockUpCycles, Threshold, Thresholds};

use crate::claim::{Claim, Part};
use crate::claims::three_attempts::lock_up::{cycles, endless, watch};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::level::Level;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![splitting_and_plain_runs(), splitting_and_chain()]
}

/// The mean time from split cycles over that from plain runs, so many of which make an observation beside a hundred cycles.
fn split_over_plain(load: f64, timeout: f64, runs: u64) -> Experiment {
    let scenario = endless(load, timeout);
    let split = Experiment::lock_up_time(&scenario, cycles(&scenario, load, timeout));
    let plain = Experiment::lock_ups(
        scenario,
        watch(load, timeout),
        "mean time of the last success",
        |lock_up| lock_up.last_success,
    );
    split.quotient(plain.batched(runs), "factor between the means")
}

fn splitting_and_plain_runs() -> Claim {
    let part = |load: f64, timeout: f64, runs: u64, margin: f64, reason: &'static str| {
        Part::new(format!(
            "mean time to lock up, split cycles over plain runs, load {load}, timeout {timeout}"
        ))
        .computed(ComputedNumber::arithmetic(
            1.0,
            "two ways to measure the same mean",
        ))
        .equivalent(
            split_over_plain(load, timeout, runs),
            Margin::Absolute(margin),
            reason,
        )
    };
    Claim::new(
        "X01",
        Document::Beyond,
        "The mean time to lock up from cycles that are split on their way is that from plain runs, wherever plain runs can be \
         followed that far.",
    )
    .remark(
        "Weights that forget the branches of one threshold are wrong by a factor of two at least; what a margin of some per cent \
         finds is a cycle that is not independent of the one before, or a time that is counted twice.",
    )
    .part(part(0.6, 5.0, 50, 0.1, "a tenth of the mean: wrong weights are off by a factor of two"))
    .part(part(0.6, 10.0, 20, 0.15, "some runs take thousands of services each; wrong weights are off by a factor of two"))
    .part(part(0.5, 10.0, 5, 0.3, "each run takes thousands of services; wrong weights are off by a factor of two"))
    .part(
        part(0.5, 20.0, 1, 0.5, "each run takes two million services; wrong weights are off by a factor of two")
            .from_level(Level::Thorough),
    )
}

/// A service in random order with exponential patience, retries by chance and a limited number of places.
#[derive(Clone, Copy)]
struct Setting {
    arrival_rate: f64,
    patience_mean: f64,
    retry_probability: f64,
    places: u32,
}

impl Setting {
    fn scenario(self) -> Scenario {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(self.arrival_rate));
        spec.server.discipline = Discipline::Random;
        spec.server.places = Some(self.places);
        spec.client.timeout = Some(Timeout::Exponential {
            mean: self.patience_mean.into(),
        });
        // The chain's clients have no limit of attempts.
        spec.client.attempts = ATTEMPTS_MAX;
        spec.client.retry_probability = self.retry_probability;
        spec.validate().expect("the settings are valid")
    }

    /// Splits where the chain is full about three times less often than with as many places as the threshold before.
    fn thresholds(self) -> Thresholds {
        let time_to_full = |places: u32| {
            RetryChain::new(
                self.arrival_rate,
                1.0,
                self.patience_mean,
                self.retry_probability,
                u64::from(places),
            )
            .expect("the settings are within the chain's domain")
            .time_to_full()
        };
        let mut before = time_to_full(1);
        let mut thresholds = Vec::new();
        for places in 2..self.places {
            let rarity = time_to_full(places) / before;
            if rarity >= 3.0 {
                thresholds.push(Threshold {
                    in_system: u64::from(places),
                    branches: rarity.round() as u32,
                });
                before *= rarity;
            }
        }
        Thresholds::new(thresholds)
    }

    fn part(self, margin: f64) -> Part {
        let Self {
            arrival_rate,
            patience_mean,
            retry_probability,
            places,
        } = self;
        let scenario = self.scenario();
        let goal = Goal::InSystem(u64::from(places));
        let cycles = LockUpCycles::new(&scenario, goal, self.thresholds())
            .expect("the scenario has neither schedule nor budget");
        Part::new(format!(
            "mean time to full, load {arrival_rate}, patience {patience_mean}, retry probability {retry_probability}, {places} places"
        ))
        .computed(theory(
            "retry-chain",
            &[
                ("arrival_rate", arrival_rate),
                ("service_rate", 1.0),
                ("patience_mean", patience_mean),
                ("retry_probability", retry_probability),
                ("places", f64::from(places)),
            ],
            "time_to_full",
        ))
        .equivalent(
            Experiment::time_to(&scenario, cycles, "mean time until all places are taken, from split cycles"),
            Margin::Relative(margin),
            "the chain is exact; the margin is what so rare an event allows in seconds",
        )
    }
}

fn splitting_and_chain() -> Claim {
    let setting = |arrival_rate, patience_mean, retry_probability, places| Setting {
        arrival_rate,
        patience_mean,
        retry_probability,
        places,
    };
    Claim::new(
        "X02",
        Document::Beyond,
        "Where the service is a Markov chain, with exponential patience, random order and a chance of another attempt after each \
         failure, split cycles give the chain's mean time until all places are taken.",
    )
    .remark(
        "In the last setting one busy period in 360,000 fills the places; the chain is solved without a subtraction, so that its \
         time of 2.3 million is as accurate as any other.",
    )
    .part(setting(0.6, 6.0, 0.9, 6).part(0.05))
    .part(setting(0.5, 10.0, 0.95, 30).part(0.1))
    .part(setting(0.2, 10.0, 0.95, 30).part(0.1))
}

//! The retry chain against the whole chain solved state by state, a simulation of single attempts, and queues without
//! retries.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attempts;
#[path = "../chain/mod.rs"]
mod chain;
mod whole_chain;

use approx::assert_relative_eq;
use attempts::{Server, simulated};
use retrylab_analytic::mm1k::Mm1k;
use retrylab_analytic::retry_chain::RetryChain;
use retrylab_analytic::{Value, find};

/// Room for the roundings of two ways to the same number.
const ROUNDING: f64 = 1e-12;

/// The service rate is 1.
#[derive(Debug, Clone, Copy)]
struct Setting {
    arrival_rate: f64,
    patience_mean: f64,
    retry_probability: f64,
    places: usize,
}

impl Setting {
    const fn new(arrival_rate: f64, patience_mean: f64, retry_probability: f64, places: usize) -> Self {
        Self {
            arrival_rate,
            patience_mean,
            retry_probability,
            places,
        }
    }

    /// The six results in the quantity's order.
    fn solved(self) -> [f64; 6] {
        let chain = RetryChain::new(
            self.arrival_rate,
            1.0,
            self.patience_mean,
            self.retry_probability,
            self.places as u64,
        )
        .unwrap();
        [
            chain.success(),
            chain.attempts_per_request(),
            chain.abandoned_work(),
            chain.number_in_system(),
            chain.time_to_full(),
            chain.time_to_empty().unwrap(),
        ]
    }
}

#[test]
fn levels_give_what_single_states_give() {
    for places in [1, 2, 5, 11] {
        for arrival_rate in [1e-5, 0.2, 0.7, 2.5, 300.0] {
            for (patience_mean, retry_probability) in [(0.3, 0.0), (4.0, 0.9), (60.0, 0.999), (1e-4, 0.4)] {
                let setting = Setting::new(arrival_rate, patience_mean, retry_probability, places);
                let expected = setting.solved_state_by_state();
                for (actual, expected) in setting.solved().into_iter().zip(expected) {
                    assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = ROUNDING);
                }
            }
        }
    }
}

#[test]
fn with_endless_patience_it_is_a_queue_with_limited_places() {
    // At the last two, what leads from one level to the next is beyond the range of double precision in 64 steps.
    for (arrival_rate, places) in [
        (0.3, 1),
        (0.3, 64),
        (1.0, 30),
        (1.7, 64),
        (0.9, 200),
        (1e-6, 64),
        (1e6, 64),
    ] {
        let solved = Setting::new(arrival_rate, 1e17, 0.0, places).solved();
        let queue = Mm1k::new(arrival_rate, 1.0, places as u64).unwrap();
        // From n to n + 1 takes (1 + μ·(from n − 1 to n))/λ, and the other way round from the top.
        let passages = |towards: f64, away: f64, first: f64| -> f64 {
            let steps = std::iter::successors(Some(first), |step| Some((1.0 + away * step) / towards));
            steps.take(places).sum()
        };
        let expected = [
            queue.acceptance(),
            1.0,
            // Patience ends in proportion to the time; the mean of a service squared is 2.
            (queue.waiting_time_mean() + 2.0) * 1e-17,
            queue.number_in_system(),
            passages(arrival_rate, 1.0, 1.0 / arrival_rate),
            passages(1.0, arrival_rate, 1.0),
        ];
        for (actual, expected) in solved.into_iter().zip(expected) {
            assert_relative_eq!(actual, expected, epsilon = 0.0, max_relative = ROUNDING);
        }
    }
}

/// Every attempt succeeds or fails, and q retries follow each failure: A = 1 + q(A − success).
#[test]
fn attempts_balance_requests_and_failures() {
    for places in [1, 3, 64, 200] {
        for (arrival_rate, patience_mean, retry_probability) in [
            (0.5, 6.0, 0.98),
            (0.6, 10.0, 0.9),
            (1e-3, 2.0, 0.3),
            (40.0, 1e3, 0.75),
        ] {
            let setting = Setting::new(arrival_rate, patience_mean, retry_probability, places);
            let [success, attempts, ..] = setting.solved();
            let balance = (1.0 - retry_probability * success) / (1.0 - retry_probability);
            assert_relative_eq!(attempts, balance, epsilon = 0.0, max_relative = 1e-11);
        }
    }
}

#[test]
fn without_patience_all_answers_come_late() {
    let [success, attempts, abandoned_work, ..] = Setting::new(0.4, 1e-12, 0.8, 12).solved();
    assert!(success < 1e-11);
    assert_relative_eq!(attempts, 5.0, epsilon = 0.0, max_relative = 1e-10);
    assert_relative_eq!(abandoned_work, 1.0, epsilon = 0.0, max_relative = 1e-10);
}

#[test]
fn what_does_not_exist_says_so() {
    let results = |arrival_rate, retry_probability| {
        find("retry-chain")
            .unwrap()
            .evaluate(&[
                ("arrival_rate", arrival_rate),
                ("service_rate", 2.0),
                ("patience_mean", 0.5),
                ("retry_probability", retry_probability),
                ("places", 3.0),
            ])
            .unwrap()
    };
    let nobody = results(0.0, 0.5);
    assert_eq!(nobody.number("time_to_full"), None);
    assert_eq!(nobody.number("time_to_empty"), None);
    assert_eq!(nobody.number("number_in_system"), Some(0.0));
    for places in [1, 3, 7] {
        let chain = RetryChain::new(0.0, 2.0, 0.5, 0.0, places).unwrap();
        assert!(chain.time_to_full() == f64::INFINITY && chain.time_to_empty().is_none());
    }
    // Few requests meet nobody else.
    let few = results(1e-14, 0.5);
    for name in ["success", "attempts_per_request", "abandoned_work"] {
        let (limit, near) = (nobody.number(name).unwrap(), few.number(name).unwrap());
        assert_relative_eq!(limit, near, epsilon = 0.0, max_relative = ROUNDING);
    }
    let always = results(1.0, 1.0);
    assert_eq!(always.number("attempts_per_request"), None);
    assert!(always.number("success").is_some());
    let attempts = &always
        .values
        .iter()
        .find(|(name, _)| *name == "attempts_per_request")
        .unwrap()
        .1;
    assert!(
        matches!(attempts, Value::Absent(reason) if reason.contains("always retries")),
        "{attempts:?}"
    );
}

/// Whoever waits for ever makes one attempt, however sure the next would be.
#[test]
fn a_client_that_would_always_retry_needs_a_reason_to() {
    let results = find("retry-chain")
        .unwrap()
        .evaluate(&[
            ("arrival_rate", 0.0),
            ("service_rate", 1.0),
            ("patience_mean", 1e200),
            ("retry_probability", 1.0),
            ("places", 3.0),
        ])
        .unwrap();
    assert_eq!(results.number("attempts_per_request"), Some(1.0));
}

/// Standard errors by which a simulated number may be off: with 24 of them, a right formula fails once in 70,000 times.
const STANDARD_ERRORS: f64 = 5.0;

/// From empty to full and back, this often.
const TURNS: u32 = 40_000;

const SIMULATED: [Setting; 4] = [
    Setting::new(0.6, 10.0, 0.9, 6),
    Setting::new(0.45, 3.0, 0.6, 4),
    Setting::new(1.3, 2.0, 0.8, 5),
    Setting::new(0.8, 1.0, 0.95, 3),
];

const NAMES: [&str; 6] = [
    "success",
    "attempts_per_request",
    "abandoned_work",
    "number_in_system",
    "time_to_full",
    "time_to_empty",
];

/// By how many standard errors each simulated result is off.
fn deviations(setting: Setting, server: Server, seed: u64) -> [f64; 6] {
    let measured = simulated(setting, server, TURNS, seed);
    let solved = setting.solved();
    std::array::from_fn(|index| {
        let (estimate, standard_error) = measured[index];
        (estimate - solved[index]) / standard_error
    })
}

#[test]
fn single_attempts_do_what_the_chain_says() {
    for (setting, seed) in SIMULATED.into_iter().zip(1..) {
        for (name, deviation) in NAMES.iter().zip(deviations(setting, Server::Random, seed)) {
            assert!(
                deviation.abs() < STANDARD_ERRORS,
                "{setting:?} {name} is off by {deviation} standard errors in {TURNS} turns, seed {seed}"
            );
        }
    }
}

#[test]
fn a_server_that_acts_otherwise_is_caught() {
    let setting = SIMULATED[0];
    for (server, caught) in [
        (
            Server::Fifo,
            &[
                "success",
                "attempts_per_request",
                "abandoned_work",
                "number_in_system",
                "time_to_empty",
            ] as &[_],
        ),
        (Server::SkipsExpired, &NAMES),
        (
            Server::OneInTwentyLost,
            &["attempts_per_request", "number_in_system", "time_to_full"],
        ),
    ] {
        let deviations = deviations(setting, server, 9);
        for (name, deviation) in NAMES.iter().zip(deviations) {
            if caught.contains(name) {
                assert!(
                    deviation.abs() > STANDARD_ERRORS,
                    "{server:?}: {name} is off by only {deviation}"
                );
            }
        }
    }
}

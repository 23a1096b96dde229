//! Servers with queues of their own against what is known of them: four exponential servers of mean service time 1.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{Queues, ScenarioSpec, Traffic};
use retrylab_sim::{Measure, Options, replicate};

const SERVERS: u32 = 4;

/// Mean sojourn time at a load and its standard error, from 20 independent runs.
fn sojourn_time(queues: Queues, load: f64) -> (f64, f64) {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(load * f64::from(SERVERS)));
    spec.service.servers = SERVERS;
    spec.server.queues = queues;
    spec.run.until = Some(20_000.0.into());
    spec.run.measure_from = Some(500.0.into());
    let records = replicate(&spec.validate().unwrap(), 1, 0..20, &Options::default()).unwrap();
    let means: Vec<f64> = records
        .iter()
        .map(|record| record.measure(Measure::SojournTimeMean))
        .map(|(sum, completions)| sum / completions)
        .collect();
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let variance = means.iter().map(|other| (other - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// The mean sojourn time of a queue with exponential service of mean 1, at which one in `turn` of the arrivals of a Poisson
/// process of rate `turn` · `load` comes: 1/(1 − σ), where σ = (turn · load / (turn · load + 1 − σ))^turn is the probability
/// to find the server busy (Kleinrock, Queueing Systems 1, 1975, section 6.4).
fn in_turn(load: f64, turn: u32) -> f64 {
    let rate = load * f64::from(turn);
    let mut busy = load;
    for _ in 0..1000 {
        busy = (rate / (rate + 1.0 - busy)).powi(turn as i32);
    }
    1.0 / (1.0 - busy)
}

/// Five standard errors; with 19 degrees of freedom a right simulator is further away once in ten thousand runs. The planted
/// error, a load of 0.6 for 0.62, has to be further away.
#[test]
fn random_routing_makes_single_servers_and_taking_turns_smooths_their_arrivals() {
    assert!((in_turn(0.6, 1) - 2.5).abs() < 1e-9);
    for (queues, turn) in [(Queues::Random, 1), (Queues::RoundRobin, SERVERS)] {
        let (mean, standard_error) = sojourn_time(queues, 0.6);
        let distance = |load| (mean - in_turn(load, turn)) / standard_error;
        assert!(distance(0.6).abs() < 5.0, "{queues:?}: {mean} ± {standard_error}");
        assert!(
            distance(0.62).abs() > 5.0,
            "{queues:?}: {mean} ± {standard_error}"
        );
    }
}

/// Each knows more of the queues than the next, and the common queue all.
#[test]
fn the_shortest_queue_is_nearly_as_good_as_the_common_one() {
    let order = [
        Queues::Common,
        Queues::Shortest,
        Queues::RoundRobin,
        Queues::Random,
    ];
    let means = order.map(|queues| sojourn_time(queues, 0.8));
    for pair in means.windows(2) {
        let gap = pair[1].0 - pair[0].0;
        let standard_error = pair[0].1.hypot(pair[1].1);
        assert!(gap > 5.0 * standard_error, "{means:?}");
    }
}

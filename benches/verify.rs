//! Time of verdicts, all threads: the claims of each document at level quick, and the mean time to lock up from split cycles.
//!
//! `cargo bench --bench verify` measures each and prints the ratios to the first; `-- --test` judges one document's claims.

mod support;

use std::hint::black_box;

use retrylab_sim::{Goal, LockUpCycles, Options, Thresholds};
use retrylab_verify::{Level, Plan, Silent, claims, run, select};

/// Cycles of one iteration.
const CYCLES: u64 = 2_000;

/// Time at risk and lock-ups of a service that locks up by chance after some 2 million services.
fn split() -> f64 {
    let scenario = support::scenario(|spec| {
        spec.traffic.rate = 0.5.into();
        spec.client.timeout = Some(20.0.into());
        spec.client.attempts = 3;
    });
    let cycles = LockUpCycles::new(
        &scenario,
        Goal::LockUp { backlog: 200 },
        Thresholds::spaced(2, 4, 20),
    )
    .expect("the scenario starts anew when it is empty");
    let sums = cycles
        .run(support::SEED, 0..CYCLES, &Options::default())
        .expect("the scenario can be simulated");
    sums.time / sums.lock_ups
}

fn main() {
    let mut stopwatch = support::Stopwatch::new();
    let is_smoke = std::env::args().any(|argument| argument == "--test");
    let documents = [
        "lesson",
        "three-attempts",
        "helping-clients",
        "retry-storms",
        "stop-retrying",
        "beyond",
    ];
    let plan = Plan {
        level: Level::Quick,
        ..Plan::default()
    };
    for document in documents
        .into_iter()
        .take(if is_smoke { 1 } else { documents.len() })
    {
        let claims = select(claims::all(), &[document.to_owned()]).expect("the documents exist");
        let judge = || run(&claims, &plan, &Silent).expect("the claims can be judged");
        assert!(
            judge().surprises().next().is_none(),
            "{document}: a verdict is not the recorded one"
        );
        stopwatch.time("verify", document, 1, || {
            black_box(judge());
        });
    }
    let time = split();
    assert!((1e6..4e6).contains(&time), "the mean time to lock up is {time}");
    stopwatch.time("splitting", "2,000 split cycles", CYCLES, || {
        black_box(split());
    });
    stopwatch.finish("document or cycle");
}

//! Time per attempt of both engines, beside the least that any simulator must do: a bare Lindley recursion over the same
//! samplers and streams in the same run. Every case checks its result before it is timed.
//!
//! `cargo bench --bench engine` measures and prints each case's ratio to the recursion; `-- --test` runs every case once, after
//! the check. docs/performance.md says how to count instructions.

mod support;

use std::hint::black_box;

use retrylab_sim::Engine;

fn main() {
    let mut stopwatch = support::Stopwatch::new();
    support::floor();
    stopwatch.time("engine", "Lindley recursion", support::CUSTOMERS, || {
        black_box(support::lindley(black_box(support::CUSTOMERS)));
    });
    for (engine, name) in [(Engine::Recursion, "recursion"), (Engine::General, "general")] {
        for case in support::cases() {
            let name = format!("{name}: {}", case.name);
            if !support::is_wanted(&name) {
                continue;
            }
            let Some(record) = case.run(engine) else {
                continue;
            };
            case.check(&record);
            stopwatch.time("engine", &name, record.attempts_simulated, || {
                black_box(black_box(&case).run(engine));
            });
        }
    }
    stopwatch.finish("attempt");
}

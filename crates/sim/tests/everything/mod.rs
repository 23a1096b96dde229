//! A scenario that uses most of what the engine can do.

use retrylab_model::{Backoff, Budget, Change, ScenarioSpec, Traffic};

/// Several clients with timeouts, errors, backoff and a budget, through a stall, for 2,000 units of time.
pub(crate) fn everything() -> ScenarioSpec {
    let mut spec = ScenarioSpec::new(Traffic {
        clients: 3,
        ..Traffic::with_rate(0.7)
    });
    spec.service.error_probability = 0.05;
    spec.client.timeout = Some(8.0.into());
    spec.client.attempts = 4;
    spec.client.backoff = Backoff::FullJitter {
        base: 1.0.into(),
        cap: Some(20.0.into()),
    };
    spec.client.budget = Budget::Ratio {
        ratio: 0.2,
        bank: 10.0,
        shared: false,
    };
    spec.schedule = vec![Change::stall(500.0, 50.0)];
    spec.run.until = Some(2000.0.into());
    spec
}

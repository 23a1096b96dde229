//! Stories of token pools, and of budgets of one client or of all.

use retrylab_model::Budget;

use super::*;

#[test]
fn a_pool_is_refilled_by_time_but_only_at_a_success() {
    // a succeeds at a + 1; b times out, takes the only token and succeeds at a + 3. c succeeds at c + 1, and with that the pool
    // holds what c − a units of time have earned when d times out half a unit later at the earliest.
    let fits = |a: &[f64]| {
        a[1] < a[0] + 0.4 && (4.6..4.9).contains(&(a[2] - a[0])) && a[2] < 12.0 && a[3] < a[2] + 0.4
    };
    let story = |rate: f64| {
        let told = tell(4, fits, |spec| {
            spec.client.timeout = Some(1.5.into());
            spec.client.attempts = 2;
            spec.client.budget = Budget::Pool {
                size: 1.0,
                rate: rate.into(),
                shared: false,
            };
        });
        let counts = told.counts;
        (
            counts.timeouts,
            counts.retries,
            counts.budget_denied,
            counts.successes,
        )
    };
    // Less than a token at the last success, although more than one when d asks.
    assert_eq!(story(0.2), (2, 1, 1, 3));
    assert_eq!(story(0.25), (2, 2, 0, 4));
}

#[test]
fn clients_have_a_budget_each_or_one_for_all() {
    let pool = |shared| Budget::Pool {
        size: 2.0,
        rate: 1.0.into(),
        shared,
    };
    let refund = |shared| Budget::Refund {
        capacity: 10.0,
        cost: 5.0,
        timeout_cost: 10.0,
        refund: 1.0,
        shared,
    };
    // Half a token for each of four requests: two retries from one bank, none from four.
    let ratio = |shared| Budget::Ratio {
        ratio: 0.5,
        bank: 10.0,
        shared,
    };
    let retries = |budget: Budget, clients: u32| {
        let told = tell(
            4,
            |a| a[3] < 12.0,
            |spec| {
                spec.traffic.clients = clients;
                spec.service.error_probability = 1.0;
                spec.client.attempts = 5;
                spec.client.budget = budget;
            },
        );
        told.counts.retries
    };
    // Four requests of four of the thousand clients.
    for (budget, for_each) in [(pool as fn(bool) -> Budget, 8), (refund, 8), (ratio, 0)] {
        assert_eq!(retries(budget(false), 1), 2);
        assert_eq!(retries(budget(true), 1_000), 2);
        assert_eq!(retries(budget(false), 1_000), for_each);
    }
}

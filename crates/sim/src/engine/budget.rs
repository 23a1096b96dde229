//! Retry budgets: tokens of each client instance, or of all together.

use retrylab_model::Budget;

use crate::clock::Clock;

/// Tokens are counted in whole units of 2^-32, so that ten times a tenth is one.
///
/// What is earned rounds up to a unit and what is spent rounds down, so n requests that earn 1/n each pay for a retry; the
/// error is below one token in 4·10^9 operations. Balances saturate at 2^31 tokens.
const UNITS_PER_TOKEN: i32 = 32;
/// A balance that no run spends.
const UNITS_MAX: u64 = 1 << 63;

/// Why an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// An error answer.
    Answered,
    /// All places were taken.
    Rejected,
    /// No answer in time.
    TimedOut,
}

/// What the rate of a token pool earns between two successes.
#[derive(Debug, Clone)]
struct Refill {
    units_per_tick: f64,
    /// Of each client, when its last success was, in ticks since time 0; at first when the run started.
    since: Vec<i128>,
}

impl Refill {
    fn earned(&mut self, client: u32, moment: i128) -> u64 {
        let last = self.since.len() - 1;
        let since = std::mem::replace(&mut self.since[last.min(client as usize)], moment);
        // The cast saturates.
        libm::ceil((moment - since) as f64 * self.units_per_tick) as u64
    }
}

/// The budget of every client instance.
#[derive(Debug, Clone)]
pub(super) struct Budgets {
    /// Units of each client.
    balances: Vec<u64>,
    /// Most units of a client.
    capacity: u64,
    per_request: u64,
    per_success: u64,
    per_retry: u64,
    per_retry_after_timeout: u64,
    refill: Option<Refill>,
}

impl Budgets {
    /// The budgets of so many client instances, from a moment in ticks on.
    pub(super) fn new(budget: &Budget, clients: u32, clock: &Clock, start: i128) -> Self {
        let instances = if budget.is_per_client() {
            clients as usize
        } else {
            1
        };
        match *budget {
            Budget::None => Self {
                balances: vec![0; instances],
                capacity: 0,
                per_request: 0,
                per_success: 0,
                per_retry: 0,
                per_retry_after_timeout: 0,
                refill: None,
            },
            Budget::Ratio { ratio, bank, .. } => Self {
                balances: vec![0; instances],
                capacity: units(bank, libm::floor),
                per_request: units(ratio, libm::ceil),
                per_success: 0,
                per_retry: 1 << UNITS_PER_TOKEN,
                per_retry_after_timeout: 1 << UNITS_PER_TOKEN,
                refill: None,
            },
            Budget::Refund {
                capacity,
                cost,
                timeout_cost,
                refund,
                ..
            } => {
                let capacity = units(capacity, libm::floor);
                Self {
                    balances: vec![capacity; instances],
                    capacity,
                    per_request: 0,
                    per_success: units(refund, libm::ceil),
                    per_retry: units(cost, libm::floor),
                    per_retry_after_timeout: units(timeout_cost, libm::floor),
                    refill: None,
                }
            }
            Budget::Pool { size, rate, .. } => {
                let capacity = units(size, libm::floor);
                Self {
                    balances: vec![capacity; instances],
                    capacity,
                    per_request: 0,
                    per_success: 0,
                    per_retry: 1 << UNITS_PER_TOKEN,
                    per_retry_after_timeout: 1 << UNITS_PER_TOKEN,
                    refill: Some(Refill {
                        units_per_tick: libm::scalbn(rate.value() * clock.tick(), UNITS_PER_TOKEN),
                        since: vec![start; instances],
                    }),
                }
            }
        }
    }

    /// A fault: clients save without limit.
    pub(super) fn forget_the_cap(&mut self) {
        self.capacity = UNITS_MAX;
    }

    /// Tokens of all clients together.
    pub(super) fn tokens(&self) -> f64 {
        let balances = self.balances.iter().map(|&units| units as f64);
        libm::scalbn(balances.sum(), -UNITS_PER_TOKEN)
    }

    /// A new request earns.
    #[inline]
    pub(super) fn on_request(&mut self, client: u32) {
        self.earn(client, self.per_request);
    }

    /// A success earns; only a pool asks when it happens, in ticks since time 0.
    #[inline]
    pub(super) fn on_success(&mut self, client: u32, moment: impl FnOnce() -> i128) {
        let units = match &mut self.refill {
            None => self.per_success,
            Some(refill) => refill.earned(client, moment()),
        };
        self.earn(client, units);
    }

    #[inline]
    fn earn(&mut self, client: u32, units: u64) {
        if units > 0 {
            let capacity = self.capacity;
            let balance = self.balance(client);
            *balance = balance.saturating_add(units).min(capacity);
        }
    }

    /// The client's own balance, or the one that all share.
    #[inline]
    fn balance(&mut self, client: u32) -> &mut u64 {
        let last = self.balances.len() - 1;
        &mut self.balances[last.min(client as usize)]
    }

    /// Whether the client may retry; if so, takes what it costs.
    #[inline]
    pub(super) fn spend(&mut self, client: u32, failure: Failure) -> bool {
        let cost = match failure {
            Failure::Answered | Failure::Rejected => self.per_retry,
            Failure::TimedOut => self.per_retry_after_timeout,
        };
        let balance = self.balance(client);
        match balance.checked_sub(cost) {
            Some(rest) => {
                *balance = rest;
                true
            }
            None => false,
        }
    }
}

fn units(tokens: f64, round: fn(f64) -> f64) -> u64 {
    // The cast saturates.
    (round(libm::scalbn(tokens, UNITS_PER_TOKEN)) as u64).min(UNITS_MAX)
}

#[cfg(test)]
mod tests {
    use retrylab_model::{ScenarioSpec, Traffic};

    use super::*;

    fn budgets(budget: Budget) -> Budgets {
        let scenario = ScenarioSpec::new(Traffic::with_rate(0.5)).validate().unwrap();
        Budgets::new(&budget, 1, &Clock::for_scenario(&scenario).unwrap(), 0)
    }

    #[test]
    fn n_requests_at_one_nth_pay_for_one_retry() {
        for n in 1..=200_u32 {
            let mut budgets = budgets(Budget::Ratio {
                ratio: 1.0 / f64::from(n),
                bank: 100.0,
                shared: false,
            });
            for retry in 0..30 {
                for request in 0..n {
                    assert!(
                        !budgets.spend(0, Failure::TimedOut),
                        "1/{n}: {retry} retries and {request} requests"
                    );
                    budgets.on_request(0);
                }
                assert!(budgets.spend(0, Failure::TimedOut), "1/{n}: {retry} retries");
            }
        }
    }

    #[test]
    fn a_bank_below_one_token_never_pays() {
        let mut budgets = budgets(Budget::Ratio {
            ratio: 5.0,
            bank: 1.0 - 1e-12,
            shared: false,
        });
        for _ in 0..10 {
            budgets.on_request(0);
            assert!(!budgets.spend(0, Failure::Answered));
        }
    }

    #[test]
    fn a_bank_holds_no_more_than_it_can() {
        let mut budgets = budgets(Budget::Ratio {
            ratio: 0.7,
            bank: 3.0,
            shared: false,
        });
        for _ in 0..100 {
            budgets.on_request(0);
        }
        let retries = (0..10).filter(|_| budgets.spend(0, Failure::Answered)).count();
        assert_eq!(retries, 3);
    }

    #[test]
    fn a_bank_that_forgets_its_cap_holds_more() {
        let mut budgets = budgets(Budget::Ratio {
            ratio: 1.0,
            bank: 3.0,
            shared: false,
        });
        budgets.forget_the_cap();
        (0..10).for_each(|_| budgets.on_request(0));
        assert_eq!(
            (0..20).filter(|_| budgets.spend(0, Failure::Answered)).count(),
            10
        );
    }

    #[test]
    fn refund_starts_full_and_charges_timeouts_apart() {
        let mut budgets = budgets(Budget::Refund {
            capacity: 1.0,
            cost: 0.1,
            timeout_cost: 0.4,
            refund: 0.1,
            shared: false,
        });
        assert!(budgets.spend(0, Failure::TimedOut));
        assert!((0..6).all(|_| budgets.spend(0, Failure::Answered)));
        assert!(!budgets.spend(0, Failure::Answered));
        budgets.on_success(0, || 0);
        assert!(!budgets.spend(0, Failure::TimedOut));
        assert!(budgets.spend(0, Failure::Answered));
        (0..1000).for_each(|_| budgets.on_success(0, || 0));
        assert_eq!(
            (0..20).filter(|_| budgets.spend(0, Failure::Answered)).count(),
            10
        );
    }

    #[test]
    fn a_pool_earns_with_time_and_pays_out_with_success() {
        let mut budgets = budgets(Budget::Pool {
            size: 2.0,
            rate: 0.5.into(),
            shared: false,
        });
        let paid = |budgets: &mut Budgets| (0..10).filter(|_| budgets.spend(0, Failure::TimedOut)).count();
        assert_eq!(paid(&mut budgets), 2);
        let unit = 1_i128 << 32;
        assert!(budgets.tokens() < 1e-9);
        // Half a token a unit of time: two ticks before 4 it is not quite two.
        budgets.on_success(0, || 4 * unit - 2);
        assert_eq!(paid(&mut budgets), 1);
        // What is left stays, and what was missing is earned now.
        budgets.on_success(0, || 4 * unit);
        assert_eq!(paid(&mut budgets), 1);
        budgets.on_success(0, || 100 * unit);
        assert!((budgets.tokens() - 2.0).abs() < 1e-9);
        assert_eq!(paid(&mut budgets), 2);
    }

    #[test]
    fn huge_budgets_saturate() {
        let mut budgets = budgets(Budget::Ratio {
            ratio: 1e300,
            bank: f64::MAX,
            shared: false,
        });
        budgets.on_request(0);
        budgets.on_request(0);
        assert!(budgets.spend(0, Failure::Answered));
    }
}

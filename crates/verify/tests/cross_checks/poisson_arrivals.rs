//! Poisson arrivals see time averages (PASTA).
//!
//! For any state that does not look ahead, the arrivals that find it less λ times the time spent in it are a martingale: over
//! a cycle both have expectations of ratio λ exactly (Wolff, "Poisson arrivals see time averages", 1982). So the share of
//! arrivals that wait is the share of time that all servers are busy, whatever the service and the order, and with clients
//! who leave.

use proptest::prelude::*;
use retrylab_model::{DeadlineCheck, Scenario};
use retrylab_sim::Simulation;

use crate::comparison::{Comparison, Parameter, check_comparisons};
use crate::cycles::{cycles_per_replication, is_empty};
use crate::draw::{discipline, hundredths, readable, scenario, seed, service_mean, service_time};
use crate::error_budget::{Effort, StatisticalTest};
use crate::number::Number;

/// What was seen of one state.
#[derive(Debug, Default, Clone, Copy)]
struct Sight {
    /// Arrivals that found it.
    arrivals: u32,
    /// Time spent in it.
    time: f64,
}

/// Nobody in the system; a server free; all servers busy.
type Sights = [Sight; 3];

/// The state with so many attempts in the system.
fn state(in_system: u64, servers: u64) -> usize {
    match in_system {
        0 => 0,
        some if some < servers => 1,
        _ => 2,
    }
}

fn poisson_arrivals(_: Effort) -> impl Strategy<Value = Comparison<Sights>> {
    let server = (1..=3_u32, service_time(), service_mean(), discipline());
    let patience = prop::option::of((hundredths(100..=400), any::<bool>()));
    (hundredths(50..=80), server, patience, seed()).prop_map(
        |(load, (servers, kind, mean, discipline), patience, seed)| {
            let scenario = scenario(load, kind.scaled(mean), servers, |spec| {
                spec.server.discipline = discipline;
                if let Some((services, skips)) = patience {
                    spec.client.timeout = Some(readable(services * mean).into());
                    spec.server.deadline_check = if skips {
                        DeadlineCheck::SkipExpired
                    } else {
                        DeadlineCheck::None
                    };
                }
            });
            let cycles = cycles_per_replication(&scenario, seed);
            let parameters = [("arrival_rate", scenario.traffic.rate.value())];
            let theory = move |parameters: &[Parameter]| {
                let number = |name, state: usize| {
                    let read = move |sights: &Sights| (f64::from(sights[state].arrivals), sights[state].time);
                    Number::mean(name, parameters[0].1, Box::new(read))
                };
                let mut numbers = vec![
                    number("arrivals at an empty system", 0),
                    number("arrivals at busy servers", 2),
                ];
                if servers > 1 {
                    numbers.push(number("arrivals at a free server among busy ones", 1));
                }
                numbers
            };
            Comparison::new(
                scenario,
                seed,
                &parameters,
                theory,
                move |scenario, seed, replication| sights(scenario, seed, replication, cycles),
            )
        },
    )
}

/// Watches every event of some cycles. Without retries and limits, an arrival is what raises the number in system.
fn sights(scenario: &Scenario, seed: u64, replication: u64, cycles: u64) -> Sights {
    let servers = u64::from(scenario.service.servers);
    let mut simulation = Simulation::new(scenario, seed, replication).unwrap();
    let mut sights = Sights::default();
    let (mut before, mut since, mut left) = (0, 0.0, cycles);
    simulation.run_while(f64::MAX, |present| {
        let sight = &mut sights[state(before, servers)];
        let now = present.now();
        sight.time += now - since;
        since = now;
        let in_system = present.in_system();
        sight.arrivals += u32::from(in_system > before);
        before = in_system;
        left -= u64::from(is_empty(present));
        left > 0
    });
    sights
}

#[test]
fn poisson_arrivals_see_time_averages() {
    check_comparisons(
        StatisticalTest::PoissonArrivals,
        Effort::Quick,
        4,
        [poisson_arrivals(Effort::Quick)],
    );
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn poisson_arrivals_see_time_averages_thoroughly() {
    check_comparisons(
        StatisticalTest::PoissonArrivals,
        Effort::Thorough,
        4,
        [poisson_arrivals(Effort::Thorough)],
    );
}

//! Places that may all be taken: M/M/1/K and M/M/c/K, below and above saturation.

use proptest::prelude::*;
use retrylab_sim::{Counts, Measure};

use crate::comparison::{Comparison, check_comparisons};
use crate::computed::compute;
use crate::cycles::cycles_per_replication;
use crate::draw::{exponential, hundredths, readable, scenario, seed, service_mean};
use crate::error_budget::{Effort, StatisticalTest};

/// Every number of M/M/1/K, at a time of some services, which is the timeout too.
fn mm1k(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let places = 1..=effort.up_to(6_u32, 10);
    let times = (service_mean(), hundredths(30..=400));
    (hundredths(20..=200), places, times, seed()).prop_map(|(load, places, (mean, services), seed)| {
        let time = readable(services * mean);
        let scenario = scenario(load, exponential(mean), 1, |spec| {
            spec.server.places = Some(places);
            spec.client.timeout = Some(time.into());
            spec.run.tail_times = vec![time.into()];
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", 1.0 / mean),
        ];
        let rest = [("places", f64::from(places)), ("time", time)];
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("mm1k", &[parameters, &rest].concat());
            vec![
                queue.share("blocking", Measure::Blocking),
                queue.share_read("empty_probability", Box::new(idle_time)),
                queue.mean("number_in_system", Measure::NumberInSystem),
                queue.mean("sojourn_time_mean", Measure::SojournTimeMean),
                queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
                queue.tail("sojourn_time_tail", Measure::SojournTimeTail(0)),
                queue.share("success", Measure::Success),
            ]
        })
    })
}

/// Time in which the only server has nothing to do, and all time.
fn idle_time(counts: &Counts) -> (f64, f64) {
    let (busy, all) = counts.measure(Measure::Utilization);
    (all - busy, all)
}

/// Every number of M/M/c/K, at a time of some services.
fn mmck(effort: Effort) -> impl Strategy<Value = Comparison<Counts>> {
    let size = (2..=effort.up_to(3_u32, 4), 0..=effort.up_to(4_u32, 8));
    let times = (service_mean(), hundredths(30..=400));
    (hundredths(40..=180), size, times, seed()).prop_map(|(load, (servers, room), (mean, services), seed)| {
        let time = readable(services * mean);
        let scenario = scenario(load, exponential(mean), servers, |spec| {
            spec.server.places = Some(servers + room);
            spec.run.tail_times = vec![time.into()];
        });
        let parameters = [
            ("arrival_rate", scenario.traffic.rate.value()),
            ("service_rate", 1.0 / mean),
        ];
        let rest = [
            ("servers", f64::from(servers)),
            ("places", f64::from(servers + room)),
            ("time", time),
        ];
        // An attempt that finds the system empty begins a cycle, and such attempts see time averages.
        let cycles = cycles_per_replication(&scenario, seed) as f64;
        Comparison::of_cycles(scenario, seed, &parameters, move |parameters| {
            let queue = compute("mmck", &[parameters, &rest].concat());
            vec![
                queue.share("blocking", Measure::Blocking),
                queue.share_read(
                    "empty_probability",
                    Box::new(move |counts| (cycles, counts.attempts as f64)),
                ),
                queue.mean("number_in_system", Measure::NumberInSystem),
                queue.mean("sojourn_time_mean", Measure::SojournTimeMean),
                queue.mean("waiting_time_mean", Measure::WaitingTimeMean),
                queue.tail("sojourn_time_tail", Measure::SojournTimeTail(0)),
            ]
        })
    })
}

#[test]
fn mm1k_agrees() {
    check_comparisons(StatisticalTest::Mm1k, Effort::Quick, 5, [mm1k(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn mm1k_agrees_thoroughly() {
    check_comparisons(
        StatisticalTest::Mm1k,
        Effort::Thorough,
        5,
        [mm1k(Effort::Thorough)],
    );
}

#[test]
fn mmck_agrees() {
    check_comparisons(StatisticalTest::Mmck, Effort::Quick, 5, [mmck(Effort::Quick)]);
}

#[test]
#[ignore = "thorough: cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture"]
fn mmck_agrees_thoroughly() {
    check_comparisons(
        StatisticalTest::Mmck,
        Effort::Thorough,
        5,
        [mmck(Effort::Thorough)],
    );
}

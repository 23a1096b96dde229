//! Writing a scenario and reading it again changes nothing.

use proptest::prelude::*;
use retrylab_model::{
    Backoff, Budget, Change, DeadlineCheck, Discipline, Measured, Rate, Scenario, ScenarioSpec, ServiceTime,
    Timeout, Traffic,
};

use crate::strategies::{latencies, scenario};

/// Every number of a scenario with its bits, which `==` on floats does not compare.
fn bits(scenario: &Scenario) -> Vec<u64> {
    (0..scenario.tier_count())
        .flat_map(|index| bits_of_tier(&scenario.tier(index)))
        .collect()
}

fn bits_of_tier(spec: &Scenario) -> Vec<u64> {
    let mut numbers = vec![
        spec.traffic.rate.value(),
        spec.service.error_probability,
        spec.service.error_correlation,
        spec.client.retry_probability,
    ];
    numbers.extend(spec.client.retries_per_failure);
    let mut times = Vec::new();
    match spec.service.time {
        ServiceTime::Measured(ref measured) => {
            numbers.extend([measured.factor, measured.mean(), measured.scv()]);
            numbers.extend(measured.measured_at_load);
        }
        ServiceTime::Exponential { mean } | ServiceTime::Erlang { mean, .. } => times.push(mean),
        ServiceTime::Deterministic { value } => times.push(value),
        ServiceTime::Hyperexponential { mean, scv } | ServiceTime::Lognormal { mean, scv } => {
            times.push(mean);
            numbers.push(scv);
        }
        ServiceTime::Uniform { low, high } => times.extend([low, high]),
    }
    if let DeadlineCheck::SkipDoomed { service } = spec.server.deadline_check {
        times.push(service);
    }
    match spec.client.backoff {
        Backoff::None => {}
        Backoff::Constant { delay } => times.push(delay),
        Backoff::FullJitter { base, cap } => {
            times.push(base);
            times.extend(cap);
        }
    }
    let scheduled = spec.schedule.iter().filter_map(|change| change.budget);
    for budget in scheduled.chain([spec.client.budget]) {
        match budget {
            Budget::None => {}
            Budget::Ratio { ratio, bank, .. } => numbers.extend([ratio, bank]),
            Budget::Refund {
                capacity,
                cost,
                timeout_cost,
                refund,
                ..
            } => numbers.extend([capacity, cost, timeout_cost, refund]),
            Budget::Pool { size, rate, .. } => numbers.extend([size, rate.value()]),
        }
    }
    times.extend(
        spec.server
            .rejection_cost
            .into_iter()
            .chain(spec.server.skip_cost),
    );
    times.extend(spec.client.timeout.map(|timeout| match timeout {
        Timeout::Constant(time) | Timeout::Exponential { mean: time } => time,
    }));
    if let Some(breaker) = spec.client.breaker {
        times.extend([breaker.window, breaker.open]);
        numbers.push(breaker.failure_rate);
    }
    for change in &spec.schedule {
        times.push(change.at);
        times.extend(change.stall.into_iter().chain(change.duration));
        numbers.extend(
            [
                change.capacity,
                change.error_probability,
                change.retry_probability,
            ]
            .into_iter()
            .flatten(),
        );
        numbers.extend(change.rate.map(Rate::value));
        numbers.extend(change.retries_per_failure);
    }
    times.extend(
        [spec.run.until, spec.run.measure_from, spec.run.window]
            .into_iter()
            .flatten(),
    );
    times.extend(&spec.run.tail_times);
    numbers.extend(times.into_iter().map(retrylab_model::Time::value));
    numbers.into_iter().map(f64::to_bits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn reading_what_was_written_gives_the_same_scenario(scenario in scenario()) {
        let text = scenario.to_toml();
        let read = |measured: &Measured, _| Ok(latencies(measured.unit));
        let again = Scenario::from_toml_reading(&text, &[], &read).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again, &scenario, "{}", text);
        prop_assert_eq!(bits(&again), bits(&scenario), "{}", text);
        prop_assert_eq!(again.to_toml(), text);
    }
}

#[test]
fn the_written_form_has_the_shape_that_people_write() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.6));
    spec.name = "one third".to_owned();
    spec.client.timeout = Some(50.0.into());
    spec.client.attempts = 3;
    spec.client.budget = Budget::Ratio {
        ratio: 0.1,
        bank: 100.0,
        shared: false,
    };
    spec.schedule = vec![
        Change::stall(2000.0, 200.0),
        Change {
            capacity: Some(0.3),
            rate: Some(0.8.into()),
            error_probability: Some(0.25),
            attempts: Some(2),
            retry_probability: Some(0.5),
            duration: Some(5.0.into()),
            ..Change::at(3000.0)
        },
    ];
    let expected = r#"name = "one third"

[traffic]
rate = 0.6
clients = 1

[service]
time = { exponential = { mean = 1.0 } }
servers = 1
concurrency = 1
error_probability = 0.0
error_correlation = 0.0

[server]
discipline = "fifo"
queues = "common"
deadline_check = "none"

[client]
timeout = 50.0
attempts = 3
retry_probability = 1.0
retry_rejected = true
backoff = "none"
budget = { ratio = { ratio = 0.1, bank = 100.0, shared = false } }

[[schedule]]
at = 2000.0
stall = 200.0

[[schedule]]
at = 3000.0
capacity = 0.3
rate = 0.8
error_probability = 0.25
attempts = 2
retry_probability = 0.5
for = 5.0

[run]
replications = 20
"#;
    assert_eq!(spec.validate().unwrap().to_toml(), expected);
}

#[test]
fn a_random_server_and_its_clients_are_written_in_full() {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.6));
    spec.server.discipline = Discipline::Random;
    spec.client.timeout = Some(Timeout::Exponential { mean: 50.0.into() });
    spec.client.retry_probability = 0.75;
    spec.client.budget = Budget::Pool {
        size: 25.0,
        rate: 1.5.into(),
        shared: true,
    };
    let written = spec.validate().unwrap().to_toml();
    for entry in [
        "budget = { pool = { size = 25.0, rate = 1.5, shared = true } }\n",
        "discipline = \"random\"\n",
        "timeout = { exponential = { mean = 50.0 } }\n",
        "retry_probability = 0.75\n",
    ] {
        assert!(written.contains(entry), "{entry} is not in\n{written}");
    }
}

#[test]
fn units_survive() {
    let text = "[traffic]\nrate = \"800/s\"\n[service]\ntime = { exponential = { mean = \"40ms\" } }\nservers = 60\n\
                [client]\ntimeout = \"0.12s\"\n[run]\nuntil = \"2min\"\n";
    let written = Scenario::from_toml(text).unwrap().to_toml();
    for entry in [
        "rate = \"800/s\"",
        "mean = \"40ms\"",
        "timeout = \"120ms\"",
        "until = \"2min\"",
    ] {
        assert!(written.contains(entry), "{entry} is not in\n{written}");
    }
}

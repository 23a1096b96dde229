//! Measured service times: the sampler draws what was measured, each value as often as it was.
//!
//! The seeds are fixed, so these tests pass or fail once and for all; the limits are those of `samplers.rs`.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{Latencies, Measured, Scale, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::Clock;
use retrylab_sim::random::{Purpose, ServiceSampler, Stream};

const SAMPLES: usize = 1_000_000;
/// √n · D is above this with probability 2 exp(−2 · 2.3²) = 5·10^-5 for a continuous distribution, and with a smaller one for steps.
const KOLMOGOROV_LIMIT: f64 = 2.3;
const UNIT: Scale = Scale::Dimensionless;

/// Values from 1 on, an eighth apart, so that they are whole numbers of ticks: each as often as `count` says.
fn weighted(values: u32, count: impl Fn(u32) -> u64) -> Latencies {
    let counts = (0..values).map(|index| (1.0 + f64::from(index) / 8.0, count(index)));
    Latencies::of_counts(counts.collect(), UNIT, "").unwrap()
}

/// The same as one value for each measurement, from the longest to the shortest.
fn one_by_one(latencies: &Latencies) -> Latencies {
    let mut values: Vec<f64> = latencies
        .steps()
        .flat_map(|(value, count)| std::iter::repeat_n(value, count as usize))
        .collect();
    values.reverse();
    Latencies::of_values(values, UNIT, "").unwrap()
}

fn draw(latencies: Latencies, factor: f64, samples: usize) -> Vec<f64> {
    let mut measured = Measured::of("measured.csv", latencies);
    measured.factor = factor;
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.1));
    spec.service.time = ServiceTime::Measured(measured);
    let clock = Clock::for_scenario(&spec.clone().validate().unwrap()).unwrap();
    let sampler = ServiceSampler::new(&spec.service.time, &clock);
    let mut stream = Stream::new(2024, 0, Purpose::Service);
    (0..samples)
        .map(|_| clock.time(sampler.sample(&mut stream).into()))
        .collect()
}

/// √n times the largest distance between the samples' distribution and the measured one, of distinct values, at their steps.
fn kolmogorov(samples: &[f64], latencies: &Latencies) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (n, total) = (sorted.len() as f64, latencies.count() as f64);
    let mut below = 0;
    let distances = latencies.steps().map(|(value, count)| {
        below += count;
        let drawn = sorted.partition_point(|&sample| sample <= value);
        (drawn as f64 / n - below as f64 / total).abs()
    });
    distances.fold(0.0, f64::max) * n.sqrt()
}

/// Weights from 1 to 1,000, as in a histogram, with a value that was never measured among them.
fn histogram_like(index: u32) -> u64 {
    [400, 1000, 0, 300, 100, 30, 10, 3, 1][index as usize]
}

#[test]
fn each_value_is_drawn_as_often_as_it_was_measured() {
    let latencies = weighted(9, histogram_like);
    let statistic = kolmogorov(&draw(latencies.clone(), 1.0, SAMPLES), &latencies);
    assert!(statistic < KOLMOGOROV_LIMIT, "{statistic}");
    // A fiftieth of all measurements more.
    let planted = weighted(9, |index| histogram_like(index) + if index == 3 { 37 } else { 0 });
    let statistic = kolmogorov(&draw(planted, 1.0, SAMPLES), &latencies);
    assert!(
        statistic > KOLMOGOROV_LIMIT,
        "blind to a wrong weight: {statistic}"
    );
}

#[test]
fn a_value_is_drawn_as_often_as_it_stands_there() {
    let latencies = weighted(9, histogram_like);
    let drawn = draw(one_by_one(&latencies), 1.0, SAMPLES);
    let statistic = kolmogorov(&drawn, &latencies);
    assert!(statistic < KOLMOGOROV_LIMIT, "{statistic}");
    let fewer = weighted(9, |index| if index == 0 { 360 } else { histogram_like(index) });
    let statistic = kolmogorov(&drawn, &fewer);
    assert!(
        statistic > KOLMOGOROV_LIMIT,
        "blind to measurements left out: {statistic}"
    );
}

/// Of a thousand equally frequent values, the number of draws of each has a chi-square with 999 degrees of freedom: its standard
/// deviation is 44.7, and 4 of them are exceeded with probability below 10^-4.
#[test]
fn none_of_many_values_is_preferred() {
    let latencies = weighted(1000, |_| 1);
    let drawn = draw(latencies.clone(), 1.0, SAMPLES);
    let expected = SAMPLES as f64 / 1000.0;
    let statistic: f64 = latencies
        .steps()
        .map(|(value, _)| {
            let seen = drawn
                .iter()
                .filter(|&&sample| sample.to_bits() == value.to_bits())
                .count();
            (seen as f64 - expected).powi(2) / expected
        })
        .sum();
    assert!((statistic - 999.0).abs() < 4.0 * 44.7, "{statistic}");
}

#[test]
fn nothing_is_drawn_that_was_not_measured() {
    let latencies = weighted(9, histogram_like);
    let known: Vec<u64> = (0..9)
        .filter(|&index| histogram_like(index) > 0)
        .map(|index| (1.0 + f64::from(index) / 8.0).to_bits())
        .collect();
    assert!(
        draw(latencies, 1.0, 10_000)
            .iter()
            .all(|sample| known.contains(&sample.to_bits()))
    );
}

/// Counts and single values, and a factor on either, are the same random variable of the same stream.
#[test]
fn both_forms_and_the_factor_agree_draw_by_draw() {
    let latencies = weighted(9, histogram_like);
    let counts = draw(latencies.clone(), 1.0, 10_000);
    assert_eq!(counts, draw(one_by_one(&latencies), 1.0, 10_000));
    let halves: Vec<f64> = counts.iter().map(|time| time / 2.0).collect();
    assert_eq!(halves, draw(latencies, 0.5, 10_000));
}

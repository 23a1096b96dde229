//! Every sampler against its distribution: the Kolmogorov–Smirnov distance over the whole range, the frequency beyond
//! points in the far tail, and the first two moments, each with a planted error that it must catch.
//!
//! The seeds are fixed, so these tests pass or fail once and for all. Each statistic is compared with a limit that a
//! correct sampler passes with probability 1 − 10^-4 or more; there are 23 of them, so all pass with probability 0.997.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

use retrylab_model::{ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::Clock;
use retrylab_sim::random::{Bernoulli, Exponential, Normal, Purpose, ServiceSampler, Stream, Streams};
use statrs::function::{erf::erfc, gamma::gamma_ur};

const SAMPLES: usize = 1_000_000;
/// √n · D is above this with probability 2 exp(−2 · 2.3²) = 5·10^-5.
const KOLMOGOROV_LIMIT: f64 = 2.3;
/// A standard normal variate is beyond this, either way, with probability 10^-4.
const NORMAL_LIMIT: f64 = 3.9;

/// √n times the largest distance between the samples' distribution and 1 − `survival`.
fn kolmogorov(samples: &[f64], survival: impl Fn(f64) -> f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let distance = sorted
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            let expected = 1.0 - survival(value);
            (expected - index as f64 / n).max((index + 1) as f64 / n - expected)
        })
        .fold(0.0, f64::max);
    distance * n.sqrt()
}

/// Standardised deviation of the number of samples beyond `point` from what `probability` leads to expect.
fn tail_deviation(samples: &[f64], point: f64, probability: f64) -> f64 {
    let n = samples.len() as f64;
    let beyond = samples.iter().filter(|&&value| value > point).count() as f64;
    (beyond - n * probability) / (n * probability * (1.0 - probability)).sqrt()
}

/// Standardised deviation of the mean of the samples' powers from `expected`.
fn moment_deviation(samples: &[f64], power: i32, expected: f64) -> f64 {
    let n = samples.len() as f64;
    let powers = || samples.iter().map(|value| value.powi(power));
    let mean = powers().sum::<f64>() / n;
    let variance = powers().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (mean - expected) / (variance / n).sqrt()
}

fn draw(purpose: Purpose, sample: impl Fn(&mut Stream) -> f64) -> Vec<f64> {
    let mut stream = Stream::new(2024, 0, purpose);
    (0..SAMPLES).map(|_| sample(&mut stream)).collect()
}

/// All samples a little longer, as if a mean were off.
fn stretched(samples: &[f64]) -> Vec<f64> {
    samples.iter().map(|value| value * 1.01).collect()
}

#[test]
fn exponential_variates_are_exponential() {
    let samples = draw(Purpose::Service, |stream| Exponential::default().sample(stream));
    let survival = |x: f64| (-x).exp();
    assert!(kolmogorov(&samples, survival) < KOLMOGOROV_LIMIT);
    assert!(kolmogorov(&stretched(&samples), survival) > KOLMOGOROV_LIMIT);
    // The tail of the method begins at 7.697.
    for point in [5.0, 7.5, 7.7, 9.0] {
        let deviation = tail_deviation(&samples, point, survival(point));
        assert!(
            deviation.abs() < NORMAL_LIMIT,
            "{deviation} standard errors beyond {point}"
        );
        let planted: Vec<f64> = samples
            .iter()
            .map(|&x| if x > 4.0 { x + 0.5 } else { x })
            .collect();
        assert!(
            tail_deviation(&planted, point, survival(point)).abs() > NORMAL_LIMIT,
            "blind beyond {point}"
        );
    }
    assert!(moment_deviation(&samples, 1, 1.0).abs() < NORMAL_LIMIT);
    assert!(moment_deviation(&samples, 2, 2.0).abs() < NORMAL_LIMIT);
    assert!(moment_deviation(&stretched(&samples), 1, 1.0).abs() > NORMAL_LIMIT);
}

#[test]
fn normal_variates_are_normal() {
    let samples = draw(Purpose::Service, |stream| Normal::default().sample(stream));
    let survival = |x: f64| erfc(x * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
    assert!(kolmogorov(&samples, survival) < KOLMOGOROV_LIMIT);
    assert!(kolmogorov(&stretched(&samples), survival) > KOLMOGOROV_LIMIT);
    let negated: Vec<f64> = samples.iter().map(|value| -value).collect();
    // The tail of the method begins at 3.654.
    for (side, samples) in [("upper", &samples), ("lower", &negated)] {
        for point in [3.0, 3.6, 3.7] {
            let deviation = tail_deviation(samples, point, survival(point));
            assert!(
                deviation.abs() < NORMAL_LIMIT,
                "{side}: {deviation} standard errors beyond {point}"
            );
        }
    }
    assert!(moment_deviation(&samples, 1, 0.0).abs() < NORMAL_LIMIT);
    assert!(moment_deviation(&samples, 2, 1.0).abs() < NORMAL_LIMIT);
    assert!(moment_deviation(&samples, 4, 3.0).abs() < NORMAL_LIMIT);
    assert!(moment_deviation(&stretched(&samples), 2, 1.0).abs() > NORMAL_LIMIT);
    // A sign that is never negative.
    let planted: Vec<f64> = samples.iter().map(|value| value.abs()).collect();
    assert!(kolmogorov(&planted, survival) > KOLMOGOROV_LIMIT);
}

/// Service times in units of time.
fn service_times(time: &ServiceTime) -> Vec<f64> {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(0.1));
    spec.service.time = time.clone();
    let clock = Clock::for_scenario(&spec.validate().unwrap()).unwrap();
    let sampler = ServiceSampler::new(time, &clock);
    draw(Purpose::Service, |stream| {
        clock.time(sampler.sample(stream).into())
    })
}

/// Compares service times with a survival function, and the model's mean and squared coefficient of variation.
fn check(time: &ServiceTime, survival: impl Fn(f64) -> f64) {
    let samples = service_times(time);
    let statistic = kolmogorov(&samples, &survival);
    assert!(statistic < KOLMOGOROV_LIMIT, "{time:?}: {statistic}");
    let planted = kolmogorov(&stretched(&samples), &survival);
    assert!(planted > KOLMOGOROV_LIMIT, "{time:?}: blind to 1 % ({planted})");
    let (mean, scv) = (time.mean(), time.scv());
    let first = moment_deviation(&samples, 1, mean);
    let second = moment_deviation(&samples, 2, mean * mean * (1.0 + scv));
    assert!(
        first.abs() < NORMAL_LIMIT && second.abs() < NORMAL_LIMIT,
        "{time:?}: {first} and {second}"
    );
}

#[test]
fn exponential_service() {
    check(&ServiceTime::Exponential { mean: 2.0.into() }, |t| {
        (-t / 2.0).exp()
    });
}

#[test]
fn erlang_service() {
    check(
        &ServiceTime::Erlang {
            stages: 3,
            mean: 2.0.into(),
        },
        |t| gamma_ur(3.0, 1.5 * t),
    );
}

#[test]
fn hyperexponential_service() {
    // Scv 3: probabilities (1 ± √½)/2, each branch with half of the mean.
    let probability = f64::midpoint(1.0, 0.5_f64.sqrt());
    check(
        &ServiceTime::Hyperexponential {
            mean: 2.0.into(),
            scv: 3.0,
        },
        |t| {
            let branch = |p: f64| p * (-t * p).exp();
            branch(probability) + branch(1.0 - probability)
        },
    );
}

#[test]
fn uniform_service() {
    check(
        &ServiceTime::Uniform {
            low: 0.5.into(),
            high: 2.0.into(),
        },
        |t| ((2.0 - t) / 1.5).clamp(0.0, 1.0),
    );
}

#[test]
fn lognormal_service() {
    // ln(1 + scv) is the variance of the logarithm, so the median is mean / √(1 + scv).
    let deviation = 2.0_f64.ln().sqrt();
    check(
        &ServiceTime::Lognormal {
            mean: 2.0.into(),
            scv: 1.0,
        },
        |t| erfc((t / 2.0_f64.sqrt()).ln() / deviation * std::f64::consts::FRAC_1_SQRT_2) / 2.0,
    );
}

#[test]
fn deterministic_service_has_no_spread() {
    assert!(
        service_times(&ServiceTime::Deterministic { value: 1.5.into() })
            .iter()
            .all(|time| time.to_bits() == 1.5_f64.to_bits())
    );
}

#[test]
fn bernoulli_variates_have_their_probability() {
    let frequency = |probability: f64| {
        let bernoulli = Bernoulli::new(probability);
        draw(Purpose::Errors, |stream| {
            f64::from(u8::from(bernoulli.sample(stream)))
        })
        .iter()
        .sum::<f64>()
            / SAMPLES as f64
    };
    let none_or_all = [0.0, 1.0].map(frequency);
    assert_eq!(none_or_all.map(f64::to_bits), [0.0_f64, 1.0].map(f64::to_bits));
    for probability in [0.01, 0.5, 0.9] {
        let standard_error = (probability * (1.0 - probability) / SAMPLES as f64).sqrt();
        assert!(
            (frequency(probability) - probability).abs() < NORMAL_LIMIT * standard_error,
            "{probability}"
        );
        let planted = frequency(probability * 0.9);
        assert!(
            (planted - probability).abs() > NORMAL_LIMIT * standard_error,
            "{planted} passes for {probability}"
        );
    }
}

#[test]
fn clients_are_drawn_equally() {
    let mut stream = Stream::new(1, 0, Purpose::Clients);
    let mut seen = [0_u32; 6];
    for _ in 0..600_000 {
        seen[stream.below(6) as usize] += 1;
    }
    // Chi-square with 5 degrees of freedom exceeds 25.7 with probability 10^-4.
    let statistic: f64 = seen
        .iter()
        .map(|&count| (f64::from(count) - 1e5).powi(2) / 1e5)
        .sum();
    assert!(statistic < 25.7, "{statistic}: {seen:?}");
}

/// Streams of neighbouring seeds, replications and purposes have nothing to do with each other: each of the 64 bits of the
/// exclusive or of their first numbers is 1 half of the time.
#[test]
fn neighbouring_streams_are_unrelated() {
    let pairs: [fn(u64) -> [Stream; 2]; 3] = [
        |n| {
            [
                Stream::new(n, 0, Purpose::Arrivals),
                Stream::new(n + 1, 0, Purpose::Arrivals),
            ]
        },
        |n| {
            [
                Stream::new(1, n, Purpose::Arrivals),
                Stream::new(1, n + 1, Purpose::Arrivals),
            ]
        },
        |n| {
            let streams = Streams::new(1, n);
            [streams.arrivals, streams.service]
        },
    ];
    const PAIRS: u64 = 100_000;
    for pair in pairs {
        let mut ones = [0_u32; 64];
        for n in 0..PAIRS {
            let [mut first, mut second] = pair(n);
            let difference = first.next_u64() ^ second.next_u64();
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += (difference >> bit & 1) as u32;
            }
        }
        // 5 standard deviations: with 192 bits in all the chance of a false alarm is 10^-4.
        let limit = 5.0 * (PAIRS as f64).sqrt() / 2.0;
        assert!(
            ones.iter()
                .all(|&count| (f64::from(count) - PAIRS as f64 / 2.0).abs() < limit),
            "{ones:?}"
        );
    }
}

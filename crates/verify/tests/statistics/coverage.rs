//! Nominal against observed coverage of intervals from independent observations.

use retrylab_verify::statistics::{
    Interval, Moments, RatioMoments, Successes, bounded_mean_interval, mean_interval, normal_critical_value,
    quantile_interval, ranged_mean_interval, student_interval,
};

use crate::sample::{Source, assert_at_most, assert_caught, assert_exact, observed, rate};

fn moments(source: &mut Source, size: usize, draw: fn(&mut Source) -> f64) -> Moments {
    (0..size).map(|_| draw(source)).collect()
}

fn unit() -> Interval {
    Interval::certain(0.0, 1.0).unwrap()
}

#[test]
fn student_is_exact_for_normal_observations() {
    for (size, alpha, repetitions) in [(2, 0.05, 40_000), (5, 0.001, 200_000), (40, 0.05, 20_000)] {
        let misses = observed(repetitions, 11, |source| {
            let sample = moments(source, size, Source::normal);
            !student_interval(&sample, rate(alpha)).unwrap().contains(0.0)
        });
        assert_exact(&format!("Student, n = {size}"), &misses, alpha);
    }
}

#[test]
fn a_normal_critical_value_in_students_place_is_caught() {
    let (alpha, size) = (0.05, 5);
    let critical = normal_critical_value(rate(alpha).halved());
    let misses = observed(20_000, 12, |source| {
        let sample = moments(source, size, Source::normal);
        sample.mean().abs() > critical * sample.standard_error().unwrap()
    });
    assert_caught("z for t", &misses, alpha);
}

#[test]
fn the_mean_interval_holds_for_normal_and_for_skewed_observations() {
    type Draw = fn(&mut Source) -> f64;
    let cases: [(&str, Draw, f64, usize, f64, u64); 6] = [
        ("normal", Source::normal, 0.0, 5, 0.05, 20_000),
        ("normal", Source::normal, 0.0, 20, 0.001, 200_000),
        ("exponential", Source::exponential, 1.0, 100, 0.05, 20_000),
        ("exponential", Source::exponential, 1.0, 160, 0.001, 50_000),
        ("exponential", Source::exponential, 1.0, 1000, 0.001, 20_000),
        (
            "squared normal",
            |source| source.normal().powi(2),
            1.0,
            320,
            0.001,
            20_000,
        ),
    ];
    for (name, draw, mean, size, alpha, repetitions) in cases {
        let misses = observed(repetitions, 13, |source| {
            let sample = moments(source, size, draw);
            !mean_interval(&sample, rate(alpha)).unwrap().contains(mean)
        });
        assert_at_most(&format!("{name}, n = {size}"), &misses, alpha);
    }
}

/// What [`mean_interval`] is for: without the adjustment the upper side misses five times as often as it may.
#[test]
fn student_for_skewed_observations_is_caught() {
    let alpha = 0.001;
    let misses = observed(50_000, 14, |source| {
        let sample = moments(source, 160, Source::exponential);
        student_interval(&sample, rate(alpha)).unwrap().high() < 1.0
    });
    assert_caught(
        "Student's upper end on exponential observations",
        &misses,
        alpha / 2.0,
    );
}

#[test]
fn exact_intervals_for_proportions_hold_everywhere() {
    for (probability, trials) in [(0.5, 10_u64), (0.02, 40), (0.999, 200), (0.3, 1000)] {
        for alpha in [0.05, 0.001] {
            let missed = missed_probability(probability, trials, |outcome| {
                outcome.clopper_pearson(rate(alpha)).unwrap()
            });
            assert!(
                missed <= alpha,
                "p = {probability}, n = {trials}: {missed} > {alpha}"
            );
            assert!(
                trials < 1000 || missed > 0.6 * alpha,
                "far too wide: {missed} for {alpha}"
            );
        }
    }
}

#[test]
fn wilsons_interval_averages_its_nominal_coverage_and_dips_below_it() {
    let alpha = 0.05;
    let wilson = |outcome: Successes| outcome.wilson(rate(alpha)).unwrap();
    let misses: Vec<f64> = (1..500)
        .map(|i| missed_probability(f64::from(i) / 500.0, 100, wilson))
        .collect();
    let mean = misses.iter().sum::<f64>() / misses.len() as f64;
    assert!((mean - alpha).abs() < 0.005, "{mean}");
    // Which is why verdicts use the exact one: at p = 0.0005, n = 1000 Wilson's errs 90 times as often as it
    // may.
    let rare = missed_probability(0.0005, 1000, |outcome| outcome.wilson(rate(0.001)).unwrap());
    assert!(rare > 0.0005, "{rare}");
}

/// The exact probability that an interval misses `probability`, summed over all outcomes.
fn missed_probability(probability: f64, trials: u64, interval: impl Fn(Successes) -> Interval) -> f64 {
    let ratio = (probability / (1.0 - probability)).ln();
    let mut ln_mass = trials as f64 * (-probability).ln_1p();
    let mut missed = 0.0;
    for successes in 0..=trials {
        if ln_mass > -60.0 && !interval(Successes::new(successes, trials).unwrap()).contains(probability) {
            missed += ln_mass.exp();
        }
        ln_mass += ((trials - successes) as f64 / (successes as f64 + 1.0)).ln() + ratio;
    }
    missed
}

#[test]
fn a_ratio_holds_for_correlated_pairs_and_for_regenerative_cycles() {
    // Attempts and requests of a run: the same traffic moves both. The ratio of expectations is 1.5.
    let runs = |alpha: f64, size: usize| {
        observed(20_000, 21, move |source| {
            let mut pairs = RatioMoments::default();
            for _ in 0..size {
                let requests = 100.0 + 10.0 * source.normal();
                pairs.push(1.5 * requests + 5.0 * source.normal(), requests);
            }
            // Where the denominator is not separated from zero the interval is unbounded: it misses nothing.
            pairs
                .interval(rate(alpha))
                .is_ok_and(|interval| !interval.contains(1.5))
        })
    };
    assert_at_most("ratio, 10 runs", &runs(0.05, 10), 0.05);
    assert_at_most("ratio, 10 runs", &runs(0.001, 10), 0.001);
    // Waiting times of M/M/1 at load 0.5 have mean 1; their cycles are highly skewed.
    for (cycles, alpha, repetitions) in [(5000, 0.05, 1500), (20_000, 0.01, 600)] {
        let misses = observed(repetitions, 22, |source| {
            let mut pairs = RatioMoments::default();
            for _ in 0..cycles {
                let (waits, customers) = source.cycle(0.5);
                pairs.push(waits, customers);
            }
            !pairs.interval(rate(alpha)).unwrap().contains(1.0)
        });
        assert_at_most(&format!("{cycles} cycles"), &misses, alpha);
    }
}

#[test]
fn the_mean_of_ratios_in_the_ratios_place_is_caught() {
    let misses = observed(500, 23, |source| {
        let sample: Moments = (0..2000)
            .map(|_| {
                let (waits, customers) = source.cycle(0.5);
                waits / customers
            })
            .collect();
        !mean_interval(&sample, rate(0.05)).unwrap().contains(1.0)
    });
    assert_caught("mean of ratios", &misses, 0.05);
}

#[test]
fn bounded_means_hold_where_students_has_no_width_or_no_right() {
    // A success share that is 0 in most runs and 0.9 in few: 40 runs often show nothing but zeros.
    let rare = |source: &mut Source, size: usize| -> Moments {
        (0..size)
            .map(|_| if source.bernoulli(0.02) { 0.9 } else { 0.0 })
            .collect()
    };
    let mean = 0.02 * 0.9;
    for (size, alpha) in [(2, 0.05), (40, 0.05), (400, 0.001)] {
        let misses = observed(20_000, 31, |source| {
            !bounded_mean_interval(&rare(source, size), &unit(), rate(alpha))
                .unwrap()
                .contains(mean)
        });
        assert_at_most(&format!("bounded mean, n = {size}"), &misses, alpha);
        let misses = observed(20_000, 32, |source| {
            let sample = rare(source, size);
            let interval = ranged_mean_interval(&sample, &unit(), rate(alpha)).unwrap();
            sample.is_constant() && !interval.contains(mean)
        });
        assert_at_most(&format!("constant sample, n = {size}"), &misses, alpha);
    }
    let misses = observed(20_000, 33, |source| {
        let sample: Moments = (0..40).map(|_| source.uniform()).collect();
        !ranged_mean_interval(&sample, &unit(), rate(0.05))
            .unwrap()
            .contains(0.5)
    });
    assert_at_most("ranged mean of uniform observations", &misses, 0.05);
}

/// The planted error: a zero-width interval for a sample of zeros misses whenever all are zero.
#[test]
fn a_width_of_zero_is_caught() {
    let misses = observed(20_000, 34, |source| (0..40).all(|_| !source.bernoulli(0.02)));
    assert_caught("width zero", &misses, 0.05);
}

#[test]
fn quantiles_hold_for_any_distribution() {
    let covered = |probability: f64, size: usize, alpha: f64, truth: f64| {
        observed(20_000, 41, move |source| {
            let sample: Vec<f64> = (0..size).map(|_| source.exponential()).collect();
            !quantile_interval(&sample, probability, rate(alpha))
                .unwrap()
                .contains(truth)
        })
    };
    for (probability, size, alpha) in [(0.5, 20, 0.05), (0.9, 100, 0.05), (0.99, 1000, 0.001)] {
        let truth = -(1.0_f64 - probability).ln();
        let misses = covered(probability, size, alpha, truth);
        assert_at_most(&format!("quantile {probability}, n = {size}"), &misses, alpha);
    }
    // The planted error: the 91st percentile for the 90th.
    assert_caught(
        "another quantile",
        &covered(0.9, 1000, 0.05, -(0.09_f64).ln()),
        0.05,
    );
}

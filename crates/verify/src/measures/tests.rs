#![expect(clippy::float_cmp, reason = "the same sums give the same bits")]
use retrylab_model::{Change, DeadlineCheck, Scenario, ScenarioSpec, Traffic};

use super::*;

fn scenario(rate: f64, change: impl FnOnce(&mut ScenarioSpec)) -> Scenario {
    let mut spec = ScenarioSpec::new(Traffic::with_rate(rate));
    spec.run.until = Some(3000.0.into());
    spec.run.measure_from = Some(1000.0.into());
    change(&mut spec);
    spec.validate().unwrap()
}

fn surveyed(scenario: &Scenario, effort: Effort) -> Survey {
    let plan = Plan {
        effort,
        ..Plan::default()
    };
    survey(scenario, &plan, &|_| {}, &mut |_| Ok::<(), String>(())).unwrap()
}

fn number(survey: &Survey, name: &str) -> Number {
    let measure = survey.find(name).unwrap_or_else(|| panic!("there is no {name}"));
    measure.estimate.unwrap_or_else(|| panic!("{measure:?}"))
}

fn ends(number: Number) -> (f64, f64) {
    (number.low.unwrap(), number.high.unwrap())
}

/// 200 surveys of M/M/1 at load 0.5, each of 20 replications: a 95 % interval misses 10 times on average, with a standard
/// deviation of 3.1. More than 30 misses have a probability below 10^-7; an interval of half the width would miss more
/// than 60 times.
#[test]
fn intervals_cover_as_often_as_they_say() {
    let scenario = scenario(0.5, |spec| {
        spec.run.until = Some(1000.0.into());
        spec.run.measure_from = Some(200.0.into());
    });
    let exact = [
        ("sojourn_time_mean", 2.0),
        ("waiting_time_mean", 1.0),
        ("utilization", 0.5),
        ("number_in_system", 1.0),
        ("throughput", 0.5),
    ];
    let mut misses = [0; 5];
    for seed in 0..200 {
        let plan = Plan {
            seed,
            ..Plan::default()
        };
        let survey = survey(&scenario, &plan, &|_| {}, &mut |_| Ok::<(), String>(())).unwrap();
        for ((name, value), misses) in exact.iter().zip(&mut misses) {
            let (low, high) = ends(number(&survey, name));
            *misses += usize::from(!(low <= *value && *value <= high));
        }
    }
    assert!(misses.iter().all(|&misses| misses <= 30), "{misses:?}");
}

#[test]
fn what_the_scenario_fixes_is_trivial_and_exact() {
    let survey = surveyed(&scenario(0.5, |_| {}), Effort::Replications(4));
    for (name, value) in [
        ("attempts_per_request", 1.0),
        ("abandoned_work", 0.0),
        ("blocking", 0.0),
        ("skipped_share", 0.0),
        ("retry_share", 0.0),
        ("budget_denied", 0.0),
        ("breaker_denied", 0.0),
        ("unsent_requests", 0.0),
    ] {
        assert!(survey.find(name).unwrap().is_trivial, "{name}");
        assert_eq!(ends(number(&survey, name)), (value, value), "{name}");
    }
    let retrying = scenario(0.5, |spec| {
        spec.client.attempts = 3;
        spec.client.timeout = Some(5.0.into());
        spec.server.places = Some(20);
        spec.server.deadline_check = DeadlineCheck::SkipExpired;
    });
    let survey = surveyed(&retrying, Effort::Replications(4));
    for name in [
        "attempts_per_request",
        "abandoned_work",
        "blocking",
        "skipped_share",
        "retry_share",
    ] {
        assert!(!survey.find(name).unwrap().is_trivial, "{name}");
    }
}

#[test]
fn replications_that_agree_still_leave_room_for_others() {
    // Stuck: no request succeeds in any run, and all work is abandoned.
    let stuck = scenario(0.6, |spec| {
        spec.client.attempts = 3;
        spec.client.timeout = Some(50.0.into());
        spec.schedule = vec![Change::stall(0.0, 500.0)];
    });
    let survey = surveyed(&stuck, Effort::Replications(20));
    // One sided Clopper-Pearson bound of 19 trials without success at error 0.05/6, times the range.
    let bound = 1.0 - (0.05_f64 / 6.0).powf(1.0 / 19.0);
    for (name, value, expected) in [
        ("success", 0.0, (0.0, bound)),
        ("goodput", 0.0, (0.0, 0.6 * bound)),
        ("abandoned_work", 1.0, (1.0 - bound, 1.0)),
    ] {
        let found = number(&survey, name);
        assert_eq!(found.value, value, "{name}");
        let (low, high) = ends(found);
        assert!(
            (low - expected.0).abs() < 1e-12 && (high - expected.1).abs() < 1e-12,
            "{name}: {low} to {high}, but expected {expected:?}"
        );
    }
}

#[test]
fn quantiles_are_those_of_the_exponential_sojourn_time() {
    let survey = surveyed(
        &scenario(0.5, |spec| spec.run.until = Some(20_000.0.into())),
        Effort::Replications(40),
    );
    for (name, probability) in [
        ("sojourn_time_p50", 0.5_f64),
        ("sojourn_time_p90", 0.9),
        ("sojourn_time_p99", 0.99),
    ] {
        let exact = -2.0 * (-probability).ln_1p();
        let (low, high) = ends(number(&survey, name));
        // Twice the interval, since each of them misses once in twenty times.
        let slack = (high - low) / 2.0;
        assert!(
            low - slack <= exact && exact <= high + slack,
            "{name}: {low} to {high} against {exact}"
        );
        assert!(high - low < 0.1 * exact, "{name}: {low} to {high}");
    }
}

#[test]
fn sampling_stops_when_the_main_measures_are_precise() {
    let scenario = scenario(0.3, |spec| {
        spec.client.attempts = 2;
        spec.client.timeout = Some(10.0.into());
    });
    let coarse = surveyed(&scenario, Effort::Precision(0.1));
    let fine = surveyed(&scenario, Effort::Precision(0.02));
    assert!(coarse.is_precise && fine.is_precise);
    assert!(coarse.replications < fine.replications && coarse.looks < fine.looks);
    assert_eq!(
        fine.replications,
        Batches::new(FIRST_BATCH, GROWTH).unwrap().total_after(fine.looks)
    );
    let sojourn_time = number(&fine, "sojourn_time_mean");
    let (low, high) = ends(sojourn_time);
    assert!(high - sojourn_time.value <= 0.02 * sojourn_time.value);
    assert!(sojourn_time.value - low <= 0.02 * sojourn_time.value);
    // The look that stopped it spent only its share of the error rate: its interval is wider than a single look's.
    let single = number(
        &surveyed(&scenario, Effort::Replications(fine.replications)),
        "sojourn_time_mean",
    );
    assert_eq!(single.value, sojourn_time.value);
    assert!(high - low > single.high.unwrap() - single.low.unwrap());
    assert_eq!(sojourn_time.confidence, 0.95);
}

#[test]
fn sampling_ends_where_nothing_happens() {
    let empty = scenario(1e-12, |_| {});
    let survey = surveyed(&empty, Effort::Precision(0.01));
    assert!(!survey.is_precise && survey.replications > REPLICATIONS_MAX / 2);
    let measure = survey.find("sojourn_time_mean").unwrap();
    assert_eq!(measure.estimate, None);
    assert_eq!(
        measure.note.as_deref(),
        Some("no service was completed in the measured time")
    );
}

#[test]
fn records_arrive_in_order_and_their_receiver_can_stop_the_run() {
    let scenario = scenario(0.5, |spec| spec.run.window = Some(100.0.into()));
    let plan = Plan {
        effort: Effort::Replications(200),
        windows: true,
        ..Plan::default()
    };
    let mut seen = Vec::new();
    let mut receive = |record: &RunRecord| {
        assert_eq!(record.windows.len(), 30);
        seen.push(record.replication);
        if record.replication == 150 {
            Err("enough")
        } else {
            Ok(())
        }
    };
    let result = survey(&scenario, &plan, &|_| {}, &mut receive);
    assert!(
        matches!(result, Err(SurveyError::Receiver("enough"))),
        "{result:?}"
    );
    assert_eq!(seen, (0..=150).collect::<Vec<u64>>());
}

#[test]
fn a_plan_without_an_error_rate_is_refused() {
    let scenario = scenario(0.5, |_| {});
    for alpha in [0.0, 1.0, f64::NAN] {
        let plan = Plan {
            alpha,
            ..Plan::default()
        };
        let result = survey(&scenario, &plan, &|_| {}, &mut |_| Ok::<(), String>(()));
        assert!(
            matches!(result, Err(SurveyError::Statistics(_))),
            "{alpha}: {result:?}"
        );
    }
}

//! The machinery of verdicts on claims made up for the purpose: right, wrong by a little, misquoted, undecidable.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use retrylab_sim::calls::Calls;
use retrylab_verify::statistics::Margin;
use retrylab_verify::{
    Claim, ComputedNumber, Document, Estimator, Experiment, Level, MeasuredNumber, Outcome, Part,
    PartOutcome, Plan, Progress, Quote, RunError, Silent, Verdict, run, sabotage,
};

/// Attempts per request at p = 0.5 with two retries; the right answer is 1.75.
fn attempts() -> Experiment {
    Experiment::calls(
        Calls::new(0.5, 2).unwrap(),
        "attempts per request",
        Estimator::Ratio,
        |record| (record.attempts() as f64, record.requests() as f64),
    )
}

fn computed(value: f64) -> ComputedNumber {
    ComputedNumber {
        value,
        formula: String::new(),
        source: String::new(),
        command: String::new(),
    }
}

fn judge(parts: Vec<Part>) -> Outcome {
    let claim = Claim::new("X01", Document::Lesson, "Made up.").parts(parts);
    run(
        &[claim],
        &Plan {
            level: Level::Quick,
            numbers: 2,
            ..Plan::default()
        },
        &Silent,
    )
    .unwrap()
}

fn verdict(part: Part) -> Verdict {
    judge(vec![part]).claims[0].parts[0].verdict
}

#[test]
fn a_right_formula_agrees_and_one_off_by_twice_the_margin_does_not() {
    // Quick widens the stated margin of 0.25 % to 1 %.
    let judged = |value| verdict(within_one_percent(value));
    assert_eq!(judged(1.75), Verdict::Agrees);
    assert_eq!(judged(1.75 * 1.02), Verdict::DoesNotAgree);
    assert_eq!(judged(1.75 / 1.02), Verdict::DoesNotAgree);
}

fn within_one_percent(value: f64) -> Part {
    Part::new("x")
        .computed(computed(value))
        .equivalent(attempts(), Margin::Relative(0.0025), "made up")
}

/// Between one margin and one and a half an error is neither agreement nor owed a sample that shows it.
#[test]
fn a_formula_off_by_little_more_than_its_margin_is_left_inconclusive_at_a_sample_that_would_show_a_larger_error()
 {
    for value in [1.75 * 1.0105, 1.75 / 1.0105] {
        let outcome = judge(vec![within_one_percent(value)]);
        let part = &outcome.claims[0].parts[0];
        assert_eq!(part.verdict, Verdict::Inconclusive);
        let measured = part.measured.as_ref().unwrap();
        let error = part.detectable_error.unwrap();
        assert!((error / value - 0.015 / 0.985).abs() < 1e-12, "{error}");
        // The interval has come within half a margin of the estimate, and not far below.
        let reach = (measured.high - measured.low) / 2.0;
        assert!(reach < 0.005 * value && reach > 0.002 * value, "{reach}");
    }
}

/// The promised probability, at a margin so wide that it matters whose fraction a relative margin is.
#[test]
fn a_formula_off_by_its_detectable_error_is_shown_to_differ_with_the_stated_probability() {
    const SEEDS: u64 = 400;
    let two_requests = Calls::new(0.5, 2).unwrap().with_requests(2).unwrap();
    let noisy = Experiment::calls(two_requests, "attempts per request", Estimator::Ratio, |record| {
        (record.attempts() as f64, record.requests() as f64)
    });
    let part = |value| {
        Part::new("x")
            .computed(computed(value))
            .equivalent(noisy.clone(), Margin::Relative(0.05), "made up")
    };
    let detectable = judge(vec![part(1.75)]).claims[0].parts[0]
        .detectable_error
        .unwrap();
    for sign in [1.0, -1.0] {
        let missed = (0..SEEDS).filter(|&seed| {
            let claim = Claim::new("X01", Document::Lesson, "Made up.").part(part(1.75 + sign * detectable));
            let plan = Plan {
                level: Level::Quick,
                numbers: 200,
                seed,
                ..Plan::default()
            };
            run(&[claim], &plan, &Silent).unwrap().claims[0].verdict() != Verdict::DoesNotAgree
        });
        // Of 400 at 0.01 more than 12 are missed with probability 2e-4.
        let missed = missed.count();
        assert!(
            missed <= 12,
            "{missed} of {SEEDS} errors of {} were not shown",
            sign * detectable
        );
    }
}

/// A number whose range begins at `low`, among `shown` numbers that are what they must be and `refuted` that are not,
/// in a family of `numbers`.
fn among(numbers: u32, shown: usize, refuted: usize, low: f64) -> PartOutcome {
    let edge = Part::new("edge")
        .quoted(Quote::range("made up", low, 2.0, "made up"))
        .measured(attempts());
    let others = |label, count, bound| {
        (0..count).map(move |_| Part::new(label).at_least(attempts(), bound, "made up"))
    };
    let claim = Claim::new("X01", Document::Lesson, "Made up.")
        .part(edge)
        .parts(others("shown", shown, 1.5))
        .parts(others("refuted", refuted, 1.9));
    let plan = Plan {
        level: Level::Quick,
        numbers,
        ..Plan::default()
    };
    let outcome = run(&[claim], &plan, &Silent).unwrap();
    outcome.claims[0].parts[0].clone()
}

/// The interval of the number when it is alone in a family of `numbers`, and its confidence.
///
/// With the end of the range at the truth the whole budget is spent, so that all these intervals are of one sample.
fn last_interval(numbers: u32) -> MeasuredNumber {
    among(numbers, 0, 0, 1.75).measured.unwrap()
}

fn assert_confidence(part: &PartOutcome, error: f64) {
    let confidence = part.measured.as_ref().unwrap().confidence;
    assert!((confidence - (1.0 - error)).abs() < 1e-12, "{confidence}");
}

/// Holm: what is undecided at an equal share of the error rate is judged again with what the decided leave to it.
#[test]
fn numbers_already_shown_leave_their_share_of_the_error_rate_to_the_rest() {
    // Between the ends of the intervals at 1e-5 and at 1e-3 lies a range that only the latter shows.
    let low = |numbers| last_interval(numbers).low;
    let between = f64::midpoint(low(100), low(1));
    let (alone, helped) = (among(100, 0, 0, between), among(100, 99, 0, between));
    assert_eq!(
        (alone.verdict, helped.verdict),
        (Verdict::Inconclusive, Verdict::Agrees)
    );
    assert_confidence(&alone, 1e-5);
    assert_confidence(&helped, 1e-3);
    let estimate = |part: PartOutcome| part.measured.unwrap().estimate.to_bits();
    assert_eq!(estimate(alone), estimate(helped));
}

/// Of 100 numbers with 98 shown the other two share the rate: one that needs all of it is not shown.
#[test]
fn numbers_that_are_not_shown_keep_their_share() {
    let low = |numbers| last_interval(numbers).low;
    let for_two = f64::midpoint(low(100), low(2));
    let part = among(100, 98, 0, for_two);
    assert_eq!(part.verdict, Verdict::Agrees);
    assert_confidence(&part, 5e-4);
    let for_one = f64::midpoint(low(2), low(1));
    assert_eq!(among(100, 98, 0, for_one).verdict, Verdict::Inconclusive);
    // What was refuted keeps its share as well.
    let for_fifty = f64::midpoint(low(50), low(1));
    assert_eq!(among(100, 50, 49, for_fifty).verdict, Verdict::Inconclusive);
}

/// Alarms are raised at an equal share of the error rate, whatever was shown of the others.
#[test]
fn what_the_others_leave_over_raises_no_alarm() {
    let high = |numbers| last_interval(numbers).high;
    let between = f64::midpoint(high(100), high(1));
    assert_eq!(among(1, 0, 0, between).verdict, Verdict::NotReproduced);
    let part = among(100, 99, 0, between);
    assert_eq!(part.verdict, Verdict::Inconclusive);
    assert_confidence(&part, 1e-5);
}

#[test]
fn a_quoted_number_is_held_against_the_closed_form_or_the_measurement() {
    let part = |text| Part::new("x").quoted(Quote::printed(text));
    assert_eq!(verdict(part("1.75").computed(computed(1.75))), Verdict::Agrees);
    assert_eq!(
        verdict(part("1.76").computed(computed(1.75))),
        Verdict::NotReproduced
    );
    assert_eq!(verdict(part("2").measured(attempts())), Verdict::Agrees);
    assert_eq!(verdict(part("1.9").measured(attempts())), Verdict::NotReproduced);
}

#[test]
fn the_sampling_error_of_an_author_widens_a_quoted_number() {
    // 1.76 is one hundredth off; the standard deviation of a replication is about 0.0083, so that one run of the
    // author's excuses it and a hundred do not.
    let judged = |runs| {
        verdict(
            Part::new("x")
                .quoted(Quote::printed("1.76").measured_in(runs))
                .measured(attempts()),
        )
    };
    assert_eq!(judged(1), Verdict::Agrees);
    assert_eq!(judged(100), Verdict::NotReproduced);
    // Runs of the author's that are a ninth as long excuse as much as nine times fewer.
    let part = Part::new("x")
        .quoted(Quote::printed("1.76").measured_in_shorter(9, 9.0))
        .measured(attempts());
    assert_eq!(verdict(part), Verdict::Agrees);
}

/// An honest author's number falls outside the widened range once in a thousand times.
#[test]
fn a_range_is_widened_by_what_the_author_may_err_once_in_a_thousand_times() {
    // The criterion is there to make the sample large, so that the standard deviation is well known.
    let part = Part::new("x")
        .quoted(Quote::printed("1.75").measured_in(1))
        .computed(computed(1.75))
        .equivalent(attempts(), Margin::Relative(0.000_05), "made up");
    let outcome = judge(vec![part]);
    let range = outcome.claims[0].parts[0].quoted.as_ref().unwrap();
    // Attempts have variance 0.5 + 4·0.25 + 9·0.25 − 1.75², and a replication is the mean of 10,000 requests.
    let deviation = (0.6875_f64 / 1e4).sqrt();
    let widened = range.high - 1.755;
    // The normal quantile for 0.001 is 3.29; for 0.002 it would be 3.09.
    assert!(
        (widened / deviation - 3.29).abs() < 0.1,
        "{}",
        widened / deviation
    );
}

#[test]
fn a_number_on_the_edge_of_its_range_stays_inconclusive() {
    // The truth lies exactly on the end of the range: no sample can decide.
    let part = Part::new("x")
        .quoted(Quote::range("made up", 1.75, 2.0, "made up"))
        .measured(attempts());
    let outcome = judge(vec![part]);
    let part = &outcome.claims[0].parts[0];
    assert_eq!(part.verdict, Verdict::Inconclusive);
    let measured = part.measured.as_ref().unwrap();
    // Half as large again, the next sample would have taken more than a quick run may.
    const LIMIT: u64 = 150_000_000;
    assert!(
        measured.attempts <= LIMIT && measured.attempts * 151 / 100 > LIMIT,
        "gave up after {} attempts",
        measured.attempts
    );
}

#[test]
fn bounds_are_one_sided() {
    assert_eq!(
        verdict(Part::new("x").at_least(attempts(), 1.7, "made up")),
        Verdict::Agrees
    );
    assert_eq!(
        verdict(Part::new("x").at_least(attempts(), 1.8, "made up")),
        Verdict::NotReproduced
    );
    assert_eq!(
        verdict(Part::new("x").at_most(attempts(), 1.8, "made up")),
        Verdict::Agrees
    );
    assert_eq!(
        verdict(Part::new("x").at_most(attempts(), 1.7, "made up")),
        Verdict::NotReproduced
    );
}

#[test]
fn the_worst_part_is_the_verdict_and_surprises_go_both_ways() {
    let right = || {
        Part::new("right")
            .quoted(Quote::printed("2"))
            .computed(computed(2.0))
    };
    let wrong = || {
        Part::new("wrong")
            .quoted(Quote::printed("3"))
            .computed(computed(2.0))
    };
    let known = judge(vec![right(), wrong().recorded(Verdict::NotReproduced)]);
    assert_eq!(known.claims[0].verdict(), Verdict::NotReproduced);
    assert_eq!(known.surprises().count(), 0);
    assert_eq!(judge(vec![right(), wrong()]).surprises().count(), 1);
    // A known disagreement that disappears is a surprise as well.
    assert_eq!(
        judge(vec![right().recorded(Verdict::NotReproduced)])
            .surprises()
            .count(),
        1
    );
}

#[test]
fn evidence_is_complete_and_the_same_for_any_number_of_threads() {
    let outcome = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let part = |label| {
                Part::new(label).computed(computed(1.75)).equivalent(
                    attempts(),
                    Margin::Relative(0.0005),
                    "made up",
                )
            };
            judge(vec![part("a"), part("b")])
        })
    };
    let (one, four) = (outcome(1), outcome(4));
    for (one, four) in one.claims[0].parts.iter().zip(&four.claims[0].parts) {
        assert_eq!(one.measured, four.measured);
        let measured = one.measured.as_ref().unwrap();
        assert!(measured.low < measured.estimate && measured.estimate < measured.high);
        // Two numbers share 1e-3.
        assert!((measured.confidence - (1.0 - 5e-4)).abs() < 1e-12);
        assert!(measured.replications >= 12 && measured.attempts > 0 && measured.looks >= 1);
        assert!(!measured.scenario.is_empty() && !measured.method.is_empty());
    }
    let seeds: Vec<u64> = one.claims[0]
        .parts
        .iter()
        .map(|part| part.measured.as_ref().unwrap().seed)
        .collect();
    assert_ne!(seeds[0], seeds[1], "two numbers share their random numbers");
}

#[test]
fn progress_is_told_of_every_number() {
    struct Count(Mutex<(usize, usize)>);
    impl Progress for Count {
        fn begin(&self, steps: usize) {
            self.0.lock().unwrap().0 = steps;
        }
        fn step(&self, label: &str) {
            assert_eq!(label, "X01");
            self.0.lock().unwrap().1 += 1;
        }
    }
    let count = Count(Mutex::new((0, 0)));
    let parts = ["a", "b", "c"].map(|label| {
        Part::new(label)
            .quoted(Quote::printed("2"))
            .computed(computed(2.0))
    });
    let claim = Claim::new("X01", Document::Lesson, "Made up.").parts(parts);
    run(&[claim], &Plan::default(), &count).unwrap();
    assert_eq!(*count.0.lock().unwrap(), (3, 3));
}

/// Judges made-up numbers with errors planted: for each trial whether it was noticed, and the verdict.
fn sabotaged(parts: Vec<Part>) -> Vec<(bool, Verdict)> {
    let claims = [Claim::new("X01", Document::Lesson, "Made up.").parts(parts)];
    let plan = Plan {
        level: Level::Quick,
        numbers: 2,
        ..Plan::default()
    };
    let outcome = run(&claims, &plan, &Silent).unwrap();
    let found = sabotage(&claims, &outcome, &plan, &Silent).unwrap();
    found
        .trials
        .iter()
        .map(|trial| (trial.noticed, trial.after))
        .collect()
}

#[test]
fn planted_errors_are_noticed_in_every_kind_of_number() {
    use Verdict::{Agrees, DoesNotAgree, NotReproduced};
    let part = || Part::new("x");
    let formula = || part().computed(computed(1.75));
    assert_eq!(
        sabotaged(vec![formula().equivalent(
            attempts(),
            Margin::Relative(0.005),
            "made up"
        )]),
        [(true, DoesNotAgree); 2],
        "a closed form off by twice its margin"
    );
    assert_eq!(
        sabotaged(vec![formula().quoted(Quote::printed("1.75"))]),
        [(true, NotReproduced); 2],
        "a quoted number beside a closed form"
    );
    assert_eq!(
        sabotaged(vec![
            part()
                .quoted(Quote::printed("1.7501").measured_in(4))
                .measured(attempts())
        ]),
        [(true, NotReproduced); 2],
        "a quoted number beside a measurement"
    );
    assert_eq!(
        sabotaged(vec![part().at_least(attempts(), 1.5, "made up")]),
        [(true, NotReproduced)],
        "a bound turned round"
    );
    assert_eq!(
        sabotaged(vec![
            formula().quoted(Quote::printed("1.9")).recorded(NotReproduced)
        ]),
        [(true, Agrees)],
        "a closed form that becomes what a wrong quote says"
    );
}

/// What is decided before the end is what a run of these claims alone gives.
#[test]
fn a_run_that_is_stopped_has_the_claims_that_are_decided() {
    /// Asks for an end after so many numbers.
    struct StopAfter(usize, AtomicUsize);
    impl Progress for StopAfter {
        fn step(&self, _: &str) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
        fn should_stop(&self) -> bool {
            self.1.load(Ordering::SeqCst) >= self.0
        }
    }
    let claim = |id| {
        let parts = [within_one_percent(1.75), within_one_percent(1.75)];
        Claim::new(id, Document::Lesson, "Made up.").parts(parts)
    };
    let claims = ["X01", "X02", "X03"].map(claim);
    let plan = Plan {
        level: Level::Quick,
        ..Plan::default()
    };
    // In one thread numbers are judged in their order.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stop_after = |numbers| StopAfter(numbers, AtomicUsize::new(0));
    let stopped = pool.install(|| run(&claims, &plan, &stop_after(3)).unwrap());
    assert_eq!(stopped.unfinished, ["X02", "X03"]);
    let alone = run(&claims[..1], &plan, &Silent).unwrap();
    let found = |outcome: &Outcome| {
        let parts = outcome.claims.iter().flat_map(|claim| &claim.parts);
        parts
            .map(|part| (part.verdict, part.measured.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&stopped).len(), 2);
    assert_eq!(found(&stopped), found(&alone));
    assert!(alone.unfinished.is_empty());
    let at_once = run(&claims, &plan, &stop_after(0)).unwrap();
    assert_eq!((at_once.claims.len(), at_once.unfinished.len()), (0, 3));
    let broken = sabotage(&claims[..1], &alone, &plan, &stop_after(0));
    assert!(matches!(broken, Err(RunError::Stopped)), "{broken:?}");
}

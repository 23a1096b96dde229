//! Retry budgets: T14, T15, T16, T18 and T19.

use retrylab_model::{Budget, Scenario};
use retrylab_sim::Measure;

use super::protocol::{
    BUDGET_RUNS, HARDLY_ANY, NEARLY_ALL_REASON, TIMEOUTS, changed, long_stall, quiet, recovered, stuck, success,
    success_of,
};
use crate::claim::{Claim, Part, Quote};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![ratio_line(), refund_line(), loose_timeout(), small_bank(), larger_ratio()]
}

const REFUND: Budget = Budget::Refund { capacity: 500.0, cost: 5.0, timeout_cost: 10.0, refund: 1.0 };

fn ratio(ratio: f64, bank: f64) -> Budget {
    Budget::Ratio { ratio, bank }
}

fn budgeted(scenario: &Scenario, budget: Budget) -> Scenario {
    changed(scenario, |spec| spec.client.budget = budget)
}

fn ratio_line() -> Claim {
    let after_stall = |load: f64, timeout: f64| budgeted(&long_stall(load, timeout, 3), ratio(0.1, 100.0));
    let longer = |load: f64| {
        changed(&after_stall(load, 50.0), |spec| {
            spec.run.until = Some(300_000.0.into());
            spec.run.measure_from = Some(297_500.0.into());
        })
    };
    let line = theory("budget-line", &[("ratio", 0.1)], "load").value;
    Claim::new(
        "T14",
        Document::ThreeAttempts,
        "A budget of 0.1 retry per new request with a bank of 100 lets the stuck server see at most 1.1 times the load, \
         which moves the line to 1/1.1; after the long stall success is about zero from load 0.9, at both timeouts.",
    )
    .remark(
        "At load 0.9 the attempts are 99 % of capacity: the backlog does drain, but takes longer than the run. The line \
         itself is bracketed in runs of 300,000 at 1.1ρ = 0.98 and 1.02.",
    )
    .part(
        Part::new("attempts per request when stuck, load 0.95")
            .quoted(Quote::printed("1.1"))
            .computed(theory(
                "capped",
                &[("failure_probability", 1.0), ("retries", 2.0), ("ratio", 0.1)],
                "attempts",
            ))
            .equivalent(
                Experiment::measure(after_stall(0.95, 50.0), Measure::AttemptsPerRequest),
                Margin::Absolute(0.01),
                "a tenth of the retries that the budget allows",
            ),
    )
    .parts(TIMEOUTS.into_iter().flat_map(|timeout| [0.9, 0.95].map(|load| (timeout, load))).map(
        |(timeout, load)| {
            Part::new(format!("share of runs recovered, load {load}, timeout {timeout}"))
                .quoted(Quote::range("about zero", 0.0, HARDLY_ANY, NEARLY_ALL_REASON))
                .measured(recovered(after_stall(load, timeout)))
        },
    ))
    .part(Part::new("share of runs recovered, load 0.85, timeout 50").at_least(
        recovered(after_stall(0.85, 50.0)),
        0.9,
        "below the line recovery is the rule",
    ))
    .part(Part::new("share of runs recovered, 2 % below 1/1.1").at_least(
        recovered(longer(0.98 * line)),
        0.9,
        "below the line recovery is the rule",
    ))
    .part(Part::new("share of runs recovered, 2 % above 1/1.1").at_most(
        recovered(longer(1.02 * line)),
        0.1,
        "above the line it is the exception",
    ))
}

fn refund_line() -> Claim {
    Claim::new(
        "T15",
        Document::ThreeAttempts,
        "With a refund budget of 500 tokens, of which a retry takes 5 (10 after a timeout) and a success gives back 1, \
         the server is never stuck at zero below load 0.98.",
    )
    .parts(TIMEOUTS.into_iter().flat_map(|timeout| [0.6, 0.8, 0.9, 0.95].map(|load| (timeout, load))).map(
        |(timeout, load)| {
            Part::new(format!("share of runs stuck, load {load}, timeout {timeout}"))
                .quoted(Quote::range("never", 0.0, HARDLY_ANY, NEARLY_ALL_REASON))
                .measured(stuck(budgeted(&long_stall(load, timeout, 3), REFUND)))
        },
    ))
}

/// Success of a single server without retries: answered in time and without error.
fn without_retries(load: f64, timeout: f64) -> ComputedNumber {
    theory("mm1", &[("arrival_rate", load), ("service_rate", 1.0), ("time", timeout)], "sojourn_time_tail")
        .then(|x| 0.99 * (1.0 - x), "0.99 · (1 − x)")
}

fn loose_timeout() -> Claim {
    let loads = [0.3, 0.6, 0.8];
    let essentially_all =
        || Quote::range("essentially 1", 0.995, 1.005, "what rounds to 1 in the two digits of the text's 99 %");
    Claim::new(
        "T16",
        Document::ThreeAttempts,
        "With a timeout of 50 and loads up to 0.8 both budgets let essentially every request succeed, against 99 % \
         without retries.",
    )
    .parts([("ratio", ratio(0.1, 100.0)), ("refund", REFUND)].into_iter().flat_map(|(name, budget)| {
        loads.map(|load| {
            Part::new(format!("success with the {name} budget, load {load}"))
                .quoted(essentially_all())
                .measured(success(budgeted(&long_stall(load, 50.0, 3), budget)))
        })
    }))
    .parts(loads.map(|load| {
        Part::new(format!("success without retries, load {load}"))
            .quoted(Quote::percent("99"))
            .computed(without_retries(load, 50.0))
            .equivalent(
                success(long_stall(load, 50.0, 1)),
                Margin::Absolute(0.002),
                "a fifth of what the retries win back",
            )
    }))
}

fn small_bank() -> Claim {
    let removed = |load: f64| {
        let scenarios =
            [1.0, 100.0].map(|bank| budgeted(&quiet(load, 10.0, 3), ratio(0.1, bank))).to_vec();
        let unharmed = without_retries(load, 10.0).value;
        Experiment::side_by_side(
            scenarios,
            "success with a bank of 1, less the mean of that without retries (in theory) and that with a bank of 100",
            move |runs| success_of(&runs[0]) - f64::midpoint(unharmed, success_of(&runs[1])),
        )
    };
    Claim::new(
        "T18",
        Document::ThreeAttempts,
        "With a timeout of 10, a bank of 1 instead of 100 removes most of a ratio budget's damage at load 0.6 but not \
         at 0.8.",
    )
    .remark(
        "The damage is what the budget loses against no retries at all. Most of it is removed when success lies nearer \
         to that without retries than to that with the bank of 100, so the sign of the difference to their midpoint is \
         what is tested. The table that the text refers to is missing from it; runs without a stall are used.",
    )
    .part(Part::new("success above the midpoint, load 0.6").at_least(
        removed(0.6),
        0.0,
        "positive when more than half of the damage is gone",
    ))
    .part(Part::new("success above the midpoint, load 0.8").at_most(
        removed(0.8),
        0.0,
        "negative when less than half of the damage is gone",
    ))
}

fn larger_ratio() -> Claim {
    Claim::new(
        "T19",
        Document::ThreeAttempts,
        "With a timeout of 10, a ratio of 20 % and a bank of 100, success at load 0.6 is 0.83.",
    )
    .remark("The text does not say whether this sweep had a stall; runs without one are used.")
    .part(
        Part::new("success")
            .quoted(Quote::printed("0.83").measured_in(BUDGET_RUNS))
            .measured(success(budgeted(&quiet(0.6, 10.0, 3), ratio(0.2, 100.0)))),
    )
}

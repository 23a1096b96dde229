//! Retry budgets: T14, T15, T16, T18 and T19.

use retrylab_model::{Budget, Scenario};
use retrylab_sim::Measure;

use super::protocol::{
    BUDGET_RUNS, TIMEOUTS, changed, long_stall, quiet, recovered, stuck, success, success_of,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;
use crate::theory::theory;
use crate::verdict::Verdict;

pub(super) fn claims() -> Vec<Claim> {
    vec![
        ratio_line(),
        refund_line(),
        loose_timeout(),
        small_bank(),
        larger_ratio(),
    ]
}

/// The refund budget of the study.
pub(crate) const REFUND: Budget = Budget::Refund {
    capacity: 500.0,
    cost: 5.0,
    timeout_cost: 10.0,
    refund: 1.0,
    shared: false,
};

/// A ratio budget.
pub(crate) fn ratio(ratio: f64, bank: f64) -> Budget {
    Budget::Ratio {
        ratio,
        bank,
        shared: false,
    }
}

/// The scenario with a budget.
pub(crate) fn budgeted(scenario: &Scenario, budget: Budget) -> Scenario {
    changed(scenario, |spec| spec.client.budget = budget)
}

fn ratio_line() -> Claim {
    let after_stall = |load: f64, timeout: f64| budgeted(&long_stall(load, timeout, 3), ratio(0.1, 100.0));
    // From when the bank saved before the stall is spent until the smallest backlog below the line would be gone.
    let stuck_phase = |load: f64| {
        changed(&after_stall(load, 50.0), |spec| {
            spec.run.measure_from = Some(5_000.0.into());
            spec.run.until = Some(45_000.0.into());
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
         itself is where the backlog of the stuck server stops draining and begins to grow; its growth is measured at \
         three loads around 1/1.1 = 0.909.",
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
                .quoted(Quote::runs("about zero", Runs::HardlyAny))
                .measured(recovered(after_stall(load, timeout)))
        },
    ))
    .part(Part::new("share of runs recovered, load 0.85, timeout 50").at_least(
        recovered(after_stall(0.85, 50.0)),
        0.75,
        "below the line recovery is the rule",
    ))
    .parts([0.88, 0.9, 0.93].map(|load| {
        let growth = theory("budget-line", &[("ratio", 0.1)], "load").then(|x| load / x - 1.0, "load/x − 1");
        Part::new(format!("growth of the backlog of the stuck server, load {load} (the line is at {line:.3})"))
            .computed(growth)
            .equivalent(
                Experiment::measure(stuck_phase(load), Measure::GrowthRate),
                Margin::Absolute(0.004),
                "less than half of the growth that is nearest to 0, so that its sign is in no doubt",
            )
    }))
}

fn refund_line() -> Claim {
    Claim::new(
        "T15",
        Document::ThreeAttempts,
        "A refund budget of 500 tokens, of which a retry takes 5 (10 after a timeout) and a success gives back 1, keeps \
         success above zero at all loads below 0.98.",
    )
    .remark(
        "Read as: at most one run in ten measures zero. At load 0.95 about one run in forty does, because the backlog of \
         the stall drains at 5 % of capacity and is not always gone when measuring begins; none of 40 runs would show it \
         with a probability of about one third. At load 0.97, which lies below 0.98 but between the loads that the text \
         mentions, most runs do: there the backlog takes longer than the run. The budget is not to blame for it, the same \
         server without retries needs as long.",
    )
    .parts(TIMEOUTS.into_iter().flat_map(|timeout| [0.6, 0.8, 0.9, 0.95].map(|load| (timeout, load))).map(
        |(timeout, load)| {
            Part::new(format!("share of runs stuck, load {load}, timeout {timeout}"))
                .quoted(Quote::runs("never", Runs::HardlyAny))
                .measured(stuck(budgeted(&long_stall(load, timeout, 3), REFUND)))
        },
    ))
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("share of runs stuck, load 0.97, timeout {timeout}"))
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(stuck(budgeted(&long_stall(0.97, timeout, 3), REFUND)))
            .recorded(Verdict::NotReproduced)
    }))
}

/// Success of a single server without retries: answered in time and without error.
pub(super) fn without_retries(load: f64, timeout: f64) -> ComputedNumber {
    theory(
        "mm1",
        &[("arrival_rate", load), ("service_rate", 1.0), ("time", timeout)],
        "success",
    )
    .then(|x| 0.99 * x, "0.99 · x")
}

fn loose_timeout() -> Claim {
    let loads = [0.3, 0.6, 0.8];
    let essentially_all = || {
        Quote::range(
            "essentially 1",
            0.995,
            1.005,
            "what rounds to 1 in the two digits of the text's 99 %",
        )
    };
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

/// A name and a scenario by load.
type Protocol = (&'static str, fn(f64) -> Scenario);

/// A run without a stall, and one with the long stall: the text leaves open which its sweep of budgets had.
const PROTOCOLS: [Protocol; 2] = [
    ("no stall", |load| quiet(load, 10.0, 3)),
    ("long stall", |load| long_stall(load, 10.0, 3)),
];

fn small_bank() -> Claim {
    let removed = |load: f64, protocol: fn(f64) -> Scenario| {
        let scenarios = [1.0, 100.0]
            .map(|bank| budgeted(&protocol(load), ratio(0.1, bank)))
            .to_vec();
        let unharmed = without_retries(load, 10.0).value;
        Experiment::side_by_side(
            scenarios,
            "success with a bank of 1, less the mean of that without retries (in theory) and that with a bank of 100",
            move |runs| success_of(&runs[0]) - f64::midpoint(unharmed, success_of(&runs[1])),
        )
    };
    let small = |load: f64| success(budgeted(&quiet(load, 10.0, 3), ratio(0.1, 1.0)));
    Claim::new(
        "T18",
        Document::ThreeAttempts,
        "With a timeout of 10, a bank of 1 instead of 100 removes most of a ratio budget's damage at load 0.6 but not \
         at 0.8.",
    )
    .remark(
        "The damage is what the budget loses against no retries at all. Most of it is removed when success lies nearer \
         to that without retries than to that with the bank of 100, so the sign of the difference to their midpoint is \
         what is tested.",
    )
    .open_parameter(
        "Stall: the table that the text refers to is missing from it, and with it whether these runs had one. They are \
         tried with and without, and it makes no difference.",
    )
    .remark(
        "At load 0.8 the bank of 1 removes more than half of the damage too, so the second half of the statement does \
         not come out if most means more than half. What remains there is real: success stays below that without \
         retries, while at load 0.6 it is above.",
    )
    .parts(PROTOCOLS.map(|(name, protocol)| {
        Part::new(format!("success above the midpoint, load 0.6, {name}")).at_least(
            removed(0.6, protocol),
            0.0,
            "positive when more than half of the damage is gone",
        )
    }))
    .parts(PROTOCOLS.map(|(name, protocol)| {
        Part::new(format!("success above the midpoint, load 0.8, {name}"))
            .at_most(
                removed(0.8, protocol),
                0.0,
                "negative when less than half of the damage is gone",
            )
            .recorded(Verdict::NotReproduced)
    }))
    .part(
        Part::new("success with a bank of 1, no worse than without retries, load 0.6").at_least(
            small(0.6),
            without_retries(0.6, 10.0).value,
            "the closed form of the server without retries",
        ),
    )
    .part(
        Part::new("success with a bank of 1, worse than without retries, load 0.8").at_most(
            small(0.8),
            without_retries(0.8, 10.0).value,
            "the closed form of the server without retries",
        ),
    )
}

fn larger_ratio() -> Claim {
    let worse = Experiment::side_by_side(
        [0.2, 0.1]
            .map(|tokens| budgeted(&quiet(0.6, 10.0, 3), ratio(tokens, 100.0)))
            .to_vec(),
        "success with a ratio of 20 % less that with one of 10 %",
        |runs| success_of(&runs[0]) - success_of(&runs[1]),
    );
    Claim::new(
        "T19",
        Document::ThreeAttempts,
        "With a timeout of 10, a ratio of 20 % and a bank of 100, success at load 0.6 is 0.83, worse than with 10 %.",
    )
    .open_parameter("Stall: this sweep is tried with and without one, and it makes no difference.")
    .parts(PROTOCOLS.map(|(name, protocol)| {
        Part::new(format!("success, {name}"))
            .quoted(Quote::printed("0.83").measured_in(BUDGET_RUNS))
            .measured(success(budgeted(&protocol(0.6), ratio(0.2, 100.0))))
    }))
    .part(Part::new("success with a ratio of 20 % less that with 10 %").at_most(
        worse,
        0.0,
        "negative when the larger ratio is worse",
    ))
}

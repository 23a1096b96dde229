//! The stuck state and what leads into it: T04, T08, T09 and T29.

use retrylab_sim::Measure;

use super::protocol::{TIMEOUTS, changed, long_stall, quiet, stalled, stuck};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;
use crate::theory::theory;
use crate::verdict::Verdict;

pub(super) fn claims() -> Vec<Claim> {
    vec![stuck_state(), shortest_stall(), spontaneous(), growth()]
}

fn stuck_state() -> Claim {
    let quote = || Quote::range("2.98–2.99", 2.975, 2.995, "what rounds to the printed numbers");
    let three = || {
        theory(
            "amplification",
            &[("failure_probability", 1.0), ("retries", 2.0)],
            "attempts",
        )
    };
    Claim::new(
        "T04",
        Document::ThreeAttempts,
        "In the stuck state requests make 2.98 to 2.99 attempts, and all of the server's time goes to abandoned work.",
    )
    .remark(
        "Stuck means that every attempt times out, so the long-run number of attempts is exactly 3. Numbers just below \
         3 come out if the requests that are new in the last 2,500 are followed to the end of the run only: those of \
         the last 2T have not made all their attempts yet. The last part computes that count for T = 10; for T = 50 it \
         would be 2.94. Whether the study counted so is our guess.",
    )
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("attempts per request, load 0.6, timeout {timeout}"))
            .quoted(quote())
            .computed(three())
            .equivalent(
                Experiment::measure(long_stall(0.6, timeout, 3), Measure::AttemptsPerRequest),
                Margin::Absolute(0.004),
                "less than the distance from 3 to the nearest quoted value",
            )
            .recorded(Verdict::NotReproduced)
    }))
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("runs in which at least 99.9 % of the server's time is abandoned work, timeout {timeout}"))
            .quoted(Quote::runs("all of it", Runs::NearlyAll))
            .measured(Experiment::share_of_runs(
                long_stall(0.6, timeout, 3),
                "share of runs whose abandoned work is at least 99.9 % of the busy time",
                |run| {
                    let (abandoned, busy) = run.measure(Measure::AbandonedWork);
                    abandoned >= 0.999 * busy
                },
            ))
    }))
    .part(
        Part::new("attempts until the end of the run by requests new in the last 2,500, timeout 10")
            .quoted(quote())
            .computed(ComputedNumber::arithmetic(
                3.0 - 3.0 * 10.0 / 2_500.0,
                "(2500 + (2500 − T) + (2500 − 2T)) / 2500 at T = 10",
            )),
    )
}

fn shortest_stall() -> Claim {
    Claim::new(
        "T08",
        Document::ThreeAttempts,
        "With a timeout of 50 at load 0.6, a stall of 100 is enough to leave the server stuck, and from one of 200 it \
         never recovers.",
    )
    .part(Part::new("share of runs stuck after a stall of 100").at_least(
        stuck(stalled(0.6, 50.0, 3, 100.0)),
        0.5,
        "a stall that is enough leaves most runs stuck",
    ))
    .part(
        Part::new("share of runs stuck after a stall of 200")
            .quoted(Quote::runs("never recovers", Runs::NearlyAll))
            .measured(stuck(stalled(0.6, 50.0, 3, 200.0))),
    )
    .part(Part::new("share of runs stuck without a stall").at_most(
        stuck(quiet(0.6, 50.0, 3)),
        0.1,
        "the stall is the cause only if the server stays well without one",
    ))
}

fn spontaneous() -> Claim {
    Claim::new(
        "T09",
        Document::ThreeAttempts,
        "A timeout of 10 is so short that chance alone, without a stall, locks the server up at loads of 0.45 and more.",
    )
    .remark(
        "Locking up by chance takes a random time, so within a run of 62,000 it is a matter of probability; a load is \
         counted as one that locks up when most runs end stuck. So counted, load 0.4 locks up as well: the load at which \
         it begins is a matter of how long one waits.",
    )
    .parts([0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9].map(|load| {
        Part::new(format!("share of runs stuck, load {load}")).at_least(
            stuck(quiet(load, 10.0, 3)),
            0.5,
            "a load that locks up leaves most runs stuck",
        )
    }))
}

fn growth() -> Claim {
    Claim::new("T29", Document::ThreeAttempts, "The queue of a stuck server just grows.")
        .beyond(
            "A rate, which the text does not give: attempts arrive at k times the load and are served at rate 1, so it grows by \
             kρ − 1 per unit of time.",
        )
        .parts([(0.4, 3), (0.6, 3), (0.9, 3), (0.3, 5)].map(|(load, attempts)| {
            let scenario = changed(&long_stall(load, 50.0, attempts), |spec| {
                spec.run.measure_from = Some(12_000.0.into());
            });
            Part::new(format!("growth of the queue per unit of time, load {load}, {attempts} attempts"))
                .computed(theory(
                    "stuck-growth",
                    &[("arrival_rate", load), ("attempts", f64::from(attempts)), ("capacity", 1.0)],
                    "growth_rate",
                ))
                .equivalent(
                    Experiment::measure(scenario, Measure::GrowthRate),
                    Margin::Relative(0.02),
                    "2 % tells kρ − 1 apart from (k − 1)ρ − 1 and from kρ",
                )
        }))
}

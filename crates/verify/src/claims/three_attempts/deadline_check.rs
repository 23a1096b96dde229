//! What skipping expired work leaves undone, and a check that skips work which cannot finish in time: T25 and T26.

use retrylab_model::{DeadlineCheck, Scenario};
use retrylab_sim::Measure;

use super::protocol::{TIMEOUTS, changed, long_stall, steady_without_retries, stuck, success, success_of};
use super::skipping::{skipping, without_retries};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;

pub(super) fn claims() -> Vec<Claim> {
    vec![unheard_answers(), skip_doomed()]
}

/// The scenario with a server that skips work whose client will give up within a time.
pub(crate) fn skipping_doomed(scenario: &Scenario, service: f64) -> Scenario {
    changed(scenario, |spec| {
        spec.server.deadline_check = DeadlineCheck::SkipDoomed {
            service: service.into(),
        };
    })
}

/// The mean over runs of the share of a run's service time that was spent for nobody.
fn abandoned_work(scenario: Scenario) -> Experiment {
    Experiment::side_by_side(
        vec![scenario],
        "mean share of abandoned work of the runs",
        |runs| {
            let (abandoned, busy) = runs[0].measure(Measure::AbandonedWork);
            if busy > 0.0 { abandoned / busy } else { 0.0 }
        },
    )
    .within(0.0, 1.0)
}

fn unheard_answers() -> Claim {
    Claim::new(
        "T25",
        Document::ThreeAttempts,
        "In one run with three attempts and a server that skips expired work, 64 % of the server's time went to answers that \
         nobody received.",
    )
    .open_parameter(
        "Which run it was: load 0.95 after the long stall, the setting of the sentence before, with both timeouts. One run \
         differs from another by several per cent of the server's time with a timeout of 10 and by some twenty with 50, so \
         that 64 % fits both.",
    )
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("abandoned work of a run, load 0.95, timeout {timeout}"))
            .quoted(Quote::percent("64").measured_in(1))
            .measured(abandoned_work(skipping(&long_stall(0.95, timeout, 3))))
    }))
    .part(
        Part::new("abandoned work of a run, load 0.95, timeout 10, more than half").at_least(
            abandoned_work(skipping(&long_stall(0.95, 10.0, 3))),
            0.5,
            "most of the server's time, on average over runs",
        ),
    )
}

/// In 2,500 hardly more requests succeed than are new: a request lives for three timeouts at most, so that 1.06 is what those of
/// before add at most; the rest is room for chance.
const SUCCESS_MAX: f64 = 1.2;
/// Expected service times that the check is given.
const SERVICES: [f64; 2] = [1.0, 3.0];

/// The long stall, measured soon after: a server that is stuck then is stuck.
fn soon_after(timeout: f64) -> Scenario {
    changed(&long_stall(0.95, timeout, 3), |spec| {
        spec.run.measure_from = Some(7_500.0.into());
        spec.run.until = Some(10_000.0.into());
    })
}

fn skip_doomed() -> Claim {
    let gain = |timeout: f64, service: f64| {
        let base = long_stall(0.95, timeout, 3);
        Experiment::side_by_side(
            vec![skipping_doomed(&base, service), skipping(&base)],
            "success when skipping what cannot finish, less success when skipping what has expired",
            |runs| success_of(&runs[0]) - success_of(&runs[1]),
        )
        .within(-SUCCESS_MAX, SUCCESS_MAX)
    };
    let settings = || {
        TIMEOUTS
            .into_iter()
            .flat_map(|timeout| SERVICES.map(|service| (timeout, service)))
    };
    Claim::new(
        "T26",
        Document::ThreeAttempts,
        "A deadline check that skips work which cannot finish in time does better than one that skips only work which has \
         expired.",
    )
    .remark("The text proposes the check and does not try it; it is built and measured here, at load 0.95 after the long stall.")
    .open_parameter(
        "What cannot finish: an attempt whose client gives up within an expected service time, 1, the mean, or 3, which \
         nineteen services in twenty do not exceed. An exponential service of mean 1 exceeds its mean with probability \
         e⁻¹ = 0.37, so a check by the mean still serves many that come too late, and 3 does better than 1 where clients \
         retry.",
    )
    .beyond(
        "With the check three attempts do better than one: at load 0.95 and a timeout of 10 success is above 0.9 with a \
         margin of 3, where skipping expired work alone gives about 0.5 with three attempts and 0.86 with one. What \
         retries need is a server that leaves them time.",
    )
    .beyond(
        "Without retries the check has a closed form: a queue whose customers leave after a patience of the timeout less \
         the expected service time.",
    )
    .parts(settings().map(|(timeout, service)| {
        Part::new(format!("gain in success with three attempts, timeout {timeout}, expected service {service}")).at_least(
            gain(timeout, service),
            0.1,
            "a tenth of all requests, beyond any doubt of chance",
        )
    }))
    .part(
        Part::new("success with three attempts, timeout 10, expected service 3, above that without retries").at_least(
            success(skipping_doomed(&long_stall(0.95, 10.0, 3), 3.0)),
            without_retries(0.95, 10.0, 10.0).value,
            "the closed form of skipping expired work without retries",
        ),
    )
    .part(
        Part::new("abandoned work with three attempts, timeout 10, expected service 3").at_most(
            Experiment::measure(
                skipping_doomed(&long_stall(0.95, 10.0, 3), 3.0),
                Measure::AbandonedWork,
            ),
            0.1,
            "less than a sixth of what skipping expired work leaves",
        ),
    )
    .parts(SERVICES.map(|service| {
        Part::new(format!("success without retries, timeout 10, expected service {service}"))
            .computed(without_retries(0.95, 10.0 - service, 10.0))
            .equivalent(
                success(skipping_doomed(&steady_without_retries(0.95, 10.0), service)),
                Margin::Absolute(0.004),
                "less than a fifth of the difference that the check makes",
            )
    }))
    .parts(TIMEOUTS.map(|timeout| {
        Part::new(format!("share of runs stuck with three attempts, expected service 1, timeout {timeout}"))
            .quoted(Quote::runs("never", Runs::HardlyAny))
            .measured(stuck(skipping_doomed(&soon_after(timeout), 1.0)))
    }))
}

//! Newest first: T20, T21 and T22.

use retrylab_model::{Discipline, Scenario};

use super::protocol::{RUNS, SPAN_RATIO, changed, long_stall, stalled, steady_without_retries, success};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![three_attempts(), first_window(), without_retries()]
}

fn lifo(scenario: &Scenario) -> Scenario {
    changed(scenario, |spec| spec.server.discipline = Discipline::Lifo)
}

fn three_attempts() -> Claim {
    Claim::new(
        "T20",
        Document::ThreeAttempts,
        "Serving the newest first with three attempts gives 0.95 at load 0.9 and 0.93 at 0.95 with a timeout of 10, and \
         0.97 or better everywhere with a timeout of 50.",
    )
    .open_parameter("Loads: \"everywhere\" is checked at loads 0.3, 0.6, 0.8, 0.9 and 0.95, after the long stall.")
    .parts([(0.9, "0.95"), (0.95, "0.93")].map(|(load, text)| {
        Part::new(format!("success, load {load}, timeout 10"))
            .quoted(Quote::printed(text).measured_in(RUNS))
            .measured(success(lifo(&long_stall(load, 10.0, 3))))
    }))
    .parts([0.3, 0.6, 0.8, 0.9, 0.95].map(|load| {
        Part::new(format!("success, load {load}, timeout 50")).at_least(
            success(lifo(&long_stall(load, 50.0, 3))),
            0.965,
            "0.97 or better, read with the rounding of its last digit",
        )
    }))
}

fn first_window() -> Claim {
    let scenario = changed(&lifo(&stalled(0.6, 50.0, 3, 200.0)), |spec| {
        spec.run.measure_from = Some(2_200.0.into());
        spec.run.until = Some(2_350.0.into());
    });
    Claim::new(
        "T21",
        Document::ThreeAttempts,
        "Serving the newest first, the server is back in the first window of 150 after a stall of 200.",
    )
    .open_parameter("Timeout and load: 50 and 0.6, the setting of the text's time series; the window starts as the stall ends.")
    .part(Part::new("success in the first window after the stall").at_least(
        success(scenario),
        0.9,
        "stuck servers have 0 here and healthy ones more than 0.97",
    ))
}

fn without_retries() -> Claim {
    Claim::new(
        "T22",
        Document::ThreeAttempts,
        "Serving the newest first without retries gives 0.86 at load 0.9 and 0.83 at 0.95 with a timeout of 10.",
    )
    .beyond(
        "A closed form exists: the wait of a request that finds the server busy is a busy period. A request succeeds \
         when wait and service end within the timeout and the answer is no error.",
    )
    .parts([(0.9, "0.86"), (0.95, "0.83")].map(|(load, text)| {
        Part::new(format!("success, load {load}"))
            .quoted(Quote::printed(text).measured_in_shorter(RUNS, SPAN_RATIO))
            .computed(
                theory(
                    "lifo",
                    &[("arrival_rate", load), ("service_rate", 1.0), ("time", 10.0)],
                    "sojourn_time_tail",
                )
                .then(|x| 0.99 * (1.0 - x), "0.99 · (1 − x)"),
            )
            .equivalent(
                success(lifo(&steady_without_retries(load, 10.0))),
                Margin::Absolute(0.0025),
                "a quarter of a unit in the last printed digit",
            )
    }))
}

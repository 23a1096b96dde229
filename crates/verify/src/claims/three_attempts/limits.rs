//! The study without its own limits: T30.

use retrylab_model::{Change, Discipline, Scenario, ScenarioSpec, ServiceTime};
use retrylab_sim::Measure;

use super::bounded::bounded;
use super::budgets::{budgeted, ratio};
use super::protocol::{changed, quiet, recovered, stuck};
use super::skipping::skipping;
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::{Quote, Runs};
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![without_limits()]
}

/// A service of another kind: its name and what it changes.
type Service = (&'static str, fn(&mut ScenarioSpec));

const DETERMINISTIC: Service = ("deterministic service", |spec| {
    spec.service.time = ServiceTime::Deterministic { value: 1.0.into() };
});
const VARIABLE: Service = ("service of squared coefficient of variation 4", |spec| {
    spec.service.time = ServiceTime::Hyperexponential {
        mean: 1.0.into(),
        scv: 4.0,
    };
});
const SEVERAL: Service = ("four servers", |spec| {
    spec.service.servers = 4;
    spec.traffic.rate = (4.0 * spec.traffic.rate.value()).into();
});
const SERVICES: [Service; 3] = [DETERMINISTIC, VARIABLE, SEVERAL];

/// A policy of the server: its name and what it makes of a scenario.
type Policy = (&'static str, fn(&Scenario) -> Scenario);

const POLICIES: [Policy; 3] = [
    ("newest first", |scenario| {
        changed(scenario, |spec| spec.server.discipline = Discipline::Lifo)
    }),
    ("bounded queue", bounded),
    ("skipping expired work", skipping),
];

/// A stall of 500 at 2,000, long beside both timeouts, and time enough to drain at load 0.3.
fn stalled(load: f64, timeout: f64) -> Scenario {
    changed(&quiet(load, timeout, 3), |spec| {
        spec.schedule.push(Change::stall(2_000.0, 500.0));
        spec.run.until = Some(12_000.0.into());
        spec.run.measure_from = Some(11_000.0.into());
    })
}

/// The same at load 0.95 with the short timeout, measured soon after: servers that choose their work have no backlog to
/// drain.
fn soon_after() -> Scenario {
    changed(&stalled(0.95, 10.0), |spec| {
        spec.run.measure_from = Some(3_500.0.into());
        spec.run.until = Some(4_500.0.into());
    })
}

fn with(scenario: &Scenario, (_, change): Service) -> Scenario {
    changed(scenario, change)
}

/// A server that spends time on what it refuses: its name and what a cost makes of a scenario.
type Refusing = (&'static str, fn(&Scenario, f64) -> Scenario);

const REFUSING: [Refusing; 2] = [
    ("rejection", |scenario, cost| {
        changed(&bounded(scenario), |spec| {
            spec.server.rejection_cost = Some(cost.into());
        })
    }),
    ("skip", |scenario, cost| {
        changed(&skipping(scenario), |spec| {
            spec.server.skip_cost = Some(cost.into());
        })
    }),
];
/// A cost that is a little, and one that is not, in mean service times.
const LITTLE: f64 = 0.05;
const MUCH: f64 = 0.5;

/// Where a server that refuses everything is just busy with it: kρc = 1 for a cost c.
fn refusing() -> impl Iterator<Item = Part> {
    let line = theory("stuck-line", &[("attempts", 3.0)], "load")
        .then(|x| x / MUCH, "x/c")
        .value;
    REFUSING.into_iter().flat_map(move |(name, apply)| {
        let label = |what: &str, cost: f64, load: f64| {
            format!("share of runs {what}, a {name} costs {cost} of a service, load {load}, timeout 10")
        };
        let scenario = |cost: f64, load: f64| apply(&stalled(load, 10.0), cost);
        let (below, above) = (0.55, 0.8);
        [
            Part::new(label("stuck", LITTLE, 0.95))
                .quoted(Quote::runs("never", Runs::HardlyAny))
                .measured(stuck(scenario(LITTLE, 0.95))),
            Part::new(format!(
                "{}, below 1/(kc) = {line:.3}",
                label("recovered", MUCH, below)
            ))
            .at_least(
                recovered(scenario(MUCH, below)),
                2.0 / 3.0,
                "below the line recovery is the rule",
            ),
            Part::new(format!(
                "{}, above 1/(kc) = {line:.3}",
                label("recovered", MUCH, above)
            ))
            .at_most(
                recovered(scenario(MUCH, above)),
                1.0 / 3.0,
                "above the line it is the exception",
            ),
        ]
    })
}

/// A fleet with a budget each.
struct Fleet {
    clients: u32,
    /// Tokens that each can save.
    bank: f64,
}

const RATIO: f64 = 0.1;
const ALONE: Fleet = Fleet {
    clients: 1,
    bank: 10.0,
};
const MANY: Fleet = Fleet {
    clients: 100,
    bank: 10.0,
};
/// When the stall of the fleets begins: by then every bank is full, at loads around the line.
const FULL: f64 = 20_000.0;
const STALL: f64 = 1_000.0;
/// Time from the end of the stall to the middle of the measured window.
const WAY_BACK: f64 = 20_000.0;
const MEASURED: f64 = 1_000.0;
const TIMEOUT: f64 = 50.0;
/// Standard deviations of the load at which a run just recovers, on each side of the computed line.
const DEVIATIONS: f64 = 2.5;

impl Fleet {
    fn scenario(&self, load: f64) -> Scenario {
        changed(
            &budgeted(&quiet(load, TIMEOUT, 3), ratio(RATIO, self.bank)),
            |spec| {
                spec.traffic.clients = self.clients;
                spec.schedule.push(Change::stall(FULL, STALL));
                let end = FULL + STALL + WAY_BACK;
                spec.run.measure_from = Some((end - MEASURED / 2.0).into());
                spec.run.until = Some((end + MEASURED / 2.0).into());
            },
        )
    }

    /// The line of a run of finite length, and its standard deviation.
    fn line(&self) -> [ComputedNumber; 2] {
        let parameters = [
            ("capacity", 1.0),
            ("stall", STALL),
            ("timeout", TIMEOUT),
            ("attempts", 3.0),
            ("run", WAY_BACK),
            ("ratio", RATIO),
            ("saved", f64::from(self.clients) * self.bank),
        ];
        ["load", "load_deviation"].map(|result| theory("stall-line", &parameters, result))
    }

    /// Recovery below the line and none above it.
    fn bracket(&self) -> [Part; 2] {
        let [line, deviation] = self.line().map(|number| number.value);
        let fleet = match self.clients {
            1 => "one client".to_owned(),
            clients => format!("{clients} clients"),
        };
        let (below, above) = (line - DEVIATIONS * deviation, line + DEVIATIONS * deviation);
        [
            Part::new(format!(
                "share of runs recovered, {fleet}, load {below:.3}, below the line of {line:.3}"
            ))
            .at_least(
                recovered(self.scenario(below)),
                2.0 / 3.0,
                "below the line recovery is the rule",
            ),
            Part::new(format!(
                "share of runs recovered, {fleet}, load {above:.3}, above the line of {line:.3}"
            ))
            .at_most(
                recovered(self.scenario(above)),
                1.0 / 3.0,
                "above the line it is the exception",
            ),
        ]
    }
}

fn without_limits() -> Claim {
    let lines = || SERVICES.map(|service| (service, stalled(0.3, 50.0), stalled(0.36, 50.0)));
    Claim::new(
        "T30",
        Document::ThreeAttempts,
        "The lines move with the service distribution, the number of servers, the number of budgets and the cost of \
         rejections, but the arithmetic of 1/k does not.",
    )
    .remark(
        "Each of the text's own limits is removed in turn. The stuck line at 1/k survives other distributions and several \
         servers, as the balance of attempts against capacity says: 0.3 recovers and 0.36 does not. So do the budget's line \
         and the policies that are never stuck.",
    )
    .remark(
        "A budget for each of n clients does not move the line: they earn no more tokens than one does. Their full banks are sent \
         once on top, which makes the way back longer; within a run of finite length that counts as a lower line, by the \
         content of all banks over the run's capacity: here 1,000 tokens in 20,000 services, 5 %.",
    )
    .remark(
        "A server that spends c of a service time on each rejection or skip is stuck in refusing when kρc > 1: the line \
         comes back at 1/(kc). For a cost that is little, less than a third of a service with three attempts, it lies above \
         any load below 1, and bounded queues and skipping are never stuck; at half a service it lies at 2/3.",
    )
    .open_parameter(
        "How far each limit is removed: deterministic service and hyperexponential service with a squared coefficient of \
         variation of 4, four servers, 100 clients with a bank of 10 each, rejections and skips that \
         cost a twentieth and half of a service.",
    )
    .parts(lines().into_iter().flat_map(|(service, below, above)| {
        [
            Part::new(format!("share of runs recovered, {}, load 0.3", service.0)).at_least(
                recovered(with(&below, service)),
                2.0 / 3.0,
                "below the line recovery is the rule",
            ),
            Part::new(format!("share of runs recovered, {}, load 0.36", service.0)).at_most(
                recovered(with(&above, service)),
                1.0 / 3.0,
                "above the line it is the exception",
            ),
        ]
    }))
    .parts(SERVICES.into_iter().flat_map(|service| {
        POLICIES.map(|(name, apply)| {
            Part::new(format!("share of runs stuck, {name}, {}, load 0.95, timeout 10", service.0))
                .quoted(Quote::runs("never", Runs::HardlyAny))
                .measured(stuck(apply(&with(&soon_after(), service))))
        })
    }))
    .parts(SERVICES.map(|service| {
        let scenario = budgeted(&with(&stalled(0.95, 50.0), service), ratio(RATIO, 10.0));
        Part::new(format!("attempts per request when stuck under a ratio budget, {}", service.0))
            .computed(theory(
                "capped",
                &[("failure_probability", 1.0), ("retries", 2.0), ("ratio", RATIO)],
                "attempts",
            ))
            .equivalent(
                Experiment::measure(scenario, Measure::AttemptsPerRequest),
                Margin::Absolute(0.01),
                "a tenth of the retries that the budget allows",
            )
    }))
    .parts(refusing())
    .parts(ALONE.bracket())
    .parts(MANY.bracket())
    .part(
        Part::new("attempts per request when stuck, 100 clients, load 0.95, after their banks are spent")
            .computed(theory("budget-line", &[("ratio", RATIO)], "load").then(|x| 1.0 / x, "1/x"))
            .equivalent(
                Experiment::measure(MANY.scenario(0.95), Measure::AttemptsPerRequest),
                Margin::Absolute(0.01),
                "a tenth of the retries that the budgets allow",
            ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise the brackets of one client and of many could not tell the two apart.
    #[test]
    fn the_banks_of_many_move_the_line_of_a_finite_run_by_more_than_chance_blurs_it() {
        let [(alone, _), (many, deviation)] = [ALONE, MANY].map(|fleet| {
            let [line, deviation] = fleet.line().map(|number| number.value);
            (line, deviation)
        });
        assert!(
            many + DEVIATIONS * deviation < alone - deviation,
            "{alone} {many} {deviation}"
        );
    }
}

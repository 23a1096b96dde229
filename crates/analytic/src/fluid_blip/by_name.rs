//! The blip as a quantity that can be asked for by name.

use super::{FluidBlip, NoRecovery};
use crate::Value;
use crate::capped::RATIO;
use crate::ceiling::CAPACITY;
use crate::parameters::ARRIVAL_RATE;
use crate::quantity::{Domain, Parameter, Quantity, Requirement};
use crate::stuck_line::ATTEMPTS;

/// Capacity during the blip.
pub(super) const REDUCED_CAPACITY: Parameter = Parameter {
    name: "reduced_capacity",
    meaning: "attempts that the service can serve per unit of time during the blip",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Length of the blip.
pub(super) const DURATION: Parameter = Parameter {
    name: "duration",
    meaning: "how long the capacity is reduced",
    domain: Domain::NonNegative,
    requirement: Requirement::Required,
};

/// Clients' timeout.
pub(crate) const TIMEOUT: Parameter = Parameter {
    name: "timeout",
    meaning: "how long a client waits for the answer to an attempt",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Budget, if there is one.
const RATIO_IF_ANY: Parameter = Parameter {
    requirement: Requirement::Optional,
    meaning: "retry tokens earned per first attempt; absent: no budget",
    ..RATIO
};

/// Most tokens that the budget can save.
pub(super) const BANK: Parameter = Parameter {
    name: "bank",
    meaning: "most retry tokens saved, all of them there when the blip begins; for a budget only",
    domain: Domain::NonNegative,
    requirement: Requirement::Default(0.0),
};

/// Places in the queue, if they are limited.
pub(super) const PLACES: Parameter = Parameter {
    name: "places",
    meaning: "most attempts waiting: one that finds so many is rejected, and its client hears at once; absent: no limit",
    domain: Domain::Positive,
    requirement: Requirement::Optional,
};

/// What the server skips.
pub(super) const SKIPPING: Parameter = Parameter {
    name: "skipping",
    meaning: "what the server skips when its turn comes: 0 nothing, 1 what has expired, 2 what cannot be answered in time",
    domain: Domain::Count {
        min: 0,
        max: 2,
        accepted: "0, 1 or 2",
    },
    requirement: Requirement::Default(0.0),
};

/// Spread of the service times.
pub(super) const SERVICE_SCV: Parameter = Parameter {
    name: "service_scv",
    meaning: "squared coefficient of variation of the service time: 0 always the same, 1 exponential; for skipping = 1 only",
    domain: Domain::NonNegative,
    requirement: Requirement::Default(0.0),
};

impl From<Result<f64, NoRecovery>> for Value {
    fn from(result: Result<f64, NoRecovery>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// [`FluidBlip`] by name.
pub static FLUID_BLIP: Quantity = Quantity {
    name: "fluid-blip",
    summary: "a queue through a short loss of capacity, as a fluid: how long nothing useful is served, and whether it recovers",
    parameters: &[
        ARRIVAL_RATE,
        CAPACITY,
        REDUCED_CAPACITY,
        DURATION,
        TIMEOUT,
        ATTEMPTS,
        RATIO_IF_ANY,
        BANK,
        PLACES,
        SKIPPING,
        SERVICE_SCV,
    ],
    results: &[
        ("backlog_at_end", "attempts waiting when the blip ends"),
        ("backlog_peak", "the most attempts waiting at any time"),
        (
            "dead_time",
            "time after the blip in which attempts fail and less is served in time than requests arrive: nothing at all, \
             unless the server skips",
        ),
        (
            "recovered_after",
            "time from the end of the blip until the last attempt fails",
        ),
        (
            "drained_after",
            "time from the end of the blip until the queue is empty",
        ),
        (
            "goodput_settled",
            "requests answered in time per unit of time, once nothing changes any more",
        ),
        (
            "worst_arrival_rate",
            "attempts sent per unit of time while every attempt times out",
        ),
    ],
    formula: "A attempts sent, D served, D' = capacity while A > D; attempts time out at t while D(t) < A(t − timeout), \
              and are then sent again as far as attempts and tokens go; followed exactly from one change of the \
              piecewise constant rates to the next. attempts = 1: backlog_at_end = (λ − reduced_capacity)·duration, \
              dead_time = (λ(duration − timeout) − reduced_capacity·duration)/(capacity − λ), drained_after = \
              backlog_at_end/(capacity − λ); worst_arrival_rate = λ min(attempts, 1 + ratio), which recovers from a \
              long blip only below the capacity. skipping: at overload x = (attempts per unit of \
              time)/capacity a share σ of what is served is answered in time, σ = E e^(−x(1 − σ)S) with S the service time \
              of mean 1 (1/x if exponential, 1 if what cannot be answered is skipped), and goodput_settled = \
              capacity·σ(x) = λ(1 − f^attempts) with f = 1 − σ/x where that has a solution x > 1",
    source: "cumulative curves: Newell, Applications of Queueing Theory, 1982, chapter 2; stuck states: Bronson, \
             Aghayev, Charapko and Zhu, Metastable failures in distributed systems, 2021; \
             σ as the root of the G/M/1 queue: Kleinrock, Queueing Systems, volume 1, 1975, section 6.4",
    evaluate: |arguments| {
        let mut blip = FluidBlip::new(
            arguments.number("arrival_rate"),
            arguments.number("capacity"),
            arguments.number("reduced_capacity"),
            arguments.number("duration"),
            arguments.number("timeout"),
            arguments.count("attempts"),
        )?;
        if let Some(ratio) = arguments.optional("ratio") {
            blip = blip.with_budget(ratio, arguments.number("bank"))?;
        }
        if let Some(places) = arguments.optional("places") {
            blip = blip.with_places(places)?;
        }
        let blip = match arguments.count("skipping") {
            0 => blip,
            1 => blip.skipping_expired(arguments.number("service_scv"))?,
            _ => blip.skipping_doomed(),
        };
        let aftermath = blip.aftermath();
        Ok(vec![
            ("backlog_at_end", aftermath.backlog_at_end.into()),
            ("backlog_peak", aftermath.backlog_peak.into()),
            ("dead_time", aftermath.dead_time.into()),
            ("recovered_after", aftermath.recovered_after.into()),
            ("drained_after", aftermath.drained_after.into()),
            ("goodput_settled", aftermath.goodput_settled.into()),
            ("worst_arrival_rate", blip.worst_arrival_rate().into()),
        ])
    },
};

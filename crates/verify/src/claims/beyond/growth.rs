//! How fast the time to lock up grows with the timeout: X03.

use retrylab_model::Scenario;
use retrylab_sim::{Goal, LockUpCycles, Thresholds};

use crate::claim::{Claim, Part};
use crate::claims::three_attempts::lock_up::{endless, watch};
use crate::claims::three_attempts::protocol::changed;
use crate::document::Document;
use crate::experiment::Experiment;

pub(super) fn claims() -> Vec<Claim> {
    vec![growth_with_the_timeout()]
}

const LOAD: f64 = 0.5;
/// Share of the timeout up to which the number in the system climbs by chance alone: beyond it retries do the rest, and
/// branches would only multiply.
const CLIMB: f64 = 0.8;

/// The service at a timeout, without error replies, so that its load is that of the theory.
fn service(timeout: f64) -> Scenario {
    changed(&endless(LOAD, timeout), |spec| {
        spec.service.error_probability = 0.0;
    })
}

/// The mean time to lock up; M/M/1 at load 1/2 climbs from one number in the system to the next every other time.
fn time(timeout: f64) -> Experiment {
    let scenario = service(timeout);
    let goal = Goal::LockUp {
        backlog: watch(LOAD, timeout).backlog,
    };
    let thresholds = Thresholds::spaced(1, 2, (CLIMB * timeout) as u64);
    let cycles =
        LockUpCycles::new(&scenario, goal, thresholds).expect("the scenario has neither schedule nor budget");
    Experiment::lock_up_time(&scenario, cycles)
}

/// Growth rates, per mean service time of the timeout.
#[derive(Clone, Copy)]
struct Rates {
    /// 1 − ρ, by which the tail of the waiting time falls.
    tail: f64,
    /// 2(1 − √ρ): up to the timeout, and held there for as long again.
    held: f64,
    /// −ln ρ, by which the tail of the number in the system falls.
    number: f64,
}

fn rates() -> Rates {
    Rates {
        tail: 1.0 - LOAD,
        held: 2.0 * (1.0 - LOAD.sqrt()),
        number: -LOAD.ln(),
    }
}

fn growth_with_the_timeout() -> Claim {
    let rates = rates();
    let (low, high) = (rates.tail.midpoint(rates.held), rates.held.midpoint(rates.number));
    let parts = [(20.0, 10.0), (30.0, 20.0), (40.0, 10.0)]
        .into_iter()
        .flat_map(|(longer, shorter)| {
            let factor = move || time(longer).quotient(time(shorter), "factor between the means");
            let label = format!("mean time to lock up, timeout {longer} over timeout {shorter}, load {LOAD}");
            let step = longer - shorter;
            [
                Part::new(format!("{label}, faster than the tail of the waiting time")).at_least(
                    factor(),
                    (low * step).exp(),
                    "a rate of 0.543: half-way from 1 − ρ = 0.5 to 2(1 − √ρ) = 0.586",
                ),
                Part::new(format!(
                    "{label}, slower than the tail of the number in the system"
                ))
                .at_most(
                    factor(),
                    (high * step).exp(),
                    "a rate of 0.639: half-way from 2(1 − √ρ) = 0.586 to −ln ρ = 0.693",
                ),
            ]
        });
    Claim::new(
        "X03",
        Document::Beyond,
        "At load ρ = 0.5 the mean time to lock up grows with the timeout at a rate of about 2(1 − √ρ) = 0.586 for each mean service \
         time, which is more than 1 − ρ = 0.5 and less than −ln ρ = 0.693.",
    )
    .remark(
        "A lock-up needs more than a wait of one timeout T. The waiting time passes T about once in e^((1 − ρ)T), but the first retries \
         come only a timeout later, and until then the wait falls by 1 − ρ per unit of time to ρT: by itself the crowd dissolves. It \
         has to stay above T long enough that the retries which it leaves behind lift the wait above T again.",
    )
    .remark(
        "The cheapest way to hold a wait is to let attempts arrive at rate √ρ and be served at rate √ρ (in units of the service rate), \
         at a price of (1 − √ρ)² per unit of time. Held for one timeout, after a climb at the price of (1 − ρ)T, it sends back retries at \
         rate √ρ, and with the new requests the load is ρ + √ρ > 1 from then on, without further chance. Both together cost \
         2(1 − √ρ)T. So that is an upper bound of the rate for long timeouts, where ρ + √ρ ≥ 1 and clients make three attempts or more, \
         as 1 − ρ is a lower bound.",
    )
    .remark(
        "It is not the cheapest way. With arrivals, services and retries as a fluid, a path of five pieces that holds the wait for less \
         than a timeout and lets it drop before the retries arrive costs 0.571 T in all and locks up; a finer search found 0.567 T. \
         Factors before the exponential make the rates at timeouts from 10 to 40 larger: without error replies they are 0.60, 0.59 and \
         0.59 for each ten.",
    )
    .remark(
        "The number in the system passes T about once in ρ^(−T), which is rarer than a lock-up: what locks up is a line of fewer \
         attempts that take longer than the mean. At load 0.5 the climb comes to some 0.6 T attempts.",
    )
    .parts(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_are_those_of_the_text() {
        let Rates { tail, held, number } = rates();
        let near = |value: f64, printed: f64| (value - printed).abs() < 5e-4;
        assert!(near(tail, 0.5) && near(held, 0.586) && near(number, 0.693));
        assert!(near(tail.midpoint(held), 0.543) && near(held.midpoint(number), 0.639_5));
        // Climb and hold, each at its own price; and the load when the retries of what was held come back.
        assert!(near(held, tail + (1.0 - LOAD.sqrt()).powi(2)) && LOAD + LOAD.sqrt() > 1.0);
    }

    /// Pieces of the path of the text: until when it lasts, in timeouts from the moment when the wait has reached the timeout,
    /// and by which factors, e to these powers, new requests come more often and services take longer.
    const PIECES: [(f64, f64, f64); 5] = [
        (0.25, 0.484, 0.356),
        (0.625, 0.349, 0.284),
        (1.125, 0.147, 0.143),
        (1.875, 0.077, 0.065),
        (2.5, 0.027, 0.024),
    ];

    /// What a path costs after it has reached the timeout, and the wait in timeouts when it ends, left alone after its pieces.
    fn fluid_path(pieces: &[(f64, f64, f64)], end: f64) -> (f64, f64) {
        const STEPS: usize = 400;
        let step = 1.0 / STEPS as f64;
        let steps = (end * STEPS as f64) as usize;
        // Rates at which second and third attempts are sent.
        let mut retries = vec![[0.0; 2]; steps + STEPS];
        let (mut wait, mut cost) = (1.0_f64, 0.0);
        for index in 0..steps {
            let time = index as f64 * step;
            let (more, longer) = pieces
                .iter()
                .find(|(until, ..)| time < *until)
                .map_or((0.0, 0.0), |&(_, more, longer)| (more, longer));
            let [second, third] = retries[index];
            let requests = LOAD * f64::exp(more);
            let attempts = requests + second + third;
            // Relative entropies of Poisson arrivals and of exponential services.
            cost += step * (requests * more - requests + LOAD + attempts * (longer.exp_m1() - longer));
            let next = (wait + step * (attempts * longer.exp() - 1.0)).max(0.0);
            if wait.midpoint(next) > 1.0 {
                retries[index + STEPS] = [requests, second];
            }
            wait = next;
        }
        (cost, wait)
    }

    #[test]
    fn the_path_of_five_pieces_locks_up_at_its_price() {
        let (cost, wait) = fluid_path(&PIECES, 10.0);
        assert!(wait > 3.0, "{wait}");
        let rate = 1.0 - LOAD + cost;
        assert!((rate - 0.571).abs() < 1e-3, "{rate}");
        // Held at the timeout for one timeout, as in the text: 2(1 − √ρ), and a little to be above it.
        let half = -LOAD.ln() / 2.0;
        let (cost, wait) = fluid_path(&[(1.0, 1.01 * half, 1.01 * half)], 10.0);
        assert!(wait > 3.0, "{wait}");
        let rate = 1.0 - LOAD + cost;
        assert!((rate - 2.0 * (1.0 - LOAD.sqrt())).abs() < 3e-3, "{rate}");
        // Alone, the climb to the timeout comes back.
        assert_eq!(fluid_path(&[], 10.0), (0.0, 0.0));
    }
}

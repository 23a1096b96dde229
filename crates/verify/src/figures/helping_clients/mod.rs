//! The six figures of the service of eight servers.

mod budget_drain;
mod cliff;
mod hysteresis;
mod past_capacity;
mod self_inflicted;
mod waiting;

use retrylab_analytic::mmc::Mmc;

use super::sketch::Sketch;
use crate::claims::helping_clients::reading::{ARRIVAL_RATE, SERVICE_RATE, TIMEOUT};
use crate::figure::{Axis, Point, Series, SeriesKind};

pub(super) const WAITING: Sketch = waiting::SKETCH;
pub(super) const PAST_CAPACITY: Sketch = past_capacity::SKETCH;
pub(super) const SELF_INFLICTED: Sketch = self_inflicted::SKETCH;
pub(super) const CLIFF: Sketch = cliff::SKETCH;
pub(super) const HYSTERESIS: Sketch = hysteresis::SKETCH;
pub(super) const BUDGET_DRAIN: Sketch = budget_drain::SKETCH;

/// A linear axis.
fn axis(label: &str, low: f64, high: f64) -> Axis {
    Axis {
        label: label.to_owned(),
        low,
        high,
        logarithmic: false,
    }
}

fn line(name: &str, color: usize, curve: Vec<(f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        color,
        kind: SeriesKind::Line(curve),
    }
}

fn measured(name: &str, color: usize, points: Vec<Point>) -> Series {
    Series {
        name: name.to_owned(),
        color,
        kind: SeriesKind::Points(points),
    }
}

/// A number of attempts per second in balance with the retries that it makes.
#[derive(Debug, Clone, Copy)]
struct Balance {
    attempt_rate: f64,
    retries: f64,
    late: f64,
}

/// Balances of the service from the offered load up to its capacity: R(x) = (1 − λ/x)/P(x).
fn balances(servers: u64, steps: u32) -> Vec<Balance> {
    let scale = servers as f64 / 480.0;
    let (offered, capacity) = (scale * ARRIVAL_RATE, SERVICE_RATE * servers as f64);
    (0..steps)
        .filter_map(|step| {
            let attempt_rate = offered + (capacity - offered) * f64::from(step) / f64::from(steps);
            let late = Mmc::new(attempt_rate, SERVICE_RATE, servers)
                .ok()?
                .sojourn_time_tail(TIMEOUT);
            Some(Balance {
                attempt_rate,
                retries: (1.0 - offered / attempt_rate) / late,
                late,
            })
        })
        .collect()
}

/// The healthy branch, up to the fold where the retries are the most, and the brink, from there back.
fn branches(balances: &[Balance]) -> (&[Balance], &[Balance]) {
    let fold = (0..balances.len())
        .max_by(|&one, &other| balances[one].retries.total_cmp(&balances[other].retries))
        .unwrap_or(0);
    (&balances[..=fold], &balances[fold..])
}

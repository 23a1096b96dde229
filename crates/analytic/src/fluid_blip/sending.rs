//! What clients send: new requests, retries after timeouts and, at a full queue, retries after rejections.

use super::FluidBlip;
use crate::numeric::power_sum;

/// Halvings that find the share of tokens to rounding.
const HALVINGS: u32 = 60;

/// What clients send per unit of time.
#[derive(Debug)]
pub(super) struct Sending {
    /// What the queue takes in, by the number of the attempt.
    pub(super) accepted: Vec<f64>,
    /// All attempts, the rejected ones included.
    pub(super) attempts: f64,
    /// Growth of the bank, as long as it is not full.
    pub(super) tokens: f64,
    pub(super) is_rejecting: bool,
}

/// What is tried when a share of the failures gets a token.
struct Tries {
    rates: Vec<f64>,
    /// Share of the tries that finds the queue full.
    rejected_share: f64,
    /// Retries that rejected clients send at once, and which find it as full.
    in_vain: f64,
}

impl Sending {
    /// With attempts failing at rates `timed_out`, by their number, and a queue that takes in no more than `room`.
    pub(super) fn new(blip: &FluidBlip, timed_out: &[f64], has_tokens: bool, room: Option<f64>) -> Self {
        let tries = |share: f64| Tries::new(blip, timed_out, share, room);
        let spent = |tries: &Tries| tries.rates[1..].iter().sum::<f64>() + tries.in_vain;
        let all = tries(1.0);
        let wanted = spent(&all);
        let (tries, granted, earned) = match blip.tokens_earned() {
            Some(earned) if wanted > earned && !has_tokens => {
                let share = if room.is_none() {
                    earned / wanted
                } else {
                    scarce_share(|share| spent(&tries(share)) > earned)
                };
                (tries(share), earned, earned)
            }
            Some(earned) => (all, wanted, earned),
            None => (all, 0.0, 0.0),
        };
        let total: f64 = tries.rates.iter().sum();
        let kept = 1.0 - tries.rejected_share;
        Self {
            attempts: total + tries.in_vain,
            tokens: earned - granted,
            is_rejecting: tries.rejected_share > 0.0,
            accepted: if tries.rejected_share > 0.0 {
                tries.rates.iter().map(|rate| rate * kept).collect()
            } else {
                tries.rates
            },
        }
    }
}

impl Tries {
    fn new(blip: &FluidBlip, timed_out: &[f64], share: f64, room: Option<f64>) -> Self {
        let mut rates = vec![blip.arrival_rate];
        if share > 0.0 {
            rates.extend(timed_out.iter().map(|rate| share * rate));
        }
        let total: f64 = rates.iter().sum();
        let rejected_share = match room {
            Some(room) if total > room => 1.0 - room / total,
            _ => 0.0,
        };
        let in_vain = if rejected_share > 0.0 {
            let chain = |(number, rate): (usize, &f64)| {
                let left = (blip.attempts - 1).saturating_sub(number as u64);
                rate * rejected_share * share * power_sum(share, left)
            };
            rates.iter().enumerate().map(chain).sum()
        } else {
            0.0
        };
        Self {
            rates,
            rejected_share,
            in_vain,
        }
    }
}

/// The largest share of failures whose tokens are not too many.
fn scarce_share(are_too_many: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if are_too_many(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

//! The share of customers of M/M/c whose sojourn exceeds a time, with its derivative by the load, at any scale.

use libm::exp;

use crate::erlang::waiting_with_elasticity;
use crate::exponential::{span, triangle};
use crate::station::Station;

/// Longer times, in mean services, have reached their limit: derivatives by the load grow with their square.
const LONGEST: f64 = 1e150;

/// P = e^(−t) + C·I, with t the time in mean services, C the probability of waiting, θ = c − a the spare servers and
/// I = ∫₀ᵗ e^(−u − θ(t−u)) du, kept relative to e^(−min(θ, 1)·t).
///
/// With a the offered load, dC/da = C·ε/a with the elasticity ε of C, and dI/da = J = ∫₀ᵗ (t − u) e^(−u − θ(t−u)) du:
/// everything is positive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlowShare {
    /// min(θ, 1)·t.
    exponent: f64,
    /// P·e^exponent.
    scaled: f64,
    /// a·dP/da·e^exponent.
    scaled_slope: f64,
}

impl SlowShare {
    /// The share whose sojourn exceeds `time` mean services; beyond saturation as at it.
    pub(crate) fn new(station: &Station, time: f64) -> Self {
        let time = time.min(LONGEST);
        let drain = station.spare.max(0.0);
        let (wait, elasticity) = waiting_with_elasticity(station);
        let slower = drain.min(1.0);
        let difference = (drain - 1.0).abs();
        let served_slowly = exp(-(1.0 - slower) * time);
        let queued = span(time, difference);
        let moved = if drain < 1.0 {
            triangle(time, 0.0, difference)
        } else {
            triangle(time, difference, difference)
        };
        Self {
            exponent: slower * time,
            scaled: served_slowly + wait * queued,
            scaled_slope: wait * (elasticity * queued + station.load * moved),
        }
    }

    /// P.
    pub(crate) fn probability(&self) -> f64 {
        exp(-self.exponent) * self.scaled
    }

    /// 1/P, which may be too large for a double where P is not 0.
    pub(crate) fn reciprocal(&self) -> f64 {
        exp(self.exponent) / self.scaled
    }

    /// The elasticity of P: d ln P/d ln a.
    pub(crate) fn elasticity(&self) -> f64 {
        self.scaled_slope / self.scaled
    }
}

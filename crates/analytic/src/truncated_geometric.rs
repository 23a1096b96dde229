//! The distribution on 0, 1, …, top with probabilities proportional to xⁿ: the number in a queue whose places are
//! limited.

use libm::{exp, expm1};

use crate::numeric::langevin;

/// Probabilities proportional to xⁿ for n = 0 … top, with x given by its logarithm: near 1 the caller knows that more
/// precisely than x.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TruncatedGeometric {
    pub(crate) ln_ratio: f64,
    pub(crate) top: u64,
}

impl TruncatedGeometric {
    /// Probability of n = 0: (1 − x)/(1 − x^(top+1)).
    pub(crate) fn bottom(&self) -> f64 {
        let points = self.points();
        if self.ln_ratio < 0.0 {
            expm1(self.ln_ratio) / expm1(points * self.ln_ratio)
        } else if self.ln_ratio > 0.0 && self.top > 0 {
            // With one point alone an infinite logarithm would be multiplied by 0.
            exp(-(points - 1.0) * self.ln_ratio) * self.mirrored().bottom()
        } else {
            1.0 / points
        }
    }

    /// Probability of n = top.
    pub(crate) fn top(&self) -> f64 {
        self.mirrored().bottom()
    }

    /// Mean of n.
    pub(crate) fn mean(&self) -> f64 {
        if self.top == 0 {
            return 0.0;
        }
        let points = self.points();
        if (points * self.ln_ratio).abs() <= 1.0 {
            // Deviation from the middle, odd in ln x: the derivative of ln(sinh(points·h/2)/sinh(h/2)), h = ln x,
            // in which the poles of the two hyperbolic cotangents cancel by hand.
            let deviation = points * langevin(points * self.ln_ratio / 2.0) - langevin(self.ln_ratio / 2.0);
            (self.top as f64 + deviation) / 2.0
        } else if self.ln_ratio < 0.0 {
            // The mean without a top, less what the top cuts off.
            1.0 / expm1(-self.ln_ratio) - points / expm1(-points * self.ln_ratio)
        } else {
            self.top as f64 - self.mirrored().mean()
        }
    }

    /// The distribution of top − n.
    fn mirrored(&self) -> Self {
        Self {
            ln_ratio: -self.ln_ratio,
            top: self.top,
        }
    }

    fn points(&self) -> f64 {
        (self.top + 1) as f64
    }
}

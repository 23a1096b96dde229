//! The distribution on 0, 1, …, top with probabilities proportional to (numerator/denominator)ⁿ: the number in a
//! queue whose places are limited.

use libm::{exp, expm1};

use crate::numeric::{langevin, ln_ratio, one_minus_exp};

/// Probabilities proportional to (numerator/denominator)ⁿ for n = 0 … top, top ≥ 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TruncatedGeometric {
    pub(crate) numerator: f64,
    pub(crate) denominator: f64,
    pub(crate) top: u64,
}

impl TruncatedGeometric {
    /// Probability of n = 0: (1 − x)/(1 − x^(top+1)), x being the ratio.
    pub(crate) fn bottom(&self) -> f64 {
        let points = self.points();
        let ln_ratio = self.ln_ratio();
        if self.numerator < self.denominator {
            let complement = (self.denominator - self.numerator) / self.denominator;
            complement / one_minus_exp(points * ln_ratio)
        } else if self.numerator > self.denominator {
            let complement = (self.numerator - self.denominator) / self.numerator;
            exp(-(points - 1.0) * ln_ratio) * complement / one_minus_exp(-points * ln_ratio)
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
        let ln_ratio = self.ln_ratio();
        if (points * ln_ratio).abs() <= 1.0 {
            // Deviation from the middle, odd in ln x: the derivative of ln(sinh(points·h/2)/sinh(h/2)), h = ln x,
            // in which the poles of the two hyperbolic cotangents cancel by hand.
            let deviation = points * langevin(points * ln_ratio / 2.0) - langevin(ln_ratio / 2.0);
            (self.top as f64 + deviation) / 2.0
        } else if self.numerator < self.denominator {
            // The mean without a top, less what the top cuts off.
            self.numerator / (self.denominator - self.numerator) - points / expm1(-points * ln_ratio)
        } else {
            self.top as f64 - self.mirrored().mean()
        }
    }

    /// The distribution of top − n.
    fn mirrored(&self) -> Self {
        Self {
            numerator: self.denominator,
            denominator: self.numerator,
            top: self.top,
        }
    }

    fn points(&self) -> f64 {
        (self.top + 1) as f64
    }

    fn ln_ratio(&self) -> f64 {
        ln_ratio(self.numerator, self.denominator)
    }
}

//! How long a customer of an M/M/c/K queue stays who has to wait.

use libm::{exp, log1p};

use crate::station::Station;
use crate::truncated_geometric::TruncatedGeometric;

/// How long a customer stays who found all servers busy, measured in services ended at all servers together.
pub(crate) struct Staying {
    /// The number found waiting.
    found: TruncatedGeometric,
    /// ln(1 − 1/c): that a service that ends is not the customer's own.
    ln_other: f64,
    /// ln ρ − ln(1 − 1/c), precise also where ρ is near 1 − 1/c.
    ln_quotient: f64,
}

impl Staying {
    pub(crate) fn new(station: &Station, found: TruncatedGeometric) -> Self {
        let ln_other = log1p(-1.0 / station.servers);
        let relative = (1.0 - station.spare) / (station.servers - 1.0);
        let ln_quotient = if relative.abs() < 0.5 {
            log1p(relative)
        } else {
            found.ln_ratio - ln_other
        };
        Self {
            found,
            ln_other,
            ln_quotient,
        }
    }

    /// Probability that the customer is still there after `count` services.
    pub(crate) fn probability(&self, count: f64) -> f64 {
        self.waiting(count) + self.in_service(count)
    }

    /// At least `count` others were found waiting.
    fn waiting(&self, count: f64) -> f64 {
        let points = (self.found.top + 1) as f64;
        if count >= points {
            return 0.0;
        }
        // A block of the distribution, measured at its largest probability.
        let block = TruncatedGeometric {
            top: (points - count) as u64 - 1,
            ..self.found
        };
        if self.found.ln_ratio <= 0.0 {
            power(self.found.ln_ratio, count) * self.found.bottom() / block.bottom()
        } else {
            self.found.top() / block.top()
        }
    }

    /// Fewer than `count` were found, and none of the services since the customer's own began was the customer's:
    /// Σ P(found = j)·(1 − 1/c)^(count−1−j) over j below `count`.
    fn in_service(&self, count: f64) -> f64 {
        let points = (self.found.top + 1) as f64;
        let summed = count.min(points);
        if summed == 0.0 {
            return 0.0;
        }
        let sum = TruncatedGeometric {
            ln_ratio: self.ln_quotient,
            top: summed as u64 - 1,
        };
        let since = power(self.ln_other, count - summed);
        if self.found.ln_ratio > 0.0 {
            // From the largest probability, that of j = summed − 1, downwards.
            self.found.top() * power(-self.found.ln_ratio, points - summed) * since / sum.top()
        } else if self.ln_quotient > 0.0 {
            self.found.bottom() * power(self.found.ln_ratio, summed - 1.0) * since / sum.top()
        } else {
            self.found.bottom() * power(self.ln_other, summed - 1.0) * since / sum.bottom()
        }
    }
}

/// The `exponent`-th power of a number given by its logarithm, 1 for exponent 0 even of the number 0.
fn power(ln_base: f64, exponent: f64) -> f64 {
    if exponent == 0.0 {
        1.0
    } else {
        exp(exponent * ln_base)
    }
}

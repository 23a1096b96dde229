//! How much of what an overloaded server serves is of use when it skips attempts that have expired.

use libm::{exp, log, log1p, pow};

/// Squared coefficients of variation below this are as good as 0 in double precision.
const SCV_MIN: f64 = 1e-12;
/// Halvings that find a root far below 1 to its last digit.
const HALVINGS: u32 = 160;

/// Which attempts a server skips when their turn comes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Skipping {
    /// None: everything is served.
    Nothing,
    /// Those whose client has given up. What it serves has some time left, though less than its service may take.
    Expired {
        /// Squared coefficient of variation of the service time: 0 always the same, 1 exponential; gamma distributed.
        service_scv: f64,
    },
    /// Those that cannot be answered in time: all that is served is of use.
    Doomed,
}

impl Skipping {
    /// Share of what is served that is answered in time, while attempts turn up `overload` times as fast as they can be
    /// served.
    ///
    /// Attempts that turn up at random at rate Λ > μ keep one server that skips the expired ones at the edge: the time
    /// that is left to an attempt when its service starts follows Lindley's recursion w′ = max(w − S, 0) + E, with S a
    /// service time and E ~ Exp(Λ) the distance to the next attempt. That is the sojourn time of the G/M/1 queue with
    /// interarrival time S and service rate Λ, exponential with rate Λ(1 − σ), where σ < 1 is the root of
    /// σ = E e^(−Λ(1 − σ)S). The service ends in time with probability P(S < w) = E e^(−Λ(1 − σ)S), which is σ again. For
    /// exponential service times σ = μ/Λ.
    pub(super) fn useful_share(self, overload: f64) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Doomed => 1.0,
            Self::Expired { .. } if overload <= 1.0 => 1.0,
            Self::Expired { .. } if overload == f64::INFINITY => 0.0,
            Self::Expired { service_scv } => gm1_root(overload, service_scv),
        }
    }
}

/// The root σ < 1 of σ = L(x(1 − σ)), L(s) = (1 + cs)^(−1/c) the transform of a gamma distribution of mean 1, for x > 1.
fn gm1_root(overload: f64, scv: f64) -> f64 {
    let transform = |s: f64| {
        if scv < SCV_MIN {
            exp(-s)
        } else {
            exp(-log1p(scv * s) / scv)
        }
    };
    // L(x(1 − σ)) − σ falls to its minimum and rises to 0 at 1: the root lies before the minimum.
    let minimum = if scv < SCV_MIN {
        log(overload) / overload
    } else {
        (pow(overload, scv / (1.0 + scv)) - 1.0) / scv / overload
    };
    let (mut low, mut high) = (0.0, 1.0 - minimum);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if transform(overload * (1.0 - middle)) > middle {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn exponential_service_is_of_use_as_often_as_it_is_asked_for() {
        for overload in [1.000_001, 1.5, 3.2, 40.0, 1e9] {
            let share = Skipping::Expired { service_scv: 1.0 }.useful_share(overload);
            assert_relative_eq!(share, 1.0 / overload, max_relative = 1e-9);
        }
    }

    #[test]
    fn constant_service_solves_its_equation() {
        for overload in [1.01, 2.0, 3.2, 30.0] {
            let share = Skipping::Expired { service_scv: 0.0 }.useful_share(overload);
            assert_relative_eq!(share, exp(-overload * (1.0 - share)), max_relative = 1e-12);
            assert!(share < 1.0 / overload);
        }
        let shares = [
            (Skipping::Expired { service_scv: 0.0 }, 1.0, 1.0),
            (Skipping::Doomed, 3.0, 1.0),
            (Skipping::Nothing, 3.0, 0.0),
        ];
        for (skipping, overload, share) in shares {
            assert_relative_eq!(skipping.useful_share(overload), share);
        }
    }
}

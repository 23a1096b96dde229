//! The backlog of a stuck service as a walk, and from where it does not return.

use retrylab_model::{ATTEMPTS_MAX, Backoff, Scenario};

use super::goal::{last_timeout, ratio};

/// −ln 10⁻⁹: with this probability at most does a backlog that counts as beyond return come back.
pub(super) const CERTAINTY: f64 = 20.7;

/// Requests of which every attempt fails by its timeout, and the service that serves them for nobody.
///
/// Times are in mean service times divided by the attempts served at once, so that one attempt is completed per unit of
/// time while all servers are busy.
#[derive(Debug)]
pub(super) struct Stuck {
    load: f64,
    scv: f64,
    /// Time from sending an attempt to its timeout.
    timeout: f64,
    /// Attempts at most; one follows each failure on average `retries` times.
    attempts: u32,
    retries: f64,
    ratio: Option<f64>,
    backoff: Backoff,
    unit: f64,
}

/// First and second moment of the attempts that a request has made when it has come to a generation of retries.
#[derive(Debug, Clone, Copy)]
struct Attempts {
    mean: f64,
    square: f64,
}

impl Stuck {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let (service, client) = (&scenario.service, &scenario.client);
        let unit = service.time.mean() / f64::from(service.slots());
        let (attempts, retries) = match client.retries_per_failure {
            Some(retries) => (ATTEMPTS_MAX, retries),
            None => (client.attempts, client.retry_probability),
        };
        Self {
            load: scenario.offered_load(),
            scv: service.time.scv(),
            timeout: client.timeout.map_or(f64::INFINITY, last_timeout) / unit,
            attempts,
            retries,
            ratio: ratio(&client.budget),
            backoff: client.backoff,
            unit,
        }
    }

    /// Attempts of a request of which every attempt fails; may be infinite.
    pub(super) fn attempts_mean(&self) -> f64 {
        self.attempts_mean_where(1.0)
    }

    /// Attempts of a request of which each fails with a probability, independently.
    pub(super) fn attempts_mean_where(&self, failure: f64) -> f64 {
        let again = failure * self.retries;
        let generations = f64::from(self.attempts);
        let unlimited = if (again - 1.0).abs() < f64::EPSILON {
            generations
        } else {
            (libm::pow(again, generations) - 1.0) / (again - 1.0)
        };
        self.ratio.map_or(unlimited, |ratio| unlimited.min(1.0 + ratio))
    }

    /// The number of attempts in the system from which a service that is empty of retries under way does not come back, but
    /// with a probability of about 10⁻⁹; `u64::MAX` where the walk has no drift upwards.
    ///
    /// Let n be in the system, none of which has been retried yet. From then on a phase of the length of a timeout, and of the
    /// longest backoff, goes by without a retry, at load ρ; in the next one first retries come, at load (1 + R)ρ for R
    /// retries per failure, and so on, until in the last phase the load is all that the clients send. As long as more than a
    /// timeout's worth of attempts waits, all that arrive fail, so the backlog is a walk that no success slows down. At
    /// time t its mean has changed by d(t), with slope mρ − 1 in a phase with m attempts per request, and its variance
    /// is v(t) with slope E\[m²\]ρ + c², c² the squared coefficient of variation of a service. In the diffusion limit it
    /// falls below the timeout's worth T at time t with probability e^(−(n − T + d(t))²/2v(t)) about, which is at most e^(−C)
    /// at all times if n ≥ T + max (√(2C v(t)) − d(t)). In the last phase alone that is the maximum C v′/2d′, Lundberg's
    /// bound for a diffusion. A client that would go on to more attempts sends no fewer, so the least n over all numbers of
    /// attempts up to its own will do.
    pub(super) fn backlog(&self) -> u64 {
        let (mut drop, mut variance, mut highest) = (0.0, 0.0, f64::NEG_INFINITY);
        let mut attempts = Attempts {
            mean: 1.0,
            square: 1.0,
        };
        let mut least = f64::INFINITY;
        for generation in 1..=self.attempts {
            let counted = self.within_budget(attempts, generation);
            let drift = self.load * counted.mean - 1.0;
            let spread = self.load * counted.square + self.scv;
            // √(2C(v + v′t)) + drop − d′t, the margin that is needed, is concave in t.
            let margin =
                |time: f64| (2.0 * CERTAINTY * (variance + spread * time)).sqrt() + drop - drift * time;
            let turn = if drift > 0.0 {
                ((CERTAINTY * spread * spread / (2.0 * drift * drift) - variance) / spread).max(0.0)
            } else {
                f64::INFINITY
            };
            if drift > 0.0 {
                least = least.min(highest.max(margin(turn)));
            }
            let length = self.phase(generation);
            highest = highest.max(margin(turn.min(length)));
            if highest >= least {
                break;
            }
            drop -= drift * length;
            variance += spread * length;
            attempts = self.one_more(attempts);
        }
        let backlog = self.timeout + least;
        if backlog < 1e18 {
            backlog.ceil() as u64
        } else {
            u64::MAX
        }
    }

    /// Longest time from an attempt to the one after it.
    fn phase(&self, attempt: u32) -> f64 {
        let backoff = match self.backoff {
            Backoff::None => 0.0,
            Backoff::Constant { delay } => delay.value(),
            Backoff::FullJitter { base, cap } => {
                let doubled = libm::ldexp(base.value(), attempt.min(2_000) as i32 - 1);
                cap.map_or(doubled, |cap| doubled.min(cap.value()))
            }
        };
        self.timeout + backoff / self.unit
    }

    /// Moments with a generation more, each failure being followed by ⌊R⌋ attempts or one more.
    fn one_more(&self, before: Attempts) -> Attempts {
        let retries = self.retries;
        let offspring_square = retries * retries + retries.fract() * (1.0 - retries.fract());
        let Attempts { mean, square } = before;
        Attempts {
            mean: 1.0 + retries * mean,
            square: 1.0
                + 2.0 * retries * mean
                + retries * (square - mean * mean)
                + offspring_square * mean * mean,
        }
    }

    /// Moments where a budget allows only so many retries per request: at worst few requests make all of them.
    fn within_budget(&self, attempts: Attempts, generation: u32) -> Attempts {
        match self.ratio {
            Some(ratio) if attempts.mean > 1.0 + ratio => Attempts {
                mean: 1.0 + ratio,
                square: attempts.square.min(1.0 + ratio * (f64::from(generation) + 1.0)),
            },
            _ => attempts,
        }
    }
}

#[cfg(test)]
mod tests {
    use retrylab_model::{Budget, ScenarioSpec, Traffic};

    use super::*;

    fn spec(load: f64, timeout: f64, attempts: u32) -> ScenarioSpec {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(load));
        spec.client.timeout = Some(timeout.into());
        spec.client.attempts = attempts;
        spec
    }

    fn stuck(spec: ScenarioSpec) -> Stuck {
        Stuck::new(&spec.validate().unwrap())
    }

    /// With a timeout of nearly nothing only the last phase is left: n = C(k²ρ + 1)/2(kρ − 1).
    #[test]
    fn without_delay_the_backlog_is_that_of_lundbergs_bound() {
        let bound = CERTAINTY * (9.0 * 0.5 + 1.0) / (2.0 * 0.5);
        assert_eq!(stuck(spec(0.5, 1e-9, 3)).backlog(), bound.ceil() as u64);
    }

    /// Load 1/2, timeout T: no retries for T, at which the backlog falls by T/2; it stays in the second; then it grows.
    #[test]
    fn a_long_timeout_leaves_time_to_drain_before_the_retries_come() {
        let timeout = 1e6;
        let above = stuck(spec(0.5, timeout, 3)).backlog() as f64 / timeout;
        // Fluctuations are of the order of the root of the timeout.
        assert!((1.5..1.5 + 0.03).contains(&above), "{above}");
        // At load 0.9 it falls by a tenth at first.
        let above = stuck(spec(0.9, timeout, 3)).backlog() as f64 / timeout;
        assert!((1.1..1.1 + 0.03).contains(&above), "{above}");
    }

    #[test]
    fn more_attempts_never_need_a_larger_backlog() {
        let backlogs: Vec<u64> = (3..40)
            .map(|attempts| stuck(spec(0.4, 20.0, attempts)).backlog())
            .collect();
        assert!(backlogs.windows(2).all(|pair| pair[1] <= pair[0]), "{backlogs:?}");
        assert_eq!(stuck(spec(0.4, 20.0, 2)).backlog(), u64::MAX);
    }

    #[test]
    fn moments_of_attempts_are_those_of_generations_of_retries() {
        // Always a retry: a request makes exactly j attempts.
        let always = stuck(spec(0.4, 20.0, 9));
        let mut attempts = Attempts {
            mean: 1.0,
            square: 1.0,
        };
        for count in 2..6_u32 {
            attempts = always.one_more(attempts);
            assert_eq!(
                (attempts.mean, attempts.square),
                (f64::from(count), f64::from(count * count))
            );
        }
        // With probability q: geometric, E[m] = 1/(1 − q) and E[m²] = (1 + q)/(1 − q)².
        let mut sometimes = spec(0.4, 20.0, 1_000);
        sometimes.client.retry_probability = 0.75;
        let sometimes = stuck(sometimes);
        assert!((sometimes.attempts_mean() - 4.0).abs() < 1e-12);
        let limit = (0..400).fold(
            Attempts {
                mean: 1.0,
                square: 1.0,
            },
            |attempts, _| sometimes.one_more(attempts),
        );
        assert!(
            (limit.mean - 4.0).abs() < 1e-9 && (limit.square - 28.0).abs() < 1e-9,
            "{limit:?}"
        );
    }

    #[test]
    fn a_budget_limits_what_is_sent_when_everything_fails() {
        let with = |budget| {
            let mut spec = spec(0.8, 20.0, 3);
            spec.client.budget = budget;
            stuck(spec).attempts_mean()
        };
        let ratio = |ratio| Budget::Ratio {
            ratio,
            bank: 10.0,
            shared: true,
        };
        assert_eq!((with(ratio(0.5)), with(ratio(7.0))), (1.5, 3.0));
        let refund = |timeout_cost| Budget::Refund {
            capacity: 10.0,
            cost: 1.0,
            timeout_cost,
            refund: 1.0,
            shared: true,
        };
        assert_eq!((with(refund(1.0)), with(refund(0.0))), (1.0, 3.0));
    }
}

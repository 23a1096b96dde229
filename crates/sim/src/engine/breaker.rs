//! Circuit breakers: one of each client instance, or one of all together.

use std::collections::VecDeque;

use retrylab_model::{Breaker, Scenario};

use crate::clock::Clock;

/// An outcome that a closed breaker remembers.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    /// When the client heard of it, in ticks since time 0.
    at: i128,
    failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed,
    Open { until: i128 },
    HalfOpen { passed: u32, succeeded: u32 },
}

/// What a breaker does, times in ticks.
#[derive(Debug, Clone, Copy)]
struct Rule {
    window: i128,
    failure_rate: f64,
    minimum: usize,
    open: i128,
    probes: u32,
}

/// One breaker. The window slides with every outcome, so that it holds exactly those of the last `window` of time, where
/// the libraries in use count by tenths of a window or by whole seconds.
#[derive(Debug, Clone)]
struct Instance {
    state: State,
    outcomes: VecDeque<Outcome>,
    failures: usize,
}

impl Instance {
    fn lets_pass(&mut self, rule: &Rule, moment: i128) -> bool {
        match &mut self.state {
            State::Closed => true,
            State::Open { until } if moment < *until => false,
            State::Open { .. } => {
                self.state = State::HalfOpen {
                    passed: 1,
                    succeeded: 0,
                };
                true
            }
            State::HalfOpen { passed, .. } => {
                let passes = *passed < rule.probes;
                *passed += u32::from(passes);
                passes
            }
        }
    }

    /// An outcome counts for the state that it finds, whenever its attempt was sent.
    fn observe(&mut self, rule: &Rule, moment: i128, failed: bool) {
        match &mut self.state {
            State::Closed => self.remember(rule, moment, failed),
            State::Open { .. } => {}
            State::HalfOpen { .. } if failed => self.open(rule, moment),
            State::HalfOpen { succeeded, .. } => {
                *succeeded += 1;
                if *succeeded == rule.probes {
                    self.state = State::Closed;
                }
            }
        }
    }

    fn remember(&mut self, rule: &Rule, moment: i128, failed: bool) {
        while let Some(oldest) = self.outcomes.front()
            && moment - oldest.at >= rule.window
        {
            self.failures -= usize::from(oldest.failed);
            self.outcomes.pop_front();
        }
        self.outcomes.push_back(Outcome { at: moment, failed });
        self.failures += usize::from(failed);
        let seen = self.outcomes.len();
        // A quotient rounds to the same number as the rate that a user wrote: 7 of 10 reach 0.7.
        if seen >= rule.minimum && self.failures as f64 / seen as f64 >= rule.failure_rate {
            self.open(rule, moment);
        }
    }

    fn open(&mut self, rule: &Rule, moment: i128) {
        self.outcomes.clear();
        self.failures = 0;
        self.state = State::Open {
            until: moment + rule.open,
        };
    }
}

/// The breakers of all client instances.
#[derive(Debug, Clone)]
pub(super) struct Breakers {
    rule: Rule,
    instances: Vec<Instance>,
}

impl Breakers {
    pub(super) fn new(breaker: &Breaker, scenario: &Scenario, clock: &Clock) -> Self {
        let instances = if breaker.shared {
            1
        } else {
            scenario.traffic.clients as usize
        };
        let instance = Instance {
            state: State::Closed,
            outcomes: VecDeque::new(),
            failures: 0,
        };
        Self {
            rule: Rule {
                window: clock.moment(breaker.window.value()),
                failure_rate: breaker.failure_rate,
                minimum: breaker.minimum as usize,
                open: clock.moment(breaker.open.value()),
                probes: breaker.probes,
            },
            instances: vec![instance; instances],
        }
    }

    /// Whether a client may send an attempt; a half-open breaker counts it among its probes.
    pub(super) fn lets_pass(&mut self, client: u32, moment: i128) -> bool {
        let rule = self.rule;
        self.instance(client).lets_pass(&rule, moment)
    }

    /// A client hears whether an attempt failed.
    pub(super) fn observe(&mut self, client: u32, moment: i128, failed: bool) {
        let rule = self.rule;
        self.instance(client).observe(&rule, moment, failed);
    }

    /// The client's own breaker, or the one that all share.
    fn instance(&mut self, client: u32) -> &mut Instance {
        let last = self.instances.len() - 1;
        &mut self.instances[last.min(client as usize)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        window: 10,
        failure_rate: 0.7,
        minimum: 10,
        open: 5,
        probes: 2,
    };

    fn closed() -> Instance {
        Instance {
            state: State::Closed,
            outcomes: VecDeque::new(),
            failures: 0,
        }
    }

    #[test]
    fn seven_failures_of_ten_reach_a_rate_of_seven_tenths() {
        for failures in 5..=10 {
            let mut instance = closed();
            for outcome in 0..10 {
                assert_eq!(instance.state, State::Closed);
                instance.observe(&RULE, 0, outcome < failures);
            }
            let expected = if failures >= 7 {
                State::Open { until: 5 }
            } else {
                State::Closed
            };
            assert_eq!(instance.state, expected, "{failures} failures");
        }
    }

    #[test]
    fn an_outcome_counts_until_the_window_has_passed() {
        for (at, opens) in [(9, true), (10, false)] {
            let mut instance = closed();
            instance.observe(&RULE, 0, true);
            (0..9).for_each(|_| instance.observe(&RULE, at, true));
            assert_eq!(instance.state != State::Closed, opens, "at {at}");
        }
    }

    #[test]
    fn failures_that_have_left_the_window_no_longer_count() {
        for (failures, opens) in [(6, false), (7, true)] {
            let mut instance = closed();
            (0..6).for_each(|_| instance.observe(&RULE, 0, true));
            (0..10).for_each(|outcome| instance.observe(&RULE, 10, outcome >= 10 - failures));
            assert_eq!(instance.state != State::Closed, opens, "{failures} of 10");
        }
    }

    #[test]
    fn probes_decide_and_the_rest_is_kept() {
        let mut instance = closed();
        instance.open(&RULE, 0);
        assert!(!instance.lets_pass(&RULE, 4));
        let passed =
            |instance: &mut Instance, moment| (0..4).filter(|_| instance.lets_pass(&RULE, moment)).count();
        assert_eq!(passed(&mut instance, 5), 2);
        instance.observe(&RULE, 6, false);
        instance.observe(&RULE, 7, true);
        assert_eq!(instance.state, State::Open { until: 12 });
        assert_eq!(passed(&mut instance, 12), 2);
        instance.observe(&RULE, 13, false);
        instance.observe(&RULE, 13, false);
        assert_eq!(passed(&mut instance, 13), 4);
        assert_eq!((instance.state, instance.outcomes.len()), (State::Closed, 0));
    }
}

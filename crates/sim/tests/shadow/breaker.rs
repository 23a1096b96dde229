//! A naive breaker: everything that it ever heard in a list, looked through from the start for every question.

use retrylab_model::Scenario;
use retrylab_sim::Clock;

#[derive(Debug, Clone)]
enum Noted {
    Heard { at: i128, good: bool },
    Opened { at: i128 },
    Probed,
    Closed,
}

#[derive(Debug, Clone)]
pub(super) struct Breaker {
    rule: retrylab_model::Breaker,
    window: i128,
    open: i128,
    notes: Vec<Noted>,
}

impl Breaker {
    /// All breakers of a scenario, closed.
    pub(super) fn of(scenario: &Scenario, clock: &Clock) -> Vec<Self> {
        let Some(rule) = scenario.client.breaker else {
            return Vec::new();
        };
        let breaker = Self {
            rule,
            window: clock.moment(rule.window.value()),
            open: clock.moment(rule.open.value()),
            notes: Vec::new(),
        };
        let number = if rule.shared { 1 } else { scenario.traffic.clients };
        vec![breaker; number as usize]
    }

    /// When it opened last, if it has not closed since.
    fn opened_at(&self) -> Option<i128> {
        let last = self
            .notes
            .iter()
            .rev()
            .find(|note| matches!(note, Noted::Opened { .. } | Noted::Closed))?;
        match last {
            Noted::Opened { at } => Some(*at),
            _ => None,
        }
    }

    /// What was noted since it opened or closed last.
    fn since(&self) -> &[Noted] {
        let changed = self
            .notes
            .iter()
            .rposition(|note| matches!(note, Noted::Opened { .. } | Noted::Closed));
        &self.notes[changed.map_or(0, |index| index + 1)..]
    }

    fn probes_passed(&self) -> usize {
        let probes = self.since().iter().filter(|note| matches!(note, Noted::Probed));
        probes.count()
    }

    /// Whether an attempt is kept; one that is let through an open breaker is a probe.
    pub(super) fn keeps(&mut self, now: i128) -> bool {
        let Some(opened_at) = self.opened_at() else {
            return false;
        };
        let keeps = now < opened_at + self.open || self.probes_passed() >= self.rule.probes as usize;
        if !keeps {
            self.notes.push(Noted::Probed);
        }
        keeps
    }

    /// The outcome of an attempt.
    pub(super) fn hear(&mut self, now: i128, good: bool) {
        if self.opened_at().is_some() {
            if self.probes_passed() == 0 {
                return;
            }
            self.notes.push(Noted::Heard { at: now, good });
            // Until the first probe has passed nothing is heard.
            let heard = self
                .since()
                .iter()
                .filter(|note| matches!(note, Noted::Heard { .. }));
            if !good {
                self.notes.push(Noted::Opened { at: now });
            } else if heard.count() >= self.rule.probes as usize {
                self.notes.push(Noted::Closed);
            }
            return;
        }
        self.notes.push(Noted::Heard { at: now, good });
        let in_window: Vec<bool> = self
            .since()
            .iter()
            .filter_map(|note| match note {
                Noted::Heard { at, good } if now - at < self.window => Some(*good),
                _ => None,
            })
            .collect();
        let bad = in_window.iter().filter(|good| !**good).count();
        let rate = bad as f64 / in_window.len() as f64;
        if in_window.len() >= self.rule.minimum as usize && rate >= self.rule.failure_rate {
            self.notes.push(Noted::Opened { at: now });
        }
    }
}

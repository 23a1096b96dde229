//! What a blip does to the backlog, followed from one change of the rates to the next.

use super::history::History;
use super::motion::Motion;
use super::skipping::Skipping;
use super::{Aftermath, FluidBlip, Stretch};

/// Changes of the rates that are followed before the outcome is left open; the documents' settings need ten or so.
pub(super) const CHANGES_MAX: u32 = 500;

/// What can end a stretch of constant rates.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    BlipEnds,
    TimedOutRateChanges,
    Drained,
    Full,
    FailureToggles,
    BankEmpty,
    BankFull,
}

/// The state between two changes.
#[derive(Debug)]
pub(super) struct Course<'a> {
    pub(super) blip: &'a FluidBlip,
    pub(super) history: History,
    /// Counted from the start of the blip, and from its end once it is over, so that its length costs no digits.
    pub(super) moment: f64,
    pub(super) backlog: f64,
    /// Attempts served by now less attempts taken in until a timeout ago; below 0 what is served comes too late. A server
    /// that skips keeps it from falling below 0.
    pub(super) margin: f64,
    pub(super) bank: f64,
    /// Whether what was taken in a timeout ago is timing out, all of it or, where the server skips, some.
    pub(super) is_failing: bool,
    pub(super) backlog_at_end: Option<f64>,
    pub(super) backlog_peak: f64,
    pub(super) dead_time: f64,
    pub(super) recovered_after: f64,
}

impl<'a> Course<'a> {
    pub(super) fn new(blip: &'a FluidBlip) -> Self {
        Self {
            blip,
            history: History::steady(blip.arrival_rate),
            moment: 0.0,
            backlog: 0.0,
            margin: blip.arrival_rate * blip.timeout,
            bank: blip.bank,
            is_failing: false,
            backlog_at_end: None,
            backlog_peak: 0.0,
            dead_time: 0.0,
            recovered_after: 0.0,
        }
    }

    /// Follows the changes until the backlog is gone for good, or certainly never will be.
    pub(super) fn aftermath(mut self) -> Aftermath {
        for _ in 0..CHANGES_MAX {
            let motion = self.motion();
            if self.backlog_at_end.is_some() {
                if self.backlog == 0.0 && motion.backlog <= 0.0 {
                    return self.drained(&motion);
                }
                if self.is_stuck() {
                    return self.lost(&motion);
                }
            }
            self.history.send(self.moment, &motion.accepted);
            let Some((delay, event)) = self.next_event(&motion) else {
                return self.lost(&motion);
            };
            self.follow(delay, event, &motion);
            if !self.is_finite() {
                break;
            }
        }
        self.undecided()
    }

    /// The rates from the start of the blip until a time after it, as far as the changes are followed.
    pub(super) fn stretches(mut self, until: f64) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for _ in 0..CHANGES_MAX {
            let motion = self.motion();
            self.history.send(self.moment, &motion.accepted);
            let next = self.next_event(&motion);
            let offset = self.backlog_at_end.map_or(0.0, |_| self.blip.duration);
            let from = self.moment + offset;
            let to = next.map_or(until, |(delay, _)| (from + delay).min(until));
            if to > from {
                stretches.push(Stretch {
                    from,
                    to,
                    attempt_rate: motion.attempts,
                    useful_rate: motion.useful,
                    backlog: self.backlog,
                });
            }
            let Some((delay, event)) = next.filter(|_| to < until) else {
                break;
            };
            self.follow(delay, event, &motion);
            if !self.is_finite() {
                break;
            }
        }
        stretches
    }

    fn follow(&mut self, delay: f64, event: Event, motion: &Motion) {
        self.advance(delay, motion);
        self.pass(event);
    }

    fn is_finite(&self) -> bool {
        [self.moment, self.backlog, self.margin]
            .iter()
            .all(|x| x.is_finite())
    }

    /// Whether attempts certainly time out for ever at a server that takes all and serves all; elsewhere the rates settle.
    ///
    /// While they do, a retry claims a token for all that was sent a timeout ago except last attempts, of which no more
    /// are sent than requests arrive. So no less is sent than a timeout ago, or else the worst rate: once all that was
    /// sent since fills the server, and the worst rate does, nothing is served in time any more.
    fn is_stuck(&self) -> bool {
        let FluidBlip { capacity, .. } = *self.blip;
        let worst = self.blip.worst_arrival_rate();
        let fills = worst > capacity || worst >= capacity && self.bank == 0.0;
        let takes_all = self.blip.skipping == Skipping::Nothing && self.blip.places == f64::INFINITY;
        takes_all && self.is_failing && fills && self.history.slowest() >= capacity
    }

    fn next_event(&self, motion: &Motion) -> Option<(f64, Event)> {
        let timeout = self.blip.timeout;
        let blip_ends = self
            .backlog_at_end
            .is_none()
            .then_some(self.blip.duration - self.moment);
        let rate_changes = self
            .history
            .next_change()
            .map(|moment| moment + timeout - self.moment);
        let toggles = if self.is_failing {
            motion.margin > 0.0
        } else {
            motion.margin < 0.0
        };
        let candidates = [
            (blip_ends, Event::BlipEnds),
            (rate_changes, Event::TimedOutRateChanges),
            (
                (motion.backlog < 0.0).then(|| self.backlog / -motion.backlog),
                Event::Drained,
            ),
            (
                (motion.backlog > 0.0 && self.blip.places.is_finite())
                    .then(|| (self.blip.places - self.backlog) / motion.backlog),
                Event::Full,
            ),
            (
                toggles.then(|| -self.margin / motion.margin),
                Event::FailureToggles,
            ),
            (
                (motion.bank < 0.0).then(|| self.bank / -motion.bank),
                Event::BankEmpty,
            ),
            (
                (motion.bank > 0.0).then(|| (self.blip.bank - self.bank) / motion.bank),
                Event::BankFull,
            ),
        ];
        candidates
            .into_iter()
            .filter_map(|(delay, event)| Some((delay?.max(0.0), event)))
            .min_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    fn advance(&mut self, delay: f64, motion: &Motion) {
        self.moment += delay;
        self.backlog += motion.backlog * delay;
        self.margin += motion.margin * delay;
        self.bank += motion.bank * delay;
        if self.backlog_at_end.is_some() && (self.is_failing || motion.is_rejecting) {
            if motion.useful < self.blip.arrival_rate {
                self.dead_time += delay;
            }
            self.recovered_after = self.moment;
        }
        self.backlog_peak = self.backlog_peak.max(self.backlog);
    }

    fn pass(&mut self, event: Event) {
        match event {
            Event::BlipEnds => {
                self.history.count_from(self.blip.duration);
                self.moment = 0.0;
                self.backlog_at_end = Some(self.backlog);
            }
            Event::TimedOutRateChanges => self.history.pass_change(),
            Event::Drained => self.backlog = 0.0,
            Event::Full => self.backlog = self.blip.places,
            Event::FailureToggles => {
                self.margin = 0.0;
                self.is_failing = !self.is_failing;
            }
            Event::BankEmpty => self.bank = 0.0,
            Event::BankFull => self.bank = self.blip.bank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_full_again_once_what_is_missing_has_been_earned() {
        let blip = FluidBlip::new(0.5, 1.0, 0.0, 10.0, 20.0, 4)
            .and_then(|blip| blip.with_budget(1.0, 3.0))
            .unwrap();
        let course = Course {
            bank: 1.0,
            ..Course::new(&blip)
        };
        assert_eq!(course.next_event(&course.motion()), Some((4.0, Event::BankFull)));
    }
}

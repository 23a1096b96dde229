//! What a blip does to the backlog, followed from one change of the rates to the next.

use super::history::History;
use super::{Aftermath, FluidBlip, NoRecovery};

/// Changes of the rates that are followed before the outcome is left open; the documents' settings need ten or so.
const CHANGES_MAX: u32 = 2_000;

/// What can end a stretch of constant rates.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    BlipEnds,
    TimedOutRateChanges,
    Drained,
    FailureToggles,
    BankEmpty,
    BankFull,
}

/// The state between two changes.
#[derive(Debug)]
pub(super) struct Course<'a> {
    blip: &'a FluidBlip,
    history: History,
    /// Counted from the start of the blip, and from its end once it is over, so that its length costs no digits.
    moment: f64,
    backlog: f64,
    /// Attempts served by now less attempts sent until a timeout ago; below 0 what is served comes too late.
    margin: f64,
    bank: f64,
    /// Whether what was sent a timeout ago is timing out.
    is_failing: bool,
    backlog_at_end: Option<f64>,
    backlog_peak: f64,
    dead_time: f64,
    recovered_after: f64,
}

/// How the state moves until the next change.
#[derive(Debug)]
struct Motion {
    backlog: f64,
    margin: f64,
    bank: f64,
    sent: Vec<f64>,
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
                    return self.drained();
                }
                if self.is_stuck() {
                    return self.lost();
                }
            }
            self.history.send(self.moment, &motion.sent);
            let Some((delay, event)) = self.next_event(&motion) else {
                return self.lost();
            };
            self.advance(delay, &motion);
            self.pass(event);
            if ![self.moment, self.backlog, self.margin]
                .iter()
                .all(|x| x.is_finite())
            {
                break;
            }
        }
        self.undecided()
    }

    fn drained(&self) -> Aftermath {
        Aftermath {
            backlog_at_end: self.backlog_at_end.ok_or(NoRecovery::Undecided),
            backlog_peak: Ok(self.backlog_peak),
            dead_time: Ok(self.dead_time),
            recovered_after: Ok(self.recovered_after),
            drained_after: Ok(self.moment),
        }
    }

    /// Nothing changes any more, and the backlog is still there.
    fn lost(&self) -> Aftermath {
        let reason = if self.blip.arrival_rate < self.blip.capacity {
            NoRecovery::Stuck
        } else {
            NoRecovery::Overloaded
        };
        if !self.is_failing {
            // As much arrives as is served, and the queue keeps a length that no timeout notices.
            return Aftermath {
                drained_after: Err(reason),
                ..self.drained()
            };
        }
        let stays_finite = self.blip.worst_arrival_rate() <= self.blip.capacity;
        Aftermath {
            backlog_peak: if stays_finite {
                Ok(self.backlog_peak)
            } else {
                Err(reason)
            },
            dead_time: Err(reason),
            recovered_after: Err(reason),
            drained_after: Err(reason),
            ..self.drained()
        }
    }

    fn undecided(&self) -> Aftermath {
        let open = Err(NoRecovery::Undecided);
        Aftermath {
            backlog_at_end: self
                .backlog_at_end
                .filter(|backlog| backlog.is_finite())
                .ok_or(NoRecovery::Undecided),
            backlog_peak: open,
            dead_time: open,
            recovered_after: open,
            drained_after: open,
        }
    }

    /// Whether attempts time out for ever.
    ///
    /// While they do, a retry claims a token for all that was sent a timeout ago except last attempts, of which no more
    /// are sent than requests arrive. So no less is sent than a timeout ago, or else the worst rate: once all that was
    /// sent since fills the server, and the worst rate does, nothing is served in time any more.
    fn is_stuck(&self) -> bool {
        let FluidBlip { capacity, .. } = *self.blip;
        let worst = self.blip.worst_arrival_rate();
        let fills = worst > capacity || worst >= capacity && self.bank == 0.0;
        self.is_failing && fills && self.history.slowest() >= capacity
    }

    fn motion(&self) -> Motion {
        let capacity = if self.backlog_at_end.is_some() {
            self.blip.capacity
        } else {
            self.blip.reduced_capacity
        };
        let timed_out = self.history.timed_out();
        let (sent, bank) = self.sending(timed_out);
        let sent_rate = sent.iter().sum::<f64>();
        let served = if self.backlog > 0.0 {
            capacity
        } else {
            capacity.min(sent_rate)
        };
        Motion {
            backlog: sent_rate - served,
            margin: served - timed_out.iter().sum::<f64>(),
            bank,
            sent,
        }
    }

    /// The rates of sending, by the number of the attempt, and the growth of the bank.
    fn sending(&self, timed_out: &[f64]) -> (Vec<f64>, f64) {
        let mut sent = vec![self.blip.arrival_rate];
        let mut wanted = 0.0;
        if self.is_failing {
            if self.blip.attempts - 1 > u64::from(CHANGES_MAX) {
                // A change adds one more attempt number at most: the last is never reached, the others are alike.
                sent.push(timed_out.iter().sum());
            } else {
                sent.extend(timed_out.iter().take(self.blip.attempts as usize - 1));
            }
            wanted = sent[1..].iter().sum();
        }
        let Some(earned) = self.blip.tokens_earned() else {
            return (sent, 0.0);
        };
        let granted = if self.bank > 0.0 {
            wanted
        } else {
            wanted.min(earned)
        };
        if granted == 0.0 {
            sent.truncate(1);
        } else if granted < wanted {
            let share = granted / wanted;
            sent[1..].iter_mut().for_each(|rate| *rate *= share);
        }
        let growth = earned - granted;
        let is_full = self.bank >= self.blip.bank && growth > 0.0;
        (sent, if is_full { 0.0 } else { growth })
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
        if self.backlog_at_end.is_some() && self.is_failing {
            self.dead_time += delay;
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
            Event::FailureToggles => {
                self.margin = 0.0;
                if self.is_failing && self.backlog_at_end.is_some() {
                    self.recovered_after = self.moment;
                }
                self.is_failing = !self.is_failing;
            }
            Event::BankEmpty => self.bank = 0.0,
            Event::BankFull => self.bank = self.blip.bank,
        }
    }
}

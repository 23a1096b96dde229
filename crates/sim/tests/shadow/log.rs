//! Counts made from the log of a naive simulation.

use retrylab_sim::Counts;

use super::tier::{Happening, Tier};

impl Tier {
    /// The last success, in the scenario's unit of time.
    pub(super) fn last_success(&self) -> Option<f64> {
        let last = self
            .log
            .iter()
            .rev()
            .find(|(_, happening)| *happening == Happening::Success)?;
        Some(self.clock.time(last.0))
    }

    /// Counts everything from `from` to `to`.
    pub(super) fn counts(&self, from: f64, to: f64) -> Counts {
        let (from, to) = (self.clock.moment(from), self.clock.moment(to));
        let tail_times: Vec<i128> = self
            .scenario
            .run
            .tail_times
            .iter()
            .map(|time| i128::from(self.clock.duration(time.value())))
            .collect();
        let mut counts = Counts::new(self.clock.tick(), self.scenario.service.slots(), tail_times.len());
        counts.duration = (to - from) as u128;
        for (_, happening) in self.log.iter().filter(|(at, _)| (from..to).contains(at)) {
            count(&mut counts, *happening, &tail_times);
        }
        self.count_levels(&mut counts, from, to);
        counts
    }

    fn count_levels(&self, counts: &mut Counts, from: i128, to: i128) {
        let start = [(0, 0, 0, 0)];
        let mut levels = start.iter().chain(&self.levels).peekable();
        while let Some(&(since, in_system, in_service, served)) = levels.next() {
            let until = levels.peek().map_or(self.now, |next| next.0);
            let length = (until.min(to) - since.max(from)).max(0) as u128;
            counts.in_system_area += u128::from(in_system) * length;
            counts.in_service_area += u128::from(in_service) * length;
            counts.busy_time += u128::from(served) * length;
            if since < from {
                counts.in_system_at_start = in_system;
            }
            if since < to {
                counts.in_system_at_end = in_system;
            }
        }
    }

    /// Sojourn times in ticks of the completions from `from` to `to`, sorted.
    pub(super) fn sojourn_times(&self, from: f64, to: f64) -> Vec<i128> {
        let (from, to) = (self.clock.moment(from), self.clock.moment(to));
        let mut times: Vec<i128> = self
            .log
            .iter()
            .filter(|(at, _)| (from..to).contains(at))
            .filter_map(|(_, happening)| match happening {
                Happening::Completed { sojourn_time, .. } => Some(*sojourn_time),
                _ => None,
            })
            .collect();
        times.sort_unstable();
        times
    }
}

fn count(counts: &mut Counts, happening: Happening, tail_times: &[i128]) {
    let above = |sums: &mut [u64], value: i128| {
        for (sum, &time) in sums.iter_mut().zip(tail_times) {
            if value > time {
                *sum += 1;
            }
        }
    };
    match happening {
        Happening::Request => counts.requests += 1,
        Happening::Attempt { is_retry } => {
            counts.attempts += 1;
            counts.retries += u64::from(is_retry);
        }
        Happening::Rejected => counts.rejected += 1,
        Happening::Skipped => counts.skipped += 1,
        Happening::Started { waiting_time } => {
            counts.services_started += 1;
            counts.waited += u64::from(waiting_time > 0);
            counts.waiting_time_sum += waiting_time as u128;
            counts.waiting_time_square_sum.add_square(waiting_time as u64);
            above(&mut counts.waiting_time_above, waiting_time);
        }
        Happening::Completed {
            sojourn_time,
            work,
            late,
        } => {
            counts.completions += 1;
            counts.service_time += work as u128;
            if late {
                counts.late_completions += 1;
                counts.late_service_time += work as u128;
            }
            counts.sojourn_time_sum += sojourn_time as u128;
            counts.sojourn_time_square_sum.add_square(sojourn_time as u64);
            above(&mut counts.sojourn_time_above, sojourn_time);
        }
        Happening::Error => counts.errors += 1,
        Happening::LateAnswer => counts.late_answers += 1,
        Happening::Timeout => counts.timeouts += 1,
        Happening::Success => counts.successes += 1,
        Happening::Duplicate => counts.duplicate_answers += 1,
        Happening::Failed => counts.failed_requests += 1,
        Happening::Denied => counts.budget_denied += 1,
        Happening::KeptByBreaker { is_first } => {
            counts.breaker_denied += 1;
            counts.unsent_requests += u64::from(is_first);
        }
    }
}

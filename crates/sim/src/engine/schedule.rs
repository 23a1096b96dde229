//! Changes in the course of a run.

use retrylab_model::{Budget, Discipline, Rate, Scenario};

use crate::clock::Clock;

/// A change of the service, the traffic or the clients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    StallBegins,
    StallEnds,
    Capacity(f64),
    Rate(f64),
    ErrorProbability(f64),
    Attempts(u32),
    RetryProbability(f64),
    RetriesPerFailure(f64),
    Discipline(Discipline),
    Budget(Budget),
}

/// What is still to change, soonest last; moments in ticks since time 0.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    changes: Vec<(i128, Change)>,
}

impl Schedule {
    /// The changes that happen at `start` or later. Of a stall that began before, the rest happens; settings made before and
    /// still in force are made at `start`.
    pub(super) fn new(scenario: &Scenario, clock: &Clock, start: i128) -> Self {
        let mut capacity = Timeline::new(1.0);
        let mut rate = Timeline::new(scenario.traffic.rate.value());
        let mut error_probability = Timeline::new(scenario.service.error_probability);
        let mut attempts = Timeline::new(scenario.client.attempts);
        let mut retry_probability = Timeline::new(scenario.client.retry_probability);
        // Where failures spawn no retries, the schedule has no number of them.
        let mut retries_per_failure = Timeline::new(scenario.client.retries_per_failure.unwrap_or(0.0));
        let mut discipline = Timeline::new(scenario.server.discipline);
        let mut budget = Timeline::new(scenario.client.budget);
        for change in &scenario.schedule {
            let from = clock.moment(change.at.value()).max(start);
            let to = change.settings_end().map(|end| clock.moment(end).max(start));
            capacity.set(change.capacity, from, to);
            rate.set(change.rate.map(Rate::value), from, to);
            error_probability.set(change.error_probability, from, to);
            attempts.set(change.attempts, from, to);
            retry_probability.set(change.retry_probability, from, to);
            retries_per_failure.set(change.retries_per_failure, from, to);
            discipline.set(change.discipline, from, to);
            budget.set(change.budget, from, to);
        }
        let mut changes: Vec<(i128, Change)> = capacity.changes(Change::Capacity).collect();
        changes.extend(rate.changes(Change::Rate));
        changes.extend(error_probability.changes(Change::ErrorProbability));
        changes.extend(attempts.changes(Change::Attempts));
        changes.extend(retry_probability.changes(Change::RetryProbability));
        changes.extend(retries_per_failure.changes(Change::RetriesPerFailure));
        changes.extend(discipline.changes(Change::Discipline));
        changes.extend(budget.changes(Change::Budget));
        changes.extend(stalls(scenario, clock, start));
        // Stable: at one moment settings come before stalls, and the end of a stall before the next.
        changes.sort_by_key(|&(at, _)| at);
        changes.reverse();
        Self { changes }
    }

    /// All changes, soonest last.
    pub(super) fn into_changes(self) -> Vec<(i128, Change)> {
        self.changes
    }

    /// When the next change happens.
    pub(super) fn next_at(&self) -> Option<i128> {
        self.changes.last().map(|&(at, _)| at)
    }

    /// Takes the next change.
    pub(super) fn pop(&mut self) -> Option<Change> {
        self.changes.pop().map(|(_, change)| change)
    }
}

fn stalls(scenario: &Scenario, clock: &Clock, start: i128) -> Vec<(i128, Change)> {
    let mut changes = Vec::new();
    let mut free_from = start;
    for (at, stall) in scenario
        .schedule
        .iter()
        .filter_map(|change| Some((change.at, change.stall?)))
    {
        let at = clock.moment(at.value());
        let end = at + i128::from(clock.duration(stall.value()));
        // Rounding may let a stall begin a tick before the end of the one before it.
        let begin = at.max(free_from);
        if end > begin {
            changes.push((begin, Change::StallBegins));
            changes.push((end, Change::StallEnds));
            free_from = end;
        }
    }
    changes
}

/// The values of one setting in the course of a run.
struct Timeline<T> {
    /// The value before the first change, and then after each.
    values: Vec<T>,
    moments: Vec<i128>,
}

impl<T: Copy + PartialEq> Timeline<T> {
    fn new(initial: T) -> Self {
        Self {
            values: vec![initial],
            moments: Vec::new(),
        }
    }

    /// The value in force at last.
    fn last(&self) -> T {
        self.values[self.moments.len()]
    }

    /// Sets a value, if there is one, for some time or for good. Not before the last moment so far.
    fn set(&mut self, value: Option<T>, from: i128, to: Option<i128>) {
        if let Some(value) = value {
            let before = self.last();
            self.put(from, value);
            if let Some(to) = to {
                self.put(to, before);
            }
        }
    }

    /// Of several values at one moment only the last counts.
    fn put(&mut self, at: i128, value: T) {
        if self.moments.last() == Some(&at) {
            self.moments.pop();
            self.values.pop();
        }
        if value != self.last() {
            self.moments.push(at);
            self.values.push(value);
        }
    }

    fn changes(self, change: fn(T) -> Change) -> impl Iterator<Item = (i128, Change)> {
        let values = self.values.into_iter().skip(1).map(change);
        self.moments.into_iter().zip(values)
    }
}

#[cfg(test)]
mod tests {
    use retrylab_model::{ScenarioSpec, Traffic};

    use super::*;

    fn changes(timeline: Timeline<u32>) -> Vec<(i128, Change)> {
        timeline.changes(Change::Attempts).collect()
    }

    #[test]
    fn a_value_holds_until_it_goes_back_or_another_follows() {
        let mut timeline = Timeline::new(1);
        timeline.set(Some(2), 10, None);
        timeline.set(None, 12, Some(13));
        timeline.set(Some(3), 20, Some(30));
        timeline.set(Some(4), 30, Some(40));
        let expected = [(10, 2), (20, 3), (30, 4), (40, 2)].map(|(at, value)| (at, Change::Attempts(value)));
        assert_eq!(changes(timeline), expected);
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let mut timeline = Timeline::new(1);
        timeline.set(Some(1), 5, None);
        // Without a whole tick, and straight back.
        timeline.set(Some(2), 10, Some(10));
        timeline.set(Some(2), 20, Some(20));
        timeline.set(Some(1), 20, None);
        assert_eq!(changes(timeline), []);
    }

    #[test]
    fn of_a_stall_the_rest_happens_and_nothing_once_it_is_over() {
        let mut spec = ScenarioSpec::new(Traffic::with_rate(0.5));
        spec.schedule = vec![retrylab_model::Change::stall(4.0, 2.0)];
        let scenario = spec.validate().unwrap();
        let clock = Clock::for_scenario(&scenario).unwrap();
        let [begin, end] = [4.0, 6.0].map(|time| clock.moment(time));
        for (start, expected) in [
            (0, Some(begin)),
            (begin, Some(begin)),
            (end - 1, Some(end - 1)),
            (end, None),
            (end + 1, None),
        ] {
            let mut schedule = Schedule::new(&scenario, &clock, start);
            assert_eq!(schedule.next_at(), expected, "from {start}");
            if expected.is_some() {
                assert_eq!(schedule.pop(), Some(Change::StallBegins));
                assert_eq!(
                    (schedule.next_at(), schedule.pop()),
                    (Some(end), Some(Change::StallEnds))
                );
            }
            assert_eq!(schedule.next_at(), None, "from {start}");
        }
    }
}

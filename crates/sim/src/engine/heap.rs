//! Pending events in order of time, and of insertion where times are equal.

use std::hint::select_unpredictable;

/// Children of a node: a flat heap does more comparisons in fewer cache lines.
const CHILDREN: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Event {
    /// When it is due in the upper half and the number of the insertion in the lower: one comparison of whole numbers decides
    /// which of two events comes first.
    key: u128,
    payload: u64,
}

/// Added to times, so that their order is that of unsigned numbers. The end of a service that a stall has stopped can be
/// before the local time 0.
const OFFSET: u64 = 1 << 63;

impl Event {
    /// In an empty place: at the end of time, after all others.
    const NONE: Self = Self {
        key: u128::MAX,
        payload: 0,
    };

    #[inline]
    fn new(at: i64, order: u64, payload: u64) -> Self {
        let at = at.cast_unsigned() ^ OFFSET;
        Self {
            key: u128::from(at) << 64 | u128::from(order),
            payload,
        }
    }

    #[inline]
    fn at(&self) -> i64 {
        ((self.key >> 64) as u64 ^ OFFSET).cast_signed()
    }
}

/// A priority queue of events.
#[derive(Debug, Clone, Default)]
pub(super) struct EventHeap {
    /// The root and groups of siblings, of which the last may have empty places.
    events: Vec<Event>,
    /// How many there are, the empty places not counted.
    length: usize,
    inserted: u64,
}

impl EventHeap {
    #[inline]
    pub(super) fn push(&mut self, at: i64, payload: u64) {
        let event = self.event(at, payload);
        if self.length == self.events.len() {
            self.make_room(self.length + 1);
        }
        self.length += 1;
        self.sift_up(self.length - 1, event);
    }

    /// When the first event is due; the end of time when there is none.
    #[inline]
    pub(super) fn next_at(&self) -> i64 {
        self.events.first().map_or(i64::MAX, Event::at)
    }

    /// The payload of the first event.
    #[inline]
    pub(super) fn first(&self) -> Option<u64> {
        (self.length > 0).then(|| self.events[0].payload)
    }

    /// Takes the payload of the first event.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let payload = self.first()?;
        self.length -= 1;
        let last = std::mem::replace(&mut self.events[self.length], Event::NONE);
        if self.length > 0 {
            self.sift_down(last);
        }
        Some(payload)
    }

    /// Puts an event in the place of the first: one way down the heap where taking and adding need two.
    #[inline]
    pub(super) fn replace_first(&mut self, at: i64, payload: u64) {
        let event = self.event(at, payload);
        self.sift_down(event);
    }

    #[inline]
    fn event(&mut self, at: i64, payload: u64) -> Event {
        let order = self.inserted;
        self.inserted += 1;
        Event::new(at, order, payload)
    }

    /// Fills the hole at the root with an event. The hole goes all the way down along the first of the children, which takes
    /// no branch that depends on the order of events, and the event, which hardly ever belongs far from the bottom, goes up
    /// from there (Wegener, "Bottom-up heapsort", 1993).
    #[inline]
    fn sift_down(&mut self, event: Event) {
        let mut hole = 0;
        let mut first_child = 1;
        while first_child < self.length {
            let children = &self.events[first_child..first_child + CHILDREN];
            let earlier = |one: usize, other: usize| {
                select_unpredictable(children[other].key < children[one].key, other, one)
            };
            let child = earlier(earlier(0, 1), earlier(2, 3));
            self.events[hole] = children[child];
            hole = first_child + child;
            first_child = hole * CHILDREN + 1;
        }
        self.sift_up(hole, event);
    }

    /// Fills a hole with an event that is not after the events below.
    #[inline]
    fn sift_up(&mut self, mut hole: usize, event: Event) {
        while hole > 0 {
            let parent = (hole - 1) / CHILDREN;
            if event.key > self.events[parent].key {
                break;
            }
            self.events[hole] = self.events[parent];
            hole = parent;
        }
        self.events[hole] = event;
    }

    /// Sees to it that there is a place for each of so many events, the empty ones of the last group included.
    #[cold]
    fn make_room(&mut self, length: usize) {
        let groups = length.saturating_sub(1).div_ceil(CHILDREN);
        self.events.resize(1 + groups * CHILDREN, Event::NONE);
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Drops all events but those whose payload is to be kept, which may be called once for each.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u64) -> bool) {
        self.events.truncate(self.length);
        self.events.retain(|event| keep(event.payload));
        self.length = self.events.len();
        self.make_room(self.length);
        self.sort();
    }

    /// Gives every event another time, by its payload and the time that it has.
    pub(super) fn reschedule(&mut self, mut at: impl FnMut(u64, i64) -> i64) {
        for event in &mut self.events[..self.length] {
            *event = Event::new(at(event.payload, event.at()), event.key as u64, event.payload);
        }
        self.sort();
    }

    /// Events in order are a heap.
    fn sort(&mut self) {
        self.events[..self.length].sort_unstable_by_key(|event| event.key);
    }

    /// Moves all events in time, which leaves their order as it is.
    pub(super) fn shift(&mut self, by: i64) {
        for event in &mut self.events[..self.length] {
            *event = Event::new(event.at() + by, event.key as u64, event.payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn events_come_in_order_of_time_and_insertion(
            operations in prop::collection::vec(prop::option::weighted(0.6, (-10_i64..10, any::<bool>())), 0..300),
            thinned_at in 0_u64..300,
            rescheduled_at in 0_u64..300,
        ) {
            let mut heap = EventHeap::default();
            let mut sorted: Vec<(i64, u64)> = Vec::new();
            for (payload, operation) in (0_u64..).zip(operations) {
                match operation {
                    Some((at, true)) if !sorted.is_empty() => {
                        heap.replace_first(at, payload);
                        sorted[0] = (at, payload);
                        sorted.sort_unstable();
                    }
                    Some((at, _)) => {
                        heap.push(at, payload);
                        sorted.push((at, payload));
                        sorted.sort_unstable();
                    }
                    None if sorted.is_empty() => prop_assert_eq!(heap.pop(), None),
                    None => prop_assert_eq!(heap.pop(), Some(sorted.remove(0).1)),
                }
                if payload == thinned_at {
                    heap.retain(|payload| payload % 3 > 0);
                    sorted.retain(|(_, payload)| payload % 3 > 0);
                }
                if payload == rescheduled_at {
                    heap.reschedule(|payload, at| -at * (payload % 2) as i64);
                    for (at, payload) in &mut sorted {
                        *at *= -((*payload % 2) as i64);
                    }
                    sorted.sort_unstable();
                }
                prop_assert_eq!(heap.len(), sorted.len());
                prop_assert_eq!(heap.next_at(), sorted.first().map_or(i64::MAX, |event| event.0));
            }
        }
    }
}

//! Pending events in order of time, and of insertion where times are equal.

/// Children of a node: a flat heap does more comparisons in fewer cache lines.
const CHILDREN: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Event {
    at: i64,
    /// Number of the insertion.
    order: u64,
    payload: u64,
}

impl Event {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        (self.at, self.order) < (other.at, other.order)
    }
}

/// A priority queue of events.
#[derive(Debug, Clone, Default)]
pub(super) struct EventHeap {
    events: Vec<Event>,
    inserted: u64,
}

impl EventHeap {
    #[inline]
    pub(super) fn push(&mut self, at: i64, payload: u64) {
        let event = Event {
            at,
            order: self.inserted,
            payload,
        };
        self.inserted += 1;
        let mut hole = self.events.len();
        self.events.push(event);
        while hole > 0 {
            let parent = (hole - 1) / CHILDREN;
            if !event.precedes(&self.events[parent]) {
                break;
            }
            self.events[hole] = self.events[parent];
            hole = parent;
        }
        self.events[hole] = event;
    }

    /// When the first event is due; the end of time when there is none.
    #[inline]
    pub(super) fn next_at(&self) -> i64 {
        self.events.first().map_or(i64::MAX, |event| event.at)
    }

    /// Takes the payload of the first event.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let last = self.events.pop()?;
        let Some(first) = self.events.first() else {
            return Some(last.payload);
        };
        let payload = first.payload;
        self.sift_down(last);
        Some(payload)
    }

    /// Fills the hole at the root with an event.
    #[inline]
    fn sift_down(&mut self, event: Event) {
        let length = self.events.len();
        let mut hole = 0;
        loop {
            let first_child = hole * CHILDREN + 1;
            if first_child >= length {
                break;
            }
            let mut child = first_child;
            for other in first_child + 1..(first_child + CHILDREN).min(length) {
                if self.events[other].precedes(&self.events[child]) {
                    child = other;
                }
            }
            if event.precedes(&self.events[child]) {
                break;
            }
            self.events[hole] = self.events[child];
            hole = child;
        }
        self.events[hole] = event;
    }

    /// Moves all events in time, which leaves their order as it is.
    pub(super) fn shift(&mut self, by: i64) {
        for event in &mut self.events {
            event.at += by;
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
            operations in prop::collection::vec(prop::option::weighted(0.6, 0_i64..20), 0..300)
        ) {
            let mut heap = EventHeap::default();
            let mut sorted: Vec<(i64, u64)> = Vec::new();
            for (payload, operation) in (0_u64..).zip(operations) {
                match operation {
                    Some(at) => {
                        heap.push(at, payload);
                        sorted.push((at, payload));
                        sorted.sort_unstable();
                    }
                    None if sorted.is_empty() => prop_assert_eq!(heap.pop(), None),
                    None => prop_assert_eq!(heap.pop(), Some(sorted.remove(0).1)),
                }
                prop_assert_eq!(heap.next_at(), sorted.first().map_or(i64::MAX, |event| event.0));
            }
        }
    }
}

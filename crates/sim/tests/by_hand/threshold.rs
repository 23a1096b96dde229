//! Stories of adaptive LIFO: first in, first out until the line is long.

use super::*;

#[test]
fn the_newest_is_served_only_while_more_wait_than_the_threshold() {
    let story = |discipline| {
        let told = tell(4, burst(4, 0.9, 0.0), |spec| spec.server.discipline = discipline);
        let &[a, b, c, d] = &told.arrivals[..] else {
            panic!()
        };
        (told, [a, b, c, d])
    };
    // When a's service ends, b, c and d wait: as many as a threshold of 3 allows in the order of arrival.
    let (told, [a, b, c, d]) = story(Discipline::AdaptiveLifo { threshold: 3 });
    let unit = told.unit;
    let starts = [a + unit - b, a + 2 * unit - c, a + 3 * unit - d];
    assert_times(
        &told,
        &[0, starts[0], starts[1], starts[2]],
        &[unit, starts[0] + unit, starts[1] + unit, starts[2] + unit],
    );
    // Above a threshold of 2 d comes first; the two that are left are served in order.
    let (told, _) = story(Discipline::AdaptiveLifo { threshold: 2 });
    let starts = [a + 2 * unit - b, a + 3 * unit - c, a + unit - d];
    assert_times(
        &told,
        &[0, starts[0], starts[1], starts[2]],
        &[unit, starts[0] + unit, starts[1] + unit, starts[2] + unit],
    );
    // A threshold of 0 is last in, first out; one that is never passed is first in, first out.
    assert_eq!(
        story(Discipline::AdaptiveLifo { threshold: 0 }).0.counts,
        story(Discipline::Lifo).0.counts
    );
    assert_eq!(
        story(Discipline::AdaptiveLifo { threshold: 4 }).0.counts,
        story(Discipline::Fifo).0.counts
    );
}

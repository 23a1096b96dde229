//! Stories of servers that each have a queue, and of servers that serve several at once.

use retrylab_model::Queues;

use super::*;

#[test]
fn a_server_of_many_places_is_many_servers() {
    let counts = |servers, concurrency| {
        let told = tell(4, burst(4, 0.9, 0.0), |spec| {
            spec.service.servers = servers;
            spec.service.concurrency = concurrency;
        });
        told.counts
    };
    assert_eq!(counts(1, 3), counts(3, 1));
}

#[test]
fn each_server_serves_its_own_queue() {
    // a at the first server, b at the second; c finds the first idle again, and d both busy.
    let fits = |a: &[f64]| a[1] < a[0] + 0.9 && a[0] + 1.0 < a[2] && a[3] < a[1] + 1.0 && a[3] < 12.0;
    let story = |queues, waits_for: usize| {
        let told = tell(4, fits, |spec| {
            spec.service.servers = 2;
            spec.server.queues = queues;
        });
        let wait = told.arrivals[waits_for] + told.unit - told.arrivals[3];
        assert_times(
            &told,
            &[0, 0, 0, wait],
            &[told.unit, told.unit, told.unit, told.unit + wait],
        );
    };
    // In turn, d goes to the second server and waits for b; of two with one attempt each, the first is the shortest, and d waits
    // for c although b is done before.
    story(Queues::RoundRobin, 1);
    story(Queues::Shortest, 2);
    story(Queues::Common, 1);
}

#[test]
fn a_server_that_is_full_sends_nobody_on() {
    let rejected = |queues, attempts| {
        let told = tell(3, burst(3, 0.9, 0.0), |spec| {
            spec.service.servers = 4;
            spec.server.queues = queues;
            spec.server.places = Some(1);
            spec.client.attempts = attempts;
            spec.service.time = ServiceTime::Deterministic { value: 30.0.into() };
        });
        (told.counts.rejected, told.counts.in_system_at_end)
    };
    assert_eq!(rejected(Queues::RoundRobin, 1), (0, 3));
    assert_eq!(rejected(Queues::Shortest, 1), (0, 3));
    let full = |queues| {
        let told = tell(3, burst(3, 0.9, 0.0), |spec| {
            spec.service.servers = 2;
            spec.server.queues = queues;
            spec.server.places = Some(1);
            spec.client.attempts = 3;
        });
        (told.counts.rejected, told.counts.failed_requests)
    };
    assert_eq!(full(Queues::RoundRobin), (3, 1));
    assert_eq!(full(Queues::Shortest), (3, 1));
}

//! Random order, random patience and retries by chance: what the streams say is what happens.

use retrylab_model::{Budget, DeadlineCheck, Discipline, ScenarioSpec, Timeout};
use retrylab_sim::WideSum;
use retrylab_sim::random::{Bernoulli, ExponentialTicks, Purpose, Stream};

use crate::{Story, assert_times, burst, sums};

/// Mean of the clients' patience.
const PATIENCE_MEAN: f64 = 2.0;

fn impatient(spec: &mut ScenarioSpec) {
    let mean = PATIENCE_MEAN.into();
    spec.client.timeout = Some(Timeout::Exponential { mean });
}

/// The patience of the first `N` attempts, in units of time.
fn patience<const N: usize>(seed: u64, clock: &retrylab_sim::Clock) -> [f64; N] {
    let sampler = ExponentialTicks::new(PATIENCE_MEAN, clock);
    let mut stream = Stream::new(seed, 0, Purpose::Patience);
    [(); N].map(|()| clock.time(sampler.sample(&mut stream).into()))
}

#[test]
fn random_order_takes_the_place_that_is_drawn() {
    // First a, then the drawn one of b, c, d (d moves to its place), then the drawn one of two, then the other.
    for place in 0..3 {
        let story = Story::find(
            4,
            burst(4, 0.9, 0.0),
            |spec| spec.server.discipline = Discipline::Random,
            |seed, _| Stream::new(seed, 0, Purpose::Order).below(3) == place,
        );
        let mut order = Stream::new(story.seed, 0, Purpose::Order);
        order.below(3);
        let second = order.below(2) as usize;
        let told = story.tell();
        let (&[a, b, c, d], unit) = (&told.arrivals[..], told.unit) else {
            panic!()
        };
        let (first, left) = match place {
            0 => (b, [d, c]),
            1 => (c, [b, d]),
            _ => (d, [b, c]),
        };
        let sent = [a, first, left[second], left[1 - second]];
        let waiting: Vec<i128> = (0..4).map(|n| a + n * unit - sent[n as usize]).collect();
        let sojourn: Vec<i128> = waiting.iter().map(|time| time + unit).collect();
        assert_times(&told, &waiting, &sojourn);
    }
}

/// Three wait behind one: each of the six orders in which they can be served happens in a sixth of 6,000 continuations.
/// Chi-square with 5 degrees of freedom exceeds 35.9 with probability 1e-6.
#[test]
fn every_order_of_service_is_equally_likely() {
    let story = Story::find(
        4,
        burst(4, 0.9, 4.0),
        |spec| spec.server.discipline = Discipline::Random,
        |_, _| true,
    );
    let [a, b, c, d] = story.arrivals[..] else {
        panic!()
    };
    let unit = story.clock.moment(1.0);
    let orders = [[b, c, d], [b, d, c], [c, b, d], [c, d, b], [d, b, c], [d, c, b]];
    let squares: Vec<WideSum> = orders
        .iter()
        .map(|[x, y, z]| sums(&[a + unit - x, a + 2 * unit - y, a + 3 * unit - z]).1)
        .collect();
    let mut waiting = story.start();
    waiting.run_to(story.clock.time(a + unit));
    let mut seen = [0_u32; 6];
    for seed in 0..6000 {
        let mut continued = waiting.clone();
        continued.reseed(seed, 0);
        continued.run_to(story.clock.time(a + 4 * unit));
        let waited = continued.take_counts().waiting_time_square_sum;
        seen[squares.iter().position(|square| *square == waited).unwrap()] += 1;
    }
    let statistic: f64 = seen
        .iter()
        .map(|&count| (f64::from(count) - 1e3).powi(2) / 1e3)
        .sum();
    assert!(statistic < 35.9, "{statistic}: {seen:?}");
}

#[test]
fn each_attempt_has_a_patience_of_its_own() {
    // A client gives up a first attempt in the middle of its service. The second is sent then, served from 1 to 2, and in
    // time if its patience reaches until then.
    for in_time in [false, true] {
        let story = Story::find(
            1,
            |a| a[0] < 12.0,
            |spec| {
                impatient(spec);
                spec.client.attempts = 2;
            },
            |seed, clock| {
                let [first, second] = patience(seed, clock);
                first < 0.9 && (first + second > 2.0) == in_time
            },
        );
        let first = story.clock.moment(patience::<1>(story.seed, &story.clock)[0]);
        let told = story.tell();
        let unit = told.unit;
        assert_times(&told, &[0, unit - first], &[unit, 2 * unit - first]);
        let counts = &told.counts;
        let answers = u64::from(in_time);
        assert_eq!(
            (counts.attempts, counts.timeouts, counts.late_completions),
            (2, 2 - answers, 2 - answers)
        );
        assert_eq!((counts.successes, counts.failed_requests), (answers, 1 - answers));
        assert_eq!(
            counts.late_service_time,
            u128::from(2 - answers) * unit.unsigned_abs()
        );
    }
}

#[test]
fn deadline_checks_look_at_the_attempt_itself() {
    // b waits from its arrival until a unit after that of a; where its patience ends before, or less than half a unit later,
    // the one check or the other drops it.
    let doomed = DeadlineCheck::SkipDoomed { service: 0.5.into() };
    for (least, most, check, skipped) in [
        (0.0, 0.5, DeadlineCheck::None, 0),
        (0.0, 0.5, DeadlineCheck::SkipExpired, 1),
        (1.05, 1.4, DeadlineCheck::SkipExpired, 0),
        (1.05, 1.4, doomed, 1),
        (1.6, 9.0, doomed, 0),
    ] {
        let story = Story::find(
            2,
            burst(2, 0.05, 0.0),
            |spec| {
                impatient(spec);
                spec.server.deadline_check = check;
            },
            |seed, clock| {
                let [of_a, of_b] = patience(seed, clock);
                of_a > 1.0 && (least..most).contains(&of_b)
            },
        );
        let of_b = patience::<2>(story.seed, &story.clock)[1];
        let told = story.tell();
        let counts = &told.counts;
        assert_eq!(counts.skipped, skipped, "{check:?}, patience {of_b}");
        assert_eq!(counts.completions, 2 - skipped);
        let in_time = story_end(&told.arrivals, told.unit) <= of_b;
        assert_eq!(counts.successes, 1 + u64::from(in_time && skipped == 0));
        assert_eq!(counts.timeouts, u64::from(!in_time || skipped == 1));
    }
}

/// When b, served after a, is answered: units of time after b was sent.
fn story_end(arrivals: &[i128], unit: i128) -> f64 {
    (arrivals[0] + 2 * unit - arrivals[1]) as f64 / unit as f64
}

/// Whether each of the first failures is followed by another attempt.
fn mind(seed: u64, probability: f64) -> [bool; 6] {
    let mut stream = Stream::new(seed, 0, Purpose::Retries);
    [(); 6].map(|()| Bernoulli::new(probability).sample(&mut stream))
}

#[test]
fn a_client_tries_again_as_long_as_the_coin_says() {
    for retries in [0, 1, 3] {
        let story = Story::find(
            1,
            |a| a[0] < 10.0,
            |spec| {
                spec.service.error_probability = 1.0;
                spec.client.attempts = 5;
                spec.client.retry_probability = 0.6;
            },
            |seed, _| mind(seed, 0.6).iter().take_while(|&&again| again).count() == retries,
        );
        let counts = story.tell().counts;
        assert_eq!(counts.retries, retries as u64);
        assert_eq!((counts.errors, counts.failed_requests), (1 + counts.retries, 1));
    }
    // A coin that would go on does not pass the limit of attempts.
    let story = Story::find(
        1,
        |a| a[0] < 10.0,
        |spec| {
            spec.service.error_probability = 1.0;
            spec.client.attempts = 3;
            spec.client.retry_probability = 0.6;
        },
        |seed, _| mind(seed, 0.6).iter().all(|&again| again),
    );
    assert_eq!(story.tell().counts.attempts, 3);
}

#[test]
fn the_coin_is_tossed_before_the_budget_is_asked() {
    for again in [false, true] {
        let story = Story::find(
            1,
            |a| a[0] < 10.0,
            |spec| {
                spec.service.error_probability = 1.0;
                spec.client.attempts = 2;
                spec.client.retry_probability = 0.5;
                spec.client.budget = Budget::Ratio {
                    ratio: 0.0,
                    bank: 1.0,
                    shared: false,
                };
            },
            |seed, _| mind(seed, 0.5)[0] == again,
        );
        let counts = story.tell().counts;
        assert_eq!((counts.attempts, counts.failed_requests), (1, 1));
        assert_eq!(counts.budget_denied, u64::from(again));
    }
}

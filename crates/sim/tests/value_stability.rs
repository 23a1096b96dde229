//! Pinned values: they say that a version gives the same numbers as the last, not that the numbers are right. A change of any
//! of them belongs in the changelog, because it changes every simulated result.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod everything;

use everything::everything;
use retrylab_model::{Latencies, Measured, Scale, ScenarioSpec, ServiceTime, Traffic};
use retrylab_sim::random::{Exponential, Normal, Purpose, ServiceSampler, Stream};
use retrylab_sim::{Clock, Options, simulate_one};

#[test]
fn streams() {
    let first = |purpose| {
        let mut stream = Stream::new(1, 2, purpose);
        [stream.next_u64(), stream.next_u64()]
    };
    assert_eq!(
        first(Purpose::Arrivals),
        [13626242294786098319, 2890751601907015071]
    );
    assert_eq!(first(Purpose::Calls), [5855404710167074359, 15594842978027740007]);
}

#[test]
fn variates() {
    let mut stream = Stream::new(1, 2, Purpose::Service);
    let exponential = [(); 3].map(|()| Exponential::default().sample(&mut stream).to_bits());
    let normal = [(); 3].map(|()| Normal::default().sample(&mut stream).to_bits());
    assert_eq!(
        exponential,
        [4600896266411452997, 4599876956129951036, 4591153339280271111]
    );
    assert_eq!(
        normal,
        [4600444462062375448, 13817224260347183390, 13823473405844946767]
    );
}

#[test]
fn service_times() {
    let clock = Clock::for_scenario(&ScenarioSpec::new(Traffic::with_rate(0.5)).validate().unwrap()).unwrap();
    let mean = 1.0.into();
    let times = [
        ServiceTime::Exponential { mean },
        ServiceTime::Erlang { stages: 3, mean },
        ServiceTime::Hyperexponential { mean, scv: 3.0 },
        ServiceTime::Uniform {
            low: 0.5.into(),
            high: 1.5.into(),
        },
        ServiceTime::Lognormal { mean, scv: 2.0 },
        ServiceTime::Measured(Measured::of(
            "",
            Latencies::of_values(vec![0.25, 0.75, 1.25, 1.75], Scale::Dimensionless, "").unwrap(),
        )),
    ]
    .map(|time| ServiceSampler::new(&time, &clock).sample(&mut Stream::new(1, 2, Purpose::Service)));
    assert_eq!(
        times,
        [
            1722489952, 1196242361, 866651963, 3599928400, 1590622133, 3221225472
        ]
    );
}

#[test]
fn a_record() {
    let spec = everything();
    let record = simulate_one(&spec.validate().unwrap(), 1, 2, &Options::default()).unwrap();
    let counts = &record.counts;
    let numbers = [counts.requests, counts.attempts, counts.successes];
    assert_eq!(numbers, [1246, 1453, 647]);
    let times = [counts.busy_time, counts.sojourn_time_sum, counts.in_system_area];
    assert_eq!(times, [6229297872956, 113469652710480, 113545732039812]);
    assert_eq!(record.last_success.unwrap().to_bits(), 4656463555008376832);
}

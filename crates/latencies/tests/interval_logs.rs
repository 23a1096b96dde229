//! Interval logs of HdrHistogram, written by the library itself and then damaged.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod reading;

use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
use proptest::prelude::*;
use retrylab_model::{Latencies, Measured, Scale, TimeUnit, Unreadable};

/// A log with an interval for each tag and its recorded values.
fn log(intervals: &[(Option<&str>, &[u64])], digits: u8) -> String {
    let mut text = Vec::new();
    let mut serializer = V2DeflateSerializer::new();
    let mut builder = IntervalLogWriterBuilder::new();
    let mut writer = builder
        .add_comment("[Histogram log format version 1.3]")
        .with_start_time(SystemTime::UNIX_EPOCH)
        .begin_log_with(&mut text, &mut serializer)
        .unwrap();
    for (tag, values) in intervals {
        let mut histogram = Histogram::<u64>::new_with_bounds(1, 3_600_000_000, digits).unwrap();
        for &value in *values {
            histogram.record(value).unwrap();
        }
        let second = Duration::from_secs(1);
        writer
            .write_histogram(&histogram, second, second, tag.and_then(Tag::new))
            .unwrap();
    }
    String::from_utf8(text).unwrap()
}

fn read_log(text: &str, options: impl FnOnce(&mut Measured)) -> Result<Latencies, Unreadable> {
    reading::read_file("times.hlog", text.as_bytes(), options)
}

#[test]
fn intervals_are_added_up() {
    let text = log(&[(None, &[5, 7, 7]), (None, &[]), (None, &[9])], 3);
    let latencies = read_log(&text, |_| {}).unwrap();
    assert_eq!(
        latencies.steps().collect::<Vec<_>>(),
        [(5.0, 1), (7.0, 2), (9.0, 1)]
    );
    assert_eq!(latencies.scale(), Scale::Dimensionless);
    let seconds = read_log(&text, |measured| measured.unit = Some(TimeUnit::Milliseconds)).unwrap();
    assert_eq!((seconds.mean(), seconds.scale()), (0.007, Scale::Seconds));
}

#[test]
fn one_tag_is_chosen() {
    let text = log(
        &[
            (Some("read"), &[5, 7]),
            (Some("write"), &[50, 70]),
            (Some("read"), &[9]),
        ],
        3,
    );
    let of = |tag: &str| {
        let tag = tag.to_owned();
        read_log(&text, move |measured| measured.column = Some(tag))
    };
    assert_eq!(
        of("read").unwrap().steps().collect::<Vec<_>>(),
        [(5.0, 1), (7.0, 1), (9.0, 1)]
    );
    assert_eq!(
        of("write").unwrap().steps().collect::<Vec<_>>(),
        [(50.0, 1), (70.0, 1)]
    );
    let error = of("raed").unwrap_err();
    assert_eq!(error.key, "column");
    assert_eq!(
        error.sentence,
        "times.hlog has no intervals with the tag \"raed\"; expected read or write (did you mean read?)"
    );
    assert_eq!(
        read_log(&text, |_| {}).unwrap_err().sentence,
        "times.hlog has intervals with 2 different tags; say which are meant, as in column = \"write\""
    );
}

proptest! {
    /// The documented bound: half a unit of the last significant digit.
    #[test]
    fn a_value_is_off_by_half_a_bucket_at_most(value in 1_u64..3_600_000_000, digits in 1_u8..=5) {
        let latencies = read_log(&log(&[(None, &[value, value])], digits), |_| {}).unwrap();
        let error = (latencies.max() - value as f64).abs();
        prop_assert!(error <= 0.5 * 10_f64.powi(-i32::from(digits)) * value as f64, "{} for {value}", latencies.max());
    }

    /// A log that is cut off or has other characters in it is read or refused in one line, and never misread silently where
    /// the histogram itself is damaged.
    #[test]
    fn damage_is_refused(position in 0.0..1.0_f64, byte in 33_u8..127, cut in any::<bool>()) {
        let text = log(&[(None, &[5, 7, 70_000, 1_000_000])], 3);
        let whole = read_log(&text, |_| {}).unwrap();
        let start = text.rfind(',').unwrap() + 1;
        let at = start + (position * (text.trim_end().len() - start) as f64) as usize;
        let mut bytes = text.clone().into_bytes();
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let damaged = String::from_utf8(bytes).unwrap();
        match read_log(&damaged, |_| {}) {
            Ok(latencies) => prop_assert_eq!(latencies.steps().collect::<Vec<_>>(), whole.steps().collect::<Vec<_>>()),
            Err(error) => prop_assert!(
                error.sentence.starts_with("times.hlog, line 3: ") && !error.sentence.contains('\n'),
                "{}", error.sentence
            ),
        }
    }
}

#[test]
fn a_log_without_values_or_of_another_kind_is_refused() {
    assert_eq!(
        read_log(&log(&[(None, &[])], 3), |_| {}).unwrap_err().sentence,
        "times.hlog: it holds no values"
    );
    assert_eq!(
        read_log(&log(&[(None, &[4])], 3), |_| {}).unwrap_err().sentence,
        "times.hlog: it holds one value, 4, which is no distribution; at least two are needed"
    );
    assert_eq!(
        read_log(&log(&[(None, &[0, 4])], 3), |_| {})
            .unwrap_err()
            .sentence,
        "times.hlog: 0 is not a finite time above 0; a service takes some time, so what was rounded to 0 needs a finer unit"
    );
    let text = "#[Histogram log format version 1.3]\nnot an interval\n";
    assert_eq!(
        read_log(text, |_| {}).unwrap_err().sentence,
        "times.hlog, line 2: \"not an interval\" is not an interval of an HdrHistogram log"
    );
}

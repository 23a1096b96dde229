//! Interval logs of HdrHistogram.

use std::collections::BTreeSet;
use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use retrylab_model::wording::{expected, quotation};
use retrylab_model::{Latencies, Measured, Scale, Unreadable};

use crate::file::FileText;
use crate::unreadable;

/// First bytes of a compressed histogram and of what it holds, each followed by a length of four bytes (V2 encoding).
const COMPRESSED: u32 = 0x1c84_9314;
const UNCOMPRESSED: u32 = 0x1c84_9313;
/// Bytes in front of a histogram's counts.
const HEADER_LENGTH: usize = 40;
/// Longest histogram. One at full precision over the whole range has some six million counts, most of them in a run of zeros.
const HISTOGRAM_LENGTH_MAX: usize = 64 << 20;
/// Lines among which a log must show what it is.
const LINES_LOOKED_AT: usize = 20;

/// Whether a text is a log: its first lines say so, or it has tags.
pub(crate) fn is_log(text: &str) -> bool {
    text.lines().take(LINES_LOOKED_AT).any(|line| {
        line.starts_with("#[Histogram log format")
            || line.starts_with("#[StartTime:")
            || line.starts_with("\"StartTimestamp\"")
            || line.starts_with("Tag=")
    })
}

/// Reads the times in a log: of all intervals, or of those with the tag that is asked for.
pub(crate) fn read(file: &FileText, measured: &Measured, shown: &str) -> Result<Latencies, Unreadable> {
    let mut total: Option<Histogram<u64>> = None;
    let mut tags = BTreeSet::new();
    for (index, line) in file.text.lines().enumerate() {
        let at = |what: &str| unreadable(format!("{shown}, line {}: {what}", index + 1));
        let ended = format!("{line}\n");
        let interval = match IntervalLogIterator::new(ended.as_bytes()).next() {
            None | Some(Ok(LogEntry::StartTime(_) | LogEntry::BaseTime(_))) => continue,
            Some(Ok(LogEntry::Interval(interval))) => interval,
            Some(Err(_)) => {
                return Err(at(&format!(
                    "\"{}\" is not an interval of an HdrHistogram log",
                    quotation(line)
                )));
            }
        };
        let tag = interval.tag().map_or("", |tag| tag.as_str());
        tags.insert(tag.to_owned());
        if measured.column.as_deref().is_some_and(|asked| asked != tag) {
            continue;
        }
        let histogram = decode(interval.encoded_histogram())
            .ok_or_else(|| at("the histogram is cut off, damaged or not in the V2 encoding"))?;
        let sum = match &mut total {
            None => {
                total = Some(histogram);
                continue;
            }
            Some(sum) => sum,
        };
        // The first histogram's precision holds for all; most logs have but one.
        sum.auto(true);
        sum.add(&histogram)
            .map_err(|_| at("the histogram has values beyond the reach of those before it"))?;
    }
    check_tags(&tags, measured, shown)?;
    let scale = match measured.unit {
        Some(_) => Scale::Seconds,
        None => Scale::Dimensionless,
    };
    let in_scale = |number| measured.unit.map_or(number, |unit| unit.seconds(number));
    let counts = total
        .iter()
        .flat_map(buckets)
        .map(|(value, count)| (in_scale(value), count))
        .collect();
    Latencies::of_counts(counts, scale, &file.sha256).map_err(|error| unreadable(format!("{shown}: {error}")))
}

/// The middle of each bucket that is not empty, with its count.
fn buckets(histogram: &Histogram<u64>) -> impl Iterator<Item = (f64, u64)> {
    histogram.iter_recorded().map(|step| {
        let value = step.value_iterated_to();
        let (low, high) = (
            histogram.lowest_equivalent(value),
            histogram.highest_equivalent(value),
        );
        ((low as f64).midpoint(high as f64), step.count_at_value())
    })
}

/// Whether it is clear whose times are meant.
fn check_tags(tags: &BTreeSet<String>, measured: &Measured, shown: &str) -> Result<(), Unreadable> {
    let names: Vec<String> = tags.iter().map(|tag| quotation(tag)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match &measured.column {
        None if tags.len() > 1 => Err(unreadable(format!(
            "{shown} has intervals with {} different tags; say which are meant, as in column = \"{}\"",
            tags.len(),
            names[names.len() - 1]
        ))),
        Some(asked) if !tags.contains(asked) => Err(Unreadable {
            key: "column",
            sentence: format!(
                "{shown} has no intervals with the tag \"{}\"; {}",
                quotation(asked),
                expected(asked, &names)
            ),
        }),
        _ => Ok(()),
    }
}

/// The histogram in a field of a log. It is unpacked here, so that a damaged length is noticed before so much memory is asked for.
fn decode(field: &str) -> Option<Histogram<u64>> {
    let bytes = STANDARD.decode(field.trim_end()).ok()?;
    let (kind, rest) = bytes.split_first_chunk::<4>()?;
    let (length, packed) = rest.split_first_chunk::<4>()?;
    if u32::from_be_bytes(*kind) != COMPRESSED || u32::from_be_bytes(*length) as usize > packed.len() {
        return None;
    }
    let mut unpacked = Vec::new();
    let read = ZlibDecoder::new(packed)
        .take(HISTOGRAM_LENGTH_MAX as u64 + 1)
        .read_to_end(&mut unpacked);
    if read.ok()? > HISTOGRAM_LENGTH_MAX {
        return None;
    }
    let (kind, rest) = unpacked.split_first_chunk::<4>()?;
    let (length, _) = rest.split_first_chunk::<4>()?;
    let counts = unpacked.len().checked_sub(HEADER_LENGTH)?;
    if u32::from_be_bytes(*kind) != UNCOMPRESSED || u32::from_be_bytes(*length) as usize > counts {
        return None;
    }
    Deserializer::new().deserialize(&mut unpacked.as_slice()).ok()
}

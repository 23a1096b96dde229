//! Files of measured times: what is read, and what is refused in which words.

// An unwrap that fails in a test is a failed test.
#![allow(clippy::unwrap_used)]

mod reading;

use std::path::Path;

use proptest::prelude::*;
use retrylab_latencies::read;
use retrylab_model::{LATENCIES_MAX, Latencies, Measured, Scale, TimeUnit, Unreadable};

/// What a file with these bytes, called `times.csv`, says, with options.
fn read_bytes(bytes: &[u8], options: impl FnOnce(&mut Measured)) -> Result<Latencies, Unreadable> {
    reading::read_file("times.csv", bytes, options)
}

fn values(text: &str, options: impl FnOnce(&mut Measured)) -> Vec<f64> {
    let latencies = read_bytes(text.as_bytes(), options).unwrap();
    (0..latencies.count())
        .map(|index| latencies.sorted(index))
        .collect()
}

#[track_caller]
fn refuses(bytes: &[u8], options: impl FnOnce(&mut Measured), key: &str, sentence: &str) {
    let error = read_bytes(bytes, options).unwrap_err();
    assert_eq!((error.sentence.as_str(), error.key), (sentence, key));
}

fn column(name: &str) -> impl FnOnce(&mut Measured) {
    let name = name.to_owned();
    move |measured| measured.column = Some(name)
}

#[test]
fn tables_of_every_form_are_read() {
    let all = [1.0, 2.5, 30.0];
    for text in [
        "30\n1\n2.5\n",
        "30\r\n1\r\n2.5",
        "\u{feff}latency\n30\n1\n2.5\n",
        "# made today\n\n30\n1\n# and\n2.5\n\n",
        "\"30\"\n 1 \n+2.5e0\n",
    ] {
        assert_eq!(values(text, |_| {}), all, "{text:?}");
    }
    for text in [
        "path,t\n/a,30\n\"/b,c\",1\n/d,2.5\n",
        "path;t\n/a;30\n/b,c;1\n/d;2.5\n",
        "path\tt\tsize\n/a\t30\t7\n/b\t1\n/d\t2.5\t8\n",
    ] {
        assert_eq!(values(text, column("t")), all, "{text:?}");
    }
    assert_eq!(values("7,30\n7,1\n7,2.5\n", column("2")), all);
}

#[test]
fn units_are_those_of_the_key_or_of_the_cells() {
    let milliseconds = read_bytes(b"t\n120\n80\n", |measured| {
        measured.unit = Some(TimeUnit::Milliseconds);
    })
    .unwrap();
    assert_eq!((milliseconds.scale(), milliseconds.mean()), (Scale::Seconds, 0.1));
    let in_cells = read_bytes(b"120ms\n0.08 s\n", |_| {}).unwrap();
    assert_eq!((in_cells.scale(), in_cells.mean()), (Scale::Seconds, 0.1));
    let none = read_bytes(b"120\n80\n", |_| {}).unwrap();
    assert_eq!((none.scale(), none.mean()), (Scale::Dimensionless, 100.0));
    refuses(
        b"120ms\n80\n",
        |_| {},
        "file",
        "times.csv, line 2: 80 has no unit, but those before it have one",
    );
    refuses(
        b"120\n80ms\n",
        |_| {},
        "file",
        "times.csv, line 2: 80ms has a unit, but those before it have none",
    );
    refuses(
        b"120ms\n",
        |measured| measured.unit = Some(TimeUnit::Seconds),
        "file",
        "times.csv, line 1: 120ms has a unit of its own, but unit = \"s\" is given",
    );
}

#[test]
fn a_file_without_a_distribution_is_refused() {
    for (text, sentence) in [
        ("", "times.csv: it holds no values"),
        ("\n\n# nothing\n", "times.csv: it holds no values"),
        ("\n\n  \n", "times.csv, line 3: the cell of the time is empty"),
        (
            "latency\n",
            "times.csv holds no values, only the header of column \"latency\"",
        ),
        (
            "5\n",
            "times.csv: it holds one value, 5, which is no distribution; at least two are needed",
        ),
    ] {
        refuses(text.as_bytes(), |_| {}, "file", sentence);
    }
}

#[test]
fn a_value_that_is_no_time_is_refused_with_its_line() {
    for (cell, what) in [
        ("NaN", "NaN is not a finite time above 0"),
        ("inf", "inf is not a finite time above 0"),
        ("1e999", "1e999 is not a finite time above 0"),
        ("-3", "-3 is not a finite time above 0"),
        ("-3ms", "-3ms is not a finite time above 0"),
        (
            "0",
            "0 is not a finite time above 0; a service takes some time, so what was rounded to 0 needs a finer unit",
        ),
        ("\"\"", "the cell of the time is empty"),
        (
            "GET /",
            "\"GET /\" is not a number, but a measured time is one, without thousands separators",
        ),
        (
            "5 parsecs",
            "\"5 parsecs\" is not a number, but a measured time is one, without thousands separators",
        ),
    ] {
        let before = if cell.ends_with("ms") { "1ms" } else { "1" };
        let text = format!("t\n{before}\n\n{cell}\n2\n");
        refuses(
            text.as_bytes(),
            |_| {},
            "file",
            &format!("times.csv, line 4: {what}"),
        );
    }
}

#[test]
fn the_column_must_be_there_and_be_clear() {
    let table = b"path,time_ms,size\n/a,3,4\n/b,4,4\n";
    refuses(
        table,
        |_| {},
        "file",
        "times.csv has 3 columns; say which has the times, as in column = \"size\": path, time_ms or size",
    );
    refuses(
        table,
        column("time"),
        "column",
        "times.csv has no column called \"time\"; expected path, time_ms or size",
    );
    refuses(
        b"t,t\n1,2\n",
        column("t"),
        "column",
        "times.csv has more than one column called \"t\"",
    );
    refuses(
        b"1,2\n3,4\n",
        |_| {},
        "file",
        "times.csv has 2 columns without names; say which has the times, as in column = \"2\": 1 or 2",
    );
    refuses(
        b"a,t\n1,2\n3\n",
        column("t"),
        "file",
        "times.csv, line 3 ends before column \"t\"",
    );
    refuses(
        table,
        column("path"),
        "file",
        "times.csv, line 2: \"/a\" is not a number, but a measured time is one, without thousands separators",
    );
}

#[test]
fn what_is_no_text_is_refused() {
    for (bytes, sentence) in [
        (
            &b"1\n2\n\x00\x01\n"[..],
            "times.csv is not a text: it has a zero byte in line 3; measured times are a table or an HdrHistogram log",
        ),
        (
            &b"1\n2\n\xff\xfe\n"[..],
            "times.csv is not a text in UTF-8, from line 3 on; measured times are a table or an HdrHistogram log",
        ),
    ] {
        refuses(bytes, |_| {}, "file", sentence);
    }
    let long = [&b"1\n"[..], &[b'2'; (4 << 20) + 1]].concat();
    refuses(
        &long,
        |_| {},
        "file",
        "times.csv, line 2 is longer than 4 MiB; a table has a line for each measured time",
    );
}

#[test]
fn too_many_values_are_refused() {
    let text = "1\n".repeat(LATENCIES_MAX + 1);
    refuses(
        text.as_bytes(),
        |_| {},
        "file",
        "times.csv: it holds more than 5 million values; draw a sample of them, or record them in an HdrHistogram log",
    );
    assert_eq!(
        read_bytes(&text.as_bytes()[2..], |_| {}).unwrap().count(),
        5_000_000
    );
}

#[test]
fn what_is_no_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let sentence = |file: &str| {
        read(&Measured::in_file(file), directory.path())
            .unwrap_err()
            .sentence
    };
    assert!(sentence("").ends_with("is a directory, but measured times are in a file"));
    let missing = sentence("missing.csv");
    assert!(missing.starts_with("there is no file ") && missing.ends_with("missing.csv of measured times"));
    if Path::new("/dev/zero").exists() {
        assert_eq!(
            sentence("/dev/zero"),
            "/dev/zero is not a regular file, but measured times are in one"
        );
    }
    // A gigabyte that takes no space: only its size is looked at.
    let large = std::fs::File::create(directory.path().join("large")).unwrap();
    large.set_len(1 << 30).unwrap();
    assert!(sentence("large").contains("is larger than 256 MiB; cut out the column of times"));
}

#[test]
fn the_checksum_says_which_file_is_meant() {
    // As sha256sum prints it.
    const FOUND: &str = "14c5e74c4b96ccef41cd94db73a9ec3348038ac094feca4fd897cecffa07cdae";
    const OTHER: &str = "eadc70affcec798df4acef490ca8308433ce9a37bd49dc14fecc69b4c47e5c41";
    let text = b"1\n2\n3\n";
    assert_eq!(read_bytes(text, |_| {}).unwrap().sha256(), FOUND);
    let ask = |sum: &str| {
        let sum = sum.to_owned();
        move |measured: &mut Measured| measured.sha256 = Some(sum)
    };
    assert!(read_bytes(text, ask(&FOUND.to_uppercase())).is_ok());
    refuses(
        text,
        ask(OTHER),
        "sha256",
        &format!(
            "times.csv is not the file that was meant, or it has changed: its SHA-256 checksum is {FOUND} and not {OTHER}"
        ),
    );
    refuses(
        text,
        ask("abc"),
        "sha256",
        &format!(
            "\"abc\" is not a SHA-256 checksum, which has 64 hexadecimal digits; that of times.csv is {FOUND}"
        ),
    );
}

proptest! {
    /// Whatever a file holds, there is an answer.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_bytes(&bytes, |_| {});
    }

    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in "([0-9]{1,3}|[.,;\t\n\"#-]|e|ms|NaN|\\PC){0,60}") {
        if let Err(error) = read_bytes(text.as_bytes(), |_| {}) {
            prop_assert!(!error.sentence.contains('\n'), "{}", error.sentence);
        }
    }
}

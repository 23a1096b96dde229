//! Results: the same file however it came to be, refusals, and exports that say what the file says.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use retrylab_sweep::{Ending, Heading, Plan, PlanText, Results, Shard, Store, export, merge, run};

fn plan(seed: u64) -> Plan {
    let text = "name = \"test\"\nreplications = 3\n[scenario.traffic]\nrate = 0.5\n[scenario.client]\ntimeout = 5\n\
                [scenario.run]\nuntil = 200\nmeasure_from = 50\n\
                [[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2, 3]\n\
                [[axis]]\nname = \"order\"\nkeys = [\"server.discipline\", \"traffic.rate\"]\n\
                values = [[\"fifo\", 0.4], [\"lifo\", 0.6], [\"fifo\", 1e-9]]\n";
    Plan::new(&PlanText::parse(text).unwrap(), None, seed).unwrap()
}

/// Computes up to so many points of a part.
fn compute(plan: &Plan, path: &Path, shard: Shard, points_max: u64) -> Ending {
    let mut store = Store::open(path, Heading::new(plan, shard)).unwrap();
    let start = store.points_done();
    let done = AtomicU64::new(start);
    let ending = run(
        plan,
        &mut store,
        &|| done.load(Ordering::Relaxed) - start >= points_max,
        &|advance| {
            done.store(advance.points, Ordering::Relaxed);
        },
    )
    .unwrap();
    store.finish().unwrap();
    ending
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn in_one_go(directory: &Path) -> PathBuf {
    let path = directory.join("whole.sqlite");
    assert_eq!(compute(&plan(1), &path, Shard::WHOLE, u64::MAX), Ending::Complete);
    path
}

#[test]
fn a_sweep_that_was_stopped_ends_with_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let whole = in_one_go(directory.path());
    let stopped = directory.path().join("stopped.sqlite");
    assert_eq!(compute(&plan(1), &stopped, Shard::WHOLE, 1), Ending::Stopped);
    let done = Results::open(&stopped).unwrap();
    assert!(
        !done.is_finished() && (1..9).contains(&done.points().len()),
        "{:?}",
        done.points()
    );
    drop(done);
    assert_eq!(
        compute(&plan(1), &stopped, Shard::WHOLE, u64::MAX),
        Ending::Complete
    );
    assert!(bytes(&whole) == bytes(&stopped));
    // Once more, with nothing to do.
    assert_eq!(
        compute(&plan(1), &stopped, Shard::WHOLE, u64::MAX),
        Ending::Complete
    );
    assert!(bytes(&whole) == bytes(&stopped));
    assert_eq!(
        std::fs::read_dir(directory.path()).unwrap().count(),
        2,
        "nothing else is left"
    );
}

#[test]
fn parts_make_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let whole = in_one_go(directory.path());
    for parts in [1, 2, 4, 11] {
        let mut files: Vec<PathBuf> = Vec::new();
        for part in 1..=parts {
            let path = directory.path().join(format!("{part}-of-{parts}"));
            compute(
                &plan(1),
                &path,
                format!("{part}/{parts}").parse().unwrap(),
                u64::MAX,
            );
            files.push(path);
        }
        files.reverse();
        let results: Vec<Results> = files.iter().map(|path| Results::open(path).unwrap()).collect();
        let merged = directory.path().join(format!("merged-{parts}.sqlite"));
        merge(&merged, &results).unwrap();
        assert!(bytes(&whole) == bytes(&merged), "{parts} parts");
    }
}

#[test]
fn parts_that_do_not_make_a_whole_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let part = |name: &str, seed: u64, shard: &str, points_max: u64| {
        let path = directory.path().join(name);
        compute(&plan(seed), &path, shard.parse().unwrap(), points_max);
        path
    };
    let (one, two) = (part("one", 1, "1/2", u64::MAX), part("two", 1, "2/2", u64::MAX));
    let (other, third) = (
        part("other", 2, "2/2", u64::MAX),
        part("third", 1, "3/3", u64::MAX),
    );
    let short = part("short", 1, "2/2", 1);
    let copy = directory.path().join("copy");
    std::fs::copy(&one, &copy).unwrap();
    for (files, sentence) in [
        (vec![&one], "the part 2/2 is missing"),
        (vec![&third], "2 parts are missing, the first of them 1/3"),
        (vec![&one, &two, &copy], "are both the part 1/2"),
        (vec![&one, &other], "are of different plans"),
        (vec![&one, &third], "is the part 3/3, but"),
        (vec![&one, &short], "short is not finished"),
    ] {
        let results: Vec<Results> = files.iter().map(|path| Results::open(path).unwrap()).collect();
        let out = directory.path().join("out");
        let error = merge(&out, &results).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}, not {sentence}");
        assert!(!out.exists());
    }
    let results = [Results::open(&one).unwrap(), Results::open(&two).unwrap()];
    let error = merge(&one, &results).unwrap_err().to_string();
    assert!(error.contains("is there already"), "{error}");
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |path: &Path, seed: u64| {
        let heading = Heading::new(&plan(seed), Shard::WHOLE);
        Store::open(path, heading).unwrap_err().to_string()
    };
    let whole = in_one_go(directory.path());
    let sentence = refused(&whole, 2);
    assert!(
        sentence.contains("have the seed 1, not 2; choose another file"),
        "{sentence}"
    );
    let text = directory.path().join("text");
    std::fs::write(
        &text,
        "not a database, but long enough to be taken for one by its size".repeat(20),
    )
    .unwrap();
    assert!(
        refused(&text, 1).contains("is not an SQLite file"),
        "{}",
        refused(&text, 1)
    );
    let foreign = directory.path().join("foreign");
    rusqlite::Connection::open(&foreign)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    assert!(refused(&foreign, 1).contains("holds no results of a sweep"));
    assert!(refused(directory.path(), 1).contains("is a directory"));
    assert!(refused(&directory.path().join("none/file"), 1).contains("there is no directory"));
}

#[test]
fn a_file_in_use_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("shared.sqlite");
    let first = Store::open(&path, Heading::new(&plan(1), Shard::WHOLE)).unwrap();
    let sentence = Store::open(&path, Heading::new(&plan(1), Shard::WHOLE))
        .unwrap_err()
        .to_string();
    assert!(sentence.contains("is in use by another process"), "{sentence}");
    let sentence = Results::open(&path).unwrap_err().to_string();
    assert!(sentence.contains("is in use by another process"), "{sentence}");
    drop(first);
    Store::open(&path, Heading::new(&plan(1), Shard::WHOLE)).unwrap();
}

/// What a row of an export should say, as text: the point, the keys, the measure, its numbers, and the note.
fn expected_rows(results: &Results) -> Vec<Vec<String>> {
    let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    let mut rows = Vec::new();
    for &point in results.points() {
        let result = results.point(point).unwrap();
        for one in &result.estimates {
            let mut row = vec![point.to_string()];
            for (_, label, value) in results.heading().settings(point) {
                row.push(value.map_or_else(|| label.to_owned(), |value| value.to_string()));
            }
            row.extend([
                one.measure.clone(),
                number(one.estimate),
                number(one.low),
                number(one.high),
            ]);
            row.extend([
                result.replications.to_string(),
                one.note.clone().unwrap_or_default(),
            ]);
            rows.push(row);
        }
    }
    rows
}

#[test]
fn exports_say_what_the_file_says() {
    let directory = tempfile::tempdir().unwrap();
    let results = Results::open(&in_one_go(directory.path())).unwrap();
    let expected = expected_rows(&results);
    assert!(
        expected.len() > 9 * 30 && expected.iter().any(|row| row[5].is_empty()),
        "some have no estimate"
    );

    let mut csv = Vec::new();
    export::csv(&results, &mut csv).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_slice());
    let header = [
        "point",
        "client.attempts",
        "server.discipline",
        "traffic.rate",
        "measure",
        "estimate",
        "low",
        "high",
        "replications",
        "note",
    ];
    assert_eq!(reader.headers().unwrap(), header.to_vec());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows, expected);

    let path = directory.path().join("results.parquet");
    export::parquet(&results, std::fs::File::create(&path).unwrap()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let text = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Long(integer) => integer.to_string(),
        Field::Double(number) => number.to_string(),
        Field::Str(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    let rows: Vec<Vec<String>> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            row.unwrap()
                .get_column_iter()
                .map(|(_, field)| text(field))
                .collect()
        })
        .collect();
    assert_eq!(rows, expected);

    let json = export::json(&results).unwrap();
    assert_eq!(json["points"].as_array().unwrap().len(), 9);
    let first = results.point(0).unwrap();
    let success = &json["points"][0]["measures"]["success"];
    assert_eq!(
        success["estimate"].as_f64(),
        first.find("success").unwrap().estimate
    );

    let drawings = export::drawings(&results).unwrap();
    let names: Vec<&str> = drawings.iter().map(|drawing| drawing.file.as_str()).collect();
    assert_eq!(
        names,
        [
            "success.svg",
            "attempts_per_request.svg",
            "abandoned_work.svg",
            "sojourn_time_mean.svg"
        ]
    );
    for drawing in drawings {
        assert!(
            drawing.svg.starts_with("<svg ") && drawing.svg.contains("client.attempts"),
            "{}",
            drawing.file
        );
    }
}

#[test]
fn the_view_has_everything_side_by_side() {
    let directory = tempfile::tempdir().unwrap();
    let path = in_one_go(directory.path());
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT point, \"client.attempts\", \"server.discipline\", \"traffic.rate\" FROM results \
             WHERE measure = 'success' ORDER BY point",
        )
        .unwrap();
    let rows = statement
        .query_map([], |row| {
            Ok((
                row.get::<_, u32>(0)?,
                row.get::<_, f64>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, f64>(3)?,
            ))
        })
        .unwrap();
    let rows: Vec<(u32, f64, String, f64)> = rows.map(Result::unwrap).collect();
    assert_eq!(rows.len(), 9);
    assert_eq!(rows[4], (4, 2.0, "lifo".to_owned(), 0.6));
}

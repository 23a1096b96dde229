//! `retrylab figures` as a user meets it, on figures that are drawn in a moment.

use std::collections::BTreeSet;
use std::path::Path;

use crate::program::{fails_with, json, object_keys, stdout};
use retrylab::verify::figures::FIGURES;

fn names(directory: &Path) -> BTreeSet<String> {
    std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Draws the lesson's figure of the retry policy into a directory.
fn draw(directory: &Path, more: &[&str]) -> String {
    let out = directory.to_str().unwrap();
    let arguments = [
        "figures",
        "--level",
        "quick",
        "--only",
        "retry-policy",
        "--out",
        out,
    ];
    stdout(&[&arguments, more].concat())
}

#[test]
fn a_figure_is_written_as_drawing_image_and_data() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new/figures");
    let text = draw(&out, &[]);
    assert!(
        text.contains("retry-policy") && text.contains("lesson") && text.contains(out.to_str().unwrap()),
        "{text}"
    );
    let expected = ["retry-policy.csv", "retry-policy.png", "retry-policy.svg"];
    assert_eq!(names(&out), expected.map(str::to_owned).into());

    let svg = std::fs::read_to_string(out.join("retry-policy.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("What a retry policy costs"));

    let png = std::fs::read(out.join("retry-policy.png")).unwrap();
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(
        side(16) > side(20) && side(20) > 600,
        "{} × {}",
        side(16),
        side(20)
    );

    let mut reader = csv::Reader::from_path(out.join("retry-policy.csv")).unwrap();
    assert_eq!(
        reader.headers().unwrap(),
        vec!["panel", "series", "kind", "x", "y", "low", "high"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let number = |row: &csv::StringRecord, column: usize| row[column].parse::<f64>().unwrap();
    let (lines, points): (Vec<_>, Vec<_>) = rows.iter().partition(|row| &row[2] == "line");
    assert!(
        lines.len() > 500 && points.len() == 2 * 4 * 5,
        "{} {}",
        lines.len(),
        points.len()
    );
    for row in points {
        assert_eq!(&row[2], "point");
        assert!(
            number(row, 5) <= number(row, 4) && number(row, 4) <= number(row, 6),
            "{row:?}"
        );
    }
    let at = |x: f64| {
        lines
            .iter()
            .find(|row| &row[0] == "Cost" && &row[1] == "r = 2, theory" && (number(row, 3) - x).abs() < 1e-9)
            .map(|row| number(row, 4))
            .unwrap()
    };
    assert!((at(0.1) - 1.11).abs() < 1e-12 && (at(1.0) - 3.0).abs() < 1e-12);
}

#[test]
fn the_files_do_not_depend_on_the_number_of_threads_and_do_on_the_seed() {
    let directory = tempfile::tempdir().unwrap();
    let contents = |name: &str, more: &[&str]| -> Vec<Vec<u8>> {
        let out = directory.path().join(name);
        draw(&out, more);
        names(&out)
            .iter()
            .map(|file| std::fs::read(out.join(file)).unwrap())
            .collect()
    };
    let one = contents("one", &["--threads", "1"]);
    assert_eq!(one, contents("two", &["--threads", "2"]));
    let other = contents("other", &["--seed", "2"]);
    assert!(one.iter().zip(&other).all(|(one, other)| one != other));
}

#[test]
fn the_json_form_names_figures_and_files() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let result = json(&[
        "figures", "--level", "quick", "--only", "L06", "--out", out, "--json",
    ]);
    assert_eq!(object_keys(&result), ["figures", "directory", "level", "seed"]);
    let figure = &result["figures"][0];
    assert_eq!(
        object_keys(figure),
        ["id", "document", "title", "claims", "files"]
    );
    assert_eq!(figure["document"], "lesson");
    for file in figure["files"].as_array().unwrap() {
        assert!(directory.path().join(file.as_str().unwrap()).exists());
    }
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("figures");
    let path = out.to_str().unwrap();
    fails_with(
        &["figures", "--out", path, "--only", "X*"],
        "no figure matches X*; give its id such as",
    );
    fails_with(&["figures", "--out", path, "--only", "["], "[ is not a pattern");
    fails_with(
        &["figures", "--out", path, "--level", "extreme"],
        "must be quick, standard or thorough",
    );
    fails_with(&["figures"], "--out <DIR>");
    let file = directory.path().join("file");
    std::fs::write(&file, "before").unwrap();
    fails_with(
        &["figures", "--out", file.to_str().unwrap()],
        "it is not a directory",
    );
    assert!(!out.exists());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
}

#[test]
fn ids_of_figures_are_unique_and_make_file_names() {
    let ids: BTreeSet<&str> = FIGURES.iter().map(|sketch| sketch.id).collect();
    assert_eq!(ids.len(), FIGURES.len());
    for id in ids {
        assert!(
            id.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
            "{id}"
        );
    }
}

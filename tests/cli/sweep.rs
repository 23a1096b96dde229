//! `retrylab sweep` and `retrylab merge` as a user meets them: killed, out of space, in parts, and exported.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::program::{fails_with, json, object_keys, retrylab, stdout};

const PLAN: &str = r#"name = "a test"
replications = 4
[scenario.traffic]
rate = 0.5
[scenario.client]
timeout = 5
[scenario.run]
until = 4000
[[axis]]
key = "client.attempts"
values = [1, 2, 3, 4]
[[axis]]
key = "traffic.rate"
from = 0.2
to = 0.7
steps = 6
"#;

fn written(directory: &Path, name: &str, text: &str) -> String {
    let path = directory.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn at(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().unwrap().to_owned()
}

/// Numbers that look random and are the same every time (Steele, Lea and Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Kills a sweep at 50 moments spread over the time that a whole one takes. Whenever one survives, its file must be, byte by
/// byte, that of a sweep that nobody disturbed, with nothing left beside it.
#[test]
fn a_sweep_that_is_killed_again_and_again_ends_with_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let plan = written(directory.path(), "plan.toml", PLAN);
    let whole = at(directory.path(), "whole.sqlite");
    let begin = Instant::now();
    stdout(&["sweep", &plan, "--results", &whole]);
    let duration = begin.elapsed();
    let expected = std::fs::read(&whole).unwrap();

    let beside = directory.path().join("killed");
    let killed = at(&beside, "results.sqlite");
    let (mut kills, mut wholes, mut state) = (0, 0, 1);
    while kills < 50 || wholes == 0 {
        std::fs::create_dir_all(&beside).unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("retrylab"));
        command.args(["sweep", &plan, "--results", &killed]);
        let mut child = command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let share = split_mix(&mut state) as f64 / u64::MAX as f64;
        // After 50 kills the last one may take its time.
        let patience = if kills < 50 {
            duration.mul_f64(share)
        } else {
            Duration::from_secs(60)
        };
        let begin = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if begin.elapsed() >= patience => break None,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        match status {
            None => {
                // SIGKILL, on Unix.
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
            Some(status) => {
                assert!(status.success(), "after {kills} kills");
                assert!(
                    std::fs::read(&killed).unwrap() == expected,
                    "another file after {kills} kills"
                );
                assert_eq!(
                    std::fs::read_dir(&beside).unwrap().count(),
                    1,
                    "something is left"
                );
                std::fs::remove_dir_all(&beside).unwrap();
                wholes += 1;
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_threads_and_come_from_one_file_later() {
    let directory = tempfile::tempdir().unwrap();
    let plan = written(directory.path(), "plan.toml", PLAN);
    let files: Vec<String> = ["1", "2", "5"]
        .map(|threads| {
            let file = at(directory.path(), &format!("{threads}.sqlite"));
            stdout(&["sweep", &plan, "--results", &file, "--threads", threads]);
            file
        })
        .into();
    let bytes = |file: &String| std::fs::read(file).unwrap();
    assert!(bytes(&files[0]) == bytes(&files[1]) && bytes(&files[0]) == bytes(&files[2]));

    let (csv, parquet, svg) = (
        at(directory.path(), "a.csv"),
        at(directory.path(), "a.parquet"),
        at(directory.path(), "svg"),
    );
    let exports = ["--csv", &csv, "--parquet", &parquet, "--svg", &svg];
    let text = stdout(&[&["sweep", files[0].as_str()], &exports[..]].concat());
    assert!(
        text.contains("24 of 24 points are in") && text.contains("success.svg"),
        "{text}"
    );
    let rows = csv::Reader::from_path(&csv).unwrap().records().count();
    assert_eq!(rows % 24, 0);
    assert!(std::fs::read(&parquet).unwrap().starts_with(b"PAR1"));
    let drawing = std::fs::read_to_string(PathBuf::from(&svg).join("success.svg")).unwrap();
    assert!(
        drawing.contains("traffic.rate") && drawing.contains("0.7"),
        "{drawing}"
    );
}

#[test]
fn parts_are_merged_to_the_whole() {
    let directory = tempfile::tempdir().unwrap();
    let plan = written(directory.path(), "plan.toml", PLAN);
    let whole = at(directory.path(), "whole.sqlite");
    stdout(&["sweep", &plan, "--results", &whole]);
    let parts: Vec<String> = (1..=3)
        .map(|part| {
            let file = at(directory.path(), &format!("{part}.sqlite"));
            stdout(&[
                "sweep",
                &plan,
                "--results",
                &file,
                "--shard",
                &format!("{part}/3"),
            ]);
            file
        })
        .collect();
    let merged = at(directory.path(), "merged.sqlite");
    let object = json(&["merge", &merged, &parts[1], &parts[0], &parts[2], "--json"]);
    assert_eq!(object["summary"]["points_done"], 24);
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&merged).unwrap());
    fails_with(
        &["merge", &merged, &parts[0]],
        "is there already; choose a new file for the whole",
    );
    fails_with(
        &["merge", &at(directory.path(), "new"), &parts[0]],
        "2 parts are missing",
    );
    let svg = at(directory.path(), "svg");
    fails_with(
        &["sweep", &parts[0], "--svg", &svg],
        "a part of a grid is not drawn; merge the parts",
    );
}

#[test]
fn the_json_object_has_the_documented_keys() {
    let directory = tempfile::tempdir().unwrap();
    let plan = written(
        directory.path(),
        "plan.toml",
        &PLAN.replace("steps = 6", "steps = 2"),
    );
    let object = json(&[
        "sweep",
        &plan,
        "--results",
        &at(directory.path(), "results.sqlite"),
        "--json",
    ]);
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let section = page
        .split("# What `retrylab sweep --json` prints")
        .nth(1)
        .unwrap();
    for key in object_keys(&object)
        .into_iter()
        .chain(object_keys(&object["points"][0]))
        .chain(object_keys(&object["summary"]))
    {
        assert!(
            section.contains(&format!("`{key}`")),
            "docs/json.md does not have {key}"
        );
    }
    assert_eq!(object["points"].as_array().unwrap().len(), 8);
    assert_eq!(object["points"][3]["settings"]["traffic.rate"]["number"], 0.7);
    assert_eq!(object["summary"]["points_computed"], 8);
}

/// Writing beyond a limit fails as it does on a full disk.
#[cfg(unix)]
#[test]
fn what_was_computed_before_the_disk_was_full_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let plan = written(directory.path(), "plan.toml", PLAN);
    let whole = at(directory.path(), "whole.sqlite");
    stdout(&["sweep", &plan, "--results", &whole]);
    let file = at(directory.path(), "full.sqlite");
    let limited = |blocks: u32| {
        let program = assert_cmd::cargo::cargo_bin!("retrylab").display().to_string();
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" sweep \"$1\" --results \"$2\"");
        std::process::Command::new("sh")
            .args(["-c", &script, &program, &plan, &file])
            .output()
            .unwrap()
    };
    // POSIX counts in blocks of 512 bytes: more than the empty file, less than the whole.
    let blocks = u32::try_from(std::fs::metadata(&whole).unwrap().len() * 2 / 3 / 512).unwrap();
    let output = limited(blocks);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(stderr.contains("full.sqlite cannot be written"), "{stderr}");
    assert!(
        stderr.contains("of 24 points are kept") && !stderr.contains("panicked"),
        "{stderr}"
    );
    stdout(&["sweep", &plan, "--results", &file]);
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&file).unwrap());
}

#[test]
fn what_is_no_plan_or_no_place_for_results_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().to_str().unwrap();
    let plan = written(directory.path(), "plan.toml", PLAN);
    let empty = written(directory.path(), "empty.toml", "");
    let axis = "[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2]\n";
    let lost = written(
        directory.path(),
        "lost.toml",
        &format!("scenario = \"none.toml\"\n{axis}"),
    );
    written(directory.path(), "broken-scenario.toml", "[traffic]\nrate = 0\n");
    let broken = written(
        directory.path(),
        "broken.toml",
        &format!("scenario = \"broken-scenario.toml\"\n{axis}"),
    );
    let results = at(directory.path(), "results.sqlite");
    fails_with(
        &["sweep", "no-such-plan.toml"],
        "there is no plan called no-such-plan.toml",
    );
    fails_with(&["sweep", folder], "is a directory, but a plan is a TOML file");
    fails_with(
        &["sweep", &empty, "--results", &results],
        "missing key scenario in a plan",
    );
    fails_with(
        &["sweep", &lost, "--results", &results],
        "neither a built-in scenario nor a file beside the plan",
    );
    fails_with(
        &["sweep", &broken, "--results", &results],
        "traffic.rate is 0, but must be a finite rate above 0",
    );
    fails_with(
        &["sweep", &plan, "--results", &plan],
        "--results is the plan itself",
    );
    fails_with(
        &["sweep", &plan, "--results", folder],
        "is a directory, but results go into a file",
    );
    fails_with(
        &["sweep", &plan, "--results", &at(directory.path(), "no/where")],
        "there is no directory",
    );
    fails_with(
        &["sweep", &plan, "--results", &empty, "--shard", "3/2"],
        "it must be a part and their number",
    );
    fails_with(
        &["sweep", &plan, "--csv", folder],
        "is there and is not a regular file",
    );
    assert!(
        !Path::new(&results).exists(),
        "nothing is written for a plan that is none"
    );
    let seeded = written(directory.path(), "seeded.toml", &format!("seed = 7\n{PLAN}"));
    for seed in ["1", "8"] {
        fails_with(
            &["sweep", &seeded, "--seed", seed, "--results", &results],
            &format!("the plan has the seed 7, so --seed {seed} cannot hold"),
        );
    }
    let text = written(
        directory.path(),
        "text.sqlite",
        &"no database at all ".repeat(100),
    );
    fails_with(&["sweep", &plan, "--results", &text], "is not an SQLite file");
    retrylab(&["sweep", &plan, "--results", &results])
        .assert()
        .code(0);
    let other = written(directory.path(), "other.toml", &PLAN.replace("0.7", "0.6"));
    fails_with(
        &["sweep", &other, "--results", &results],
        "are of another plan, or of this one before it was changed",
    );
    fails_with(
        &["sweep", &results, "--shard", "1/2"],
        "is a results file, from which there are only exports",
    );
}

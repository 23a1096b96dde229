//! `retrylab verify --calibrate N`: how often verdicts and intervals err, under fresh seeds.

use std::process::ExitCode;

use retrylab_verify::calibration::{Calibration, Coverage, Rate, calibrate};
use retrylab_verify::report::numbers;
use retrylab_verify::{Claim, Plan};

use crate::arguments::Options;
use crate::commands::advance::Advance;
use crate::failure::{CHECK_FAILED, Failure};
use crate::output_directory::OutputDirectory;
use crate::{output, progress, text_table};

/// Repeats whole runs and counts what went wrong.
pub(super) fn run(
    claims: &[Claim],
    plan: &Plan,
    runs: u64,
    directory: &OutputDirectory,
    options: &Options,
) -> Result<ExitCode, Failure> {
    let advance = Advance::new(0);
    let found = calibrate(claims, plan, runs, &advance).map_err(|error| Failure::new(error.to_string()))?;
    advance.finish();
    let document = serde_json::to_string_pretty(&found)
        .map(|text| text + "\n")
        .map_err(|error| Failure::new(format!("the result cannot be written as JSON: {error}")))?;
    directory.write([("calibration.json", document.as_bytes())].into_iter())?;
    if options.json {
        output::print(&document)?;
        progress::note(&format!("calibration.json is in {}", directory.shown()));
    } else {
        output::print(&text(&found, directory))?;
    }
    Ok(if found.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(CHECK_FAILED)
    })
}

fn text(found: &Calibration, directory: &OutputDirectory) -> String {
    let mut text = format!(
        "{} whole runs at the {} level, seeds derived from {}\n",
        numbers::count(found.runs.false_alarms.trials),
        found.level,
        found.seed
    );
    let mut runs = text_table::plain();
    for (what, rate) in [
        (
            format!(
                "runs with a false alarm, stated {}",
                numbers::number(found.runs.family_error)
            ),
            &found.runs.false_alarms,
        ),
        (
            "wrong verdicts among all verdicts".to_owned(),
            &found.runs.false_verdicts,
        ),
        (
            "runs that left a number inconclusive".to_owned(),
            &found.runs.inconclusive,
        ),
    ] {
        runs.add_row([what, share(rate), range(rate)]);
    }
    text.push_str(&text_table::text(&runs));
    for alarm in &found.runs.alarms {
        text.push_str(&format!(
            "\n{}, {}: {} where {} is recorded (--seed {})",
            alarm.claim, alarm.label, alarm.found, alarm.recorded, alarm.seed
        ));
    }
    text.push_str("\n\nIntervals that missed a known answer, of those formed\n");
    for same in found.coverage.chunk_by(|one, next| heading(one) == heading(next)) {
        let mut table = text_table::plain();
        table.add_row([heading(&same[0])]);
        text.push_str(&format!("\n{}\n", text_table::text(&table)));
        let mut table = text_table::plain();
        for coverage in same {
            table.add_row(row(coverage));
        }
        text.push_str(&text_table::text(&table));
    }
    let verdict = if found.holds() {
        "Everything is compatible with what is stated"
    } else {
        "Something errs more often than is stated"
    };
    text.push_str(&format!(
        "\n{verdict}.\ncalibration.json is in {}.\n",
        directory.shown()
    ));
    text
}

/// What was measured, from how much, and how.
fn heading(coverage: &Coverage) -> String {
    let looks = match coverage.looks {
        1 => String::new(),
        looks => format!("any of {looks} looks at up to "),
    };
    format!(
        "{}, {looks}{} replications: {}",
        coverage.quantity,
        numbers::count(coverage.replications),
        coverage.method
    )
}

fn row(coverage: &Coverage) -> [String; 5] {
    let misses = &coverage.misses;
    [
        format!("  at most {} %", numbers::number(100.0 * coverage.nominal_error)),
        format!("observed {}", percent(misses.count as f64 / misses.trials as f64)),
        range(misses),
        if coverage.holds { "holds" } else { "FAILS" }.to_owned(),
        match coverage.silent {
            0 => String::new(),
            silent => format!("{} silent", percent(silent as f64 / misses.trials as f64)),
        },
    ]
}

fn share(rate: &Rate) -> String {
    format!(
        "{} of {}",
        numbers::count(rate.count),
        numbers::count(rate.trials)
    )
}

fn range(rate: &Rate) -> String {
    format!("({} to {})", percent(rate.low), percent(rate.high))
}

fn percent(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}

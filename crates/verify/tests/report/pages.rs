//! The documents' pages.

use retrylab_sim::calls::Calls;
use retrylab_verify::statistics::Margin;
use retrylab_verify::{
    Claim, ComputedNumber, Document, Estimator, Experiment, Level, Part, Quote, Runs, Verdict, report,
};

fn experiment() -> Experiment {
    let calls = Calls::new(0.1, 2).unwrap();
    Experiment::calls(calls, "attempts", Estimator::Ratio, |record| {
        (record.attempts() as f64, record.requests() as f64)
    })
}

fn computed(value: f64) -> ComputedNumber {
    ComputedNumber {
        value,
        formula: "1 + p + p²".to_owned(),
        source: "geometric series".to_owned(),
        command: "retrylab compute amplification failure_probability=0.1 retries=2".to_owned(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "R01",
            Document::RetryStorms,
            "Retries cost 1.11 attempts | or so.",
        )
        .part(
            Part::new("attempts")
                .quoted(Quote::printed("1.11"))
                .computed(computed(1.11))
                .equivalent(
                    experiment(),
                    Margin::Relative(0.002),
                    "tells 1.11 from 1.1 and 1.111",
                ),
        )
        .part(Part::new("at least").at_least(experiment(), 1.0, "the first attempt always happens"))
        .open_parameter("Timeout: 50.")
        .beyond("A *closed* form."),
        Claim::new("R02", Document::RetryStorms, "Nothing recovers.")
            .remark("It does.")
            .part(
                Part::new("share of runs")
                    .quoted(Quote::runs("never", Runs::HardlyAny))
                    .measured(experiment())
                    .recorded(Verdict::NotReproduced),
            )
            .part(
                Part::new("fewest")
                    .at_least(experiment(), 2.0, "a retry for every request")
                    .from_level(Level::Thorough)
                    .recorded(Verdict::NotReproduced),
            )
            .part(
                Part::new("most")
                    .at_most(experiment(), 0.5, "every other request is lost")
                    .recorded(Verdict::NotReproduced),
            )
            .part(
                Part::new("attempts")
                    .quoted(Quote::printed("1.2"))
                    .computed(computed(1.11))
                    .equivalent(experiment(), Margin::Relative(0.002), "tells 1.11 from 1.2")
                    .recorded(Verdict::NotReproduced),
            ),
    ]
}

fn page(path: &str) -> String {
    let pages = report::pages(&claims());
    pages.into_iter().find(|page| page.path == path).unwrap().contents
}

#[test]
fn there_is_a_page_for_each_document_and_one_for_all() {
    let paths: Vec<String> = report::pages(&[]).into_iter().map(|page| page.path).collect();
    assert_eq!(
        paths,
        [
            "README.md",
            "lesson.md",
            "three-attempts.md",
            "helping-clients.md",
            "retry-storms.md",
            "stop-retrying.md",
            "beyond.md"
        ]
    );
    let index = page("README.md");
    assert!(index.contains("2 claims: 1 agrees, 1 not reproduced."), "{index}");
    assert!(
        index.contains("(retry-storms.md) | R01–R02 | 1 agrees, 1 not reproduced |"),
        "{index}"
    );
}

#[test]
fn a_page_reads_like_this() {
    let page = page("retry-storms.md");
    let expected = r"## What it says

| Claim | Verdict | Statement |
| --- | --- | --- |
| [R01](#r01) | ✓ agrees | Retries cost 1.11 attempts \| or so. |
| [R02](#r02) | ≠ not reproduced | Nothing recovers. |

## What was not confirmed, and why

### R02

Nothing recovers.

| Number | Quoted | Computed | Simulation | Verdict |
| --- | --- | --- | --- | --- |
| share of runs | never (0 to 0.1) |  | not within the quoted range | ≠ not reproduced |
| fewest |  |  | below 2 (from level thorough on) | ≠ not reproduced |
| most |  |  | above 0.5 | ≠ not reproduced |
| attempts | 1.2 | 1.11 | as computed, within 0.2 % | ≠ not reproduced |

It does.

## What was confirmed

### R01

Retries cost 1.11 attempts \| or so.

| Number | Quoted | Computed | Simulation | Verdict |
| --- | --- | --- | --- | --- |
| attempts | 1.11 | 1.11 | as computed, within 0.2 % | ✓ agrees |
| at least |  |  | at least 1 | ✓ agrees |

## What it leaves open

- **R01.** Timeout: 50.

## What we found beyond it

- **R01.** A \*closed\* form.
";
    assert_eq!(&page[page.find("## What it says").unwrap()..], expected);
    for paragraph in Document::RetryStorms.setting() {
        assert!(page.contains(paragraph), "{paragraph}");
    }
}

#[test]
fn a_document_without_claims_has_no_empty_headings() {
    let page = page("lesson.md");
    assert!(
        page.contains("## What it says") && !page.contains("## What was"),
        "{page}"
    );
}

#[test]
fn a_number_that_differs_from_the_computed_one_is_not_called_as_computed() {
    let claim = Claim::new("R01", Document::RetryStorms, "Retries cost 2.22 attempts.").part(
        Part::new("attempts")
            .computed(computed(2.22))
            .equivalent(experiment(), Margin::Absolute(1.0), "tells 1.11 from 2.22")
            .recorded(Verdict::DoesNotAgree),
    );
    let pages = report::pages(&[claim]);
    let page = pages.iter().find(|page| page.path == "retry-storms.md").unwrap();
    let row = "| attempts |  | 2.22 | not as computed, within 1 |";
    assert!(page.contents.contains(row), "{}", page.contents);
}

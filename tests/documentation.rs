//! What the documentation says about the project is what the project is.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its page has failed")]

use std::path::Path;

use retrylab::verify::{Verdict, claims};

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// A text with every run of white space as one space, so that line breaks do not matter.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let readme = page("README.md");
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .take(2)
        .collect();
    assert_eq!(commands, ["cargo run --release -- verify", "cargo test"]);
}

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let readme = page("README.md");
    let shown = readme
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    assert_eq!(shown, page("examples/web-api.toml"));
}

#[test]
fn the_readme_names_the_claims_that_are_not_reproduced() {
    let claims = claims::all();
    let recorded = |verdict| -> Vec<&str> {
        let parts = |claim: &&retrylab::verify::Claim| {
            Verdict::worst(claim.parts.iter().map(|part| part.recorded)) == verdict
        };
        claims.iter().filter(parts).map(|claim| claim.id).collect()
    };
    let (agree, missed) = (recorded(Verdict::Agrees), recorded(Verdict::NotReproduced));
    assert_eq!(
        agree.len() + missed.len(),
        claims.len(),
        "other verdicts are recorded, too"
    );
    let (last, others) = missed.split_last().unwrap();
    let sentence = format!(
        "Of {} claims {} agree; {} and {last} are not reproduced.",
        claims.len(),
        agree.len(),
        others.join(", ")
    );
    assert!(
        flowing(&page("README.md")).contains(&sentence),
        "README.md does not say: {sentence}"
    );
}

#[test]
fn the_glossary_explains_every_verdict() {
    let glossary = page("docs/glossary.md");
    for verdict in Verdict::ALL {
        assert!(glossary.contains(&format!("| {verdict} |")), "{verdict}");
    }
}

//! The HTML page: whole, self-contained, escaped.

use retrylab_verify::{Document, Outcome, Verdict, report};

use crate::sample;
use crate::tags::balanced;

fn page() -> String {
    report::html(&sample::outcome(), &sample::figures())
}

/// Text between the start of an element with this id and the start of the next claim.
fn card<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!("id=\"{id}\"")).unwrap();
    let end = page[start..].find("</article>").unwrap();
    &page[start..start + end]
}

#[test]
fn tags_are_balanced_and_ids_unique_and_linked() {
    let page = page();
    let tags = balanced(&page);
    let attribute = |attributes: &str, name: &str| {
        let start = format!(" {attributes}").find(&format!(" {name}=\""))? + name.len() + 2;
        attributes[start..].split('"').next().map(str::to_owned)
    };
    let mut ids: Vec<String> = tags
        .iter()
        .filter_map(|(_, rest)| attribute(rest, "id"))
        .collect();
    for (_, rest) in &tags {
        if let Some(target) = attribute(rest, "href") {
            assert!(ids.iter().any(|id| format!("#{id}") == target), "{target}");
        }
        for target in attribute(rest, "aria-labelledby")
            .iter()
            .flat_map(|targets| targets.split(' '))
        {
            assert!(ids.iter().any(|id| id == target), "{target}");
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
}

#[test]
fn nothing_is_fetched_or_executed() {
    let page = page();
    for forbidden in [
        "http:",
        "https:",
        "<script",
        "<link",
        "<img",
        "@import",
        "url(",
        "javascript:",
    ] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn headings_are_in_order() {
    let mut last = 0;
    for (name, _) in balanced(&page()) {
        let level = name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok());
        if let Some(level) = level {
            assert!(level <= last + 1, "h{level} after h{last}");
            last = level;
        }
    }
    assert!(last > 0);
}

#[test]
fn every_claim_shows_its_numbers_verdict_and_evidence() {
    let page = page();
    for claim in &sample::outcome().claims {
        let card = card(&page, claim.id);
        assert!(card.contains(claim.verdict().words()), "{}", claim.id);
        assert!(card.contains(&format!("retrylab verify --only {} ", claim.id)));
    }
    let success = card(&page, "T02");
    for expected in [
        "0.863 ± 0.002",
        "0.8605 to 0.8655",
        "0.864665",
        "0.86461",
        "0.86392 to 0.86530",
        "99.9993 %",
        "1 − exp(−(service_rate − arrival_rate) · time)",
        "Kleinrock",
        "retrylab compute mm1",
        "within 0.5 %",
        "400 replications",
        "25,734,118 attempts",
        "8127406251938110471",
        "[traffic]",
        "retrylab simulate scenario.toml --seed 8127406251938110471 --replications 400",
    ] {
        assert!(success.contains(expected), "{expected}");
    }
    assert!(
        !card(&page, "L02").contains("retrylab simulate"),
        "what is no scenario cannot be simulated"
    );
}

#[test]
fn surprises_are_announced_at_the_top_and_absent_without_any() {
    let page = page();
    assert_eq!(
        page.matches("Not as recorded").count(),
        3,
        "at the top and on two claims"
    );
    assert!(card(&page, "T29").contains("does not agree instead of agrees."));
    let mut outcome = sample::outcome();
    let latency = outcome.claims.iter_mut().find(|claim| claim.id == "T01").unwrap();
    latency.parts[1].verdict = Verdict::Inconclusive;
    let page = report::html(&outcome, &[]);
    assert!(card(&page, "T01").contains("inconclusive instead of agrees (1 of 3 numbers)."));
    for part in outcome.claims.iter_mut().flat_map(|claim| &mut claim.parts) {
        part.recorded_verdict = part.verdict;
    }
    let page = report::html(&outcome, &[]);
    assert!(!page.contains("Not as recorded"));
    assert!(page.contains("Every verdict is the recorded one."));
}

#[test]
fn every_figure_is_an_image_with_a_description() {
    let page = page();
    let panels: usize = sample::figures().iter().map(|figure| figure.panels.len()).sum();
    assert_eq!(page.matches("role=\"img\"").count(), panels);
    assert_eq!(page.matches("<desc ").count(), panels);
    for figure in sample::figures() {
        assert!(page.contains(&format!("id=\"figure-{}\"", figure.id)));
        assert!(page.contains(&figure.title));
    }
    assert!(!page.contains("#01"), "no reserved colour is left");
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "</code></pre><script>alert(\"1\")</script>&amp;'";
    let mut outcome = sample::outcome();
    let mut figures = sample::figures();
    let claim = &mut outcome.claims[1];
    claim.remarks = vec![hostile.to_owned()];
    for part in &mut claim.parts {
        part.label = hostile.to_owned();
        part.criterion = hostile.to_owned();
        part.quoted.as_mut().unwrap().text = hostile.to_owned();
        part.computed.as_mut().unwrap().formula = hostile.to_owned();
        part.measured.as_mut().unwrap().scenario = hostile.to_owned();
    }
    figures[0].figure.title = hostile.to_owned();
    figures[0].figure.panels[0].x.label = hostile.to_owned();
    figures[0].figure.panels[0].series[0].name = hostile.to_owned();
    let page = report::html(&outcome, &figures);
    balanced(&page);
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;"));
}

#[test]
fn an_empty_run_says_so() {
    let outcome = Outcome {
        claims: vec![],
        unfinished: Vec::new(),
        level: "quick",
        seed: 1,
        family_error: 0.001,
        attempts: 0,
    };
    let page = report::html(&outcome, &[]);
    balanced(&page);
    assert!(page.contains("No claim was checked."));
    assert_eq!(outcome.count(Verdict::Agrees), 0);
}

#[test]
fn figures_stand_before_the_first_claim_that_they_illustrate() {
    let outcome = sample::outcome();
    let mut figures = sample::figures();
    // An id that is not there, the second claim of the document, and one that comes later.
    figures[1].claims = &["T99", "T04", "T02"];
    let (first, second) = (&figures[0].id, &figures[1].id);
    let page = report::html(&outcome, &figures);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not there"));
    let ids: Vec<&str> = outcome.claims.iter().map(|claim| claim.id).collect();
    let beside = ids.iter().find(|id| ["T02", "T04"].contains(id)).unwrap();
    let before = ids[ids.iter().position(|id| id == beside).unwrap() - 1];
    let figure = at(&format!(" id=\"figure-{second}\""));
    assert!(at(&format!("id=\"{before}\"")) < figure && figure < at(&format!("id=\"{beside}\"")));
    let link = format!("href=\"#figure-{second}\"");
    for id in &ids {
        let linked = card(&page, id).contains(&link);
        assert_eq!(linked, ["T02", "T04"].contains(id), "{id}");
    }
    // A figure of no claim comes first in its section, and each is there once.
    assert!(at(&format!("id=\"figure-{first}\"")) < at(&format!("id=\"{}\"", ids[0])));
    assert_eq!(page.matches("<figure ").count(), figures.len());
}

#[test]
fn what_is_open_and_what_was_found_have_headings_of_their_own() {
    let mut outcome = sample::outcome();
    assert!(!page().contains("Left open by the document"));
    outcome.claims[1].open_parameters = vec!["Timeout: 50.".to_owned()];
    outcome.claims[1].beyond = vec!["A closed form.".to_owned()];
    let id = outcome.claims[1].id;
    let page = report::html(&outcome, &[]);
    balanced(&page);
    let card = card(&page, id);
    let at = |text: &str| card.find(text).unwrap_or_else(|| panic!("{text} is not there"));
    assert!(at("Left open by the document") < at("Timeout: 50."));
    assert!(
        at("Timeout: 50.") < at("Beyond the document") && at("Beyond the document") < at("A closed form.")
    );
    let text = report::markdown(&outcome, &[]);
    assert!(
        text.contains("\n\nBeyond the document:\n\n- A closed form.\n\n"),
        "{text}"
    );
}

#[test]
fn long_tables_are_folded_away_unless_they_have_a_surprise() {
    let mut outcome = sample::outcome();
    let claim = outcome.claims.iter_mut().find(|claim| claim.id == "T01").unwrap();
    let part = claim.parts[0].clone();
    let first = claim.parts.len();
    for number in first..9 {
        let mut part = part.clone();
        part.label = format!("number {number}");
        claim.parts.push(part);
    }
    let page = report::html(&outcome, &[]);
    balanced(&page);
    assert!(card(&page, "T01").contains("<details><summary>9 numbers: 9 agree</summary><table"));
    let claim = outcome.claims.iter_mut().find(|claim| claim.id == "T01").unwrap();
    claim.parts[4].verdict = Verdict::Inconclusive;
    let page = report::html(&outcome, &[]);
    assert!(
        card(&page, "T01")
            .contains("<details open><summary>9 numbers: 8 agree, 1 inconclusive</summary><table")
    );
}

#[test]
fn a_reader_finds_settings_words_and_meanings() {
    let page = page();
    for document in [Document::Lesson, Document::ThreeAttempts] {
        for paragraph in document.setting() {
            assert!(page.contains(&paragraph.replace('"', "&quot;")), "{paragraph}");
        }
    }
    assert!(page.contains("<a href=\"#word-stuck-line\">stuck line</a>"));
    assert!(page.contains("<div id=\"word-stuck-line\"><dt>stuck line</dt><dd>"));
    assert!(page.contains("<em>Full jitter</em>"));
}

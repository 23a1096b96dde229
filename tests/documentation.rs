//! What the documentation says about the project is what the project is.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its page has failed")]

use std::path::{Path, PathBuf};

use retrylab::verify::{Document, Verdict, claims, report};

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
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

/// The pages of the documents are what the claims say.
#[test]
fn the_pages_of_the_documents_are_the_claims() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/documents");
    let pages = report::pages(&claims::all());
    for written in &pages {
        let committed = std::fs::read_to_string(folder.join(&written.path)).unwrap_or_default();
        let difference = committed
            .lines()
            .chain(std::iter::repeat(""))
            .zip(written.contents.lines())
            .find(|(committed, written)| committed != written);
        assert!(
            committed == written.contents,
            "docs/documents/{} is not what the claims say; write it anew with\n    cargo run --release -- verify --pages \
             docs/documents\nThe first difference: {difference:#?}",
            written.path
        );
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, pages.len(), "a page that belongs to no document");
}

#[test]
fn the_readme_links_every_document() {
    let readme = page("README.md");
    for document in Document::ALL {
        let link = format!("[`{document}`](docs/documents/{document}.md)");
        assert!(readme.contains(&link), "{link}");
    }
}

#[test]
fn the_glossary_explains_every_verdict() {
    let glossary = page("docs/glossary.md");
    for verdict in Verdict::ALL {
        assert!(glossary.contains(&format!("| {verdict} |")), "{verdict}");
    }
}

/// Every Markdown page and every source, with its path.
fn texts() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !name.starts_with("target") && !name.ends_with("-report") {
                    collect(&path, texts);
                }
            } else if ["md", "rs", "toml", "py"]
                .iter()
                .any(|kind| name.ends_with(&format!(".{kind}")))
            {
                texts.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut texts = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), &mut texts);
    texts
}

#[test]
fn nothing_is_left_for_later() {
    // In pieces, so that this file does not contain them.
    let placeholders = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["XX", "X"],
        ["TB", "D"],
        ["Not", "Yet"],
        ["coming ", "soon"],
        ["lorem ", "ipsum"],
    ]
    .map(|pieces| pieces.concat());
    let texts = texts();
    assert!(texts.len() > 100, "only {} texts were found", texts.len());
    for (path, text) in texts {
        for (index, line) in text.lines().enumerate() {
            for word in &placeholders {
                // A whole word: longer names may contain one.
                let found = line.match_indices(word.as_str()).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    let after = line[at + word.len()..].chars().next();
                    !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
                });
                assert!(!found, "{}:{}: {line}", path.display(), index + 1);
            }
        }
    }
}

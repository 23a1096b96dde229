//! The project's glossary, as its page has it.

/// The page itself: there is one glossary, and reports show what it says.
const PAGE: &str = include_str!("../../../../docs/glossary.md");

/// A part of the glossary.
pub(super) struct Chapter {
    /// Its heading.
    pub(super) title: &'static str,
    /// Its words with their meanings, in Markdown.
    pub(super) entries: Vec<Entry>,
}

/// A word and what it means.
pub(super) struct Entry {
    /// The word, or several for the same, as the page spells them.
    pub(super) word: &'static str,
    /// Its meaning; words between asterisks are emphasised.
    pub(super) meaning: &'static str,
}

/// The chapters of the glossary.
pub(super) fn chapters() -> Vec<Chapter> {
    PAGE.split("\n## ")
        .skip(1)
        .map(|chapter| {
            let mut lines = chapter.lines();
            let title = lines.next().unwrap_or_default();
            // The first two rows of a table are its head and the rule below.
            let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
            let entries = rows
                .skip(2)
                .filter_map(|row| row.split_once(" | "))
                .map(|(word, meaning)| Entry { word, meaning })
                .collect();
            Chapter { title, entries }
        })
        .collect()
}

/// The name by which links find a word.
pub(super) fn anchor(word: &str) -> String {
    let mut anchor = "word".to_owned();
    for part in word
        .split(|character: char| !character.is_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        anchor.push('-');
        anchor.push_str(&part.to_lowercase());
    }
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn the_page_is_read_whole() {
        let chapters = chapters();
        let entries: Vec<&Entry> = chapters.iter().flat_map(|chapter| &chapter.entries).collect();
        let rows = PAGE.lines().filter(|line| line.starts_with("| ")).count();
        // Each chapter has a head and a rule.
        assert_eq!(entries.len(), rows - 2 * chapters.len());
        assert_eq!(chapters[0].title, "Requests and attempts");
        assert_eq!(entries[0].word, "request");
        assert!(entries[0].meaning.starts_with("What a user wants once."));
    }

    #[test]
    fn the_words_of_documents_are_in_it() {
        let chapters = chapters();
        for document in Document::ALL {
            for &word in document.words() {
                let known = chapters
                    .iter()
                    .flat_map(|chapter| &chapter.entries)
                    .any(|entry| entry.word == word);
                assert!(known, "{document}: {word}");
            }
        }
    }

    #[test]
    fn anchors_are_words_with_hyphens() {
        assert_eq!(anchor("load (ρ)"), "word-load-ρ");
        assert_eq!(anchor("sojourn time, latency"), "word-sojourn-time-latency");
    }
}

//! What `retrylab assess` prints for people.

use retrylab_assess::{Assessment, Evidence, Remedy, Section, Sentence, Service};

use crate::text_table;

/// What is assessed.
pub(crate) fn heading(service: &Service) -> String {
    match service.spec().name.as_str() {
        "" => String::new(),
        name => wrapped(name),
    }
}

/// A section, each sentence a paragraph.
pub(crate) fn section(section: &Section) -> String {
    let sentences: String = section.sentences.iter().map(item).collect();
    format!("\n{}\n{sentences}", section.title)
}

fn item(sentence: &Sentence) -> String {
    let mut table = text_table::plain();
    table.add_row(["-".to_owned(), sentence.unbroken()]);
    text_table::text(&table)
}

fn wrapped(text: &str) -> String {
    let mut table = text_table::plain();
    table.add_row([text]);
    text_table::text(&table)
}

/// The remedies as a table, and the verdict.
pub(crate) fn conclusion(assessment: &Assessment) -> String {
    format!(
        "\n{}\n{}",
        remedies(assessment),
        wrapped(&assessment.verdict.unbroken())
    )
}

fn remedies(assessment: &Assessment) -> String {
    let mut table = text_table::plain();
    table.set_header([
        "",
        "remedy",
        "comes back",
        "after",
        "lost",
        "normal day",
        "capacity",
    ]);
    let best = |remedy: &&Remedy| remedy.is_best_of_kind;
    for remedy in assessment.remedies.iter().filter(best) {
        let comparison = &remedy.comparison;
        let shown = |evidence: &Evidence| evidence.clone().plainly().shown.replace(' ', "\u{a0}");
        let mark = if remedy.is_recommended { "+" } else { " " };
        table.add_row([
            mark.to_owned(),
            remedy.name.unbroken(),
            shown(&comparison.comes_back),
            comparison
                .time_to_recover
                .as_ref()
                .map_or_else(|| comparison.not_back(&assessment.course), shown),
            shown(&comparison.lost),
            comparison.normal_success.as_ref().map_or_else(String::new, shown),
            format!("× {}", shown(&comparison.capacity)),
        ]);
    }
    text_table::text(&table)
}

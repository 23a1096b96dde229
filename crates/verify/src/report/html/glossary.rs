//! The glossary at the end of the page, and links to it.

use maud::{Markup, html};

use crate::document::Document;
use crate::report::glossary::{anchor, chapters};

/// Links to the words that a document's claims use.
pub(super) fn words(document: Document) -> Markup {
    html! {
        p.words {
            "Words: "
            @for (index, word) in document.words().iter().enumerate() {
                @if index > 0 { ", " }
                a href={ "#" (anchor(word)) } { (word) }
            }
            "."
        }
    }
}

/// Every word with its meaning.
pub(super) fn section() -> Markup {
    html! {
        section.document aria-labelledby="glossary" {
            h2 id="glossary" { "Glossary" }
            @for chapter in chapters() {
                h3 { (chapter.title) }
                dl.glossary {
                    @for entry in &chapter.entries {
                        div id=(anchor(entry.word)) {
                            dt { (entry.word) }
                            dd { (emphasised(entry.meaning)) }
                        }
                    }
                }
            }
        }
    }
}

/// Text in which words between asterisks are emphasised.
fn emphasised(text: &str) -> Markup {
    html! {
        @for (index, piece) in text.split('*').enumerate() {
            @if index % 2 == 1 { em { (piece) } } @else { (piece) }
        }
    }
}

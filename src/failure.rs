//! Why the program could not do what it was asked, said once on standard error.

use std::io::{IsTerminal, Write};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use retrylab_model::TextError;
use thiserror::Error;

/// Exit status when everything is as it should be.
pub(crate) const SUCCESS: u8 = 0;
/// Exit status when a claim or check failed.
pub(crate) const CHECK_FAILED: u8 = 1;
/// Exit status after bad input or usage.
pub(crate) const BAD_INPUT: u8 = 2;

/// Longest line of a text that is shown as a snippet.
const SNIPPET_WIDTH_MAX: usize = 200;
/// Width at which sentences wrap.
const WIDTH: usize = 80;

/// Bad input, or an output that could not be written.
#[derive(Debug)]
pub(crate) enum Failure {
    /// One sentence.
    Sentence(String),
    /// A sentence about a place in a text.
    InText(Box<Mistake>),
}

/// A mistake in a text.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct Mistake {
    message: String,
    source_code: NamedSource<String>,
    span: std::ops::Range<usize>,
}

impl Diagnostic for Mistake {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source_code)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new_with_span(None, self.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}

impl Failure {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self::Sentence(sentence.into())
    }

    /// What is wrong with `text`, which is the file or scenario called `name`.
    pub(crate) fn in_text(error: &TextError, name: &str, text: &str) -> Self {
        if let Some(setting) = error.setting() {
            return Self::Sentence(format!("{}: {}", setting.on_command_line(), error.message()));
        }
        let Some(span) = error.span() else {
            return Self::Sentence(format!("{name}: {}", error.message()));
        };
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        if line.len() > SNIPPET_WIDTH_MAX {
            let number = before.matches('\n').count() + 1;
            return Self::Sentence(format!("{name}, line {number}: {}", error.message()));
        }
        // A table's header stands for the whole table; one line is enough to point at.
        let end = span.end.min(line_start + line.len()).max(span.start);
        Self::InText(Box::new(Mistake {
            message: error.message().to_owned(),
            source_code: NamedSource::new(name, text.to_owned()),
            span: span.start..end,
        }))
    }

    /// Says it on standard error.
    pub(crate) fn report(&self) {
        let colours = !is_colour_unwanted() && (std::io::stderr().is_terminal() || is_colour_forced());
        // Nobody is left to tell when standard error is closed.
        let _ = std::io::stderr().write_all(self.text(colours).as_bytes());
    }

    fn text(&self, colours: bool) -> String {
        match self {
            Self::Sentence(sentence) => format!("error: {sentence}\n"),
            Self::InText(mistake) => {
                let theme = if colours {
                    GraphicalTheme::unicode()
                } else {
                    GraphicalTheme::unicode_nocolor()
                };
                let handler = GraphicalReportHandler::new_themed(theme)
                    .with_links(false)
                    .with_width(WIDTH);
                let mut text = String::new();
                match handler.render_report(&mut text, mistake.as_ref()) {
                    Ok(()) => text,
                    Err(_) => format!("error: {mistake}\n"),
                }
            }
        }
    }
}

impl From<retrylab_analytic::ArgumentError> for Failure {
    fn from(error: retrylab_analytic::ArgumentError) -> Self {
        Self::Sentence(error.to_string())
    }
}

/// Whether the environment asks for no colours (no-color.org).
pub(crate) fn is_colour_unwanted() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the environment asks for colours where there is no terminal (bixense.com/clicolors).
fn is_colour_forced() -> bool {
    std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use retrylab_model::Scenario;

    use super::*;

    fn text_of(scenario: &str) -> Option<String> {
        let error = Scenario::from_toml(scenario).err()?;
        Some(Failure::in_text(&error, "mine.toml", scenario).text(false))
    }

    proptest! {
        #[test]
        fn every_mistake_can_be_shown(text in "(\\PC|[\n\r\t=\\[\\]{}\"'.#]|traffic|rate|client|0){0,40}") {
            if let Some(shown) = text_of(&text) {
                prop_assert!(!shown.trim().is_empty());
            }
        }
    }

    #[test]
    fn a_mistake_at_the_end_of_a_text_can_be_shown() {
        for text in [
            "",
            "\n",
            "[traffic",
            "[traffic]\nrate =",
            "[traffic]\nrate = \n",
            "[traffic]\r\nrate = 0\r\n",
            "\u{feff}",
        ] {
            let shown = text_of(text).unwrap();
            assert!(shown.contains("mine.toml"), "{text:?}: {shown}");
        }
    }
}

//! What a claim is: numbers of a document, each with the theory and the experiment behind it.

use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::verdict::Verdict;

/// A checkable statement of a document.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Stable id, such as `T05`.
    pub id: &'static str,
    /// The document that makes it.
    pub document: Document,
    /// The statement in our words.
    pub statement: &'static str,
    /// What a reader should know about the verdict.
    pub remarks: Vec<String>,
    /// The numbers that are checked.
    pub parts: Vec<Part>,
}

impl Claim {
    /// A claim whose remarks and parts are added afterwards.
    #[must_use]
    pub fn new(id: &'static str, document: Document, statement: &'static str) -> Self {
        Self {
            id,
            document,
            statement,
            remarks: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a remark.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds several numbers.
    #[must_use]
    pub fn parts(mut self, parts: impl IntoIterator<Item = Part>) -> Self {
        self.parts.extend(parts);
        self
    }
}

/// One number of a claim.
#[derive(Debug, Clone)]
pub struct Part {
    /// What the number is.
    pub label: String,
    /// What the document says that it is.
    pub quoted: Option<Quote>,
    /// What theory says that it is.
    pub computed: Option<ComputedNumber>,
    /// How it is measured.
    pub experiment: Option<Experiment>,
    /// What the measurement must show.
    pub criterion: Criterion,
    /// The verdict that the number is known to have.
    pub recorded: Verdict,
}

/// What a measurement must show, apart from being compatible with the quoted number.
#[derive(Debug, Clone, PartialEq)]
pub enum Criterion {
    /// Nothing is measured, or the measurement is set beside the quoted number alone.
    Quote,
    /// It is equivalent to the computed number within a margin.
    Equivalence {
        /// The margin at the standard level.
        margin: Margin,
        /// Why the margin is that wide.
        reason: &'static str,
    },
    /// It is at least a bound.
    AtLeast {
        /// The bound.
        bound: f64,
        /// Why the bound lies there.
        reason: &'static str,
    },
    /// It is at most a bound.
    AtMost {
        /// The bound.
        bound: f64,
        /// Why the bound lies there.
        reason: &'static str,
    },
}

impl Part {
    /// A number with nothing to compare yet.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            quoted: None,
            computed: None,
            experiment: None,
            criterion: Criterion::Quote,
            recorded: Verdict::Agrees,
        }
    }

    /// What the document says.
    #[must_use]
    pub fn quoted(self, quote: Quote) -> Self {
        Self {
            quoted: Some(quote),
            ..self
        }
    }

    /// What theory says.
    #[must_use]
    pub fn computed(self, computed: ComputedNumber) -> Self {
        Self {
            computed: Some(computed),
            ..self
        }
    }

    /// How it is measured, without a criterion of its own: the measurement is set beside the quoted number.
    #[must_use]
    pub fn measured(self, experiment: Experiment) -> Self {
        Self {
            experiment: Some(experiment),
            ..self
        }
    }

    /// How it is measured, to be equivalent to the computed number within a margin.
    #[must_use]
    pub fn equivalent(self, experiment: Experiment, margin: Margin, reason: &'static str) -> Self {
        Self {
            experiment: Some(experiment),
            criterion: Criterion::Equivalence { margin, reason },
            ..self
        }
    }

    /// How it is measured, to be at least a bound.
    #[must_use]
    pub fn at_least(self, experiment: Experiment, bound: f64, reason: &'static str) -> Self {
        Self {
            experiment: Some(experiment),
            criterion: Criterion::AtLeast { bound, reason },
            ..self
        }
    }

    /// How it is measured, to be at most a bound.
    #[must_use]
    pub fn at_most(self, experiment: Experiment, bound: f64, reason: &'static str) -> Self {
        Self {
            experiment: Some(experiment),
            criterion: Criterion::AtMost { bound, reason },
            ..self
        }
    }

    /// The verdict that the number is known to have, where it is not [`Verdict::Agrees`].
    #[must_use]
    pub fn recorded(self, recorded: Verdict) -> Self {
        Self { recorded, ..self }
    }
}

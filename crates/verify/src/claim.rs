//! What a claim is: numbers of a document, each with the theory and the experiment behind it.

use crate::document::Document;
use crate::experiment::Experiment;
use crate::level::Level;
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
    /// Parameters that the document leaves open, each with our choice and how much the result depends on it.
    pub open_parameters: Vec<String>,
    /// What was found beyond what the document says.
    pub beyond: Vec<String>,
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
            open_parameters: Vec::new(),
            beyond: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a remark: what a reader should know about the verdict, such as why a number does not come out.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Adds a parameter that the document leaves open.
    ///
    /// The text says which one, what we chose and why, and how much the result depends on it, in full sentences. The
    /// report and the document's page list it under a heading of its own, so it needs no introduction such as "the text
    /// does not say".
    ///
    /// ```
    /// # use retrylab_verify::{Claim, Document};
    /// let claim = Claim::new("R04", Document::RetryStorms, "A budget of a tenth recovers 55 s after the start.")
    ///     .open_parameter(
    ///         "Timeout: 0.5 s. From 0.5 s to 1 s the recovery moves from 54.6 s to 55.4 s, and both round to 55.",
    ///     );
    /// assert_eq!(claim.open_parameters.len(), 1);
    /// ```
    #[must_use]
    pub fn open_parameter(mut self, parameter: impl Into<String>) -> Self {
        self.open_parameters.push(parameter.into());
        self
    }

    /// Adds something that was found beyond what the document says: a closed form for what it only measured, a limit of
    /// its conclusion, an experiment that it proposes and does not make.
    ///
    /// Full sentences, with numbers that follow from theory or from a part of the claim, so that they cannot go stale.
    #[must_use]
    pub fn beyond(mut self, finding: impl Into<String>) -> Self {
        self.beyond.push(finding.into());
        self
    }

    /// The claim with the numbers that are checked at a level.
    ///
    /// ```
    /// # use retrylab_verify::{Claim, Document, Level, Part};
    /// let claim = Claim::new("H04", Document::HelpingClients, "There is a cliff.")
    ///     .part(Part::new("480 slots"))
    ///     .part(Part::new("48,000 slots").from_level(Level::Thorough));
    /// assert_eq!(claim.at_level(Level::Standard).parts.len(), 1);
    /// assert_eq!(claim.at_level(Level::Thorough).parts.len(), 2);
    /// ```
    #[must_use]
    pub fn at_level(&self, level: Level) -> Self {
        let mut claim = self.clone();
        claim.parts.retain(|part| part.from_level <= level);
        claim
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
    /// The least level at which the number is checked: what costs more than all the rest waits for thorough runs.
    pub from_level: Level,
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
            from_level: Level::Quick,
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

    /// Checks the number at this level and above only, because it costs too much below.
    #[must_use]
    pub fn from_level(self, from_level: Level) -> Self {
        Self { from_level, ..self }
    }
}

//! What a run of the checks gave: plain data that every report is a view of.

use serde::Serialize;

use crate::document::Document;
use crate::verdict::Verdict;

/// Everything that a run of the checks gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// One entry per decided claim, in the order of documents and ids.
    pub claims: Vec<ClaimOutcome>,
    /// Ids of the claims that were not decided because the run was stopped; empty for a whole run.
    pub unfinished: Vec<&'static str>,
    /// The level at which the run sampled (`quick`, `standard`, `thorough`).
    pub level: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// Probability that a run raises any false alarm, over all claims together.
    pub family_error: f64,
    /// Simulated attempts, all experiments together.
    pub attempts: u64,
}

impl Outcome {
    /// Number of claims with each verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.claims
            .iter()
            .filter(|claim| claim.verdict() == verdict)
            .count()
    }

    /// Claims in which some verdict differs from the recorded one.
    pub fn surprises(&self) -> impl Iterator<Item = &ClaimOutcome> {
        self.claims.iter().filter(|claim| claim.is_surprise())
    }
}

/// What was found about one claim.
#[derive(Debug, Clone)]
pub struct ClaimOutcome {
    /// The claim's id, such as `T05`.
    pub id: &'static str,
    /// The document that makes it.
    pub document: Document,
    /// The claim in our words.
    pub statement: &'static str,
    /// What a reader should know about the verdict, such as why a number does not come out. Paragraphs of plain text.
    pub remarks: Vec<String>,
    /// Parameters that the document leaves open, each with our choice and how much the result depends on it.
    pub open_parameters: Vec<String>,
    /// What was found beyond what the document says.
    pub beyond: Vec<String>,
    /// One entry per number that was checked.
    pub parts: Vec<PartOutcome>,
}

impl ClaimOutcome {
    /// The worst verdict of the parts.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict::worst(self.parts.iter().map(|part| part.verdict))
    }

    /// The worst recorded verdict of the parts.
    #[must_use]
    pub fn recorded_verdict(&self) -> Verdict {
        Verdict::worst(self.parts.iter().map(|part| part.recorded_verdict))
    }

    /// Whether some part's verdict differs from the recorded one.
    #[must_use]
    pub fn is_surprise(&self) -> bool {
        self.parts
            .iter()
            .any(|part| part.verdict != part.recorded_verdict)
    }
}

/// What was found about one number of a claim.
#[derive(Debug, Clone)]
pub struct PartOutcome {
    /// What the number is, such as `success at load 0.9, timeout 10`.
    pub label: String,
    /// The conclusion.
    pub verdict: Verdict,
    /// The conclusion that this number is known to have.
    pub recorded_verdict: Verdict,
    /// The number that the document quotes.
    pub quoted: Option<QuotedNumber>,
    /// The closed form's value.
    pub computed: Option<ComputedNumber>,
    /// The measured value with its interval.
    pub measured: Option<MeasuredNumber>,
    /// How the verdict is reached, in words, with the margin and why it is that wide.
    pub criterion: String,
    /// The error of the closed form that this level shows as a difference with probability 0.99 at least, where the
    /// closed form is measured.
    pub detectable_error: Option<f64>,
}

/// A number as a document quotes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuotedNumber {
    /// The number as printed, such as `0.95`.
    pub text: String,
    /// Lower end of what the printed number can mean.
    pub low: f64,
    /// Upper end of what the printed number can mean.
    pub high: f64,
    /// Why the range is that wide (rounding, the author's own sampling error, or the words of the text).
    pub range_reason: String,
}

/// A number from a closed form or a numerical solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComputedNumber {
    /// The number.
    pub value: f64,
    /// The formula in plain text.
    pub formula: String,
    /// Where the formula comes from.
    pub source: String,
    /// The command that prints the numbers it is made of.
    pub command: String,
}

/// A number from simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredNumber {
    /// Point estimate.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Coverage probability of the interval, all looks of the sequential design together.
    pub confidence: f64,
    /// How estimate and interval are made.
    pub method: String,
    /// Independent replications used.
    pub replications: u64,
    /// Looks at the growing data until the decision.
    pub looks: u32,
    /// Simulated attempts (or requests, where no queue is simulated).
    pub attempts: u64,
    /// Seed of the experiment: with the scenario it gives the same numbers again.
    pub seed: u64,
    /// What was simulated, as a scenario in TOML, or in words where it is no queue.
    pub scenario: String,
}

//! What a check can conclude.

use std::fmt;

use serde::Serialize;

/// The conclusion about a claim or one of its numbers, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Equivalence within the stated margin was shown, and a quoted number is compatible with the evidence.
    Agrees,
    /// The evidence allowed within the budget does not decide.
    Inconclusive,
    /// The evidence excludes the number that the document quotes.
    NotReproduced,
    /// The closed form and the simulation differ by more than the margin: one of the two is wrong.
    DoesNotAgree,
}

impl Verdict {
    /// Every verdict, from best to worst.
    pub const ALL: [Self; 4] = [
        Self::Agrees,
        Self::Inconclusive,
        Self::NotReproduced,
        Self::DoesNotAgree,
    ];

    /// The verdict in words, as reports print it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Inconclusive => "inconclusive",
            Self::NotReproduced => "not reproduced",
            Self::DoesNotAgree => "does not agree",
        }
    }

    /// The worst of several verdicts; [`Verdict::Agrees`] of none.
    #[must_use]
    pub fn worst(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Agrees)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

//! How much evidence a run gathers.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// How much evidence a run gathers before it calls an undecided number inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A smoke run in seconds: margins four times as wide.
    Quick,
    /// The default.
    #[default]
    Standard,
    /// Margins half as wide.
    Thorough,
}

impl Level {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Standard, Self::Thorough];

    /// Name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Thorough => "thorough",
        }
    }

    /// Factor on the margins that claims state for the standard level.
    ///
    /// The sample that an equivalence needs grows with the inverse square of the margin.
    pub(crate) fn margin_factor(self) -> f64 {
        match self {
            Self::Quick => 4.0,
            Self::Standard => 1.0,
            Self::Thorough => 0.5,
        }
    }

    /// Simulated attempts that one number may use before it is called inconclusive.
    pub(crate) fn attempts_max(self) -> u64 {
        match self {
            Self::Quick => 150_000_000,
            Self::Standard => 600_000_000,
            Self::Thorough => 6_000_000_000,
        }
    }

    /// Factor on the share of exceptions among runs that words such as "never" tolerate.
    ///
    /// The stated share follows from the document's 40 runs, so a stricter level has no reason to tolerate less.
    pub(crate) fn exceptions_factor(self) -> f64 {
        match self {
            Self::Quick => 4.0,
            Self::Standard | Self::Thorough => 1.0,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| format!("level is {text}, but must be quick, standard or thorough"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_what_its_name_says_and_nothing_else_is_one() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
        assert!(
            "Quick"
                .parse::<Level>()
                .is_err_and(|reason| reason.contains("Quick"))
        );
    }
}

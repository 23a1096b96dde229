//! Selecting claims and figures by patterns.

use crate::claim::Claim;

/// A pattern that selects nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Nothing has a name that matches.
    #[error("no {kind} matches {pattern}; give {names}, or a document: {documents}")]
    NoMatch {
        /// What was to be selected.
        kind: &'static str,
        /// The pattern.
        pattern: String,
        /// What could have been given instead.
        names: &'static str,
        /// The names of the documents.
        documents: String,
    },
    /// The pattern cannot be read.
    #[error("{pattern} is not a pattern: {reason}")]
    Malformed {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// What is selected from, in the words of messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    /// One of them.
    pub(crate) kind: &'static str,
    /// Names that it can be selected by, with examples, apart from those of documents.
    pub(crate) names: &'static str,
}

/// The claims whose id or document matches any of the patterns (`*`, `?` and `[…]` as in file names); all claims when
/// there is no pattern. Letters match in either case.
///
/// # Errors
/// [`SelectionError`] when a pattern matches nothing or cannot be read.
pub fn select(claims: Vec<Claim>, patterns: &[String]) -> Result<Vec<Claim>, SelectionError> {
    let words = Words {
        kind: "claim",
        names: "a claim id such as T05, a pattern such as T0*",
    };
    matching(claims, patterns, words, |claim| {
        vec![claim.id, claim.document.name()]
    })
}

/// The items of which some name matches any of the patterns; all of them when there is no pattern.
pub(crate) fn matching<T>(
    items: Vec<T>,
    patterns: &[String],
    words: Words,
    names: impl Fn(&T) -> Vec<&'static str>,
) -> Result<Vec<T>, SelectionError> {
    if patterns.is_empty() {
        return Ok(items);
    }
    let options = glob::MatchOptions {
        case_sensitive: false,
        ..glob::MatchOptions::default()
    };
    let mut wanted = vec![false; items.len()];
    for text in patterns {
        let pattern = glob::Pattern::new(text).map_err(|error| SelectionError::Malformed {
            pattern: text.clone(),
            reason: error.msg.to_owned(),
        })?;
        let mut any = false;
        for (wanted, item) in wanted.iter_mut().zip(&items) {
            if names(item).iter().any(|name| pattern.matches_with(name, options)) {
                *wanted = true;
                any = true;
            }
        }
        if !any {
            return Err(SelectionError::NoMatch {
                kind: words.kind,
                pattern: if text.is_empty() {
                    "an empty pattern".to_owned()
                } else {
                    text.clone()
                },
                names: words.names,
                documents: crate::Document::ALL.map(crate::Document::name).join(", "),
            });
        }
    }
    Ok(items
        .into_iter()
        .zip(wanted)
        .filter_map(|(item, wanted)| wanted.then_some(item))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_select_ids_and_documents() {
        let ids = |patterns: &[&str]| -> Vec<&str> {
            let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
            select(crate::claims::all(), &patterns)
                .unwrap()
                .iter()
                .map(|claim| claim.id)
                .collect()
        };
        assert_eq!(ids(&["T05", "l01"]), ["L01", "T05"]);
        assert_eq!(
            ids(&["L0*"]),
            ["L01", "L02", "L03", "L04", "L05", "L06", "L07", "L08", "L09"]
        );
        assert!(ids(&["lesson"]).iter().all(|id| id.starts_with('L')));
        let error = select(crate::claims::all(), &["Z*".to_owned()]).unwrap_err();
        assert!(
            error.to_string().contains("Z*") && error.to_string().contains("lesson"),
            "{error}"
        );
        assert!(select(crate::claims::all(), &["[".to_owned()]).is_err());
    }
}

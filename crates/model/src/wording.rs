//! How messages list names, suggest one and quote what somebody wrote.

use crate::unit_text::Shortest;

/// Longest quotation from a user's text in a message.
const QUOTATION_LENGTH_MAX: usize = 60;
/// Similarity from which a name counts as a misspelling of another; 1 is equality.
const SIMILARITY_MIN: f64 = 0.6;

/// The name that `word` is most likely a misspelling of, if any is close.
///
/// ```
/// use retrylab_model::wording::closest;
/// assert_eq!(closest("tiemout", ["attempts", "timeout"]), Some("timeout"));
/// assert_eq!(closest("colour", ["attempts", "timeout"]), None);
/// ```
pub fn closest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = quotation(word).to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for name in names {
        let similarity = strsim::normalized_damerau_levenshtein(&word, name);
        if similarity >= SIMILARITY_MIN && best.is_none_or(|(most, _)| similarity > most) {
            best = Some((similarity, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Names as an English list with "or".
///
/// ```
/// use retrylab_model::wording::alternatives;
/// assert_eq!(alternatives(["fifo", "lifo", "random"]), "fifo, lifo or random");
/// ```
#[must_use]
pub fn alternatives<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// "expected a, b or c", with a suggestion where one of the names is close to `word`.
///
/// ```
/// use retrylab_model::wording::expected;
/// assert_eq!(expected("lfo", &["fifo", "lifo"]), "expected fifo or lifo (did you mean lifo?)");
/// ```
#[must_use]
pub fn expected(word: &str, names: &[&str]) -> String {
    let listed = alternatives(names.iter().copied());
    match closest(word, names.iter().copied()) {
        Some(name) => format!("expected {listed} (did you mean {name}?)"),
        None => format!("expected {listed}"),
    }
}

/// A number in the fewest digits that give it back when read, with an exponent where it is very large or very small.
///
/// ```
/// use retrylab_model::wording::number;
/// assert_eq!((number(0.25), number(1e300)), ("0.25".to_owned(), "1e300".to_owned()));
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    Shortest(value).to_string()
}

/// A user's text on one line, without control characters, cut off where it is long.
///
/// ```
/// use retrylab_model::wording::quotation;
/// assert_eq!(quotation("two\nlines"), "two\\nlines");
/// ```
#[must_use]
pub fn quotation(text: &str) -> String {
    let mut quoted = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == QUOTATION_LENGTH_MAX {
            quoted.push('…');
            break;
        }
        if character.is_control() {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_off() {
        let quoted = quotation(&"é".repeat(1_000_000));
        assert_eq!(quoted.chars().count(), QUOTATION_LENGTH_MAX + 1);
        assert!(quoted.ends_with('…'));
    }

    #[test]
    fn lists_of_every_length_read_well() {
        assert_eq!(alternatives([]), "nothing");
        assert_eq!(alternatives(["a"]), "a");
        assert_eq!(alternatives(["a", "b"]), "a or b");
    }

    #[test]
    fn the_closest_of_several_close_names_is_suggested() {
        assert_eq!(closest("meam", ["mean", "median"]), Some("mean"));
        assert_eq!(closest("", ["mean"]), None);
    }
}

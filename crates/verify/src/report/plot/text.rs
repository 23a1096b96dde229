//! How much room text takes, as far as that can be known without the font.

/// Average width of a character, as a share of the font's size; sans-serif fonts are between 0.5 and 0.58.
const CHARACTER_WIDTH: f64 = 0.56;

/// Estimated width of a line of text.
pub(super) fn width(text: &str, font_size: f64) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX)) * CHARACTER_WIDTH * font_size
}

/// Text in lines of at most the given width; a longer word has a line of its own.
pub(super) fn wrapped(text: &str, font_size: f64, width_max: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in printable(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, font_size) + width(word, font_size) + font_size / 2.0 <= width_max => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text without characters that XML does not allow.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|character| {
            let allowed = !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}');
            if allowed { character } else { ' ' }
        })
        .collect()
}

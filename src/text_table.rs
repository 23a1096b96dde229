//! Tables for people: plain columns, no wider than the terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};

use crate::failure::is_colour_unwanted;

/// Width where no terminal says otherwise.
const WIDTH_DEFAULT: u16 = 80;
/// Widths that tables are made for: below, columns are too narrow for words, above, lines become hard to read.
const WIDTHS: std::ops::RangeInclusive<u16> = 60..=110;

/// An empty table without lines whose cells wrap at the width of the terminal.
pub(crate) fn plain() -> Table {
    of_width(width())
}

/// The width of the terminal, within reason.
pub(crate) fn width() -> u16 {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Dynamic);
    match table.width() {
        // Some terminals do not know how wide they are.
        None | Some(0) => WIDTH_DEFAULT,
        Some(width) => width.clamp(*WIDTHS.start(), *WIDTHS.end()),
    }
}

/// An empty table without lines whose cells wrap at a width.
pub(crate) fn of_width(width: u16) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    if is_colour_unwanted() {
        table.force_no_tty();
    }
    table.set_width(width);
    table
}

/// The table as text, without spaces at the ends of lines.
pub(crate) fn text(table: &Table) -> String {
    table
        .to_string()
        .lines()
        .flat_map(|line| [line.trim_end(), "\n"])
        .collect()
}

/// A number with twelve significant digits, which hides the rounding of its last bits, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    let magnitude = rounded.abs();
    if magnitude == 0.0 || (1e-5..1e15).contains(&magnitude) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_for_people_have_twelve_digits() {
        for (value, text) in [
            (1.109_999_999_999_999_9, "1.11"),
            (0.000_999_999_999_999_999_9, "0.001"),
            (3.0, "3"),
            (1e9, "1000000000"),
            (2.5e-300, "2.5e-300"),
            (1e300, "1e300"),
            (0.0, "0"),
            (2.0 / 3.0, "0.666666666667"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}

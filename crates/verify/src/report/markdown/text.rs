//! Pieces of Markdown: text in which nothing has a meaning by accident, code, tables.

use std::fmt::Write as _;

use crate::report::wording;
use crate::verdict::Verdict;

/// The head of a table.
pub(in crate::report) fn table(columns: &[&str]) -> String {
    let rule: Vec<&str> = columns.iter().map(|_| "---").collect();
    format!("| {} |\n| {} |", columns.join(" | "), rule.join(" | "))
}

/// Adds a row.
pub(in crate::report) fn row(table: &mut String, cells: &[String]) {
    let _ = write!(table, "\n| {} |", cells.join(" | "));
}

/// A verdict with its symbol.
pub(in crate::report) fn badge(verdict: Verdict) -> String {
    format!("{} {verdict}", wording::symbol(verdict))
}

/// Text in which nothing has a meaning to Markdown or HTML, on one line.
pub(in crate::report) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => escaped.extend(['\\', character]),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Code within a line, fenced by more backticks than it contains in a row.
pub(in crate::report) fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fence = "`".repeat(longest_run_of_backticks(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A block of code, fenced by more backticks than it contains in a row.
pub(in crate::report) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run_of_backticks(text).max(2) + 1);
    format!("{fence}toml\n{}\n{fence}", text.trim_end())
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}
